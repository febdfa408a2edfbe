import Foundation
import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct PairedTests {
  @Test func `the made scores are those of the note`() {
    #expect(
      MadeScores.runs(0, 0) == [0.6970, 0.6487, 0.6991, 0.6218, 0.6983, 0.6968, 0.6878, 0.6607, 0.6910, 0.6290])
    #expect(
      MadeScores.runs(1, 0) == [0.6482, 0.6615, 0.6553, 0.6577, 0.7085, 0.6538, 0.7016, 0.6514, 0.6769, 0.7269])
  }

  @Test func `three pairs by hand`() throws {
    // d = 3, 1, −1: Σ = 3. Of ±3 ±1 ±1 with + before 3 the sums are 3, 5, 1, 3: three of four are at least 3.
    let test = try #require(SignFlips([[3, 1, -1]]))
    #expect(test.p == [0.75] && test.adjusted == [0.75] && test.isExact)
    #expect(SignFlips.leastP(pairs: 3) == 0.25 && SignFlips.leastP(pairs: 10) == 2.0 / 1024)
    #expect(SignFlips.leastP(pairs: 1) == 1 && SignFlips.leastP(pairs: 0) == 1)
  }

  @Test func `sign flips of the made scores, exactly`() throws {
    let test = try #require(SignFlips([1, 2, 3].map { MadeScores.difference($0, 0, 0) }))
    #expect(test.p.map { $0 * 1024 } == [952, 50, 2])
    let holm = Adjustment.holm.adjusted(test)
    #expect(zip(holm, [0.929688, 0.097656, 0.005859]).allSatisfy { abs($0 - $1) < 5e-7 })
    #expect(Adjustment.none.adjusted(test) == test.p)
  }

  @Test func `step-down max-T of all pairs, exactly`() throws {
    let pairs = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    let first = try #require(SignFlips(pairs.map { MadeScores.difference($0, $1, 0) }))
    #expect(first.adjusted.map { $0 * 1024 } == [952, 92, 92, 2, 2, 30])
    #expect(first.p.map { $0 * 1024 } == [952, 50, 38, 2, 2, 12])
    let third = try #require(SignFlips(pairs.map { MadeScores.difference($0, $1, 2) }))
    #expect(third.adjusted.map { $0 * 1024 } == [108, 40, 156, 2, 6, 22])
  }

  @Test func `differences that are all 0 tell nothing, and no number is refused`() throws {
    let test = try #require(SignFlips([[0, 0, 0], [1, 1, 1]]))
    #expect(test.p == [1, 0.25] && test.adjusted == [1, 0.25])
    #expect(
      SignFlips([]) == nil && SignFlips([[]]) == nil && SignFlips([[1], [1, 2]]) == nil && SignFlips([[.nan]]) == nil)
  }

  @Test func `many pairs are drawn, the same each time, near the exact p`() throws {
    // 22 differences of 1: only all signs equal reach the sum, 2⁻²¹ of the vectors.
    let clear = try #require(SignFlips([[Double](repeating: 1, count: 22)]))
    #expect(!clear.isExact && clear.p[0] < 3e-5 && clear.p[0] >= 1 / 100_001.0)
    // 12 of 22 against 10: P(|Σ| ≥ 2) = 1 − C(22, 11)/2²² = .831812.
    let even = try #require(SignFlips([(0..<22).map { $0 < 12 ? 1 : -1 }]))
    #expect(abs(even.p[0] - 0.831812) < 0.004)
    #expect(SignFlips([(0..<22).map { $0 < 12 ? 1 : -1 }])?.p == even.p)
  }

  @Test func `effects of the made scores`() throws {
    let pair = try #require(PairedDifference(MadeScores.runs(1, 0), MadeScores.runs(0, 0)))
    let (lower, upper) = (try #require(pair.interval.lower), try #require(pair.interval.upper))
    #expect(abs(pair.interval.mean - 0.001160) < 5e-7)
    #expect(abs(lower + 0.030611) < 5e-7 && abs(upper - 0.032931) < 5e-7)
    #expect(abs(try #require(pair.effect) - 0.026119) < 5e-7)
    #expect(abs(try #require(pair.unbiasedEffect) - 0.023880) < 5e-7)
    #expect(improvementProbability(MadeScores.runs(1, 0), over: MadeScores.runs(0, 0)) == 0.52)
    for (method, p) in zip(1...3, [0.935982, 0.046116, 0.000214]) {
      let pair = try #require(PairedDifference(MadeScores.runs(method, 0), MadeScores.runs(0, 0)))
      #expect(abs(try #require(pair.studentP) - p) < 5e-7)
    }
    #expect(!pair.isEquivalent(within: 0.005))
  }

  @Test func `wins, ties and lower numbers`() throws {
    let pair = try #require(PairedDifference([1, 2, 3], [0, 2, 4]))
    #expect(pair.wins == 1 && pair.ties == 1 && pair.interval.mean == 0)
    #expect(try #require(PairedDifference([1, 2, 3], [0, 2, 4], isLowerBetter: true)).wins == 1)
    #expect(PairedDifference([1], []) == nil && PairedDifference([], []) == nil)
    let single = try #require(PairedDifference([1], [0]))
    #expect(single.effect == nil && single.studentP == nil && !single.isEquivalent(within: 2))
    // d = ±.001: sd .001155, half width at 90 % 2.353 · .001155/2 = .00136.
    let near = try #require(PairedDifference([0.501, 0.499, 0.501, 0.499], [0.5, 0.5, 0.5, 0.5]))
    #expect(near.isEquivalent(within: 0.0014) && !near.isEquivalent(within: 0.0013))
  }

  @Test func `Wilcoxon's test, exactly`() throws {
    for (method, p) in zip(1...3, [0.845703, 0.064453, 0.001953]) {
      #expect(abs(try #require(wilcoxonP(MadeScores.difference(method, 0, 0))) - p) < 5e-7)
    }
    // Ranks 1.5, 1.5, 3 with signs + − +: W⁻ = 1.5; sums ≤ 1.5 are {}, {1.5}, {1.5}: 3/8, doubled.
    #expect(wilcoxonP([1, -1, 2, 0]) == 0.75)
    #expect(wilcoxonP([0, 0]) == nil)
  }

  @Test func `two pairs leave nothing of Hedges' effect`() throws {
    let two = try #require(PairedDifference([1, 2], [0, 0]))
    #expect(two.effect != nil && two.unbiasedEffect == nil)
  }

  /// scipy 1.17: `nct.sf(t, n - 1, d * sqrt(n)) + nct.cdf(-t, n - 1, d * sqrt(n))`.
  @Test(
    arguments: [(2, 0, 0.05), (2, 1, 0.09280915505633605), (2, 5, 0.4209614091495039), (3, 1, 0.1792553937765518)]
      as [(Double, Double, Double)])
  func `the power of the fewest pairs`(pairs: Double, effect: Double, power: Double) {
    #expect(abs(PairedPower.power(effect, pairs: pairs) - power) < 1e-7)
    #expect(PairedPower.power(effect, pairs: 1.5).isNaN && PairedPower.pairs(for: 100) == 2)
  }

  @Test func `what could be seen`() {
    let effects = [(3, 3.264), (5, 1.682), (10, 0.996), (20, 0.6604), (30, 0.5292), (50, 0.4042)]
    for (pairs, effect) in effects {
      #expect(abs(PairedPower.detectable(pairs: pairs) - effect) < (pairs < 20 ? 5e-4 : 5e-5))
    }
    for (effect, pairs) in zip([0.3, 0.5, 0.8, 1, 1.5], [89.15, 33.37, 14.30, 9.94, 5.69]) {
      #expect(abs(PairedPower.pairs(for: effect) - pairs) < 0.005)
    }
    #expect(abs(PairedPower.power(0.8, pairs: 10) - 0.616233) < 5e-7)
    #expect(abs(PairedPower.power(1, pairs: 5) - 0.401390) < 5e-7)
    #expect(abs(PairedPower.power(0, pairs: 5) - 0.05) < 1e-7)
    #expect(PairedPower.detectable(pairs: 1).isNaN && PairedPower.pairs(for: 0) == .infinity)
  }
}
