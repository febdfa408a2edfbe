import PalimpsestCore
import PalimpsestPersonal
import PalimpsestTesting
import Testing

@Suite struct BettingTests {
  /// m = 0. x = −1: λ 0, W 1. x = −1: λ = min(1/1, ½), W 1,5. x = 1: λ = min(2/2, ½), W ,75. x = −1: Σ = 1, Σ² = 3, λ = ⅓, W = ,75 · 4/3 = 1.
  @Test func `wealth by hand`() {
    var test = BettingTest(margin: 0)
    var wealth: [Double] = []
    var bets: [Double] = []
    for x in [-1.0, -1, 1, -1] {
      bets.append(test.bet)
      test.observe(x)
      wealth.append(test.wealth)
    }
    #expect(zip(bets, [0, 0.5, 0.5, 1.0 / 3]).allSatisfy { abs($0 - $1) < 1e-15 })
    #expect(zip(wealth, [1, 1.5, 0.75, 1]).allSatisfy { abs($0 - $1) < 1e-14 })
    #expect(test.count == 4)
  }

  @Test func `the margin moves the bet and its greatest size`() {
    var test = BettingTest(margin: 0.25)
    test.observe(-0.75)  // gain 1
    #expect(test.bet == 0.5 / 1.25)
    test.observe(0)  // gain .25: W = 1 + .4 · .25
    #expect(abs(test.wealth - 1.1) < 1e-15)
    #expect(test.refutes(level: 0.91) && !test.refutes(level: 0.9))
  }

  @Test func `nothing is bet where values speak for the null hypothesis`() {
    var test = BettingTest(margin: 0)
    for x in [0.5, 1, 0, 0.2, .nan, 3] { test.observe(x) }
    #expect(test.bet == 0 && test.wealth == 1)
    var none = BettingTest(margin: .nan)
    for _ in 0..<50 { none.observe(-1) }
    #expect(!none.refutes(level: 0.5))
  }

  @Test func `wealth stays a number in a hundred years`() {
    var (won, lost) = (BettingTest(margin: 0), BettingTest(margin: 0))
    for day in 0..<36_500 {
      won.observe(-1)
      lost.observe(day % 2 == 0 ? -1 : 1)
    }
    #expect(won.logWealth > 10_000 && won.logWealth.isFinite && won.wealth == .infinity && won.refutes(level: 1e-300))
    #expect(lost.logWealth.isFinite && lost.wealth >= 0)
  }

  // MARK: - Type I

  /// How values come whose mean is m whatever came before them.
  enum Null: String, CaseIterable {
    /// −1 or 1.
    case coins
    /// −1, 0 or 1, mostly 0: errors of two models that mostly agree.
    case disagreements
    /// A little below the margin nearly always, 1 now and then: a doubter wins for long.
    case rareHarm
    /// The adversary knows the wealth and the next bet. It first lets the doubter win, then plays for the threshold: just as much as is missing,
    /// against the most that may be lost.
    case bold
    /// It raises the stakes while the doubter loses.
    case martingale

    func value(_ test: BettingTest, level: Double, _ u: Double) -> Double {
      let m = test.margin
      switch self {
      case .coins: return u < (1 - m) / 2 ? -1 : 1
      case .disagreements: return u < 0.1 - m / 2 ? -1 : u < 0.2 ? 1 : 0
      case .rareHarm: return u < 0.02 ? 1 : (m - 0.02) / 0.98
      case .bold:
        let missing = test.bet > 0 ? (1 / (level * test.wealth) - 1) / test.bet : 0
        let win = min(1 + m, max(1e-3, missing > 0 ? missing * (1 + 1e-12) : 1 + m))
        return u < (1 - m) / (1 - m + win) ? m - win : 1
      case .martingale:
        let stake = min(1 - abs(m), 0.05 / max(0.05, test.wealth * test.wealth))
        return u < 0.5 ? m - stake : m + stake
      }
    }
  }

  /// Share of lives in which the null hypothesis is ever refuted at a daily look.
  private func refuted(_ null: Null, margin: Double, level: Double, lives: Int, days: Int) -> Double {
    var refuted = 0
    for life in 0..<lives {
      let seed = Seed(23).derived(null.rawValue, life)
      var test = BettingTest(margin: margin)
      for day in 0..<days {
        test.observe(null.value(test, level: level, seed.uniform(day, 0, 0)))
        guard test.refutes(level: level) else { continue }
        refuted += 1
        break
      }
    }
    return Double(refuted) / Double(lives)
  }

  /// With 4 standard errors of the share that is counted.
  private func most(_ level: Double, _ lives: Int) -> Double {
    level + 4 * (level * (1 - level) / Double(lives)).squareRoot()
  }

  @Test(arguments: Null.allCases, [0, 0.02, -0.1])
  func `a true null hypothesis is refuted no more often than the level, whenever one looks`(null: Null, margin: Double)
  {
    let lives = Tier.slow ? 200_000 : margin == 0 ? 20_000 : 4_000
    let share = refuted(null, margin: margin, level: 0.05, lives: lives, days: 180)
    #expect(share <= most(0.05, lives))
    // The adversary comes near: the test is no test that never says anything.
    if null == .bold { #expect(share > 0.02) }
  }

  /// A mean that is tested each day at 5 %, as people do: it errs in more than one life in four (z = 1.645, from day 5 on).
  @Test func `what is looked at daily without a wealth errs far more often`() {
    var wrong = 0
    for life in 0..<2000 {
      let seed = Seed(29).derived("peek", life)
      var sum = 0.0
      for day in 1...180 {
        sum += seed.uniform(day, 0, 0) < 0.5 ? -1 : 1
        guard day >= 5, sum / Double(day).squareRoot() < -1.645 else { continue }
        wrong += 1
        break
      }
    }
    #expect((0.25...0.6).contains(Double(wrong) / 2000))
  }

  /// Errors fall from .35 to .15, the models disagree on 30 % of days: nearly all lives (1,988 of 2,000) see it proven in 180 days at .05, none
  /// sees the contrary.
  @Test func `a true improvement is found`() {
    var (found, contrary) = (0, 0)
    for life in 0..<2000 {
      let seed = Seed(31).derived("power", life)
      var (better, worse) = (BettingTest(margin: 0), BettingTest(margin: 0))
      var (isFound, isContrary) = (false, false)
      for day in 0..<180 {
        let u = seed.uniform(day, 0, 0)
        let x: Double = u < 0.25 ? -1 : u < 0.3 ? 1 : 0
        better.observe(x)
        worse.observe(-x)
        isFound = isFound || better.refutes(level: 0.05)
        isContrary = isContrary || worse.refutes(level: 0.05)
      }
      found += isFound ? 1 : 0
      contrary += isContrary ? 1 : 0
    }
    #expect(found > 1900 && contrary < 60, "\(found) and \(contrary) of 2,000")
  }
}
