/// Role: u = opt(g), at a step that has its place among the steps of the task and of the run.
///
/// Law: one step equals the closed form.
public protocol Optimizer: StrategyPart {
  /// The gradient goes in, the update u (θ ← θ + u) comes out in its place.
  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext)
  /// Forgets its state: the next step is as the first.
  mutating func reset()
  /// Forgets what it keeps of some parameters, which were given other values: for them the next step is as if no gradient had been.
  mutating func forget(_ ranges: [Range<Int>])
}

extension Optimizer {
  public mutating func forget(_ ranges: [Range<Int>]) {}
}
