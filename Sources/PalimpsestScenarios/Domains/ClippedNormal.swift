import PalimpsestCore

/// A normal variable that stops at two limits.
struct Clipped {
  let mean: Double
  let deviation: Double
  let limits: ClosedRange<Double>

  /// ln of the density but for (2π)^(−½) and the deviation; at a limit ln of the probability of what lies beyond.
  func logDensity(_ x: Double) -> Double {
    if x <= limits.lowerBound { return Elementary.log(NormalArea.below((limits.lowerBound - mean) / deviation)) }
    if x >= limits.upperBound { return Elementary.log(NormalArea.below((mean - limits.upperBound) / deviation)) }
    let distance = (x - mean) / deviation
    return -distance * distance / 2
  }
}

func clipped(_ x: Double, _ limits: ClosedRange<Double>) -> Double {
  min(max(x, limits.lowerBound), limits.upperBound)
}

extension Quantile {
  /// The gamma law of scale 1: the root x of P(shape, x) = u, by bisection, then Newton's steps kept within the bracket.
  /// - Parameter shape: above 0, up to about 50.
  package static func gamma(_ u: Double, shape: Double) -> Double {
    var bracket = (low: 0.0, high: shape + 10)
    while gammaArea(bracket.high, shape: shape) < u && bracket.high < 700 { bracket.high *= 2 }
    let scale = Elementary.logGamma(shape)
    var x = shape
    for _ in 0..<100 {
      let excess = gammaArea(x, shape: shape) - u
      if excess > 0 { bracket.high = x } else { bracket.low = x }
      let density = Elementary.exp((shape - 1) * Elementary.log(x) - x - scale)
      var next = x - excess / density
      if !(next > bracket.low && next < bracket.high) { next = (bracket.low + bracket.high) / 2 }
      if abs(next - x) <= 1e-14 * x { return next }
      x = next
    }
    return x
  }

  /// P(shape, x) = xᵃ e⁻ˣ Σ xⁿ / Γ(a + n + 1).
  private static func gammaArea(_ x: Double, shape: Double) -> Double {
    if x <= 0 { return 0 }
    var (term, sum, n) = (1 / shape, 1 / shape, shape)
    while term > 1e-17 * sum {
      n += 1
      term *= x / n
      sum += term
    }
    return sum * Elementary.exp(shape * Elementary.log(x) - x - Elementary.logGamma(shape))
  }
}
