import PalimpsestExperiments
import PalimpsestMetrics

/// One column a metric and kind of accuracy, NaN where it is undefined, and why.
extension CubeWriter {
  func writeMetrics() throws(HDF5Error) {
    let contexts = ReferenceRuns(results).contexts
    for kind in AccuracyKind.allCases where kind == .sampled || knowsExpected {
      for metric in standardMetrics { try write(metric, kind, contexts) }
    }
  }

  private func write(
    _ metric: Metric, _ kind: AccuracyKind, _ contexts: [MetricContext]
  ) throws(HDF5Error) {
    var reasons = Reasons()
    let values = zip(rows, contexts).map { row, context in
      let value = metric.value(of: row.entry.record, kind: kind, context: context)
      if let reason = value.reason { reasons.add(reason) }
      return value.number
    }
    let longName = metric.longName + (kind == .expected ? ", noise-free" : "")
    let dataset = try column(metric.column(kind), longName, units: metric.unit, fill: .nan, values)
    try dataset.attributes.set("definition", metric.definition)
    try dataset.attributes.set("source", metric.source)
    if let text = reasons.text { try dataset.attributes.set("undefined_because", clean(text)) }
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
