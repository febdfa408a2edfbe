import PalimpsestCore

/// Hoeffding's (McDiarmid's) bound on weighted averages: alarms when the fading mean of the errors since a cut lies above that of
/// the errors up to it more than chance allows.
///
/// A fading mean e ← λx + (1 − λ)e, the first value as it is, has the bound ε(c, δ) = √(½ c ln(1/δ)) with c ← λ² + (1 − λ)² c
/// from 1. The cut is the latest row at which e + ε(c, δ) was less than ever before. An alarm where
/// e₂ − e₁ > ε(c₁ + c₂, δ), with 1 up to the cut and 2 since; a warning where that holds with `warningDelta`. Falls are found
/// likewise.
///
/// A zone of warnings is told once, at its first row.
/// - Memory: twelve numbers. Time: O(1) a row.
public struct HDDMWeighted: DriftDetector, CheckedState {
  public static let name = "hddm-w"
  public static let summary =
    "Hoeffding's bound on weighted averages: alarms when the fading mean of newer errors is above what it was at its best."
  public static let source =
    "Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz & Caballero-Mota, \"Online and non-parametric "
    + "drift detection methods based on Hoeffding's bounds\", IEEE TKDE 2015; alarms and warnings of River."

  @Parameter("Chance of a false alarm, δ.", .between(0, 1)) public var delta: Double = 0.001
  @Parameter("The same of a warning.", .between(0, 1)) public var warningDelta: Double = 0.005
  @Parameter("Weight of the newest error in a fading mean, λ.", .within(0...1)) public var lambda: Double = 0.05
  @Parameter("Whether a rise of the mean, a fall or both raise an alarm.") public var mode: DriftDirection = .up
  public var response = AlarmResponse()

  private var all = FadingMean()
  private var lowest = Cut(edge: .infinity)
  private var highest = Cut(edge: -.infinity)
  private var zone = WarningZone()

  public init() {}

  public var bytes: Int { 104 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    all.add(outcome.error, lambda)
    moveCuts(outcome.error)
    if hasChanged(delta) {
      (all, lowest, highest) = (FadingMean(), Cut(edge: .infinity), Cut(edge: -.infinity))
      zone = WarningZone()
      return .alarm
    }
    return zone.signal(hasChanged(warningDelta))
  }

  private mutating func moveCuts(_ error: Double) {
    let bound = all.spread(-Elementary.log(delta))
    if all.mean + bound < lowest.edge {
      lowest = Cut(edge: all.mean + bound, before: all)
    } else {
      lowest.since.add(error, lambda)
    }
    if all.mean - bound > highest.edge {
      highest = Cut(edge: all.mean - bound, before: all)
    } else {
      highest.since.add(error, lambda)
    }
  }

  private func hasChanged(_ delta: Double) -> Bool {
    let scale = -Elementary.log(delta)
    return (mode != .down && lowest.rise > lowest.allowed(scale))
      || (mode != .up && -highest.rise > highest.allowed(scale))
  }

  /// No number that it could hold stops anything.
  public func problem(within limits: StateLimits) -> String? { nil }
}

private struct FadingMean: Sendable, Codable {
  private(set) var mean = 0.0
  /// Sum of the squared weights.
  private(set) var weight = 1.0
  private(set) var isEmpty = true

  mutating func add(_ x: Double, _ lambda: Double) {
    mean = isEmpty ? x : lambda * x + (1 - lambda) * mean
    weight = lambda * lambda + (1 - lambda) * (1 - lambda) * weight
    isEmpty = false
  }

  /// - Parameter scale: ln(1/δ).
  func spread(_ scale: Double) -> Double { (weight / 2 * scale).squareRoot() }
}

/// The row at which a mean was at its best, with what came before and since.
private struct Cut: Sendable, Codable {
  /// The mean there, with its bound.
  let edge: Double
  var before = FadingMean()
  var since = FadingMean()

  var rise: Double { before.isEmpty || since.isEmpty ? 0 : since.mean - before.mean }

  /// - Parameter scale: ln(1/δ).
  func allowed(_ scale: Double) -> Double { ((before.weight + since.weight) / 2 * scale).squareRoot() }
}
