import PalimpsestCore

/// What an app does about a day's reminder.
public enum Decision: String, Sendable, Codable, CaseIterable {
  /// Sends one.
  case remind
  /// Sends none, not even one that was planned.
  case quiet
  /// Leaves things as they were planned.
  case nothing
}

/// Role: turns a probability into a decision.
///
/// Law: it sees p, what was decided, and outcomes that are known, and nothing else; randomness comes from the generator that it is handed. A
/// value whose `Codable` form is its state: saved and restored anywhere in a life, the same decisions follow from the same stream.
public protocol DecisionRule: Part {
  /// - Parameter p: of the habit's being kept, as the model has it. NaN: ``Decision/nothing``.
  mutating func decide(_ p: Double, using rng: inout Random) -> Decision
  /// The outcome of a day is known.
  /// - Parameters:
  ///   - isKept: what happened.
  ///   - p: with which it was decided.
  mutating func observe(_ isKept: Bool, after decision: Decision, at p: Double)
}

extension DecisionRule {
  public mutating func observe(_ isKept: Bool, after decision: Decision, at p: Double) {}
}

/// Every rule that ships: a new one adds its line here and nowhere else.
public let standardDecisionRules: [any DecisionRule.Type] = [ThresholdRule.self, ThompsonRule.self, EpsilonRule.self]

/// Reminds who would rather not keep the habit, and leaves alone who will.
///
/// Below `low` it reminds, above `high` it is quiet, between them, the ends included, it does nothing.
public struct ThresholdRule: DecisionRule {
  public static let name = "threshold"
  public static let summary = "Reminds below one probability, is quiet above another, and does nothing between them."
  public static let source =
    "The rule of the habit app that the project began with: remind below .4, suppress above .8."

  @Parameter("Probability below which a reminder is sent.", .within(0...1)) public var low: Double = 0.4
  @Parameter("Probability above which none is sent; below `low` it changes nothing.", .within(0...1)) public var high:
    Double = 0.8

  public init() {}

  public mutating func decide(_ p: Double, using rng: inout Random) -> Decision {
    p < low ? .remind : p > high ? .quiet : .nothing
  }
}
