import HDF5
import PalimpsestMetrics
import Testing

@Test func `no run at all makes a cube that has its columns`() throws {
  let root = try CubeSweep().cube()
  #expect(try root.dataset("accuracy").shape() == [0, 0, 0])
  #expect(try root.dataset("forgetting").shape() == [0])
  #expect(try root.strings("strategy") == [])
  #expect(try root.attributes.number("complete", as: Int8.self) == 0)
  #expect(try root.attributes.number("runs_planned", as: Int64.self) == 1)
  #expect(try root.dataset("configuration_json").shape() == [1])
}

@Test func `one run of one task makes a cube`() throws {
  let sweep = try CubeSweep()
  try sweep.journal([("naive", 7, .completed([[0.75]]))])
  let root = try sweep.cube()
  #expect(try root.floats("accuracy") == [0.75])
  #expect(try root.doubles("average_accuracy") == [0.75])
  #expect(try root.doubles("forgetting")[0].isNaN)
  #expect(
    try root.dataset("forgetting").attributes.string("undefined_because") == "there is only one task")
}

@Test func `runs with fewer tasks are padded with NaN`() throws {
  let sweep = try CubeSweep(seeds: [7, 8])
  let short = RunRecord.completed([[0.75, 0.5], [0.25, 1]])
  try sweep.journal([("naive", 7, short), ("naive", 8, RunRecord.completed(threeTasks).withTruth)])
  let root = try sweep.cube()
  #expect(try root.integers("tasks") == [2, 3])
  let accuracy = try root.floats("accuracy")
  #expect(accuracy.count == 18)
  #expect(accuracy[0] == 0.75 && accuracy[1] == 0.5 && accuracy[3] == 0.25 && accuracy[4] == 1)
  #expect([2, 5, 6, 7, 8].allSatisfy { accuracy[$0].isNaN })
  #expect(try root.integers("curve_examples") == [-1, -1, -1, 160, 480, 800])
  #expect(try root.floats("curve_accuracy").prefix(9).allSatisfy(\.isNaN))
  #expect(try root.floats("cross_accuracy").prefix(9).allSatisfy(\.isNaN))
  #expect(try root.doubles("joint_ceiling")[0].isNaN)
}

@Test func `failed runs alone make a cube`() throws {
  let sweep = try CubeSweep(seeds: [7, 8, 9])
  try sweep.journal([
    ("naive", 7, .ended(.failed, "no \0 rows")), ("naive", 8, .ended(.diverged, "the loss is nan in step 3 of task 0")),
    ("naive", 9, .ended(.cancelled, "stopped")),
  ])
  let root = try sweep.cube()
  #expect(try root.dataset("accuracy").shape() == [3, 0, 0])
  #expect(try root.integers("status") == [1, 2, 3])
  #expect(try root.strings("error") == ["no \u{2400} rows", "the loss is nan in step 3 of task 0", "stopped"])
  #expect(try root.integers("tasks") == [0, 0, 0])
  #expect(try root.doubles("average_accuracy").allSatisfy(\.isNaN))
  #expect(try root.attributes.number("runs_failed", as: Int64.self) == 3)
  #expect(try root.attributes.number("complete", as: Int8.self) == 1)
}

@Test func `runs that are missing leave gaps in run`() throws {
  let sweep = try CubeSweep(seeds: [7, 8, 9])
  try sweep.journal([("naive", 9, .completed(threeTasks)), ("naive", 7, .completed(threeTasks))])
  let root = try sweep.cube()
  #expect(try root.integers("run") == [0, 2])
  #expect(try root.integers("seed") == [7, 9])
  #expect(try root.attributes.number("complete", as: Int8.self) == 0)
}

@Test func `a metric says why it is undefined, each reason once`() throws {
  let sweep = try CubeSweep(seeds: [7, 8, 9, 10])
  try sweep.journal([
    ("naive", 7, .completed(threeTasks)), ("naive", 8, .completed([[0.5]])), ("naive", 9, .completed([[0.6]])),
    ("naive", 10, .ended(.failed, "no rows")),
  ])
  let root = try sweep.cube()
  let forgetting = try root.dataset("forgetting")
  #expect(
    try forgetting.attributes.string("undefined_because") == "there is only one task; the run failed: no rows")
  #expect(try root.doubles("forgetting").map(\.isNaN) == [false, true, true, true])
  #expect(
    try root.dataset("intransigence").attributes.string("undefined_because")
      == "there is no joint run of the same scenario and seed to compare with; the run failed: no rows")
}

@Test func `a metric that all runs have gives no reason`() throws {
  let sweep = try CubeSweep()
  try sweep.journal([("naive", 7, .completed(threeTasks))])
  #expect(try !sweep.cube().dataset("forgetting").attributes.contains("undefined_because"))
}

@Test func `many reasons are counted, not listed`() throws {
  let sweep = try CubeSweep(seeds: Array(0..<12))
  try sweep.journal((0..<12).map { ("naive", $0, .ended(.failed, "reason \($0)")) })
  let text = try sweep.cube().dataset("forgetting").attributes.string("undefined_because")
  #expect(text.hasPrefix("the run failed: reason 0; "))
  #expect(text.hasSuffix("the run failed: reason 7; and 4 more reasons"))
}

@Test func `what no run knows is left out`() throws {
  let sweep = try CubeSweep()
  try sweep.journal([("naive", 7, .completed(threeTasks))])
  let names = try sweep.cube().datasetNames()
  #expect(!names.contains { $0.hasPrefix("expected_") || $0.hasPrefix("curve_") || $0.hasPrefix("drift_tv") })
  #expect(!names.contains("task_other") && !names.contains("evaluation") && !names.contains("bayes_accuracy"))
}

@Test func `a joint run of another seed is no reference`() throws {
  let sweep = try CubeSweep(
    strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [7, 8])
  try sweep.journal([
    ("naive", 7, .completed(threeTasks)), ("naive", 8, .completed(threeTasks)),
    ("joint", 8, .completed([[Double]](repeating: [0.9, 0.9, 0.9], count: 3))),
  ])
  let values = try sweep.cube().doubles("intransigence")
  #expect(values[0].isNaN && abs(values[1] - 0.1) < 1e-12 && values[2] == 0)
}

@Test func `a bound alone is the reference before one with further parts`() throws {
  let sweep = try CubeSweep(
    strategies: [
      ("naive", "[]"), ("joint+ewc", "[{\"name\": \"joint\"}, {\"name\": \"ewc\"}]"),
      ("joint", "[{\"name\": \"joint\"}]"),
    ], seeds: [7])
  func run(_ accuracy: Double) -> [[Double]] { [[Double]](repeating: [accuracy, accuracy, accuracy], count: 3) }
  try sweep.journal([
    ("naive", 7, .completed(run(0.5))), ("joint+ewc", 7, .completed(run(0.6))), ("joint", 7, .completed(run(0.9))),
  ])
  let values = try sweep.cube().doubles("intransigence")
  #expect(abs(values[0] - 0.4) < 1e-12 && abs(values[1] - 0.3) < 1e-12 && values[2] == 0)
}

@Test(arguments: [
  ["joint", "joint-continued", "joint-grown", "joint+ewc"], ["joint+ewc", "joint-grown", "joint-continued", "joint"],
  ["joint-grown", "joint-continued", "joint+ewc"], ["joint-continued", "joint+ewc", "joint-grown"],
])
func `the reference does not depend on the order of strategies, and the cube names it`(labels: [String]) throws {
  let bounds = [
    "joint": #"[{"name": "joint", "restart": true, "growBatch": false}]"#,
    "joint-continued": #"[{"name": "joint", "restart": false, "growBatch": true}]"#,
    "joint-grown": #"[{"name": "joint", "restart": true, "growBatch": true}]"#,
    "joint+ewc": #"[{"name": "joint", "restart": true, "growBatch": false}, {"name": "ewc"}]"#,
  ]
  let accuracies = ["joint": 0.9, "joint-continued": 0.8, "joint-grown": 0.7, "joint+ewc": 0.6]
  let expected = labels.contains("joint") ? "joint" : "joint-grown"  // One setting off its default, not two.
  let sweep = try CubeSweep(strategies: labels.map { ($0, bounds[$0] ?? "") } + [("naive", "[]")], seeds: [7])
  func run(_ accuracy: Double) -> RunRecord { .completed([[accuracy, accuracy], [accuracy, accuracy]]) }
  try sweep.journal(labels.map { ($0, 7, run(accuracies[$0] ?? 0)) } + [("naive", 7, run(0.5))])
  let root = try sweep.cube()
  let value = try #require(root.doubles("intransigence").last)
  #expect(abs(value - ((accuracies[expected] ?? 0) - 0.5)) < 1e-12)
  #expect(try root.dataset("intransigence").attributes.string("reference") == expected)
  #expect(try !root.dataset("intransigence_scratch").attributes.contains("reference"))
  #expect(try !root.dataset("forgetting").attributes.contains("reference"))
}

// MARK: - Hyper-parameters

private func column(_ name: String, _ kind: String) -> String {
  "{\"name\": \"\(name)\", \"kind\": \"\(kind)\", \"path\": \"a.\(name)\", \"help\": \"Help.\"}"
}

/// Two strategies, the second without the parameters.
private func hyperparameters(_ columns: [(String, [String: String])]) throws -> HDF5Group {
  let sweep = try CubeSweep(strategies: [("a", "[]"), ("b", "[]")], columns: columns)
  try sweep.journal([("a", 7, .completed(threeTasks)), ("b", 7, .completed(threeTasks))])
  return try sweep.cube()
}

@Test func `a parameter that a run lacks is NaN, −1 or nothing`() throws {
  let root = try hyperparameters([
    (column("x_rate", "number"), ["a": "0.5"]), (column("x_rows", "integer"), ["a": "3"]),
    (column("x_rule", "string"), ["a": "[16, 8]"]), (column("x_on", "bool"), ["a": "true"]),
    (column("x_every", "integer"), ["a": "null", "b": "4"]),
  ])
  let rate = try root.doubles("x_rate")
  #expect(rate[0] == 0.5 && rate[1].isNaN)
  #expect(try root.integers("x_rows") == [3, -1])
  #expect(try root.strings("x_rule") == ["[16,8]", ""])
  #expect(try root.integers("x_on") == [1, -1])
  #expect(try root.integers("x_every") == [-1, 4])
}

@Test func `truth values are bool only where all runs have one`() throws {
  let root = try hyperparameters([
    (column("some", "bool"), ["a": "false"]), (column("all", "bool"), ["a": "true", "b": "false"]),
  ])
  #expect(try root.dataset("all").attributes.string("dtype") == "bool")
  #expect(try root.integers("all") == [1, 0])
  #expect(try !root.dataset("some").attributes.contains("dtype"))
  #expect(try root.dataset("some").attributes.string("flag_meanings") == "none false true")
}

@Test func `a parameter cannot take a name of the schema`() throws {
  let root = try hyperparameters([(column("bytes_model", "integer"), ["a": "3", "b": "4"])])
  #expect(try root.integers("parameter_bytes_model") == [3, 4])
  #expect(try root.integers("bytes_model") == [400, 400])
  #expect(try root.attributes.string("coordinates").contains(" parameter_bytes_model "))
}
