import PalimpsestCore

/// A day of a person that has ended.
public struct HabitDay: Sendable, Equatable {
  /// As the log's entries have it.
  public let day: Int
  /// Ten numbers in [0, 1], as ``HabitFeatureBuilder/columns`` names them: what the day after is foretold from.
  public let features: [Float]
  /// What became of the habit on this day, the label of the day before; nil: the log does not say.
  public let isKept: Bool?

  public init(day: Int, features: [Float], isKept: Bool?) {
    (self.day, self.features, self.isKept) = (day, features, isKept)
  }
}

/// Turns a person's log into rows, an entry at a time: each day that ends gives its features, and the outcome that is the label of
/// the row before it.
///
///     for day in builder.take(entry) {       // mostly none, one when a day has ended, more behind empty days
///       if let kept = day.isKept { learn(yesterday, kept) }
///       foretell(day.features)
///     }
///
/// With x₁…x₁₀ as ``columns`` names them, by the end of a day: days kept in a row, of 30 at most, / 30; share of days kept among the last
/// 30 (½ where there is none); ln(1 + launches, at most 40)/ln 41; reminders tapped / sent; local hour of the first launch / 24 (the last known
/// one on a day without); 1 where tomorrow is a Saturday or Sunday; days from the last one kept to tomorrow, at most 14, / 14; reminders tapped / sent of
/// seven days; |hours from home| / 12, at most 1; ½ + ½ sin(2π · day of the year / 365).
///
/// What a log may lack or get wrong has a defined outcome:
/// - days without entries pass as any other: nothing launched, sent or kept. Of more than 366 at once the last 366 are given;
/// - a day without an outcome counts as not kept (the first day as none), but labels nothing: nobody learns what is not known;
/// - a clock or a journey that goes back to a day that has ended: the entry counts for the day that is open;
/// - an entry with a ``HabitEntry/problem`` is passed over;
/// - no reminder sent: 0 of them were tapped; more tapped than sent: all.
///
/// A value whose `Codable` form is its state: saved and restored between any two entries, the same days follow.
///
/// - Memory: some forty numbers. Time: O(1) an entry and a day.
public struct HabitFeatureBuilder: Sendable, Equatable, Codable {
  public static let columns = [
    "currentStreak", "completionRate30Days", "appLaunchesToday", "remindersOpenedToday", "hourOfDay", "weekend", "gap",
    "remindersOpenedWeek", "away", "season",
  ]
  /// Empty days that one entry can bring at most.
  public static let longestGap = 366

  /// What is known of the day that is open.
  private struct Today: Sendable, Equatable, Codable {
    let day: Int
    var date: Int
    var launches = 0
    var sent = 0
    var tapped = 0
    var isKept: Bool?
  }

  private var today: Today?
  private var habit = HabitStanding()
  private var week = ReminderWeek()
  /// Of the first launch of the latest day with one.
  private var hour: Double
  /// Hours from home.
  private var zone = 0.0

  /// - Parameter usualHour: in [0, 24): stands for the first launch's until there is one.
  public init(usualHour: Double = 12) { hour = usualHour >= 0 && usualHour < 24 ? usualHour : 12 }

  /// The day that is open; nil before the first entry.
  public var openDay: Int? { today?.day }

  /// Takes an entry in.
  /// - Returns: the days that it shows to have ended, the oldest first.
  public mutating func take(_ entry: HabitEntry) -> [HabitDay] {
    guard entry.problem == nil else { return [] }
    let ended = pass(to: entry.day)
    var now = today ?? Today(day: entry.day, date: entry.date)
    if today == nil { habit.begin(on: entry.day) }
    if entry.day >= now.day { now.date = entry.date }
    switch entry.kind {
    case .appOpened:
      if now.launches == 0 { hour = entry.hour }
      now.launches += 1
    case .reminderSent: now.sent += 1
    case .reminderTapped: now.tapped += 1
    case .habitCompleted: now.isKept = true
    case .habitSkipped: now.isKept = now.isKept ?? false
    case .zoneChanged: zone = entry.value ?? zone
    }
    today = now
    return ended
  }

  /// It has become a day without an entry that says so: midnight has passed. Before the first entry nothing happens.
  /// - Returns: the days that have ended, the oldest first.
  public mutating func pass(to day: Int) -> [HabitDay] {
    guard var now = today, now.day < day, day < HabitEntry.mostDays else { return [] }
    var ended = [end(now)]
    func next(after days: Int) -> Today { Today(day: now.day + days, date: (now.date + days) % 2555) }
    let firstShown = day - HabitFeatureBuilder.longestGap
    // Of the days that are not shown the last ones are gone through: features know 30 outcomes, seven days of reminders, a gap of 14.
    now = next(after: max(1, firstShown - 30 - now.day))
    while now.day < day {
      let passed = end(now)
      if now.day >= firstShown { ended.append(passed) }
      now = next(after: 1)
    }
    today = now
    return ended
  }

  /// All days of a log that have ended by its last entry, and the day of that: the same as entry by entry.
  public static func days(of log: some Sequence<HabitEntry>, usualHour: Double = 12) -> [HabitDay] {
    var builder = HabitFeatureBuilder(usualHour: usualHour)
    var days: [HabitDay] = []
    for entry in log { days += builder.take(entry) }
    return days + (builder.openDay.map { builder.pass(to: $0 + 1) } ?? [])
  }

  // MARK: - A day's end

  private mutating func end(_ now: Today) -> HabitDay {
    week.append(sent: now.sent, tapped: now.tapped)
    if now.isKept != nil || now.day > habit.firstDay { habit.append(now.isKept ?? false, on: now.day) }
    return HabitDay(day: now.day, features: features(of: now), isKept: now.isKept)
  }

  private func features(of now: Today) -> [Float] {
    [
      habit.streak, habit.rate,
      Float(Elementary.log(1 + Double(min(now.launches, 40))) / Elementary.log(41)),
      ReminderWeek.share(now.tapped, of: now.sent),
      Float(hour / 24),
      (now.date + 1) % 7 >= 5 ? 1 : 0,
      habit.gap(on: now.day),
      ReminderWeek.share(week.tapped, of: week.sent),
      Float(min(1, abs(zone) / 12)),
      Float(0.5 + 0.5 * Elementary.sin(2 * .pi * Double(now.date % 365) / 365)),
    ]
  }
}

extension HabitFeatureBuilder: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard hour >= 0 && hour < 24, abs(zone) <= 26 else { return "hour \(hour), \(zone) hours from home" }
    if let problem = week.problem ?? habit.problem { return problem }
    guard let today else { return nil }
    let days = 0..<HabitEntry.mostDays
    guard days.contains(today.day), days.contains(today.date), habit.firstDay <= today.day,
      habit.lastKept <= today.day
    else { return "day \(today.day), date \(today.date)" }
    let counts = [today.launches, today.sent, today.tapped]
    return counts.allSatisfy { (0...Int.max / 16).contains($0) } ? nil : "counts \(counts) of a day"
  }
}
