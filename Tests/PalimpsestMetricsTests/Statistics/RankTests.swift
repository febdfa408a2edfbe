import Foundation
import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct RankTests {
  @Test func `Friedman's test of the made scores`() throws {
    let rows = (0..<3).flatMap { s in
      (0..<10).map { k in (0..<4).map { MadeScores.score(method: $0, scenario: s, seed: k) } }
    }
    let test = try #require(FriedmanTest(rows))
    #expect(zip(test.meanRanks, [3.5, 3.166667, 2.166667, 1.166667]).allSatisfy { abs($0 - $1) < 5e-7 })
    #expect(abs(test.chiSquare - 60) < 1e-9 && abs(test.f - 58) < 1e-7)
    #expect(abs(try #require(test.criticalDifference) - 0.856344) < 5e-7)
    #expect(test.p < 1e-15)
  }

  @Test func `ties, agreement, and one scenario`() throws {
    // Ranks 1.5 1.5 3 and 3 1 2: means 2.25 1.25 2.5, 12 · 2/12 · (.0625 + .5625 + .25) = 1.75, and of one tie of two
    // 1 − 6/(2 · 3 · 8) = 7/8: χ² = 2, F = 2/(4 − 2) (scipy.stats.friedmanchisquare has 2 and p = e⁻¹ too).
    let test = try #require(FriedmanTest([[2, 2, 1], [1, 3, 2]]))
    #expect(test.meanRanks == [2.25, 1.25, 2.5] && abs(test.chiSquare - 2) < 1e-12)
    #expect(abs(test.f - 1) < 1e-12)
    #expect(abs(test.chiSquareP - 0.36787944117144233) < 1e-12)
    // scipy.stats.f.sf(1, 2, 2) = 1/(1 + 1).
    #expect(abs(test.p - 0.5) < 1e-12)
    let equal = try #require(FriedmanTest([[1, 1], [2, 2]]))
    #expect(equal.chiSquare.isNaN && equal.p.isNaN && equal.chiSquareP.isNaN)
    let agreed = try #require(FriedmanTest([[2, 1], [3, 0]]))
    #expect(agreed.f == .infinity && agreed.p == 0)
    #expect(FriedmanTest([[1]]) == nil && FriedmanTest([]) == nil && FriedmanTest([[1, 2], [1]]) == nil)
  }

  /// scipy.stats.chi2.sf.
  @Test(arguments: [
    ([[3.0, 2, 1], [3, 1, 2], [3, 2, 1], [1, 3, 2]], 2, 0.36787944117144245),
    ([[4.0, 3, 2, 1], [4, 2, 3, 1], [4, 3, 2, 1]], 8.2, 0.04205418289496618),
    ([[2.0, 1], [2, 1], [1, 2]], 1 / 3.0, 0.5637028616507731),
  ])
  func `Friedman's own p`(scores: [[Double]], chiSquare: Double, p: Double) throws {
    let test = try #require(FriedmanTest(scores))
    #expect(abs(test.chiSquare - chiSquare) < 1e-12 && abs(test.chiSquareP - p) < 1e-9)
  }

  @Test func `Bayesian signed ranks of the made scores`() throws {
    let differences = zip(MadeScores.all(1), MadeScores.all(0)).map { $0 - $1 }
    let test = try #require(BayesianSignedRank(differences, rope: 0.01, seed: Seed(1)))
    #expect(abs(test.above - 0.986) < 0.005 && test.within < 0.005 && abs(test.below - 0.014) < 0.005)
    #expect(abs(test.above + test.within + test.below - 1) < 1e-9)
    let equal = try #require(BayesianSignedRank([0.001, -0.001, 0], rope: 0.01, draws: 100, seed: Seed(1)))
    #expect(equal.within == 1)
    #expect(BayesianSignedRank([], seed: Seed(1)) == nil)
  }
}
