import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// A folder of one test, gone when the test is over.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "palimpsest-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  var names: [String] { (try? Files.names(in: path)) ?? [] }
}

/// Experiment files in which all but the entry under test is as short as it may be.
enum Fixture {
  /// - Parameter entries: more entries, each on a line of its own from line 4 on.
  static func text(
    scenarios: String = #""a": { "name": "habit-phases" }"#, strategies: String = #""naive": []"#, _ entries: String...
  ) -> String {
    let more = entries.map { "\n  " + $0 + "," }.joined()
    return """
      {
        "scenarios": { \(scenarios) },
        "strategies": { \(strategies) },\(more)
        "name": "x"
      }
      """
  }

  /// Every problem of a file, one a line; empty where there is none.
  static func problems(_ text: String, catalog: Catalog = .standard) -> String {
    do {
      _ = try Experiment.read(text, file: "x.json", catalog: catalog)
      return ""
    } catch {
      return error.description
    }
  }

  static func experiment(_ text: String, catalog: Catalog = .standard) throws -> Experiment {
    try Experiment.read(text, file: "x.json", catalog: catalog)
  }

  /// The five phases with few rows: 80 training rows and 120 test rows a task, no calibration.
  static let smallHabit = """
    "name": "habit-phases", "users": 4, "days": 20, "burnIn": 10, "testUsers": 6, "calibration": "table",
    "jointCeiling": "none"
    """

  /// An experiment over the small phases.
  static func small(
    strategies: String, training: String = #""epochs": 2, "batch": 16"#, _ entries: String...,
    catalog: Catalog = .standard
  ) throws -> Experiment {
    let more = entries.map { $0 + ",\n" }.joined()
    let text = """
      { \(more) "scenarios": { "small": { \(smallHabit) } }, "model": { "hidden": [8] },
        "training": { \(training) }, "strategies": { \(strategies) }, "name": "small" }
      """
    return try experiment(text, catalog: catalog)
  }
}

extension Plan {
  /// The configurations with a label, resolved.
  func configuration(_ strategy: String) -> ResolvedConfiguration? {
    configurations.first { $0.resolved.strategyLabel == strategy }?.resolved
  }
}
