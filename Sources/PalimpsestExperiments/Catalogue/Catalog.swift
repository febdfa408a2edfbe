import OrderedCollections
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestStrategies

/// Everything an experiment file can name: scenarios, strategy parts and optimisers.
///
///     let catalog = Catalog.standard.adding(L2Init.self)
public struct Catalog: Sendable {
  public private(set) var scenarios: OrderedDictionary<String, any Scenario.Type> = [:]
  public private(set) var parts: OrderedDictionary<String, any StrategyPart.Type> = [:]
  public private(set) var optimizers: OrderedDictionary<String, any Optimizer.Type> = [:]

  /// A catalogue of nothing.
  public init() {}

  /// Everything the toolkit ships.
  public static let standard = Catalog()
    .adding(all: standardScenarios)
    .adding(all: standardParts)
    .adding(all: standardOptimizers)

  /// The same catalogue with more parts.
  ///
  /// A name that is taken, or a part that plays no role or more than one, is a mistake in the program and stops it here.
  public func adding(_ types: any Part.Type...) -> Catalog { adding(all: types) }

  func adding(all types: [any Part.Type]) -> Catalog {
    var copy = self
    for type in types { copy.add(type) }
    return copy
  }

  private mutating func add(_ type: any Part.Type) {
    let roles = Role.allCases.filter { $0.isPlayed(by: type) }
    precondition(
      roles.count == 1,
      "\"\(type.name)\" plays \(roles.count) roles (\(roles.map(\.rawValue).joined(separator: ", "))); a part plays one"
    )
    precondition(
      scenarios[type.name] == nil && parts[type.name] == nil && optimizers[type.name] == nil,
      "the name \"\(type.name)\" is taken")
    switch type {
    case let scenario as any Scenario.Type: scenarios[type.name] = scenario
    case let optimizer as any Optimizer.Type: optimizers[type.name] = optimizer
    case let part as any StrategyPart.Type: parts[type.name] = part
    default: preconditionFailure("\"\(type.name)\" is neither a scenario nor a strategy part")
    }
  }
}

/// What a part does in the formula of a learner.
public enum Role: String, CaseIterable, Sendable {
  case scenario, memory
  case outputLoss = "output loss"
  case penalty
  case gradientTransform = "gradient transform"
  case isolation, optimizer, bound
  case wholeLearner = "whole learner"

  public func isPlayed(by type: any Part.Type) -> Bool {
    switch self {
    case .scenario: type is any Scenario.Type
    case .memory: type is any Memory.Type
    case .outputLoss: type is any OutputLoss.Type
    case .penalty: type is any Penalty.Type
    case .gradientTransform: type is any GradientTransform.Type
    case .isolation: type is any Isolation.Type
    case .optimizer: type is any Optimizer.Type
    case .bound: type is any Bound.Type
    case .wholeLearner: type is any WholeLearner.Type
    }
  }

  /// The one role a part of the catalogue plays.
  public init(of type: any Part.Type) {
    guard let role = Role.allCases.first(where: { $0.isPlayed(by: type) }) else {
      preconditionFailure("\"\(type.name)\" plays no role")
    }
    self = role
  }
}
