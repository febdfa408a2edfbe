/// Role: g ← T(g), after the penalties and before the optimiser.
///
/// Law: 0 stays 0; the same gradient gives the same result.
public protocol GradientTransform: StrategyPart {
  mutating func transform(_ gradient: inout FloatBuffer, _ context: StepContext)
}
