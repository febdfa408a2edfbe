import PalimpsestCore

/// Averaged gradient episodic memory: no step may raise the mean loss of stored rows, to first order.
///
/// With r the gradient of the mean loss of rows drawn from the memory, from the second task on: where g·r < 0,
/// g ← g − (g·r / r·r) r, so that g·r = 0 afterwards; else g stays as it is. Stored rows take the way and the outputs of their own
/// tasks, and are not replayed.
///
/// - Cost: a forward and a backward pass of the rows drawn, and two or three passes over the parameters. Memory: a float a parameter
///   to work in.
/// - Source: Chaudhry et al. 2019. Momentum may bring back what is taken out: the optimiser comes after.
public struct AveragedGradientMemory: GradientTransform {
  public static let name = "a-gem"
  public static let summary = "Projects the gradient so that the mean loss of stored rows does not rise."
  public static let source = "Chaudhry et al., \"Efficient lifelong learning with A-GEM\", ICLR 2019, equation 11."
  public static let takesMemory = true

  @Parameter("Stored rows whose gradient is taken in a step.", .count) public var draw: Int = 256

  private var reference = WorkingRoom(FloatBuffer(count: 0))

  public init() {}

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    if !parts.contains(where: { $0 is any Memory }) {
      return "it needs stored rows; put a memory such as \"reservoir\" beside it."
    }
    let replaying = parts.first { ($0 as? any OutputLoss)?.shares != nil }
    return replaying.map { "its rows are not replayed, which \"\(type(of: $0).name)\" needs; keep one of them." }
  }

  public mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    guard context.experience.index > 0, lender.count > 0 else { return }
    lender.gradient(of: lender.draw(draw), into: &reference.value)
    let along = gradient.dot(reference.value)
    let length = reference.value.dot(reference.value)
    if along < 0 && length > 0 { gradient.add(reference.value, times: Float(-along / length)) }
  }
}
