import PalimpsestCore

/// Early drift detection method: alarms when errors come closer together than they did.
///
/// With μ and σ the mean and standard deviation of the distances from error to error, in rows, since the last alarm: at each
/// error an alarm where (μ + 2σ) / max (μ + 2σ) < `alarm`, a warning where it is below `warning`. The first error's distance is
/// that to the last alarm.
///
/// A zone of warnings is told once, at its first error.
/// - Memory: six numbers. Time: O(1) a row.
public struct EDDM: DriftDetector, CheckedState {
  public static let name = "eddm"
  public static let summary = "Early drift detection method: alarms when errors come closer together than they did."
  public static let source =
    "Baena-García, del Campo-Ávila, Fidalgo, Bifet, Gavaldà & Morales-Bueno, \"Early drift detection method\", IWKDDS 2006; "
    + "alarms and warnings of River."

  @Parameter("Rows, and errors, since the last alarm behind which there may be another.", .count)
  public var least: Int = 30
  @Parameter("Share of the largest distance between errors below which a warning is given.", .within(0...1))
  public var warning: Double = 0.95
  @Parameter("Share of the largest distance between errors below which an alarm is raised, β.", .within(0...1))
  public var alarm: Double = 0.9
  public var response = AlarmResponse()

  private var count = 0
  private var errors = 0
  private var lastError = 0
  private var mean = 0.0
  /// Sum of the squared deviations from the mean.
  private var squares = 0.0
  private var most = -1.0
  private var zone = WarningZone()

  public init() {}

  public var bytes: Int { 49 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    count += 1
    guard outcome.error == 1 else { return .none }
    take(distance: Double(count - lastError))
    lastError = count
    guard count > least else { return .none }
    let reach = mean + 2 * deviation
    if reach > most {
      most = reach
      return .none
    }
    guard errors > least else { return .none }
    if reach / most < alarm {
      startAfresh()
      return .alarm
    }
    return zone.signal(reach / most < warning)
  }

  private mutating func take(distance: Double) {
    errors += 1
    let before = distance - mean
    mean += before / Double(errors)
    squares += before * (distance - mean)
  }

  private var deviation: Double { errors > 1 ? (squares / Double(errors - 1)).squareRoot() : 0 }

  private mutating func startAfresh() {
    (count, errors, lastError, mean, squares, most, zone) = (0, 0, 0, 0, 0, -1, WarningZone())
  }

  public func problem(within limits: StateLimits) -> String? {
    guard (0...Int.max / 2).contains(count), (0...count).contains(errors), (0...count).contains(lastError) else {
      return "\(errors) errors in \(count) rows, the last one in row \(lastError)"
    }
    return nil
  }
}
