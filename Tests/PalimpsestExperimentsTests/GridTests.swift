import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

@Suite struct GridTests {
  static let strategies = """
    "naive": [], "ewc": [{ "name": "ewc" }], "replay": [{ "name": "reservoir" }],
    "both": [{ "name": "ewc", "strength": 5 }, { "name": "reservoir" }]
    """
  static let scenarios = #""v": { "name": "habit-phases" }, "h": { "name": "habit-phases", "context": "hidden" }"#

  func experiment(_ grid: String, seeds: Int = 1) throws -> Experiment {
    try Fixture.experiment(
      Fixture.text(
        scenarios: GridTests.scenarios, strategies: GridTests.strategies.replacing("\n", with: " "),
        "\"sweep\": { \"grid\": { \(grid) } }", "\"seeds\": \(seeds)"))
  }

  /// How often each strategy stands among the configurations of both scenarios.
  func counts(_ experiment: Experiment) -> [String: Int] {
    Dictionary(grouping: experiment.configurations, by: \.strategyLabel).mapValues(\.count)
  }

  @Test func `an axis inside one strategy multiplies that strategy's runs alone`() throws {
    let experiment = try experiment(#""strategies.ewc.ewc.strength": [1, 10, 100]"#)
    #expect(counts(experiment) == ["naive": 2, "ewc": 6, "replay": 2, "both": 2])
    let strengths = try Plan(experiment).configurations.compactMap { ($0.resolved.strategy.first as? EWC)?.strength }
    #expect(strengths == [1, 10, 100, 5, 1, 10, 100, 5])
  }

  @Test func `a star hits every strategy that holds the part`() throws {
    let experiment = try experiment(#""strategies.*.reservoir.capacity": [50, 200]"#)
    #expect(counts(experiment) == ["naive": 2, "ewc": 2, "replay": 4, "both": 4])
    let capacities = try Plan(experiment).configurations.flatMap { $0.resolved.strategy }
      .compactMap { ($0 as? Reservoir)?.limits.capacity }
    #expect(capacities == [50, 200, 50, 200, 50, 200, 50, 200])
  }

  @Test func `an axis of one scenario multiplies that scenario's runs alone`() throws {
    let experiment = try experiment(#""scenarios.h.users": [5, 6]"#)
    #expect(experiment.configurations.count == 4 + 8)
    #expect(
      experiment.configurations.filter { $0.scenarioLabel == "v" }.allSatisfy { $0.scenario.given["users"] == nil })
    let hit = try self.experiment(#""scenarios.*.users": [5, 6]"#)
    #expect(hit.configurations.count == 16)
  }

  @Test(arguments: [
    (#""model.hidden": [[4], [16, 8], []]"#, 3), (#""training.epochs": [1, 2]"#, 2),
    (#""training.optimizer.rate": [0.1, 0.01]"#, 2), (#""evaluation.everySteps": [null, 5]"#, 2),
    (#""model.activation": ["relu", "tanh"], "training.batch": [8, 16, 32]"#, 6),
  ])
  func `an axis of the whole experiment multiplies all runs`(grid: String, factor: Int) throws {
    let experiment = try experiment(grid, seeds: 2)
    #expect(experiment.configurations.count == 8 * factor)
    let plan = try Plan(experiment)
    #expect(plan.runs.count == 16 * factor)
    #expect(Set(plan.runs.map(\.id)).count == 16 * factor)
  }

  @Test func `every value arrives where its path points`() throws {
    let plan = try Plan(
      experiment(
        """
        "model.hidden": [[4]], "training.epochs": [7], "training.optimizer.rate": [0.5], "evaluation.everySteps": [3], \
        "scenarios.v.days": [11], "strategies.both.ewc.strength": [9]
        """))
    let configuration = try #require(plan.configurations.map(\.resolved).first { $0.strategyLabel == "both" })
    #expect(configuration.model.hidden == [4])
    #expect(configuration.training.feed.epochs == 7)
    #expect((configuration.optimizer as? Adam)?.rate == 0.5)
    #expect(configuration.evaluation.everySteps == 3)
    #expect((configuration.scenario as? HabitPhases)?.days == 11)
    #expect((configuration.strategy.first as? EWC)?.strength == 9)
  }

  @Test func `runs come as scenarios, strategies, axes in order, seeds`() throws {
    let plan = try Plan(
      experiment(#""strategies.ewc.ewc.strength": [1, 2], "training.epochs": [3, 4]"#, seeds: 2))
    let order = plan.runs.prefix(14).map { run in
      let configuration = plan.configurations[run.configuration].resolved
      let strength = (configuration.strategy.first as? EWC).map { " \(Int($0.strength))" } ?? ""
      return "\(configuration.strategyLabel)\(strength) \(configuration.training.feed.epochs) \(run.seed)"
    }
    #expect(
      order == [
        "naive 3 0", "naive 3 1", "naive 4 0", "naive 4 1", "ewc 1 3 0", "ewc 1 3 1", "ewc 1 4 0", "ewc 1 4 1",
        "ewc 2 3 0", "ewc 2 3 1", "ewc 2 4 0", "ewc 2 4 1", "replay 3 0", "replay 3 1",
      ])
    #expect(plan.runs.map(\.index) == Array(plan.runs.indices))
    #expect(plan.configurations[plan.runs[20].configuration].resolved.scenarioLabel == "h")
  }

  static let begins =
    #"a path begins with "scenarios", "strategies", "model", "training", "stream", "personal", "policies", "safeguards" or "evaluation""#

  @Test(arguments: [
    ("", begins), ("ewc.strength", begins), ("seeds", begins),
    ("model", #"expected "model.parameter""#), ("model.hidden.0", #"expected "model.parameter""#),
    ("model.hiden", #""model" has no parameter "hiden"; did you mean "hidden"?"#),
    ("training.epoch", #""training" has no parameter "epoch"; did you mean "epochs"?"#),
    ("training.optimizer", #"expected "training.optimizer.parameter""#),
    (
      "training.optimizer.momentum",
      #""adam" has no parameter "momentum"; it belongs to the optimizer "momentum", as "momentum""#
    ),
    ("training.optimizer.rat", #""adam" has no parameter "rat"; did you mean "rate"?"#),
    ("evaluation.everyStep", #""evaluation" has no parameter "everyStep"; did you mean "everySteps"?"#),
    ("scenarios.v", #"expected "scenarios.label.parameter""#),
    ("scenarios.w.days", #"no scenario is called "w""#),
    ("scenarios.v.dyas", #""habit-phases" has no parameter "dyas"; did you mean "days"?"#),
    ("scenarios.*.dataset", #"no scenario has a parameter "dataset""#),
    ("strategies.ewc.strength", #"expected "strategies.label.part.parameter""#),
    ("strategies.ecw.ewc.strength", #"no strategy is called "ecw"; did you mean "ewc"?"#),
    ("strategies.ewc.reservoir.capacity", #"strategy "ewc" holds no part "reservoir""#),
    ("strategies.both.resevoir.capacity", #"strategy "both" holds no part "resevoir"; did you mean "reservoir"?"#),
    ("strategies.*.si.strength", #"no strategy holds a part "si""#),
    ("strategies.*.ewc.strenght", #""ewc" has no parameter "strenght"; did you mean "strength"?"#),
  ])
  func `a path that points nowhere says why`(path: String, expected: String) {
    let text = Fixture.text(
      scenarios: GridTests.scenarios, strategies: GridTests.strategies.replacing("\n", with: " "),
      "\"sweep\": { \"grid\": { \"\(path)\": [1] } }")
    #expect(Fixture.problems(text) == "x.json:4:24: sweep.grid: \"\(path)\": \(expected)")
  }

  @Test(arguments: [
    ("1", #"4:12: sweep: expected an object such as {"grid": {…}}, found 1"#),
    (#"{ "gird": {} }"#, #"4:14: sweep.gird: unknown key; did you mean "grid"?"#),
    (#"{ "grid": [1] }"#, "4:22: sweep.grid: expected an object of paths and lists of values, found an array"),
    (
      #"{ "grid": { "training.epochs": 3 } }"#,
      #"4:43: sweep.grid."training.epochs": expected a list of at least one value, found 3"#
    ),
    (
      #"{ "grid": { "training.epochs": [] } }"#,
      #"4:43: sweep.grid."training.epochs": expected a list of at least one value, found an empty array"#
    ),
    (
      #"{ "grid": { "training.epochs": [1, 0, "x"] } }"#,
      """
      4:47: sweep.grid."training.epochs"[1]: expected a whole number in [1, 1000000000], found 0
      x.json:4:50: sweep.grid."training.epochs"[2]: expected a whole number in [1, 1000000000], found "x"
      """
    ),
    (
      #"{ "grid": { "strategies.*.ewc.strength": [-1] } }"#,
      #"4:54: sweep.grid."strategies.*.ewc.strength"[0]: expected a number ≥ 0, found -1"#
    ),
  ])
  func `a sweep that is wrong`(sweep: String, expected: String) {
    let text = Fixture.text(
      scenarios: GridTests.scenarios, strategies: GridTests.strategies.replacing("\n", with: " "), "\"sweep\": \(sweep)"
    )
    #expect(Fixture.problems(text) == "x.json:" + expected)
  }
}
