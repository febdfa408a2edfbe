import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON
import TestFixtures
import Testing

/// What is allowed and hardly wanted.
@Suite struct WarningTests {
  private static let trained = #""training": { "epochs": 20 }"#

  /// The warnings of a file, a line each.
  private func warnings(_ text: String, _ overrides: Overrides = Overrides(), in folder: String? = nil) throws -> String
  {
    let experiment = try Fixture.experiment(text).overridden(by: overrides)
    let library = folder.map { DatasetFolder([$0]) }
    return experiment.warnings(file: "x.json", library: library).map(\.description).joined(separator: "\n")
  }

  @Test func `an experiment with several tasks and enough steps has none`() throws {
    #expect(try warnings(Fixture.text(Self.trained)) == "")
    #expect(try warnings(Fixture.text(#""training": { "steps": 50 }"#)) == "")
    #expect(try warnings(Fixture.text(#""training": { "epochs": 1 }"#)) == "")
  }

  // MARK: - Training

  private static let short = """
    neither "epochs" nor "steps" is given, and one pass is at most 38 steps a task: little is learned and all strategies look alike; give \
    "epochs" (such as 20) or "steps"
    """

  @Test func `defaults that hardly train are told with the steps of a task`() throws {
    // 20 users × 60 days = 1200 rows in batches of 32: 38 steps.
    #expect(try warnings(Fixture.text()) == "x.json:1:1: warning: training: " + Self.short)
    #expect(
      try warnings(Fixture.text(#""training": { "optimizer": { "name": "sgd" } }"#))
        == "x.json:4:15: warning: training: " + Self.short)
    #expect(try warnings(Fixture.text(#""training": { "batch": 8 }"#)) == "")
    #expect(try warnings(Fixture.text(), Overrides(set: ["training.epochs=20"])) == "")
    #expect(try warnings(Fixture.text(), Overrides(over: ["training.epochs=1,20"])) == "")
    let some = Fixture.text(scenarios: #""a": { "name": "habit-phases" }, "m": { "name": "permuted" }"#)
    #expect(try warnings(some) == "")
  }

  @Test func `a rate that leads nowhere is told with its place`() throws {
    let text = Fixture.text(#""training": { "epochs": 2, "optimizer": { "name": "adam", "rate": 1e-5 } }"#)
    #expect(
      try warnings(text) == """
        x.json:4:69: warning: training.optimizer.rate: 0.00001 in at most 76 steps a task moves weights by hardly a \
        thousandth: little is learned and all strategies look alike; take a larger rate, or more epochs
        """)
    // 1e-4 / (1 - 0.99) × 76 = 0.76.
    let momentum = #"{ "name": "momentum", "rate": 1e-4, "momentum": 0.99 }"#
    #expect(try warnings(Fixture.text(#""training": { "epochs": 2, "optimizer": \#(momentum) }"#)) == "")
  }

  // MARK: - Parts

  @Test func `a part that is made of rows which nobody may see again is told`() throws {
    func text(_ revisit: String, _ part: String) -> String {
      Fixture.text(
        scenarios: "\"a\": { \"name\": \"habit-phases\", \"revisit\": \"\(revisit)\" }",
        strategies: "\"n\": [], \"s\": [{ \"name\": \"\(part)\" }]", Self.trained)
    }
    for part in ["ewc", "mas", "herding", "k-centre"] {
      #expect(
        try warnings(text("none", part)) == """
          x.json:3:33: warning: strategies.s: "\(part)" is made of a task's rows when it has ended, and scenario "a" lets none be seen \
          again: it does nothing there; take "revisit": "all", or a part that looks at rows as they come, such as "si" or "reservoir"
          """)
      #expect(try warnings(text("all", part)) == "")
    }
    #expect(try warnings(text("none", "si")) == "")
    #expect(try warnings(text("none", "ewc"), Overrides(over: ["scenarios.a.revisit=all,none"])) == "")
  }

  @Test func `an isolation whose task nobody tells is told, and a gate lifts it`() throws {
    func text(_ setting: String, _ parts: String) -> String {
      Fixture.text(
        scenarios: "\"m\": { \"name\": \"split\", \"setting\": \"\(setting)\" }", strategies: "\"s\": [\(parts)]",
        Self.trained)
    }
    let adapters = #"{ "name": "adapters" }"#
    #expect(
      try warnings(text("class", adapters)) == """
        x.json:3:24: warning: strategies.s: "adapters" gives each task a way of its own, and in scenario "m" nobody says which to take: \
        the latest cannot answer for earlier classes, and most metrics are undefined; take "setting": "task", or put "gate" beside it
        """)
    #expect(try warnings(text("task", adapters)) == "")
    #expect(try warnings(text("class", adapters + #", { "name": "gate" }"#)) == "")
  }

  // MARK: - Tasks

  private static let single =
    "one task alone: nothing can be forgotten, and most metrics are undefined; take two tasks or more"

  @Test(arguments: [
    (#""name": "habit-phases", "phases": [2]"#, ""), (#""name": "permuted", "tasks": 1"#, ""),
    (#""name": "rotated", "angles": [5]"#, ""), (#""name": "rotated", "drawnTasks": 1"#, ""),
    (#""name": "split", "tasks": 1"#, ""), (#""name": "split", "classes": [3, 5]"#, ""),
  ])
  func `a single task is told at its scenario`(scenario: String, _: String) throws {
    #expect(
      try warnings(Fixture.text(scenarios: "\"a\": { \(scenario) }", Self.trained))
        == "x.json:2:23: warning: scenarios.a: " + Self.single)
  }

  @Test func `a limit to one task is told once, and one that a sweep lifts not at all`() throws {
    let text = Fixture.text(
      scenarios: #""a": { "name": "habit-phases" }, "b": { "name": "habit-phases" }"#,
      #""training": { "epochs": 20, "tasks": 1 }"#)
    #expect(try warnings(text) == "x.json:4:40: warning: training.tasks: " + Self.single)
    let swept = Fixture.text(
      scenarios: #""a": { "name": "habit-phases", "phases": [0] }"#, Self.trained,
      #""sweep": { "grid": { "scenarios.a.phases": [[0], [0, 1]] } }"#)
    #expect(try warnings(swept) == "")
  }

  // MARK: - Data

  @Test func `a data set that is not there is told with how to get it`() throws {
    let folder = try TemporaryFolder()
    let text = Fixture.text(scenarios: #""a": { "name": "split", "dataset": "absent" }"#, Self.trained)
    #expect(
      try warnings(text, in: folder.path) == """
        x.json:2:53: warning: scenarios.a.dataset: data set "absent" is not there: looked for \(folder("absent")). There are \
        or could be \(KnownDataset.all.map(\.name).sorted().joined(separator: ", ")). Add your own with: palimpsest datasets add absent --from PATH|URL
        """)
    try Files.makeFolder(folder("absent"))
    #expect(try warnings(text, in: folder.path) == "")
    #expect(try warnings(text) == "")
  }
}
