import PalimpsestCore

/// The log behind the rows: launches, reminders, days kept and missed, and what befell people. A task's part ends with the day after its last,
/// so that all parts together are whole lives; every feature and label follows from them.
///
/// A trip's value is the hours between local time and home. `blip-began` is a person's own, `common-blip-began` everybody's; each
/// ends on the first day without it. Hours of further launches, taps and completions serve nothing else.
extension SeasonCourse: LoggingScenario {
  package func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    let parts = settings.taskDays
    let first = task == 0 ? 0 : settings.burnIn + parts[task].days.lowerBound + 1
    let days = first...settings.burnIn + parts[task].days.upperBound
    let key = self.seed(.training, seed)
    return (0..<settings.users).flatMap { index in
      SeasonLog(SeasonUser(HabitDraws(key, user: index)), index, settings).events(of: days)
    }
  }
}

private struct SeasonLog {
  private let user: SeasonUser
  private let index: Int
  private let settings: HabitSeasons

  /// The last entry of a day is no later.
  private static let dayEnd = 24 - 1.0 / 60

  init(_ user: SeasonUser, _ index: Int, _ settings: HabitSeasons) {
    (self.user, self.index, self.settings) = (user, index, settings)
  }

  func events(of days: ClosedRange<Int>) -> [LoggedEvent] {
    var life = SeasonLife(user, settings)
    var events: [LoggedEvent] = []
    var outcome: [LoggedEvent] = []
    for day in 0...days.upperBound {
      let lives = day < settings.burnIn + settings.days
      let step = lives ? life.next() : nil
      if days.contains(day) {
        let today = befallen(day, life.diary) + (step.map { entries($0.events, day) } ?? []) + outcome
        events += today.enumerated().sorted { ($0.element.hour, $0.offset) < ($1.element.hour, $1.offset) }.map(
          \.element)
      }
      outcome = step.map { [self.outcome($0.isCompletedNextDay, of: day + 1)] } ?? []
    }
    return events
  }

  private func entry(_ kind: String, _ day: Int, _ hour: Double, _ value: Double? = nil) -> LoggedEvent {
    let period = HabitCalendar.period
    let date = (day - settings.burnIn + period) % period
    return LoggedEvent(user: index, day: day, hour: hour, kind: kind, date: date, value: value)
  }

  /// What begins or ends on a day.
  private func befallen(_ day: Int, _ diary: SeasonDiary) -> [LoggedEvent] {
    func bounds(_ name: String, _ entries: [SeasonDiary.Entry]) -> [LoggedEvent] {
      entries.flatMap { entry in
        let value = entry.hours == 0 ? nil : entry.hours
        return (entry.days.lowerBound == day ? [self.entry(name + "-began", day, 0, value)] : [])
          + (entry.days.upperBound == day ? [self.entry(name + "-ended", day, 0)] : [])
      }
    }
    let event = settings.lifeEvent.map { settings.burnIn + $0 } == day ? [entry("life-event", day, 0)] : []
    return bounds("trip", diary.trips) + bounds("blip", diary.ownBlips)
      + bounds("common-blip", SeasonDiary.commonBlips(settings)) + event
  }

  private func entries(_ events: SeasonLife.Events, _ day: Int) -> [LoggedEvent] {
    var entries: [LoggedEvent] = []
    if let first = events.firstHour {
      entries.append(entry("app-opened", day, first))
      for place in 1..<max(1, events.launches) {
        let hour = first + user.draws.further(day, place) * max(0, SeasonLog.dayEnd - first)
        entries.append(entry("app-opened", day, hour))
      }
    }
    return entries + reminder(9, 0, events.opensFirst, day) + reminder(20, 1, events.opensSecond, day)
  }

  private func reminder(_ hour: Double, _ place: Int, _ isOpened: Bool, _ day: Int) -> [LoggedEvent] {
    let sent = entry("reminder-sent", day, hour)
    guard isOpened else { return [sent] }
    let delay = Quantile.exponential(user.draws.uniform(day, .tapDelay, place), mean: 0.25)
    return [sent, entry("reminder-tapped", day, min(hour + delay, SeasonLog.dayEnd))]
  }

  private func outcome(_ isCompleted: Bool, of day: Int) -> LoggedEvent {
    guard isCompleted else { return entry("habit-skipped", day, SeasonLog.dayEnd) }
    let drawn = user.chronotype + 6.5 + 1.2 * Quantile.normal(user.draws.uniform(day, .completionHour))
    return entry("habit-completed", day, min(max(drawn, 0), SeasonLog.dayEnd))
  }
}
