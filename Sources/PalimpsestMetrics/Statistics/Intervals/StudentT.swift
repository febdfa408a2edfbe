import PalimpsestCore

/// Student's t distribution, from the incomplete beta function.
public enum StudentT {
  /// P(|T| > t), for t ≥ 0.
  public static func tails(_ t: Double, degrees: Double) -> Double {
    let square = t * t
    return incompleteBeta(degrees / (degrees + square), complement: square / (degrees + square), degrees / 2, 0.5)
  }

  /// The t with P(|T| ≤ t) = level: 12.706 for 0.95 and one degree of freedom.
  ///
  /// - Parameters:
  ///   - level: in 0..<1; NaN is returned for anything else.
  ///   - degrees: above 0; NaN is returned for anything else.
  /// - Accuracy: 1e-9 of the value up to 10⁵ degrees.
  public static func twoSided(_ level: Double, degrees: Double) -> Double {
    guard level >= 0, level < 1, degrees > 0 else { return .nan }
    let outside = 1 - level
    var low = 0.0
    var high = 1.0
    while tails(high, degrees: degrees) > outside && high < 1e300 { high *= 2 }
    while true {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { return middle }
      if tails(middle, degrees: degrees) > outside { low = middle } else { high = middle }
    }
  }
}

/// I_x(a, b), the regularised incomplete beta function, with y = 1 − x given apart: near 1 it would lose its digits.
/// - Source: the continued fraction of Abramowitz & Stegun 26.5.8, evaluated by Lentz's method.
func incompleteBeta(_ x: Double, complement y: Double, _ a: Double, _ b: Double) -> Double {
  if x <= 0 { return 0 }
  if y <= 0 { return 1 }
  if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(y, complement: x, b, a) }
  let logFactor =
    a * Elementary.log(x) + b * Elementary.log(y) - Elementary.log(a)
    - (Elementary.logGamma(a) + Elementary.logGamma(b) - Elementary.logGamma(a + b))
  return Elementary.exp(logFactor) / betaFraction(x, a, b)
}

/// 1 + d₁/(1 + d₂/(1 + …)), by Lentz's method: the quotients of successive numerators and denominators are multiplied up.
private func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
  var fraction = 1.0
  var numerators = 1.0
  var denominators = 0.0
  for n in 1...10_000 {
    let d = betaTerm(n, x, a, b)
    denominators = 1 / nonZero(1 + d * denominators)
    numerators = nonZero(1 + d / numerators)
    let factor = numerators * denominators
    fraction *= factor
    if abs(factor - 1) < 1e-16 { break }
  }
  return fraction
}

/// The n-th numerator, n ≥ 1.
private func betaTerm(_ n: Int, _ x: Double, _ a: Double, _ b: Double) -> Double {
  let m = Double(n / 2)
  if n.isMultiple(of: 2) { return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) }
  return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
}

private func nonZero(_ x: Double) -> Double { abs(x) < 1e-300 ? 1e-300 : x }
