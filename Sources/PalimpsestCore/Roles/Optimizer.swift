/// Role: u = opt(g).
///
/// Law: one step equals the closed form.
public protocol Optimizer: StrategyPart {
  /// The gradient goes in, the update u (θ ← θ + u) comes out in its place.
  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer)
  /// Takes the step of ``update(_:at:)`` but for the arithmetic, which the fused pass does; nil: it does not know the rule.
  mutating func fusedRule(count: Int) -> UpdateRule?
  /// Forgets its state: the next step is as the first.
  mutating func reset()
}

extension Optimizer {
  public mutating func fusedRule(count: Int) -> UpdateRule? { nil }
}
