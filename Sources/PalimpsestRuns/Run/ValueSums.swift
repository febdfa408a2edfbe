import PalimpsestCore

/// Running sums over rows that have a value for each output; a value that is not known counts nothing.
struct ValueSums {
  private let isMultiLabel: Bool
  private var count = 0
  private var right = 0
  /// Of −ln p(label), output by output.
  private var loss = 0.0
  private var squares = 0.0
  private var magnitudes = 0.0

  init(_ target: TaskTarget) { if case .multiLabel = target { isMultiLabel = true } else { isMultiLabel = false } }

  /// - Parameters:
  ///   - logits: rows × outputs, −∞ for an output that cannot be answered.
  ///   - values: those of the logits' rows begin at `first`.
  mutating func add(_ logits: Matrix, _ values: Matrix, from first: Int) {
    for row in 0..<logits.rows {
      for column in 0..<logits.columns {
        let (z, value) = (Double(logits[row, column]), Double(values[first + row, column]))
        if value.isNaN { continue }
        count += 1
        if isMultiLabel { addLabel(z, value) } else { addValue(z - value) }
      }
    }
  }

  /// ln(1 + eᶻ) − y·z, safe for large |z|.
  private mutating func addLabel(_ z: Double, _ label: Double) {
    right += (z > 0) == (label == 1) ? 1 : 0
    loss += max(z, 0) + Elementary.log(1 + Elementary.exp(-abs(z))) - label * z
  }

  private mutating func addValue(_ error: Double) {
    squares += error * error
    magnitudes += abs(error)
  }

  var evaluation: Evaluation {
    let n = Double(count)
    if count == 0 { return Evaluation() }
    if isMultiLabel { return Evaluation(accuracy: Double(right) / n, logLoss: loss / n) }
    return Evaluation(
      errors: Evaluation.Errors(rootMeanSquare: (squares / n).squareRoot(), meanMagnitude: magnitudes / n))
  }
}
