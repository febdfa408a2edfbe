import PalimpsestMetrics
import PalimpsestResults

/// What the numbers say, scenario by scenario, and what they cannot.
struct PageWords {
  let data: ReportData

  var html: String {
    data.scenarios.map { scenario in
      "<p><b>\(escaped(scenario.name))</b>: \(escaped(sentences(scenario).joined(separator: " ")))</p>"
    }.joined(separator: "\n")
  }

  private func sentences(_ scenario: ReportData.Scenario) -> [String] {
    let metric = data.worth
    let sign: Double = metric.direction == .lower ? -1 : 1
    let ranked = scenario.all.filter { !$0.isBound }.compactMap { row in
      data.cell(row, metric)?.interval.map { (row: row, interval: $0) }
    }.sorted { sign * $0.interval.mean > sign * $1.interval.mean }
    guard let best = ranked.first else { return ["no candidate has completed."] }
    let half = best.interval.halfWidth.map { " ± " + metric.text($0) } ?? " (one seed, so no interval)"
    var sentences = [
      "the best mean \(spaced(metric.column(scenario.kind))) is \(metric.text(best.interval.mean))\(half), of \(best.row.label)."
    ]
    let possible = [
      ("J*, the best that one rule of the inputs can have,", "joint_ceiling"),
      ("a perfect tracker", "tracker_accuracy"),
    ]
    .compactMap { name, column in data.truth(column, scenario).map { "\(name) has \(shareText($0))" } }
    if !possible.isEmpty, metric.subject == .accuracy {
      sentences.append("What is possible: \(possible.joined(separator: "; ")).")
    }
    return sentences
  }
}
