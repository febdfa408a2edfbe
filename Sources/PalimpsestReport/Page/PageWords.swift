import PalimpsestMetrics
import PalimpsestResults

/// What the numbers say, scenario by scenario, and what they cannot.
struct PageWords {
  let data: ReportData
  private static let mostRemarks = 8
  private static let longestRemark = 300

  var html: String {
    let scenarios = data.scenarios.map { scenario in
      "<p><b>\(escaped(scenario.name))</b>: \(escaped(sentences(scenario).joined(separator: " ")))</p>"
    }
    return (scenarios + remarks.map { "<p class=\"soft\">\(escaped($0))</p>" }).joined(separator: "\n")
  }

  private func sentences(_ scenario: ReportData.Scenario) -> [String] {
    let metric = data.worth
    let sign = metric.sign
    let ranked = scenario.all.filter { !$0.isBound }.compactMap { row in
      data.cell(row, metric)?.interval.map { (row: row, interval: $0) }
    }.sorted { sign * $0.interval.mean > sign * $1.interval.mean }
    guard let best = ranked.first else { return ["no candidate has completed."] }
    let half = best.interval.halfWidth.map { " ± " + metric.text($0) } ?? " (one seed, so no interval)"
    return [
      "the best mean \(spaced(metric.column(scenario.kind))) is \(metric.text(best.interval.mean))\(half), of \(best.row.label)."
    ] + data.tops(scenario).flatMap(sentences) + possible(scenario)
  }

  private func possible(_ scenario: ReportData.Scenario) -> [String] {
    guard data.worth.subject == .accuracy else { return [] }
    let names = [
      ("J*, the best that one rule of the inputs can have,", "joint_ceiling"),
      ("a perfect tracker", "tracker_accuracy"),
    ]
    let known = names.compactMap { name, column -> String? in
      let truths = data.truths(column, scenario)
      let values = truths.prefix(PageWords.mostRemarks).map { variant, value in
        shareText(value) + (variant.label.isEmpty ? "" : " (\(variant.label))")
      }
      let rest = truths.count - values.count
      return truths.isEmpty
        ? nil : "\(name) has \(values.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
    }
    let bounds = scenario.all.filter(\.isBound).compactMap { row in
      data.cell(row, data.worth)?.interval.map { "\(row.label) has \(data.worth.text($0.mean))" }
    }
    return known.isEmpty && bounds.isEmpty ? [] : ["What is possible: \((known + bounds).joined(separator: "; "))."]
  }

  /// The best against the next, whom it is not told from, and what could have been seen.
  private func sentences(_ top: PageStandings.Top) -> [String] {
    guard let comparison = data.comparison else { return [] }
    let sign = data.worth.sign
    let next = top.pairs.max { a, b in
      sign * (data.cell(a.other, data.worth)?.interval?.mean ?? 0) < sign
        * (data.cell(b.other, data.worth)?.interval?.mean ?? 0)
    }
    var sentences = next.map { [comparison.sentence($0.pair)] } ?? []
    if top.tied.count > 1 {
      sentences.append(
        "Not told apart from it: \(top.tied.prefix(8).map(\.label).joined(separator: ", "))\(top.tied.count > 8 ? " and \(top.tied.count - 8) more" : "")."
      )
    }
    if let most = top.pairs.compactMap(\.pair.detectable).max(), let seeds = top.pairs.first?.pair.seeds.count {
      sentences.append(
        "With \(seeds) seeds, differences under \(amount(most)) could well have gone unseen (probability .8, one comparison)."
      )
    }
    return sentences
  }

  private func amount(_ x: Double) -> String {
    data.worth.subject == .accuracy ? decimalText(100 * x, places: 1) + " points" : data.worth.text(x)
  }

  /// Of all scenarios together.
  private var remarks: [String] {
    guard let comparison = data.comparison else {
      let rows = data.scenarios.map(\.all.count).max() ?? 0
      return rows > 1
        ? [
          "Nothing is tested here: too many configurations, or too few seeds in common; \"palimpsest compare\" tests those that it is given."
        ] : []
    }
    let few =
      comparison.tested == 0
      ? ["Fewer than \(Comparison.leastPairs) seeds: no sign-flip test can reach .05, so none is called the best."] : []
    // What a sweep varies stands in the table.
    let short = comparison.differences.filter { $0.utf8.count <= PageWords.longestRemark }
    let all = few + short + comparison.notes
    let rest = all.count - PageWords.mostRemarks
    return all.prefix(PageWords.mostRemarks) + (rest > 0 ? ["\(rest) more remarks: \"palimpsest compare\"."] : [])
  }
}
