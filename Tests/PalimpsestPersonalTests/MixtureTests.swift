import PalimpsestCore
import PalimpsestPersonal
import PalimpsestTesting
import Testing

@Suite struct MixtureTests {
  private func answers(_ likelihoods: [Double]) -> [ExpertAnswer] {
    likelihoods.map { ExpertAnswer(likelihood: $0, isRight: $0 > 0.5) }
  }

  private func mixture(_ experts: [Expert] = [.population, .personal], share: Double = 0.01) -> Mixture {
    var mixture = Mixture()
    (mixture.experts, mixture.share) = (experts, share)
    return mixture
  }

  /// w = ½, ½ and q = .8, .4: v = .4/.6, .2/.6; w = .9 v + .05 = .65, .35. Then q = .1, 1: .065, .35 → v = .065/.415, .35/.415.
  @Test func `weights by hand`() {
    var mixture = mixture(share: 0.1)
    #expect(mixture.weights == [0.5, 0.5])
    #expect(mixture.observe(answers([0.8, 0.4])) == nil)
    #expect(zip(mixture.weights, [0.65, 0.35]).allSatisfy { abs($0 - $1) < 1e-15 })
    _ = mixture.observe(answers([0.1, 1]))
    let second = [0.9 * 0.065 / 0.415 + 0.05, 0.9 * 0.35 / 0.415 + 0.05]
    #expect(zip(mixture.weights, second).allSatisfy { abs($0 - $1) < 1e-15 })
  }

  @Test func `what no probability is has the outcome that is told`() {
    var zero = mixture()
    _ = zero.observe(answers([0, 0.3]))
    #expect(zip(zero.weights, [0.005, 0.995]).allSatisfy { abs($0 - $1) < 1e-15 })
    var noneAtAll = zero
    _ = noneAtAll.observe(answers([0, 0]))  // v = w
    #expect(abs(noneAtAll.weights[0] - (0.99 * 0.005 + 0.005)) < 1e-15)
    // The first sleeps: .5 before the share; the others divide the other half by their likelihoods, 3 to 1.
    var asleep = mixture([.population, .personal, .snapshot], share: 0)
    _ = asleep.observe(answers([0.5, 0.5, 0.5]))
    _ = asleep.observe(answers([.nan, 0.3, 0.1]))
    #expect(zip(asleep.weights, [1.0 / 3, 0.5, 1.0 / 6]).allSatisfy { abs($0 - $1) < 1e-15 })
    var noneAnswered = asleep
    _ = noneAnswered.observe(answers([.nan, .nan, .nan]))
    #expect(noneAnswered.weights == asleep.weights)
    var outside = mixture(share: 0)
    _ = outside.observe(answers([-3, 7]))
    #expect(outside.weights == [0, 1])
    var tiny = mixture(share: 0)
    for _ in 0..<1000 { _ = tiny.observe(answers([.leastNonzeroMagnitude, 1e-300])) }
    #expect(tiny.weights == [0, 1])
  }

  @Test func `settings that contradict one another are told`() {
    #expect(mixture([.population, .personal, .window, .snapshot]).problem == nil)
    #expect(mixture([.personal, .personal]).problem == "experts: \"personal\" stands there twice; once is right.")
    #expect(
      mixture([.personal, .candidate]).problem
        == "experts: a \"candidate\" is not in use and cannot be mixed.")
    #expect(throws: ParameterError.self) { try Mixture(settings: ["experts": .list([])]) }
    #expect(throws: ParameterError.self) { try Mixture(settings: ["experts": .list([.string("personnel")])]) }
  }

  // MARK: - The law

  /// The least that the law allows, over all paths at once: ln N + what the path's rows cost + ln(N/α) a switch − ln(1 − α + α/N) a row
  /// that stays with its expert. By dynamic programming.
  private func bound(_ rows: [[Double]], share: Double) -> Double {
    let n = Double(rows[0].count)
    let (leaves, stays) = (Elementary.log(n / share), -Elementary.log(1 - share + share / n))
    var best = rows[0].map { Elementary.log(n) - Elementary.log($0) }
    for row in rows.dropFirst() {
      best = row.indices.map { i in
        let before = best.indices.map { best[$0] + ($0 == i ? stays : leaves) }.min() ?? .infinity
        return before - Elementary.log(row[i])
      }
    }
    return best.min() ?? .infinity
  }

  /// The mixture's own loss over rows that may look at its weights.
  private func play(_ mixture: Mixture, rows count: Int, _ row: (Int, [Double]) -> [Double]) -> (
    loss: Double, rows: [[Double]]
  ) {
    var (mixture, loss, rows) = (mixture, 0.0, [[Double]]())
    for t in 0..<count {
      let q = row(t, mixture.weights)
      loss -= Elementary.log(zip(mixture.weights, q).reduce(0) { $0 + $1.0 * $1.1 })
      _ = mixture.observe(answers(q))
      rows.append(q)
    }
    return (loss, rows)
  }

  /// What may be played against the mixture.
  private enum Adversary: Int, CaseIterable {
    case random, sharp, oneIsRight, turns, againstTheHeaviest, zeros, tiny

    func row(_ t: Int, _ w: [Double], _ seed: Seed) -> [Double] {
      let heaviest = w.indices.max { w[$0] < w[$1] } ?? 0
      return w.indices.map { i in
        let u = seed.uniform(t, i, 0)
        switch self {
        case .random: return u
        case .sharp: return u < 0.5 ? 0.001 : 0.999
        case .oneIsRight: return i == 0 ? 0.5 : 0
        case .turns: return (t / 17) % w.count == i ? 0.9 : 0.05
        case .againstTheHeaviest: return i == heaviest ? 1e-4 : 0.6 + 0.4 * u
        case .zeros: return u < 0.3 ? 0 : u
        case .tiny: return u * Elementary.power(10, -300 * seed.uniform(t, i, 1))
        }
      }
    }
  }

  @Test func `no sequence breaks the bound`() {
    let shares = [1e-6, 0.001, 0.01, 0.2, 1]
    var (closest, games) = (Double.infinity, 0)
    for game in 0..<(Tier.slow ? 40_000 : 4_200) {
      let seed = Seed(11).derived("game", game)
      let share = shares[game / 7 % 5]
      let experts: [Expert] = game % 2 == 0 ? [.population, .personal] : [.population, .personal, .window]
      guard let adversary = Adversary(rawValue: game % 7) else { continue }
      let rows = game % 3 == 0 ? 180 : 1 + Int(seed.uniform(0, 0, 9) * 180)
      let played = play(mixture(experts, share: share), rows: rows) { adversary.row($0, $1, seed) }
      let bound = bound(played.rows, share: share)
      #expect(played.loss <= bound + 1e-9 * Double(rows) || bound == .infinity, "game \(game): \(adversary)")
      if bound < .infinity { closest = min(closest, bound - played.loss) }
      games += 1
    }
    #expect(games >= 4_000)
    // The bound is met: where every other expert thinks impossible what happens, and with 1e-6 nats of slack it would be broken.
    #expect(abs(closest) < 1e-9)
  }

  /// ln 2 − 179 ln(.995) = .6931 + .8973 = 1.5904 nats: the most that half a year with a wrong personal model can cost.
  @Test func `never leaving the population costs at most 1,59 nats in half a year`() {
    let played = play(mixture(), rows: 180) { _, _ in [0.5, 0] }
    let excess = played.loss - 180 * Elementary.log(2)
    #expect(abs(excess - 1.5904) < 1e-4)
    #expect(abs(excess - (Elementary.log(2) - 179 * Elementary.log(0.995))) < 1e-12)
  }

  /// A mixture that learns the wrong way round is seen by the law.
  @Test func `the law can be broken`() {
    let rows = (0..<180).map { _ in [0.9, 0.1] }
    let loss = -180 * Elementary.log(0.5)  // weights that stay ½, ½
    #expect(loss > bound(rows, share: 0.01) + 50)
  }
}
