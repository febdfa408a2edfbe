import OrderedCollections
import PalimpsestCore

/// Collects the columns of all configurations, in the order in which they are first met.
struct ColumnTable {
  private var known: OrderedDictionary<String, HyperparameterColumn> = [:]

  var columns: [HyperparameterColumn] { Array(known.values) }

  mutating func add(_ configuration: ResolvedConfiguration) {
    for column in configuration.columns { known[column.name] = column.merged(with: known[column.name]) }
  }
}

extension HyperparameterColumn {
  /// One column for the same parameter under several labels: its path then has `*` for the label. Two scenarios may use
  /// one name for different kinds: the column then holds numbers or text.
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
      name: name + "_" + columnName(parameter.name), kind: Kind(parameter.kind), path: path + "." + parameter.name,
      help: parameter.help)
  }
}

extension HyperparameterColumn.Kind {
  fileprivate init(_ kind: ParameterKind) {
    switch kind {
    case .integer, .entries: self = .integer
    case .number: self = .number
    case .bool: self = .bool
    case .string, .choice, .list, .object: self = .string
    case .optional(let wrapped): self.init(wrapped)
    }
  }
}

extension ResolvedConfiguration {
  /// The column of every hyper-parameter of the configuration.
  fileprivate var columns: [HyperparameterColumn] {
    var result: [HyperparameterColumn] = []
    func add(_ value: some Configurable, _ name: String, _ path: String) {
      for parameter in value.parameters { result.append(HyperparameterColumn(name, parameter, path)) }
    }
    func addName(_ column: String, _ path: String, _ help: String) {
      result.append(HyperparameterColumn(name: column, kind: .string, path: path, help: help))
    }
    addName("scenario_name", "scenarios.\(scenarioLabel).name", "Scenario behind the label.")
    add(scenario, "scenario", "scenarios.\(scenarioLabel)")
    add(model, "model", "model")
    add(training, "training", "training")
    addName("optimizer", "training.optimizer.name", "Optimiser.")
    add(optimizer, "optimizer", "training.optimizer")
    for part in strategy {
      add(part, columnName(type(of: part).name), "strategies.\(strategyLabel).\(type(of: part).name)")
    }
    add(evaluation, "evaluation", "evaluation")
    if let stream { add(stream, "stream", "stream") }
    guard let personal else { return result }
    addName("policy", "policies", "Label of the update policy in the experiment file.")
    addName("safeguard", "safeguards", "Label of the safeguard in the experiment file.")
    add(personal.settings, "personal", "personal")
    addName("policy_name", "policies.\(personal.policyLabel).name", "Update policy behind the label.")
    add(personal.policy, "policy", "policies.\(personal.policyLabel)")
    addName("safeguard_name", "safeguards.\(personal.safeguardLabel).name", "Safeguard behind the label.")
    add(personal.safeguard, "safeguard", "safeguards.\(personal.safeguardLabel)")
    return result
  }
}

/// The name of a part or of a parameter as a column has it: dashes, and the dots of nested parameters, would not do as an
/// attribute in Python or R.
func columnName(_ name: String) -> String {
  func isApart(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }
  return name.utf8.contains(where: isApart) ? String(name.map { $0 == "-" || $0 == "." ? "_" : $0 }) : name
}
