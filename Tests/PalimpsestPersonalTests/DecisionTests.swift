import PalimpsestCore
import PalimpsestPersonal
import Testing

@Suite struct DecisionTests {
  private static let rules: [any DecisionRule] = {
    var (one, other) = (ThompsonRule(), EpsilonRule())
    (one.buckets, other.buckets, other.epsilon) = (1, 2, 0.5)
    return standardDecisionRules.map { $0.init() } + [one, other]
  }()

  @Test func `the names are those of files`() {
    #expect(standardDecisionRules.map { $0.name } == ["threshold", "thompson", "epsilon"])
  }

  @Test func `below one threshold it reminds, above the other it is quiet`() {
    var (rule, rng) = (ThresholdRule(), Seed(1).stream("decision"))
    let fresh = rng
    let decisions = [0, 0.39, 0.4, 0.6, 0.8, 0.81, 1, .nan].map { rule.decide($0, using: &rng) }
    #expect(decisions == [.remind, .remind, .nothing, .nothing, .nothing, .quiet, .quiet, .nothing])
    #expect(rng == fresh)
  }

  /// Without ε: nothing is known, (1/2 − .1) < 1/2: quiet. One kept after a reminder: 2/3 − .1 > 1/2: remind. One more not kept: 2/4 − .1 < 1/2: quiet.
  @Test func `epsilon by hand`() throws {
    var rule = try EpsilonRule(settings: ["epsilon": .number("0")])
    var rng = Seed(1).stream("decision")
    #expect(rule.decide(0.3, using: &rng) == .quiet)
    rule.observe(true, after: .remind, at: 0.3)
    #expect(rule.decide(0.3, using: &rng) == .remind)
    // Another bucket knows nothing of it, and the ends of a bucket belong to it below.
    #expect([0.1999, 0.2, 0.3999, 0.4].map { rule.decide($0, using: &rng) } == [.quiet, .remind, .remind, .quiet])
    rule.observe(false, after: .remind, at: 0.39)
    #expect(rule.decide(0.3, using: &rng) == .quiet)
    rule.observe(true, after: .nothing, at: 0.3)
    rule.observe(true, after: .remind, at: .nan)
    #expect(rule.decide(0.3, using: &rng) == .quiet)
    #expect(rule.decide(2, using: &rng) == .quiet && rule.decide(-1, using: &rng) == .quiet)
  }

  /// Draws of Beta(3, 1) and Beta(1, 3): reminded beats quiet by more than 0 with probability 1 − 1/20 (both triples of uniforms in reverse order).
  @Test func `thompson reminds with the probability that a reminder is better`() throws {
    var rule = try ThompsonRule(settings: ["cost": .number("0"), "buckets": .number("1")])
    for _ in 0..<2 {
      rule.observe(true, after: .remind, at: 0.5)
      rule.observe(false, after: .quiet, at: 0.5)
    }
    var rng = Seed(2).stream("decision")
    let reminded = (0..<20_000).filter { _ in rule.decide(0.5, using: &rng) == .remind }.count
    // P(X > Y) for X the largest and Y the smallest of three uniforms each: 1 − P(all X below all Y) = 1 − 3!3!/6! = .95.
    #expect(abs(Double(reminded) / 20_000 - 0.95) < 4 * (0.95 * 0.05 / 20_000).squareRoot())
  }

  @Test(arguments: rules.indices)
  func `the same stream gives the same decisions, saved and restored too`(index: Int) throws {
    #expect(try PersonalLaws.violations(ofRule: DecisionTests.rules[index], seed: Seed(3)) == [])
  }

  @Test(arguments: rules.indices)
  func `a damaged state is refused or harmless`(index: Int) throws { try damage(DecisionTests.rules[index]) }

  private func damage<R: DecisionRule>(_ rule: R) throws {
    var (rule, rng) = (rule, Seed(4).stream("decision"))
    for row in 0..<30 { rule.observe(row % 3 == 0, after: row % 2 == 0 ? .remind : .quiet, at: Double(row) / 30) }
    let (refused, all) = try PersonalLaws.damage(rule) { copy in
      var copy = copy
      for row in 0..<10 { _ = copy.decide(Double(row) / 10, using: &rng) }
    }
    #expect(all > 0 && refused > 0)
  }

  // MARK: - Regret

  /// A person with p of keeping the habit as the model says; a reminder adds .3 below .5 and nothing above; it costs .1.
  private func regret<R: DecisionRule>(_ rule: R, days: Int, seed: Seed) -> Double {
    var (rule, rng, regret) = (rule, seed.stream("decisions"), 0.0)
    for day in 0..<days {
      let p = seed.uniform(day, 0, 0)
      let worth = p < 0.5 ? 0.3 - 0.1 : -0.1
      let decision = rule.decide(p, using: &rng)
      regret += max(0, worth) - (decision == .remind ? worth : 0)
      rule.observe(seed.uniform(day, 1, 0) < p + (decision == .remind && p < 0.5 ? 0.3 : 0), after: decision, at: p)
    }
    return regret
  }

  @Test func `thompson's regret lies below that of reminding always and of never reminding`() {
    struct Always: DecisionRule {
      static let (name, summary, source) = ("always", "", "")
      func decide(_ p: Double, using rng: inout Random) -> Decision { .remind }
    }
    struct Silent: DecisionRule {
      static let (name, summary, source) = ("silent", "", "")
      func decide(_ p: Double, using rng: inout Random) -> Decision { .quiet }
    }
    var sums = [0.0, 0, 0, 0]
    for life in 0..<100 {
      let seed = Seed(59).derived("life", life)
      sums[0] += regret(ThompsonRule(), days: 1000, seed: seed)
      sums[1] += regret(EpsilonRule(), days: 1000, seed: seed)
      sums[2] += regret(Always(), days: 1000, seed: seed)
      sums[3] += regret(Silent(), days: 1000, seed: seed)
    }
    // Always: .1 on half of all days; never: .2 on the others. Thompson's: 31, ε's: 35.
    #expect(abs(sums[2] / 100 - 50) < 2 && abs(sums[3] / 100 - 100) < 4)
    #expect(sums[0] < 0.75 * sums[2] && sums[1] < 0.9 * sums[2], "\(sums.map { $0 / 100 })")
  }

  /// Once it has learned, it errs ever less: the second thousand of days costs less than the first.
  @Test func `thompson's regret grows ever more slowly`() {
    let (half, whole) = (0..<50).reduce((0.0, 0.0)) { sum, life in
      let seed = Seed(61).derived("life", life)
      return (
        sum.0 + regret(ThompsonRule(), days: 1500, seed: seed), sum.1 + regret(ThompsonRule(), days: 3000, seed: seed)
      )
    }
    #expect(whole - half < 0.8 * half, "\(half / 50) of \(whole / 50)")
  }
}
