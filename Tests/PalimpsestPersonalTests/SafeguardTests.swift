import PalimpsestCore
import PalimpsestPersonal
import PalimpsestTesting
import Testing

@Suite("Safeguards")
struct SafeguardTests {
  private func answer(_ isRight: Bool, _ likelihood: Double? = nil) -> ExpertAnswer {
    ExpertAnswer(likelihood: likelihood ?? (isRight ? 1 : 0), isRight: isRight)
  }

  /// Rows of which both models are right but for those that only the one or only the other gets wrong, in this order.
  private func trial(both: Int, onlyCurrentWrong: Int, onlyCandidateWrong: Int) -> Trial {
    let current =
      [Bool](repeating: true, count: both) + [Bool](repeating: false, count: onlyCurrentWrong)
      + [Bool](repeating: true, count: onlyCandidateWrong)
    let candidate =
      [Bool](repeating: true, count: both + onlyCurrentWrong)
      + [Bool](repeating: false, count: onlyCandidateWrong)
    return Trial(current: current.map { answer($0) }, candidate: candidate.map { answer($0) })
  }

  @Test func `the names are those of files`() {
    #expect(standardSafeguards.map { $0.name } == ["none", "mixture", "held-out", "shadow", "rollback"])
  }

  @Test func `without a safeguard all is deployed`() {
    var none = NoSafeguard()
    #expect(none.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 20)).decision == .deploy)
    #expect(none.observe([answer(false)]) == nil)
    #expect(none.weights == [1] && none.heldOutEvery == nil)
  }

  @Test func `losses lie in 0 to 1 whatever an answer holds`() {
    #expect(PairedLoss.error.value(answer(true, .nan)) == 0)
    #expect(PairedLoss.brier.value(answer(true, 0.75)) == 0.0625)
    #expect([Double.nan, -1, 2].map { PairedLoss.brier.value(answer(true, $0)) } == [1, 1, 0])
    #expect(PairedLoss.brier.difference(answer(true, 0.5), minus: answer(true, .nan)) == -0.75)
  }

  // MARK: - Held-out

  /// Of the last 15 rows one is got wrong by the candidate alone and one by the current model alone: 0 ≤ 0. One more of the candidate's: 1/15.
  @Test func `the mean of the latest kept rows decides`() {
    var heldOut = HeldOut()
    #expect(heldOut.heldOutEvery == 4)
    #expect(heldOut.judge(trial(both: 30, onlyCurrentWrong: 1, onlyCandidateWrong: 1)) == Verdict(.deploy, evidence: 0))
    let worse = heldOut.judge(trial(both: 30, onlyCurrentWrong: 1, onlyCandidateWrong: 2))
    #expect(worse.decision == .keep && abs(worse.evidence - 1.0 / 15) < 1e-15)
    // What lies before the last 15 does not count.
    #expect(heldOut.judge(trial(both: 0, onlyCurrentWrong: 30, onlyCandidateWrong: 1)).evidence == -13.0 / 15)
    heldOut.margin = 0.07
    #expect(heldOut.judge(trial(both: 30, onlyCurrentWrong: 1, onlyCandidateWrong: 2)).decision == .deploy)
    #expect(heldOut.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0)).decision == .keep)
  }

  /// 15 differences, four of them −1: mean −4/15, variance (4 · (11/15)² + 11 · (4/15)²)/14 = 44/210, upper end −.26667 + 1.645 · √(.20952/15) = −.07225. With
  /// two: −2/15, variance 26/210, upper end −.13333 + 1.645 · √(.12381/15) = .01611.
  @Test func `t looks at the upper end of the mean's interval`() {
    var heldOut = HeldOut()
    heldOut.test = .t
    let four = heldOut.judge(trial(both: 11, onlyCurrentWrong: 4, onlyCandidateWrong: 0))
    #expect(four.decision == .deploy && abs(four.evidence + 0.07225) < 1e-5)
    let two = heldOut.judge(trial(both: 13, onlyCurrentWrong: 2, onlyCandidateWrong: 0))
    #expect(two.decision == .keep && abs(two.evidence - 0.01611) < 1e-5)
    heldOut.z = 0
    #expect(heldOut.judge(trial(both: 13, onlyCurrentWrong: 2, onlyCandidateWrong: 0)).decision == .deploy)
    // One row has no deviation; equal answers have none either, and are no worse.
    #expect(heldOut.judge(trial(both: 0, onlyCurrentWrong: 1, onlyCandidateWrong: 0)).decision == .keep)
    #expect(heldOut.judge(trial(both: 9, onlyCurrentWrong: 0, onlyCandidateWrong: 0)) == Verdict(.deploy, evidence: 0))
  }

  /// The candidate alone is right: W = 1, 1.5, 1.5², …; 1/level₁ = 32.9 < 1.5⁹, 1/level₂ = 131.6 < 1.5¹³, 1/level₃ = 296.1 > 1.5¹⁴ = 291.9.
  @Test func `bet asks for a proof, and for more with each update`() {
    var heldOut = HeldOut()
    heldOut.test = .bet
    let verdicts = (0..<3).map { _ in heldOut.judge(trial(both: 0, onlyCurrentWrong: 40, onlyCandidateWrong: 0)) }
    #expect(verdicts.map(\.decision) == [.deploy, .deploy, .keep])
    let powers = [9.0, 13, 14].map { Elementary.power(1.5, $0) }
    #expect(zip(verdicts, powers).allSatisfy { abs($0.evidence - $1) < 1e-10 * $1 })
    #expect(heldOut.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0)) == Verdict(.keep, evidence: 1))
  }

  // MARK: - Shadow

  /// The candidate alone is right each day: W = 1, 1.5, 1.5², …; level₁ = 6 · .05/π² = .030396, 1/level₁ = 32.9, and 1.5⁹ = 38.4: the tenth day.
  @Test func `a candidate is deployed when it has proven itself`() {
    var shadow = Shadow()
    let better = [answer(false), answer(true)]
    #expect(shadow.observe(better) == nil)
    #expect(shadow.judge(trial(both: 1, onlyCurrentWrong: 0, onlyCandidateWrong: 0)).decision == .shadow)
    for _ in 1..<10 { #expect(shadow.observe(better) == nil) }
    let verdict = shadow.observe(better)
    #expect(verdict?.decision == .deploy)
    #expect(abs((verdict?.evidence ?? 0) - Elementary.power(1.5, 9)) < 1e-10)
    #expect(shadow.observe(better) == nil)
    // The second candidate: 1/level₂ = 131.6 and 1.5¹³ = 194.6, the fourteenth day.
    _ = shadow.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0))
    let days = (1...20).first { _ in shadow.observe(better)?.decision == .deploy }
    #expect(days == 14)
  }

  @Test func `a candidate that does not prove itself is dropped, and none is begun beside it`() throws {
    var shadow = try Shadow(settings: ["days": .number("20"), "loss": .string("brier")])
    _ = shadow.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0))
    for day in 1..<20 {
      #expect(shadow.observe([answer(true, 0.7), answer(true, 0.7)]) == nil)
      if day == 7 {
        #expect(shadow.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0)).decision == .keep)
      }
    }
    #expect(shadow.observe([answer(true, 0.7), answer(true, 0.7)]) == Verdict(.keep, evidence: 1))
    #expect(shadow.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0)).decision == .shadow)
  }

  // MARK: - Rollback

  @Test func `an update that has proven worse is rolled back`() {
    var rollback = Rollback()
    let worse = [answer(false), answer(true)]
    #expect(rollback.observe(worse) == nil)
    #expect(rollback.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 9)).decision == .deploy)
    for _ in 1..<10 { #expect(rollback.observe(worse) == nil) }
    #expect(rollback.observe(worse)?.decision == .rollBack)
    #expect(rollback.observe(worse) == nil)
  }

  @Test func `an update that is better, or no worse than the margin, stays`() {
    var (rollback, tolerant) = (Rollback(), Rollback())
    tolerant.margin = 0.5
    _ = rollback.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0))
    _ = tolerant.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0))
    for day in 0..<400 {
      #expect(rollback.observe([answer(true), answer(day % 2 == 0)]) == nil)
      // Worse by .5 a day on average, which is the margin.
      #expect(tolerant.observe([answer(day % 2 == 0), answer(true)]) == nil)
    }
  }

  @Test func `each deployment has a test of its own`() {
    var rollback = Rollback()
    for day in 0..<400 {
      if day % 7 == 0 { _ = rollback.judge(trial(both: 0, onlyCurrentWrong: 0, onlyCandidateWrong: 0)) }
      #expect(rollback.observe([answer(false), answer(true)]) == nil)  // 1.5⁶ < 32.9
    }
  }

  /// Errors of both models come with equal probability in all rows; updates end weekly. A life must not see a wrong verdict more often than the level.
  @Test func `in lives in which nothing is better or worse, verdicts err no more often than the level`() {
    let lives = Tier.slow ? 100_000 : 20_000
    var (deployed, back) = (0, 0)
    for life in 0..<lives {
      let seed = Seed(37).derived("null", life)
      var (shadow, rollback) = (Shadow(), Rollback())
      shadow.days = 30
      var (isDeployed, isBack) = (false, false)
      for day in 0..<180 {
        let u = seed.uniform(day, 0, 0)
        let answers = [answer(u >= 0.2), answer(u < 0.1 || u >= 0.3)]
        isDeployed = isDeployed || shadow.observe(answers)?.decision == .deploy
        isBack = isBack || rollback.observe(answers)?.decision == .rollBack
        if day % 7 == 6 { _ = shadow.judge(Trial(current: [], candidate: [])) }
        if day % 45 == 0 { _ = rollback.judge(Trial(current: [], candidate: [])) }
      }
      deployed += isDeployed ? 1 : 0
      back += isBack ? 1 : 0
    }
    let most = 0.05 * Double(lives) + 4 * (0.05 * 0.95 * Double(lives)).squareRoot()
    #expect(Double(deployed) < most && Double(back) < most, "\(deployed) and \(back) of \(lives)")
  }

  // MARK: - Laws

  static let safeguards: [any Safeguard] = {
    var (mixed, unshared, t, bet) = (Mixture(), Mixture(), HeldOut(), HeldOut())
    var (brier, eager) = (Shadow(), Rollback())
    mixed.experts = [.population, .personal, .window, .snapshot]
    unshared.share = 0
    (t.test, t.loss, t.last) = (.t, .brier, 4)
    (bet.test, bet.last, bet.level) = (.bet, 100, 0.9)
    (brier.loss, brier.days, brier.level) = (.brier, 12, 0.9)
    (eager.level, eager.loss) = (0.999, .brier)
    return standardSafeguards.map { $0.init() } + [mixed, unshared, t, bet, brier, eager]
  }()

  @Test(arguments: safeguards.indices)
  func `every safeguard keeps the laws`(index: Int) throws {
    for seed in 0..<20 {
      let found = try PersonalLaws.violations(ofSafeguard: SafeguardTests.safeguards[index], seed: Seed(UInt64(seed)))
      #expect(found == [])
    }
  }

  /// Weights that do not add up are seen.
  @Test func `a safeguard that counts too much breaks the law`() throws {
    struct Twofold: Safeguard {
      static let (name, summary, source) = ("twofold", "", "")
      var experts: [Expert] { [.population, .personal] }
      var weights: [Double] { [1, 1] }
    }
    #expect(try PersonalLaws.violations(ofSafeguard: Twofold(), seed: Seed(1)).count == 200)
  }

  @Test(arguments: safeguards.indices)
  func `a damaged state is refused or harmless`(index: Int) throws { try damage(SafeguardTests.safeguards[index]) }

  private func damage<S: Safeguard>(_ safeguard: S) throws {
    var safeguard = safeguard
    let answers = (0..<40).map { row in safeguard.experts.indices.map { PersonalLaws.answer(Seed(5), row, $0) } }
    _ = safeguard.judge(Trial(current: [], candidate: []))
    for row in answers.prefix(8) { _ = safeguard.observe(row) }
    let (refused, all) = try PersonalLaws.damage(safeguard) { copy in
      var copy = copy
      for row in answers {
        _ = copy.observe(row)
        _ = copy.judge(Trial(current: [], candidate: []))
      }
    }
    #expect(all > 0 && refused > 0)
  }

  @Test func `weights that add up to no 1 are refused`() throws {
    var mixture = Mixture()
    _ = mixture.observe([answer(true), answer(true)])
    let bytes = try StateEncoder.bytes(of: mixture)
    mixture.experts = [.personal]
    let wrong = try StateEncoder.bytes(of: mixture)
    #expect(try StateDecoder.value(Mixture.self, from: bytes).weights == [0.5, 0.5])
    #expect(throws: StateError("2 weights of 1 experts")) { try StateDecoder.value(Mixture.self, from: wrong) }
  }
}
