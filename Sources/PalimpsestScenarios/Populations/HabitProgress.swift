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

  /// Completed days in a row, however many.
  var daysInRow: Int { run }

  /// x₂.
  @inline(__always)
  var rate: Double { known == 0 ? 0.5 : Double(completed) / Double(min(known, 30)) }

  /// x₇ on a day.
  @inline(__always)
  func gap(on day: Int) -> Double { Double(min(day + 1 - lastCompletion, 14)) / 14 }

  /// The terms of a law that x₁, x₂ and x₇ give on a day.
  @inline(__always)
  func earnedTerms(on day: Int, _ terms: EarnedTerms) -> Double {
    terms.sum(run: min(run, 30), completed: completed, known: min(known, 30), gap: min(day + 1 - lastCompletion, 14))
  }

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

/// The terms of what past completions decide, for every standing there is: streak, rate and gap take only so many values, and a
/// look is quicker than three divisions. The bits are those of ``HabitLaw/earnedTerms(streak:rate:gap:)``.
struct EarnedTerms: Sendable {
  /// By the days in a row, 0…30.
  private let streak: [Double]
  /// By the known outcomes, 0…30, and the completed days among them.
  private let rate: [Double]
  /// By the days since the last completion, 0…14.
  private let gap: [Double]

  init(_ weights: HabitWeights) {
    streak = (0...30).map { weights.streak * (2 * (Double($0) / 30) - 0.6) }
    let shares = (0...30).flatMap { known in (0...30).map { known == 0 ? 0.5 : Double($0) / Double(known) } }
    rate = shares.map { weights.rate * (2 * $0 - 1) }
    gap = (0...14).map { weights.gap * (2 * (Double($0) / 14) - 0.3) }
  }

  @inline(__always)
  func sum(run: Int, completed: Int, known: Int, gap days: Int) -> Double {
    streak[run] + rate[31 * known + completed] + gap[days]
  }
}
