/// Half the squared distance between outputs and values, ½ Σ_outputs (z − y)²: the loss of regression. It is the negative
/// log-likelihood of normal noise with variance 1, up to a constant, and its derivative is z − y.
///
/// A value that is not known (NaN) counts nothing.
public struct SquaredError: OutputLoss {
  public static let name = "squared-error"
  public static let summary = "Half the squared distance between outputs and values: the loss of regression."
  public static let source =
    "Textbook definition, with the 1/2; summed over the outputs, a row's loss counts by its weight."

  public init() {}

  public mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    target.sum(logits, to: &gradient) { z, y in (value: 0.5 * Double(z - y) * Double(z - y), slope: z - y) }
  }
}

extension LossRows {
  /// Adds a loss that is a sum over the outputs that take part and whose values are known.
  /// - Returns: Σ weight · value.
  func sum(
    _ logits: Matrix, to gradient: inout Matrix, _ loss: (_ z: Float, _ y: Float) -> (value: Double, slope: Float)
  ) -> Double {
    guard let values else { preconditionFailure("rows with labels in a loss on values") }
    var sum = 0.0
    gradient.values.withMutableSpan { d in
      logits.values.withSpan { z in
        values.values.withSpan { y in
          for row in rows {
            let weight = weights[row]
            for i in (row * logits.columns + outputs.lowerBound)..<(row * logits.columns + outputs.upperBound)
            where !y[i].isNaN {
              let (value, slope) = loss(z[i], y[i])
              sum += Double(weight) * value
              d[i] += weight * slope
            }
          }
        }
      }
    }
    return sum
  }
}
