import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios

/// One short run, its checkpoints and its model. A fuzzer changes what stands before the checksum, and the file is signed
/// anew, else hardly any would pass.
final class SmallRun {
  private let fresh: Run
  private let folder: String

  /// Five tasks of 80 rows; a penalty, a memory and an isolation, so that each kind of state is there.
  private static let experiment = """
    { "name": "small", "seeds": 1, "model": { "hidden": [4] }, "training": { "epochs": 1, "batch": 40 },
      "scenarios": { "s": { "name": "habit-phases", "users": 4, "days": 20, "burnIn": 10, "testUsers": 6,
        "calibration": "table", "jointCeiling": "none" } },
      "strategies": { "s": [{ "name": "ewc" }, { "name": "reservoir", "capacity": 6 }, { "name": "low-rank", "rank": 1 }] } }
    """

  init() throws {
    let plan = try Plan(Experiment.read(SmallRun.experiment, file: "small.json"))
    let configuration = plan.configurations[0].resolved
    fresh = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: 1)
    folder = NSTemporaryDirectory() + "/palimpsest-fuzz-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Without the checksum.
  private func unsigned(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropLast(32)) }

  // MARK: - Checkpoints

  func checkpoints() throws -> [[UInt8]] {
    var run = fresh
    var saved: [[UInt8]] = []
    run.saving(each: 7, into: &saved)
    return ([try fresh.checkpoint("id")] + saved.prefix(1)).map(unsigned)
  }

  /// A checkpoint that is taken can be saved and taken again, and both runs end alike.
  func tryCheckpoint(_ bytes: [UInt8]) throws -> Bool {
    guard bytes.count >= 20 else { return try restored(bytes) != nil }
    guard var run = try restored(StateFiles.signed(bytes)) else { return false }
    guard var again = try restored(run.checkpoint("id")) else {
      throw FuzzFault("a checkpoint that was saved cannot be read")
    }
    try expect(run.execute().hasSameResults(as: again.execute()), "saved and restored it ends otherwise")
    return true
  }

  private func restored(_ bytes: [UInt8]) throws -> Run? {
    var run = fresh
    do {
      try run.restore(bytes, "id")
      return run
    } catch is StateFileError { return nil }
  }

  // MARK: - Models

  func models() throws -> [[UInt8]] {
    var run = fresh
    _ = run.execute()
    return [unsigned(try run.model("id"))]
  }

  /// A model that is taken answers for any row.
  func tryModel(_ bytes: [UInt8]) throws -> Bool {
    let path = folder + "/a.model"
    let signed = bytes.count < 20 ? bytes : StateFiles.signed(bytes)
    try Data(signed).write(to: URL(fileURLWithPath: path))
    let model: SavedModel
    do { model = try SavedModel(path: path, catalog: .standard) } catch is StateFileError { return false }
    let rows = Matrix(rows: 2, columns: model.about.columns)
    for task in [nil, 0, model.about.tasks.count - 1] {
      try expect(model.predictions(rows, task: task).count == 2, "not one answer a row")
    }
    return true
  }
}
