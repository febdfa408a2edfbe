import PalimpsestCore

/// Intervals by resampling, for what is pooled over scenarios. For one scenario of few seeds Student's t is the better one: with five seeds
/// a nominal 95 % percentile interval holds the mean in 83 % of cases.
///
/// - Source: Efron 1979, 1987; stratified as in Agarwal et al. 2021.
public struct Bootstrap: Sendable {
  public static let draws = 10_000

  /// The statistic of the runs as they are.
  public let estimate: Double
  /// The statistic of each resample, in order of size.
  private let resampled: [Double]

  /// - Parameters:
  ///   - strata: scenarios × seeds, finite; seeds are drawn anew within each scenario.
  ///   - statistic: of all runs together.
  ///   - seed: of the draws: the experiment's, so that the same results give the same bits each time.
  /// - Returns: nil where there are no values.
  public init?(
    _ strata: [[Double]], draws: Int = Bootstrap.draws, seed: Seed, of statistic: ([Double]) -> Double?
  ) {
    let strata = strata.filter { !$0.isEmpty }
    guard let estimate = statistic(strata.flatMap { $0 }) else { return nil }
    self.estimate = estimate
    var stream = seed.stream("bootstrap")
    var sample = strata.flatMap { $0 }
    resampled = (0..<draws).compactMap { _ in
      var place = 0
      for stratum in strata {
        for _ in stratum.indices {
          sample[place] = stratum[stream.index(below: stratum.count)]
          place += 1
        }
      }
      return statistic(sample)
    }.sorted()
  }

  /// The same bits as with ``interquartileMean(_:)``, many times as fast.
  ///
  /// - Cost: linear in the values for each draw.
  public init?(interquartileMeanOf strata: [[Double]], draws: Int = Bootstrap.draws, seed: Seed) {
    guard let bootstrap = Bootstrap.interquartileMeans(of: [strata], draws: draws, seed: seed)[0] else { return nil }
    self = bootstrap
  }

  /// Of several metrics, each as if it were alone: metrics of the same runs have the same draws, which are drawn once.
  ///
  /// - Parameter metrics: metrics × scenarios × seeds, finite; each metric may have scenarios and seeds of its own.
  /// - Returns: one a metric, nil where it has no values.
  /// - Memory: 16 bytes a run, 12 a value, and 8 a metric and draw.
  public static func interquartileMeans(
    of metrics: [[[Double]]], draws: Int = Bootstrap.draws, seed: Seed
  ) -> [Bootstrap?] {
    let sizes = metrics.map { $0.map(\.count).filter { $0 > 0 } }
    var results = metrics.map { _ in Bootstrap?.none }
    for (sizes, places) in Dictionary(grouping: metrics.indices, by: { sizes[$0] }) where !sizes.isEmpty {
      let values = places.map { metrics[$0].flatMap { $0 } }
      let drawn = drawnInterquartileMeans(of: values, strata: sizes, draws, seed.stream("bootstrap"))
      for (metric, place) in places.enumerated() {
        results[place] = interquartileMean(values[metric]).map { Bootstrap(estimate: $0, resampled: drawn[metric]) }
      }
    }
    return results
  }

  /// - Returns: metrics × draws.
  private static func drawnInterquartileMeans(
    of metrics: [[Double]], strata: [Int], _ draws: Int, _ stream: Random
  ) -> [[Double]] {
    let ranked = metrics.map(RankedValues.init)
    let cut = metrics[0].count / 4
    var (resamples, stream, means) = (Resamples(strata: strata), stream, metrics.map { _ in [Double]() })
    for first in stride(from: 0, to: draws, by: Resamples.atOnce) {
      resamples.draw(&stream)
      for (metric, values) in ranked.enumerated() {
        let sums = resamples.middleSums(of: values, cut: cut).prefix(draws - first)
        means[metric] += sums.map { $0 / Double(values.sorted.count - 2 * cut) }
      }
    }
    return means
  }

  private init(estimate: Double, resampled: [Double]) {
    self.estimate = estimate
    self.resampled = resampled.sorted()
  }

  /// The interval between the resamples' quantiles; nil where nothing was drawn.
  public func percentile(level: Double = 0.95) -> ClosedRange<Double>? {
    range((1 - level) / 2, (1 + level) / 2)
  }

  /// Bias-corrected and accelerated (Efron 1987).
  ///
  /// - Parameter acceleration: of the statistic, as ``acceleration(_:)`` gives it for a mean.
  public func biasCorrected(acceleration a: Double, level: Double = 0.95) -> ClosedRange<Double>? {
    let below = Double(resampled.count { $0 < estimate }) + Double(resampled.count { $0 == estimate }) / 2
    let bias = normalQuantile(below / Double(max(1, resampled.count)))
    guard bias.isFinite else { return nil }
    func share(_ p: Double) -> Double {
      let z = bias + normalQuantile(p)
      return NormalArea.below(bias + z / (1 - a * z))
    }
    return range(share((1 - level) / 2), share((1 + level) / 2))
  }

  /// The jackknife's acceleration of a mean: Σ(x̄ − x̄₋ᵢ)³ / 6(Σ(x̄ − x̄₋ᵢ)²)^{3/2}; 0 where all values are equal.
  public static func acceleration(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let cubes = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) }
    return squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
  }

  /// Quantiles with linear interpolation, as NumPy's default.
  private func range(_ low: Double, _ high: Double) -> ClosedRange<Double>? {
    guard let lower = quantile(resampled, low), let upper = quantile(resampled, high), lower <= upper else {
      return nil
    }
    return lower...upper
  }
}

/// The quantile of sorted values, with linear interpolation between neighbours (NumPy's default).
///
/// - Returns: nil where there are no values, or p is no share.
public func quantile(_ sorted: [Double], _ p: Double) -> Double? {
  guard !sorted.isEmpty, (0...1).contains(p) else { return nil }
  let place = p * Double(sorted.count - 1)
  let below = Int(place)
  let above = min(below + 1, sorted.count - 1)
  return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
}

/// Φ⁻¹(p), by halving; ∓∞ at 0 and 1.
func normalQuantile(_ p: Double) -> Double {
  if p <= 0 { return -.infinity }
  if p >= 1 { return .infinity }
  var (low, high) = (-40.0, 40.0)
  for _ in 0..<80 {
    let middle = (low + high) / 2
    if NormalArea.below(middle) < p { low = middle } else { high = middle }
  }
  return (low + high) / 2
}
