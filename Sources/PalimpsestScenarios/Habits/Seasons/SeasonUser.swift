import PalimpsestCore

/// A person: the traits that stay.
struct SeasonUser: Sendable {
  let draws: HabitDraws
  /// u: how much more the phone is used than by others.
  let activity: Double
  /// ρ: share of reminders opened without fatigue.
  let openness: Double
  /// Mid-sleep on work days, and how much later it is on free ones, in hours.
  let chronotype: Double
  let socialJetlag: Double
  /// b, b_w and b_r.
  let readiness: Double
  let weekend: Double
  let reminders: Double
  /// κ and a: how fast habit strength grows with a repetition, and towards what.
  let growth: Double
  let limit: Double
  let firstMotivation: Double

  /// What a trait is drawn for.
  private enum Trait: Int {
    case activity, openness, chronotype, socialJetlag, readiness, weekend, reminders, growth, limit, motivation
  }

  init(_ draws: HabitDraws) {
    self.draws = draws
    func uniform(_ trait: Trait) -> Double { draws.further(-1, trait.rawValue) }
    func normal(_ trait: Trait) -> Double { Quantile.normal(uniform(trait)) }
    activity = Elementary.exp(0.8 * normal(.activity))
    openness = Quantile.betaTwo(uniform(.openness), b: 6)
    chronotype = 4.25 + 1.4 * normal(.chronotype)
    socialJetlag = max(0, 1.2 + 0.9 * normal(.socialJetlag))
    readiness = -0.6 + 0.9 * normal(.readiness)
    weekend = -0.3 + 0.6 * normal(.weekend)
    reminders = abs(1 + 0.6 * normal(.reminders))
    growth = SeasonLaw.medianGrowth * Elementary.exp(0.6 * normal(.growth))
    limit = Quantile.betaFiveThree(uniform(.limit))
    firstMotivation = SeasonLaw.motivationDeviation * normal(.motivation)
  }
}

extension Quantile {
  /// The Beta(5, 3) law: the root x of 21x⁵(1 − x)² + 7x⁶(1 − x) + x⁷ = u, by bisection.
  static func betaFiveThree(_ u: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<53 {
      let x = (low + high) / 2
      let rest = 1 - x
      let share = x * x * x * x * x * (21 * rest * rest + 7 * x * rest + x * x)
      if share < u { low = x } else { high = x }
    }
    return (low + high) / 2
  }

  /// The Poisson law of a small mean.
  static func poisson(_ u: Double, mean: Double) -> Int {
    var (count, mass) = (0, Elementary.exp(-mean))
    var sum = mass
    while u >= sum && count < 1000 {
      count += 1
      mass *= mean / Double(count)
      sum += mass
    }
    return count
  }
}
