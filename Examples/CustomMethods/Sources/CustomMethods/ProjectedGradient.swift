import Palimpsest

/// A-GEM: where the gradient would raise the mean loss of stored rows, the part of it that does is taken out.
///
/// It borrows rows from the memory and their gradient from the network.
/// - Time: the passes of the rows drawn, and three passes over the parameters.
public struct ProjectedGradient: GradientTransform {
  public static let name = "projected-gradient"
  public static let summary = "Keeps steps from raising the mean loss of stored rows."
  public static let source = "Chaudhry et al., \"Efficient lifelong learning with A-GEM\", ICLR 2019, equation 11."
  public static let takesMemory = true

  @Parameter("Stored rows a step.", .count) public var draw: Int = 64

  public init() {}

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    parts.contains { $0 is any Memory } ? nil : "it needs stored rows; put a memory such as \"reservoir\" beside it."
  }

  public mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    guard context.experience.index > 0, lender.count > 0 else { return }
    var reference = FloatBuffer(count: gradient.count)
    lender.gradient(of: lender.draw(draw), into: &reference)
    let (along, square) = (gradient.dot(reference), reference.dot(reference))
    if along < 0 && square > 0 { gradient.add(reference, times: Float(-along / square)) }
  }
}
