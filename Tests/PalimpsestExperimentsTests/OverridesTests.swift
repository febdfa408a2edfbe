import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

/// Changes from the command line, and the choice of runs.
@Suite struct OverridesTests {
  static let sweep =
    #"{ "grid": { "strategies.ewc.ewc.strength": [1, 10] }, "cases": [{ "set": { "model.hidden": [3] } }] }"#

  func experiment() throws -> Experiment { try Fixture.experiment(SweepAlgebraTests.text(OverridesTests.sweep)) }

  /// Every problem of a change, one a line.
  func problems(_ overrides: Overrides) throws -> String {
    let experiment = try experiment()
    do {
      _ = try experiment.overridden(by: overrides)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `a value set stands in the file's place`() throws {
    let changed = try experiment().overridden(
      by: Overrides(set: [
        "training.epochs=7", "strategies.*.ewc.decay=0.5", "name=other", "model.activation=tanh", "scenarios.v.users=5",
        "training.optimizer.rate=1e-2", "evaluation.everySteps=null",
      ]))
    #expect(changed.name == "other")
    let ewc = try #require(Plan(changed).configuration("both"))
    #expect((ewc.strategy.first as? EWC)?.decay == 0.5)
    #expect(ewc.training.feed.epochs == 7)
    #expect(ewc.model.activation == .tanh)
    #expect((ewc.optimizer as? Adam)?.rate == 0.01)
    #expect(changed.overrides.first == "--set training.epochs=7")
  }

  @Test func `over is one more axis, faster than those of the file`() throws {
    let changed = try experiment().overridden(
      by: Overrides(over: ["training.epochs=3,4", "model.activation=\"relu\",tanh"]))
    let ewc = changed.configurations.filter { $0.strategyLabel == "ewc" }
    #expect(
      ewc.map { $0.given("ewc.strength") + $0.given("epochs") + $0.given("activation") } == [
        "13relu", "13tanh", "14relu", "14tanh", "103relu", "103tanh", "104relu", "104tanh",
      ])
  }

  @Test func `lists are cut at the outer commas alone`() throws {
    let plain = try Fixture.experiment(SweepAlgebraTests.text("{}"))
    let changed = try plain.overridden(by: Overrides(over: ["model.hidden=[4],[16,8],[]"]))
    #expect(
      changed.configurations.prefix(3).map { $0.model.given["hidden"] } == [
        .list([.number("4")]), .list([.number("16"), .number("8")]), .list([]),
      ])
  }

  @Test(arguments: [("3", [0, 1, 2]), ("100..103", [100, 101, 102, 103]), ("1,2,7", [1, 2, 7]), ("5..5", [5])])
  func `seeds are a count, a range or a list`(text: String, seeds: [Int]) throws {
    #expect(try experiment().overridden(by: Overrides(seeds: text)).seeds == seeds)
  }

  @Test func `a value set gives the id of the same value in the file`() throws {
    let plain = try Fixture.experiment(SweepAlgebraTests.text("{}")).overridden(
      by: Overrides(set: ["training.epochs=1e1"]))
    let written = try Fixture.experiment(SweepAlgebraTests.text(#"{ "set": { "training.epochs": 10 } }"#))
    #expect(try Plan(plain).runs.map(\.id) == Plan(written).runs.map(\.id))
  }

  @Test(arguments: [
    (Overrides(set: ["training.epochs"]), #"--set "training.epochs": expected path=value"#),
    (
      Overrides(set: ["training.epochs=0"]),
      #"--set "training.epochs=0": expected a whole number in [1, 1000000000], found 0"#
    ),
    (
      Overrides(set: ["training.epoch=3"]),
      #"--set "training.epoch=3": "training" has no parameter "epoch"; did you mean "epochs"?"#
    ),
    (
      Overrides(set: ["model.activation=relo"]),
      #"--set "model.activation=relo": expected one of "relu", "tanh", found "relo""#
    ),
    (
      Overrides(set: ["name=a b"]),
      #"--set "name=a b": expected a name of letters, digits, "-", "_" and ".", found "a b""#
    ),
    (
      Overrides(set: ["strategies.*.ewc.strength=3"]),
      #"--set "strategies.*.ewc.strength=3": the sweep gives values to "strategies.ewc.ewc.strength" already; "#
        + "change them in the file"
    ),
    (
      Overrides(over: ["model.hidden=[3]"]),
      #"--over "model.hidden=[3]": the sweep gives values to "model.hidden" already; change them in the file"#
    ),
    (
      Overrides(over: ["training.epochs=1,,2"]),
      #"--over "training.epochs=1,,2": expected a whole number in [1, 1000000000], found """#
    ),
    (
      Overrides(over: ["training.epochs=1", "training.epochs=2"]),
      #"--over "training.epochs=2": the sweep gives values to "training.epochs" already; change them in the file"#
    ),
    (
      Overrides(seeds: "0"),
      #"--seeds "0": expected a count ≥ 1, a range such as 100..109, or a list such as 1,2,7"#
    ),
    (
      Overrides(seeds: "9..1"),
      #"--seeds "9..1": expected a count ≥ 1, a range such as 100..109, or a list such as 1,2,7"#
    ),
    (Overrides(seeds: "1,2,1"), #"--seeds "1,2,1": a seed stands twice in the list"#),
    (Overrides(seeds: "9999999"), #"--seeds "9999999": expected at most 1000000 seeds, found 9999999"#),
  ])
  func `a change that is wrong names its argument`(overrides: Overrides, expected: String) throws {
    #expect(try problems(overrides) == expected)
  }

  // MARK: - Choosing runs

  @Test func `only chooses by strategy, scenario and seed together`() throws {
    let experiment = try experiment().overridden(by: Overrides(seeds: "4"))
    let selection = try RunSelection(only: ["strategy=ewc,naive", "seed=1..2", "scenario=v"], in: experiment)
    let plan = try Plan(experiment)
    let chosen = plan.runs.filter { selection.selects($0, in: plan) }
    #expect(
      chosen.map { plan.configurations[$0.configuration].strategyLabel + String($0.seed) } == [
        "naive1", "naive2", "ewc1", "ewc2", "ewc1", "ewc2",
      ])
    let summary = try PlanSummary(experiment, selection, finished: [chosen[0].id: 1, chosen[3].id: .nan])
    #expect(summary.pairs.map(\.runs) == [2, 4])
    #expect(summary.pairs.map(\.done) == [1, 1])
    #expect(summary.configurations == plan.configurations.count)
    #expect(summary.runs == plan.runs.count)
  }

  @Test(arguments: [
    ("ewc", #"--only "ewc": expected key=value, such as strategy=ewc"#),
    (
      "strategie=ewc",
      #"--only "strategie=ewc": expected one of strategy, scenario, seed, found "strategie"; did you mean "strategy"?"#
    ),
    ("strategy=ecw", #"--only "strategy=ecw": no strategy is called "ecw"; did you mean "ewc"?"#),
    ("scenario=w", #"--only "scenario=w": no scenario is called "w""#),
    ("seed=x", #"--only "seed=x": expected a seed, a range such as 100..109, or a list such as 1,2,7"#),
    ("seed=5", #"--only "seed=5": the experiment has no seed 5"#),
  ])
  func `a choice of what is not there`(only: String, expected: String) throws {
    let experiment = try experiment()
    #expect {
      try RunSelection(only: [only], in: experiment)
    } throws: {
      String(describing: $0) == expected
    }
  }
}
