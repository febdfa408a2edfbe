import PalimpsestCore

/// What reminding and being quiet were worth, by what the model said: two Bernoulli arms in each of a few equal buckets of p, with a uniform
/// prior on each arm's probability.
struct ReminderArms: Sendable, Equatable, Codable {
  /// Four a bucket: quiet kept and not, reminded kept and not. Empty before the first outcome.
  private var counts: [Int] = []

  /// One arm's posterior Beta(a, b).
  struct Posterior {
    let a: Double
    let b: Double
    var mean: Double { a / (a + b) }
  }

  /// Which bucket; nil for what is no number.
  static func bucket(_ p: Double, of buckets: Int) -> Int? {
    p.isNaN ? nil : min(buckets - 1, Int(min(1, max(0, p)) * Double(buckets)))
  }

  func posterior(_ decision: Decision, bucket: Int) -> Posterior {
    guard !counts.isEmpty else { return Posterior(a: 1, b: 1) }
    let place = 4 * bucket + (decision == .remind ? 2 : 0)
    return Posterior(a: 1 + Double(counts[place]), b: 1 + Double(counts[place + 1]))
  }

  mutating func observe(_ isKept: Bool, after decision: Decision, bucket: Int, of buckets: Int) {
    guard decision != .nothing else { return }
    if counts.isEmpty { counts = [Int](repeating: 0, count: 4 * buckets) }
    counts[4 * bucket + (decision == .remind ? 2 : 0) + (isKept ? 0 : 1)] += 1
  }

  func problem(buckets: Int) -> String? {
    guard counts.isEmpty || counts.count == 4 * buckets else { return "\(counts.count) counts for \(buckets) buckets" }
    return counts.allSatisfy { (0...Int.max / 2).contains($0) } ? nil : "counts \(counts)"
  }
}

/// Thompson's bandit over reminding and being quiet: reminds as often as it believes that a reminder is worth its cost.
///
/// In the bucket that p falls in, it draws the probability that the habit is kept with and without a reminder from Beta(1 + kept,
/// 1 + not kept) and reminds where the one less the cost lies above the other. It never does nothing. An outcome after ``Decision/nothing`` teaches it
/// nothing, for it is not known whether there was a reminder.
///
/// - Memory: four numbers a bucket. Time: O(1).
public struct ThompsonRule: DecisionRule {
  public static let name = "thompson"
  public static let summary =
    "Bandit: reminds as often as it believes, by what came of reminders so far, that one is worth its cost."
  public static let source =
    "Thompson 1933; Chapelle & Li, \"An empirical evaluation of Thompson sampling\", NeurIPS 2011: Beta-Bernoulli, here one pair "
    + "of arms a bucket of p. Beta from two gammas of Marsaglia & Tsang 2000."

  @Parameter("What a reminder costs, in days on which the habit is kept.", .within(0...1)) public var cost: Double = 0.1
  @Parameter("Buckets of equal width that p is divided in.", .within(1...1000)) public var buckets: Int = 5

  private var arms = ReminderArms()

  public init() {}

  public mutating func decide(_ p: Double, using rng: inout Random) -> Decision {
    guard let bucket = ReminderArms.bucket(p, of: buckets) else { return .nothing }
    let quiet = rng.beta(arms.posterior(.quiet, bucket: bucket))
    let reminded = rng.beta(arms.posterior(.remind, bucket: bucket))
    return reminded - cost > quiet ? .remind : .quiet
  }

  public mutating func observe(_ isKept: Bool, after decision: Decision, at p: Double) {
    guard let bucket = ReminderArms.bucket(p, of: buckets) else { return }
    arms.observe(isKept, after: decision, bucket: bucket, of: buckets)
  }
}

extension ThompsonRule: CheckedState {
  public func problem(within limits: StateLimits) -> String? { arms.problem(buckets: buckets) }
}

/// The ε-greedy bandit over reminding and being quiet: does what has been worth more, and now and then either.
///
/// In the bucket that p falls in, with probability ε either arm by the toss of a coin; else a reminder where the mean of Beta(1 + kept, 1 + not kept) with
/// one, less the cost, lies above that without. It never does nothing. An outcome after ``Decision/nothing`` teaches it nothing.
///
/// - Memory: four numbers a bucket. Time: O(1).
public struct EpsilonRule: DecisionRule {
  public static let name = "epsilon"
  public static let summary =
    "Bandit: does what came out better so far, less the cost of a reminder, and now and then either."
  public static let source =
    "Watkins 1989; Sutton & Barto, \"Reinforcement learning\", 2018, section 2.2, with means of Beta posteriors, one pair of arms a bucket "
    + "of p."

  @Parameter("Share of days on which either is done at random, ε.", .within(0...1)) public var epsilon: Double = 0.1
  @Parameter("What a reminder costs, in days on which the habit is kept.", .within(0...1)) public var cost: Double = 0.1
  @Parameter("Buckets of equal width that p is divided in.", .within(1...1000)) public var buckets: Int = 5

  private var arms = ReminderArms()

  public init() {}

  public mutating func decide(_ p: Double, using rng: inout Random) -> Decision {
    guard let bucket = ReminderArms.bucket(p, of: buckets) else { return .nothing }
    if rng.uniform() < epsilon { return rng.uniform() < 0.5 ? .remind : .quiet }
    let gain = arms.posterior(.remind, bucket: bucket).mean - cost - arms.posterior(.quiet, bucket: bucket).mean
    return gain > 0 ? .remind : .quiet
  }

  public mutating func observe(_ isKept: Bool, after decision: Decision, at p: Double) {
    guard let bucket = ReminderArms.bucket(p, of: buckets) else { return }
    arms.observe(isKept, after: decision, bucket: bucket, of: buckets)
  }
}

extension EpsilonRule: CheckedState {
  public func problem(within limits: StateLimits) -> String? { arms.problem(buckets: buckets) }
}

extension Random {
  fileprivate mutating func beta(_ posterior: ReminderArms.Posterior) -> Double {
    let a = gamma(posterior.a)
    return a / (a + gamma(posterior.b))
  }

  /// A gamma number of scale 1, for shapes ≥ 1 (Marsaglia & Tsang 2000).
  private mutating func gamma(_ shape: Double) -> Double {
    let d = shape - 1 / 3.0
    while true {
      let x = normal()
      let v = 1 + x / (9 * d).squareRoot()
      guard v > 0 else { continue }
      let cube = v * v * v
      if Elementary.log(1 - uniform()) < 0.5 * x * x + d - d * cube + d * Elementary.log(cube) { return d * cube }
    }
  }
}
