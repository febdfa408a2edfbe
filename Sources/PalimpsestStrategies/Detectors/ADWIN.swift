import PalimpsestCore

/// ADWIN: keeps the longest window of values of which no two parts, the older and the newer values, have means that differ
/// more than chance allows, and alarms when older values have to go.
///
/// With n values of variance V/n, split into n₀ and n₁ of means μ₀ and μ₁, m = 1/(n₀ − least + 1) + 1/(n₁ − least + 1) and
/// δ′ = ln(2 ln n / δ), a split is a cut where |μ₀ − μ₁| > √(2 m (V/n) δ′) + ⅔ m δ′.
///
/// - Memory: O(buckets · log₂ n), 32 rows of buckets at once: 3.3 kB by default. Time: O(1) a row on the mean, and a look at
///   every bucket each `clock` rows. Nothing is allocated once the window has been as long before.
public struct ADWIN: DriftDetector, CheckedState {
  public static let name = "adwin"
  public static let summary =
    "Adaptive windowing: alarms when the older part of a window of errors or losses has another mean than the newer one."
  public static let source =
    "Bifet & Gavaldà, \"Learning from time-changing data with adaptive windowing\", SDM 2007, with the grace and the "
    + "start afresh of River, whose alarms it gives; values that are no finite numbers are passed over."

  /// What an alarm leaves of the window.
  public enum AfterAlarm: String, ParameterChoice {
    /// Nothing: the next value is the first.
    case reset
    /// The newer values of which no split is a cut, as in the paper.
    case shrink
  }

  @Parameter("Whether errors (0 or 1 a row) or losses (-ln p(label)) are watched.")
  public var watches: WatchedOutcome = .error
  @Parameter("Chance of a false alarm that a look at the window allows, δ.", .between(0, 1))
  public var delta: Double = 0.002
  @Parameter("Rows from one look for cuts to the next.", .count) public var clock: Int = 32
  @Parameter("Buckets of each size; more make a finer choice of cuts.", .within(1...1000)) public var buckets: Int = 5
  @Parameter("Values that either side of a cut has at least.", .count) public var leastSide: Int = 5
  @Parameter("Rows in the window before it is looked at.", .count) public var grace: Int = 10
  @Parameter("Whether an alarm empties the window (reset) or drops its older values (shrink).")
  public var afterAlarm: AfterAlarm = .reset
  public var response = AlarmResponse()

  private var window = AdaptiveWindow()
  /// Rows since the last look.
  private var rows = 0

  public init() {}

  public var bytes: Int { 8 + window.bytes }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    let x = watches.value(outcome)
    guard x.isFinite else { return .none }
    window.add(x, buckets: buckets)
    rows += 1
    guard rows >= clock else { return .none }
    rows = 0
    guard window.count > grace, window.hasCut(delta: delta, least: leastSide) else { return .none }
    forget()
    return .alarm
  }

  private mutating func forget() {
    guard afterAlarm == .shrink else { return window.removeAll() }
    repeat { window.dropOldest() } while window.hasCut(delta: delta, least: leastSide)
  }

  public func problem(within limits: StateLimits) -> String? {
    guard rows >= 0, rows <= clock else { return "\(rows) rows since a look that comes every \(clock)" }
    return window.problem(buckets: buckets)
  }
}
