import PalimpsestCore

/// The log behind the rows: every column and label follows from it once a person has opened the app. Entries have the date, and
/// `zone-changed` says the hours between local time and home where there are any.
extension HabitCourse: RowLoggingScenario, LoggingScenario {
  public func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    loggedEvents(ofTask: task, rows: 0..<settings.users * settings.days, seed: seed)
  }

  /// Of each person the days from where the rows before these ended to the day after the last of these; from the first day of the burn-in on
  /// where a life begins with them.
  func loggedEvents(ofTask task: Int, rows: Range<Int>, seed: Seed) -> [LoggedEvent] {
    let days = settings.days
    return (rows.lowerBound / days...(rows.upperBound - 1) / days).flatMap { index in
      loggedDays(index, task, rows.clamped(to: index * days..<(index + 1) * days), seed)
    }
  }

  /// - Parameter rows: of the person.
  private func loggedDays(_ index: Int, _ task: Int, _ rows: Range<Int>, _ seed: Seed) -> [LoggedEvent] {
    let (first, end) = (rows.lowerBound - index * settings.days, rows.upperBound - index * settings.days)
    let shown = (first == 0 ? 0 : settings.burnIn + first + 1)...settings.burnIn + end
    let conduct = settings.conduct(settings.phases[task])
    let user = HabitUser(HabitDraws(self.seed(.training, task, seed), user: index), conduct)
    let number = HabitPeople(settings).number(index, ofTask: task)
    let log = HabitLog(user, index: number).events(laws[task], days: settings.burnIn + min(end + 1, settings.days))
    let zone =
      first == 0 && conduct.zoneOffset != 0
      ? [
        LoggedEvent(
          user: number, day: 0, hour: 0, kind: "zone-changed", date: user.firstDay, value: conduct.zoneOffset)
      ] : []
    return zone + log.filter { shown.contains($0.day) }.map(LoggedEvent.init)
  }
}

extension LoggedEvent {
  init(_ event: HabitEvent) {
    self.init(user: event.user, day: event.day, hour: event.hour, kind: event.kind.rawValue, date: event.date)
  }
}
