/// Role: a loss ℓ on logits, beside the loss that belongs to the task's target or in its place.
///
/// It sees logits and what stands behind them (``LossRows``): labels or values, which rows came back from memory, and, where it asks for
/// them, inputs, features, the logits that were stored with the rows, and what teachers say of them.
///
/// Law: its gradient is the derivative of its value; rows and columns that are not meant keep theirs.
public protocol OutputLoss: StrategyPart {
  /// True where no loss is added beside this one: it adds ``BaseLoss`` itself as far as it wants it. One part of a strategy may.
  static var replacesBase: Bool { get }
  /// What is made for it beside logits, labels and weights, and only then. ``LossViews/answers`` has memories keep logits.
  var views: LossViews { get }
  /// Networks whose logits it wants of every row: a forward pass each, charged to it.
  var teachers: [Teacher] { get }
  /// How new and stored rows count in the base loss, and how often rows are drawn; nil leaves that to the memory. One part may say so.
  var shares: ReplayShares? { get }
  /// Adds the derivative with respect to the logits of the meant rows to the gradient.
  /// - Returns: the value, Σ weight · ℓ.
  mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double
}

extension OutputLoss {
  public static var replacesBase: Bool { false }
  public var views: LossViews { [] }
  public var teachers: [Teacher] { [] }
  public var shares: ReplayShares? { nil }
}

/// What a loss may have made for it.
public struct LossViews: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``LossRows/inputs``.
  public static let inputs = LossViews(rawValue: 1)
  /// ``LossRows/features``.
  public static let features = LossViews(rawValue: 2)
  /// ``LossRows/answers``: rows are stored with their logits as they were in the forward pass, before the update.
  public static let answers = LossViews(rawValue: 4)
}

/// How the rows of a step count in the base loss: the mean over the new rows times `new`, and for each of several independent draws
/// from memory the mean over its rows times a share. A share of 0 brings rows that other terms look at.
public struct ReplayShares: Sendable, Hashable {
  public var new: Double
  public var draws: [Double]

  public init(new: Double = 1, draws: [Double]) {
    self.new = new
    self.draws = draws
  }
}

/// A network that is asked and not trained: parameters as they were, and the way through them.
public struct Teacher: Sendable, Codable {
  public let parameters: FloatBuffer
  public let way: Program

  /// - Parameters:
  ///   - parameters: a copy, which later steps don't reach.
  public init(parameters: FloatBuffer, way: Program) {
    self.parameters = parameters
    self.way = way
  }
}

extension Teacher: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    parameters.problem("a teacher", within: limits)
      ?? way.problem(
        inputs: limits.columns ?? way.widths[0], outputs: limits.outputs ?? way.outputs.upperBound,
        parameters: parameters.count)
  }
}

/// Which outputs take part in a row's loss: class-incremental results hang on it.
public enum OutputRule: String, ParameterChoice {
  /// All of them from the start.
  case all
  /// Those of the tasks seen so far.
  case seen
  /// Those of the row's own task.
  case current
}
