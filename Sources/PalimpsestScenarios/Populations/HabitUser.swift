import PalimpsestCore

/// A user: the traits that stay, and the days they lead to.
///
/// Every number is a function of the seed, the user, the day and the channel, so users and days can be drawn in any order and a
/// setting changes nothing but what it governs.
struct HabitUser: Sendable {
  let draws: HabitDraws
  let conduct: HabitConduct
  /// Reminders are opened with this probability: ρ_u times the lasting fatigue.
  let openness: Double
  /// The user's own mean hour of the first visit.
  let usualHour: Double
  /// Calendar day of day 0, counted from a Monday, 1 January; years have 365 days. Uniform over 7 · 365 days, which makes
  /// the weekday and the day of the year uniform and independent.
  let firstDay: Int
  private let visits: NegativeBinomial

  /// Share of the openness that is left under two reminders a day.
  static let fatigue = 0.80
  /// Reminders a day.
  static let remindersPerDay = 2

  /// - Parameter firstDay: nil: the user's own number picks it.
  init(_ draws: HabitDraws, _ conduct: HabitConduct, firstDay: Int? = nil) {
    self.draws = draws
    self.conduct = conduct
    let activity = Elementary.exp(0.5 * Quantile.normal(draws.trait(.activity)))
    let b = 2 * (1 - conduct.receptivity) / conduct.receptivity
    visits = NegativeBinomial(size: 2, mean: conduct.visits * activity)
    usualHour = conduct.meanHour + 0.5 * Quantile.normal(draws.trait(.hourOffset))
    openness = HabitUser.fatigue * Quantile.betaTwo(draws.trait(.receptivity), b: b)
    self.firstDay = firstDay ?? Int(draws.trait(.calendar) * 2555)
  }

  /// One whose traits are known.
  /// - Parameters:
  ///   - visits: the mean of a day's.
  ///   - receptivity: share of reminders opened, before fatigue.
  init(
    _ draws: HabitDraws, _ conduct: HabitConduct, visits: Double, usualHour: Double, receptivity: Double, firstDay: Int
  ) {
    self.draws = draws
    self.conduct = conduct
    self.visits = NegativeBinomial(size: 2, mean: visits)
    self.usualHour = usualHour
    openness = HabitUser.fatigue * receptivity
    self.firstDay = firstDay
  }

  /// What happens on a day apart from the habit. Day 0 is the first of the burn-in.
  @inline(__always)
  func day(_ day: Int) -> HabitDay {
    let count = visits.quantile(draws.uniform(day, .visits))
    return HabitDay(
      visits: count, firstHour: count > 0 ? firstHour(day) : nil,
      opensFirst: draws.uniform(day, .firstReminder) < openness,
      opensSecond: draws.uniform(day, .secondReminder) < openness)
  }

  private func firstHour(_ day: Int) -> Double {
    hourOfDay(usualHour + conduct.hourDeviation * Quantile.normal(draws.uniform(day, .hour)))
  }
}

/// An hour brought into [0, 24).
@inline(__always)
func hourOfDay(_ hour: Double) -> Double {
  let wrapped = hour - 24 * (hour / 24).rounded(.down)
  return wrapped < 24 ? wrapped : 0
}

/// A day of a user, without the habit.
struct HabitDay: Sendable {
  let visits: Int
  /// Nil without visits.
  let firstHour: Double?
  let opensFirst: Bool
  let opensSecond: Bool

  var remindersOpened: Int { (opensFirst ? 1 : 0) + (opensSecond ? 1 : 0) }
}

/// The random numbers of one user.
struct HabitDraws: Sendable {
  /// What a trait is drawn for.
  enum Trait: Int { case activity, hourOffset, receptivity, calendar }
  /// What a day's number is drawn for. The channels from `furtherVisits` on serve the event log alone.
  enum Channel: Int { case visits, hour, firstReminder, secondReminder, habit, completionHour, tapDelay, furtherVisits }

  private let seed: Seed
  private let user: Int
  private let spreadsTraits: Bool

  /// - Parameter spreadsTraits: the users' traits are spread evenly instead of independently: users 0…n−1 then fill the
  ///   four trait axes like a lattice, and means over users err far less. For calibration.
  init(_ seed: Seed, user: Int, spreadsTraits: Bool = false) {
    self.seed = seed
    self.user = user
    self.spreadsTraits = spreadsTraits
  }

  func trait(_ trait: Trait) -> Double {
    guard spreadsTraits else { return seed.uniform(user, -1, trait.rawValue) }
    let place = 0.5 + Double(user + 1) * HabitDraws.lattice[trait.rawValue]
    return place - place.rounded(.down)
  }

  @inline(__always)
  func uniform(_ day: Int, _ channel: Channel, _ index: Int = 0) -> Double {
    seed.uniform(user, day, channel.rawValue + 8 * index)
  }

  /// A number of a day for what only some populations have: none of the channels' is among them.
  @inline(__always)
  func further(_ day: Int, _ number: Int) -> Double { seed.uniform(user, day, -1 - number) }

  /// A number that is drawn once, for what only some populations have.
  func uniform(atOnce number: Int) -> Double { seed.uniform(user, -2, number) }

  /// Powers of 1/φ, φ the positive root of x⁵ = x + 1: the additive lattice of four dimensions (Roberts 2018).
  private static let lattice = [0.8566748838545029, 0.7338918566271260, 0.6287067210378087, 0.5385972572236100]
}
