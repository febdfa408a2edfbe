import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestPersonal
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// A staged rollout over the people of a run.
@Suite struct RolloutRunTests {
  private func stages(_ shares: [Double], of people: Int, _ difference: Double) -> [PersonalRecord.Stage] {
    var rollout = Rollout()
    rollout.stages = shares
    return TriedPeople(rollout, of: people).stages([Double](repeating: difference, count: people))
  }

  /// Everybody is better off by 1: the first bet is 0, each other one .5/1.005 on 1.005, so that 1.5ⁿ ≥ 20 wants n = 8, nine people a
  /// stage.
  @Test func `who is better off passes stage after stage`() {
    let stages = stages([0.1, 1], of: 100, -1)
    #expect(stages.map(\.users) == [9, 9] && stages.map(\.verdict) == [.advance, .complete])
    #expect(abs(stages[0].wealth - 25.6289) < 0.01)
  }

  @Test func `a stage whose people do not suffice ends the rollout`() {
    let stages = stages([0.05, 1], of: 100, -1)
    #expect(stages.map(\.users) == [5, 0] && stages.map(\.verdict) == [.wait, .pending] && stages[1].wealth.isNaN)
  }

  /// Of harm .5/1.005 on .995 each, by 1.49502ⁿ ≥ 40: n = 10, eleven people.
  @Test func `harm takes it back`() {
    let stages = stages([0.2, 1], of: 100, 1)
    #expect(stages.map(\.users) == [11, 0] && stages.map(\.verdict) == [.back, .pending])
  }

  private func record(_ rollout: String, policy: String, users: Int = 6, seed: Int = 3) throws -> RunRecord {
    let text = """
      { "name": "x", "model": { "hidden": [8] }, "training": { "epochs": 3 },
        "scenarios": { "a": { "name": "habit-personal", "population": 12, "populationDays": 20, "users": \(users),
          "days": 24, "burnIn": 8, "testReplicates": 4, "testDays": 10 } },
        "strategies": { "s": [] }, "personal": { "rollout": \(rollout) }, "policies": { "p": \(policy) },
        "safeguards": { "g": { "name": "none" } } }
      """
    let configuration = try #require(Plan(Fixture.experiment(text)).configurations.first).resolved
    var run = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: seed)
    return run.execute()
  }

  /// Who never updates differs by exactly 0 from the population model: each bet but the first is .5/1.005 on a margin of .005.
  @Test func `a run tries its people in their order`() throws {
    let record = try record(#"{ "stages": [0.5, 1] }"#, policy: #"{ "name": "never" }"#)
    #expect(record["stage_users"]?.numbers == [3, 0])
    let wealth = try #require(record["stage_wealth"]?.numbers)
    let factor = 1 + 0.5 / 1.005 * 0.005
    #expect(abs(wealth[0] - factor * factor) < 1e-12 && wealth[1].isNaN)
    #expect(record["stage_verdict"]?.integers == [0, -1] && record.ticks["stage"] == .labels(["0.5", "1.0"]))
  }

  @Test func `what is tried are the answers she got in the window, by her labels`() throws {
    let policy = #"{ "name": "interval", "days": 3 }"#
    let all = try record(#"{ "stages": [1], "days": 24 }"#, policy: policy)
    let late = try record(#"{ "stages": [1], "days": 4, "after": 20 }"#, policy: policy)
    let none = try record(#"{ "stages": [1], "days": 4, "after": 24 }"#, policy: policy)
    #expect(all["stage_wealth"]?.numbers != late["stage_wealth"]?.numbers)
    // Nobody has a row behind her last day: that speaks for nobody, and a bet is lost by it, not won.
    #expect(try #require(none["stage_wealth"]?.numbers.first) <= 1)
    #expect(all["user_gain"]?.numbers == late["user_gain"]?.numbers)
  }

  @Test func `stages ascend`() {
    let problems = Fixture.problems(
      """
      { "name": "x", "scenarios": { "a": { "name": "habit-personal" } }, "strategies": { "s": [] },
        "personal": { "rollout": { "stages": [0.5, 0.1] } } }
      """)
    #expect(
      problems.contains("personal.rollout.stages: 0.1 does not lie above 0.5 before it."), "\(problems)")
  }

  @Test func `without stages nothing is observed and nothing is another run`() throws {
    let record = try record("{}", policy: #"{ "name": "never" }"#)
    #expect(record["stage_users"] == nil && record.ticks["stage"] == nil)
  }
}
