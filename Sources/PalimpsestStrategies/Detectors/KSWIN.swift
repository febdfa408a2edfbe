import PalimpsestCore

/// Kolmogorov–Smirnov windowing: alarms when the latest values have another distribution than as many of the older ones in a
/// window.
///
/// With D the largest distance between the two samples' distribution functions: an alarm where the exact chance of such a D,
/// both samples being of one distribution, is at most α, and D > 0.1.
///
/// - Memory: 20 bytes a value of the window, 24 where the older values are drawn. Time: O(window) a row. Nothing is allocated but
///   the window, once.
public struct KSWIN: DriftDetector, CheckedState {
  public static let name = "kswin"
  public static let summary =
    "Kolmogorov-Smirnov windowing: alarms when the latest errors or losses are distributed otherwise than older ones."
  public static let source =
    "Raab, Heusinger & Schleif, \"Reactive soft prototype computing for concept drift streams\", Neurocomputing 2020; D > 0.1 "
    + "and the start afresh are River's. Draws are our own, and `even` needs none; values that are no finite numbers are passed over."

  /// Which of the older values are compared with the latest.
  public enum Pick: String, ParameterChoice {
    /// Evenly spread ones, the same places in every row.
    case even
    /// Drawn anew in every row, none twice.
    case drawn
  }

  @Parameter("Whether errors (0 or 1 a row) or losses (-ln p(label)) are watched.")
  public var watches: WatchedOutcome = .error
  @Parameter("Chance of a false alarm that a test allows, α.", .between(0, 1)) public var alpha: Double = 0.005
  @Parameter("Values in the window; at least twice the latest.", .within(2...100_000)) public var window: Int = 100
  @Parameter("Latest values, which are compared with as many older ones.", .within(1...50_000))
  public var latest: Int = 30
  @Parameter("Whether the older values are spread evenly or drawn anew in every row.") public var pick: Pick = .even
  @Parameter("Seed of the draws; they begin again behind an alarm.", .within(0...1_000_000_000))
  public var drawSeed: Int = 1
  public var response = AlarmResponse()

  private var values = SortedRing()
  private var sample = AgeSample()
  private var rng: Random?

  public init() {}

  public var bytes: Int { 40 + values.bytes + sample.bytes }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    let x = watches.value(outcome)
    guard x.isFinite else { return .none }
    values.add(x, room: window)
    guard values.isFull else { return .none }
    choose()
    guard values.distance(sample.sides) >= sample.least else { return .none }
    values.removeAll()
    rng = nil
    return .alarm
  }

  private mutating func choose() {
    if sample.isEmpty { sample = AgeSample(window: window, latest: latest, alpha: alpha) }
    guard pick == .drawn else { return }
    var draws = rng ?? Seed(UInt64(bitPattern: Int64(drawSeed))).stream("kswin")
    if rng == nil { sample.startAfresh() }
    sample.draw(using: &draws)
    rng = draws
  }

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    guard latest > window / 2 else { return nil }
    return
      "latest: \(latest) of a window of \(window) leave fewer older ones to compare with; give at most \(window / 2)."
  }

  public func problem(within limits: StateLimits) -> String? {
    guard latest >= 1, latest <= window / 2 else { return "the latest \(latest) of \(window) values" }
    return values.problem(room: window) ?? sample.problem(window: window, latest: latest)
  }
}
