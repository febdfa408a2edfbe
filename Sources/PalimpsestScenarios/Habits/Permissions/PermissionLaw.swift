import PalimpsestCore

/// One law for all phases: that of ``HabitLaw`` with a term b_e (2x₁₀ − 1) for a calendar in the season's place.
///
/// Where columns are hidden, the probability given the shown ones is its mean over what they hold: launches, hour and calendar
/// are drawn without regard to anything else. The mean over the calendar, uniform on [0, 1], is
/// ∫ σ(γ(z + b_e(2u − 1))) du = (ln(1 + e^{γz + g}) − ln(1 + e^{γz − g})) / 2g with g = γ |b_e|; over launches it is a sum, over the
/// hour a sum over 201 points within five deviations, whose error is below rounding.
struct PermissionLaw: Sendable {
  let habit: HabitLaw
  /// Terms of launches and hour that may be hidden, times γ, with their probabilities.
  private let launches: [(share: Double, term: Double)]
  private let hours: [(share: Double, term: Double)]

  static let calendar = -1.5
  static let weights = HabitWeights(
    streak: 1, rate: 1, launches: 2, reminders: 1, hour: 2, weekend: -0.8, gap: -0.5, peakHour: 7.5)
  /// Where the solver begins: b0 and γ of a prototype.
  static let prototype = (intercept: -0.727, steepness: 1.693)

  init(_ habit: HabitLaw) {
    self.habit = habit
    launches = PermissionLaw.launchTerms(habit)
    hours = PermissionLaw.hourTerms(habit)
  }

  /// p*(1 | x) with all columns shown.
  func probability(_ x: HabitFeatures) -> Double {
    habit.probability(atTerms: PermissionLaw.givenTerms(habit, x) + earnedTerms(x))
  }

  /// What is known of a day apart from past completions.
  static func givenTerms(_ habit: HabitLaw, _ x: HabitFeatures) -> Double {
    habit.givenTerms(x, x.hourDirection) + calendar * (2 * Double(x.season) - 1)
  }

  private func earnedTerms(_ x: HabitFeatures) -> Double {
    habit.earnedTerms(streak: Double(x.streak), rate: Double(x.completionRate), gap: Double(x.gap))
  }

  /// p*(1 | what a phase shows of x).
  /// - Cost: one logistic function for each value that a hidden column may have, two logarithms for a hidden calendar.
  func probability(_ x: HabitFeatures, shownBy phase: PermissionPhase) -> Double {
    let z = habit.steepness * (habit.intercept + shownTerms(x, phase))
    let outer = phase.showsLaunches ? PermissionLaw.certain : launches
    let inner = phase.showsHour ? PermissionLaw.certain : hours
    var mean = 0.0
    for a in outer {
      for b in inner { mean += a.share * b.share * curve(z + a.term + b.term, phase.showsCalendar) }
    }
    return habit.noise + (1 - 2 * habit.noise) * mean
  }

  private static let certain = [(share: 1.0, term: 0.0)]

  private func shownTerms(_ x: HabitFeatures, _ phase: PermissionPhase) -> Double {
    let w = habit.weights
    var terms = earnedTerms(x)
    terms += w.reminders * (3 * Double(x.remindersOpened) - 0.5) + w.weekend * (2 * Double(x.weekend) - 1)
    if phase.showsLaunches { terms += w.launches * (4 * Double(x.launches) - 1.5) }
    if phase.showsHour { terms += w.hour * Elementary.cos(2 * .pi * (Double(x.hour) - w.peakHour / 24)) }
    if phase.showsCalendar { terms += PermissionLaw.calendar * (2 * Double(x.season) - 1) }
    return terms
  }

  /// σ(z), or its mean over a hidden calendar.
  @inline(__always)
  private func curve(_ z: Double, _ showsCalendar: Bool) -> Double {
    if showsCalendar { return Elementary.logistic(z) }
    let reach = habit.steepness * abs(PermissionLaw.calendar)
    return (softplus(z + reach) - softplus(z - reach)) / (2 * reach)
  }

  /// ln(1 + eᶻ).
  @inline(__always)
  private func softplus(_ z: Double) -> Double { max(z, 0) + Elementary.log(1 + Elementary.exp(-abs(z))) }

  /// By what x₃ shows: counts from 40 on look alike.
  private static func launchTerms(_ habit: HabitLaw) -> [(share: Double, term: Double)] {
    let shares = launchShares
    return shares.indices.map { count in
      let x = Double(HabitScales.launches[count])
      return (shares[count], habit.steepness * habit.weights.launches * (4 * x - 1.5))
    }
  }

  /// The probabilities of 0…39 launches and of more.
  static let launchShares: [Double] = {
    var mass = Elementary.power(2.0 / 6, 2)
    var shares = [Double](repeating: 0, count: 41)
    for count in 0..<200 {
      shares[min(count, 40)] += mass
      mass *= 4.0 / 6 * Double(count + 2) / Double(count + 1)
    }
    return shares
  }()

  private static func hourTerms(_ habit: HabitLaw) -> [(share: Double, term: Double)] {
    let places = (-100...100).map { Double($0) / 20 }
    let densities = places.map { Elementary.exp(-$0 * $0 / 2) }
    let whole = densities.reduce(0, +)
    return zip(places, densities).map { place, density in
      let hour = PermissionUser.meanHour + PermissionUser.hourDeviation * place
      let direction = Elementary.cos(2 * .pi * (hour - habit.weights.peakHour) / 24)
      return (density / whole, habit.steepness * habit.weights.hour * direction)
    }
  }
}
