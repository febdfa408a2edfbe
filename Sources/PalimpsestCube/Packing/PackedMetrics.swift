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

  /// Columns of the next runs, without any yet.
  var empty: MetricColumns { MetricColumns(kind, columns.map(\.metric)) }

  /// Takes those of the next runs.
  mutating func take(_ part: MetricColumns) {
    let columns = columns
    _ = Cores.map(columns.count, atLeast: 1) { range in
      for column in range { columns[column].values.append(part.columns[column].values) }
    }
    for (column, found) in part.columns.enumerated() { self.columns[column].reasons.add(found.reasons) }
  }
}

/// The metrics of one kind of accuracy of some runs that follow each other.
struct MetricColumns: Sendable {
  struct Column: Sendable {
    var values: [Double] = []
    var reasons = Reasons()
  }

  private let kind: AccuracyKind
  /// Of each metric: a metric itself is large, and would be copied for each run.
  private let values: [@Sendable (Accuracies) -> MetricValue]
  private(set) var columns: [Column]

  init(_ kind: AccuracyKind, _ metrics: [Metric]) {
    self.kind = kind
    values = metrics.map { metric in { metric.value(in: $0) } }
    columns = metrics.map { _ in Column() }
  }

  /// Takes the next run: what its record holds is looked up once for all metrics.
  mutating func add(_ record: RunRecord, _ context: MetricContext) {
    let accuracies = Accuracies(record, kind, context)
    for place in values.indices {
      let value = values[place](accuracies)
      columns[place].values.append(value.number)
      if let reason = value.reason { columns[place].reasons.add(reason) }
    }
  }
}
