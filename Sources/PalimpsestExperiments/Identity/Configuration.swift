import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

/// One cell of an experiment: a scenario, a strategy and every setting, without the seed.
public struct Configuration: Sendable {
  public let scenarioLabel: String
  public let strategyLabel: String
  public var scenario: Component
  public var model: Component
  public var training: Component
  public var optimizer: Component
  public var strategy: [Component]
  public var evaluation: Component
  /// Of a run through a stream; nil: a run through tasks.
  public var stream: Component? = nil
  /// Of a run that goes on with single people; nil: any other.
  public var personal: PersonalCell? = nil

  mutating func set(_ target: SettingTarget, to value: ParameterValue) {
    switch target {
    case .model(let key): model.given[key] = value
    case .training(let key): training.given[key] = value
    case .optimizer(let key): optimizer.given[key] = value
    case .evaluation(let key): evaluation.given[key] = value
    case .stream(let key): stream?.given[key] = value
    case .scenario(_, let key): scenario.given[key] = value
    case .personal(let key): personal?.settings.given[key] = value
    case .policy(let label, let key):
      if personal?.policyLabel == label { personal?.policy.given[key] = value }
    case .safeguard(let label, let key):
      if personal?.safeguardLabel == label { personal?.safeguard.given[key] = value }
    case .strategy(_, let part, let key):
      for i in strategy.indices where strategy[i].name == part { strategy[i].given[key] = value }
    }
  }
}

/// A configuration with its settings read into the types that run.
public struct ResolvedConfiguration: Sendable {
  public let scenarioLabel: String
  public let strategyLabel: String
  public let scenario: any Scenario
  public let model: ModelSettings
  public let training: TrainingSettings
  public let optimizer: any Optimizer
  public let strategy: [any StrategyPart]
  public package(set) var evaluation: EvaluationSettings
  /// Of a run through a stream; nil: a run through tasks.
  public let stream: StreamSettings?
  /// Of a run that goes on with single people; nil: any other.
  public let personal: ResolvedPersonal?
}

extension ResolvedConfiguration {
  /// - Throws: an error where settings that were fine one by one do not make a part.
  package init(_ configuration: Configuration, _ catalog: Catalog) throws {
    self.init(
      scenarioLabel: configuration.scenarioLabel, strategyLabel: configuration.strategyLabel,
      scenario: try catalog.scenario(configuration.scenario),
      model: try ModelSettings(settings: configuration.model.given),
      training: try TrainingSettings(settings: configuration.training.given),
      optimizer: try catalog.optimizer(configuration.optimizer),
      strategy: try configuration.strategy.map { try catalog.part($0) },
      evaluation: try EvaluationSettings(settings: configuration.evaluation.given),
      stream: try configuration.stream.map { try StreamSettings(settings: $0.given) },
      personal: try configuration.personal.map { try ResolvedPersonal($0, catalog) })
  }

  /// Raised when the arithmetic of the engine changes results: it is part of every run's identity.
  public static let numericsVersion = 1

  /// The configuration as JSON, every default written out: what the results keep.
  public var record: JSONObject {
    var training = resolved(training)
    training["optimizer"] = partRecord(optimizer)
    var record = JSONObject([
      ("scenario", partRecord(scenario)),
      ("model", JSONValue(resolved(model))),
      ("training", JSONValue(training)),
      ("strategy", JSONValue(strategy.map { partRecord($0) })),
      ("evaluation", JSONValue(resolved(evaluation))),
    ])
    record["stream"] = stream.map { JSONValue(resolved($0)) }
    record["personal"] = personal.map { JSONValue(resolved($0.settings)) }
    record["policy"] = personal.map { partRecord($0.policy) }
    record["safeguard"] = personal.map { partRecord($0.safeguard) }
    record["numerics"] = JSONValue(ResolvedConfiguration.numericsVersion)
    return record
  }
}

/// A part as a record has it: name, revision, every setting.
package func partRecord(_ value: any Part) -> JSONValue {
  var object = JSONObject([
    ("name", JSONValue(type(of: value).name)), ("revision", JSONValue(type(of: value).revision)),
  ])
  for (key, member) in resolved(value).members { object[key] = member.value }
  return JSONValue(object)
}
