/// Role: g ← T(g), after the penalties and before the optimiser.
///
/// Law: 0 stays 0; the same gradient, with the same lent rows, gives the same result; the length stays.
public protocol GradientTransform: StrategyPart {
  /// True where it looks at the memory's rows: they serve it alone and are not replayed.
  static var takesMemory: Bool { get }
  /// - Parameter lender: rows of the memory, and gradients of any rows.
  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext)
}

extension GradientTransform {
  public static var takesMemory: Bool { false }
}
