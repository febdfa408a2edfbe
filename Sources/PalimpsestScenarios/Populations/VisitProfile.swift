import PalimpsestCore

/// How visits spread over a day: 1 + a cos θ + b cos 2θ, θ the hour's angle from the peak, 12 hours after mid-sleep.
///
/// With a = 0.9 and b = 0.1 the profile is 2.0 at its peak and 0.2 at its trough.
struct VisitProfile {
  /// Share of further visits that answer an earlier one.
  static let branching = 0.35
  /// Mean hours until the answer.
  static let answerDelay = 1.0 / 3

  private let peak: Double

  init(midSleep: Double) { peak = midSleep + 12 }

  /// An hour between `first` and midnight: the quantile of the profile on that stretch, by bisection.
  func hour(_ u: Double, after first: Double) -> Double {
    let start = mass(first)
    let target = start + u * (mass(24) - start)
    var (low, high) = (first, 24.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if mass(middle) < target { low = middle } else { high = middle }
    }
    return low
  }

  /// The profile's integral from the peak to an hour.
  private func mass(_ hour: Double) -> Double {
    let angle = 2 * Double.pi * (hour - peak) / 24
    return angle + 0.9 * Elementary.sin(angle) + 0.05 * Elementary.sin(2 * angle)
  }
}
