import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct SelectionTests {
  static let strategies = """
    "naive": [], "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }]
    """
  static let over = """
    { "grid": { "strategies.ewc.ewc.strength": [0, 1, 10], "strategies.si.si.strength": [0, 0.1, 1] } }
    """

  func experiment(_ select: String, _ strategies: String = SelectionTests.strategies) throws -> Experiment {
    try Fixture.small(strategies: strategies, "\"seeds\": 2", "\"select\": \(select)")
  }

  func tuning(_ entries: String = "", over: String = SelectionTests.over) throws -> Tuning {
    let experiment = try experiment("{ \(entries) \"seeds\": [8, 9], \"over\": \(over) }")
    return try Tuning(experiment, #require(experiment.select))
  }

  /// Results in which every accuracy of a run is what `accuracy` says (nil: it diverged), less what is forgotten.
  func results(
    _ tuning: Tuning, forgotten: (ResolvedConfiguration) -> Double = { _ in 0 },
    _ accuracy: (ResolvedConfiguration, Int) -> Double?
  ) throws -> Results {
    let entries = tuning.plan.runs.map { run in
      let configuration = tuning.plan.configurations[run.configuration].resolved
      let value = accuracy(configuration, run.seed)
      var record = RunRecord(status: value == nil ? .diverged : .completed, tasks: ["a", "b"])
      record.accuracy = AccuracyMatrix([[Double]](repeating: [Double](repeating: value ?? .nan, count: 2), count: 2))
      record.accuracy[1, 0] -= forgotten(configuration)
      return JournalEntry(
        runID: run.id, record: record, started: 0, host: "h", worker: "w", instructionSet: "", toolkitVersion: "",
        gitCommit: "")
    }
    return try Results(plan: StoredPlan(tuning.plan), journal: Journal(entries: entries))
  }

  func strength(_ configuration: ResolvedConfiguration) -> Double {
    let parameter = configuration.strategy.first?.parameters.first { $0.name == "strength" }
    guard case .number(let text)? = parameter?.value else { return .nan }
    return Double(text) ?? .nan
  }

  // MARK: - The plan

  @Test func `trials are the candidates of tuned strategies on the tuning seeds alone`() throws {
    let plan = try tuning("\"tasks\": 2, \"heldOut\": 0.25,").plan
    #expect(plan.experiment.name == "small.tuning")
    #expect(plan.configurations.map(\.resolved.strategyLabel) == ["ewc", "ewc", "ewc", "si", "si", "si"])
    #expect(plan.configurations.map { strength($0.resolved) } == [0, 1, 10, 0, 0.1, 1])
    #expect(Set(plan.runs.map(\.seed)) == [8, 9])
    #expect(plan.runs.count == 12)
    #expect(plan.configurations.allSatisfy { $0.resolved.training.tasks == 2 })
    #expect(plan.configurations.allSatisfy { $0.resolved.evaluation.heldOut == 0.25 })
  }

  @Test func `reported runs have what was chosen, the experiment's own seeds, and nothing of the trials' settings`()
    throws
  {
    let tuning = try tuning("\"tasks\": 2, \"heldOut\": 0.25,")
    let selection = tuning.choose(from: try results(tuning) { configuration, _ in 1 / (1 + strength(configuration)) })
    let plan = try tuning.plan(for: selection)
    #expect(plan.configurations.map(\.resolved.strategyLabel) == ["naive", "ewc", "si"])
    #expect(plan.configurations.dropFirst().map { strength($0.resolved) } == [0, 0])
    #expect(plan.configurations.allSatisfy { $0.resolved.training.tasks == nil })
    #expect(plan.configurations.allSatisfy { $0.resolved.evaluation.heldOut == nil })
    #expect(Set(plan.runs.map(\.seed)) == [0, 1])
  }

  @Test func `each cell of the sweep chooses for itself`() throws {
    let experiment = try Fixture.small(
      strategies: Self.strategies, "\"seeds\": 2", "\"select\": { \"seeds\": [8], \"over\": \(Self.over) }",
      #""sweep": { "grid": { "model.hidden": [[4], [8]] } }"#)
    let tuning = try Tuning(experiment, #require(experiment.select))
    let selection = tuning.choose(
      from: try results(tuning) { configuration, _ in
        configuration.model.hidden == [4] ? strength(configuration) / 100 : 1 - strength(configuration) / 100
      })
    #expect(selection.cells.map(\.strategy) == ["ewc", "ewc", "si", "si"])
    #expect(selection.cells.map(\.chosen) == [2, 0, 2, 0])
    #expect(selection.cells.map { $0.sweep["model_hidden"]?.compactText } == ["[4]", "[8]", "[4]", "[8]"])
    #expect(selection.cells.allSatisfy { $0.sweep.count == 1 } && Selection(selection.json) == selection)
    let lines = selection.text.split(separator: "\n").prefix(3).dropFirst()
    #expect(
      lines == [
        "scenario  strategy  sweep               chosen             score  trials",
        "small     ewc       model_hidden = [4]  ewc_strength = 10  0.100       3",
      ])
  }

  // MARK: - The choice

  @Test func `the best mean over all tuning seeds wins, not the best seed`() throws {
    let tuning = try tuning()
    // ewc: 0 → (.5 + .5)/2 = .5; 1 → (.9 + .0)/2 = .45; 10 → (.6 + .5)/2 = .55.
    let scores: [Double: [Double]] = [0: [0.5, 0.5], 1: [0.9, 0], 10: [0.6, 0.5]]
    let selection = tuning.choose(
      from: try results(tuning) { scores[strength($0)]?[$1 - 8] ?? 0.1 })
    #expect(selection.cells[0].chosen == 2)
    #expect(abs(selection.cells[0].trials[2].mean - 0.55) < 1e-12)
    #expect(selection.cells[0].trials.map { $0.values["ewc_strength"]?.double } == [0, 1, 10])
  }

  @Test func `of equals the first in the file wins`() throws {
    let tuning = try tuning()
    let selection = tuning.choose(from: try results(tuning) { _, _ in 0.5 })
    #expect(selection.cells.map(\.chosen) == [0, 0])
  }

  @Test func `where lower is better the lowest wins`() throws {
    let tuning = try tuning("\"criterion\": \"forgetting\",")
    let selection = tuning.choose(
      from: try results(tuning, forgotten: { strength($0) == 1 ? 0.01 : 0.2 }) { _, _ in 0.5 })
    #expect(selection.direction == .lower)
    // The last strength of SI and the middle one of EWC are 1.
    #expect(selection.cells.map(\.chosen) == [1, 2])
  }

  @Test func `a candidate that diverged on one seed cannot be chosen`() throws {
    let tuning = try tuning()
    let selection = tuning.choose(
      from: try results(tuning) { configuration, seed in
        strength(configuration) == 10 && seed == 9 ? nil : strength(configuration) / 100
      })
    #expect(selection.cells[0].chosen == 1)
    #expect(selection.cells[0].trials[2].scores[1].isNaN)
  }

  @Test func `where every candidate fails the strategy is left out and the others are reported`() throws {
    let tuning = try tuning()
    let selection = tuning.choose(
      from: try results(tuning) { configuration, _ in configuration.strategyLabel == "ewc" ? nil : 0.5 })
    #expect(selection.cells.map(\.chosen) == [nil, 0])
    let plan = try tuning.plan(for: selection)
    #expect(plan.configurations.map(\.resolved.strategyLabel) == ["naive", "si"])
    #expect(selection.text.contains("small, ewc: no trial has the criterion on every seed; the strategy is left out."))
  }

  @Test func `a best strength of 0 is reported as no help, and only then`() throws {
    let tuning = try tuning()
    let selection = tuning.choose(
      from: try results(tuning) { configuration, _ in
        configuration.strategyLabel == "ewc" ? 1 - strength(configuration) / 100 : strength(configuration)
      })
    #expect(selection.cells.map(\.unhelpful) == [["ewc"], []])
    #expect(selection.cells.map(\.atEdge) == [[], ["si_strength"]])
  }

  // MARK: - Text and JSON

  @Test func `the text names what was chosen, by what, from how many trials`() throws {
    let tuning = try tuning("\"tasks\": 2,")
    let selection = tuning.choose(
      from: try results(tuning) { configuration, seed in
        configuration.strategyLabel == "ewc"
          ? 0.6 - strength(configuration) / 100 : 0.4 + strength(configuration) / 10 + Double(seed - 8) / 100
      })
    // si: .5 and .51, mean .505, half-width 12.706 · .00707/√2 = .0635.
    #expect(
      selection.text == """
        Chosen by average_accuracy (higher is better), mean over seeds 8 to 9, after the first 2 tasks; no reported run \
        has these seeds:
        scenario  strategy  chosen                    score  trials
        small     ewc       ewc_strength = 0  0.600 ± 0.000       3
        small     si        si_strength = 1   0.505 ± 0.064       3
        small, ewc: ewc does not help: the best strength for it is 0.
        small, si: si_strength is at the edge of what was tried; a wider range may do better.
        """)
  }

  @Test func `a selection comes back from its JSON bit for bit`() throws {
    let tuning = try tuning("\"heldOut\": 0.2,")
    let selection = tuning.choose(
      from: try results(tuning) { configuration, seed in seed == 9 && strength(configuration) == 10 ? nil : 0.1 + 0.2 })
    #expect(Selection(selection.json) == selection)
    let text = try JSONReader.read(Array(selection.json.compactText.utf8), file: "x").value()
    #expect(Selection(text) == selection)
    #expect(Selection(["criterion": "x"]) == nil)
  }

  // MARK: - Messages

  @Test func `what would not be a fair choice is refused with its place`() throws {
    func problem(_ select: String) -> String {
      Fixture.problems(
        Fixture.text(strategies: Self.strategies, "\"seeds\": 3", "\"select\": \(select)")
      )
    }
    #expect(
      problem(#"{ "seeds": [2, 9], "over": \#(Self.over) }"#)
        == "x.json:5:24: select.seeds: seed 2 is a seed of the experiment too; what is chosen on a seed must be reported "
        + "on others. \"seeds\": 2 takes so many that are none of the experiment's")
    #expect(
      problem(
        ##"{ "seeds": [9], "over": { "grid": { "strategies.ewc.ewc.strength": [0, 1], "strategies.si.si.strength": [0, 1, 2] } } }"##
      )
        == "x.json:5:37: select.over: \"ewc\" has 2 trials and \"si\" 3; every strategy that is tuned gets the same number. "
        + #"Draw as many for each: "over": {"random":{"samples":3,"space":{"strategies.ewc.ewc.strength":{"choice":[0,1]},"#
        + #""strategies.si.si.strength":{"choice":[0,1,2]}}}}"#
    )
    #expect(
      problem(#"{ "seeds": [9], "over": { "set": { "strategies.ewc.ewc.strength": 1 } } }"#)
        == "x.json:5:37: select.over: no strategy has anything to choose from; give a path two values or more")
    #expect(
      problem(#"{ "seeds": [9], "over": \#(Self.over), "criterion": "forgeting" }"#).hasSuffix(
        "select.criterion: no metric is called \"forgeting\"; did you mean \"forgetting\"?"))
    #expect(
      problem(#"{ "seeds": [9], "over": \#(Self.over), "criterion": "intransigence" }"#).hasSuffix(
        "select.criterion: \"intransigence\" cannot decide: it has no better end, or it needs runs that trials do not have"
      ))
    #expect(
      problem("{}")
        == "x.json:5:13: select: \"over\" is missing: a block such as {\"grid\": {path: [values]}} with what is tried\n"
        + "x.json:5:13: select: \"seeds\" is missing: seeds of the trials, none of them a seed of the experiment")
  }

  @Test func `the way out of unequal grids can be pasted and gives equally many trials`() throws {
    let strategies = #""ewc": [{ "name": "ewc" }], "both": [{ "name": "si" }, { "name": "reservoir" }]"#
    let grid = """
      { "grid": { "strategies.ewc.ewc.strength": [1, 10, 100], "strategies.both.si.strength": [0, 1],
        "strategies.both.reservoir.capacity": [50, 200], "strategies.both.reservoir.per": ["total", "task"] } }
      """
    let refused = Fixture.problems(
      Fixture.text(strategies: strategies, "\"select\": { \"seeds\": 2, \"over\": \(grid) }"))
    let over = try #require(refused.firstRange(of: "\"over\": "))
    let pasted = String(refused[over.upperBound...])
    #expect(
      pasted == """
        {"random":{"samples":8,"space":{"strategies.ewc.ewc.strength":{"log-uniform":[1,100]},\
        "strategies.both.si.strength":{"choice":[0,1]},"strategies.both.reservoir.capacity":{"log-uniform":[50,200]},\
        "strategies.both.reservoir.per":{"choice":["total","task"]}}}}
        """)
    let experiment = try experiment("{ \"seeds\": 2, \"over\": \(pasted) }", strategies)
    let trials = try Tuning(experiment, #require(experiment.select)).plan.configurations.map(\.strategyLabel)
    #expect(trials.count { $0 == "ewc" } == 8 && trials.count { $0 == "both" } == 8)
  }

  @Test func `a count of tuning seeds means so many that are not reported`() throws {
    func seeds(_ reported: String, _ overrides: Overrides = Overrides()) throws -> [Int]? {
      let text = Fixture.text(
        strategies: Self.strategies, "\"seeds\": \(reported)", "\"select\": { \"seeds\": 3, \"over\": \(Self.over) }")
      return try Fixture.experiment(text).overridden(by: overrides).select?.seeds
    }
    #expect(try seeds("5") == [5, 6, 7])
    #expect(try seeds("[100, 101]") == [0, 1, 2])
    #expect(try seeds("[1, 3]") == [0, 2, 4])
    #expect(try seeds("5", Overrides(seeds: "2")) == [2, 3, 4])
    #expect(try seeds("5", Overrides(seeds: "100..109")) == [0, 1, 2])
  }

  @Test func `what the sweep steps through cannot be chosen too`() throws {
    let text = Fixture.text(
      strategies: Self.strategies, "\"select\": { \"seeds\": [9], \"over\": \(Self.over) }",
      #""sweep": { "grid": { "strategies.si.si.strength": [1, 2] } }"#)
    #expect(
      Fixture.problems(text).hasSuffix(
        "select.over: the sweep steps through strategies.si.si.strength already; keep one of them"))
  }

  @Test func `a data set's test rows are never what is chosen on`() throws {
    let split = try Experiment.read(
      """
      { "name": "x", "scenarios": { "s": { "name": "split" }, "h": { "name": "habit-phases" } },
        "strategies": { "ewc": [{ "name": "ewc" }] },
        "select": { "seeds": [9], "over": { "grid": { "strategies.ewc.ewc.strength": [0, 1] } } } }
      """, file: "x.json")
    let plan = try Tuning(split, #require(split.select)).plan
    #expect(plan.configurations.map(\.resolved.evaluation.heldOut) == [0.2, 0.2, nil, nil])
  }
}
