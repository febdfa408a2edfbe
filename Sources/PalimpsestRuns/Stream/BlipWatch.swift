import PalimpsestCore
import PalimpsestExperiments

/// What blips leave behind in a learner that heeded them: the mean regret of the rows soon behind a blip, less that of those
/// soon before it. The blip's own rows count for neither.
///
/// A row's regret is what the best rule has more in p*; where p* is not known, 1 for a wrong answer.
package struct BlipWatch: Sendable, Equatable, Codable {
  /// Rows soon before and soon behind each blip: the same throughout a stream.
  package struct Rule: Sendable {
    fileprivate let before: [Range<Int>]
    fileprivate let behind: [Range<Int>]

    /// - Parameters:
    ///   - rows: how many there are.
    ///   - times: when each row arose, in seconds, ascending; nil: rows are counted.
    package init(_ events: [DriftEvent], rows: Int, _ recovery: RecoverySettings, times: [Int64]?) {
      let blips = events.filter { $0.kind == .blip && $0.rows.upperBound < rows }.map(\.rows)
      let window = recovery.windowAroundBlips
      if recovery.unit == .days, let times {
        let days = times.map(CalendarDay.number)
        before = blips.map {
          min($0.lowerBound, Rule.first(in: days, from: days[$0.lowerBound] - window))..<$0.lowerBound
        }
        behind = blips.map {
          let end = $0.upperBound + 1
          return end..<max(end, Rule.first(in: days, from: days[$0.upperBound] + 1 + window))
        }
      } else {
        before = blips.map { max(0, $0.lowerBound - window)..<$0.lowerBound }
        behind = blips.map { $0.upperBound + 1..<min(rows, $0.upperBound + 1 + window) }
      }
    }

    private static func first(in days: [Int], from day: Int) -> Int { days.firstIndex { $0 >= day } ?? days.count }

    fileprivate var count: Int { before.count }
  }

  private struct Sums: Sendable, Equatable, Codable {
    var before = 0.0
    var behind = 0.0
  }

  private var sums: [Sums] = []
  /// The first blip whose rows are not all over.
  private var first = 0

  package init() {}

  /// - Parameters:
  ///   - row: the next one.
  ///   - worth: p* of the answer and of the best one, where it is known.
  package mutating func add(_ row: Int, isRight: Bool, worth: (answer: Double, best: Double)?, _ rule: Rule) {
    while first < rule.count && row >= rule.behind[first].upperBound && row >= rule.before[first].upperBound {
      first += 1
    }
    var blip = first
    while blip < rule.count && row >= rule.before[blip].lowerBound {
      let regret = worth.map { $0.best - $0.answer } ?? (isRight ? 0 : 1)
      if sums.count <= blip { sums += repeatElement(Sums(), count: blip + 1 - sums.count) }
      if rule.before[blip].contains(row) { sums[blip].before += regret }
      if rule.behind[blip].contains(row) { sums[blip].behind += regret }
      blip += 1
    }
  }

  /// One a blip once no row follows; NaN where no row is before it, or behind it.
  package func reactions(_ rule: Rule) -> [Double] {
    (0..<rule.count).map { blip in
      guard blip < sums.count else { return .nan }
      return sums[blip].behind / Double(rule.behind[blip].count) - sums[blip].before / Double(rule.before[blip].count)
    }
  }

  /// What is no state behind so many rows; nil: nothing.
  package func problem(rows next: Int, _ rule: Rule) -> String? {
    let begun = rule.before.count { $0.lowerBound < next }
    let over = (0..<rule.count).prefix { rule.behind[$0].upperBound < next && rule.before[$0].upperBound < next }.count
    let isRight = sums.count <= begun && (0...over).contains(first)
    return isRight ? nil : "\(sums.count) blips behind row \(next)"
  }
}

/// Days since the epoch.
enum CalendarDay {
  /// - Parameter seconds: since the epoch.
  static func number(_ seconds: Int64) -> Int { Int((seconds - (seconds < 0 ? 86_399 : 0)) / 86_400) }
}
