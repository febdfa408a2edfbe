import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Blocks of moments.
@Suite struct StreamBlockTests {
  private func record(_ stream: String, users: Int = 6) throws -> RunRecord {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "habit-recurring", "users": \(users), "burnIn": 5, "visits": 4,
        "visitDays": 7, "testUsers": 2, "testDays": 7, "calibrationUsers": 100 } },
        "stream": { \(stream) }, "strategies": { "s": [{ "name": "reservoir", "capacity": 20 }] } }
      """
    let configuration = try Plan(Fixture.experiment(text)).configurations[0].resolved
    let prepared = try configuration.scenario.prepare(from: EmptyLibrary())
    var run = try Run(configuration, data: Run.data(of: prepared, seed: 1), seed: 1)
    return run.execute()
  }

  /// Six people, a row each on each of 28 days.
  @Test func `the rows of one day are a moment`() throws {
    let days = try record(#""blockOf": "times", "window": 6"#)
    #expect(days.cost.steps == 28 && days.cost.examples == 28 * 6)
    #expect(days.hasSameResults(as: try record(#""block": 6, "window": 6"#)))
    #expect(try record(#""blockOf": "times", "block": 5, "boundaries": "given""#).cost.steps == 8)
  }

  @Test func `rows without times have no moments`() throws {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "sea", "rowsPerTask": 50, "testRows": 10 } },
        "stream": { "blockOf": "times" }, "strategies": { "s": [] } }
      """
    let configuration = try Plan(Fixture.experiment(text)).configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 1)
    let error = #expect(throws: CompositionError.self) { try Run(configuration, data: data, seed: 1) }
    #expect(error.map { "\($0)".contains("stream.blockOf: the rows of this stream have no times") } == true)
  }
}
