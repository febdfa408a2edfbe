/// Role: u = opt(g).
///
/// Law: one step equals the closed form.
public protocol Optimizer: StrategyPart {
  /// The gradient goes in, the update u (θ ← θ + u) comes out in its place.
  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer)
  /// Forgets its state: the next step is as the first.
  mutating func reset()
}
