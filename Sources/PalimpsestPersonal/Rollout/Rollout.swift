import PalimpsestCore

/// A new population model goes to more and more of the users, stage by stage, as long as they show that it does no harm.
///
/// The unit of the bet is a user: her mean paired difference d = loss(new) − loss(old) ∈ [−1, 1] over the days of a window in which both
/// models predicted for her, so that what depends within a user harms nothing. Users come in any order that does not look at their d. Two
/// ``BettingTest``s run in each stage, of null hypotheses that between them leave nothing out:
/// - *not inferior*: E[d | past] ≥ margin, "the new model is worse by the margin or more". Refuted at `level`: the next stage.
/// - *harm*: E[d | past] ≤ margin, "the new model is worse by no more than the margin". Refuted at `level` divided by the number of stages: all
///   users go back to the old model.
///
/// Harm below the margin is what the margin allows: neither verdict would be wrong about it, and with many users the stage is passed. Whatever the
/// truth is, one of the null hypotheses holds, so that
/// - with probability ≤ `level` the rollout ever passes a stage whose users are worse off by the margin or more: to pass a later such stage
///   it has to pass the first one, so levels need no division;
/// - with probability ≤ `level` it ever goes back from stages whose users are not worse off by more than the margin: each stage is a
///   chance to do so, hence the division.
///
/// A stage's tests begin anew, for its users are others; those of earlier stages do not count again.
///
///     var rollout = Rollout()
///     switch rollout.observe(userMeanDifference: d) {
///     case .wait: break  // more users of the same stage
///     case .advance: ship(to: rollout.share)
///     case .complete, .back: end()
///     }
///
/// - Memory: two tests a stage. Time: O(1) a user.
/// - Source: Waudby-Smith & Ramdas, "Estimating means of bounded random variables by betting", JRSS B 2023; Ville 1939.
public struct Rollout: Configurable {
  /// What becomes of the new model.
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The stage goes on.
    case wait
    /// The stage is passed: the next one begins.
    case advance
    /// The last stage is passed: the new model is the one in use.
    case complete
    /// Harm is proven: all users go back to the old model.
    case back
  }

  /// A stage that has begun, with its counters.
  public struct Stage: Sendable, Equatable, Codable {
    /// Share of the users who have the new model.
    public let share: Double
    /// Users whose difference has come in.
    public fileprivate(set) var users = 0
    /// Days that they compared.
    public fileprivate(set) var days = 0
    /// Of E[d | past] ≥ margin: its wealth speaks for the new model.
    public fileprivate(set) var nonInferiority: BettingTest
    /// Of E[−d | past] ≥ −margin: its wealth speaks against the new model.
    public fileprivate(set) var harm: BettingTest
    /// `wait` while it runs.
    public fileprivate(set) var verdict = Verdict.wait

    fileprivate init(share: Double, margin: Double) {
      self.share = share
      nonInferiority = BettingTest(margin: margin)
      harm = BettingTest(margin: -margin)
    }
  }

  private static let shares: Bounds = {
    var bounds = Bounds.above(0).count(atLeast: 1)
    bounds.upper = 1
    return bounds
  }()

  @Parameter("Shares of the users who have the new model, stage by stage, in ascending order.", shares)
  public var stages: [Double] = [0.01, 0.1, 0.5, 1]
  @Parameter("How much worse a user may be on average, in units of the loss.", .within(-1...1)) public var margin:
    Double = 0.005
  @Parameter("Probability of a wrong step forward, and of a wrong return.", .between(0, 1)) public var level: Double =
    0.05
  @Parameter("Days over which a user's difference is the mean.", .count) public var days: Int = 14

  /// Stages begun, in order; the last one runs unless it has a verdict that ends the rollout. Empty before the first user.
  public private(set) var begun: [Stage] = []

  public init() {}

  /// Share of the users who are to have the new model now; 0 when they went back.
  public var share: Double {
    guard let stage = begun.last else { return stages.first ?? 0 }
    return stage.verdict == .back ? 0 : stage.share
  }

  /// Whether all is decided: further users change nothing.
  public var isOver: Bool { begun.last.map { $0.verdict != .wait } ?? stages.isEmpty }

  /// Why the settings contradict one another, in a sentence that begins with the one to change; nil: they do not.
  public var problem: String? {
    let place = stages.indices.dropFirst().first { stages[$0] <= stages[$0 - 1] }
    return place.map { "stages: \(stages[$0]) does not lie above \(stages[$0 - 1]) before it." }
  }

  /// A user of this stage has used both models for the days of the window.
  /// - Parameter d: the mean of her loss with the new model less that with the old one; in [−1, 1]. NaN speaks for neither.
  /// - Returns: what becomes of the new model; when all is decided, the verdict it was decided with.
  public mutating func observe(userMeanDifference d: Double) -> Verdict {
    if begun.isEmpty, let first = stages.first { begun.append(Stage(share: first, margin: margin)) }
    guard !isOver, var stage = begun.popLast() else { return begun.last?.verdict ?? .complete }
    stage.users += 1
    stage.days += days
    stage.nonInferiority.observe(d)
    stage.harm.observe(-d)
    stage.verdict = verdict(of: stage)
    begun.append(stage)
    if stage.verdict == .advance { begun.append(Stage(share: stages[begun.count], margin: margin)) }
    return stage.verdict
  }

  /// Of a stage that is the next after those in `begun`.
  private func verdict(of stage: Stage) -> Verdict {
    if stage.harm.refutes(level: level / Double(stages.count)) { return .back }
    guard stage.nonInferiority.refutes(level: level) else { return .wait }
    return begun.count + 1 < stages.count ? .advance : .complete
  }
}

extension Rollout: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard begun.count <= stages.count else { return "\(begun.count) stages begun of \(stages.count)" }
    for (i, stage) in begun.enumerated() {
      let isLast = i == begun.count - 1
      let fits = isLast ? stage.verdict != .advance : stage.verdict == .advance
      let counts = (0...Int.max / 2).contains(stage.users) && (0...Int.max / 2).contains(stage.days)
      guard fits, counts, stage.share == stages[i], stage.nonInferiority.margin == margin, stage.harm.margin == -margin
      else { return "stage \(i + 1) of \(stages.count) is none of these settings" }
    }
    return nil
  }
}
