import PalimpsestCore

/// Drift detection method: alarms when the share of errors since the last alarm lies far above the least it has been.
///
/// With p the share of n errors and s = √(p (1 − p) / n), and pₘ, sₘ those of the row with the least p + s so far: an alarm
/// where p + s > pₘ + `alarm` · sₘ, a warning where it is above pₘ + `warning` · sₘ.
///
/// A zone of warnings is told once, at its first row.
/// - Memory: four numbers. Time: O(1) a row.
public struct DDM: DriftDetector, CheckedState {
  public static let name = "ddm"
  public static let summary =
    "Drift detection method: alarms when the share of errors is far above the least it has been since the last alarm."
  public static let source =
    "Gama, Medas, Castillo & Rodrigues, \"Learning with drift detection\", SBIA 2004; alarms and warnings of River."

  @Parameter("Rows since the last alarm behind which there may be another.", .count) public var least: Int = 30
  @Parameter("Standard deviations above the least share of errors at which a warning is given.", .atLeast(0))
  public var warning: Double = 2
  @Parameter("Standard deviations above the least share of errors at which an alarm is raised.", .above(0))
  public var alarm: Double = 3
  public var response = AlarmResponse()

  private var count = 0
  private var errors = 0.0
  private var leastShare = Double.infinity
  private var leastDeviation = Double.infinity
  private var zone = WarningZone()

  public init() {}

  public var bytes: Int { 33 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    count += 1
    errors += outcome.error
    guard count > least else { return .none }
    let share = errors / Double(count)
    let deviation = (share * (1 - share) / Double(count)).squareRoot()
    if share + deviation <= leastShare + leastDeviation { (leastShare, leastDeviation) = (share, deviation) }
    if share + deviation > leastShare + alarm * leastDeviation {
      startAfresh()
      return .alarm
    }
    return zone.signal(share + deviation > leastShare + warning * leastDeviation)
  }

  private mutating func startAfresh() {
    (count, errors, leastShare, leastDeviation, zone) = (0, 0, .infinity, .infinity, WarningZone())
  }

  public func problem(within limits: StateLimits) -> String? {
    (0...Int.max / 2).contains(count) ? nil : "\(count) rows since the last alarm"
  }
}
