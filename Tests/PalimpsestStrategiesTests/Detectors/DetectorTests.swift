import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct DetectorTests {
  private func pageHinkley(_ change: (inout PageHinkley) -> Void = { _ in }) -> PageHinkley {
    var detector = PageHinkley()
    change(&detector)
    return detector
  }

  /// The share of errors rises at 1,000 and 3,000 and falls at 2,000.
  @Test func `one that looks up finds the rises, one that looks down the fall`() {
    let (up, down) = (pageHinkley { $0.mode = .up }, pageHinkley { $0.mode = .down })
    #expect(DetectorLaws.alarms(of: up, on: DetectorStream.changing) == [1248, 3210])
    #expect(DetectorLaws.alarms(of: down, on: DetectorStream.changing) == [2226])
  }

  /// Three zeros, then ones; δ 0, α 1. The means are 0, 0, 0, ¼, ⅖, ½, so up is 0, 0, 0, ¾, 1.35, 1.85. A mean without the value
  /// at hand would give 1 and 1.75, an alarm a row sooner.
  @Test func `sums are taken from the mean with the value at hand`() {
    let detector = pageHinkley { ($0.least, $0.delta, $0.alpha, $0.threshold) = (1, 0, 1, 1.4) }
    #expect(DetectorLaws.alarms(of: detector, on: [0, 0, 0, 1, 1, 1, 1]) == [5])
    let patient = pageHinkley { ($0.least, $0.delta, $0.alpha, $0.threshold) = (7, 0, 1, 1.4) }
    #expect(DetectorLaws.alarms(of: patient, on: [0, 0, 0, 1, 1, 1, 1]) == [6])
  }

  @Test func `losses are watched where that is asked, and what is no number is passed over`() {
    var (errors, losses) = (pageHinkley { $0.least = 1 }, pageHinkley { ($0.least, $0.watches) = (1, .loss) })
    for row in 0..<200 {
      let outcome = Outcome(row: row, error: 0, loss: row < 100 ? 0.5 : 3)
      #expect(errors.observe(outcome) == .none)
      if losses.observe(outcome) == .alarm { return #expect((100..<140).contains(row)) }
      #expect(losses.observe(Outcome(row: row, error: 0, loss: .nan)) == .none)
    }
    Issue.record("no alarm")
  }

  @Test(arguments: [WatchedOutcome.error, .loss], DriftDirection.allCases)
  func `Page–Hinkley keeps the laws`(watches: WatchedOutcome, mode: DriftDirection) {
    #expect(DetectorLaws.violations(of: pageHinkley { ($0.watches, $0.mode) = (watches, mode) }) == [])
  }

  /// Twelve 0, then 1; δ ½, every bucket one value. Between 0 and 1 the means differ by 1. With six 1: m = 1/11 + 1/5 = .2909,
  /// V/n = 12 · 6/18² = .2222, δ′ = ln(4 ln 18) = 2.4477, √(2 m V/n δ′) + ⅔ m δ′ = .5625 + .4747 = 1.037. With seven: .9672.
  @Test func `adwin cuts where the formula does`() {
    let detector = AlarmTests.make { (d: inout ADWIN) in
      (d.delta, d.clock, d.leastSide, d.buckets) = (0.5, 1, 2, 1000)
    }
    let values = Array(repeating: 0.0, count: 12) + Array(repeating: 1.0, count: 12)
    #expect(DetectorLaws.alarms(of: detector, on: values) == [18])
  }

  /// One error in 32 rows: p = 1/32, s = √(1/32 · 31/32 / 32) = .03076; p + s = .0620 is the least. With the next errors p + s is
  /// 2/33 + .04154 = .1021, 3/34 + .04865 = .1369, 4/35 + .05378 = .1681: above pₘ + 2 sₘ = .0928 at once, above pₘ + 3 sₘ = .1235
  /// with the third.
  @Test func `ddm warns and alarms by standard deviations`() {
    let values = [1] + Array(repeating: 0.0, count: 31) + [1, 1, 1]
    #expect(DetectorLaws.warnings(of: DDM(), on: values) == [32])
    #expect(DetectorLaws.alarms(of: DDM(), on: values) == [33])
    let silent = AlarmTests.make { (d: inout DDM) in d.least = 34 }
    #expect(DetectorLaws.alarms(of: silent, on: values) == [])
  }

  /// Distances 10 (three times), then 1: after the first 1 μ = 31/4 and σ = 4.5, μ + 2σ = 16.75 is a new maximum; then 12.8 / 2:
  /// distances 10 10 10 1 1: μ 6.4, σ 4.9295, 16.259; 10 10 10 1 1 1: μ 5.5, σ 4.9295, 15.359; share .9708, .9170, then
  /// 34/7 + 2 · 4.8107 = 14.479: .8644.
  @Test func `eddm looks at the distances between errors`() {
    let detector = AlarmTests.make { (d: inout EDDM) in d.least = 4 }
    var values = Array(repeating: 0.0, count: 40)
    for row in [9, 19, 29, 30, 31, 32, 33] { values[row] = 1 }
    #expect(DetectorLaws.warnings(of: detector, on: values) == [32])
    #expect(DetectorLaws.alarms(of: detector, on: values) == [33])
  }

  /// Four right answers, then wrong ones; ln(1/δ) = 2: √(2 / 8) = ½. The mean of four is 1, ¾, ½, ¼: it alarms above ½, at the third
  /// wrong answer. Weighted 1 2 3 4 of 10 it is 1, .6, .3, .1, and √(½ · .3 · 2) = .5477: at the second.
  @Test func `fhddm and mddm look at the latest answers`() {
    let values = [0, 0, 0, 0, 1, 1, 1, 1.0]
    let delta = Elementary.exp(-2)
    let plain = AlarmTests.make { (d: inout FHDDM) in (d.window, d.delta) = (4, delta) }
    let weighted = AlarmTests.make { (d: inout MDDM) in (d.window, d.delta, d.difference) = (4, delta, 1) }
    #expect(DetectorLaws.alarms(of: plain, on: values) == [6])
    #expect(DetectorLaws.alarms(of: weighted, on: values) == [5])
  }

  @Test(arguments: MDDM.Weights.allCases)
  func `mddm with equal weights alarms where fhddm does`(weights: MDDM.Weights) {
    let equal = AlarmTests.make { (d: inout MDDM) in (d.weights, d.difference) = (weights, 0) }
    for stream in AlarmTests.streams {
      #expect(DetectorLaws.alarms(of: equal, on: stream) == DetectorLaws.alarms(of: FHDDM(), on: stream))
    }
  }

  /// Of two samples of n: the chance of a difference of n is 2 / C(2n, n); of 30 values .002530 at 14 and .006548 at 13.
  @Test func `kswin takes the exact chance`() {
    // Window 8, latest 4: the older four are all picked. C(8, 4) = 70: chance 2/70 = .0286 for a difference of 4, and
    // 2 · C(8, 1) / 70 = .2286 for one of 3.
    func kswin(_ alpha: Double, _ pick: KSWIN.Pick) -> KSWIN {
      AlarmTests.make { (d: inout KSWIN) in (d.window, d.latest, d.alpha, d.pick) = (8, 4, alpha, pick) }
    }
    let values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    for pick in KSWIN.Pick.allCases {
      #expect(DetectorLaws.alarms(of: kswin(0.0286, pick), on: values) == [7])
      #expect(DetectorLaws.alarms(of: kswin(0.0285, pick), on: values) == [])
      #expect(DetectorLaws.alarms(of: kswin(0.2286, pick), on: [0.1, 0.2, 0.3, 0.6, 0.5, 0.6, 0.7, 0.8]) == [7])
      #expect(DetectorLaws.alarms(of: kswin(0.2285, pick), on: [0.1, 0.2, 0.3, 0.6, 0.5, 0.6, 0.7, 0.8]) == [])
    }
    // With window 100, thirteen of the latest 30 are errors and none before: not enough; fourteen are.
    let zeros = Array(repeating: 0.0, count: 86)
    #expect(DetectorLaws.alarms(of: KSWIN(), on: zeros + Array(repeating: 1, count: 13)) == [])
    #expect(DetectorLaws.alarms(of: KSWIN(), on: zeros + Array(repeating: 1, count: 14)) == [99])
  }

  @Test func `kswin's draws follow from its seed alone`() {
    func alarms(_ seed: Int) -> [Int] {
      let detector = AlarmTests.make { (d: inout KSWIN) in (d.pick, d.drawSeed, d.alpha) = (.drawn, seed, 0.05) }
      return DetectorLaws.alarms(of: detector, on: DetectorStream.steady)
    }
    #expect(alarms(1) == alarms(1))
    #expect(Set((1...5).map(alarms)).count == 5)
  }

  @Test func `kswin wants as many older values as latest ones`() {
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [], seed: Seed(1))
    let narrow = AlarmTests.make { (d: inout KSWIN) in d.latest = 51 }
    #expect(
      setup.problem(with: [narrow])
        == "\"kswin\": latest: 51 of a window of 100 leave fewer older ones to compare with; give at most 50.")
    #expect(setup.problem(with: [KSWIN()]) == nil)
  }

  @Test func `dummies alarm by themselves`() {
    let never = DetectorLaws.alarms(of: AlarmNever(), on: DetectorStream.steady)
    let every = DetectorLaws.alarms(of: AlarmEvery(), on: DetectorStream.steady)
    #expect(never == [] && every == Array(stride(from: 999, to: 10_000, by: 1000)))
    func random(_ seed: Int) -> [Int] {
      let detector = AlarmTests.make { (d: inout AlarmRandom) in (d.rate, d.drawSeed) = (0.1, seed) }
      return DetectorLaws.alarms(of: detector, on: DetectorStream.steady)
    }
    // 10,000 draws of chance .1: mean 1,000, standard deviation 30.
    #expect((880...1120).contains(random(1).count) && random(1) != random(2))
  }

  @Test func `detectors that break a law are found`() {
    #expect(
      DetectorLaws.violations(of: Heedful()).first
        == "heedful: a dummy that gives other signals on a constant 0.0")
    #expect(
      DetectorLaws.violations(of: Nervous()).first == "nervous: value 100 of a constant 0.0 raises an alarm")
    #expect(
      DetectorLaws.violations(of: Forgetful()).contains {
        $0.hasPrefix("forgetful: its encoding does not hold all its state")
      })
    #expect(
      DetectorLaws.violations(of: Lasting()).contains { $0.hasPrefix("lasting: behind its alarm at value ") })
    #expect(DetectorLaws.violations(of: Lasting(), startsAfresh: false) == [])
  }

  @Test func `a strategy has one detector, which a learner shows what was revealed`() throws {
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [], seed: Seed(1))
    #expect(
      throws: CompositionError(
        "two drift detectors, \"page-hinkley\" and \"page-hinkley\": an alarm is raised once; keep one of them")
    ) { try setup.makeLearner([PageHinkley(), PageHinkley()]) }
    var learner = try setup.makeLearner([PageHinkley(), EWC()])
    let signals = DetectorStream.changing.enumerated().map {
      learner.observe(Outcome(row: $0, error: $1, loss: 0))
    }
    #expect(signals.indices.filter { signals[$0] == .alarm } == [1248, 2110, 3120])
    var plain = try setup.makeLearner([EWC()])
    #expect(plain.observe(Outcome(row: 0, error: 1, loss: 9)) == .none)
  }
}

private protocol TestDetector: DriftDetector {}
extension TestDetector {
  static var summary: String { "Breaks a law." }
  static var source: String { "For tests." }
}

/// A dummy that alarms at errors.
private struct Heedful: TestDetector, DummyDetector {
  static let name = "heedful"

  mutating func observe(_ outcome: Outcome) -> DriftSignal { outcome.error == 0 ? .none : .alarm }
}

/// Alarms at every hundredth row.
private struct Nervous: TestDetector {
  static let name = "nervous"
  var count = 0

  mutating func observe(_ outcome: Outcome) -> DriftSignal {
    count += 1
    return count % 101 == 0 ? .alarm : .none
  }
}

/// Alarms at the thirtieth error in a row of 100; the count of errors is not saved.
private struct Forgetful: TestDetector {
  static let name = "forgetful"
  var count = 0
  var errors = 0

  private enum CodingKeys: CodingKey { case count }

  mutating func observe(_ outcome: Outcome) -> DriftSignal {
    count += 1
    errors += outcome.error == 1 ? 1 : 0
    if count == 100 { (count, errors) = (0, 0) }
    return errors == 30 && outcome.error == 1 && count < 90 ? .alarm : .none
  }
}

/// Alarms where the mean of all values is far from the latest 50, and forgets none of them.
private struct Lasting: TestDetector {
  static let name = "lasting"
  var values: [Double] = []
  var waits = 0

  mutating func observe(_ outcome: Outcome) -> DriftSignal {
    values.append(outcome.error)
    waits = max(0, waits - 1)
    guard values.count > 100, waits == 0 else { return .none }
    let (all, latest) = (values.reduce(0, +) / Double(values.count), values.suffix(50).reduce(0, +) / 50)
    guard abs(all - latest) > 0.2 else { return .none }
    waits = 300
    return .alarm
  }
}
