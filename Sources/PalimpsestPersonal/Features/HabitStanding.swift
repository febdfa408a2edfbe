/// How the habit stands by the outcomes so far.
struct HabitStanding: Sendable, Equatable, Codable {
  /// Days kept in a row.
  private var run = 0
  /// The last 30 outcomes, the latest in the lowest bit.
  private var outcomes: UInt32 = 0
  /// Outcomes known, 30 at most.
  private var known = 0
  private(set) var firstDay = 0
  /// The last day kept; the first one counts as one before there is any.
  private(set) var lastKept = 0

  mutating func begin(on day: Int) { (firstDay, lastKept) = (day, day) }

  mutating func append(_ isKept: Bool, on day: Int) {
    outcomes = (outcomes << 1 | (isKept ? 1 : 0)) & 0x3FFF_FFFF
    known = min(known + 1, 30)
    run = isKept ? run + 1 : 0
    if isKept { lastKept = day }
  }

  /// x₁.
  var streak: Float { Float(Double(min(run, 30)) / 30) }
  /// x₂.
  var rate: Float { Float(known == 0 ? 0.5 : Double(outcomes.nonzeroBitCount) / Double(known)) }
  /// x₇ on a day.
  func gap(on day: Int) -> Float { Float(Double(min(day + 1 - lastKept, 14)) / 14) }

  var problem: String? {
    let isSound =
      (0...HabitEntry.mostDays).contains(run) && (0...30).contains(known) && outcomes >> UInt32(known) == 0
      && firstDay >= 0 && firstDay <= lastKept
    return isSound ? nil : "outcomes that cannot be: \(known) known, \(run) in a row"
  }
}

/// Reminders of the last seven days.
struct ReminderWeek: Sendable, Equatable, Codable {
  /// The oldest day first, seven at most.
  private var days: [[Int]] = []

  mutating func append(sent: Int, tapped: Int) {
    if days.count == 7 { days.removeFirst() }
    days.append([sent, tapped])
  }

  var sent: Int { days.reduce(0) { $0 + $1[0] } }
  var tapped: Int { days.reduce(0) { $0 + $1[1] } }

  /// x₄, x₈.
  static func share(_ tapped: Int, of sent: Int) -> Float { sent == 0 ? 0 : Float(min(tapped, sent)) / Float(sent) }

  var problem: String? {
    let isSound =
      days.count <= 7 && days.allSatisfy { $0.count == 2 && $0.allSatisfy { (0...Int.max / 16).contains($0) } }
    return isSound ? nil : "reminders \(days) of a week"
  }
}
