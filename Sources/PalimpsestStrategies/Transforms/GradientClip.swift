import PalimpsestCore

/// Scales a gradient that is longer than the limit down to it: g ← g · min(1, limit / ‖g‖), the norm taken over all
/// parameters.
///
/// - Cost: one or two passes over the parameters a step.
/// - Source: Pascanu, Mikolov & Bengio 2013.
public struct GradientClip: GradientTransform {
  public static let name = "clip"
  public static let summary = "Clips the gradient's global norm, penalties included."
  public static let source = "Pascanu, Mikolov & Bengio 2013. The norm is summed in double."

  @Parameter("The longest a gradient may be.", .above(0)) public var norm: Float = 1

  public init() {}

  public func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    let length = gradient.dot(gradient).squareRoot()
    if length > Double(norm) { gradient.scale(by: Float(Double(norm) / length)) }
  }
}
