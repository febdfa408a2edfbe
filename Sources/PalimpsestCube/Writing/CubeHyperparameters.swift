import HDF5
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// One column a hyper-parameter. A run whose strategy or scenario has no such parameter, or holds null, has NaN, −1
/// or "".
extension CubeWriter {
  func writeHyperparameters() throws(HDF5Error) {
    let seen = pack.seen
    for (name, parameter) in zip(hyperparameterNames, plan.columns) {
      let values = plan.configurations.enumerated().map {
        seen.contains($0) ? $1.values[parameter.name] : nil
      }
      let dataset = try write(name, parameter, values)
      try dataset.attributes.set("config_path", clean(parameter.path))
    }
  }

  /// The columns' names. One that the schema has already (a part of somebody's own called `bytes` with a parameter
  /// `model`) gets a prefix.
  var hyperparameterNames: [String] {
    plan.columns.map { Cube.fixedNames.contains($0.name) ? "parameter_" + $0.name : $0.name }
  }

  /// - Parameter values: one a configuration; nil too where it has no run.
  private func write(
    _ name: String, _ parameter: HyperparameterColumn, _ values: [JSONValue?]
  ) throws(HDF5Error) -> HDF5Dataset {
    let help = clean(parameter.help)
    switch parameter.kind {
    case .integer: return try writeIntegers(name, help, values.map(\.?.int))
    case .number: return try column(name, help, fill: .nan, spread(values.map { $0?.double ?? .nan }))
    case .string: return try column(name, help, spread(values.map { $0?.columnText ?? "" }))
    case .bool: return try writeTruths(name, help, values.map(\.?.bool))
    }
  }

  /// One value a run, from one a configuration.
  private func spread<Value>(_ values: [Value]) -> [Value] { runs.map { values[$0.configuration] } }

  /// True where a configuration with runs has none.
  private func isMissing<Value>(_ values: [Value?]) -> Bool { pack.seen.contains { values[$0] == nil } }

  /// −1 is told to be missing only where a run has none: readers turn such columns into numbers with NaN.
  private func writeIntegers(_ name: String, _ help: String, _ values: [Int?]) throws(HDF5Error) -> HDF5Dataset {
    try column(name, help, fill: isMissing(values) ? -1 : nil, spread(values.map { Int64($0 ?? -1) }))
  }

  /// As `bool` where all runs have a value. With −1 among them that would read as true, so those columns are flags.
  private func writeTruths(_ name: String, _ help: String, _ values: [Bool?]) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try column(name, help, spread(values.map { value -> Int8 in value.map { $0 ? 1 : 0 } ?? -1 }))
    if isMissing(values) {
      try dataset.attributes.set("flag_values", [Int8(-1), 0, 1])
      try dataset.attributes.set("flag_meanings", "none false true")
    } else {
      try dataset.attributes.set("dtype", "bool")
    }
    return dataset
  }
}

extension JSONValue {
  /// A string as it is, null as nothing, anything else as JSON: `[16,8]`.
  fileprivate var columnText: String { isNull ? "" : string ?? compactText }
}

extension Cube {
  /// Names that no hyper-parameter may take: those of the schema.
  package static let fixedNames: Set<String> = {
    var names = columns.union(CubeAxes.names).union(standardMeasures.map(\.name.text))
    names.formUnion(["configuration_json", "provenance", "selection", "task_name", "task_naming"])
    for kind in AccuracyKind.allCases { names.formUnion(standardMetrics.map { $0.column(kind) }) }
    return names
  }()

  /// What each run is, how it ended, and where it was run: one value a run.
  static let columns: Set<String> = [
    "run_id", "config", "scenario", "strategy", "seed", "tasks", "status", "error", "started", "host", "worker",
    "instruction_set", "toolkit_version", "toolkit_commit", "git_commit", "task_names", "joint_run_id",
    "scratch_run_id",
  ]
}
