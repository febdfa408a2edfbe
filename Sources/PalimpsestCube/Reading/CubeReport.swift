import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

extension Report {
  /// The report of a cube by itself: from its columns of metrics, without plan and journals.
  ///
  /// Configurations without a run are not there, for a cube does not hold their labels; so runs that are missing are
  /// counted only where a cube of one plan says how many seeds it has.
  ///
  /// - Parameter metrics: nil: those that suit the runs.
  /// - Throws: ``PalimpsestCube/CubeError``.
  public init(_ table: CubeTable, metrics: [Metric]? = nil) throws(CubeError) {
    let metrics = metrics ?? table.suitedMetrics
    let runs = try CubeRuns(table, metrics)
    self.init(
      name: table.attribute("title"), question: table.attribute("question"), metrics: metrics,
      rows: runs.groups.map { runs.row($0, metrics) })
  }
}

extension CubeTable {
  /// The metrics that suit the runs: what a report shows where none are chosen.
  package var suitedMetrics: [Metric] { Report.metrics { column($0.text) != nil } }
}

extension CubeRuns {
  fileprivate func row(_ runs: [Int], _ metrics: [Metric]) -> Report.Row {
    let done = runs.filter { status(of: $0) == .completed }
    let kind: AccuracyKind = !done.isEmpty && done.allSatisfy { self.kind(of: $0) == .expected } ? .expected : .sampled
    let diverged = runs.count { status(of: $0) == .diverged }
    var row = Report.Row(
      scenario: scenario[runs[0]], strategy: strategy[runs[0]], settings: settings(of: runs[0]), kind: kind,
      planned: max(runs.count, seedsPlanned ?? 0), completed: done.count, failed: runs.count - done.count - diverged,
      diverged: diverged, cells: metrics.indices.map { cell($0, kind, done) })
    row.marks = marks(of: runs[0])
    return row
  }

  private func cell(_ metric: Int, _ kind: AccuracyKind, _ runs: [Int]) -> Report.Cell {
    let numbers = runs.map { value(of: metric, kind, run: $0) }
    let isDefined = numbers.allSatisfy(\.isFinite)
    return Report.Cell(numbers, undefinedBecause: isDefined ? nil : reason(of: metric, kind))
  }
}
