/// The cross-entropy of softmax outputs, or the logistic loss where there is one output: the loss of every strategy.
public struct CrossEntropy: OutputLoss {
  public static let name = "cross-entropy"
  public static let summary = "Softmax cross-entropy, or the logistic loss where there is one output."
  public static let source =
    "Textbook definition; a row's loss counts by its weight, and only the outputs asked for take part."

  private var scratch = Matrix(rows: 0, columns: 1)

  public init() {}

  public mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    if scratch.columns != logits.columns { scratch = Matrix(rows: 0, columns: logits.columns) }
    if scratch.rows < logits.rows { scratch.setRows(logits.rows) }
    let value = CrossEntropy.differentiate(logits, target, to: &scratch)
    gradient.addRows(target.rows, of: scratch)
    return value
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
