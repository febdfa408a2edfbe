import PalimpsestCore
import PalimpsestExperiments

/// What each change of the world costs a learner, and when it has found its way again: a change happens in a row, and its segment
/// lasts until the next one.
///
/// A row's regret is what the best rule has more in p*; where p* is not known, the accuracy in the last half of the segment
/// before, less 1 for a right answer. The learner has recovered at the first row from which the regret over the
/// window has a mean of at most the level; the window lies in the segment. In days the first rows of days count alone.
package struct ChangeWatch: Sendable, Equatable, Codable {
  /// One change.
  package struct Change: Sendable, Equatable, Codable {
    /// Rows from the change to the one from which the window is good; nil: not before the next change.
    package var recovery: Int?
    /// Σ over the segment's rows so far.
    package var regret = 0.0
    package var rows = 0
  }

  /// Where changes happen, and what recovery means: the same throughout a stream.
  package struct Rule: Sendable {
    /// First rows of the segments, from 0 on, and the count of all rows.
    let starts: [Int]
    let recovery: RecoverySettings
    /// When each row arose, in seconds; nil: rows are counted.
    let times: [Int64]?

    /// - Parameter rows: how many there are.
    package init(_ events: [DriftEvent], rows: Int, _ recovery: RecoverySettings, times: [Int64]?) {
      let changes = events.lazy.filter { $0.kind == .change }.map(\.rows.lowerBound)
      self.init(starts: [0] + changes.filter { (1..<rows).contains($0) } + [rows], recovery, times: times)
    }

    package init(starts: [Int], _ recovery: RecoverySettings, times: [Int64]?) {
      (self.starts, self.recovery) = (starts, recovery)
      self.times = recovery.unit == .days ? times : nil
    }

    /// The only row of a segment is its last half.
    fileprivate func isInLastHalf(_ row: Int, of segment: Int) -> Bool {
      2 * row >= starts[segment] + starts[segment + 1] || starts[segment] + 1 == starts[segment + 1]
    }

    /// The mean of a window is at most the level, up to the error of sums.
    fileprivate func isSmall(_ sum: Double, rows: Int) -> Bool { sum <= (recovery.level + 1e-9) * Double(rows) }

    fileprivate func day(of row: Int) -> Int? {
      times.map { CalendarDay.number($0[row]) }
    }
  }

  /// Rows that may begin a good window: one row where rows are counted, else those of a day.
  private struct Begun: Sendable, Equatable, Codable {
    let first: Int
    let day: Int
    var regret: Double
    var rows = 1
  }

  /// Of the segments but the first, as far as they have begun.
  private(set) var changes: [Change] = []
  private var segment = 0
  /// Right answers and rows in the last half of the segment at hand, and the accuracy in that of the one before.
  private var hits = 0
  private var rows = 0
  private var accuracyBefore = Double.nan
  /// The last rows of the segment at hand, in a ring where rows are counted; empty once the learner has recovered.
  private var begun: [Begun] = []
  private var oldest = 0
  private var sum = 0.0

  package init() {}

  /// - Parameters:
  ///   - row: the next one.
  ///   - worth: p* of the answer and of the best one, where it is known.
  package mutating func add(_ row: Int, isRight: Bool, worth: (answer: Double, best: Double)?, _ rule: Rule) {
    while row >= rule.starts[segment + 1] { beginSegment(at: row, rule) }
    if rule.isInLastHalf(row, of: segment) {
      hits += isRight ? 1 : 0
      rows += 1
    }
    guard let last = changes.indices.last else { return }
    let regret = worth.map { $0.best - $0.answer } ?? accuracyBefore - (isRight ? 1 : 0)
    if row - rule.starts[segment] < rule.recovery.horizon ?? .max { changes[last].regret += regret }
    changes[last].rows += 1
    if changes[last].recovery == nil { look(row, regret, rule) }
  }

  /// What changes are worth once no row follows.
  package func closed(_ rule: Rule) -> [Change] {
    var copy = self
    if let last = copy.begun.last, rule.times != nil { copy.close(before: last.day + 1, rule) }
    return copy.changes
  }

  private mutating func beginSegment(at row: Int, _ rule: Rule) {
    if let day = rule.day(of: row), !changes.isEmpty { close(before: day, rule) }
    segment += 1
    accuracyBefore = Double(hits) / Double(rows)
    (hits, rows, oldest, sum) = (0, 0, 0, 0)
    begun.removeAll(keepingCapacity: true)
    changes.append(Change())
  }

  // MARK: - Recovery

  private mutating func look(_ row: Int, _ regret: Double, _ rule: Rule) {
    if let day = rule.day(of: row) {
      close(before: day, rule)
      if changes[changes.count - 1].recovery == nil { add(row, regret, day: day) }
    } else {
      addToRing(row, regret, rule)
    }
  }

  private mutating func addToRing(_ row: Int, _ regret: Double, _ rule: Rule) {
    let window = rule.recovery.window
    sum += regret
    if begun.count < window {
      begun.append(Begun(first: row, day: 0, regret: regret))
    } else {
      sum -= begun[oldest].regret
      begun[oldest] = Begun(first: row, day: 0, regret: regret)
      oldest = (oldest + 1) % window
    }
    if begun.count == window && rule.isSmall(sum, rows: window) {
      recover(at: row - window + 1, rule)
    }
  }

  private mutating func add(_ row: Int, _ regret: Double, day: Int) {
    if let last = begun.indices.last, begun[last].day == day {
      begun[last].regret += regret
      begun[last].rows += 1
    } else {
      begun.append(Begun(first: row, day: day, regret: regret))
    }
  }

  /// Judges the windows of days that end before a day.
  private mutating func close(before day: Int, _ rule: Rule) {
    while let first = begun.first, first.day + rule.recovery.window <= day {
      let within = begun.prefix { $0.day < first.day + rule.recovery.window }
      let sum = within.reduce(0) { $0 + $1.regret }
      if rule.isSmall(sum, rows: within.reduce(0) { $0 + $1.rows }) {
        return recover(at: first.first, rule)
      }
      begun.removeFirst()
    }
  }

  private mutating func recover(at row: Int, _ rule: Rule) {
    changes[changes.count - 1].recovery = row - rule.starts[segment]
    oldest = 0
    begun.removeAll(keepingCapacity: true)
  }

  /// What is no state behind so many rows; nil: nothing.
  package func problem(rows next: Int, _ rule: Rule) -> String? {
    let reached = next == 0 ? 0 : (rule.starts.dropLast().lastIndex { $0 < next } ?? 0)
    let rowsOfChanges = changes.reduce(0) { $0 &+ $1.rows }
    let isRight =
      segment == reached && changes.count == reached
      && rowsOfChanges == max(0, next - rule.starts[min(1, rule.starts.count - 1)])
      && changes.allSatisfy { $0.rows >= 0 && (0...max(0, $0.rows)).contains($0.recovery ?? 0) }
      && (0...next).contains(rows) && (0...rows).contains(hits)
      && begun.count <= max(rule.recovery.window, next) && oldest >= 0 && (oldest == 0 || oldest < begun.count)
      && begun.allSatisfy { (0...next).contains($0.first) && (0...next).contains($0.rows) }
    return isRight ? nil : "\(changes.count) changes behind row \(next)"
  }
}
