import PalimpsestCore

/// An update is deployed where rows that were kept from training do not speak against it.
///
/// With the paired differences x = loss(candidate) − loss(current) of the latest rows that were kept, mean x̄ and deviation s (n − 1), it is deployed
/// - `mean`: where x̄ ≤ margin;
/// - `t`: where x̄ + z·s/√n ≤ margin;
/// - `bet`: where a ``BettingTest`` over them, the oldest first, refutes E[x | past] ≥ margin, for the k-th update at 6·level/(π²k²).
///
/// Rows too few for a verdict (none; for `t` one) keep the model in use. The verdict's evidence is x̄, the upper end, or the wealth.
///
/// It is here to be compared with: one row a day gives it neither data nor power. The mean lets harm pass; `t` and `bet` let hardly anything pass.
public struct HeldOut: Safeguard {
  public static let name = "held-out"
  public static let summary =
    "Deploys an update where it is no worse on the person's latest rows that were kept from training."
  public static let source =
    "The usual acceptance by a hold-out set; Student 1908 for t, with a fixed z in place of the quantile; Waudby-Smith & Ramdas, JRSS B "
    + "2023, for bet."

  /// How differences are judged.
  public enum Test: String, ParameterChoice {
    /// By their mean.
    case mean
    /// By the upper end of their mean's interval.
    case t
    /// By a betting test that has to prove a mean below the margin.
    case bet
  }

  @Parameter("Every so-manyth row is kept from training.", .within(2...1000)) public var every: Int = 4
  @Parameter("How much worse the update may be, in units of the loss.", .within(-1...1)) public var margin: Double = 0
  @Parameter("How many of the latest rows that were kept are looked at.", .count) public var last: Int = 15
  @Parameter(
    "What has to lie below the margin: the mean difference, the upper end of its interval (t), or it is proven by betting."
  )
  public var test: Test = .mean
  @Parameter("Standard errors from the mean to the interval's upper end; of t alone.", .atLeast(0)) public var z:
    Double = 1.645
  @Parameter("Probability of a wrong deployment in a whole life; of bet alone.", .between(0, 1)) public var level:
    Double = 0.05
  @Parameter("What is compared: errors (0 or 1 a row), or Brier's score.") public var loss: PairedLoss = .error

  /// Updates that were judged.
  private var judged = 0

  public var experts: [Expert] { [.personal] }
  public var weights: [Double] { [1] }
  public var heldOutEvery: Int? { every }

  public init() {}

  public mutating func judge(_ trial: Trial) -> Verdict {
    judged += 1
    let differences = zip(trial.candidate, trial.current).suffix(last).map { loss.difference($0, minus: $1) }
    if test == .bet { return bet(on: differences) }
    guard let evidence = test == .t ? upperEnd(differences) : mean(differences) else { return Verdict(.keep) }
    return Verdict(evidence <= margin ? .deploy : .keep, evidence: evidence)
  }

  private func mean(_ differences: [Double]) -> Double? {
    differences.isEmpty ? nil : differences.reduce(0, +) / Double(differences.count)
  }

  private func upperEnd(_ differences: [Double]) -> Double? {
    guard differences.count > 1, let mean = mean(differences) else { return nil }
    let n = Double(differences.count)
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    return mean + z * (variance / n).squareRoot()
  }

  /// Looked at behind every row, as such a test may be.
  private func bet(on differences: [Double]) -> Verdict {
    var test = BettingTest(margin: margin)
    let level = BettingTrials.level(of: level, trial: judged)
    for x in differences {
      test.observe(x)
      if test.refutes(level: level) { return Verdict(.deploy, evidence: test.wealth) }
    }
    return Verdict(.keep, evidence: test.wealth)
  }
}

extension HeldOut: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    (0...Int.max / 2).contains(judged) ? nil : "\(judged) updates judged"
  }
}
