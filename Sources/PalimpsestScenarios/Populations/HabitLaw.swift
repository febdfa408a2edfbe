import PalimpsestCore

/// How the probability of tomorrow's completion follows from today's features: a logistic law with a floor and a ceiling.
///
/// z = b0 + b_s(2x₁ − .6) + b_r(2x₂ − 1) + b_l(4x₃ − 1.5) + b_m(3x₄ − .5) + b_h cos 2π(x₅ − c/24) + b_w(2x₆ − 1) + b_g(2x₇ − .3),
/// p* = ε + (1 − 2ε) σ(γ z).
///
/// The probability depends on the features and the law alone, so it is exact given a row.
public struct HabitLaw: Sendable, Equatable {
  /// b0: solved for the base rate.
  public var intercept: Double
  /// γ: solved for the best accuracy.
  public var steepness: Double
  /// ε: the least probability of either label.
  public var noise: Double
  /// b_s, b_r, b_l, b_m, b_h, b_w, b_g and c.
  public let weights: HabitWeights

  private let peakCosine: Double
  private let peakSine: Double

  public init(_ weights: HabitWeights, intercept: Double, steepness: Double, noise: Double) {
    self.weights = weights
    self.intercept = intercept
    self.steepness = steepness
    self.noise = noise
    peakCosine = Elementary.cos(2 * .pi * weights.peakHour / 24)
    peakSine = Elementary.sin(2 * .pi * weights.peakHour / 24)
  }

  /// p*(1 | x).
  public func probability(_ x: HabitFeatures) -> Double { probability(x, x.hourDirection) }

  /// p*(1 | x), where the direction of the hour is known already: several laws share it.
  @inline(__always)
  package func probability(_ x: HabitFeatures, _ hour: HourDirection) -> Double {
    probability(atTerms: terms(x, hour))
  }

  /// p*(1 | x) of all rows, with the bits of one by one.
  /// - Parameter hours: the rows' hours.
  func probabilities(of rows: HabitRows, _ hours: [HourDirection]) -> [Double] {
    var values = rows.inputs.withSpan { span in
      (0..<rows.count).map { row in
        let x = HabitFeatures(span, at: row * rows.columns, columns: rows.columns)
        return steepness * (intercept + terms(x, hours[row]))
      }
    }
    Elementary.applyLogistic(to: &values)
    var span = values.mutableSpan
    for row in span.indices { span[row] = noise + (1 - 2 * noise) * span[row] }
    return values
  }

  /// All terms but b0.
  @inline(__always)
  private func terms(_ x: HabitFeatures, _ hour: HourDirection) -> Double {
    let earned = earnedTerms(streak: Double(x.streak), rate: Double(x.completionRate), gap: Double(x.gap))
    return givenTerms(x, hour) + earned
  }

  /// p* where the terms beside b0 add up to `terms`.
  @inline(__always)
  package func probability(atTerms terms: Double) -> Double {
    noise + (1 - 2 * noise) * Elementary.logistic(steepness * (intercept + terms))
  }

  /// The terms of what past completions decide.
  @inline(__always)
  package func earnedTerms(streak: Double, rate: Double, gap: Double) -> Double {
    weights.streak * (2 * streak - 0.6) + weights.rate * (2 * rate - 1) + weights.gap * (2 * gap - 0.3)
  }

  /// The terms of everything else: they depend neither on b0 nor on γ.
  @inline(__always)
  package func givenTerms(_ x: HabitFeatures, _ hour: HourDirection) -> Double {
    let launches = weights.launches * (4 * Double(x.launches) - 1.5)
    let reminders = weights.reminders * (3 * Double(x.remindersOpened) - 0.5)
    let time = weights.hour * (hour.cosine * peakCosine + hour.sine * peakSine)
    return launches + reminders + time + weights.weekend * (2 * Double(x.weekend) - 1)
  }
}

/// The coefficients that tell one concept from another.
public struct HabitWeights: Sendable, Equatable {
  /// b_s, of the current streak.
  public var streak: Double
  /// b_r, of the completion rate.
  public var rate: Double
  /// b_l, of the day's launches.
  public var launches: Double
  /// b_m, of the day's opened reminders.
  public var reminders: Double
  /// b_h, of the hour.
  public var hour: Double
  /// b_w, of the weekend.
  public var weekend: Double
  /// b_g, of the days since the last completion.
  public var gap: Double
  /// c: the hour of the first visit that favours completion most.
  public var peakHour: Double

  public init(
    streak: Double, rate: Double, launches: Double, reminders: Double, hour: Double, weekend: Double, gap: Double,
    peakHour: Double
  ) {
    self.streak = streak
    self.rate = rate
    self.launches = launches
    self.reminders = reminders
    self.hour = hour
    self.weekend = weekend
    self.gap = gap
    self.peakHour = peakHour
  }

  /// Each coefficient at mean + dose · (own − mean), c as a plain number among them. At dose 0 all phases share one law.
  func at(dose: Double, around mean: HabitWeights) -> HabitWeights {
    var result = self
    for path in HabitWeights.paths {
      let centre = mean[keyPath: path]
      result[keyPath: path] = centre + dose * (self[keyPath: path] - centre)
    }
    return result
  }

  static func mean(_ all: [HabitWeights]) -> HabitWeights {
    var result = all[0]
    for path in paths { result[keyPath: path] = all.reduce(0) { $0 + $1[keyPath: path] } / Double(all.count) }
    return result
  }

  private static var paths: [WritableKeyPath<HabitWeights, Double>] {
    [\.streak, \.rate, \.launches, \.reminders, \.hour, \.weekend, \.gap, \.peakHour]
  }
}
