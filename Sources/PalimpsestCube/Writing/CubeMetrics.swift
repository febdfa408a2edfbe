import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// One column a metric and kind of accuracy, NaN where it is undefined, and why.
extension CubeWriter {
  func writeMetrics(_ metrics: PendingMetrics) throws(HDF5Error) {
    for (kind, parts) in metrics.parts {
      for column in MetricColumns(joining: parts.map(\.value)).columns {
        try write(column, kind, metrics.references)
      }
    }
    try writeReferences(metrics.references)
  }

  /// Which run each was compared with, where any was.
  private func writeReferences(_ references: ReferenceRuns) throws(HDF5Error) {
    for (need, name) in Requirement.references {
      let ids = rows.map { references.runID(need, of: $0) ?? "" }
      if ids.contains(where: { !$0.isEmpty }) {
        try column(name, "Run that the metrics with reference_run = \(name) compare with", ids)
      }
    }
  }

  /// - Parameter references: the runs that metrics compare with.
  private func write(
    _ column: MetricColumns.Column, _ kind: AccuracyKind, _ references: ReferenceRuns
  ) throws(HDF5Error) {
    let metric = column.metric
    let longName = metric.longName + (kind == .expected ? ", noise-free" : "")
    let dataset = try self.column(
      name(of: metric, kind), clean(longName), units: metric.unit, fill: .nan, column.values)
    try dataset.attributes.set("definition", clean(metric.definition))
    try dataset.attributes.set("source", clean(metric.source))
    let strategies = references.labels(metric)
    if !strategies.isEmpty { try dataset.attributes.set("reference", clean(strategies.joined(separator: "; "))) }
    if !strategies.isEmpty, let run = metric.referenceColumn { try dataset.attributes.set("reference_run", run) }
    if let text = column.reasons.text { try dataset.attributes.set("undefined_because", clean(text)) }
  }

  /// What a metric's column is called. A name of the schema, of a hyper-parameter or of what runs observed is not free for
  /// somebody's own.
  private func name(of metric: Metric, _ kind: AccuracyKind) -> String {
    let name = metric.column(kind)
    if standardMetrics.contains(where: { $0.name == metric.name }) { return name }
    let isTaken =
      Cube.fixedNames.contains(name) || hyperparameterNames.contains(name)
      || survey.measures.contains { $0.name.text == name } || survey.axes.contains { $0.name == name }
    return isTaken ? Cube.measuredPrefix + name : name
  }
}

extension Requirement {
  /// What needs another run, and the column that names it.
  static let references: [(need: Requirement, column: String)] = [
    (.joint, "joint_run_id"), (.scratch, "scratch_run_id"),
  ]
}

extension Metric {
  /// The column with the run that it compares with.
  fileprivate var referenceColumn: String? {
    Requirement.references.first { needs.contains($0.need) }?.column
  }
}

/// The metrics of all runs, worked out by other threads while libhdf5 writes texts, which it does one after the other.
struct PendingMetrics {
  /// In order: of the kinds that are known, those of some runs each.
  let parts: [(AccuracyKind, [Later<MetricColumns>])]
  let references: ReferenceRuns

  /// Begins at once.
  init(_ metrics: [Metric], _ results: Results) {
    let rows = results.rows
    let references = ReferenceRuns(results)
    self.references = references
    parts = AccuracyKind.allCases.filter { $0 == .sampled || results.knowsExpected }.map { kind in
      let blocks = stride(from: 0, to: max(1, rows.count), by: MetricColumns.block)
      return (
        kind,
        blocks.map { first in
          Later {
            let block = rows[first..<min(first + MetricColumns.block, rows.count)]
            return MetricColumns(metrics, block.map { Accuracies($0.entry.record, kind, references.context(of: $0)) })
          }
        }
      )
    }
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

  /// Of runs in order.
  init(_ metrics: [Metric], _ runs: [Accuracies]) {
    columns = metrics.map { Column(metric: $0) }
    for i in columns.indices {
      let metric = columns[i].metric
      columns[i].values.reserveCapacity(runs.count)
      for run in runs {
        let value = metric.value(in: run)
        columns[i].values.append(value.number)
        if let reason = value.reason { columns[i].reasons.add(reason) }
      }
    }
  }

  /// One behind the other; there is one at least, and all are of the same metrics.
  init(joining parts: [MetricColumns]) {
    columns = parts[0].columns
    for i in columns.indices {
      columns[i].values.reserveCapacity(parts.reduce(0) { $0 + $1.columns[i].values.count })
      for part in parts.dropFirst() {
        columns[i].values += part.columns[i].values
        columns[i].reasons.add(part.columns[i].reasons)
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
