import PalimpsestExperiments
import TestFixtures
import Testing

/// A whole file: problems at once, order, comments and defaults.
@Suite struct ExperimentFileTests {
  @Test func `all problems come at once, sorted by place`() {
    let text = """
      {
        "sweep": { "grid": { "model.width": [1] } },
        "strategies": { "e": [{ "name": "si", "damping": 0 }], "e": [] },
        "seeds": 0,
        "nmae": "x",
        "scenarios": { "a": { "name": "habit-phase" } }
      }
      """
    #expect(
      Fixture.problems(text) == """
        x.json:1:1: "name" is missing: a short name for the experiment
        x.json:2:24: sweep.grid: "model.width": "model" has no parameter "width"; it is called "hidden" here
        x.json:3:52: strategies.e.si.damping: expected a number > 0, found 0
        x.json:3:58: "e" is given twice in one object
        x.json:4:12: \(ExperimentReaderTests.seedForms)0
        x.json:5:3: nmae: unknown key; did you mean "name"?
        x.json:6:33: scenarios.a: no scenario is called "habit-phase"; did you mean "habit-phases"?
        """)
  }

  @Test func `more runs than a plan can hold are refused`() {
    let axis = "[" + (1...100).map(String.init).joined(separator: ",") + "]"
    let grid = ["model.hidden", "training.epochs", "training.batch", "training.steps", "evaluation.everySteps"]
      .map { "\"\($0)\": " + ($0 == "model.hidden" ? "[[1]]" : axis) }.joined(separator: ", ")
    #expect(
      Fixture.problems(Fixture.text("\"sweep\": { \"grid\": { \(grid) } }"))
        == "x.json:4:12: sweep: scenarios × strategies × sweep × seeds are more than 10000000 runs")
  }

  @Test func `what is left out keeps its default`() throws {
    let experiment = try Fixture.experiment(Fixture.text())
    #expect(experiment.name == "x")
    #expect(experiment.question == "")
    #expect(experiment.seeds == [0])
    #expect(experiment.sweep.isEmpty)
    #expect(experiment.optimizer == Component(name: "adam"))
    #expect(Array(experiment.strategies.keys) == ["naive"])
    let configuration = try #require(try Plan(experiment).configurations.first).resolved
    #expect(configuration.model.hidden == [16, 8])
    #expect(configuration.training.feed.epochs == 1)
    #expect(configuration.evaluation.everySteps == nil)
  }

  @Test func `comments and the order of entries mean nothing, labels keep the file's order`() throws {
    let experiment = try Fixture.experiment(
      """
      // a file
      { "strategies": { "z": [], "a": [ { "strength": 2, "name": "ewc" } ] }, /* two */
        "seeds": [3, 1], "$schema": "s", "format": 1,
        "scenarios": { "v": { "context": "hidden", "name": "habit-phases" } }, "name": "é-1_2.b" }
      """)
    #expect(experiment.name == "é-1_2.b")
    #expect(Array(experiment.strategies.keys) == ["z", "a"])
    #expect(experiment.strategies["a"] == [Component(name: "ewc", given: ["strength": .number("2")])])
    #expect(experiment.scenarios["v"] == Component(name: "habit-phases", given: ["context": .string("hidden")]))
    #expect(experiment.text.hasPrefix("// a file"))
  }

  @Test(arguments: [
    ("3", [0, 1, 2]), ("1", [0]), ("1e1", Array(0..<10)), ("[7, 5, 0]", [7, 5, 0]),
    (#"{"from": 100, "count": 3}"#, [100, 101, 102]), (#"{"count": 1, "from": 0}"#, [0]),
    ("[9007199254740993]", [9_007_199_254_740_993]),
  ])
  func `seeds are a count, a list or a range`(seeds: String, expected: [Int]) throws {
    #expect(try Fixture.experiment(Fixture.text("\"seeds\": " + seeds)).seeds == expected)
  }
}
