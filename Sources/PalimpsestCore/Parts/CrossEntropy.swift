/// The cross-entropy of softmax outputs, or the logistic loss where there is one output: what ``BaseLoss`` takes for rows with one label.
public struct CrossEntropy: OutputLoss {
  public static let name = "cross-entropy"
  public static let summary = "Softmax cross-entropy, or the logistic loss where there is one output."
  public static let source =
    "Textbook definition; a row's loss counts by its weight, and only the outputs asked for take part."

  private var room = DerivativeRoom()

  public init() {}

  public mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    room.add(logits, target, to: &gradient, CrossEntropy.differentiate)
  }

  /// The same value; the derivative takes the place of what the meant rows of `derivative` held.
  static func differentiate(_ logits: Matrix, _ target: LossRows, to derivative: inout Matrix) -> Double {
    logits.columns == 1
      ? logits.sigmoidCrossEntropy(
        labels: target.labels, weights: target.weights, rows: target.rows, gradient: &derivative)
      : logits.softmaxCrossEntropy(
        labels: target.labels, weights: target.weights, over: target.outputs, rows: target.rows, gradient: &derivative)
  }
}
