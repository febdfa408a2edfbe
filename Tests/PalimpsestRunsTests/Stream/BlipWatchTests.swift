import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import Testing

/// What blips leave behind, worked by hand and against the definition spelled out.
@Suite struct BlipWatchTests {
  private func settings(_ around: Int?, days: Bool = false) -> RecoverySettings {
    var settings = RecoverySettings()
    (settings.aroundBlips, settings.unit) = (around, days ? .days : .rows)
    return settings
  }

  private func reactions(
    _ regrets: [Double], blips: [ClosedRange<Int>], _ settings: RecoverySettings, times: [Int64]? = nil
  ) -> [Double] {
    let events = [DriftEvent(.change, 1...1)] + blips.map { DriftEvent(.blip, $0) }
    let rule = BlipWatch.Rule(events, rows: regrets.count, settings, times: times)
    var watch = BlipWatch()
    for (row, regret) in regrets.enumerated() {
      watch.add(row, isRight: regret == 0, worth: (answer: 0.75 - regret, best: 0.75), rule)
      #expect(watch.problem(rows: row + 1, rule) == nil)
    }
    return watch.reactions(rule)
  }

  /// Behind: (.5 + .25)/2, before: (0 + .25)/2; the blip's own .75 count for neither. The second blip's rows behind end with the stream.
  @Test func `a reaction is the regret behind a blip less that before it`() {
    let regrets = [0.5, 0, 0.25, 0.75, 0.75, 0.5, 0.25, 0.75, 0.25]
    #expect(reactions(regrets, blips: [3...4, 7...7], settings(2)) == [0.25, 0.25 - 0.375])
  }

  @Test func `without p* wrong answers are regret`() {
    let rule = BlipWatch.Rule([DriftEvent(.blip, 2...2)], rows: 5, settings(2), times: nil)
    var watch = BlipWatch()
    for (row, isRight) in [true, false, false, false, false].enumerated() {
      watch.add(row, isRight: isRight, worth: nil, rule)
    }
    #expect(watch.reactions(rule) == [0.5])
  }

  /// Two rows a day; the blip is day 2. A day before: rows 2 and 3, a day behind: rows 6 and 7.
  @Test func `days are whole days`() {
    let times: [Int64] = (0..<10).map { Int64($0 / 2) * 86_400 + Int64($0 % 2) * 3600 - 86_400 }
    let regrets = [1, 1, 0.25, 0, 1, 1, 0.5, 0.25, 1, 1]
    #expect(reactions(regrets, blips: [4...5], settings(1, days: true), times: times) == [0.25])
  }

  @Test func `a blip with no row on one side has no reaction`() {
    let found = reactions([0.5, 0, 0.25], blips: [0...0, 2...2], settings(nil))
    #expect(found.allSatisfy(\.isNaN) && found.count == 2)
    #expect(reactions([0.5, 0, 0.25], blips: [], settings(nil)).isEmpty)
  }

  /// Windows may overlap one another and other blips.
  @Test(arguments: 0..<40)
  func `it is what the definition gives`(seed: Int) {
    var rng = Random(key: UInt64(seed))
    // Multiples of 1/64: sums are exact.
    let regrets = (0..<200).map { _ in Double(rng.index(below: 64)) / 64 }
    let around = 1 + rng.index(below: 60)
    var (blips, at) = ([ClosedRange<Int>](), 0)
    while true {
      let first = at + 1 + rng.index(below: 40)
      let last = first + rng.index(below: 10)
      if last >= 199 { break }
      blips.append(first...last)
      at = last
    }
    func mean(_ rows: Range<Int>) -> Double { regrets[rows].reduce(0, +) / Double(rows.count) }
    let expected = blips.map { blip in
      let (first, end) = (blip.lowerBound, blip.upperBound + 1)
      return mean(end..<min(200, end + around)) - mean(max(0, first - around)..<first)
    }
    #expect(reactions(regrets, blips: blips, settings(around)) == expected)
  }
}
