import HDF5
import PalimpsestMetrics

/// What was measured before, between and within tasks.
extension CubeWriter {
  func writeMatrices() throws(HDF5Error) {
    try array("accuracy", "Accuracy on sampled labels after each task") { $0.accuracy }
    if results.knowsExpected {
      try array("expected_accuracy", "Noise-free accuracy after each task") { $0.expectedAccuracy }
    }
    try array("log_loss", "Mean of -ln p(label) after each task") { $0.logLoss }
    try array("accuracy_before", "Accuracy of the untrained network", .task) { $0.accuracyBefore }
    if results.knowsExpected {
      try array("expected_accuracy_before", "Noise-free accuracy of the untrained network", .task) {
        $0.expectedAccuracyBefore
      }
    }
  }

  /// Only where something was evaluated within tasks.
  func writeCurves() throws(HDF5Error) {
    guard axes.has(.evaluation) else { return }
    try array("curve_accuracy", "Accuracy within tasks", .evaluation, .task) { $0.curve.map(\.accuracy) }
    if results.knowsExpected {
      try array("expected_curve_accuracy", "Noise-free accuracy within tasks", .evaluation, .task) {
        $0.curve.map { $0.expectedAccuracy ?? [] }
      }
    }
    try writePoints("curve_examples", "Training rows seen at the evaluation; -1: padding") { Int64($0.examples) }
    try writePoints("curve_task", "Task being learned at the evaluation; -1: padding") { Int32(clamping: $0.task) }
  }

  /// One integer a run and evaluation, −1 where the run has no more.
  private func writePoints<T: HDF5Number & SignedInteger>(
    _ name: String, _ longName: String, _ value: (CurvePoint) -> T
  ) throws(HDF5Error) {
    let width = axes.length(.evaluation)
    var values: [T] = []
    for row in rows {
      let curve = row.entry.record.curve
      values += curve.map(value)
      values += repeatElement(-1, count: width - curve.count)
    }
    let isPadded = rows.contains { $0.entry.record.curve.count < width }
    let dataset = try root.write(
      name, values, shape: [rows.count, width], storage: .runs(of: [rows.count, width]), fill: isPadded ? -1 : nil)
    try dataset.attributes.set("long_name", longName)
    try dataset.attributes.set("units", "1")
    try dataset.attach([axes[.run], axes[.evaluation]])
  }
}
