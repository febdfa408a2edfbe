import PalimpsestCore

/// What a model sees of a user's day, each in [0, 1], in the order of the columns.
public struct HabitFeatures: Sendable, Equatable {
  /// x₁: days completed in a row up to today, of 30 at most, / 30.
  public var streak: Float = 0
  /// x₂: share of completed days among the last 30 (fewer at the start; ½ where there is none).
  public var completionRate: Float = 0
  /// x₃: ln(1 + launches today, at most 40) / ln 41.
  public var launches: Float = 0
  /// x₄: reminders opened today / reminders sent.
  public var remindersOpened: Float = 0
  /// x₅: hour of the day's first visit / 24; the last known one on a day without visits.
  public var hour: Float = 0
  /// x₆: 1 where tomorrow is a Saturday or Sunday.
  public var weekend: Float = 0
  /// x₇: days from the last completed day to tomorrow, at most 14, / 14: never 0.
  public var gap: Float = 0
  /// x₈: mean of x₄ over the last seven days.
  public var weekReminders: Float = 0
  /// x₉: hours away from the home time zone / 12.
  public var away: Float = 0
  /// x₁₀: ½ + ½ sin(2π · day of the year / 365).
  public var season: Float = 0

  public init() {}

  /// Those that the laws of `habit-phases` go by: the first seven.
  public static let namesInLaw = Array(names.prefix(7))

  /// The columns' names, in order.
  public static let names = [
    "currentStreak", "completionRate30Days", "appLaunchesToday", "remindersOpenedToday", "hourOfDay", "weekend", "gap",
    "remindersOpenedWeek", "away", "season",
  ]

  /// The hour on the circle of the day.
  @inline(__always)
  var hourDirection: HourDirection { HourDirection(2 * .pi * Double(hour)) }

  /// Writes the first 5 or all 10 columns.
  @inline(__always)
  func write(to span: inout MutableSpan<Float>, at first: Int, columns: Int) {
    span[first] = streak
    span[first + 1] = completionRate
    span[first + 2] = launches
    span[first + 3] = remindersOpened
    span[first + 4] = hour
    guard columns == 10 else { return }
    span[first + 5] = weekend
    span[first + 6] = gap
    span[first + 7] = weekReminders
    span[first + 8] = away
    span[first + 9] = season
  }

  /// Reads what a law looks at from a row of 5 or 10 columns; what is not there is 0.
  @inline(__always)
  init(_ span: Span<Float>, at first: Int, columns: Int) {
    streak = span[first]
    completionRate = span[first + 1]
    launches = span[first + 2]
    remindersOpened = span[first + 3]
    hour = span[first + 4]
    guard columns == 10 else { return }
    weekend = span[first + 5]
    gap = span[first + 6]
  }
}

/// Cosine and sine of an hour's angle.
package struct HourDirection: Sendable {
  let cosine: Double
  let sine: Double

  @inline(__always)
  init(_ angle: Double) {
    (sine, cosine) = Elementary.sineAndCosine(angle)
  }
}

/// Values of x₃ and x₁₀, which take only so many.
enum HabitScales {
  /// By the number of launches, 0…40.
  static let launches: [Float] = (0...40).map { Float(Elementary.log(1 + Double($0)) / Elementary.log(41)) }
  /// By the day of the year, 0…364.
  static let season: [Float] = (0..<365).map { Float(0.5 + 0.5 * Elementary.sin(2 * .pi * Double($0) / 365)) }
}
