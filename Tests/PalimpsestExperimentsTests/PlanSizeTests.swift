import PalimpsestExperiments
import Testing

/// Large plans.
@Suite struct PlanSizeTests {
  @Test(.timeLimit(.minutes(1)))
  func `ten thousand configurations of a hundred seeds are counted without being kept`() throws {
    let sweep = """
      { "random": { "samples": 10000, "space": { "strategies.ewc.ewc.strength": { "log-uniform": [0.1, 1000] } } } }
      """
    let experiment = try Fixture.experiment(SweepAlgebraTests.text(sweep)).overridden(by: Overrides(seeds: "100"))
    let summary = try PlanSummary(experiment)
    #expect(summary.pairs.map(\.configurations) == [1, 10_000, 1, 1])
    #expect(summary.runs == 1_000_300)
    #expect(experiment.runCount == 1_000_300)
  }
}
