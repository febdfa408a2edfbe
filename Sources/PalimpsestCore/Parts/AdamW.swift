/// Adam with weight decay beside the moments: u = −η(m̂/(√v̂ + ε) + λθ).
///
/// Decay that is added to the gradient, as ``Adam`` does, is divided by √v̂ with it: weights with large gradients hardly decay.
/// Here every weight decays by the same share of itself, ηλ, where η follows the schedule.
///
/// - Memory: two floats a parameter.
public struct AdamW: Optimizer, AdamMoments {
  public static let name = "adamw"
  public static let summary = "Adam with weight decay beside its moments (decoupled)."
  public static let source =
    "Loshchilov & Hutter 2019, algorithm 2; decay is multiplied by the step size, as in PyTorch, not by the schedule alone."

  @Parameter("Step size η.", .above(0)) public var rate: Float = 0.001
  @Parameter("Decay of the first moment.", .within(0..<1)) public var beta1: Float = 0.9
  @Parameter("Decay of the second moment.", .within(0..<1)) public var beta2: Float = 0.999
  @Parameter("Added to the root of the second moment.", .above(0)) public var epsilon: Float = 1e-8
  @Parameter("Weight decay λ: a step takes rate · decay of each weight.", .atLeast(0)) public var decay: Float = 0.01
  public var schedule = RateSchedule()

  var first = FloatBuffer(count: 0)
  var second = FloatBuffer(count: 0)
  var power1 = 1.0
  var power2 = 1.0

  public init() {}

  public mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    advance(gradient.count)
    let size = schedule.size(rate, context)
    gradient.becomeAdamWUpdate(
      first: &first, second: &second, at: parameters, step: step(size), root: root, beta1: beta1, beta2: beta2,
      epsilon: epsilon, shrink: shrink(size))
  }

  /// ηλ
  private func shrink(_ size: Double) -> Float { Float(size * Double(decay)) }
}

extension AdamW: FusedPart {
  package mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    advance(step.count)
    let size = schedule.size(rate, context)
    return step.adamW(
      first: &first, second: &second, step: self.step(size), root: root, beta1: beta1, beta2: beta2, epsilon: epsilon,
      shrink: shrink(size), body)
  }
}
