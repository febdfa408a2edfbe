import PalimpsestCore

/// A user whose launches, hours and calendar are the same lottery for everybody on every day, so that nothing else tells what a hidden
/// one of them holds.
struct PermissionUser: Sendable {
  let draws: HabitDraws
  /// Reminders are opened with this probability.
  let openness: Double
  /// Calendar day of day 0, counted from a Monday, 1 January.
  let firstDay: Int

  static let meanHour = 10.0
  static let hourDeviation = 4.0
  static let receptivity = 0.35
  static let launches = NegativeBinomial(size: 2, mean: 4)

  /// What happens on a day apart from the habit.
  struct Day: Sendable {
    /// Of the first look at the phone; in [0, 24).
    let hour: Double
    let launches: Int
    let opensFirst: Bool
    let opensSecond: Bool
    /// Share of the day that is taken.
    let business: Double

    var remindersOpened: Int { (opensFirst ? 1 : 0) + (opensSecond ? 1 : 0) }
  }

  /// What a day's number is drawn for beside the channels that all habits have.
  enum Further: Int { case calendar, logging, launchHour }

  init(_ draws: HabitDraws) {
    self.draws = draws
    let b = 2 * (1 - PermissionUser.receptivity) / PermissionUser.receptivity
    openness = HabitUser.fatigue * Quantile.betaTwo(draws.trait(.receptivity), b: b)
    firstDay = Int(draws.trait(.calendar) * 2555)
  }

  @inline(__always)
  func day(_ day: Int) -> Day {
    let normal = Quantile.normal(draws.uniform(day, .hour))
    return Day(
      hour: hourOfDay(PermissionUser.meanHour + PermissionUser.hourDeviation * normal),
      launches: PermissionUser.launches.quantile(draws.uniform(day, .visits)),
      opensFirst: draws.uniform(day, .firstReminder) < openness,
      opensSecond: draws.uniform(day, .secondReminder) < openness,
      business: draws.further(day, Further.calendar.rawValue))
  }

  /// The completion of a day goes missing in the log.
  func isLost(_ day: Int, share: Double) -> Bool { draws.further(day, Further.logging.rawValue) < share }
}

/// The features that completions do not touch, day by day.
struct PermissionSurroundings: Sendable {
  private(set) var day = 0
  /// Reminders opened on the last seven days, the latest last.
  private var week: [Int] = []

  /// Takes a day in.
  /// - Returns: its features with all columns shown, 0 for streak, rate and gap; the calendar stands in the season's column.
  mutating func pass(_ events: PermissionUser.Day, of user: PermissionUser) -> HabitFeatures {
    if week.count == 7 { week.removeFirst() }
    week.append(events.remindersOpened)
    var x = HabitFeatures()
    x.launches = HabitScales.launches[min(events.launches, 40)]
    x.remindersOpened = Float(events.remindersOpened) / Float(HabitUser.remindersPerDay)
    x.hour = Float(events.hour / 24)
    x.weekend = (user.firstDay + day + 1) % 7 >= 5 ? 1 : 0
    x.weekReminders = Float(week.reduce(0, +)) / Float(HabitUser.remindersPerDay * week.count)
    x.season = Float(events.business)
    day += 1
    return x
  }
}

/// A user's days under the law, one after the other.
struct PermissionLife: Sendable {
  let user: PermissionUser
  let law: PermissionLaw
  private var progress = HabitProgress()
  private var surroundings = PermissionSurroundings()

  struct Step {
    let events: PermissionUser.Day
    /// With all columns shown.
    let features: HabitFeatures
    let isCompletedNextDay: Bool
  }

  init(_ user: PermissionUser, _ law: PermissionLaw) {
    self.user = user
    self.law = law
  }

  /// The next day, from day 0 on.
  mutating func next() -> Step {
    let day = surroundings.day
    let events = user.day(day)
    var x = surroundings.pass(events, of: user)
    x.streak = Float(progress.streak)
    x.completionRate = Float(progress.rate)
    x.gap = Float(progress.gap(on: day))
    let isCompleted = user.draws.uniform(day, .habit) < law.probability(x)
    progress.append(isCompleted, after: day)
    return Step(events: events, features: x, isCompletedNextDay: isCompleted)
  }
}
