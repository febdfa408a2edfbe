import PalimpsestExperiments
import TestFixtures
import Testing

/// Blocks expanded by hand.
@Suite struct SweepAlgebraTests {
  /// Strategies naive, ewc, si and both (ewc and reservoir), over one scenario or two.
  static func text(_ sweep: String, scenarios: String = #""v": { "name": "habit-phases" }"#) -> String {
    Fixture.text(
      scenarios: scenarios,
      strategies: #""naive": [], "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }], "#
        + #""both": [{ "name": "ewc" }, { "name": "reservoir" }]"#,
      "\"sweep\": \(sweep)")
  }

  /// What the sweep gives each configuration of a strategy: its values in the order of `keys`, `-` where none is given.
  func values(_ sweep: String, _ strategy: String, _ keys: String...) throws -> [String] {
    try Fixture.experiment(SweepAlgebraTests.text(sweep)).configurations.filter { $0.strategyLabel == strategy }
      .map { configuration in keys.map { configuration.given($0) }.joined(separator: " ") }
  }

  @Test func `set gives one value and multiplies nothing`() throws {
    let sweep = #"{ "set": { "strategies.ewc.ewc.strength": 7, "training.epochs": 3 } }"#
    #expect(try values(sweep, "ewc", "ewc.strength", "epochs") == ["7 3"])
    #expect(try values(sweep, "si", "ewc.strength", "epochs") == ["- 3"])
  }

  @Test func `zip steps its paths together`() throws {
    let sweep = #"{ "zip": { "training.epochs": [1, 2, 3], "training.batch": [8, 16, 32] } }"#
    #expect(try values(sweep, "naive", "epochs", "batch") == ["1 8", "2 16", "3 32"])
  }

  @Test func `zipped paths of two strategies step each its own`() throws {
    let sweep = #"{ "zip": { "strategies.ewc.ewc.strength": [1, 2], "strategies.si.si.strength": [3, 4] } }"#
    #expect(try values(sweep, "ewc", "ewc.strength") == ["1", "2"])
    #expect(try values(sweep, "si", "si.strength") == ["3", "4"])
    #expect(try values(sweep, "naive", "epochs") == ["-"])
  }

  @Test func `everything in a block multiplies: set, then grid, then zip, then random, then cases`() throws {
    // 1 × 2 × 2 × 1 × (1 + 2): epochs vary slowest, cases fastest.
    let sweep = """
      { "cases": [{ "set": { "training.drawing": "in-order" } }, { "grid": { "model.activation": ["relu", "tanh"] } }], \
      "random": { "samples": 1, "space": { "training.steps": { "choice": [9] } } }, \
      "zip": { "training.batch": [8, 16] }, "grid": { "training.epochs": [1, 2] }, \
      "set": { "training.shortBatch": "drop" } }
      """
    let rest = ["in-order -", "- relu", "- tanh"]
    let expected = ["1 8", "1 16", "2 8", "2 16"].flatMap { outer in rest.map { "drop \(outer) 9 \($0)" } }
    #expect(
      try values(sweep, "naive", "shortBatch", "epochs", "batch", "steps", "drawing", "activation") == expected)
  }

  @Test func `cases add up, and a case may hold cases again`() throws {
    // 1 + (2 + 1) = 4, times 2 epochs.
    let sweep = """
      { "grid": { "training.epochs": [1, 2] }, "cases": [ \
      { "set": { "training.batch": 8 } }, \
      { "set": { "training.batch": 16 }, "cases": [ \
      { "grid": { "training.steps": [5, 6] } }, { "set": { "training.drawing": "in-order" } } ] } ] }
      """
    let inner = ["8 - -", "16 5 -", "16 6 -", "16 - in-order"]
    #expect(
      try values(sweep, "naive", "epochs", "batch", "steps", "drawing")
        == ["1 ", "2 "].flatMap { e in inner.map { e + $0 } })
  }

  @Test func `an inner set overrides an outer one`() throws {
    let sweep = #"{ "set": { "training.epochs": 3 }, "cases": [{}, { "set": { "training.epochs": 5 } }] }"#
    #expect(try values(sweep, "naive", "epochs") == ["3", "5"])
  }

  @Test func `a case about one strategy adds to its runs alone`() throws {
    // ewc: the two values of its own case, not its default beside them on account of si's case. naive: once, as it is.
    let sweep = """
      { "cases": [{ "grid": { "strategies.ewc.ewc.strength": [1, 2] } }, { "set": { "strategies.si.si.strength": 3 } }] }
      """
    #expect(try values(sweep, "ewc", "ewc.strength") == ["1", "2"])
    #expect(try values(sweep, "si", "si.strength") == ["3"])
    #expect(try values(sweep, "naive", "epochs") == ["-"])
    #expect(try values(sweep, "both", "ewc.strength") == ["-"])
  }

  @Test func `an empty case is about every pair: the configuration as it is`() throws {
    let sweep = #"{ "cases": [{}, { "grid": { "strategies.*.ewc.strength": [1, 2] } }] }"#
    #expect(try values(sweep, "ewc", "ewc.strength") == ["-", "1", "2"])
    #expect(try values(sweep, "both", "ewc.strength") == ["-", "1", "2"])
    #expect(try values(sweep, "naive", "epochs") == ["-"])
  }

  @Test func `a case about one scenario is none of the other's`() throws {
    let scenarios = #""v": { "name": "habit-phases" }, "h": { "name": "habit-phases", "context": "hidden" }"#
    let sweep = #"{ "cases": [{ "grid": { "scenarios.h.days": [10, 20] } }, { "set": { "scenarios.v.days": 30 } }] }"#
    let experiment = try Fixture.experiment(SweepAlgebraTests.text(sweep, scenarios: scenarios))
    let days = experiment.configurations.filter { $0.strategyLabel == "naive" }.map {
      $0.scenarioLabel + $0.given("days")
    }
    #expect(days == ["v30", "h10", "h20"])
  }

  @Test func `configurations that come out equal stand once, at the first place`() throws {
    // 100 is the default, 1e2 the same number, and the second case repeats the 5.
    let sweep = """
      { "cases": [{}, { "grid": { "strategies.ewc.ewc.strength": [5, 1e2, 100, 6] } }, \
      { "set": { "strategies.ewc.ewc.strength": 5.0 } }] }
      """
    let plan = try Plan(Fixture.experiment(SweepAlgebraTests.text(sweep)))
    let strengths = plan.configurations.map(\.resolved).filter { $0.strategyLabel == "ewc" }
      .compactMap { $0.record["strategy"]?.array?.first?["strength"]?.numberText }
    #expect(strengths == ["100", "5", "6"])
    #expect(Set(plan.runs.map(\.index)) == Set(0..<plan.runs.count))
  }

  @Test(arguments: [
    (#"{}"#, 1, 1), (#"{ "grid": { "training.epochs": [1, 2], "training.batch": [1, 2, 3] } }"#, 6, 6),
    (
      #"{ "grid": { "strategies.ewc.ewc.strength": [1, 2] }, "cases": [{}, { "set": { "model.hidden": [3] } }] }"#, 4, 2
    ),
    (#"{ "random": { "samples": 50, "space": { "strategies.ewc.ewc.strength": { "uniform": [0, 1] } } } }"#, 50, 1),
    (
      #"{ "cases": [{ "set": { "strategies.ewc.ewc.strength": 1 } }, { "set": { "strategies.ewc.ewc.strength": 2 } }] }"#,
      2, 1
    ),
  ])
  func `counting agrees with expanding`(sweep: String, ewc: Int, naive: Int) throws {
    let experiment = try Fixture.experiment(SweepAlgebraTests.text(sweep))
    for (strategy, expected) in [("ewc", ewc), ("naive", naive)] {
      #expect(experiment.sweep.count(scenario: "v", strategy: strategy) == expected)
      let start = try #require(experiment.configuration(scenario: "v", strategy: strategy))
      #expect(experiment.sweep.applied(to: start).count == expected)
    }
  }

  @Test func `more runs than any number holds are refused, not overflown`() {
    // 10⁷ draws in each of four nested blocks: 10²⁸.
    let space = { (path: String) in
      #""random": { "samples": 10000000, "space": { "\#(path)": { "integer": [1, 9] } } }"#
    }
    let sweep = """
      { \(space("training.epochs")), "cases": [{ \(space("training.batch")), "cases": [{ \(space("training.steps")), \
      "cases": [{ \(space("evaluation.everySteps")) }] }] }] }
      """
    #expect(
      Fixture.problems(SweepAlgebraTests.text(sweep))
        == "x.json:4:12: sweep: scenarios × strategies × sweep × seeds are more than 10000000 runs")
  }
}

extension Configuration {
  /// A value the file or the sweep gives, by its key or by part and key; `-` where none.
  func given(_ key: String) -> String {
    let pieces = key.split(separator: ".").map(String.init)
    let components =
      pieces.count == 2 ? strategy.filter { $0.name == pieces[0] } : [scenario, model, training, evaluation]
    let value = components.lazy.compactMap { $0.given[pieces[pieces.count - 1]] }.first
    switch value {
    case .number(let text)?, .string(let text)?: return text
    default: return "-"
    }
  }
}
