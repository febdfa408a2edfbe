import PalimpsestCube
import PalimpsestMetrics
import Testing

private let ewc = """
  {"name": "ewc_strength", "kind": "number", "path": "strategies.ewc.ewc.strength", "help": "Weight."}
  """

/// Two seeds of naive, EWC and joint; all know the truth.
private func golden() throws -> CubeSweep {
  let sweep = try CubeSweep(
    strategies: [("naive", "[]"), ("ewc", "[{\"name\": \"ewc\"}]"), ("joint", "[{\"name\": \"joint\"}]")],
    seeds: [7, 8], columns: [(ewc, ["ewc": "1e2"])])
  let flat = [[Double]](repeating: [0.9, 0.9, 0.9], count: 3)
  try sweep.journal(
    [7, 8].flatMap { seed in
      [("naive", threeTasks), ("ewc", threeTasks), ("joint", flat)].map { label, accuracy in
        (strategy: label, seed: seed, record: RunRecord.completed(accuracy).withTruth)
      }
    })
  return sweep
}

/// Every dataset of the schema with its dimensions and its type, hyper-parameters and metrics aside.
private let schema: [(names: String, dimensions: [String], type: String)] = [
  ("run", ["run"], "int32"), ("after_task", ["after_task"], "int32"), ("task", ["task"], "int32"),
  ("evaluation", ["evaluation"], "int32"),
  (
    "run_id scenario strategy error host worker instruction_set toolkit_version toolkit_commit git_commit joint_run_id",
    ["run"],
    "strings"
  ),
  ("config tasks cost_revision task_names", ["run"], "int32"), ("status", ["run"], "int8"),
  ("seed steps examples multiply_adds", ["run"], "int64"),
  ("bytes_model bytes_optimizer bytes_importance bytes_memory", ["run"], "int64"),
  ("started time_total time_train time_evaluate", ["run"], "float64"),
  ("joint_ceiling tracker_accuracy ambiguity_gap", ["run"], "float64"),
  ("accuracy expected_accuracy log_loss", ["run", "after_task", "task"], "float32"),
  ("accuracy_before expected_accuracy_before bayes_accuracy", ["run", "task"], "float32"),
  ("cross_accuracy drift_tv drift_hellinger", ["run", "task", "task_other"], "float32"),
  ("curve_accuracy expected_curve_accuracy", ["run", "evaluation", "task"], "float32"),
  ("curve_examples", ["run", "evaluation"], "int64"), ("curve_task", ["run", "evaluation"], "int32"),
  ("time_task", ["run", "after_task"], "float32"), ("configuration_json", ["configuration"], "strings"),
  ("task_name", ["task_naming", "task"], "strings"),
]

/// Metrics of the schema's own list; the others have further names.
private let metrics = """
  average_accuracy average_incremental_accuracy forgetting backward_transfer forward_transfer learning_accuracy \
  intransigence min_accuracy worst_case_accuracy normalised_retention forgetting_first_last forgetting_all_rows \
  backward_transfer_all_pairs forward_transfer_upper
  """.split(separator: " ").map(String.init)

@Test func `every name of the schema is there, with its dimensions and type`() throws {
  let root = try golden().cube()
  for entry in schema {
    for name in entry.names.split(separator: " ").map(String.init) {
      let dataset = try root.dataset(name)
      #expect(try dataset.dimensionNames() == entry.dimensions, "\(name)")
      #expect(try dataset.element().description == entry.type, "\(name)")
    }
  }
  for name in metrics + metrics.map({ "expected_" + $0 }) + ["ewc_strength"] {
    let dataset = try root.dataset(name)
    #expect(try dataset.dimensionNames() == ["run"], "\(name)")
    #expect(try dataset.element() == .float(bits: 64), "\(name)")
  }
  #expect(try root.groupNames() == ["provenance"])
  #expect(
    try root.group("provenance").datasetNames() == ["cpu", "cores", "os", "swift", "command", "experiment_json"])
}

@Test func `nothing else is there`() throws {
  let known = Set(
    schema.flatMap { $0.names.split(separator: " ").map(String.init) } + [
      "task_other", "configuration", "task_naming", "ewc_strength",
    ]
      + AccuracyKind.allCases.flatMap { kind in standardMetrics.map { $0.column(kind) } })
  #expect(try Set(golden().cube().datasetNames()) == known)
  #expect(known.subtracting(["ewc_strength"]).isSubset(of: Cube.fixedNames))
}

@Test func `everything has a long name, numbers have units, metrics say what they are`() throws {
  let root = try golden().cube()
  let bare: Set = ["task_other", "configuration", "task_naming"]
  for name in try root.datasetNames() where !bare.contains(name) {
    let dataset = try root.dataset(name)
    #expect(try !dataset.attributes.string("long_name").isEmpty, "\(name)")
    #expect(try dataset.attributes.contains("units") == (dataset.element() != .string), "\(name)")
  }
  for metric in standardMetrics {
    let attributes = try root.dataset(metric.column(.expected)).attributes
    #expect(try attributes.string("definition") == metric.definition)
    #expect(try attributes.string("source") == metric.source)
    #expect(try attributes.number("_FillValue", as: Double.self).isNaN)
  }
  #expect(try root.dataset("ewc_strength").attributes.string("config_path") == "strategies.ewc.ewc.strength")
  #expect(try root.dataset("started").attributes.string("units") == "seconds since 1970-01-01T00:00:00Z")
  #expect(try root.dataset("started").attributes.string("calendar") == "proleptic_gregorian")
  #expect(try root.dataset("status").attributes.numbers("flag_values", as: Int8.self) == [0, 1, 2, 3])
  #expect(try root.dataset("status").attributes.string("flag_meanings") == "completed failed diverged cancelled")
}

@Test func `the root says what the file is`() throws {
  let attributes = try golden().cube().attributes
  let expected = [
    "Conventions": "CF-1.10", "title": "sweep", "question": "Réplay?", "source": "Palimpsest 0.1.0",
    "history": "2026-01-01T00:00:00Z collect", "palimpsest_schema": "results/1",
    "coordinates": "run_id config scenario strategy seed ewc_strength tasks status",
  ]
  for (name, value) in expected { #expect(try attributes.string(name) == value) }
  for (name, value) in ["runs_planned": 6, "runs_completed": 6, "runs_failed": 0] as [String: Int64] {
    #expect(try attributes.number(name, as: Int64.self) == value)
  }
  #expect(try attributes.number("complete", as: Int8.self) == 1)
  #expect(try attributes.string("experiment_id").count == 32)
}

@Test func `columns hold what the runs measured, in the order of the plan`() throws {
  let root = try golden().cube()
  #expect(try root.integers("run") == [0, 1, 2, 3, 4, 5])
  #expect(try root.integers("config") == [0, 0, 1, 1, 2, 2])
  #expect(try root.strings("strategy") == ["naive", "naive", "ewc", "ewc", "joint", "joint"])
  #expect(try root.integers("seed") == [7, 8, 7, 8, 7, 8])
  #expect(try root.strings("run_id")[3] == "id-ewc-8")
  let strength = try root.doubles("ewc_strength")
  #expect(strength[0].isNaN && strength[2] == 100 && strength[4].isNaN)
  #expect(try root.integers("multiply_adds") == [Int64](repeating: 1 << 40, count: 6))
  #expect(try root.integers("bytes_importance")[0] == 401)
  #expect(try root.doubles("started")[5] == 1_700_000_000.5)
  #expect(try root.strings("provenance/experiment_json") == ["{ \"name\": \"sweep\" } // é"])
  #expect(try root.strings("configuration_json")[1].contains("\"strategy\":[{\"name\":\"ewc\"}]"))
}

@Test func `arrays hold run, after task, task in that order`() throws {
  let root = try golden().cube()
  #expect(try Array(root.floats("accuracy").prefix(9)) == threeTasks.joined().map { Float($0) })
  #expect(try root.floats("log_loss")[1] == Float(1 - 0.5))
  #expect(try root.floats("expected_accuracy")[1] == Float(0.5 - 0.01))
  // Row j is the rule, column k the task it is tried on: C[1,2] = 0.12.
  #expect(try root.floats("cross_accuracy")[5] == 0.12)
  #expect(try Array(root.integers("curve_examples").prefix(3)) == [160, 480, 800])
  #expect(try Array(root.integers("curve_task").prefix(3)) == [0, 1, 2])
  #expect(try root.floats("curve_accuracy")[4] == 0.8)
  #expect(try Array(root.floats("time_task").prefix(3)) == [0.25, 1.25, 2.25])
}

@Test func `metrics are those worked by hand`() throws {
  let root = try golden().cube()
  func near(_ name: String, _ value: Double) throws {
    #expect(try abs(root.doubles(name)[0] - value) < 1e-12, "\(name)")
  }
  try near("average_accuracy", 0.6)
  try near("expected_average_accuracy", 0.59)
  try near("forgetting", 0.3)
  try near("backward_transfer", -0.3)
  // R[0,1] and R[1,2] are 0.5, as the untrained network.
  try near("forward_transfer", 0)
  try near("learning_accuracy", 0.8)
  // Joint has 0.9 on each task: (0 + 0.1 + 0.2)/3.
  try near("intransigence", 0.1)
  // The tracker has (0.20 + 0.21 + 0.22)/3 = 0.21: (0.6 − 0.21)/(0.85 − 0.21).
  try near("normalised_retention", 0.39 / 0.64)
  try near("tracker_accuracy", 0.21)
  try near("ambiguity_gap", 0.1)
  #expect(try root.doubles("intransigence")[4] == 0)
}
