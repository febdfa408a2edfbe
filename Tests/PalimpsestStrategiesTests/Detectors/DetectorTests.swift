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

  @Test func `the test streams are those that others can make`() {
    #expect(DetectorStream.changing.count == 4_000 && DetectorStream.changing.reduce(0, +) == 1_198)
    #expect(DetectorStream.steady.count == 10_000 && DetectorStream.steady.reduce(0, +) == 2_945)
  }

  /// River 0.26.1 alarms there too.
  @Test func `Page–Hinkley alarms at the published rows`() {
    #expect(DetectorLaws.alarms(of: PageHinkley(), on: DetectorStream.changing) == [1248, 2110, 3120])
    #expect(DetectorLaws.alarms(of: PageHinkley(), on: DetectorStream.steady) == [8284])
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

  @Test(arguments: [WatchedOutcome.error, .loss], [PageHinkley.Mode.both, .up, .down])
  func `Page–Hinkley keeps the laws`(watches: WatchedOutcome, mode: PageHinkley.Mode) {
    #expect(DetectorLaws.violations(of: pageHinkley { ($0.watches, $0.mode) = (watches, mode) }) == [])
  }

  @Test func `detectors that break a law are found`() {
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
