import PalimpsestCore

/// Quantile functions: a number drawn uniformly from [0, 1) becomes a draw from another law.
///
/// One uniform number a draw, and a larger one never gives a smaller draw: two runs that differ in a law's parameter only are
/// coupled draw by draw (common random numbers).
package enum Quantile {
  /// Least probability that is told from 0: half of the spacing of the uniform numbers.
  private static let least = 0x1p-54

  /// The standard normal law. Relative error about 1e-16.
  /// - Source: Wichura 1988, algorithm AS 241 (PPND16).
  package static func normal(_ u: Double) -> Double {
    let q = u - 0.5
    if abs(q) <= 0.425 {
      let r = 0.180625 - q * q
      return q * polynomial(r, centreTop) / polynomial(r, centreBottom)
    }
    let r = (-Elementary.log(max(least, min(u, 1 - u)))).squareRoot()
    let size =
      r <= 5
      ? polynomial(r - 1.6, shoulderTop) / polynomial(r - 1.6, shoulderBottom)
      : polynomial(r - 5, tailTop) / polynomial(r - 5, tailBottom)
    return q < 0 ? -size : size
  }

  /// The Beta(2, b) law, b > 0: the root x of 1 − (1 − x)ᵇ(1 + b x) = u, by Newton's steps kept within a bracket.
  package static func betaTwo(_ u: Double, b: Double) -> Double {
    var bracket = (low: 0.0, high: 1.0)
    var x = 2 / (2 + b)
    for _ in 0..<100 {
      let tail = Elementary.power(1 - x, b - 1)
      let excess = 1 - tail * (1 - x) * (1 + b * x) - u
      if excess > 0 { bracket.high = x } else { bracket.low = x }
      var next = x - excess / (b * (b + 1) * x * tail)
      if !(next > bracket.low && next < bracket.high) { next = (bracket.low + bracket.high) / 2 }
      if abs(next - x) <= 1e-15 { return next }
      x = next
    }
    return x
  }

  /// The exponential law.
  package static func exponential(_ u: Double, mean: Double) -> Double { -mean * Elementary.log(1 - u) }

  private static func polynomial(_ x: Double, _ c: Coefficients) -> Double {
    ((((((c.7 * x + c.6) * x + c.5) * x + c.4) * x + c.3) * x + c.2) * x + c.1) * x + c.0
  }

  private typealias Coefficients = (Double, Double, Double, Double, Double, Double, Double, Double)

  private static let centreTop: Coefficients = (
    3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
    4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3
  )
  private static let centreBottom: Coefficients = (
    1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
    2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3
  )
  private static let shoulderTop: Coefficients = (
    1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
    1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4
  )
  private static let shoulderBottom: Coefficients = (
    1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
    1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9
  )
  private static let tailTop: Coefficients = (
    6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
    2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7
  )
  private static let tailBottom: Coefficients = (
    1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
    7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15
  )
}

/// The negative binomial law of a count: a Poisson count whose rate is `mean` times a gamma variable of mean 1 and shape
/// `size`, new for every draw. Variance: mean + mean²/size.
package struct NegativeBinomial: Sendable {
  private let size: Double
  private let failure: Double
  /// The distribution function at 0, 1, …: a draw looks there first.
  private var first: [Double]
  /// The probability of the last of these counts.
  private var mass: Double
  /// A further count would add nothing.
  private var isWhole = false

  private static let known = 24

  package init(size: Double, mean: Double) {
    self.size = size
    failure = mean / (size + mean)
    mass = Elementary.power(size / (size + mean), size)
    first = [mass]
    first.reserveCapacity(NegativeBinomial.known)
    while first.count < NegativeBinomial.known && !isWhole {
      let sum = first[first.count - 1]
      mass = mass(after: mass, at: first.count)
      if sum + mass == sum { isWhole = true } else { first.append(sum + mass) }
    }
  }

  /// The probability of a count from that of the one before.
  private func mass(after mass: Double, at count: Int) -> Double {
    mass * (failure * (size + Double(count - 1)) / Double(count))
  }

  /// The count at which the distribution function first exceeds `u`, else the first that would add nothing to it.
  /// - Cost: one step for every unit of the result.
  package func quantile(_ u: Double) -> Int { first.firstIndex { u < $0 } ?? tail(u) }

  /// The same beyond the counts that are known.
  private func tail(_ u: Double) -> Int {
    if isWhole { return first.count }
    var count = first.count - 1
    var (mass, sum) = (mass, first[count])
    while u >= sum {
      count += 1
      mass = self.mass(after: mass, at: count)
      if sum + mass == sum { break }
      sum += mass
    }
    return count
  }
}
