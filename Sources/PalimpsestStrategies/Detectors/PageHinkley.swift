import PalimpsestCore

/// Page–Hinkley: sums what the values are above (and below) their mean so far, and alarms when such a sum has risen far.
///
/// With x the value and m the mean of all values so far, x included: up ← α · up + x − m − δ, down ← α · down + x − m + δ; an
/// alarm where up − min up > λ or max down − down > λ.
///
/// - Memory: six numbers. Time: O(1) a row.
public struct PageHinkley: DriftDetector, CheckedState {
  public static let name = "page-hinkley"
  public static let summary =
    "Page–Hinkley test: alarms when errors or losses have long been above, or below, their mean."
  public static let source =
    "Page 1954, Hinkley 1971, with the fading α of River, whose alarms it gives; values that are no finite numbers are passed over."

  @Parameter("Whether errors (0 or 1 a row) or losses (-ln p(label)) are watched.")
  public var watches: WatchedOutcome = .error
  @Parameter("Rows since the last alarm before there may be another.", .count) public var least: Int = 30
  @Parameter("Change of the mean that counts as none, δ.", .atLeast(0)) public var delta: Double = 0.005
  @Parameter("What a sum must rise by for an alarm, λ.", .above(0)) public var threshold: Double = 50
  @Parameter("Share of the sums that is kept from row to row, α.", .within(0...1)) public var alpha: Double = 0.9999
  @Parameter("Whether a rise of the mean, a fall or both raise an alarm.") public var mode: DriftDirection = .both
  public var response = AlarmResponse()

  private var count = 0
  private var mean = 0.0
  private var up = 0.0
  private var down = 0.0
  private var leastUp = Double.infinity
  private var mostDown = -1.0

  public init() {}

  public var bytes: Int { 48 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    let x = watches.value(outcome)
    guard x.isFinite else { return .none }
    count += 1
    mean += (x - mean) / Double(count)
    up = alpha * up + x - mean - delta
    down = alpha * down + x - mean + delta
    leastUp = min(leastUp, up)
    mostDown = max(mostDown, down)
    guard count >= least, hasRisen || hasFallen else { return .none }
    startAfresh()
    return .alarm
  }

  private var hasRisen: Bool { mode != .down && up - leastUp > threshold }
  private var hasFallen: Bool { mode != .up && mostDown - down > threshold }

  private mutating func startAfresh() {
    (count, mean, up, down, leastUp, mostDown) = (0, 0, 0, 0, .infinity, -1)
  }

  public func problem(within limits: StateLimits) -> String? {
    (0...Int.max / 2).contains(count) ? nil : "\(count) rows since the last alarm"
  }
}
