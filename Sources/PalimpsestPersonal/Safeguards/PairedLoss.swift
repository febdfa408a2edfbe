import PalimpsestCore

/// What an answer costs where two models are compared: a number in [0, 1].
public enum PairedLoss: String, ParameterChoice {
  /// 1 where the likelier answer was not what happened, else 0.
  case error
  /// (1 − p)² with p of what happened: Brier's score of an outcome of two. NaN counts as the worst, 1.
  case brier

  /// - Returns: a number in [0, 1], whatever the answer holds.
  public func value(_ answer: ExpertAnswer) -> Double {
    guard self == .brier else { return answer.isRight ? 0 : 1 }
    guard !answer.likelihood.isNaN else { return 1 }
    let miss = 1 - min(1, max(0, answer.likelihood))
    return miss * miss
  }

  /// - Returns: in [−1, 1]; above 0: the first one was worse.
  public func difference(_ one: ExpertAnswer, minus other: ExpertAnswer) -> Double { value(one) - value(other) }
}
