import PalimpsestJSON
import PalimpsestMetrics

/// A line a strategy: mean and interval in numbers and as a bar of 30 cells, and how it came about as a sparkline.
///
///     letters   average accuracy          0.50 ├────────────────────────────┤ 0.90  after task 0 to 4
///     ewc       0.700 ± 0.050     n 5              ├─●─┤           ┊               ▇▆▅▄▃
public struct TerminalPlot: Sendable {
  static let cells = 30
  /// A longer label is cut.
  static let widestLabel = 24

  private let report: Report
  private let curves: PlottedCurves?
  private let marks: TerminalMarks
  private let width: Int

  /// What the report must show: the plotted metric, then the reference where there is one.
  public static func metrics(of report: Report) -> [Metric] {
    let shown = report.metrics.first ?? .averageAccuracy
    guard shown.subject == .accuracy else { return [shown] }
    return [shown] + standardMeasures.filter { $0.name == "joint_ceiling" }.map { Metric($0) }
  }

  /// - Parameters:
  ///   - report: of ``metrics(of:)``, a row a configuration of the plan.
  ///   - curves: nil: there are none, as of a cube by itself.
  ///   - width: columns of the terminal.
  public init(_ report: Report, _ curves: PlottedCurves?, _ marks: TerminalMarks, width: Int) {
    (self.report, self.curves, self.marks, self.width) = (report, curves, marks, width)
  }

  public var text: String {
    let places = Dictionary(grouping: report.rows.indices) { report.rows[$0].scenario }
    let blocks = report.scenarios.compactMap { name in places[name].map { block(name, $0) } }
    return (blocks + (report.notes.isEmpty ? [] : [report.notes.joined(separator: "\n")])).joined(separator: "\n\n")
  }

  private func block(_ name: String, _ places: [Int]) -> String {
    let rows = places.map { report.rows[$0] }
    let references = references(rows)
    guard let scale = PlotScale(rows.flatMap(\.drawn) + references) else {
      return "\(visible(name)): no run has \(report.metrics[0].shortName) yet"
    }
    let plot = ScenarioPlot(
      labels: [name] + rows.map(\.label), values: rows.map(value), counts: rows.map { "n \($0.completed)" },
      scale: scale, spark: spark(places), marks: marks, width: width, heading: report.metrics[0].shortName)
    let bars = rows.map { row in
      row.cells[0].interval.map {
        intervalBar(
          mean: $0.mean, halfWidth: $0.halfWidth, references: references, scale, cells: TerminalPlot.cells, marks)
      } ?? ""
    }
    return ([plot.header] + plot.lines(bars) + [legend(references, plot)])
      .joined(separator: "\n")
  }

  private func value(_ row: Report.Row) -> String {
    guard let interval = row.cells[0].interval else { return marks.nothing }
    let metric = report.metrics[0]
    return metric.text(interval.mean) + (interval.halfWidth.map { " \(marks.plusMinus) \(metric.text($0))" } ?? "")
  }

  /// J* of the scenario where it is known; of gains 0, what the population model has.
  private func references(_ rows: [Report.Row]) -> [Double] {
    if report.metrics.count > 1 { return rows.lazy.compactMap { $0.cells[1].interval?.mean }.prefix(1).map { $0 } }
    return report.metrics[0].name == "life_gain_mean" ? [0] : []
  }

  private func spark(_ places: [Int]) -> ScenarioPlot.Spark? {
    guard let curves else { return nil }
    let lists = places.map { curves.curves.indices.contains($0) ? curves.curves[$0] : [] }
    let length = lists.map(\.count).max() ?? 0
    switch curves.kind {
    case .people(let scale):
      let most = lists.joined().max() ?? 1
      return ScenarioPlot.Spark(
        lists, PlotScale(low: 0, high: max(1, most)), "people by gain",
        "people with gains from \(threeDecimals(scale.low)) to \(threeDecimals(scale.high)), "
          + "none to \(Int(max(1, most)))")
    case .tasks:
      return PlotScale(Array(lists.joined())).map { scale in
        ScenarioPlot.Spark(
          lists, scale, "after task 0 to \(length - 1)",
          "mean accuracy on the tasks so far, \(scale.words)")
      }
    case .windows:
      return PlotScale(Array(lists.joined())).map { scale in
        ScenarioPlot.Spark(lists, scale, "\(length) windows", "accuracy in each window, \(scale.words)")
      }
    }
  }

  private func legend(_ references: [Double], _ plot: ScenarioPlot) -> String {
    var parts = ["\(marks.mean) mean, \(marks.left)\(marks.line)\(marks.right) 95 % interval over seeds"]
    if let reference = references.first {
      let name = report.metrics.count > 1 ? "the best one rule can have (J*)" : "the population model"
      parts.append("\(marks.reference) \(name), \(threeDecimals(reference))")
    }
    if let spark = plot.spark {
      parts.append("\(marks.levels[0]) to \(marks.levels[marks.levels.count - 1]) \(spark.meaning)")
    }
    return parts.joined(separator: "\n")
  }
}

extension PlotScale {
  /// `0.55 to 0.87`.
  fileprivate var words: String { "\(twoDecimals(low)) to \(twoDecimals(high))" }
}

extension Report.Row {
  /// Numbers that the bar must hold.
  fileprivate var drawn: [Double] {
    cells[0].interval.map { [$0.mean, $0.lower ?? $0.mean, $0.upper ?? $0.mean] } ?? []
  }
}

func twoDecimals(_ x: Double) -> String {
  let text = threeDecimals((x * 100).rounded() / 100)
  return String(text.dropLast())
}
