import PalimpsestMetrics
import PalimpsestResults

/// Which means may be called best: only what the tests of all pairs set apart. Bounds take no part.
struct PageStandings {
  /// The best of one scenario, or those that are not told apart from it.
  struct Top {
    let best: ReportData.Row
    /// Candidates that the tests do not tell from the best.
    let tied: [ReportData.Row]
    /// The best against each other candidate; the difference counts for the best.
    let pairs: [(other: ReportData.Row, pair: Pair)]
  }

  private let worth: Metric
  private let looks: [Int: SummaryTable.Standing]

  init(_ data: ReportData) {
    worth = data.worth
    looks = data.scenarios.flatMap { data.tops($0) }.reduce(into: [:]) { looks, top in
      looks[top.best.place] = top.tied.isEmpty ? .best : .tied
      for row in top.tied { looks[row.place] = .tied }
    }
  }

  func standing(_ metric: Metric, _ row: ReportData.Row) -> SummaryTable.Standing? {
    metric.name == worth.name ? looks[row.place] : nil
  }

  var note: String {
    if looks.isEmpty { return "" }
    return
      "<p class=\"soft\">Bold: the best candidate, set apart from all others by exact sign-flip tests at .05, adjusted by step-down max-T over all pairs; bold grey: not told apart from the best.</p>"
  }
}

extension ReportData {
  /// The tops of a scenario; several where a sweep varies the scenario itself. None where nothing was tested.
  func tops(_ scenario: Scenario) -> [PageStandings.Top] {
    guard let comparison, compared.count == report.rows.count else { return [] }
    return comparison.scenarios.compactMap { tested in
      let rows = scenario.all.filter { !$0.isBound && compared[$0.place].scenario == tested.name }
      return top(rows, tested)
    }
  }

  private func top(_ rows: [Row], _ tested: Comparison.Scenario) -> PageStandings.Top? {
    let means = rows.compactMap { row in cell(row, worth)?.interval.map { (row: row, mean: worth.sign * $0.mean) } }
    guard worth.direction != .neither, means.count > 1, let best = means.max(by: { $0.mean < $1.mean })?.row else {
      return nil
    }
    let pairs = means.map(\.row).filter { $0.place != best.place }.compactMap { other in
      tested.pair(compared[best.place].strategy, compared[other.place].strategy).map { (other: other, pair: $0) }
    }
    guard pairs.contains(where: { $0.pair.adjusted != nil }) else { return nil }
    let tied = pairs.filter { ($0.pair.adjusted ?? 1) > Comparison.level }.map(\.other)
    return PageStandings.Top(best: best, tied: tied, pairs: pairs)
  }
}

extension Comparison.Scenario {
  /// Two contestants, whichever way around.
  func pair(_ a: String, _ b: String) -> Pair? {
    pairs.first { $0.a.label == a && $0.b.label == b || $0.a.label == b && $0.b.label == a }
  }
}
