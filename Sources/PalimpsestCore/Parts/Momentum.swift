/// Stochastic gradient descent with momentum.
public struct Momentum: Optimizer {
  public static let name = "momentum"
  public static let summary = "Stochastic gradient descent with (Nesterov) momentum."
  public static let source =
    "Polyak 1964, Nesterov 1983 in the form of Sutskever et al. 2013: v = momentum v + g, u = -rate v."

  @Parameter("Step size.", .above(0)) public var rate: Float = 0.1
  @Parameter("Share of the velocity kept in a step.", .within(0..<1)) public var momentum: Float = 0.9
  @Parameter("Look ahead by one step of the velocity.") public var nesterov: Bool = false
  @Parameter("Weight decay, added to the gradient as decay θ.", .atLeast(0)) public var decay: Float = 0
  public var schedule = RateSchedule()

  fileprivate(set) var velocity = FloatBuffer(count: 0)

  public init() {}

  public var bytes: Int { velocity.bytes }
  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: velocity) }

  public mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    velocity.resize(to: gradient.count)
    gradient.becomeMomentumUpdate(
      velocity: &velocity, at: parameters, rate: Float(schedule.size(rate, context)), momentum: momentum, decay: decay,
      nesterov: nesterov)
  }

  public mutating func reset() { velocity.fill(0) }
  public mutating func forget(_ ranges: [Range<Int>]) { velocity.clear(ranges) }
}

extension Momentum: FusedPart {
  package mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    velocity.resize(to: step.count)
    return step.momentum(
      velocity: &velocity, rate: Float(schedule.size(rate, context)), momentum: momentum, decay: decay,
      nesterov: nesterov, body)
  }
}
