/// Settings or data that only show when a scenario is prepared.
public struct PreparationError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case settings, missing }

  public let kind: Kind
  /// The parameter to change, of a scenario by its label; nil: no single one is to blame.
  public let parameter: ScenarioParameter?
  /// What is wrong, without the parameter.
  public let problem: String

  init(kind: Kind, _ description: String) { (self.kind, parameter, problem) = (kind, nil, description) }

  init(_ parameter: ScenarioParameter, _ problem: String) {
    (kind, self.parameter, self.problem) = (.settings, parameter, problem)
  }

  public var description: String { parameter.map { "\($0.path): \(problem)" } ?? problem }
}

/// A parameter of one of an experiment's scenarios.
public struct ScenarioParameter: Sendable, Equatable {
  /// The scenario's.
  public let label: String
  /// Such as `tasks.column`.
  public let name: String

  /// Such as `scenarios.months.tasks.column`.
  public var path: String { "scenarios.\(label).\(name)" }
}
