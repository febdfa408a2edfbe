import PalimpsestJSON
import PalimpsestMetrics

/// One scenario of a report, ready to be set in any form.
struct ReportTable {
  struct Row {
    /// Strategy and settings.
    let texts: [String]
    let cells: [Cell]
    /// How many runs the means are of.
    let count: String
  }

  struct Cell {
    /// Nil for an undefined metric.
    let mean: String?
    /// Nil for a single run, which has no interval, and of a count that is the same in all runs.
    let half: String?
    /// How many runs the mean is of, where not of all that completed.
    let count: Int?
    let isBest: Bool

    /// `0.586 ± 0.019`; a dash for an undefined metric; `(n 3)` behind it where other runs have no value.
    var text: String {
      (mean ?? "–") + (half.map { " ± " + $0 } ?? "") + (count.map { " (n \($0))" } ?? "")
    }
  }

  /// Scenario, kind of accuracy, what the numbers are.
  let heading: String
  let header: [String]
  /// Columns of text that come first; the others are numbers.
  let leftColumns: Int
  let rows: [Row]
}

extension Report {
  /// One a scenario, in plan order.
  func tables(markingBest: Bool) -> [ReportTable] {
    scenarios.map { scenario in
      let rows = shownRows.filter { $0.scenario == scenario }
      let settings = rows.settingNames
      let best = metrics.indices.map { markingBest ? rows.best($0, metrics[$0]) : nil }
      return ReportTable(
        heading: heading(scenario, rows), header: ["strategy"] + settings + metrics.map(\.heading) + ["n"],
        leftColumns: 1 + settings.count, rows: rows.map { ReportTable.Row($0, settings, metrics, best) })
    }
  }

  /// Configurations without a finished run are shown as long as they are few.
  static let mostUnbegun = 100

  /// How many configurations are left out of the tables.
  var hidden: Int {
    let unbegun = rows.count { !$0.hasEnded }
    return unbegun > Report.mostUnbegun ? unbegun : 0
  }

  private var shownRows: [Row] { hidden > 0 ? rows.filter(\.hasEnded) : rows }

  /// Labels in plan order.
  package var scenarios: [String] {
    rows.reduce(into: []) { labels, row in if !labels.contains(row.scenario) { labels.append(row.scenario) } }
  }

  private func heading(_ scenario: String, _ rows: [Row]) -> String {
    let kinds = Set(rows.filter { $0.completed > 0 }.map(\.kind))
    let accuracy =
      kinds == [.expected] ? "noise-free accuracy" : kinds == [.sampled] ? "accuracy on sampled labels" : "accuracy"
    return "\(visible(scenario)): \(showsAccuracy ? accuracy : showsCost ? "cost" : "measures"), "
      + "mean ± half-width of the 95 % interval over seeds (Student's t)"
  }

  private var showsCost: Bool { metrics.allSatisfy { $0.subject == .cost } }

  /// True where a metric is one of accuracies.
  var showsAccuracy: Bool { metrics.isEmpty || metrics.contains { $0.subject == .accuracy } }
}

extension [Report.Row] {
  /// Columns of settings in a table: those that differ in any of its rows.
  package var settingNames: [String] {
    flatMap(\.settings).reduce(into: []) { names, setting in
      if !names.contains(setting.name) { names.append(setting.name) }
    }
  }
}

extension Report.Row {
  /// At least one of its runs has ended.
  fileprivate var hasEnded: Bool { completed + failed + diverged > 0 }
}

extension ReportTable.Row {
  /// - Parameter best: the text of each metric's best mean, where it is to be marked.
  init(_ row: Report.Row, _ settings: [String], _ metrics: [Metric], _ best: [String?]) {
    texts =
      [row.strategy + row.marks.text]
      + settings.map { name in row.settings.first { $0.name == name }?.value.plainText ?? "" }
    cells = metrics.indices.map { index in
      let (cell, metric) = (row.cells[index], metrics[index])
      let mean = cell.interval.map { metric.text($0.mean) }
      let count = cell.interval?.count
      return ReportTable.Cell(
        mean: mean, half: cell.interval.flatMap(metric.halfWidthText), count: count == row.completed ? nil : count,
        isBest: mean != nil && mean == best[index])
    }
    count = row.completed == row.planned ? String(row.completed) : "\(row.completed)/\(row.planned)"
  }
}

extension [Report.Row] {
  /// The best mean of a metric as it is printed: what looks equal is marked alike.
  fileprivate func best(_ index: Int, _ metric: Metric) -> String? {
    let means = compactMap { $0.cells[index].interval?.mean }
    let best =
      switch metric.direction {
      case .higher: means.max()
      case .lower: means.min()
      case .neither: Double?.none
      }
    return best.map(metric.text)
  }
}
