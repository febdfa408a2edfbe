import HDF5
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// The results of a sweep as one HDF5 file that is also valid netCDF-4: a leading dimension `run`, hyper-parameters and
/// metrics as columns along it, matrices as `accuracy(run, after_task, task)`.
///
/// The names are a contract (schema `results/1`): scripts depend on them. Runs with fewer tasks or evaluations than the
/// longest are padded with NaN; `tasks(run)` says how many are real. What no run knows is left out: the `expected_`
/// twins and the truth of the scenario without p*, the curves without evaluations within tasks.
public enum Cube {
  /// The value of the root attribute `palimpsest_schema`.
  public static let schema = "results/1"

  /// The file, with its checksum behind the end that HDF5 knows. Equal arguments give equal bytes.
  ///
  /// - Parameters:
  ///   - metrics: of accuracies, two columns each where p* is known: those of the catalogue.
  ///   - history: one line a collect, in UTC, oldest first.
  ///   - origin: the program and machine that make the cube.
  /// - Memory: the image and one column or array at a time.
  public static func image(
    of results: Results, metrics: [Metric] = standardMetrics, history: [String], origin: CubeOrigin
  ) throws -> SealedImage {
    try image(of: CubePack(FinishedRuns(results), metrics), history: history, origin: origin)
  }

  /// The same of runs that were packed before. What was packed is gone then.
  package static func image(of pack: CubePack, history: [String], origin: CubeOrigin) throws(HDF5Error) -> SealedImage {
    let file = try HDF5File.create(named: "cube")
    let writer = try CubeWriter(file.root, pack)
    try writer.writeRootAttributes(history: history, origin: origin)
    try writer.writeIdentity()
    try writer.writeHyperparameters()
    try writer.writeOutcome()
    try writer.writeMetrics()
    try writer.writeMeasures(.outcome, .truth)
    try writer.writeStart()
    try writer.writeMeasures(.cost)
    try writer.writeMachines()
    try writer.writeLabels()
    try writer.writeConfigurations()
    try writer.writeSelection()
    try writer.writeProvenance(origin)
    return try SealedImage(of: file)
  }
}

extension CubeWriter {
  fileprivate func writeRootAttributes(history: [String], origin: CubeOrigin) throws(HDF5Error) {
    let plan = plan
    let completed = pack.runs.completed
    let planned = pack.planned
    let root = self.root.attributes
    try root.set("Conventions", "CF-1.10")
    try root.set("title", clean(plan.name))
    try root.set("question", clean(plan.question))
    try root.set("source", clean(origin.program))
    try root.set("history", clean(history.joined(separator: "\n")))
    try root.set("palimpsest_schema", Cube.schema)
    try root.set("coordinates", coordinates.joined(separator: " "))
    try root.set("runs_planned", Int64(planned))
    try root.set("runs_completed", Int64(completed))
    try root.set("runs_failed", Int64(runs.count - completed))
    try root.set("experiment_id", plan.experimentID)
    try root.set("complete", Int8(runs.count == planned ? 1 : 0))
  }

  /// Columns that say what a run is, rather than what it measured.
  private var coordinates: [String] {
    ["run_id", "config", "scenario", "strategy", "seed"] + hyperparameterNames + ["tasks", "status"]
  }
}

extension Cube {
  /// The first 128 bits of SHA-256 over run ids, in hex.
  static func experimentID(of ids: [String]) -> String {
    String(sha256(Array(ids.joined(separator: "\n").utf8)).prefix(32))
  }
}

extension StoredPlan {
  /// What an experiment is known by: the first 128 bits of SHA-256 over its run ids in plan order, in hex. Labels, name
  /// and question do not count.
  package var experimentID: String {
    Cube.experimentID(of: runs.map(\.id))
  }
}
