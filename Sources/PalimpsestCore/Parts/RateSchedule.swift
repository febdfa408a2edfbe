/// How an optimiser's step size changes from step to step: the same choice for each of them.
///
/// With w steps of warm-up, step t (from 0) takes (t + 1)/w of the step size while t < w: the first step moves, and step w − 1 is
/// the first one at full size. Of the n steps in all T = n − w are left: step w + s takes floor + (1 − floor) · f(s/T) of it, with
/// f(x) = ½(1 + cos πx) for `cosine`, 1 − x for `linear`. Both begin at the full size; the floor would be reached by the
/// step behind the last. Where nobody knows n, as in a stream without an end, the step size stays.
///
/// - Source: Loshchilov & Hutter 2017 (SGDR), equation 5, with s/T in place of their T_cur/T_i; warm-up as in Goyal et al. 2017.
public struct RateSchedule: ParameterGroup {
  /// What follows the warm-up.
  public enum Shape: String, ParameterChoice {
    case constant, cosine, linear
  }

  /// The steps it runs over.
  public enum Span: String, ParameterChoice {
    case task, run
  }

  @Parameter("Whether the step size stays, or falls by half a cosine wave or a line.")
  public var schedule: Shape = .constant
  @Parameter("Whether schedule and warm-up begin anew with each task or run once over all of them.")
  public var scheduleOver: Span = .task
  @Parameter("Steps in which the step size rises; step t of w takes t/w of it.", .within(0...1_000_000_000))
  public var warmup: Int = 0
  @Parameter("Share of the step size towards which \"cosine\" and \"linear\" fall.", .within(0...1))
  public var floor: Double = 0

  public init() {}

  /// The share of the step size that a step takes: 1 at the defaults, more while an alarm boosts it.
  public func share(_ context: StepContext) -> Double {
    switch scheduleOver {
    case .task: share(at: StepPlace(step: context.step, steps: context.steps)) * context.rateFactor
    case .run: (context.run.map(share) ?? 1) * context.rateFactor
    }
  }

  /// The same at a place of the span.
  public func share(at place: StepPlace) -> Double {
    if place.step < warmup { return Double(place.step + 1) / Double(warmup) }
    guard let steps = place.steps, steps > warmup else { return 1 }
    let passed = min(1, Double(place.step - warmup) / Double(steps - warmup))
    switch schedule {
    case .constant: return 1
    case .cosine: return floor + (1 - floor) * (1 + Elementary.cos(.pi * passed)) / 2
    case .linear: return floor + (1 - floor) * (1 - passed)
    }
  }

  /// A step size at a step, in double: `rate` itself at the defaults. Inlined, for a call would copy the declarations each step.
  @inline(__always)
  func size(_ rate: Float, _ context: StepContext) -> Double {
    switch schedule {
    case .constant where warmup == 0: Double(rate) * context.rateFactor
    default: Double(rate) * share(context)
    }
  }
}

extension KeyedDecodingContainer {
  /// Optimisers that were saved before there were schedules have none: theirs is the default.
  func decode(_ type: RateSchedule.Type, forKey key: Key) throws -> RateSchedule {
    contains(key) ? try any(type, forKey: key) : RateSchedule()
  }

  private func any<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decode(type, forKey: key) }
}
