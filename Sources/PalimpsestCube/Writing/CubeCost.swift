import HDF5
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
    try column(
      "toolkit_commit", "Commit that the program that ran it was built from", rows.map { $0.entry.toolkitCommit })
    try column("git_commit", "Commit of the working directory it was run in", rows.map { $0.entry.gitCommit })
  }

  private func writeTimes() throws(HDF5Error) {
    let started = try column(
      "started", "When the run began", units: "seconds since 1970-01-01T00:00:00Z", fill: .nan,
      rows.map { $0.entry.started })
    try started.attributes.set("calendar", "proleptic_gregorian")
    try writeTime(.timeTotal, rows.map { $0.entry.record.cost.timeTotal })
    try writeTime(.timeTrain, rows.map { $0.entry.record.cost.timeTrain })
    try writeTime(.timeEvaluate, rows.map { $0.entry.record.cost.timeEvaluate })
    try array("time_task", "Wall time of training on each task", units: "s", .afterTask) { $0.cost.timeTask }
  }

  private func writeCounts() throws(HDF5Error) {
    try writeCount(.steps, rows.map { $0.entry.record.cost.steps })
    try writeCount(.examples, rows.map { $0.entry.record.cost.examples })
    try writeCount(.multiplyAdds, rows.map { $0.entry.record.cost.learner.multiplyAdds })
    try writeCount(.bytesModel, rows.map { $0.entry.record.cost.learner.bytesModel })
    try writeCount(.bytesOptimizer, rows.map { $0.entry.record.cost.learner.bytesOptimizer })
    try writeCount(.bytesImportance, rows.map { $0.entry.record.cost.learner.bytesImportance })
    try writeCount(.bytesMemory, rows.map { $0.entry.record.cost.learner.bytesMemory })
    try column(
      "cost_revision", "What multiply_adds and bytes count: they compare between runs of one revision", units: "1",
      rows.map { Int32(clamping: $0.entry.record.cost.revision) })
  }

  private func writeTime(_ cost: Metric, _ values: [Double]) throws(HDF5Error) {
    let dataset = try column(cost.name, cost.longName, units: cost.unit, fill: .nan, values)
    try dataset.attributes.set("definition", cost.definition)
  }

  private func writeCount(_ cost: Metric, _ values: [Int]) throws(HDF5Error) {
    let dataset = try column(cost.name, cost.longName, units: cost.unit, values.map { Int64($0) })
    try dataset.attributes.set("definition", cost.definition)
  }
}
