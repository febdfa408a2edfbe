/// A penalty that is a sum of squares, (strength / 2) · (Σ importance ∘ (θ − anchor)² + rest), stated by its `pull`; it may
/// keep the integral of the data gradient along the path. A learner then does pull, optimiser, θ += u and path integral in
/// one pass, with the same bits; the value it reports is summed in another order.
///
/// Law: the pull changes within `begin` and `consolidate` alone.
public protocol QuadraticPenalty: Penalty {}

/// A pull of the parameters towards an anchor. Parameters behind its end are not pulled.
public struct QuadraticPull: Sendable {
  public let importance: FloatBuffer
  public let anchor: FloatBuffer
  /// The gradient is strength · importance ∘ (θ − anchor).
  public let strength: Float
  /// What is added to Σ importance ∘ (θ − anchor)² and does not depend on θ.
  public let rest: Double

  /// - Returns: nil where there is no importance yet.
  public init?(importance: FloatBuffer, anchor: FloatBuffer, strength: Float, rest: Double = 0) {
    guard importance.count > 0 else { return nil }
    precondition(anchor.count == importance.count, "importance of \(importance.count), anchor of \(anchor.count)")
    self.importance = importance
    self.anchor = anchor
    self.strength = strength
    self.rest = rest
  }

  /// - Parameter sum: Σ importance ∘ (θ − anchor)².
  func value(_ sum: Double) -> Float { Float(Double(strength) / 2 * (sum + rest)) }
}

extension QuadraticPenalty {
  public func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    guard let pull else { return 0 }
    return pull.value(
      gradient.addPull(
        at: parameters, towards: pull.anchor, importance: pull.importance, strength: pull.strength))
  }

  public mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    _ = withPath { $0.subtractProduct(gradient, update) }
  }
}
