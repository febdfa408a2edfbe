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
    #expect(estimate.pairs[0].secondsPerRun == 2)
    #expect(estimate.pairs[1].secondsPerRun > 0)
    #expect(estimate.seconds > 3 && estimate.seconds < 6)
  }
}
