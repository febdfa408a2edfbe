import PalimpsestCore

/// What a paired t test at level α could have seen: its power, the smallest effect, the pairs that are needed. Effects are in standard
/// deviations of the differences.
///
/// - Accuracy: 2e-8 of a probability for whole numbers of pairs, .0015 for fractions between two and three.
/// - Source: the noncentral t distribution; equals `statsmodels.stats.power.TTestPower`.
public enum PairedPower {
  /// P(|T| > t) where the effect is `effect`: ∫ [Φ(δ − ts) + Φ(−δ − ts)] of s = √(χ²/ν), by Simpson's rule.
  ///
  /// - Parameter pairs: 2 or more; fractions are meant.
  /// - Returns: NaN for fewer.
  public static func power(_ effect: Double, pairs: Double, level: Double = 0.05) -> Double {
    guard pairs >= 2, effect.isFinite else { return .nan }
    let (nu, shift) = (pairs - 1, effect * pairs.squareRoot())
    let t = StudentT.twoSided(1 - level, degrees: nu)
    let spread = ScaleSpread(nu)
    return spread.mean { s in NormalArea.below(shift - t * s) + NormalArea.below(-shift - t * s) }
  }

  /// The effect that is seen with the given power: 3.264 of 3 pairs, 1.682 of 5, .996 of 10, .6604 of 20.
  /// - Returns: NaN for fewer than two pairs.
  public static func detectable(pairs: Int, power wanted: Double = 0.8, level: Double = 0.05) -> Double {
    guard pairs > 1 else { return .nan }
    return least(from: 0, wanted) { power($0, pairs: Double(pairs), level: level) }
  }

  /// Pairs needed to see an effect with the given power, 2 or more; to be rounded up: 33.37 for .5, 9.94 for 1.
  /// - Returns: infinity for an effect of 0.
  public static func pairs(for effect: Double, power wanted: Double = 0.8, level: Double = 0.05) -> Double {
    guard effect != 0 else { return .infinity }
    return least(from: 2, wanted) { power(effect, pairs: $0, level: level) }
  }

  /// The least x with power(x) ≥ wanted, of a function that rises.
  private static func least(from start: Double, _ wanted: Double, _ power: (Double) -> Double) -> Double {
    var (low, high) = (start, max(2 * start, 1))
    while power(high) < wanted && high < 1e9 { (low, high) = (high, 2 * high) }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if power(middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }
}

/// s = √(χ²_ν / ν), in points and weights.
private struct ScaleSpread {
  private static let steps = 1_024
  private let points: [Double]
  private let weights: [Double]

  init(_ nu: Double) {
    let (mode, width) = (((nu - 1) / nu).clamped(0, 1).squareRoot(), 9 / (2 * nu).squareRoot())
    let (low, high) = (max(0, mode - width), mode + width)
    let step = (high - low) / Double(ScaleSpread.steps)
    points = (0...ScaleSpread.steps).map { low + Double($0) * step }
    /// The density but for its constant, which the weights' sum gives.
    let densities = points.map { s in
      // At 0 the logarithm's factor is 1 for one degree of freedom, else 0.
      let power = s > 0 ? (nu - 1) * Elementary.log(s) : nu == 1 ? 0 : -.infinity
      return power.isFinite ? Elementary.exp(power - nu * (s * s - 1) / 2) : 0
    }
    let simpson = densities.enumerated().map { place, density in
      density * (place == 0 || place == ScaleSpread.steps ? 1 : place.isMultiple(of: 2) ? 2 : 4)
    }
    let whole = simpson.reduce(0, +)
    weights = simpson.map { $0 / whole }
  }

  func mean(_ value: (Double) -> Double) -> Double {
    zip(points, weights).reduce(0) { $0 + ($1.1 > 0 ? $1.1 * value($1.0) : 0) }
  }
}

extension Double {
  fileprivate func clamped(_ low: Double, _ high: Double) -> Double { max(low, min(high, self)) }
}
