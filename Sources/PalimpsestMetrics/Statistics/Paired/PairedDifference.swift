import PalimpsestCore

/// How far apart two methods are, seed by seed.
public struct PairedDifference: Sendable, Equatable {
  /// a − b, one a seed.
  public let differences: [Double]
  /// Their mean with Student's t interval.
  public let interval: Interval
  /// Seeds on which a is better, and on which both are equal.
  public let wins: Int
  public let ties: Int

  /// - Parameters:
  ///   - a, b: finite, one a seed, in the same order of seeds.
  ///   - isLowerBetter: of errors and costs a win is the smaller number.
  /// - Returns: nil without pairs, or where the lists differ in length.
  public init?(_ a: [Double], _ b: [Double], level: Double = 0.95, isLowerBetter: Bool = false) {
    let differences = zip(a, b).map { $0 - $1 }
    guard a.count == b.count, let interval = Interval(differences, level: level) else { return nil }
    self.differences = differences
    self.interval = interval
    wins = differences.count { isLowerBetter ? $0 < 0 : $0 > 0 }
    ties = differences.count { $0 == 0 }
  }

  /// d_z: the mean in standard deviations of the differences; nil for one pair, or where all differences are equal.
  public var effect: Double? {
    guard let deviation = interval.deviation, deviation > 0 else { return nil }
    return interval.mean / deviation
  }

  /// g_z: d_z · (1 − 3 / (4(n − 1) − 1)), which few pairs do not overstate (Hedges 1981); nil for fewer than three pairs, of which
  /// nothing would be left.
  public var unbiasedEffect: Double? {
    guard differences.count > 2 else { return nil }
    return effect.map { $0 * (1 - 3 / (4 * Double(differences.count - 1) - 1)) }
  }

  /// P(|T| ≥ |t|) of the paired t test; nil for one pair, or where all differences are equal.
  public var studentP: Double? {
    effect.map {
      StudentT.tails(abs($0) * Double(differences.count).squareRoot(), degrees: Double(differences.count - 1))
    }
  }

  /// Whether the 90 % t interval lies within ±`margin`: two one-sided tests at .05 (Schuirmann 1987).
  public func isEquivalent(within margin: Double) -> Bool {
    guard let narrow = Interval(differences, level: 0.9), let lower = narrow.lower, let upper = narrow.upper
    else { return false }
    return lower > -margin && upper < margin
  }
}

/// P(X > Y) + ½ P(X = Y) over all pairs of a run of x and one of y: the chance that a run of the one is better than one of the other (A₁₂).
///
/// - Returns: nil where a list is empty.
/// - Source: Vargha & Delaney 2000; `probability_of_improvement` of Agarwal et al. 2021.
public func improvementProbability(_ x: [Double], over y: [Double]) -> Double? {
  guard !x.isEmpty, !y.isEmpty else { return nil }
  let halves = x.reduce(0) { sum, a in sum + y.reduce(0) { $0 + (a > $1 ? 2 : a == $1 ? 1 : 0) } }
  return Double(halves) / Double(2 * x.count * y.count)
}
