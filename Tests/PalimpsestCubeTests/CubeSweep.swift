import Foundation
import HDF5
import PalimpsestCore
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns

/// A sweep made by hand, in a folder of its own that goes with it.
final class CubeSweep {
  let folder: ResultsFolder
  private let place: String

  /// - Parameters:
  ///   - strategies: label and parts, as JSON.
  ///   - seeds: of every strategy.
  ///   - columns: hyper-parameters beside the value each strategy has, as JSON.
  init(
    strategies: [(label: String, parts: String)] = [("naive", "[]")], seeds: [Int] = [7],
    columns: [(column: String, values: [String: String])] = [], question: String = "Réplay?"
  ) throws {
    place = FileManager.default.temporaryDirectory.path + "/palimpsest-\(UUID().uuidString)"
    folder = ResultsFolder(place + "/sweep")
    let configurations = strategies.map { strategy in
      let ids = seeds.map { "\"\(CubeSweep.id(strategy.label, $0))\"" }.joined(separator: ",")
      let values = columns.compactMap { column in
        column.values[strategy.label].map { "\"\(CubeSweep.name(column.column))\": \($0)" }
      }
      return """
        {"scenario": "hidden", "strategy": "\(strategy.label)", "values": {\(values.joined(separator: ","))},
         "configuration": {
           "scenario": {"name": "habit-phases"}, "model": {"hidden": [16, 8]}, "training": {"epochs": 2},
           "strategy": \(strategy.parts), "evaluation": {}, "numerics": 1}, "runs": [\(ids)]}
        """
    }
    let plan = """
      {"format": 1, "name": "sweep", "question": "\(question)", "seeds": \(seeds),
       "columns": [\(columns.map(\.column).joined(separator: ","))],
       "configurations": [\(configurations.joined(separator: ","))], "experiment": "{ \\"name\\": \\"sweep\\" } // é"}
      """
    try Files.makeFolder(folder.journalFolder)
    try Files.replace(folder.planFile, with: plan)
  }

  deinit { try? FileManager.default.removeItem(atPath: place) }

  static func id(_ strategy: String, _ seed: Int) -> String { "id-\(strategy)-\(seed)" }

  private static func name(_ column: String) -> String {
    let json = JSONReader.read(column, file: "column").root
    return json?["name"]?.string ?? ""
  }

  /// Writes runs to one journal file.
  func journal(_ runs: [(strategy: String, seed: Int, record: RunRecord)], host: String = "ada") throws {
    let writer = try JournalWriter(folder: folder.journalFolder, host: host)
    for run in runs {
      try writer.append(
        JournalEntry(
          runID: CubeSweep.id(run.strategy, run.seed), record: run.record, started: 1_700_000_000.5, host: "ada",
          worker: "ada-1-0", instructionSet: "avx2", toolkitVersion: "0.1.0", gitCommit: "abc"))
    }
  }

  /// The cube's image, always with the same history and origin.
  func image() throws -> [UInt8] {
    try Cube.image(of: Results(folder), history: ["2026-01-01T00:00:00Z collect"], origin: .ada).bytes
  }

  /// The cube, opened.
  func cube() throws -> HDF5Group { try HDF5File.open(bytes: image()).root }
}

extension CubeOrigin {
  static let ada = CubeOrigin(
    program: "Palimpsest 0.1.0", cpu: "difference engine", cores: 2, os: "brass", swift: "6.3", command: "collect a")
}

// MARK: - Records

extension RunRecord {
  /// A completed run; log-loss is the accuracy's complement.
  static func completed(_ accuracy: [[Double]], before: Double = 0.5) -> RunRecord {
    var record = RunRecord(status: .completed, tasks: accuracy.indices.map { "task \($0)" })
    record.accuracy = AccuracyMatrix(accuracy)
    record.logLoss = AccuracyMatrix(accuracy.map { row in row.map { 1 - $0 } })
    record.accuracyBefore = accuracy.map { _ in before }
    record.cost.timeTotal = 3
    record.cost.timeTrain = 2
    record.cost.timeEvaluate = 1
    record.cost.timeTask = accuracy.indices.map { Double($0) + 0.25 }
    record.cost.steps = 30
    record.cost.examples = 960
    record.cost.learner.multiplyAdds = 1 << 40
    record.cost.learner.bytesModel = 400
    record.cost.learner.bytesOptimizer = 800
    record.cost.learner.bytesImportance = 401
    record.cost.learner.bytesMemory = 402
    return record
  }

  static func ended(_ status: Status, _ error: String) -> RunRecord {
    var record = RunRecord(status: status, tasks: [])
    record.error = error
    return record
  }

  /// The same with noise-free accuracies 0.01 below, the truth of the scenario, and one evaluation within each task.
  var withTruth: RunRecord {
    var copy = self
    func lower(_ row: [Double]) -> [Double] { row.map { $0 - 0.01 } }
    copy.expectedAccuracy = AccuracyMatrix(accuracy.rows.map(lower))
    copy.expectedAccuracyBefore = lower(accuracyBefore)
    copy.curve = accuracy.rows.enumerated().map { task, row in
      CurvePoint(task: task, examples: 160 + 320 * task, accuracy: row, expectedAccuracy: lower(row))
    }
    let square = tasks.indices.map { j in tasks.indices.map { k in Double(10 * j + k) / 100 } }
    copy.truth = ScenarioTruth(
      bayesAccuracy: tasks.map { _ in 0.95 }, crossAccuracy: square, totalVariation: square, hellinger: square,
      jointCeiling: 0.85)
    return copy
  }
}

/// R of three tasks: average 0.6, forgetting ((0.9 − 0.5) + (0.8 − 0.6))/2 = 0.3.
let threeTasks = [[0.9, 0.5, 0.4], [0.6, 0.8, 0.5], [0.5, 0.6, 0.7]]

// MARK: - Reading

extension HDF5Group {
  func doubles(_ name: String) throws -> [Double] { try dataset(name).read(as: Double.self) }
  func floats(_ name: String) throws -> [Float] { try dataset(name).read(as: Float.self) }
  func integers(_ name: String) throws -> [Int64] { try dataset(name).read(as: Int64.self) }
  func strings(_ name: String) throws -> [String] { try dataset(name).strings() }
}
