import PalimpsestCore

/// The days of a person, one after the other; her law and her use of the phone may change on one of them, what she did before stays.
struct PersonDays {
  private var user: HabitUser
  private var law: HabitLaw
  private var progress = HabitProgress()
  private var surroundings: HabitSurroundings

  /// One day.
  struct Step {
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

  /// From the next day on.
  mutating func change(to user: HabitUser, _ law: HabitLaw) {
    self.user = user
    self.law = law
  }

  /// The next day, from day 0 on.
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
    return Step(events: events, features: features, probability: p, isCompletedNextDay: isCompleted)
  }
}
