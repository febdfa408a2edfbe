/// Role: a term Ω(θ) on the parameters, added to the loss.
///
/// Law: its gradient is the derivative of its value; it is never negative.
public protocol Penalty: StrategyPart {
  /// Adds ∂Ω/∂θ to the gradient.
  /// - Returns: Ω(θ).
  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float
  /// One step was taken.
  /// - Parameters:
  ///   - gradient: of the data loss alone, before penalties and transforms.
  ///   - update: the change of the parameters.
  mutating func observe(gradient: FloatBuffer, update: FloatBuffer)
}

extension Penalty {
  public mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {}
}
