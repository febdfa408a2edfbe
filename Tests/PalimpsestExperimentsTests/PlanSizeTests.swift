import PalimpsestCore
import PalimpsestExperiments
import TestFixtures
import Testing

/// Large plans.
@Suite struct PlanSizeTests {
  @Test func `ten thousand configurations of a hundred seeds are counted without being kept`() throws {
    let sweep = """
      { "random": { "samples": 10000, "space": { "strategies.ewc.ewc.strength": { "log-uniform": [0.1, 1000] } } } }
      """
    let experiment = try Fixture.experiment(SweepAlgebraTests.text(sweep)).overridden(by: Overrides(seeds: "100"))
    let begin = ThreadClock.seconds
    let summary = try PlanSummary(experiment)
    #expect(ThreadClock.seconds - begin < 20, "0.3 s where they are only counted; kept, they take minutes")
    #expect(summary.pairs.map(\.configurations) == [1, 10_000, 1, 1])
    #expect(summary.runs == 1_000_300)
    #expect(experiment.runCount == 1_000_300)
  }
}
