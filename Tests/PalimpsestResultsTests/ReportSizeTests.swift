import PalimpsestExperiments
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

/// Reports of large sweeps.
@Suite struct ReportSizeTests {
  /// With 100 of them the table has 100 rows under a folded header; one more, and they are only counted.
  @Test func `configurations without a run are left out of a table where they are many`() throws {
    func lines(_ count: Int) throws -> [Substring] {
      let values = (1...count).map(String.init).joined(separator: ", ")
      let experiment = try Fixture.small(
        strategies: #""e": [{ "name": "ewc" }]"#, #""sweep": { "grid": { "strategies.e.ewc.strength": [\#(values)] } }"#
      )
      let results = try Results(plan: StoredPlan(Plan(experiment)), journal: Journal(entries: []))
      return Report(results).text.split(separator: "\n")
    }
    #expect(try lines(100).count == 3 + 100 + 1)
    let few = try lines(101)
    #expect(few.count == 2 + 2)
    #expect(few.last == "101 configurations without a finished run are not shown.")
  }
}
