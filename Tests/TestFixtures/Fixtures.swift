import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// Experiment files in which all but the entry under test is as short as it may be.
package enum Fixture {
  /// - Parameter entries: more entries, each on a line of its own from line 4 on.
  package static func text(
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
  package static func problems(_ text: String, catalog: Catalog = .standard) -> String {
    do {
      _ = try Experiment.read(text, file: "x.json", catalog: catalog)
      return ""
    } catch {
      return error.description
    }
  }

  package static func experiment(_ text: String, catalog: Catalog = .standard) throws -> Experiment {
    try Experiment.read(text, file: "x.json", catalog: catalog)
  }

  /// The five phases with few rows: 80 training rows and 120 test rows a task, no calibration.
  package static let smallHabit = """
    "name": "habit-phases", "users": 4, "days": 20, "burnIn": 10, "testUsers": 6, "calibration": "table",
    "jointCeiling": "none"
    """

  /// An experiment over the small phases.
  package static func small(
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
  package func configuration(_ strategy: String) -> ResolvedConfiguration? {
    configurations.first { $0.resolved.strategyLabel == strategy }?.resolved
  }
}

/// A method of the user's own, of which the toolkit ships none.
package struct Alone: WholeLearner {
  package static let name = "alone"
  package static let summary = "Stands alone."
  package static let source = "For tests."

  package init() {}

  package func makeLearner(_ setup: LearnerSetup) -> any Learner { StubLearner() }
}
