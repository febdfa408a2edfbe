/// Role: a loss ℓ on logits.
///
/// Law: its gradient is the derivative of its value.
public protocol OutputLoss: StrategyPart {
  /// Adds the derivative with respect to the logits of the meant rows to the gradient.
  /// - Returns: the value, Σ weight · ℓ.
  mutating func add(_ logits: Matrix, _ target: LossTarget, to gradient: inout Matrix) -> Double
}

/// The rows a loss is asked for.
public struct LossTarget: Sendable {
  /// One a row of the logits: the right column (0 or 1 where there is one column). No meaning where rows have values.
  public var labels: [Int32]
  /// One a row of the logits.
  public var weights: [Float]
  /// The rows meant.
  public var rows: Range<Int>
  /// The columns that take part.
  public var outputs: Range<Int>
  /// What each output is to be, rows × columns of the logits; NaN where that is not known. Nil: rows have labels.
  public var values: Matrix?

  public init(
    labels: [Int32], weights: [Float], rows: Range<Int>, outputs: Range<Int>, values: Matrix? = nil
  ) {
    self.labels = labels
    self.weights = weights
    self.rows = rows
    self.outputs = outputs
    self.values = values
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
