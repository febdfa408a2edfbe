import PalimpsestCore

/// The log behind the rows: every column and label follows from it once a person has opened the app. Hours of further visits, taps and
/// completions serve nothing else.
extension PersonalCourse: LoggingScenario {
  package func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    let stream = PersonalStream(settings, seed)
    if task == 0 { return (0..<settings.population).flatMap { stream.member($0).events(owner: $0) } }
    return (0..<settings.users).flatMap { stream.person($0).events(owner: settings.population + $0) }
  }
}

extension Person {
  /// All entries from the first day of the burn-in to the outcome of the day behind the last.
  func events(owner: Int) -> [LoggedEvent] {
    var events: [HabitEvent] = []
    var outcome: HabitEvent?
    visitAllDays { day, step, user, law in
      let log = HabitLog(user, index: owner)
      events += log.entries(step.events, day, outcome)
      outcome = log.outcome(step.isCompletedNextDay, of: day + 1, law)
    }
    return (events + (outcome.map { [$0] } ?? [])).map(LoggedEvent.init)
  }
}
