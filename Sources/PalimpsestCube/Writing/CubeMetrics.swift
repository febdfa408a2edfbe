import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// One column a metric and kind of accuracy, NaN where it is undefined, and why.
extension CubeWriter {
  func writeMetrics() throws(HDF5Error) {
    for metrics in pack.metrics {
      for column in metrics.columns { try write(column, metrics.kind, pack.references) }
    }
    try writeReferences(pack.references)
  }

  /// Which run each was compared with, where any was.
  private func writeReferences(_ references: ReferenceRuns) throws(HDF5Error) {
    for (need, name) in Requirement.references {
      guard pack.compared.contains(name) else { continue }
      try column(
        name, "Run that the metrics with reference_run = \(name) compare with",
        runs.map { references.runID(need, of: $0) ?? "" })
    }
  }

  /// - Parameter references: the runs that metrics compare with.
  private func write(
    _ column: PackedMetrics.Column, _ kind: AccuracyKind, _ references: ReferenceRuns
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
      || pack.measures.contains { $0.measure.name.text == name } || survey.axes.contains { $0.name == name }
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
