import Foundation
import PalimpsestCube
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Cubes of runs as they are, of each kind there is.
@Suite struct RunKindTests {
  private static let habit =
    #""name": "habit-phases", "users": 4, "burnIn": 8, "testUsers": 4, "calibration": "table", "jointCeiling": "none""#
  private static let strategies =
    #""naive": [], "ewc": [{ "name": "ewc" }], "replay": [{ "name": "reservoir", "capacity": 20 }]"#

  /// What a file says beside name, model and seeds, kind by kind. Lives and streams have different lengths, so that columns are padded.
  static let kinds: [String] = [
    """
    "scenarios": { "a": { \(habit), "days": 16 }, "b": { \(habit), "days": 16, "phases": [0, 1, 2] } }, "strategies": { \(strategies) },
    "training": { "epochs": 2 },
    "evaluation": { "everySteps": 4, "probes": ["calibration", "flips", "units", "similarity"] }
    """,
    """
    "scenarios": { "a": { \(habit), "days": 16 }, "b": { \(habit), "days": 20 } },
    "strategies": {
      "naive": [], "replay": [{ "name": "reservoir", "capacity": 20 }], "ewc": [{ "name": "ewc" }, { "name": "page-hinkley" }] },
    "stream": { "block": 4, "boundaries": "detected", "window": 20 }
    """,
    """
    "scenarios": {
      "a": { "name": "habit-personal", "population": 6, "populationDays": 10, "users": 5, "days": 14, "burnIn": 8,
        "testReplicates": 2, "testDays": 6 },
      "b": { "name": "habit-personal", "population": 6, "populationDays": 10, "users": 3, "days": 21, "burnIn": 8,
        "testReplicates": 2, "testDays": 6, "lifeEvent": { "share": 1, "day": 10 } } },
    "training": { "epochs": 2 }, "strategies": { "plain": [], "ewc": [{ "name": "ewc" }] }, "personal": { "curve": [3, 8] },
    "policies": { "weekly": { "name": "interval", "days": 7 }, "never": { "name": "never" } }
    """,
  ]

  @Test(arguments: kinds)
  func `a cube has the same bytes however many runs are read at a time`(kind: String) async throws {
    let text = #"{ "name": "x", "model": { "hidden": [6] }, "seeds": 2, \#(kind) }"#
    let plan = try Plan(Fixture.experiment(text))
    let temporary = try TemporaryFolder()
    let folder = ResultsFolder(temporary("runs"))
    let runner = Runner(plan, output: folder, library: EmptyLibrary(), jobs: 2)
    #expect(try await runner.run { _ in }.completed == plan.runs.count)
    let images = try [1, 2, 5, 100].map { block in
      try Cube.image(
        of: CubePack(FinishedRuns(folder), standardMetrics, block: block), history: [], origin: .ada
      ).bytes
    }
    #expect(Set(images).count == 1)
  }
}
