import PalimpsestCore

/// The log behind a task's training rows: with what the phase hides, every column and label of the rows follows from it.
///
/// `phone-unlocked` is the first look at the phone, `app-opened` a launch, `calendar-read` the share of the day that is taken.
/// `completion-lost` stands beside a `habit-completed` that never reached the learner. Hours of launches, taps and completions serve
/// nothing else.
extension PermissionCourse: LoggingScenario {
  func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    users(.training, task, seed).enumerated().flatMap { index, user in
      PermissionLog(user, people.number(index, ofTask: task), phases[task].losesLabels ? settings.missedLogging : 0)
        .events(law, days: settings.burnIn + settings.days)
    }
  }
}

private struct PermissionLog {
  private let user: PermissionUser
  private let index: Int
  private let lost: Double

  /// The last entry of a day is no later.
  private static let dayEnd = 24 - 1.0 / 60

  init(_ user: PermissionUser, _ index: Int, _ lost: Double) {
    (self.user, self.index, self.lost) = (user, index, lost)
  }

  func events(_ law: PermissionLaw, days: Int) -> [LoggedEvent] {
    var life = PermissionLife(user, law)
    var outcome: [LoggedEvent] = []
    var events: [LoggedEvent] = []
    for day in 0..<days {
      let step = life.next()
      let today = entries(step.events, day) + outcome
      events += today.enumerated().sorted { ($0.element.hour, $0.offset) < ($1.element.hour, $1.offset) }.map(\.element)
      outcome = outcomes(step.isCompletedNextDay, of: day + 1, law)
    }
    return events + outcome
  }

  private func entry(_ kind: String, _ day: Int, _ hour: Double, _ value: Double? = nil) -> LoggedEvent {
    LoggedEvent(user: index, day: day, hour: hour, kind: kind, date: user.firstDay + day, value: value)
  }

  private func entries(_ events: PermissionUser.Day, _ day: Int) -> [LoggedEvent] {
    let launches = (0..<events.launches).map { place in
      let u = user.draws.further(day, PermissionUser.Further.launchHour.rawValue + place)
      return entry("app-opened", day, events.hour + u * (PermissionLog.dayEnd - min(events.hour, PermissionLog.dayEnd)))
    }
    return [entry("calendar-read", day, 0, events.business), entry("phone-unlocked", day, events.hour)] + launches
      + reminder(9, 0, events.opensFirst, day) + reminder(20, 1, events.opensSecond, day)
  }

  private func reminder(_ hour: Double, _ place: Int, _ isOpened: Bool, _ day: Int) -> [LoggedEvent] {
    let sent = entry("reminder-sent", day, hour)
    guard isOpened else { return [sent] }
    let delay = Quantile.exponential(user.draws.uniform(day, .tapDelay, place), mean: 0.25)
    return [sent, entry("reminder-tapped", day, min(hour + delay, PermissionLog.dayEnd))]
  }

  private func outcomes(_ isCompleted: Bool, of day: Int, _ law: PermissionLaw) -> [LoggedEvent] {
    guard isCompleted else { return [entry("habit-skipped", day, PermissionLog.dayEnd)] }
    let drawn = law.habit.weights.peakHour + 1.2 * Quantile.normal(user.draws.uniform(day, .completionHour))
    let hour = min(max(drawn, 0), PermissionLog.dayEnd)
    let kept = entry("habit-completed", day, hour)
    return user.isLost(day, share: lost) ? [kept, entry("completion-lost", day, hour)] : [kept]
  }
}
