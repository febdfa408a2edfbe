/// A pull of the parameters towards an anchor: (strength / 2) · (Σ importance ∘ (θ − anchor)² + rest). Parameters behind the end of
/// the two vectors are not pulled.
public struct QuadraticPull: Sendable {
  public let importance: FloatBuffer
  public let anchor: FloatBuffer
  /// The gradient is strength · importance ∘ (θ − anchor).
  public let strength: Float
  /// What is added to Σ importance ∘ (θ − anchor)² and does not depend on θ.
  public let rest: Double

  public init(importance: FloatBuffer, anchor: FloatBuffer, strength: Float, rest: Double = 0) {
    precondition(anchor.count >= importance.count, "importance of \(importance.count), anchor of \(anchor.count)")
    self.importance = importance
    self.anchor = anchor
    self.strength = strength
    self.rest = rest
  }

  /// Adds the gradient.
  /// - Returns: the value; 0 where nothing is important yet.
  public func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    guard importance.count > 0 else { return 0 }
    let sum = gradient.addPull(at: parameters, towards: anchor, importance: importance, strength: strength)
    return Float(QuadraticPull.value(sum, strength: strength, rest: rest))
  }

  /// Lends itself to a step: the same gradient, and the same value but for the order of its sum.
  package func lend(to step: FusedStep, _ body: (FusedStep) -> Double) -> Double {
    step.pull(importance: importance, anchor: anchor, strength: strength, rest: rest, body)
  }

  /// - Parameter sum: Σ importance ∘ (θ − anchor)².
  static func value(_ sum: Double, strength: Float, rest: Double) -> Double { Double(strength) / 2 * (sum + rest) }
}
