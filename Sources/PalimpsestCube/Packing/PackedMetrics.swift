import HDF5
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestResults

/// The metrics of one kind of accuracy over all runs, a column each, packed some runs at a time.
struct PackedMetrics: Sendable {
  struct Column: Sendable {
    let metric: Metric
    /// NaN where it is undefined.
    let values: HDF5Rows<Double>
    fileprivate(set) var reasons = Reasons()
  }

  let kind: AccuracyKind
  private(set) var columns: [Column]

  /// - Parameter runs: how many there will be.
  init(_ kind: AccuracyKind, _ metrics: [Metric], runs: Int) {
    self.kind = kind
    columns = metrics.map { Column(metric: $0, values: HDF5Rows(shape: [runs], storage: .column(runs))) }
  }

  /// Takes the next runs.
  mutating func add(_ rows: [ResultRow], _ references: ReferenceRuns) {
    let (kind, metrics) = (kind, columns.map(\.metric))
    let parts = Cores.map(rows.count, atLeast: 32) { range in
      MetricColumns(metrics, rows[range].map { Accuracies($0.entry.record, kind, references.context(of: $0)) })
    }
    let columns = columns
    _ = Cores.map(columns.count, atLeast: 1) { range in
      for column in range { columns[column].values.append(parts.flatMap { $0.columns[column].values }) }
    }
    for part in parts {
      for (column, found) in part.columns.enumerated() { self.columns[column].reasons.add(found.reasons) }
    }
  }
}

/// The metrics of some runs: what a record holds is looked up once for all of them, and a metric once for all runs.
private struct MetricColumns: Sendable {
  struct Column: Sendable {
    var values: [Double] = []
    var reasons = Reasons()
  }

  private(set) var columns: [Column]

  /// Of runs in order.
  init(_ metrics: [Metric], _ runs: [Accuracies]) {
    columns = metrics.map { _ in Column() }
    for (place, metric) in metrics.enumerated() {
      columns[place].values.reserveCapacity(runs.count)
      for run in runs {
        let value = metric.value(in: run)
        columns[place].values.append(value.number)
        if let reason = value.reason { columns[place].reasons.add(reason) }
      }
    }
  }
}
