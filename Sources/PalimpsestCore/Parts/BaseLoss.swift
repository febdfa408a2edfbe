/// The loss that belongs to what a task's outputs stand for: logistic for yes or no, softmax cross-entropy for classes, logistic for each
/// output for any number of labels, half the squared error for values. Every learner has it; a part that replaces it adds it where it
/// wants it.
public struct BaseLoss: Sendable {
  private var room = DerivativeRoom()

  public init() {}

  /// Adds the derivative of the meant rows.
  /// - Returns: Σ weight · ℓ.
  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    room.add(logits, rows, to: &gradient, BaseLoss.differentiate)
  }

  /// The same value; the derivative takes the place of what the meant rows of `derivative` held.
  static func differentiate(_ logits: Matrix, _ rows: LossRows, to derivative: inout Matrix) -> Double {
    switch rows.target {
    case .binary, .classes: return CrossEntropy.differentiate(logits, rows, to: &derivative)
    case .multiLabel:
      derivative.clear(rows.rows)
      var loss = MultiLabelCrossEntropy()
      return loss.add(logits, rows, to: &derivative)
    case .values:
      derivative.clear(rows.rows)
      var loss = SquaredError()
      return loss.add(logits, rows, to: &derivative)
    }
  }
}

/// It keeps room to work in and nothing else.
extension BaseLoss: Codable {
  public init(from decoder: any Decoder) throws {}
  public func encode(to encoder: any Encoder) throws {}
}

/// Room for a derivative that takes the place of another, to be added to one instead.
struct DerivativeRoom: Sendable {
  private var matrix = Matrix(rows: 0, columns: 1)

  /// - Parameter differentiate: leaves the derivative of the meant rows in its last argument.
  /// - Returns: what that returns.
  mutating func add(
    _ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix,
    _ differentiate: (Matrix, LossRows, inout Matrix) -> Double
  ) -> Double {
    if matrix.columns != logits.columns { matrix = Matrix(rows: 0, columns: logits.columns) }
    if matrix.rows < logits.rows { matrix.setRows(logits.rows) }
    let value = differentiate(logits, rows, &matrix)
    gradient.addRows(rows.rows, of: matrix)
    return value
  }
}

/// Nothing of it is kept.
extension DerivativeRoom: Codable {
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {}
}
