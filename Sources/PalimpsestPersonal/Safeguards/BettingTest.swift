import PalimpsestCore

/// A test that may be looked at after every value: does a bounded quantity lie below a margin on average, whatever its past was?
///
/// The null hypothesis is E[x | past] ≥ m for every value x ∈ [−1, 1]. Somebody who doubts it starts with a wealth of 1 and bets on
/// x < m with every value, W ← W(1 + λ(m − x)), where λ = clip(μ/(σ² + μ²), 0, ½/(1 + |m|)) with the mean μ and variance σ² of m − x so far:
/// of the past alone, and 0 for the first value. Under the null hypothesis the bet is not in his favour, so W is a non-negative
/// supermartingale, and P(W ever reaches 1/level) ≤ level (Ville's inequality): at every look, for any dependence, without a number of
/// rows that is fixed beforehand. A factor is never below ½, so W stays above 0.
///
/// Evidence for "no worse" is not asked for here: that a null hypothesis is not refuted means nothing.
///
/// - Memory: four numbers. Time: O(1) a value.
/// - Source: Waudby-Smith & Ramdas, "Estimating means of bounded random variables by betting", JRSS B 2023 (the approximate growth-rate
///   adaptive bet, without its start values); Ville 1939.
public struct BettingTest: Sendable, Equatable, Codable {
  /// m of the null hypothesis E[x | past] ≥ m.
  public let margin: Double
  /// Values so far.
  public private(set) var count = 0
  /// ln W.
  public private(set) var logWealth = 0.0
  /// Σ (m − x) and Σ (m − x)²: μ/(σ² + μ²) is the one over the other.
  private var sum = 0.0
  private var squares = 0.0

  /// - Parameter margin: m; in [−1, 1], where the hypothesis says anything.
  public init(margin: Double) { self.margin = margin }

  /// What the doubter has made of 1: the evidence against the null hypothesis.
  public var wealth: Double { Elementary.exp(logWealth) }

  /// The next bet, λ.
  public var bet: Double {
    guard squares > 0, sum > 0 else { return 0 }
    return min(sum / squares, 0.5 / (1 + abs(margin)))
  }

  /// - Parameter x: a value in [−1, 1]; one outside counts as the nearest in it, NaN as 1, which speaks for the null hypothesis.
  public mutating func observe(_ x: Double) {
    let gain = margin - (x.isNaN ? 1 : min(1, max(-1, x)))
    logWealth += Elementary.log(1 + bet * gain)
    count += 1
    sum += gain
    squares += gain * gain
  }

  /// Whether the null hypothesis can be given up now. Who does so at any look errs with probability ≤ `level`.
  public func refutes(level: Double) -> Bool { logWealth >= -Elementary.log(level) }
}

extension BettingTest: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard (0...Int.max / 2).contains(count), abs(margin) <= 1, logWealth.isFinite, sum.isFinite,
      squares.isFinite, squares >= 0
    else { return "a betting test of \(count) values with margin \(margin) and log-wealth \(logWealth)" }
    return nil
  }
}

/// Betting tests one after another, the k-th at 6 · level / (π²k²): these add up to the level, so that a wrong verdict in a whole
/// life has at most its probability.
struct BettingTrials: Sendable, Equatable, Codable {
  /// Tests begun, k.
  private(set) var begun = 0
  /// The one that runs.
  private(set) var test: BettingTest?

  mutating func begin(margin: Double) {
    begun += 1
    test = BettingTest(margin: margin)
  }

  mutating func end() { test = nil }

  /// - Returns: the test behind the value; nil: none runs.
  mutating func observe(_ x: Double) -> BettingTest? {
    test?.observe(x)
    return test
  }

  /// That of the test that runs.
  func level(of whole: Double) -> Double { BettingTrials.level(of: whole, trial: begun) }

  static func level(of whole: Double, trial: Int) -> Double {
    6 * whole / (Double.pi * Double.pi * Double(trial) * Double(trial))
  }
}

extension BettingTrials: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    (0...Int.max / 2).contains(begun) && (begun > 0 || test == nil) ? nil : "a test that is number \(begun)"
  }
}
