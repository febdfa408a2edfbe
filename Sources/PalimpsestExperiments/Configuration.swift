import Crypto
import PalimpsestCore
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

  mutating func set(_ target: SettingTarget, to value: ParameterValue) {
    switch target {
    case .model(let key): model.given[key] = value
    case .training(let key): training.given[key] = value
    case .optimizer(let key): optimizer.given[key] = value
    case .evaluation(let key): evaluation.given[key] = value
    case .scenario(_, let key): scenario.given[key] = value
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
  public let evaluation: EvaluationSettings

  public init(_ configuration: Configuration, _ catalog: Catalog) throws {
    scenarioLabel = configuration.scenarioLabel
    strategyLabel = configuration.strategyLabel
    scenario = try catalog.scenario(configuration.scenario)
    model = try ModelSettings(settings: configuration.model.given)
    training = try TrainingSettings(settings: configuration.training.given)
    optimizer = try catalog.optimizer(configuration.optimizer)
    strategy = try configuration.strategy.map { try catalog.part($0) }
    evaluation = try EvaluationSettings(settings: configuration.evaluation.given)
  }
}

// MARK: - Identity

extension ResolvedConfiguration {
  /// Raised when the arithmetic of the engine changes results: it is part of every run's identity.
  public static let numericsVersion = 1

  /// The configuration as JSON, every default written out: what the results keep.
  public var record: JSONObject { tree(includingDefaults: true) }

  /// What the run's identity hashes: values equal to the default are left out, so a new parameter invalidates nothing;
  /// labels, output and execution are left out too.
  var identityTree: JSONObject { tree(includingDefaults: false) }

  /// The first 128 bits of SHA-256 over the canonical JSON of identity tree and seed, in hex.
  public func runID(seed: Int) -> String { RunIdentity(self).runID(seed: seed) }

  private func tree(includingDefaults all: Bool) -> JSONObject {
    var training = resolved(training, includingDefaults: all)
    training["optimizer"] = part(optimizer, all)
    return JSONObject([
      ("scenario", part(scenario, all)),
      ("model", JSONValue(resolved(model, includingDefaults: all))),
      ("training", JSONValue(training)),
      ("strategy", JSONValue(strategy.map { part($0, all) })),
      ("evaluation", JSONValue(resolved(evaluation, includingDefaults: all))),
      ("numerics", JSONValue(ResolvedConfiguration.numericsVersion)),
    ])
  }

  private func part(_ value: any Part, _ all: Bool) -> JSONValue {
    var object = JSONObject([
      ("name", JSONValue(type(of: value).name)), ("revision", JSONValue(type(of: value).revision)),
    ])
    for (key, member) in resolved(value, includingDefaults: all).members { object[key] = member.value }
    return JSONValue(object)
  }
}

/// The identity of a configuration, ready to be joined with seeds.
public struct RunIdentity: Sendable {
  private let canonical: String

  public init(_ configuration: ResolvedConfiguration) {
    canonical = JSONValue(configuration.identityTree).canonicalText
  }

  /// The first 128 bits of SHA-256, in hex.
  public func runID(seed: Int) -> String {
    let text = "{\"configuration\":\(canonical),\"seed\":\(seed)}"
    return SHA256.hash(data: Array(text.utf8)).prefix(16).map { hexByte($0) }.joined()
  }
}

/// SHA-256 of bytes, in hex.
public func sha256(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).map { hexByte($0) }.joined() }

private func hexByte(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
