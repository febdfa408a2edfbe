import PalimpsestCore

/// An update predicts in the dark beside the model in use, and is deployed when fresh rows have proven that it is better.
///
/// With x = loss(candidate) − loss(current) of each row that comes in, a ``BettingTest`` of the null hypothesis E[x | past] ≥ margin, "the update
/// does not gain more than −margin", runs for the k-th candidate at 6·level/(π²k²). Refuted, it is deployed: the probability that a life ever sees the
/// deployment of one that is not is at most `level`, at a look after each row. A candidate that has not proven itself in time is dropped. While one
/// is in the dark, results of other updates are dropped: a test that began anew with each would never end.
///
/// - Memory: a test. Time: O(1) a row.
public struct Shadow: Safeguard {
  public static let name = "shadow"
  public static let summary =
    "An update predicts in the dark until fresh rows have proven that it is better; only then it is deployed."
  public static let source =
    "Waudby-Smith & Ramdas, \"Estimating means of bounded random variables by betting\", JRSS B 2023; levels 6/(π²k²) as usual "
    + "where tests follow one another."

  @Parameter(
    "Mean difference of losses, update less model in use, that is to be refuted: 0 asks for a gain, .01 for no more harm than that.",
    .within(-1...1)) public var margin: Double = 0
  @Parameter("Probability of a wrong deployment in a whole life.", .between(0, 1)) public var level: Double = 0.05
  @Parameter("Days, of a row each, after which an update that has not proven itself is dropped.", .count) public
    var days: Int = 90
  @Parameter("What is compared: errors (0 or 1 a row), or Brier's score.") public var loss: PairedLoss = .error

  private var trials = BettingTrials()

  public var experts: [Expert] { [.personal, .candidate] }
  public var weights: [Double] { [1, 0] }

  public init() {}

  public mutating func judge(_ trial: Trial) -> Verdict {
    if let running = trials.test { return Verdict(.keep, evidence: running.wealth) }
    trials.begin(margin: margin)
    return Verdict(.shadow)
  }

  public mutating func observe(_ answers: [ExpertAnswer]) -> Verdict? {
    precondition(answers.count == 2, "\(answers.count) answers of 2 experts")
    guard let test = trials.observe(loss.difference(answers[1], minus: answers[0])) else { return nil }
    let isProven = test.refutes(level: trials.level(of: level))
    guard isProven || test.count >= days else { return nil }
    trials.end()
    return Verdict(isProven ? .deploy : .keep, evidence: test.wealth)
  }
}

extension Shadow: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard let test = trials.test else { return nil }
    return test.margin == margin && test.count < days
      ? nil : "\(test.count) days in the dark with margin \(test.margin)"
  }
}
