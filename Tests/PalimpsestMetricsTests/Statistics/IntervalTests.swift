import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct IntervalTests {
  /// scipy 1.17.1: `stats.t.ppf((1 + level) / 2, degrees)` at 0.5, 0.95, 0.99 and 0.999.
  static let quantiles: [(Double, [Double])] = [
    (1, [1.0, 12.706204736174694, 63.656741162871526, 636.6192487687897]),
    (2, [0.8164965809277261, 4.302652729749462, 9.924843200918287, 31.599054576445365]),
    (3, [0.7648923284043444, 3.1824463052837078, 5.840909309733355, 12.923978636687961]),
    (4, [0.7406970841126829, 2.7764451051977934, 4.604094871349992, 8.610301581379522]),
    (9, [0.7027221467513264, 2.262157162798205, 3.249835541592126, 4.780912585931217]),
    (19, [0.6876214602039602, 2.0930240544083087, 2.8609346064649794, 3.883405852592131]),
    (29, [0.6830438608216131, 2.045229642132703, 2.756385903670605, 3.6594050194663748]),
    (99, [0.6769759855461531, 1.9842169515864174, 2.626405457280827, 3.391528833363685]),
    (999, [0.6747354103467192, 1.9623414611334493, 2.5807596372676365, 3.3002924403987666]),
    (9999, [0.674514286937346, 1.960201263621357, 2.5763210958565974, 3.291500063300963]),
    (100_000, [0.674492203553292, 1.9599877075346095, 2.575878469908375, 3.2906240314119137]),
  ]

  @Test(arguments: quantiles)
  func `quantiles are those of scipy`(degrees: Double, expected: [Double]) {
    for (level, t) in zip([0.5, 0.95, 0.99, 0.999], expected) {
      let found = StudentT.twoSided(level, degrees: degrees)
      #expect(abs(found / t - 1) < 1e-9, "\(level): \(found), not \(t)")
    }
  }

  /// scipy 1.17.1: `2 * stats.t.sf(t, degrees)`.
  @Test(
    arguments: [
      (0.5, 1, 0.7048327646991335), (2, 3, 0.13932596855884305), (2.5, 10, 0.03144684423660882),
      (5, 40, 1.1840065669659511e-05), (1e-3, 7, 0.9992300172449988), (30, 2, 0.001109262681959659),
    ] as [(Double, Double, Double)])
  func `tails are those of scipy`(t: Double, degrees: Double, expected: Double) {
    #expect(abs(StudentT.tails(t, degrees: degrees) / expected - 1) < 1e-11)
  }

  @Test func `with one degree of freedom the tails are an arc tangent, with two a root`() {
    for t in [0.1, 0.5, 2.0, 10.0, 1000.0] {
      // Two degrees: P(|T| > t) = 1 − t / √(2 + t²) = 2 / (√(2 + t²) (√(2 + t²) + t)).
      let root = (2 + t * t).squareRoot()
      #expect(abs(StudentT.tails(t, degrees: 2) * root * (root + t) / 2 - 1) < 1e-12)
    }
    #expect(abs(StudentT.tails(1, degrees: 1) - 0.5) < 1e-14)
    #expect(StudentT.twoSided(0, degrees: 5) == 0)
    #expect(StudentT.twoSided(1, degrees: 5).isNaN)
    #expect(StudentT.twoSided(-0.1, degrees: 5).isNaN)
    #expect(StudentT.twoSided(0.95, degrees: 0).isNaN)
  }

  @Test func `mean, deviation and interval of seven runs`() throws {
    let interval = try #require(Interval([0.51, 0.62, 0.48, 0.55, 0.60, 0.49, 0.53]))
    #expect(interval.count == 7)
    #expect(close(interval.mean, 0.54))
    #expect(close(try #require(interval.deviation), 0.05354126134736337))
    #expect(close(try #require(interval.standardError), 0.020236694629405503))
    #expect(close(try #require(interval.lower), 0.4904825920833058))
    #expect(close(try #require(interval.upper), 0.5895174079166943))
  }

  @Test func `one run gives a mean and no interval, none gives nothing`() throws {
    let one = try #require(Interval([0.5]))
    #expect(one.mean == 0.5 && one.count == 1)
    #expect(one.deviation == nil && one.standardError == nil && one.halfWidth == nil)
    #expect(one.lower == nil && one.upper == nil)
    #expect(Interval([]) == nil)
  }

  @Test func `equal runs have their own value as mean and no width`() throws {
    let equal = try #require(Interval([Double](repeating: 0.1, count: 30)))
    #expect(equal.mean == 0.1)
    #expect(equal.halfWidth == 0)
  }

  /// Quantiles are kept by level and degrees: neither may take the other's.
  @Test func `an interval asked for again has the same bits, and each level and count its own`() throws {
    for _ in 0..<2 {
      for (n, level) in [(2, 0.95), (3, 0.95), (3, 0.9), (11, 0.95)] {
        let interval = try #require(Interval((0..<n).map(Double.init), level: level))
        let error = try #require(interval.standardError)
        let half = StudentT.twoSided(level, degrees: Double(n - 1)) * (interval.deviation ?? 0) / Double(n).squareRoot()
        #expect(
          interval.halfWidth == half && abs(half / error - StudentT.twoSided(level, degrees: Double(n - 1))) < 1e-12)
      }
    }
  }

  /// 4,000 samples of five normals: the share that holds the mean is 0.95 ± 0.0034 (one standard deviation). With 1.96 in
  /// the place of 2.776 it would be 0.878.
  @Test func `ninety-five of a hundred intervals hold the mean`() {
    var rng = Seed(7).stream("coverage")
    var held = 0
    for _ in 0..<4000 {
      guard let interval = Interval((0..<5).map { _ in 3 + 2 * rng.normal() }),
        let half = interval.halfWidth
      else { continue }
      held += abs(interval.mean - 3) <= half ? 1 : 0
    }
    #expect(abs(Double(held) / 4000 - 0.95) < 4 * 0.0034)
  }

  @Test func `rank correlation with ties is that of scipy`() throws {
    let rho = try #require(spearmanCorrelation([1, 2, 2, 3, 5, 4, 7], [2, 1, 3, 3, 6, 9, 8]))
    #expect(close(rho, 0.8090909090909091))
    #expect(spearmanCorrelation([1, 2, 3], [10, 20, 90]) == 1)
    #expect(spearmanCorrelation([1, 2, 3], [3, 2, 1]) == -1)
    #expect(spearmanCorrelation([1, 1, 1], [3, 2, 1]) == nil)
    #expect(spearmanCorrelation([1], [3]) == nil)
    #expect(spearmanCorrelation([1, 2], [3]) == nil)
  }
}
