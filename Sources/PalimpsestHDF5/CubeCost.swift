import PalimpsestExperiments
import PalimpsestMetrics

/// What each run cost, and where and by which program it was run.
extension CubeWriter {
  func writeCost() throws(HDF5Error) {
    try writeTimes()
    try writeCounts()
    try column("host", "Machine that ran it", rows.map { $0.entry.host })
    try column("worker", "Process and worker that ran it", rows.map { $0.entry.worker })
    try column("instruction_set", "Instructions that the kernels used", rows.map { $0.entry.instructionSet })
    try column("toolkit_version", "Version of the program that ran it", rows.map { $0.entry.toolkitVersion })
    try column("git_commit", "Commit of the working directory it was run in", rows.map { $0.entry.gitCommit })
  }

  private func writeTimes() throws(HDF5Error) {
    let started = try column(
      "started", "When the run began", units: "seconds since 1970-01-01T00:00:00Z", fill: .nan,
      rows.map { $0.entry.started })
    try started.attributes.set("calendar", "proleptic_gregorian")
    try writeTime(
      "time_total", "Wall time of the run, without making its data", rows.map { $0.entry.record.cost.timeTotal })
    try writeTime("time_train", "Wall time of training", rows.map { $0.entry.record.cost.timeTrain })
    try writeTime("time_evaluate", "Wall time of evaluation", rows.map { $0.entry.record.cost.timeEvaluate })
    try array("time_task", "Wall time of training on each task", units: "s", .afterTask) { $0.cost.timeTask }
  }

  private func writeCounts() throws(HDF5Error) {
    try writeCount("steps", "Training steps", rows.map { $0.entry.record.cost.steps })
    try writeCount(
      "examples", "Training rows fed, each pass counted, without replayed ones",
      rows.map { $0.entry.record.cost.examples })
    try writeCount(
      "multiply_adds", "Multiply-adds of the training steps", rows.map { $0.entry.record.cost.learner.multiplyAdds })
    try writeCount(
      "bytes_model", "Memory of the network", units: "byte", rows.map { $0.entry.record.cost.learner.bytesModel })
    try writeCount(
      "bytes_optimizer", "Memory of the optimiser's state", units: "byte",
      rows.map { $0.entry.record.cost.learner.bytesOptimizer })
    try writeCount(
      "bytes_importance", "Memory of importances and anchors", units: "byte",
      rows.map { $0.entry.record.cost.learner.bytesImportance })
    try writeCount(
      "bytes_memory", "Memory of stored rows", units: "byte", rows.map { $0.entry.record.cost.learner.bytesMemory })
  }

  private func writeTime(_ name: String, _ longName: String, _ values: [Double]) throws(HDF5Error) {
    try column(name, longName, units: "s", fill: .nan, values)
  }

  private func writeCount(
    _ name: String, _ longName: String, units: String = "1", _ values: [Int]
  ) throws(HDF5Error) {
    try column(name, longName, units: units, values.map { Int64($0) })
  }
}
