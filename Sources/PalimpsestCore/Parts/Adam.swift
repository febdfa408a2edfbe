/// Adam: steps scaled by running moments of the gradient.
///
/// - Memory: two floats a parameter.
public struct Adam: Optimizer, AdamMoments {
  public static let name = "adam"
  public static let summary = "Adam: steps scaled by running moments of the gradient."
  public static let source = "Kingma & Ba 2015, algorithm 1; decay is added to the gradient (not decoupled)."

  @Parameter("Step size.", .above(0)) public var rate: Float = 0.001
  @Parameter("Decay of the first moment.", .within(0..<1)) public var beta1: Float = 0.9
  @Parameter("Decay of the second moment.", .within(0..<1)) public var beta2: Float = 0.999
  @Parameter("Added to the root of the second moment.", .above(0)) public var epsilon: Float = 1e-8
  @Parameter("Weight decay, added to the gradient as decay θ.", .atLeast(0)) public var decay: Float = 0
  public var schedule = RateSchedule()

  var first = FloatBuffer(count: 0)
  var second = FloatBuffer(count: 0)
  var power1 = 1.0
  var power2 = 1.0

  public init() {}

  public mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    advance(gradient.count)
    gradient.becomeAdamUpdate(
      first: &first, second: &second, at: parameters, step: step(schedule.size(rate, context)), root: root,
      beta1: beta1, beta2: beta2, epsilon: epsilon, decay: decay)
  }
}

extension Adam: FusedPart {
  package mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    advance(step.count)
    return step.adam(
      first: &first, second: &second, step: self.step(schedule.size(rate, context)), root: root, beta1: beta1,
      beta2: beta2, epsilon: epsilon, decay: decay, body)
  }
}
