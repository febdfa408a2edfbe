import PalimpsestExperiments
import PalimpsestMetrics

/// One column a metric and kind of accuracy, NaN where it is undefined, and why.
extension CubeWriter {
  func writeMetrics() throws(HDF5Error) {
    let references = ReferenceRuns(results)
    for kind in AccuracyKind.allCases where kind == .sampled || knowsExpected {
      let rows = rows
      let parts = Cores.map(rows.count, atLeast: MetricColumns.block) { range in
        var columns = MetricColumns(standardMetrics, rows: range.count)
        for first in stride(from: range.lowerBound, to: range.upperBound, by: MetricColumns.block) {
          columns.add(
            rows[first..<min(first + MetricColumns.block, range.upperBound)].map {
              Accuracies($0.entry.record, kind, references.context(of: $0))
            })
        }
        return columns
      }
      for column in MetricColumns(joining: parts).columns { try write(column, kind) }
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

/// The metrics of one kind of accuracy, filled some runs at a time: what a record holds is looked up once for all metrics.
struct MetricColumns {
  struct Column {
    let metric: Metric
    var values: [Double] = []
    var reasons = Reasons()
  }

  /// Runs that are looked at together: a metric is fetched once for all of them.
  static let block = 256

  private(set) var columns: [Column]

  init(_ metrics: [Metric], rows: Int) {
    columns = metrics.map { Column(metric: $0) }
    for i in columns.indices { columns[i].values.reserveCapacity(rows) }
  }

  /// One behind the other; there is one at least, and all are of the same metrics.
  init(joining parts: [MetricColumns]) {
    columns = parts[0].columns
    for i in columns.indices {
      for part in parts.dropFirst() {
        columns[i].values += part.columns[i].values
        columns[i].reasons.add(part.columns[i].reasons)
      }
    }
  }

  /// Adds runs in order.
  mutating func add(_ runs: [Accuracies]) {
    for i in columns.indices {
      let metric = columns[i].metric
      for run in runs {
        let value = metric.value(in: run)
        columns[i].values.append(value.number)
        if let reason = value.reason { columns[i].reasons.add(reason) }
      }
    }
  }
}

/// Distinct reasons in the order in which they came up.
struct Reasons {
  /// More than that are only counted: each failed run may have a message of its own.
  private static let shown = 8
  private var known: Set<String> = []
  /// In order.
  private var distinct: [String] = []
  private var latest: String?

  init() {}

  init(_ reasons: [String]) { for reason in reasons { add(reason) } }

  mutating func add(_ reason: String) {
    if reason == latest { return }
    latest = reason
    if known.insert(reason).inserted { distinct.append(reason) }
  }

  mutating func add(_ others: Reasons) { for reason in others.distinct { add(reason) } }

  /// Nil where there are none.
  var text: String? {
    if distinct.isEmpty { return nil }
    let more = distinct.count - Reasons.shown
    return (distinct.prefix(Reasons.shown) + (more > 0 ? ["and \(more) more reasons"] : [])).joined(separator: "; ")
  }
}
