import PalimpsestCore

/// How the probability of tomorrow's completion follows from a person's state:
///
/// z = 1.6 [b + 3.2(H − .35) + m + .6 b_r · opened + b_w · weekend + .29 · Monday + .125 ln(1 + streak) + A cos 2π(doy − 196)/365
/// − .8 · away − 1.5 · blip], p* = σ(z).
///
/// Weekend and Monday are tomorrow's, all else is of the day.
enum SeasonLaw {
  /// H before the first day. Without seasons and incidents it gives the completion rates of the design within .02.
  static let firstStrength = 0.1
  /// ln 20 / 66 a day: 95 % of the limit after 66 repetitions.
  static let medianGrowth = 0.0454
  /// Share of H that a missed day costs.
  static let decay = 0.01
  /// m ← .9 m + N(0, .35²).
  static let motivationMemory = 0.9
  static let motivationNoise = 0.35
  /// Of m from person to person and day to day: .35 / √(1 − .9²).
  static let motivationDeviation = 0.35 / (1 - 0.9 * 0.9).squareRoot()

  /// What of a day's state the law looks at, in parts that another law may share.
  struct Terms: Sendable {
    /// All that neither the life event nor the season changes.
    let steady: Double
    /// Of opened reminders and the weekend as before the life event, and as behind it.
    let before: Double
    let behind: Double
    /// A cos 2π(doy − 196)/365.
    let season: Double
    let isBehind: Bool

    /// p* of the day.
    var probability: Double { probability(behind: isBehind, season: season) }

    /// p* were it on the other side of the life event, or in another season.
    func probability(behind isBehind: Bool, season: Double) -> Double {
      Elementary.logistic(1.6 * (steady + (isBehind ? behind : before) + season))
    }
  }

  /// A day's season.
  /// - Parameter dayOfYear: from 0 on.
  static func season(_ dayOfYear: Int, amplitude: Double) -> Double {
    amplitude * Elementary.cos(2 * .pi * Double(dayOfYear - 196) / 365)
  }
}
