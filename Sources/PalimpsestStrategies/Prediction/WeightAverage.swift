import PalimpsestCore

/// Predicts with a moving average of the weights: θ̄ ← a θ̄ + (1 − a) θ after each step, a = min(decay, 1 − 1/(t + 1)) at step t from 1, so
/// that the average begins as the plain mean. Parameters that a task adds enter as they are.
///
/// - Memory: one float a parameter. Time: one pass over the parameters a step. Training does not see it.
/// - Source: Polyak & Juditsky 1992; the warm-up of the decay as in Tarvainen & Valpola 2017.
public struct WeightAverage: Predictor {
  public static let name = "weight-average"
  public static let summary = "Predicts with a moving average of the weights."
  public static let source =
    "Polyak & Juditsky 1992; Tarvainen & Valpola 2017 (the decay grows from that of the plain mean)."

  @Parameter("Share of the average that is kept in a step.", .within(0..<1)) public var decay: Double = 0.999

  private var average = FloatBuffer(count: 0)
  private var steps = 0

  public init() {}

  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: average) }

  public var parameters: FloatBuffer? { average.count == 0 ? nil : average }

  public mutating func observe(_ parameters: FloatBuffer, _ context: StepContext) {
    steps += 1
    let known = average.count
    if known < parameters.count {
      average.resize(to: parameters.count)
      for i in known..<parameters.count { average[i] = parameters[i] }
    }
    let share = Float(1 - min(decay, 1 - 1 / Double(steps + 1)))
    average.update(with: parameters) { mean, new in mean + share * (new - mean) }
  }
}

extension WeightAverage: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    (0...Int.max / 2).contains(steps) ? average.problem("the average", within: limits) : "\(steps) steps"
  }
}
