import PalimpsestMetrics

/// Takes finished runs with their records while they are read for something else, some at a time in order of position: what needs every
/// record and not all at once.
package protocol RowReader: AnyObject {
  /// The rows of all these runs follow, from the first on; those of an earlier call are forgotten.
  /// - Parameter observed: whether some run observed it.
  func begin(_ runs: FinishedRuns, observed: (ObservationName) -> Bool)

  /// - Parameter references: what runs are compared with.
  func add(_ rows: [ResultRow], _ references: ReferenceRuns)
}

/// Keeps all rows: for results that are few.
package final class KeptRows: RowReader {
  private var runs: FinishedRuns?
  private var rows: [ResultRow] = []

  package init() {}

  package func begin(_ runs: FinishedRuns, observed: (ObservationName) -> Bool) { (self.runs, rows) = (runs, []) }

  package func add(_ rows: [ResultRow], _ references: ReferenceRuns) { self.rows += rows }

  /// Nil where nothing was read.
  package var results: Results? { runs.map { Results($0, rows) } }
}

/// Makes the report of rows that pass by: of each run only its outcome is kept.
package final class ReportedRows: RowReader {
  private var runs: FinishedRuns?
  private var metrics: [Metric] = []
  /// As they are counted of a configuration.
  private var counted: [Int: [Metric]] = [:]
  private var outcomes: [Int: [RunOutcome]] = [:]

  package init() {}

  package func begin(_ runs: FinishedRuns, observed: (ObservationName) -> Bool) {
    self.runs = runs
    metrics = Report.metrics(observed: observed)
    (counted, outcomes) = ([:], [:])
  }

  package func add(_ rows: [ResultRow], _ references: ReferenceRuns) {
    for row in rows {
      let outcome = RunOutcome(row.entry.record, metrics(of: row.run.configuration), references.context(of: row))
      outcomes[row.run.configuration, default: []].append(outcome)
    }
  }

  private func metrics(of configuration: Int) -> [Metric] {
    if let known = counted[configuration] { return known }
    let own = runs.map { Report.counted(metrics, of: $0.plan.configurations[configuration]) } ?? metrics
    counted[configuration] = own
    return own
  }

  /// Of the metrics that suit the runs. Nil where nothing was read.
  package var report: Report? { runs.map { Report($0.plan, metrics, outcomes) } }
}
