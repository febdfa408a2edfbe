import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitLawTests {
  private let weights = HabitWeights(
    streak: 2, rate: 1, launches: 1.5, reminders: -1, hour: 1, weekend: -1.8, gap: -0.5, peakHour: 18)

  /// By hand: streak 30 days: 2(2 − .6) = 2.8. Rate .8: .6. Launches ½: 1.5(2 − 1.5) = .75. One of two reminders:
  /// −(1.5 − .5) = −1. Noon, six hours before the peak: cos(−π/2) = 0. Weekend: −1.8. Gap 1/14: −.5(1/7 − .3) = .0785714.
  /// z = .25 + 2.8 + .6 + .75 − 1 + 0 − 1.8 + .0785714 = 1.6785714; σ(2z) = .9663380; p* = .02 + .96 σ = .9476844.
  @Test func `a row's probability is the formula's`() {
    let law = HabitLaw(weights, intercept: 0.25, steepness: 2, noise: 0.02)
    var x = HabitFeatures()
    x.streak = 1
    x.completionRate = 0.8
    x.launches = 0.5
    x.remindersOpened = 0.5
    x.hour = 0.5
    x.weekend = 1
    x.gap = 1 / 14
    #expect(abs(law.probability(x) - 0.9476844) < 1e-6)
  }

  /// At the peak hour cos = 1, twelve hours later −1; all other terms as in a row of zeros: −1.2 − 1 − 2.25 + .5 + 1.8 + .15 = −2.
  @Test func `the hour counts by its distance from the peak`() {
    let law = HabitLaw(weights, intercept: 2, steepness: 1, noise: 0)
    var x = HabitFeatures()
    x.hour = 0.75
    #expect(abs(law.probability(x) - 0.7310585786) < 1e-9)
    x.hour = 0.25
    #expect(abs(law.probability(x) - 0.2689414214) < 1e-9)
  }

  @Test func `the noise is the least probability`() {
    let law = HabitLaw(weights, intercept: 100, steepness: 5, noise: 0.02)
    #expect(abs(law.probability(HabitFeatures()) - 0.98) < 1e-12)
  }

  @Test func `columns beyond the law's change nothing`() {
    let law = HabitLaw(weights, intercept: 0, steepness: 1, noise: 0.02)
    var x = HabitFeatures()
    let before = law.probability(x)
    x.weekReminders = 1
    x.away = 1
    x.season = 1
    #expect(law.probability(x) == before)
  }

  /// At dose ½ a coefficient is half-way between its own and the mean: b_s of the morning is 1, the mean (1 + .5 + .2 + 1 + 2)/5 = .94.
  @Test func `the dose scales every coefficient about the mean`() throws {
    let half = try Habit.course { $0.dose = 0.5 }
    #expect(abs(half.laws[0].weights.streak - 0.97) < 1e-12)
    #expect(abs(half.laws[1].weights.peakHour - (22 + 14.1) / 2) < 1e-12)
    let none = try Habit.course {
      $0.dose = 0
      $0.context = .hidden
    }
    #expect(none.laws.allSatisfy { abs($0.weights.launches - none.laws[0].weights.launches) < 1e-12 })
    #expect(none.laws.allSatisfy { abs($0.intercept - none.laws[0].intercept) < 0.02 })
  }
}
