import PalimpsestCore

/// The log behind the shown rows: a task's part goes from where the one of the context's visit before ended to the day after its last,
/// so that all parts of a context together are whole lives, and every feature and label follows from them. `zone-changed` says the
/// hours between local time and home where there are any.
extension RecurringCourse: LoggingScenario {
  func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    let visit = plan.visits[task]
    let before = plan.visits[..<task].last { $0.context == visit.context }
    let days = (before.map { end($0) + 1 } ?? 0)...end(visit)
    let key = self.seed(.training, visit.context, seed)
    let conduct = conduct(visit.context)
    return (0..<settings.users).flatMap { index in
      let user = HabitUser(HabitDraws(key, user: index), conduct, firstDay: firstDay)
      let owner = visit.context * settings.users + index
      let events = HabitLog(user, index: owner).events(laws[visit.context], days: days.upperBound + 1)
      let zone = days.lowerBound == 0 ? zoneEvents(owner, conduct) : []
      return zone + events.filter { days.contains($0.day) }.map(LoggedEvent.init)
    }
  }

  /// The day after a visit's last: it says what became of that.
  private func end(_ visit: ContextPlan.Visit) -> Int { settings.burnIn + visit.days.upperBound }

  private func zoneEvents(_ owner: Int, _ conduct: HabitConduct) -> [LoggedEvent] {
    guard conduct.zoneOffset != 0 else { return [] }
    return [
      LoggedEvent(user: owner, day: 0, hour: 0, kind: "zone-changed", date: firstDay, value: conduct.zoneOffset)
    ]
  }
}
