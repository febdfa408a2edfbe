import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import Testing

/// What changes cost, worked by hand and against the definition spelled out.
@Suite struct ChangeWatchTests {
  private func recovery(_ window: Int, level: Double = 0.07, days: Bool = false) -> RecoverySettings {
    var settings = RecoverySettings()
    (settings.level, settings.window, settings.unit) = (level, window, days ? .days : .rows)
    return settings
  }

  private func changes(
    _ regrets: [Double], starts: [Int], _ settings: RecoverySettings, times: [Int64]? = nil
  ) -> [ChangeWatch.Change] {
    let rule = ChangeWatch.Rule(starts: starts + [regrets.count], settings, times: times)
    var watch = ChangeWatch()
    for (row, regret) in regrets.enumerated() {
      watch.add(row, isRight: regret == 0, worth: (answer: 0.9 - regret, best: 0.9), rule)
      #expect(watch.problem(rows: row + 1, rule) == nil)
    }
    return watch.closed(rule)
  }

  /// Row 4 is the change. Of three rows each: .5 .5 .1 → .367; .5 .1 .1; .1 .1 0 → .067 from row 6 on.
  @Test func `recovery is the first row from which the window is good`() {
    let found = changes([0, 0, 0, 0, 0.5, 0.5, 0.1, 0.1, 0, 0.4], starts: [0, 4], recovery(3))
    #expect(found.map(\.recovery) == [2] && found[0].rows == 6)
    #expect(abs(found[0].regret - 1.6) < 1e-12)
  }

  @Test func `regret is summed as far as the horizon`() {
    var settings = recovery(3)
    settings.horizon = 2
    let found = changes([0, 0, 0.5, 0.25, 0.125, 0.5], starts: [0, 2, 5], settings)
    #expect(found.map(\.regret) == [0.75, 0.5] && found.map(\.rows) == [3, 1])
  }

  @Test func `a window does not reach into the next segment, and the first segment has no change`() {
    let found = changes([0.5, 0.5, 0.5, 0, 0, 0, 0.5, 0, 0, 0], starts: [0, 3, 7], recovery(4))
    #expect(found.map(\.recovery) == [nil, nil] && found.map(\.rows) == [4, 3])
    #expect(changes([0, 0, 0], starts: [0], recovery(1)) == [])
  }

  /// Two rows a day, two days: rows 2 and 3 are bad, 4 and 5 hold .05, 6 and 7 hold .1.
  @Test func `in days a window begins with a day's first row and holds whole days`() {
    let times: [Int64] = (0..<10).map { Int64($0 / 2) * 86_400 + Int64($0 % 2) * 3600 - 86_400 }
    let regrets = [0, 0, 0.5, 0.5, 0.05, 0.05, 0.1, 0.1, 0, 0]
    #expect(
      changes(regrets, starts: [0, 2], recovery(2, level: 0.08, days: true), times: times).map(\.recovery) == [2])
    #expect(
      changes(regrets, starts: [0, 2], recovery(2, level: 0.06, days: true), times: times).map(\.recovery) == [4])
    #expect(
      changes(regrets, starts: [0, 2], recovery(2, level: 0.04, days: true), times: times).map(\.recovery) == [nil])
    // The last segment's days are over with the stream, those of others with the next one's first day.
    #expect(
      changes(regrets, starts: [0, 6], recovery(2, level: 0.06, days: true), times: times).map(\.recovery) == [0])
    #expect(
      changes(regrets, starts: [0, 4, 8], recovery(2, level: 0.08, days: true), times: times).map(\.recovery) == [
        0, nil,
      ])
  }

  /// Right answers in 2 of rows 2 … 5: the accuracy before the change is .5, so a wrong answer costs .5 and a right one −.5.
  @Test func `where p* is not known the accuracy before the change is the measure`() {
    let hits = [true, true, true, false, false, true, false, false, true, true]
    let rule = ChangeWatch.Rule(starts: [0, 4, 10], recovery(2, level: 0), times: nil)
    var watch = ChangeWatch()
    for (row, hit) in hits.enumerated() { watch.add(row, isRight: hit, worth: nil, rule) }
    let found = watch.closed(rule)
    #expect(found.map(\.recovery) == [0] && found.map(\.regret) == [0] && found.map(\.rows) == [6])
  }

  /// One good day is all that is asked for; the rows of that day and of later ones count for nothing more.
  @Test func `in days a recovery stays`() {
    let times: [Int64] = (0..<20).map { Int64($0 / 5) * 86_400 }
    let settings = recovery(1, days: true)
    #expect(changes([Double](repeating: 0, count: 20), starts: [0, 10], settings, times: times).map(\.recovery) == [0])
    let late = [Double](repeating: 0.5, count: 15) + [Double](repeating: 0, count: 5)
    #expect(changes(late, starts: [0, 10], settings, times: times).map(\.recovery) == [5])
  }

  @Test(arguments: 0..<40)
  func `in days it is what the definition gives`(seed: Int) {
    var rng = Random(key: UInt64(seed) + 99)
    let (rows, days) = (4, 60)
    let times = (0..<rows * days).map { Int64($0 / rows) * 86_400 + 3600 }
    let starts = [0, (10 + rng.index(below: 10)) * rows, (35 + rng.index(below: 10)) * rows]
    let level = 0.1 + Double(rng.index(below: 5)) / 16
    let window = 1 + rng.index(below: 4)
    let regrets = (0..<rows * days).map { _ in Double(rng.index(below: 40)) / 64 }
    let found = changes(regrets, starts: starts, recovery(window, level: level, days: true), times: times)
    for (change, segment) in zip(found, zip(starts.dropFirst(), starts.dropFirst(2) + [rows * days])) {
      let first = stride(from: segment.0, through: segment.1 - window * rows, by: rows).first { first in
        regrets[first..<first + window * rows].reduce(0, +) <= level * Double(window * rows) + 1e-9
      }
      #expect(change.recovery == first.map { $0 - segment.0 })
    }
  }

  /// .1 of 20 rows is 2, which ten sums of .1 and others miss by a digit.
  @Test func `a mean that is the level is small enough`() {
    let regrets = [0.9, 0.9] + [Double](repeating: 0.1, count: 20) + [Double](repeating: 0.3, count: 5)
    #expect(changes(regrets, starts: [0, 1], recovery(20, level: 0.1)).map(\.recovery) == [1])
  }

  @Test func `a segment of one row has an accuracy`() {
    let rule = ChangeWatch.Rule(starts: [0, 1, 2, 4], recovery(1), times: nil)
    var watch = ChangeWatch()
    for (row, hit) in [true, false, true, true].enumerated() { watch.add(row, isRight: hit, worth: nil, rule) }
    #expect(watch.closed(rule).map(\.regret) == [1, -2])
  }

  /// The definition, spelled out: every window of the segment in turn.
  private func plain(_ regrets: [Double], _ segment: Range<Int>, window: Int, level: Double) -> Int? {
    segment.first { first in
      first + window <= segment.upperBound
        && regrets[first..<first + window].reduce(0, +) <= level * Double(window) + 1e-9
    }.map { $0 - segment.lowerBound }
  }

  @Test(arguments: 0..<40)
  func `it is what the definition gives, however long the window, and after a restart`(seed: Int) throws {
    var rng = Random(key: UInt64(seed))
    let starts = [0, 20 + rng.index(below: 30), 90 + rng.index(below: 40)]
    // Multiples of 1/64: sums are exact.
    let regrets = (0..<200).map { row in
      Double(rng.index(below: starts.contains { (0..<15).contains(row - $0) } ? 64 : 16)) / 64
    }
    let settings = recovery(1 + rng.index(below: 25), level: 0.125)
    let rule = ChangeWatch.Rule(starts: starts + [200], settings, times: nil)
    var watch = ChangeWatch()
    let cut = rng.index(below: 200)
    for (row, regret) in regrets.enumerated() {
      watch.add(row, isRight: true, worth: (answer: 1 - regret, best: 1), rule)
      if row == cut {
        let bytes = try StateEncoder.bytes { try watch.encode(to: $0) }
        watch = try StateDecoder.read(bytes, limits: StateLimits(TaskShape(inputs: 1, outputs: 1))) {
          try ChangeWatch(from: $0)
        }
      }
    }
    let segments = zip(starts, starts.dropFirst() + [200]).dropFirst().map { $0..<$1 }
    #expect(
      watch.closed(rule).map(\.recovery)
        == segments.map { plain(regrets, $0, window: settings.window, level: settings.level) })
    #expect(watch.closed(rule).map(\.regret) == segments.map { regrets[$0].reduce(0, +) })
  }
}
