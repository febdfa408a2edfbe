import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

@Suite struct EstimateTests {
  @Test func `finished runs give their own times to the estimate, others are probed`() throws {
    let experiment = try Fixture.small(strategies: #""naive": [], "ewc": [{ "name": "ewc" }]"#, #""seeds": 4"#)
    let first = try #require(Plan(experiment).runs.first).id
    let summary = try PlanSummary(experiment, finished: [first: 2])
    let estimate = try Estimate(summary, experiment.catalog, library: EmptyLibrary(), jobs: 2, budget: 0.05)
    #expect(estimate.pairs.map(\.basis) == [.finished(1), .probe(1)])
    #expect(estimate.pairs.map(\.runsLeft) == [3, 4])
    #expect(estimate.pairs[0].secondsPerRun > 2 && estimate.pairs[0].secondsPerRun < 2.5)
    #expect(estimate.pairs[1].secondsPerRun > 0)
    #expect(estimate.seconds > 3 && estimate.seconds < 6)
  }

  /// The finished runs took no time, so what is left is the data: made once for eight runs, or for one.
  @Test func `data that runs share count once in the estimate`() throws {
    func seconds(_ entries: String) throws -> Double {
      let experiment = try Fixture.small(strategies: #""naive": []"#, #""seeds": 2"#, entries)
      let first = try #require(Plan(experiment).runs.first).id
      return try Estimate(
        PlanSummary(experiment, finished: [first: 0]), experiment.catalog, library: EmptyLibrary(), jobs: 1
      ).pairs[0].secondsPerRun
    }
    _ = try seconds(#""evaluation": {}"#)
    let shared = try seconds(
      #""sweep": { "grid": { "training.optimizer.rate": [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008] } }"#)
    let alone = try seconds(#""evaluation": {}"#)
    #expect(shared > 0 && shared < alone / 3)
  }

  /// Two tasks of 80 rows, five steps each, all of which a second leaves time for.
  @Test func `a probe takes the steps of the run itself, each at its place`() throws {
    func experiment(_ log: String) throws -> Experiment {
      try Fixture.small(
        strategies: "\"s\": [{ \"name\": \"spy\", \"of\": \"ewc\", \"log\": \"\(log)\" }]",
        training: #""epochs": 1, "batch": 16, "tasks": 2"#, #""seeds": [0]"#, #""evaluation": { "everySteps": 2 }"#,
        catalog: .standard.adding(Spy.self))
    }
    let probed = try experiment("probed by an estimate")
    _ = try Estimate(
      PlanSummary(probed, finished: [:]), probed.catalog, library: EmptyLibrary(), jobs: 1, budget: 60)
    let resolved = try Plan(experiment("run beside the estimate")).configurations[0].resolved
    var run = try Run(resolved, resolved.scenario.prepare(from: EmptyLibrary()), seed: 0)
    _ = run.execute()
    let (tried, known) = (SpyLog.named("probed by an estimate"), SpyLog.named("run beside the estimate"))
    #expect(tried.training == known.training && tried.training.count == 2 * (1 + 5 + 1))
    #expect(tried.places == known.places)
    #expect(tried.places.last?.inRun == StepPlace(step: 9, steps: 10))
  }

  /// Three of the four settings are probed. Without a folder all four are calibrated again when runs begin.
  @Test func `scenarios that are yet to be prepared are in the estimate, those a file keeps are not`() throws {
    let experiment = try Fixture.small(
      strategies: #""naive": []"#, #""seeds": 1"#,
      #""sweep": { "set": { "scenarios.small.calibration": "bisection" }, "#
        + #""grid": { "scenarios.small.bayesAccuracy": [0.8, 0.82, 0.84, 0.86] } }"#)
    let summary = try PlanSummary(experiment)
    #expect(summary.pairs.map(\.scenarios.count) == [4])
    func seconds(_ cache: CalibrationCache) throws -> Double {
      try Estimate(
        summary, experiment.catalog, library: EmptyLibrary(), jobs: 1, budget: 0.05, calibrations: cache
      ).preparationSeconds
    }
    let folder = try TemporaryFolder()
    let kept = try seconds(CalibrationCache(folder: folder.path, program: "1"))
    let again = try seconds(CalibrationCache())
    // The same work four times and once, on a machine that may be busy.
    #expect(kept > 0 && again > 1.5 * kept)
  }
}
