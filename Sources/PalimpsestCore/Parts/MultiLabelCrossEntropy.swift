/// A logistic loss for each output, Σ_outputs ln(1 + eᶻ) − y z with y 0 or 1 (or a share between): any number of labels a row.
///
/// A label that is not known (NaN) counts nothing.
public struct MultiLabelCrossEntropy: OutputLoss {
  public static let name = "multi-label-cross-entropy"
  public static let summary = "A logistic loss for each output, summed: any number of labels a row."
  public static let source =
    "Textbook definition; summed over the outputs, not averaged, and a row's loss counts by its weight."

  public init() {}

  /// ln(1 + eᶻ) = max(z, 0) + ln(1 + e^−|z|): safe for large |z|.
  public mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    target.sum(logits, to: &gradient) { z, y in
      let small = Elementary.exp(-Double(z.magnitude))
      let probability = (z > 0 ? 1 : small) / (1 + small)
      let value = Double(max(z, 0)) + Elementary.log(1 + small) - Double(y) * Double(z)
      return (value, Float(probability - Double(y)))
    }
  }
}
