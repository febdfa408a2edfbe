import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// What is judged once the scenarios are ready, before any run.
@Suite struct PreparationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func plan(_ strategies: String) throws -> Plan {
    try Plan(Fixture.small(strategies: strategies, #""seeds": 2"#))
  }

  private func run(_ plan: Plan) async throws {
    let runner = Runner(plan, output: ResultsFolder(folder("r")), library: EmptyLibrary(), jobs: 1)
    _ = try await runner.run { _ in }
  }

  @Test func `a memory that holds no row is refused, wherever in the plan it stands`() async throws {
    let plan = try plan(#""naive": [], "r": [{ "name": "reservoir", "capacity": 40, "unit": "bytes" }]"#)
    let error = await #expect(throws: PreparationError.self) { try await run(plan) }
    #expect(error?.kind == .settings)
    #expect(
      error?.description == """
        strategies.r, in scenario "\(plan.configurations[0].scenarioLabel)": "reservoir": capacity: 40 bytes hold no row. \
        A row of 10 columns takes 48 bytes; give at least 48, or set "unit" to "rows".
        """)
  }

  @Test func `a memory whose rows fit without their stored answers alone is refused`() async throws {
    let part = #"{ "name": "reservoir", "capacity": 50, "unit": "bytes" }"#
    _ = try await run(plan(#""plain": [\#(part)]"#))
    let error = await #expect(throws: PreparationError.self) {
      try await run(plan(#""dark": [{ "name": "dark-replay" }, \#(part)]"#))
    }
    let told = "A row of 10 columns with 1 stored answer takes 52 bytes; give at least 52"
    #expect(error?.description.contains(told) == true)
  }

  @Test func `a part that does not suit a scenario's outputs is refused before any run, with both names`() async throws
  {
    let plan = try plan(#""naive": [], "e": [{ "name": "er-ace" }, { "name": "reservoir" }]"#)
    let error = await #expect(throws: PreparationError.self) { try await run(plan) }
    #expect(error?.kind == .settings)
    #expect(
      error?.description == """
        strategies.e, in scenario "\(plan.configurations[0].scenarioLabel)": "er-ace": it masks classes, and there is one \
        output; leave it out.
        """)
  }

  @Test func `a scenario that cannot be prepared is named`() async throws {
    let text = #"""
      { "name": "x", "strategies": { "naive": [] },
        "scenarios": { "a": { "name": "habit-phases", "driftTV": 0.95, "calibrationUsers": 50 } } }
      """#
    let error = await #expect(throws: PreparationError.self) {
      try await run(Plan(Fixture.experiment(text)))
    }
    let reason = "scenarios.a.driftTV: 0.95 is out of reach: the phases' laws lie at most 0."
    #expect(error?.description.hasPrefix(reason) == true)
    let missing = #"{ "name": "x", "strategies": { "n": [] }, "scenarios": { "a": { "name": "split" } } }"#
    let absent = await #expect(throws: PreparationError.self) {
      try await run(Plan(Fixture.experiment(missing)))
    }
    #expect(absent?.kind == .missing)
    #expect(absent?.description == #"scenarios.a: data set "mnist": there is no library of data sets here"#)
  }
}
