import PalimpsestCore

/// Every update is deployed; the model before it goes on predicting in the dark, and comes back when the update has proven worse.
///
/// With x = loss(snapshot) − loss(personal) of each row that comes in, a ``BettingTest`` of the null hypothesis E[x | past] ≥ −margin, "the update is no
/// worse than by the margin", runs behind the k-th deployment at 6·level/(π²k²), until the next deployment. Refuted, the snapshot is the personal model
/// again: the probability that a life ever sees an update rolled back that was no worse is at most `level`. Each deployment has a test of its
/// own, so updates that come often leave it few rows: seven days prove nothing.
///
/// - Memory: a test. Time: O(1) a row.
public struct Rollback: Safeguard {
  public static let name = "rollback"
  public static let summary =
    "Every update is deployed, and taken back when fresh rows have proven that it is worse than what was before."
  public static let source =
    "Waudby-Smith & Ramdas, \"Estimating means of bounded random variables by betting\", JRSS B 2023; levels 6/(π²k²) as usual "
    + "where tests follow one another."

  @Parameter("How much worse an update may be, in units of the loss.", .within(0...1)) public var margin: Double = 0
  @Parameter("Probability of a wrong return in a whole life.", .between(0, 1)) public var level: Double = 0.05
  @Parameter("What is compared: errors (0 or 1 a row), or Brier's score.") public var loss: PairedLoss = .error

  private var trials = BettingTrials()

  public var experts: [Expert] { [.personal, .snapshot] }
  public var weights: [Double] { [1, 0] }

  public init() {}

  public mutating func judge(_ trial: Trial) -> Verdict {
    trials.begin(margin: -margin)
    return Verdict(.deploy)
  }

  public mutating func observe(_ answers: [ExpertAnswer]) -> Verdict? {
    precondition(answers.count == 2, "\(answers.count) answers of 2 experts")
    guard let test = trials.observe(loss.difference(answers[1], minus: answers[0])),
      test.refutes(level: trials.level(of: level))
    else { return nil }
    trials.end()
    return Verdict(.rollBack, evidence: test.wealth)
  }
}

extension Rollback: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard let test = trials.test else { return nil }
    return test.margin == -margin ? nil : "a test with margin \(test.margin) in place of \(-margin)"
  }
}
