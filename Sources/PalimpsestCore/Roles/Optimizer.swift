/// Role: u = opt(g), at a step that has its place among the steps of the task and of the run.
///
/// Law: one step equals the closed form.
public protocol Optimizer: StrategyPart {
  /// The gradient goes in, the update u (θ ← θ + u) comes out in its place.
  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext)
  /// Takes the step of ``update(_:at:_:)`` but for the arithmetic, which the fused pass does; nil: it does not know the rule.
  mutating func fusedRule(count: Int, _ context: StepContext) -> UpdateRule?
  /// Forgets its state: the next step is as the first.
  mutating func reset()
}

extension Optimizer {
  public mutating func fusedRule(count: Int, _ context: StepContext) -> UpdateRule? { nil }
}
