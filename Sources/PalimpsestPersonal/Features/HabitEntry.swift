/// One entry of a person's log, as an app writes it the moment it happens.
public struct HabitEntry: Sendable, Equatable, Codable {
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case appOpened = "app-opened"
    case reminderSent = "reminder-sent"
    case reminderTapped = "reminder-tapped"
    case habitCompleted = "habit-completed"
    /// Known at the day's end.
    case habitSkipped = "habit-skipped"
    /// From this day on local time is `value` hours away from that of home.
    case zoneChanged = "zone-changed"
  }

  public let kind: Kind
  /// Local days since the log's first, from 0 on.
  public let day: Int
  /// Local time in hours, in [0, 24). On the day of a daylight-saving step an hour is missing or comes twice; a day is a day.
  public let hour: Double
  /// Its weekday is `date` mod 7 (0 is Monday), its day of the year `date` mod 365: ``date(weekday:dayOfYear:)``.
  public let date: Int
  /// Of `zone-changed`: hours between local time and that of home.
  public let value: Double?

  public init(_ kind: Kind, day: Int, hour: Double, date: Int, value: Double? = nil) {
    (self.kind, self.day, self.hour, self.date, self.value) = (kind, day, hour, date, value)
  }

  /// The number that stands for a weekday and a day of the year, in 0..<2555: 7 and 365 have no common divisor.
  /// - Parameters:
  ///   - weekday: 0...6, 0 is Monday.
  ///   - dayOfYear: 0...365, 0 is 1 January; the last day of a leap year counts as the one before.
  public static func date(weekday: Int, dayOfYear: Int) -> Int {
    let day = min(max(dayOfYear, 0), 364)
    // 365 mod 7 = 1: every year that is added moves the weekday by one.
    return day + 365 * ((((weekday - day) % 7) + 7) % 7)
  }

  /// Days and dates are below it: 27 centuries.
  static let mostDays = 1_000_000

  /// Why it cannot be of a log; nil: it can.
  public var problem: String? {
    guard (0..<HabitEntry.mostDays).contains(day) else { return "day \(day) is not in 0..<\(HabitEntry.mostDays)" }
    guard (0..<HabitEntry.mostDays).contains(date) else { return "date \(date) is not in 0..<\(HabitEntry.mostDays)" }
    guard hour >= 0 && hour < 24 else { return "hour \(hour) is not in 0..<24" }
    guard kind == .zoneChanged else { return nil }
    guard let value, abs(value) <= 26 else { return "a zone-changed without the hours between local time and home" }
    return nil
  }
}
