import PalimpsestCore
import PalimpsestExperiments
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

  /// With 100 of them the table has 100 rows; one more, and they are only counted.
  @Test func `configurations without a run are left out of a table where they are many`() throws {
    func lines(_ count: Int) throws -> [Substring] {
      let values = (1...count).map(String.init).joined(separator: ", ")
      let experiment = try Fixture.small(
        strategies: #""e": [{ "name": "ewc" }]"#, #""sweep": { "grid": { "strategies.e.ewc.strength": [\#(values)] } }"#
      )
      let results = try Results(plan: StoredPlan(Plan(experiment)), journal: Journal(entries: []))
      return Report(results).text.split(separator: "\n")
    }
    #expect(try lines(100).count == 2 + 100 + 1)
    let few = try lines(101)
    #expect(few.count == 2 + 2)
    #expect(few.last == "101 configurations without a finished run are not shown.")
  }
}
