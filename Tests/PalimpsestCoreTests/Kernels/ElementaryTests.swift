import Foundation
import PalimpsestCore
import Testing

/// Our own elementary functions against the platform's, which is within one unit in the last place itself.
@Suite struct ElementaryTests {
  /// Distance in units in the last place of the reference; 0 where both are the same infinity, zero or NaN.
  func units(_ x: Double, _ reference: Double) -> Double {
    if x == reference || (x.isNaN && reference.isNaN) { return 0 }
    guard x.isFinite, reference.isFinite else { return .infinity }
    return abs(x - reference) / max(reference.ulp, .leastNonzeroMagnitude)
  }

  /// The largest distance over `count` points drawn from a range.
  func worst(
    _ range: ClosedRange<Double>, _ name: String, count: Int = 200_000, _ ours: (Double) -> Double,
    _ theirs: (Double) -> Double
  ) -> Double {
    var rng = Seed(1).stream(name)
    return (0..<count).reduce(0) { worst, _ in
      let x = range.lowerBound + (range.upperBound - range.lowerBound) * rng.uniform()
      return max(worst, units(ours(x), theirs(x)))
    }
  }

  @Test(arguments: [-1e-3...1e-3, -1.0...1.0, -40.0...40.0, -745.0...709.0])
  func `exp is within one unit of the platform's`(range: ClosedRange<Double>) {
    #expect(worst(range, "exp", Elementary.exp, Foundation.exp) <= 1)
  }

  @Test(arguments: [0.999...1.001, 0.5...2.0, 1e-300...1e-290, 0...0x1p-1022, 1.0...1e9, 1e200...1e308])
  func `log is within one unit of the platform's`(range: ClosedRange<Double>) {
    #expect(worst(range, "log", Elementary.log, Foundation.log) <= 1)
  }

  @Test(arguments: [-0.8...0.8, -10.0...10.0])
  func `sine and cosine are within one unit of the platform's`(range: ClosedRange<Double>) {
    #expect(worst(range, "sin", Elementary.sin, Foundation.sin) <= 1)
    #expect(worst(range, "cos", Elementary.cos, Foundation.cos) <= 1)
  }

  @Test(arguments: [-1000.0...1000.0, -1e6...1e6])
  func `sine and cosine of large angles are within two units of the platform's`(range: ClosedRange<Double>) {
    #expect(worst(range, "sin", Elementary.sin, Foundation.sin) <= 2)
    #expect(worst(range, "cos", Elementary.cos, Foundation.cos) <= 2)
  }

  @Test func `sine and cosine at once have the bits of one by one`() {
    var rng = Seed(1).stream("both")
    let drawn = (0..<200_000).map { _ in (rng.uniform() - 0.5) * (rng.index(below: 2) == 0 ? 20 : 2e6) }
    for x in drawn + [
      0, -0.0, .pi / 4, -.pi / 4, .pi / 2, .pi, 2 * .pi, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ] {
      let both = Elementary.sineAndCosine(x)
      #expect(units(both.sine, Elementary.sin(x)) == 0 && units(both.cosine, Elementary.cos(x)) == 0, "\(x)")
      #expect(x.isNaN || both.sine.isNaN || both.sine.sign == Elementary.sin(x).sign, "\(x)")
    }
  }

  /// Whole numbers close to multiples of π, such as 355 = 113 π + 3·10⁻⁵, lose digits in a careless reduction.
  @Test func `whole angles keep their digits next to multiples of π`() {
    for n in [22, 355, 710, 103_993, 104_348, 208_341, 312_689, 833_719] + Array(stride(from: 1, to: 1_000_000, by: 7))
    {
      #expect(units(Elementary.sin(Double(n)), Foundation.sin(Double(n))) <= 2)
    }
  }

  /// The exponential turns an error of the logarithm's last place into as many units as the logarithm is large.
  @Test func `power loses digits as the logarithm of its result grows`() {
    var rng = Seed(1).stream("power")
    var worst = 0.0
    for _ in 0..<200_000 {
      let base = 10 * rng.uniform()
      let exponent = 40 * rng.uniform() - 20
      let error = units(Elementary.power(base, exponent), Foundation.pow(base, exponent))
      worst = max(worst, error / (2 + 3 * abs(exponent * Foundation.log(base))))
    }
    #expect(worst <= 1)
  }

  @Test func `logistic is its definition and never overflows`() {
    #expect(worst(-40...40, "logistic", Elementary.logistic, { 1 / (1 + Foundation.exp(-$0)) }) <= 4)
    #expect(Elementary.logistic(0) == 0.5)
    #expect(Elementary.logistic(1000) == 1)
    #expect(Elementary.logistic(-1000) == 0)
    #expect(Elementary.logistic(-700) > 0)
  }

  @Test func `exp at its edges`() {
    #expect(Elementary.exp(0) == 1)
    #expect(Elementary.exp(-0.0) == 1)
    #expect(Elementary.exp(.infinity) == .infinity)
    #expect(Elementary.exp(-.infinity) == 0)
    #expect(Elementary.exp(.nan).isNaN)
    #expect(Elementary.exp(709.79) == .infinity)
    #expect(Elementary.exp(709.78).isFinite)
    #expect(Elementary.exp(-746) == 0)
    #expect(Elementary.exp(-745) == .leastNonzeroMagnitude)
  }

  @Test func `log at its edges`() {
    #expect(Elementary.log(1) == 0)
    #expect(Elementary.log(0) == -.infinity)
    #expect(Elementary.log(-0.0) == -.infinity)
    #expect(Elementary.log(-1).isNaN)
    #expect(Elementary.log(.nan).isNaN)
    #expect(Elementary.log(.infinity) == .infinity)
    #expect(units(Elementary.log(.leastNonzeroMagnitude), Foundation.log(.leastNonzeroMagnitude)) <= 1)
    #expect(units(Elementary.log(.greatestFiniteMagnitude), Foundation.log(.greatestFiniteMagnitude)) <= 1)
  }

  @Test func `sine and cosine at their edges`() {
    #expect(Elementary.sin(0) == 0)
    #expect(Elementary.cos(0) == 1)
    #expect(Elementary.sin(.infinity).isNaN)
    #expect(Elementary.cos(.nan).isNaN)
    for n in -8...8 {
      let x = Double(n) * Double.pi / 2
      #expect(units(Elementary.sin(x), Foundation.sin(x)) <= 1)
      #expect(units(Elementary.cos(x), Foundation.cos(x)) <= 1)
    }
  }

  @Test func `power at its edges`() {
    #expect(Elementary.power(0, 0) == 1)
    #expect(Elementary.power(0, 2) == 0)
    #expect(Elementary.power(0, -2) == .infinity)
    #expect(Elementary.power(1, 1e300) == 1)
    #expect(Elementary.power(-1, 0.5).isNaN)
    #expect(Elementary.power(.infinity, -1) == 0)
  }

  @Test func `log gamma is the logarithm of factorials, and of √π at a half`() {
    var factorial = 0.0
    for n in 1..<170 {
      // ln Γ(n + 1) = ln 1 + … + ln n
      factorial += Foundation.log(Double(n))
      #expect(abs(Elementary.logGamma(Double(n + 1)) - factorial) <= 1e-13 * max(1, factorial))
    }
    #expect(abs(Elementary.logGamma(0.5) - 0.5 * Foundation.log(Double.pi)) < 1e-14)
    #expect(abs(Elementary.logGamma(1)) < 1e-14)
    #expect(abs(Elementary.logGamma(2)) < 1e-14)
  }

  @Test(arguments: [0.001...0.5, 0.5...3.0, 3.0...100.0, 100.0...1e6])
  func `log gamma is within its stated error of the platform's`(range: ClosedRange<Double>) {
    var rng = Seed(2).stream("gamma")
    for _ in 0..<20_000 {
      let x = range.lowerBound + (range.upperBound - range.lowerBound) * rng.uniform()
      let reference: Double = lgamma(x)
      #expect(abs(Elementary.logGamma(x) - reference) <= 1e-13 * max(1, abs(reference)))
    }
  }
}
