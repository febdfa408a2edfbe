import PalimpsestCore

/// A user's days under one law, one after the other.
struct HabitLife: Sendable {
  let user: HabitUser
  let law: HabitLaw
  private var progress = HabitProgress()
  private var surroundings: HabitSurroundings

  /// One day: what happened, what a model sees of it, and whether the habit is kept on the day after.
  struct Step {
    let day: Int
    let events: HabitDay
    let features: HabitFeatures
    /// p*(1 | features).
    let probability: Double
    let isCompletedNextDay: Bool
  }

  init(_ user: HabitUser, _ law: HabitLaw) {
    self.user = user
    self.law = law
    surroundings = HabitSurroundings(user)
  }

  /// The next day, from day 0 on.
  @inline(__always)
  mutating func next() -> Step {
    let day = surroundings.day
    let events = user.day(day)
    var features = surroundings.pass(events, of: user)
    features.streak = Float(progress.streak)
    features.completionRate = Float(progress.rate)
    features.gap = Float(progress.gap(on: day))
    let p = law.probability(features)
    let isCompleted = user.draws.uniform(day, .habit) < p
    progress.append(isCompleted, after: day)
    return Step(day: day, events: events, features: features, probability: p, isCompletedNextDay: isCompleted)
  }
}

/// The features that completions don't touch, day by day.
struct HabitSurroundings: Sendable {
  private(set) var day = 0
  private var hour: Double
  /// Reminders opened on the last seven days, two bits a day.
  private var week: UInt32 = 0
  private var openedInWeek = 0

  init(_ user: HabitUser) { hour = hourOfDay(user.usualHour) }

  /// Takes a day in.
  /// - Returns: its features, with 0 for streak, rate and gap.
  @inline(__always)
  mutating func pass(_ events: HabitDay, of user: HabitUser) -> HabitFeatures {
    hour = events.firstHour ?? hour
    openedInWeek += events.remindersOpened - Int(week >> 12 & 3)
    week = (week << 2 | UInt32(events.remindersOpened)) & 0x3FFF
    var x = HabitFeatures()
    x.launches = HabitScales.launches[min(events.visits, 40)]
    x.remindersOpened = Float(events.remindersOpened) / Float(HabitUser.remindersPerDay)
    x.hour = Float(hour / 24)
    x.weekend = (user.firstDay + day + 1) % 7 >= 5 ? 1 : 0
    x.weekReminders = Float(openedInWeek) / Float(HabitUser.remindersPerDay * min(7, day + 1))
    x.away = Float(abs(user.conduct.zoneOffset) / 12)
    x.season = HabitScales.season[(user.firstDay + day) % 365]
    day += 1
    return x
  }
}
