import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct DetectorStateTests {
  /// Every detector, in the settings that make it keep something else.
  static let detectors: [any DriftDetector] = {
    var (shrinking, drawn, geometric) = (ADWIN(), KSWIN(), MDDM())
    (shrinking.afterAlarm, shrinking.buckets, shrinking.clock) = (.shrink, 1, 3)
    (drawn.pick, drawn.window, drawn.latest) = (.drawn, 20, 8)
    (geometric.weights, geometric.window) = (.geometric, 30)
    let standard = standardParts.compactMap { $0.init() as? any DriftDetector }
    return standard + [shrinking, drawn, geometric]
  }()

  @Test(arguments: detectors.indices)
  func `every detector keeps the laws`(index: Int) {
    let detector = DetectorStateTests.detectors[index]
    let keepsValues = (detector as? ADWIN)?.afterAlarm == .shrink
    #expect(DetectorLaws.violations(of: detector, startsAfresh: !keepsValues) == [])
  }

  @Test(arguments: [DriftDirection.both, .down])
  func `detectors keep the laws in every direction`(mode: DriftDirection) {
    var (average, weighted) = (HDDMAverage(), HDDMWeighted())
    (average.mode, weighted.mode) = (mode, mode)
    #expect(DetectorLaws.violations(of: average) == [])
    #expect(DetectorLaws.violations(of: weighted) == [])
  }

  @Test func `what is said of memory grows with the window`() {
    var (adwin, fhddm) = (ADWIN(), FHDDM())
    let empty = [adwin.bytes, fhddm.bytes]
    for row in 0..<1000 {
      _ = adwin.observe(Outcome(row: row, error: 0, loss: 0))
      _ = fhddm.observe(Outcome(row: row, error: 0, loss: 0))
    }
    // 1,000 values of 0 in rows of five buckets and room for a sixth: 8 rows, each 8 + 6 · 16 bytes.
    #expect([adwin.bytes, fhddm.bytes] == [empty[0] + 8 * (8 + 96), empty[1] + 100])
  }

  /// Every bit of a state is turned: it is refused, or the detector goes on with it and nothing stops.
  @Test(arguments: detectors.indices)
  func `a damaged state is refused or harmless`(index: Int) throws {
    var detector = DetectorStateTests.detectors[index]
    try checkDamage(of: &detector)
  }

  private func checkDamage<D: DriftDetector>(of detector: inout D) throws {
    for (row, value) in DetectorStream.changing.prefix(250).enumerated() {
      _ = detector.observe(Outcome(row: row, error: value, loss: value))
    }
    let bytes = try StateEncoder.bytes(of: detector)
    let settings = detector.parameters.map(\.value)
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      guard var copy = try? StateDecoder.value(D.self, from: damaged), copy.parameters.map(\.value) == settings else {
        refused += 1
        continue
      }
      for (row, value) in DetectorStream.changing[900..<1100].enumerated() {
        _ = copy.observe(Outcome(row: row, error: value, loss: value))
      }
    }
    #expect(refused > 0)
  }

  /// Contradictions that no turned bit makes.
  @Test func `states that contradict themselves are refused`() throws {
    func problem<D: DriftDetector & CheckedState>(_ detector: D, _ rows: Int, _ change: (inout D) -> Void) -> String? {
      var detector = detector
      for row in 0..<rows { _ = detector.observe(Outcome(row: row, error: 0, loss: 0)) }
      change(&detector)
      return detector.problem(within: StateLimits())
    }
    #expect(problem(ADWIN(), 100) { _ in } == nil)
    #expect(problem(ADWIN(), 100) { $0.buckets = 4 } == "5 rows of buckets with 30 and 30 numbers")
    #expect(problem(ADWIN(), 100) { $0.clock = 3 } == "4 rows since a look that comes every 3")
    #expect(problem(FHDDM(), 100) { $0.window = 99 } == "100 right ones of 100 answers in a window of 100, not 99")
    #expect(problem(MDDM(), 99) { $0.window = 1 } == "99 right ones of 99 answers in a window of 100, not 1")
    #expect(problem(KSWIN(), 40) { $0.window = 80 } == "40 values in order, in a ring of 100, not 80")
    #expect(problem(KSWIN(), 100) { $0.latest = 20 } == "30 of 100 values, and 0 that are drawn from")
    #expect(problem(KSWIN(), 0) { $0.latest = 51 } == "the latest 51 of 100 values")
    #expect(problem(AlarmEvery(), 40) { $0.every = 20 } == "40 rows since an alarm that comes every 20")
  }
}
