import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Severities in closed form, by hand or by the literature.
@Suite struct RuleSeverityTests {
  /// θ²/200: 64/200, 81/200, 49/200; 90.25/200 = .45125.
  @Test func `SEA's rates are areas`() throws {
    let rules = try #require(Classic.rules(SEA()))
    #expect(close(rules.positive.map { 1 - $0 }, [0.32, 0.405, 0.245, 0.45125], 1e-12))
    #expect(abs(rules.total - 1) < 1e-12)
  }

  /// .8 · |F(θ) − F(θ′)|; the tracker answers by 9.5: .8 (.13125 + .04625 + .20625) / 3 = .10233. One rule for all answers yes
  /// above 8 to 9 and is wrong on a quarter of the tasks in [7, 8] and [9, 9.5], on half in [8, 9]:
  /// .9 − .8 (.25 · .075 + .5 · .085 + .25 · .04625) = .84175.
  @Test func `SEA is a weak test of forgetting`() throws {
    let truth = try #require(try Classic.truth(SEA()))
    #expect(close(truth.bayesAccuracy, [0.9, 0.9, 0.9, 0.9], 1e-12))
    #expect(close(truth.totalVariation[0], [0, 0.068, 0.06, 0.105], 1e-12))
    #expect(close(truth.totalVariation[2], [0.06, 0.128, 0, 0.165], 1e-12))
    #expect(abs(truth.totalVariation[1][3] - 0.037) < 1e-12)
    #expect(close(truth.crossAccuracy[3], [0.795, 0.863, 0.735, 0.9], 1e-12))
    #expect(abs(truth.trackerForgetting - 0.307 / 3) < 1e-12)
    #expect(abs(truth.jointCeiling - 0.84175) < 1e-12)
    /// √(1 − 2 √.09) = √.4 times where the rules differ.
    #expect(abs(truth.hellinger[0][1] - 0.085 * 0.4.squareRoot()) < 1e-12)
  }

  /// Of 27 objects 3, 15 and 18 are positive; rules 1 and 2 differ on 16, 1 and 3 on 21, 2 and 3 on 13.
  @Test func `STAGGER's rates count objects`() throws {
    let rules = try #require(Classic.rules(Stagger()))
    #expect(close(rules.positive, [3.0 / 27, 15.0 / 27, 18.0 / 27], 1e-12))
    let truth = try #require(try Classic.truth(Stagger()))
    #expect(abs(truth.totalVariation[0][1] - 16.0 / 27) < 1e-12)
    #expect(abs(truth.totalVariation[0][2] - 21.0 / 27) < 1e-12)
    #expect(abs(truth.totalVariation[1][2] - 13.0 / 27) < 1e-12)
    #expect(abs(truth.jointCeiling - 0.691358) < 1e-6)
    #expect(truth.bayesAccuracy == [1, 1, 1])
    #expect(truth.hellinger == truth.totalVariation)
  }

  /// 1 − cos 1 = .459698; ½ + .2/π = .563662; ∫ min = .377..., so the two differ on .2684 of the square.
  @Test func `sine's rates are integrals`() throws {
    let rules = try #require(Classic.rules(SineCurves()))
    #expect(close(rules.positive, [0.459698, 0.540302, 0.563662, 0.436338], 1e-6))
    #expect(abs(rules.total - 1) < 1e-12)
    let truth = try #require(try Classic.truth(SineCurves()))
    #expect(truth.totalVariation[0][1] > 1 - 1e-12 && truth.totalVariation[2][3] > 1 - 1e-12)
    #expect(abs(truth.jointCeiling - 0.5) < 1e-12)
    var sum = 0.0
    for step in 0..<100_000 {
      let t = (Double(step) + 0.5) / 100_000
      sum += abs(Elementary.sin(t) - (0.5 + 0.3 * Elementary.sin(3 * Double.pi * t))) / 100_000
    }
    #expect(abs(truth.totalVariation[0][2] - sum) < 1e-8)
    #expect(abs(truth.totalVariation[1][2] - (1 - sum)) < 1e-8)
  }

  /// ¼ + (½ + .2/π)/2 = .531831.
  @Test func `mixed is half a curve and half two coins`() throws {
    let rules = try #require(Classic.rules(MixedInputs()))
    #expect(close(rules.positive, [0.531831, 0.468169], 1e-6))
    let truth = try #require(try Classic.truth(MixedInputs()))
    #expect(truth.totalVariation[0][1] == 1 && truth.jointCeiling == 0.5 && truth.crossAccuracy[0][1] == 0)
  }

  @Test func `noise shrinks what separates the concepts and no more`() throws {
    var stagger = Stagger()
    stagger.noise = 0.2
    let truth = try #require(try Classic.truth(stagger))
    #expect(abs(truth.totalVariation[0][2] - 0.6 * 21 / 27) < 1e-12)
    #expect(abs(truth.crossAccuracy[0][2] - (0.8 - 0.6 * 21 / 27)) < 1e-12)
    #expect(abs(truth.jointCeiling - (0.2 + 0.6 * 0.691358)) < 1e-6)
    stagger.noise = 0.5
    let coins = try #require(try Classic.truth(stagger))
    #expect(coins.totalVariation == [[0, 0, 0], [0, 0, 0], [0, 0, 0]] && coins.jointCeiling == 0.5)
  }

  @Test func `what settings alone tell is what streams tell`() throws {
    #expect(SEA().severity == (try Classic.truth(SEA())))
    #expect(Stagger().severity == (try Classic.truth(Stagger())))
    #expect(HabitPhases().severity == nil)
  }
}
