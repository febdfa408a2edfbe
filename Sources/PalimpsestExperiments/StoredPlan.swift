import OrderedCollections
import PalimpsestCore

/// A plan as the results folder keeps it (`plan.json`): enough to collect and report without the experiment file or the
/// catalogue it was read with.
public struct StoredPlan: Sendable, Equatable {
  public var name: String
  public var question: String
  /// The experiment file as it was given.
  public var experimentText: String
  public var columns: [HyperparameterColumn]
  public var configurations: [StoredConfiguration]
  public var seeds: [Int]

  /// Runs in plan order: position, configuration, seed and id.
  public var runs: [PlannedRun] {
    configurations.enumerated().flatMap { index, configuration in
      zip(seeds, configuration.runIDs).enumerated().map { position, run in
        PlannedRun(index: index * seeds.count + position, configuration: index, seed: run.0, id: run.1)
      }
    }
  }
}

/// One configuration of a stored plan.
public struct StoredConfiguration: Sendable, Equatable {
  public var scenario: String
  public var strategy: String
  /// Values of hyper-parameter columns; a column that does not concern the configuration is not there.
  public var values: [String: JSONValue]
  /// The whole configuration without the seed, every default written out.
  public var record: JSONValue
  /// One a seed, in the order of the plan's seeds.
  public var runIDs: [String]
}

/// One hyper-parameter as a column of the results.
public struct HyperparameterColumn: Sendable, Equatable {
  public enum Kind: String, Sendable { case integer, number, bool, string }

  /// Such as `ewc_strength` or `training_epochs`.
  public var name: String
  public var kind: Kind
  /// Where it stands in an experiment file.
  public var path: String
  public var help: String
}

extension StoredPlan {
  public init(_ plan: Plan) {
    name = plan.experiment.name
    question = plan.experiment.question
    experimentText = plan.experiment.text
    seeds = plan.experiment.seeds
    var columns: OrderedDictionary<String, HyperparameterColumn> = [:]
    configurations = plan.configurations.map { configuration in
      var values: [String: JSONValue] = [:]
      for (column, value) in configuration.resolved.columns {
        columns[column.name] = column.merged(with: columns[column.name])
        values[column.name] = value
      }
      return StoredConfiguration(
        scenario: configuration.resolved.scenarioLabel, strategy: configuration.resolved.strategyLabel, values: values,
        record: JSONValue(configuration.resolved.record),
        runIDs: plan.experiment.seeds.map { configuration.identity.runID(seed: $0) })
    }
    self.columns = Array(columns.values)
  }
}

extension HyperparameterColumn {
  /// One column for the same parameter under several labels: its path then has `*` for the label. Two scenarios may use one
  /// name for different kinds: the column then holds numbers or text.
  fileprivate func merged(with other: HyperparameterColumn?) -> HyperparameterColumn {
    guard var column = other else { return self }
    if column.path != path {
      column.path = zip(column.path.split(separator: "."), path.split(separator: "."))
        .map { $0 == $1 ? String($0) : "*" }.joined(separator: ".")
    }
    if column.kind != kind {
      column.kind = [kind, column.kind].allSatisfy { $0 == .integer || $0 == .number } ? .number : .string
    }
    return column
  }

  fileprivate init(_ name: String, _ parameter: ParameterDeclaration, _ path: String) {
    self.init(
      name: name + "_" + parameter.name, kind: Kind(parameter.kind), path: path + "." + parameter.name,
      help: parameter.help)
  }
}

extension HyperparameterColumn.Kind {
  fileprivate init(_ kind: ParameterKind) {
    switch kind {
    case .integer: self = .integer
    case .number: self = .number
    case .bool: self = .bool
    case .string, .choice, .list: self = .string
    case .optional(let wrapped): self.init(wrapped)
    }
  }
}

extension ResolvedConfiguration {
  /// Every hyper-parameter of the configuration with its column.
  var columns: [(HyperparameterColumn, JSONValue)] {
    var result: [(HyperparameterColumn, JSONValue)] = []
    func add(_ value: some Configurable, _ name: String, _ path: String) {
      for parameter in value.parameters {
        result.append((HyperparameterColumn(name, parameter, path), JSONValue(parameter: parameter.value)))
      }
    }
    func addName(_ column: String, _ part: any Part, _ path: String, _ help: String) {
      let column = HyperparameterColumn(name: column, kind: .string, path: path, help: help)
      result.append((column, JSONValue(type(of: part).name)))
    }
    addName("scenario_name", scenario, "scenarios.\(scenarioLabel).name", "Scenario behind the label.")
    add(scenario, "scenario", "scenarios.\(scenarioLabel)")
    add(model, "model", "model")
    add(training, "training", "training")
    addName("optimizer", optimizer, "training.optimizer.name", "Optimiser.")
    add(optimizer, "optimizer", "training.optimizer")
    for part in strategy {
      add(part, columnName(type(of: part).name), "strategies.\(strategyLabel).\(type(of: part).name)")
    }
    add(evaluation, "evaluation", "evaluation")
    return result
  }
}

/// A part's name as a column begins with it: dashes would not do as an attribute in Python or R.
func columnName(_ name: String) -> String { String(name.map { $0 == "-" ? "_" : $0 }) }

// MARK: - JSON

extension StoredPlan {
  var json: JSONValue {
    JSONValue(
      JSONObject([
        ("format", JSONValue(1)), ("name", JSONValue(name)), ("question", JSONValue(question)),
        ("seeds", JSONValue(seeds.map { JSONValue($0) })),
        ("columns", JSONValue(columns.map(\.json))), ("configurations", JSONValue(configurations.map(\.json))),
        ("experiment", JSONValue(experimentText)),
      ]))
  }

  /// - Returns: nil where the JSON is no plan.
  init?(_ json: JSONValue) {
    guard json["format"]?.int == 1, let name = json["name"]?.string, let text = json["experiment"]?.string,
      let seeds = json["seeds"]?.array?.compactMap(\.int), let columns = json["columns"]?.array,
      let configurations = json["configurations"]?.array
    else { return nil }
    self.name = name
    question = json["question"]?.string ?? ""
    experimentText = text
    self.seeds = seeds
    self.columns = columns.compactMap(HyperparameterColumn.init)
    self.configurations = configurations.compactMap(StoredConfiguration.init)
  }
}

extension HyperparameterColumn {
  fileprivate var json: JSONValue {
    JSONValue(
      JSONObject([
        ("name", JSONValue(name)), ("kind", JSONValue(kind.rawValue)), ("path", JSONValue(path)),
        ("help", JSONValue(help)),
      ]))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
      let path = json["path"]?.string
    else { return nil }
    self.init(name: name, kind: kind, path: path, help: json["help"]?.string ?? "")
  }
}

extension StoredConfiguration {
  fileprivate var json: JSONValue {
    JSONValue(
      JSONObject([
        ("scenario", JSONValue(scenario)), ("strategy", JSONValue(strategy)),
        ("values", JSONValue(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))),
        ("configuration", record), ("runs", JSONValue(runIDs.map { JSONValue($0) })),
      ]))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let scenario = json["scenario"]?.string, let strategy = json["strategy"]?.string,
      let values = json["values"]?.object, let record = json["configuration"],
      let runs = json["runs"]?.array?.compactMap(\.string)
    else { return nil }
    self.init(
      scenario: scenario, strategy: strategy,
      values: Dictionary(uniqueKeysWithValues: values.members.map { ($0.key, $0.value.value) }), record: record,
      runIDs: runs)
  }
}
