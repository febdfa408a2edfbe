/// One entry of a user's log.
public struct HabitEvent: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case appOpened = "app-opened"
    case reminderSent = "reminder-sent"
    case reminderTapped = "reminder-tapped"
    case habitCompleted = "habit-completed"
    case habitSkipped = "habit-skipped"
  }

  public let kind: Kind
  /// Counted from 0 within the set.
  public let user: Int
  /// Days since the user's first one, the burn-in included.
  public let day: Int
  /// Days since a Monday, 1 January; years have 365 days. The weekday is `date` mod 7 (0 is Monday), the day of the year is
  /// `date` mod 365.
  public let date: Int
  /// Local time in hours, in [0, 24).
  public let hour: Double
  /// Hours between local time and home time.
  public let zoneOffset: Double
}

/// The log behind a user's rows: first visit, number of visits, reminders and completions are those of the features.
///
/// Further visits follow the first: with probability 0.35 a visit answers an earlier one of the day after 20 minutes on average,
/// else it falls where the day's profile puts it. Their random numbers serve nothing else, so the log changes no row.
struct HabitLog {
  private let user: HabitUser
  private let index: Int

  /// Hours at which reminders are sent.
  private static let reminderHours = [9.0, 20.0]
  /// Mean delay of a tap, in hours.
  private static let tapDelay = 0.25
  /// The last entry of a day is no later.
  private static let dayEnd = 24 - 1.0 / 60

  init(_ user: HabitUser, index: Int) {
    self.user = user
    self.index = index
  }

  /// All entries of days 0..<`days` and the outcomes of days 1...`days`, in order of time.
  func events(_ law: HabitLaw, days: Int) -> [HabitEvent] {
    var life = HabitLife(user, law)
    var events: [HabitEvent] = []
    var outcome: HabitEvent?
    for day in 0..<days {
      let step = life.next()
      events += entries(step.events, day, outcome)
      outcome = self.outcome(step.isCompletedNextDay, of: day + 1, law)
    }
    return events + (outcome.map { [$0] } ?? [])
  }

  /// A day's entries in order of time.
  /// - Parameter outcome: what became of the habit on that day.
  func entries(_ events: HabitDay, _ day: Int, _ outcome: HabitEvent?) -> [HabitEvent] {
    let today = visits(events, day) + reminders(events, day) + (outcome.map { [$0] } ?? [])
    return today.enumerated().sorted { ($0.element.hour, $0.offset) < ($1.element.hour, $1.offset) }.map(\.element)
  }

  private func event(_ kind: HabitEvent.Kind, _ day: Int, _ hour: Double) -> HabitEvent {
    HabitEvent(
      kind: kind, user: index, day: day, date: user.firstDay + day, hour: hour, zoneOffset: user.conduct.zoneOffset)
  }

  private func visits(_ events: HabitDay, _ day: Int) -> [HabitEvent] {
    guard let first = events.firstHour else { return [] }
    var hours = [first]
    while hours.count < events.visits { hours.append(furtherVisit(after: hours, day)) }
    return hours.map { event(.appOpened, day, $0) }
  }

  private func furtherVisit(after hours: [Double], _ day: Int) -> Double {
    let u = { user.draws.uniform(day, .furtherVisits, 3 * hours.count + $0) }
    if u(0) < VisitProfile.branching {
      let parent = hours[Int(u(1) * Double(hours.count))]
      let hour = parent + Quantile.exponential(u(2), mean: VisitProfile.answerDelay)
      if hour < 24 { return hour }
    }
    return VisitProfile(midSleep: 4.25 + user.usualHour - user.conduct.meanHour).hour(u(2), after: hours[0])
  }

  private func reminders(_ events: HabitDay, _ day: Int) -> [HabitEvent] {
    zip(HabitLog.reminderHours, [events.opensFirst, events.opensSecond]).enumerated().flatMap { place, reminder in
      let delay = Quantile.exponential(user.draws.uniform(day, .tapDelay, place), mean: HabitLog.tapDelay)
      let sent = event(.reminderSent, day, reminder.0)
      return reminder.1 ? [sent, event(.reminderTapped, day, min(reminder.0 + delay, HabitLog.dayEnd))] : [sent]
    }
  }

  /// A completion falls 1.2 hours about the law's favoured hour, within its day; a skipped day is known at its end.
  func outcome(_ isCompleted: Bool, of day: Int, _ law: HabitLaw) -> HabitEvent {
    guard isCompleted else { return event(.habitSkipped, day, HabitLog.dayEnd) }
    let hour = law.weights.peakHour + 1.2 * Quantile.normal(user.draws.uniform(day, .completionHour))
    return event(.habitCompleted, day, min(max(hour, 0), HabitLog.dayEnd))
  }
}
