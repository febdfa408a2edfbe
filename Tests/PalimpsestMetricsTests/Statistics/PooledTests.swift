import Foundation
import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct PooledTests {
  @Test func `interquartile means and gaps of the made scores`() throws {
    let means = [0.676820, 0.697160, 0.727247, 0.769927]
    let middles = [0.680231, 0.693519, 0.723569, 0.770288]
    let gaps = [0.073180, 0.054100, 0.028093, 0.006313]
    for method in 0..<4 {
      let all = MadeScores.all(method)
      #expect(abs(all.reduce(0, +) / 30 - means[method]) < 5e-7)
      #expect(abs(try #require(interquartileMean(all)) - middles[method]) < 5e-7)
      #expect(abs(try #require(optimalityGap(all, goal: 0.75)) - gaps[method]) < 5e-7)
    }
    // Of five values one is cut at each end.
    #expect(interquartileMean([100, 1, 2, 3, -50]) == 2 && interquartileMean([]) == nil)
  }

  @Test func `performance profiles`() {
    let thresholds = [0.62, 0.66, 0.70, 0.74]
    let first = performanceProfile(MadeScores.all(0), above: thresholds)
    #expect(zip(first, [1, 2.0 / 3, 0.2, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
    let last = performanceProfile(MadeScores.all(3), above: thresholds)
    #expect(zip(last, [1, 1, 1, 22.0 / 30]).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func `the chance of improvement, mean over scenarios`() throws {
    for (a, b, expected) in [(1, 0, 0.663333), (2, 1, 0.766667), (3, 0, 1)] {
      let chances = try (0..<3).map {
        try #require(improvementProbability(MadeScores.runs(a, $0), over: MadeScores.runs(b, $0)))
      }
      #expect(abs(chances.reduce(0, +) / 3 - expected) < 5e-7)
    }
  }

  @Test func `stratified intervals of the made scores`() throws {
    let ends = [(0.6645, 0.6933), (0.6791, 0.7089), (0.7145, 0.7348), (0.7551, 0.7837)]
    for (method, (lower, upper)) in ends.enumerated() {
      let bootstrap = try #require(Bootstrap(interquartileMeanOf: MadeScores.strata(method), seed: Seed(1)))
      let range = try #require(bootstrap.percentile())
      #expect(abs(range.lowerBound - lower) < 0.0012 && abs(range.upperBound - upper) < 0.0012)
    }
  }

  @Test func `accelerated intervals of a mean`() throws {
    let differences = MadeScores.difference(1, 0, 0)
    let acceleration = Bootstrap.acceleration(differences)
    #expect(abs(acceleration - 0.04546476) < 5e-9)
    let bootstrap = try #require(Bootstrap([differences], seed: Seed(2)) { $0.reduce(0, +) / Double($0.count) })
    let corrected = try #require(bootstrap.biasCorrected(acceleration: acceleration))
    #expect(abs(corrected.lowerBound + 0.0206) < 0.0015 && abs(corrected.upperBound - 0.0333) < 0.0015)
    let plain = try #require(bootstrap.percentile())
    #expect(abs(plain.lowerBound + 0.0232) < 0.0015 && abs(plain.upperBound - 0.0290) < 0.0015)
  }

  @Test func `the same seed draws the same, and values that are all equal give a point`() throws {
    let first = try #require(Bootstrap([[1, 2, 3]], draws: 50, seed: Seed(3), of: interquartileMean))
    let again = try #require(Bootstrap([[1, 2, 3]], draws: 50, seed: Seed(3), of: interquartileMean))
    #expect(first.percentile() == again.percentile())
    let point = try #require(Bootstrap([[2, 2], [2]], draws: 50, seed: Seed(3), of: interquartileMean))
    #expect(point.percentile() == 2...2 && point.biasCorrected(acceleration: 0) == 2...2)
    #expect(Bootstrap([[], []], seed: Seed(3), of: interquartileMean) == nil)
  }

  /// Forty metrics of 400 configurations with 50 seeds each; docs/statistics.md has how long it takes.
  @Test(.enabled(if: isSlowTier, "slow: PALIMPSEST_TIER=slow runs it"))
  func `twenty thousand runs of forty metrics are resampled ten thousand times in seconds`() throws {
    var stream = Seed(7).stream("scores")
    let metrics = (0..<40).map { _ in (0..<400).map { _ in (0..<50).map { _ in stream.uniform() } } }
    let start = ThreadClock.seconds
    let bootstraps = Bootstrap.interquartileMeans(of: metrics, seed: Seed(1))
    let elapsed = ThreadClock.seconds - start
    print("bootstrap of 40 metrics of 20,000 runs, 10,000 draws: \(elapsed) s of processor time")
    #expect(elapsed < 40 && bootstraps.allSatisfy { $0?.percentile() != nil })
  }

  /// Ties, strata of unlike sizes and an empty one.
  @Test func `the fast interquartile mean has the bits of the slow one`() throws {
    let strata = [[0.3, 0.1, 0.3, 0.7, 0.2], [], [0.3, -1, 4, 0.1, 0.1, 0.9, 0.55, 2]]
    let fast = try #require(Bootstrap(interquartileMeanOf: strata, draws: 300, seed: Seed(5)))
    let slow = try #require(Bootstrap(strata, draws: 300, seed: Seed(5), of: interquartileMean))
    for level in [0.5, 0.8, 0.95] { #expect(fast.percentile(level: level) == slow.percentile(level: level)) }
    #expect(fast.estimate == slow.estimate && Bootstrap(interquartileMeanOf: [[]], seed: Seed(5)) == nil)
  }

  /// Two metrics of the same runs, one that lacks a run, and one that has none.
  @Test func `metrics that share their draws have the bits of each alone`() throws {
    var stream = Seed(11).stream("scores")
    func strata(_ sizes: [Int]) -> [[Double]] { sizes.map { (0..<$0).map { _ in stream.uniform() - 0.5 } } }
    let metrics = [strata([9, 4, 30]), strata([9, 0, 4, 30]), strata([9, 3, 30]), strata([0])]
    let together = Bootstrap.interquartileMeans(of: metrics, draws: 77, seed: Seed(2))
    #expect(together.count == 4 && together[3] == nil)
    for (metric, bootstrap) in zip(metrics, together.dropLast()) {
      let alone = try #require(Bootstrap(metric, draws: 77, seed: Seed(2), of: interquartileMean))
      let bootstrap = try #require(bootstrap)
      #expect(bootstrap.estimate == alone.estimate)
      for level in [0.3, 0.9, 1] { #expect(bootstrap.percentile(level: level) == alone.percentile(level: level)) }
    }
    #expect(Bootstrap.interquartileMeans(of: [], seed: Seed(2)).isEmpty)
    #expect(Bootstrap.interquartileMeans(of: [[[1, 2]]], draws: 0, seed: Seed(2))[0]?.percentile() == nil)
  }

  /// One run that comes up in all of its stratum's draws, and the same number many times: the kernel's rounds beyond the fourth.
  @Test func `a value that comes up many times counts as often`() throws {
    let strata = [[0.1], [0.2], [Double](repeating: 0.3, count: 40), [0.7, 0.3]]
    let fast = try #require(Bootstrap(interquartileMeanOf: strata, draws: 500, seed: Seed(4)))
    let slow = try #require(Bootstrap(strata, draws: 500, seed: Seed(4), of: interquartileMean))
    for level in [0, 0.5, 0.99, 1] { #expect(fast.percentile(level: level) == slow.percentile(level: level)) }
  }

  @Test func `quantiles are NumPy's`() {
    // numpy.percentile([1, 2, 3, 10], 10) = 1.3
    #expect(abs((quantile([1, 2, 3, 10], 0.1) ?? 0) - 1.3) < 1e-12)
    #expect(quantile([1, 2, 3, 10], 1) == 10 && quantile([], 0.5) == nil && quantile([1], 2) == nil)
  }
}

private let isSlowTier = ProcessInfo.processInfo.environment["PALIMPSEST_TIER"] == "slow"
