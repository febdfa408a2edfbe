import PalimpsestCore

/// A kind of people: what its members have in common.
struct Archetype: Sendable {
  let name: String
  let share: Double
  /// Mean of the members' mean hours, which are the hours that favour the habit most.
  let hour: Double
  let weights: HabitWeights

  /// What all kinds have but for what a kind says.
  static let common = HabitWeights(
    streak: 0.8, rate: 0.8, launches: 0.5, reminders: 1, hour: 1, weekend: -0.3, gap: -0.5, peakHour: 0)

  private init(_ name: String, _ share: Double, hour: Double, _ change: (inout HabitWeights) -> Void) {
    (self.name, self.share, self.hour) = (name, share, hour)
    var weights = Archetype.common
    change(&weights)
    self.weights = weights
  }

  static let all = [
    Archetype("morning", 0.35, hour: 7.5) { ($0.weekend, $0.reminders) = (-0.8, 1.5) },
    Archetype("evening", 0.30, hour: 19) { ($0.weekend, $0.launches) = (-0.5, 1.2) },
    Archetype("nights", 0.10, hour: 22.5) { ($0.weekend, $0.reminders, $0.launches) = (1.2, -1.5, -1) },
    Archetype("weekend", 0.15, hour: 12) { ($0.weekend, $0.streak) = (2, 0.5) },
    Archetype("prompted", 0.10, hour: 14) { ($0.reminders, $0.launches) = (3, -0.8) },
  ]
}

/// What makes a person: the law of her habit, and how she uses the phone. Each is a function of one random number of its own.
struct PersonTraits: Sendable {
  /// Among ``Archetype/all``; −1 where people have none.
  var archetype = -1
  var weights = Archetype.common
  /// b0.
  var intercept = 0.0
  /// Mean hour of the day's first visit.
  var meanHour = 0.0
  /// Mean visits a day.
  var visits = 4.0
  /// Share of reminders that she would open, before fatigue.
  var receptivity = 0.25
  /// Calendar day of day 0.
  var firstDay = 0

  /// What is drawn once a person.
  enum Draw: Int, CaseIterable {
    case archetype, hour, streak, rate, launches, reminders, weekend, gap, intercept, visits, receptivity, calendar,
      peak
  }

  /// What is drawn once an event of a person's.
  enum EventDraw: Int, CaseIterable {
    case isHit, eventDay, hourSign, peakSign
  }

  static let hourDeviation = 1.5
  static let interceptDeviation = 0.3

  init(_ population: HabitPersonal.Population, spread: Double, _ draws: HabitDraws) {
    let normal = { (draw: Draw) in Quantile.normal(draws.uniform(atOnce: draw.rawValue)) }
    switch population {
    case .default: takeArchetype(draws.uniform(atOnce: Draw.archetype.rawValue), spread, normal)
    case .mixed: mix(spread, draws.uniform(atOnce: Draw.peak.rawValue), normal)
    }
    intercept = PersonTraits.interceptDeviation * normal(.intercept)
    visits = Elementary.exp(Elementary.log(4) + 0.6 * normal(.visits))
    receptivity = min(max(Quantile.betaTwo(draws.uniform(atOnce: Draw.receptivity.rawValue), b: 6), 0.05), 0.9)
    firstDay = Int(draws.uniform(atOnce: Draw.calendar.rawValue) * 2555)
  }

  private mutating func takeArchetype(_ u: Double, _ spread: Double, _ normal: (Draw) -> Double) {
    var sum = 0.0
    archetype =
      Archetype.all.firstIndex { kind in
        sum += kind.share
        return u < sum
      } ?? Archetype.all.count - 1
    let kind = Archetype.all[archetype]
    weights = kind.weights
    weights.streak += spread * 0.3 * normal(.streak)
    weights.rate += spread * 0.3 * normal(.rate)
    weights.launches += spread * 0.6 * normal(.launches)
    weights.reminders += spread * 0.8 * normal(.reminders)
    weights.weekend += spread * 0.6 * normal(.weekend)
    weights.gap += spread * 0.3 * normal(.gap)
    meanHour = hourOfDay(kind.hour + spread * 1.5 * normal(.hour))
    weights.peakHour = meanHour
  }

  private mutating func mix(_ spread: Double, _ side: Double, _ normal: (Draw) -> Double) {
    weights.streak += spread * 0.5 * normal(.streak)
    weights.rate += spread * 0.5 * normal(.rate)
    weights.launches += spread * 1.2 * normal(.launches)
    weights.reminders += spread * 1.6 * normal(.reminders)
    weights.weekend += spread * 1.2 * normal(.weekend)
    meanHour = hourOfDay(14 + spread * 4.5 * normal(.hour))
    weights.peakHour = side < 0.7 ? meanHour : hourOfDay(meanHour + 12)
  }

  /// After a life event: another time of day, the weekend's effect the other way round, launches and reminders for less and against.
  /// - Parameter number: of the event, from 0.
  func changed(_ number: Int, _ draws: HabitDraws) -> PersonTraits {
    var other = underAnotherLaw(number, draws)
    other.meanHour = hour(meanHour, movedBy: .hourSign, number, draws)
    return other
  }

  /// Another use of the phone under her law as it is: rows move, and what they mean does not.
  func usingThePhoneOtherwise(_ number: Int, _ draws: HabitDraws) -> PersonTraits {
    var other = self
    other.meanHour = hour(meanHour, movedBy: .hourSign, number, draws)
    (other.visits, other.receptivity) = (0.5 * visits, 0.5 * receptivity)
    return other
  }

  /// Another law over her use of the phone as it is.
  func underAnotherLaw(_ number: Int, _ draws: HabitDraws) -> PersonTraits {
    var other = self
    other.weights.peakHour = hour(weights.peakHour, movedBy: .peakSign, number, draws)
    other.weights.weekend = -weights.weekend
    other.weights.reminders = -0.7 * weights.reminders
    other.weights.launches = -0.7 * weights.launches
    return other
  }

  /// Eight hours earlier or later.
  private func hour(_ hour: Double, movedBy sign: EventDraw, _ number: Int, _ draws: HabitDraws) -> Double {
    hourOfDay(hour + (draws.uniform(ofEvent: number, sign) < 0.5 ? -8 : 8))
  }

  /// On holiday: the app is seldom opened, and the habit is less likely.
  var onHoliday: PersonTraits {
    var other = self
    (other.visits, other.intercept) = (0.3 * visits, intercept - 1.5)
    return other
  }

  /// Her law.
  func law(steepness: Double, noise: Double) -> HabitLaw {
    HabitLaw(weights, intercept: intercept, steepness: steepness, noise: noise)
  }

  /// Her use of the phone.
  /// - Parameter firstDay: of the days to be drawn.
  func user(_ draws: HabitDraws, firstDay: Int) -> HabitUser {
    HabitUser(
      draws,
      HabitConduct(
        meanHour: meanHour, hourDeviation: PersonTraits.hourDeviation, visits: visits, receptivity: receptivity,
        zoneOffset: 0),
      visits: visits, usualHour: meanHour, receptivity: receptivity, firstDay: firstDay)
  }
}

extension HabitDraws {
  /// Behind what is drawn once a person, event by event.
  func uniform(ofEvent number: Int, _ draw: PersonTraits.EventDraw) -> Double {
    let first = PersonTraits.Draw.allCases.count + number * PersonTraits.EventDraw.allCases.count
    return uniform(atOnce: first + draw.rawValue)
  }
}
