import PalimpsestCore

/// What `random` draws from.
public enum Distribution: Sendable, Equatable {
  /// Uniform in [lower, upper).
  case uniform(Double, Double)
  /// The logarithm is uniform: density ∝ 1/x in [lower, upper); both above 0.
  case logUniform(Double, Double)
  /// Rounded to the nearest whole number where the parameter is one.
  case normal(mean: Double, deviation: Double, isWhole: Bool)
  /// Each whole number equally likely, both ends included.
  case integer(Int, Int)
  /// P(k) = ln(1 + 1/k) / ln((upper + 1)/lower) for lower ≤ k ≤ upper; lower at least 1.
  case logInteger(Int, Int)
  /// Each value equally likely.
  case choice([ParameterValue])

  static let names = ["uniform", "log-uniform", "normal", "integer", "log-integer", "choice"]

  /// No draw of ``Random/normal()`` lies further out: √(−2 ln 2⁻¹⁰⁴) = 12.01.
  static let normalReach = 12.1

  /// One value. The numbers are the same on every machine.
  public func draw(using rng: inout Random) -> ParameterValue {
    switch self {
    case .uniform(let lower, let upper):
      return between(lower, upper, lower + rng.uniform() * (upper - lower))
    case .logUniform(let lower, let upper):
      return between(lower, upper, logarithmic(lower, upper, rng.uniform()))
    case .normal(let mean, let deviation, let isWhole):
      let x = mean + deviation * rng.normal()
      return (isWhole ? x.rounded() : x).parameterValue
    case .integer(let lower, let upper):
      return (lower + rng.index(below: upper - lower + 1)).parameterValue
    case .logInteger(let lower, let upper):
      let k = Int(logarithmic(Double(lower), Double(upper) + 1, rng.uniform()))
      return min(max(k, lower), upper).parameterValue
    case .choice(let values):
      return values[rng.index(below: values.count)]
    }
  }

  /// Keeps rounding inside the ends.
  private func between(_ lower: Double, _ upper: Double, _ x: Double) -> ParameterValue {
    min(max(x, lower), upper).parameterValue
  }

  /// lower · (upper/lower)ᵘ.
  private func logarithmic(_ lower: Double, _ upper: Double, _ u: Double) -> Double {
    let (a, b) = (Elementary.log(lower), Elementary.log(upper))
    return Elementary.exp(a + u * (b - a))
  }
}
