import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct DistributionTests {
  private let seed = Seed(7)
  private func uniforms(_ count: Int, _ channel: Int = 0) -> [Double] {
    (0..<count).map { seed.uniform($0, 3, channel) }
  }

  private func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
    let centre = mean(values)
    return (centre, mean(values.map { ($0 - centre) * ($0 - centre) }))
  }

  @Test func `normal quantiles are the tabled ones`() {
    #expect(Quantile.normal(0.5) == 0)
    #expect(abs(Quantile.normal(0.975) - 1.959963984540054) < 1e-14)
    #expect(abs(Quantile.normal(0.8413447460685429) - 1) < 1e-14)
    #expect(abs(Quantile.normal(1e-3) + 3.090232306167813) < 1e-13)
    #expect(abs(Quantile.normal(1e-15) + 7.941345326170997) < 1e-12)
    #expect(Quantile.normal(0).isFinite && Quantile.normal(0) < -8)
  }

  @Test func `normal draws have mean 0 and variance 1`() {
    let (centre, variance) = moments(uniforms(100_000).map(Quantile.normal))
    #expect(abs(centre) < 0.012)
    #expect(abs(variance - 1) < 0.018)
  }

  /// F(x) = 3x² − 2x³ for b = 2, and x² for b = 1.
  @Test func `beta quantiles invert their distribution function`() {
    for u in [0.001, 0.2, 0.5, 0.9, 0.999] {
      let x = Quantile.betaTwo(u, b: 2)
      #expect(abs(3 * x * x - 2 * x * x * x - u) < 1e-13)
      #expect(abs(Quantile.betaTwo(u, b: 1) - u.squareRoot()) < 1e-13)
    }
    #expect(Quantile.betaTwo(0, b: 3) < 1e-6)
  }

  /// Beta(2, b): mean 2/(2 + b), variance 2b/((2 + b)²(3 + b)).
  @Test(arguments: [0.4, 2.0, 3.714285714285714, 6.0]) func `beta draws have their moments`(b: Double) {
    let (centre, variance) = moments(uniforms(20_000).map { Quantile.betaTwo($0, b: b) })
    #expect(abs(centre - 2 / (2 + b)) < 0.007)
    #expect(abs(variance - 2 * b / ((2 + b) * (2 + b) * (3 + b))) < 0.002)
  }

  /// Size 2, q = 2/(2 + mean): P(k) = (k + 1) q² (1 − q)ᵏ. 21 cells, 20 degrees of freedom: 52.4 is passed once in 10,000.
  @Test(arguments: [0.5, 4.0, 9.0]) func `negative binomial counts have their frequencies`(mean: Double) {
    let law = NegativeBinomial(size: 2, mean: mean)
    let draws = 40_000
    var observed = [Double](repeating: 0, count: 21)
    for u in uniforms(draws, 5) { observed[min(law.quantile(u), 20)] += 1 }
    let q = 2 / (2 + mean)
    var left = Double(draws)
    var χ² = 0.0
    for k in 0...20 {
      let probability = Double(k + 1) * q * q * Elementary.power(1 - q, Double(k))
      let expected = k < 20 ? Double(draws) * probability : left
      left -= expected
      if expected > 1 { χ² += (observed[k] - expected) * (observed[k] - expected) / expected }
    }
    #expect(χ² < 52.4)
  }

  /// From one count to the next, nothing known beforehand.
  private func plainQuantile(_ u: Double, size: Double, mean: Double) -> Int {
    var count = 0
    var mass = Elementary.power(size / (size + mean), size)
    var sum = mass
    while u >= sum {
      count += 1
      mass *= mean / (size + mean) * (size + Double(count - 1)) / Double(count)
      if sum + mass == sum { break }
      sum += mass
    }
    return count
  }

  @Test(arguments: [1e-9, 1e-3, 0.2, 0.5, 4.0, 9.0, 60.0])
  func `negative binomial counts are those of the plain loop`(mean: Double) {
    let law = NegativeBinomial(size: 2, mean: mean)
    let ends = [0, 0x1p-53, 0.5, 1 - 0x1p-20, 1 - 0x1p-40, 1 - 0x1p-52, 1 - 0x1p-53]
    for u in uniforms(20_000, 6) + ends { #expect(law.quantile(u) == plainQuantile(u, size: 2, mean: mean)) }
  }

  /// Mean m and variance m + m²/size, also where the size is no whole number.
  @Test func `negative binomial counts are over-dispersed`() {
    let law = NegativeBinomial(size: 2.5, mean: 6)
    let (centre, variance) = moments(uniforms(100_000).map { Double(law.quantile($0)) })
    #expect(abs(centre - 6) < 0.06)
    #expect(abs(variance - 20.4) < 0.6)
    #expect(law.quantile(1 - 0x1p-53) < 200)
  }
}
