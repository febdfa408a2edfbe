/// Elementary functions in double precision that give the same bits on every platform.
///
/// libm's results differ between systems; scenarios and statistics use these instead, so data sets repeat exactly.
/// Accuracy, in units in the last place: `exp` and `log` 1, `sin` and `cos` 2 (1 within ±10), `power` about
/// 2 + 3 |exponent · ln base|.
/// Source: the argument reductions and minimax polynomials of fdlibm (Sun Microsystems, 1993), re-written from its formulae.
public enum Elementary {
  /// eˣ; 0 below −745, infinity above 709.78.
  public static func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782712893384 { return .infinity }
    if x < -745.1332191019412 { return 0 }
    let power = nearest(x * 1.4426950408889634)
    let k = Double(power)
    let high = x - k * 6.93147180369123816490e-01
    let low = k * 1.90821492927058770002e-10
    let r = high - low
    let t = r * r
    let c =
      r - t
      * (1.66666666666666019037e-01
        + t
        * (-2.77777777770155933842e-03
          + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))))
    let y = 1 - ((low - (r * c) / (2 - c)) - high)
    return scale(y, by: power)
  }

  /// ln x; −infinity at 0, NaN below.
  public static func log(_ x: Double) -> Double {
    if x.isNaN || x == .infinity { return x }
    if x <= 0 { return x == 0 ? -.infinity : .nan }
    let (exponent, significand) = parts(x)
    let k = Double(exponent)
    let f = significand - 1
    let s = f / (2 + f)
    let z = s * s
    let halfSquare = 0.5 * f * f
    let w = z * z
    let odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    let even =
      z
      * (6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)))
    let r = even + odd
    return k * 6.93147180369123816490e-01
      - ((halfSquare - (s * (halfSquare + r) + k * 1.90821492927058770002e-10)) - f)
  }

  /// sin x, for |x| up to about 10⁶.
  public static func sin(_ x: Double) -> Double { quarterTurns(x, offset: 0) }

  /// cos x, for |x| up to about 10⁶.
  public static func cos(_ x: Double) -> Double { quarterTurns(x, offset: 1) }

  /// sin x and cos x, for |x| up to about 10⁶: their bits for less than the price of one, for no processor foresees the quarter
  /// that a drawn angle lies in.
  public static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
    guard x.isFinite else { return (.nan, .nan) }
    let (turns, r) = reduced(x)
    let (sine, cosine) = (sinKernel(r), cosKernel(r))
    let isOdd = turns & 1 == 1
    return (
      (isOdd ? cosine : sine).turned(if: turns & 2 != 0), (isOdd ? sine : cosine).turned(if: (turns &+ 1) & 2 != 0)
    )
  }

  /// 1 / (1 + e⁻ˣ)
  public static func logistic(_ x: Double) -> Double {
    if x >= 0 { return 1 / (1 + exp(-x)) }
    let e = exp(x)
    return e / (1 + e)
  }

  /// base^exponent for base ≥ 0.
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent == 0 { return 1 }
    if base == 0 { return exponent > 0 ? 0 : .infinity }
    return exp(exponent * log(base))
  }

  /// ln Γ(x) for x > 0 (Lanczos' series, g = 7, nine terms; relative error below 1e-13).
  public static func logGamma(_ x: Double) -> Double {
    if x < 0.5 { return log(Double.pi / sin(Double.pi * x)) - logGamma(1 - x) }
    var sum = lanczos[0]
    for i in 1..<lanczos.count { sum += lanczos[i] / (x - 1 + Double(i)) }
    let t = x + 6.5
    return 0.9189385332046727 + (x - 0.5) * log(t) - t + log(sum)
  }

  /// The nearest whole number, away from 0 in the middle: what `rounded()` gives, without a call of libm.
  private static func nearest(_ x: Double) -> Int {
    let whole = Int(x)
    let rest = x - Double(whole)
    return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0)
  }

  /// x = m · 2^k with √½ < m ≤ √2, for x > 0; without a branch, which random numbers would mispredict.
  private static func parts(_ x: Double) -> (exponent: Int, significand: Double) {
    if !x.isNormal {
      let (exponent, significand) = parts(x * 0x1p54)
      return (exponent - 54, significand)
    }
    let lowest: UInt64 = 0x3FE6_A09E_667F_3BCE  // the bits of the first number above √½
    let bits = x.bitPattern &- lowest
    return (
      Int(Int64(bitPattern: bits) >> 52), Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF &+ lowest)
    )
  }

  /// y · 2^k without losing the subnormal range.
  private static func scale(_ y: Double, by k: Int) -> Double {
    if k > 1000 { return y * Double(sign: .plus, exponent: 1000, significand: 1) * power2(k - 1000) }
    if k < -1000 { return y * power2(k + 100) * power2(-100) }
    return y * power2(k)
  }

  /// 2^k for |k| ≤ 1000, from its bits.
  private static func power2(_ k: Int) -> Double { Double(bitPattern: UInt64(1023 + k) << 52) }

  /// sin(x + offset · π/2): the nearest quarter turn off in three parts, then a polynomial on ±π/4.
  private static func quarterTurns(_ x: Double, offset: Int) -> Double {
    guard x.isFinite else { return .nan }
    let (turns, r) = reduced(x)
    switch (turns + offset) & 3 {
    case 0: return sinKernel(r)
    case 1: return cosKernel(r)
    case 2: return -sinKernel(r)
    default: return -cosKernel(r)
    }
  }

  /// The nearest number of quarter turns, and what is left, on ±π/4.
  private static func reduced(_ x: Double) -> (turns: Int, rest: Double) {
    let turns = nearest(x * 0.6366197723675814)
    let n = Double(turns)
    return (
      turns, ((x - n * 1.57079632673412561417) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21
    )
  }

  private static func sinKernel(_ r: Double) -> Double {
    let z = r * r
    let tail =
      8.33333333332248946124e-03
      + z
      * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))
    return r + r * z * (-1.66666666666666324348e-01 + z * tail)
  }

  private static func cosKernel(_ r: Double) -> Double {
    let z = r * r
    let tail =
      2.48015872894767294178e-05
      + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
    return 1 - (0.5 * z - z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * tail)))
  }

  private static let lanczos = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
}

extension Double {
  /// The number itself, or with its sign turned.
  fileprivate func turned(if isTurned: Bool) -> Double { Double(bitPattern: bitPattern ^ (isTurned ? 1 << 63 : 0)) }
}
