/// Plain stochastic gradient descent.
public struct SGD: Optimizer {
  public static let name = "sgd"
  public static let summary = "Plain stochastic gradient descent."
  public static let source = "u = -rate (g + decay θ)."

  @Parameter("Step size.", .above(0)) public var rate: Float = 0.1
  @Parameter("Weight decay, added to the gradient as decay θ.", .atLeast(0)) public var decay: Float = 0
  public var schedule = RateSchedule()

  public init() {}

  public mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    gradient.becomeSGDUpdate(at: parameters, rate: Float(schedule.size(rate, context)), decay: decay)
  }

  public mutating func reset() {}
}

extension SGD: FusedPart {
  package mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    body(step.sgd(rate: Float(schedule.size(rate, context)), decay: decay))
  }
}
