import PalimpsestCore

/// One parameter of an experiment.
public enum SettingTarget: Sendable, Hashable {
  case model(String)
  case training(String)
  case optimizer(String)
  case evaluation(String)
  case stream(String)
  case scenario(label: String, String)
  case strategy(label: String, part: String, String)
  case personal(String)
  case policy(label: String, String)
  case safeguard(label: String, String)

  /// True where the parameter belongs to the runs of that scenario and strategy.
  func concerns(_ scenario: String, _ strategy: String) -> Bool {
    switch self {
    case .model, .training, .optimizer, .evaluation, .stream, .personal, .policy, .safeguard: true
    case .scenario(let label, _): label == scenario
    case .strategy(let label, _, _): label == strategy
    }
  }

  /// The label of the scenario whose parameter it is; nil for any other.
  var scenario: String? {
    if case .scenario(let label, _) = self { label } else { nil }
  }

  /// The path that names it and nothing else.
  public var path: String {
    switch self {
    case .model(let key): "model." + key
    case .training(let key): "training." + key
    case .optimizer(let key): "training.optimizer." + key
    case .evaluation(let key): "evaluation." + key
    case .stream(let key): "stream." + key
    case .scenario(let label, let key): "scenarios.\(label).\(key)"
    case .strategy(let label, let part, let key): "strategies.\(label).\(part).\(key)"
    case .personal(let key): "personal." + key
    case .policy(let label, let key): "policies.\(label).\(key)"
    case .safeguard(let label, let key): "safeguards.\(label).\(key)"
    }
  }
}

extension Experiment {
  /// What is wrong with a value for a parameter; nil where nothing is.
  func problem(_ target: SettingTarget, _ value: ParameterValue) -> String? {
    type(of: target)?.problem(target.key, value)
  }

  /// How the parameter is declared.
  func declaration(_ target: SettingTarget) -> ParameterDeclaration? {
    type(of: target).flatMap { ParameterTable.of($0).declaration(target.key) }
  }

  /// What is wrong with a parameter that belongs to an entry of a list; nil where the file has the entry, or it is no such parameter.
  func lacksEntry(_ target: SettingTarget) -> String? {
    guard let path = EntryPath(target.key) else { return nil }
    let count = component(of: target)?.entries(of: path.list) ?? 0
    guard path.place >= count else { return nil }
    return "\"\(path.list)\" has \(count == 1 ? "one entry" : "\(count) entries") here, and places count from 0: "
      + "there is no \(path.place)"
  }

  /// What the file gives beside the parameter.
  private func component(of target: SettingTarget) -> Component? {
    switch target {
    case .model: model
    case .training: training
    case .evaluation: evaluation
    case .stream: stream
    case .optimizer: optimizer
    case .scenario(let label, _): scenarios[label]
    case .strategy(let label, let part, _): strategies[label]?.first { $0.name == part }
    case .personal: personal?.settings
    case .policy(let label, _): personal?.policies[label]
    case .safeguard(let label, _): personal?.safeguards[label]
    }
  }

  private func type(of target: SettingTarget) -> (any Configurable.Type)? {
    switch target {
    case .model: ModelSettings.self
    case .training: TrainingSettings.self
    case .evaluation: EvaluationSettings.self
    case .stream: StreamSettings.self
    case .optimizer: catalog.optimizers[optimizer.name]
    case .scenario(let label, _): catalog.scenarios[scenarios[label]?.name ?? ""]
    case .strategy(_, let part, _): catalog.parts[part]
    case .personal: PersonalSettings.self
    case .policy(let label, _): catalog.policies[personal?.policies[label]?.name ?? ""]
    case .safeguard(let label, _): catalog.safeguards[personal?.safeguards[label]?.name ?? ""]
    }
  }
}

extension SettingTarget {
  fileprivate var key: String {
    switch self {
    case .model(let key), .training(let key), .optimizer(let key), .evaluation(let key), .stream(let key),
      .scenario(_, let key), .strategy(_, _, let key), .personal(let key), .policy(_, let key),
      .safeguard(_, let key):
      key
    }
  }
}
