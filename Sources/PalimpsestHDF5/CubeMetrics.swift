import PalimpsestExperiments
import PalimpsestMetrics

/// One column a metric and kind of accuracy, NaN where it is undefined, and why.
extension CubeWriter {
  func writeMetrics() throws(HDF5Error) {
    let contexts = ReferenceRuns(results).contexts
    for kind in AccuracyKind.allCases where kind == .sampled || knowsExpected {
      var columns = MetricColumns(standardMetrics, kind)
      for (row, context) in zip(rows, contexts) { columns.add(row.entry.record, context) }
      for column in columns.columns { try write(column, kind) }
    }
  }

  private func write(_ column: MetricColumns.Column, _ kind: AccuracyKind) throws(HDF5Error) {
    let metric = column.metric
    let longName = metric.longName + (kind == .expected ? ", noise-free" : "")
    let dataset = try self.column(metric.column(kind), longName, units: metric.unit, fill: .nan, column.values)
    try dataset.attributes.set("definition", metric.definition)
    try dataset.attributes.set("source", metric.source)
    if let text = column.reasons.text { try dataset.attributes.set("undefined_because", clean(text)) }
  }
}

/// The metrics of one kind of accuracy, filled run by run: a record is copied once for all metrics, not once for each.
struct MetricColumns {
  struct Column {
    let metric: Metric
    var values: [Double] = []
    var reasons = Reasons()
  }

  private(set) var columns: [Column]
  private let kind: AccuracyKind

  init(_ metrics: [Metric], _ kind: AccuracyKind) {
    columns = metrics.map { Column(metric: $0) }
    self.kind = kind
  }

  mutating func add(_ record: RunRecord, _ context: MetricContext) {
    for i in columns.indices {
      let value = columns[i].metric.value(of: record, kind: kind, context: context)
      columns[i].values.append(value.number)
      if let reason = value.reason { columns[i].reasons.add(reason) }
    }
  }
}

/// Distinct reasons in the order in which they came up.
struct Reasons {
  /// More than that are only counted: each failed run may have a message of its own.
  private static let shown = 8
  private var known: Set<String> = []
  private var first: [String] = []

  mutating func add(_ reason: String) {
    guard known.insert(reason).inserted, first.count < Reasons.shown else { return }
    first.append(reason)
  }

  /// Nil where there are none.
  var text: String? {
    if first.isEmpty { return nil }
    let more = known.count - first.count
    return (first + (more > 0 ? ["and \(more) more reasons"] : [])).joined(separator: "; ")
  }
}
