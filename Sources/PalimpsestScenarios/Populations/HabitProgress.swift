/// How the habit stands: what a law knows of past completions.
struct HabitProgress: Sendable {
  /// Completed days in a row.
  private var run = 0
  /// The last 30 outcomes, the latest in the lowest bit.
  private var outcomes: UInt32 = 0
  /// Completed days among them.
  private var completed = 0
  /// Outcomes known.
  private var known = 0
  /// The last completed day; day 0 counts as one before there is any.
  private var lastCompletion = 0

  /// x₁.
  @inline(__always)
  var streak: Double { Double(min(run, 30)) / 30 }

  /// x₂.
  @inline(__always)
  var rate: Double { known == 0 ? 0.5 : Double(completed) / Double(min(known, 30)) }

  /// x₇ on a day.
  @inline(__always)
  func gap(on day: Int) -> Double { Double(min(day + 1 - lastCompletion, 14)) / 14 }

  /// The outcome of the day after `day`.
  @inline(__always)
  mutating func append(_ isCompleted: Bool, after day: Int) {
    let bit: UInt32 = isCompleted ? 1 : 0
    completed += Int(bit) - Int(outcomes >> 29 & 1)
    outcomes = (outcomes << 1 | bit) & 0x3FFF_FFFF
    known += 1
    run = isCompleted ? run + 1 : 0
    lastCompletion = isCompleted ? day + 1 : lastCompletion
  }
}
