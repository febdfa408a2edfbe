import PalimpsestCore

/// A person's days, one after the other.
struct SeasonLife: Sendable {
  let user: SeasonUser
  let diary: SeasonDiary
  private let settings: HabitSeasons
  private var day = 0
  private var progress = HabitProgress()
  /// H and m.
  private var strength = SeasonLaw.firstStrength
  private var motivation: Double
  /// E: reminders of late, a day's loss 1/30.
  private var effort = 0.0
  /// Hours by which the body's clock is behind the local one (after flying east), or before it.
  private var jetLag = 0.0
  /// Of the last first visit.
  private var hour: Double
  /// Reminders opened on the last seven days.
  private var week: [Int] = []

  /// What happened on a day, apart from the habit.
  struct Events: Sendable {
    let launches: Int
    /// Nil without launches.
    let firstHour: Double?
    let opensFirst: Bool
    let opensSecond: Bool

    var remindersOpened: Int { (opensFirst ? 1 : 0) + (opensSecond ? 1 : 0) }
  }

  struct Step {
    let events: Events
    let features: HabitFeatures
    let terms: SeasonLaw.Terms
    let isCompletedNextDay: Bool
  }

  init(_ user: SeasonUser, _ settings: HabitSeasons) {
    self.user = user
    self.settings = settings
    diary = SeasonDiary(user, settings)
    motivation = user.firstMotivation
    hour = hourOfDay(user.chronotype + 6.5)
  }

  /// The next day, from the first of the burn-in on.
  mutating func next() -> Step {
    if date == settings.lifeEvent { strength *= 0.4 }
    travel()
    let events = self.events
    hour = events.firstHour ?? hour
    if week.count == 7 { week.removeFirst() }
    week.append(events.remindersOpened)
    let (features, terms) = (self.features(events), self.terms(events))
    let isCompleted = user.draws.uniform(day, .habit) < terms.probability
    pass(isCompleted)
    return Step(events: events, features: features, terms: terms, isCompletedNextDay: isCompleted)
  }

  // MARK: - Days

  /// From the first of the stream on; negative in the burn-in.
  private var date: Int { day - settings.burnIn }
  private var dayOfYear: Int { ((date % 365) + 365) % 365 }
  private func isWeekend(_ date: Int) -> Bool { ((date % 7) + 7) % 7 >= 5 }
  private var isBehindEvent: Bool { settings.lifeEvent.map { date >= $0 } ?? false }

  /// The clock is put on by a trip's hours and back at its end; the body follows by 57 minutes a day after flying east and by 92 after
  /// flying west.
  private mutating func travel() {
    jetLag = jetLag > 0 ? max(0, jetLag - 57.0 / 60) : min(0, jetLag + 92.0 / 60)
    let (now, before) = (diary.hoursAway(day), day > 0 ? diary.hoursAway(day - 1) : 0)
    jetLag += now - before
  }

  private var events: Events {
    let mean = 2.5 * user.activity * Elementary.exp(0.4 * motivation) * (diary.isBlip(day) ? 0.3 : 1)
    let launches = NegativeBinomial(size: 2, mean: mean).quantile(user.draws.uniform(day, .visits))
    return Events(
      launches: launches, firstHour: launches > 0 ? firstHour : nil,
      opensFirst: user.draws.uniform(day, .firstReminder) < openness(effort),
      opensSecond: user.draws.uniform(day, .secondReminder) < openness(effort + 1))
  }

  private var firstHour: Double {
    let isSummerTime = (88...297).contains(dayOfYear)
    let usual = user.chronotype + 6.5 + (isWeekend(date) ? user.socialJetlag : 0) - (isSummerTime ? 1 : 0)
    let noise = 1.5 * Quantile.normal(user.draws.uniform(day, .hour))
    return hourOfDay(usual + jetLag + (isBehindEvent ? 8 : 0) + noise)
  }

  /// Chance that a reminder is opened after so many of late.
  private func openness(_ effort: Double) -> Double {
    user.openness * (settings.fatigueFloor + (1 - settings.fatigueFloor) * Elementary.exp(-effort / 27))
  }

  private func features(_ events: Events) -> HabitFeatures {
    var x = HabitFeatures()
    x.streak = Float(progress.streak)
    x.completionRate = Float(progress.rate)
    x.launches = HabitScales.launches[min(events.launches, 40)]
    x.remindersOpened = Float(events.remindersOpened) / Float(HabitUser.remindersPerDay)
    x.hour = Float(hour / 24)
    x.weekend = isWeekend(date + 1) ? 1 : 0
    x.gap = Float(progress.gap(on: day))
    x.weekReminders = Float(week.reduce(0, +)) / Float(HabitUser.remindersPerDay * week.count)
    x.away = Float(abs(diary.hoursAway(day)) / 12)
    x.season = HabitScales.season[dayOfYear]
    return x
  }

  private func terms(_ events: Events) -> SeasonLaw.Terms {
    let tomorrow = date + 1
    let isMonday = ((tomorrow % 7) + 7) % 7 == 0
    var steady = user.readiness + 3.2 * (strength - 0.35) + motivation + (isMonday ? 0.29 : 0)
    steady += 0.125 * Elementary.log(1 + Double(progress.daysInRow))
    steady -= (diary.hoursAway(day) == 0 ? 0 : 0.8) + (diary.isBlip(day) ? 1.5 : 0)
    let reminders = 0.6 * user.reminders * Double(events.remindersOpened)
    let weekend = isWeekend(tomorrow) ? user.weekend : 0
    return SeasonLaw.Terms(
      steady: steady, before: reminders + weekend, behind: -0.7 * reminders - weekend,
      season: SeasonLaw.season(dayOfYear, amplitude: settings.amplitude), isBehind: isBehindEvent)
  }

  /// The state of the day after.
  private mutating func pass(_ isCompleted: Bool) {
    progress.append(isCompleted, after: day)
    strength += isCompleted ? user.growth * (user.limit - strength) : -SeasonLaw.decay * strength
    let noise = Quantile.normal(user.draws.further(day, 0))
    motivation = SeasonLaw.motivationMemory * motivation + SeasonLaw.motivationNoise * noise
    effort = (effort + Double(HabitUser.remindersPerDay)) * SeasonLife.effortKept
    day += 1
  }

  private static let effortKept = Elementary.exp(-1.0 / 30)
}
