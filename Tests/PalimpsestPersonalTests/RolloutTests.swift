import PalimpsestCore
import PalimpsestPersonal
import PalimpsestTesting
import Testing

@Suite struct RolloutTests {
  /// d = −.5 for all: gain .505 each, λ = min(1/.505, .5/1.005) from the second user on, factor 1 + .49751 · .505 = 1.25124; ln 20/ln 1.25124 = 13.4, so the
  /// fifteenth user passes a stage.
  @Test func `a better model passes all stages`() {
    var rollout = Rollout()
    #expect(rollout.share == 0.01 && !rollout.isOver)
    var verdicts: [Rollout.Verdict] = []
    while !rollout.isOver { verdicts.append(rollout.observe(userMeanDifference: -0.5)) }
    #expect(verdicts.count == 60)
    #expect([14, 29, 44, 59].map { verdicts[$0] } == [.advance, .advance, .advance, .complete])
    #expect(verdicts.filter { $0 == .wait }.count == 56)
    #expect(rollout.begun.map(\.users) == [15, 15, 15, 15])
    #expect(rollout.begun.map(\.days) == [210, 210, 210, 210])
    #expect(rollout.begun.allSatisfy { $0.nonInferiority.wealth >= 20 && $0.harm.wealth == 1 })
    #expect(rollout.share == 1)
    // What comes behind the end changes nothing.
    let before = rollout.begun
    #expect(rollout.observe(userMeanDifference: 1) == .complete)
    #expect(rollout.begun == before)
  }

  /// d = .5: gain .495, factor 1 + .49751 · .495 = 1.24627; ln(4/.05)/ln 1.24627 = 19.9: the first user bets nothing, the 21st ends it.
  @Test func `a worse model goes back`() {
    var rollout = Rollout()
    let verdicts = (1...21).map { _ in rollout.observe(userMeanDifference: 0.5) }
    #expect(verdicts == [Rollout.Verdict](repeating: .wait, count: 20) + [.back])
    #expect(rollout.isOver && rollout.share == 0)
    #expect(rollout.observe(userMeanDifference: -1) == .back)
    #expect(rollout.begun.count == 1 && rollout.begun[0].verdict == .back)
  }

  @Test func `a difference that is no number speaks for neither`() {
    var rollout = Rollout()
    for _ in 0..<100 { #expect(rollout.observe(userMeanDifference: .nan) == .wait) }
    #expect(rollout.begun[0].users == 100)
  }

  @Test func `stages that do not ascend are told`() throws {
    var rollout = Rollout()
    #expect(rollout.problem == nil)
    rollout.stages = [0.1, 0.1, 1]
    #expect(rollout.problem == "stages: 0.1 does not lie above 0.1 before it.")
    #expect(throws: ParameterError.self) { try Rollout(settings: ["stages": .list([])]) }
    #expect(throws: ParameterError.self) { try Rollout(settings: ["stages": .list([.number("1.5")])]) }
  }

  /// Users of mean d and deviation .15: errors of 14 days at which the models disagree on one day in six.
  private func outcome(mean: Double, seed: Seed, users: Int) -> (Rollout, passed: Int) {
    var rollout = Rollout()
    for user in 0..<users where !rollout.isOver {
      let u = seed.uniform(user, 0, 0)
      _ = rollout.observe(userMeanDifference: mean + (u < 1.0 / 6 ? -0.26 : u < 1.0 / 3 ? 0.26 : 0))
    }
    return (rollout, rollout.begun.filter { $0.verdict == .advance || $0.verdict == .complete }.count)
  }

  /// At d = margin both null hypotheses are true: stages are passed, and left, no more often than the level.
  @Test func `at the margin neither verdict comes more often than the level`() {
    let rollouts = Tier.slow ? 40_000 : 4_000
    var (passed, back) = (0, 0)
    for i in 0..<rollouts {
      let (rollout, stages) = outcome(mean: 0.005, seed: Seed(41).derived("null", i), users: 1500)
      passed += stages > 0 ? 1 : 0
      back += rollout.begun.last?.verdict == .back ? 1 : 0
    }
    let most = 0.05 * Double(rollouts) + 4 * (0.05 * 0.95 * Double(rollouts)).squareRoot()
    #expect(Double(passed) < most && Double(back) < most, "\(passed) and \(back) of \(rollouts)")
    #expect(passed > 0 && back > 0)
  }

  /// Three points better or worse: 220 users a stage decide it, and rightly.
  @Test func `what is better is shipped, what is worse comes back`() {
    var (complete, back, users) = (0, 0, 0)
    for i in 0..<200 {
      let better = outcome(mean: -0.03, seed: Seed(43).derived("better", i), users: 20_000).0
      complete += better.begun.last?.verdict == .complete ? 1 : 0
      users += better.begun.reduce(0) { $0 + $1.users }
      back +=
        outcome(mean: 0.03, seed: Seed(43).derived("worse", i), users: 20_000).0.begun.last?.verdict == .back ? 1 : 0
    }
    #expect(complete >= 190 && back >= 185, "\(complete) and \(back) of 200")
    #expect((600...1200).contains(users / 200), "\(users / 200) users a rollout")
  }

  @Test func `saved and restored anywhere, the same verdicts follow`() throws {
    for mean in [-0.05, 0, 0.1] {
      var (whole, parted) = (Rollout(), Rollout())
      for user in 0..<600 {
        parted = try StateDecoder.value(Rollout.self, from: StateEncoder.bytes(of: parted))
        let d = mean + 0.2 * (Seed(47).uniform(user, 0, 0) - 0.5)
        #expect(whole.observe(userMeanDifference: d) == parted.observe(userMeanDifference: d))
      }
      #expect(whole.begun == parted.begun)
    }
  }

  @Test func `stages of other settings are refused`() throws {
    var rollout = Rollout()
    _ = rollout.observe(userMeanDifference: 0)
    rollout.stages = [0.5, 1]
    let wrong = try StateEncoder.bytes(of: rollout)
    #expect(throws: StateError("stage 1 of 2 is none of these settings")) {
      try StateDecoder.value(Rollout.self, from: wrong)
    }
  }
}
