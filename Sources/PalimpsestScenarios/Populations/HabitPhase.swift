/// One regime of a user's life: how the phone is used in it, and what favours the habit.
public struct HabitPhase: Sendable {
  public let name: String
  public let conduct: HabitConduct
  public let weights: HabitWeights
  /// b0 and γ of the published table where the context shows in the features.
  let visibleTable: (intercept: Double, steepness: Double)
  /// b0 and γ of the published table where all phases share one conduct.
  let hiddenTable: (intercept: Double, steepness: Double)
}

/// What decides the distribution of the features that completions don't touch.
public struct HabitConduct: Sendable, Equatable {
  /// Mean hour of the day's first visit.
  public let meanHour: Double
  /// Its standard deviation from day to day, in hours.
  public let hourDeviation: Double
  /// Visits a day of a user of median activity.
  public let visits: Double
  /// Mean share of reminders that a user opens, before fatigue.
  public let receptivity: Double
  /// Hours between local time and home time.
  public let zoneOffset: Double

  /// The conduct of every phase where the context is hidden.
  public static let shared = HabitConduct(
    meanHour: 12, hourDeviation: 3, visits: 4, receptivity: 0.35, zoneOffset: 0)
}

extension HabitPhase {
  /// The five phases, in the order of the table they were published in.
  public static let all: [HabitPhase] = [
    HabitPhase(
      name: "morning routine",
      conduct: HabitConduct(meanHour: 7.5, hourDeviation: 1.2, visits: 5, receptivity: 0.35, zoneOffset: 0),
      weights: HabitWeights(
        streak: 1, rate: 1, launches: 0.8, reminders: 2, hour: 1, weekend: -0.8, gap: -0.5, peakHour: 7.5),
      visibleTable: (-1.20, 1.45), hiddenTable: (-0.35, 1.45)),
    HabitPhase(
      name: "night shift",
      conduct: HabitConduct(meanHour: 22, hourDeviation: 1.2, visits: 6, receptivity: 0.35, zoneOffset: 0),
      weights: HabitWeights(
        streak: 0.5, rate: 1, launches: -1, reminders: -2, hour: 1, weekend: 1.2, gap: -0.5, peakHour: 22),
      visibleTable: (0.54, 1.50), hiddenTable: (1.76, 1.51)),
    HabitPhase(
      name: "travel",
      conduct: HabitConduct(meanHour: 13, hourDeviation: 3, visits: 3, receptivity: 0.30, zoneOffset: 12),
      weights: HabitWeights(
        streak: 0.2, rate: 0.5, launches: 2, reminders: 0.5, hour: 1, weekend: 0, gap: -0.5, peakHour: 13),
      visibleTable: (-0.26, 1.99), hiddenTable: (-0.73, 1.94)),
    HabitPhase(
      name: "convalescence",
      conduct: HabitConduct(meanHour: 10, hourDeviation: 2, visits: 2, receptivity: 0.50, zoneOffset: 0),
      weights: HabitWeights(
        streak: 1, rate: 1, launches: -1.5, reminders: 2, hour: 1, weekend: 0.5, gap: -2, peakHour: 10),
      visibleTable: (-1.95, 1.10), hiddenTable: (-0.02, 1.20)),
    HabitPhase(
      name: "new job",
      conduct: HabitConduct(meanHour: 18, hourDeviation: 1.2, visits: 5, receptivity: 0.25, zoneOffset: 0),
      weights: HabitWeights(
        streak: 2, rate: 1, launches: 1.5, reminders: -1, hour: 1, weekend: -1.8, gap: -0.5, peakHour: 18),
      visibleTable: (-1.10, 1.52), hiddenTable: (0.30, 1.50)),
  ]
}
