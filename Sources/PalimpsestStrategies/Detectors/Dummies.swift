import PalimpsestCore

/// Alarms never: a detector's place without a detector.
public struct AlarmNever: DummyDetector {
  public static let name = "alarm-never"
  public static let summary = "Reference for drift detectors: never alarms."
  public static let source = "A dummy: what a detector is worth is what it has more than one that does not look."

  public var response = AlarmResponse()

  public init() {}

  public mutating func observe(_ outcome: Outcome) -> DriftSignal { .none }
}

/// Alarms every so many rows, whatever they hold.
///
/// - Memory: one number. Time: O(1) a row.
public struct AlarmEvery: DummyDetector, CheckedState {
  public static let name = "alarm-every"
  public static let summary = "Reference for drift detectors: alarms every so many rows, whatever they hold."
  public static let source = "A dummy: what a detector is worth is what it has more than one that does not look."

  @Parameter("Rows from alarm to alarm, and to the first one.", .count) public var every: Int = 1000
  public var response = AlarmResponse()

  private var rows = 0

  public init() {}

  public var bytes: Int { 8 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    rows += 1
    guard rows >= every else { return .none }
    rows = 0
    return .alarm
  }

  public func problem(within limits: StateLimits) -> String? {
    rows >= 0 && rows <= every ? nil : "\(rows) rows since an alarm that comes every \(every)"
  }
}

/// Alarms at random rows, whatever they hold.
///
/// - Memory: a random stream. Time: O(1) a row.
public struct AlarmRandom: DummyDetector {
  public static let name = "alarm-random"
  public static let summary = "Reference for drift detectors: alarms at random rows, whatever they hold."
  public static let source = "A dummy: what a detector is worth is what it has more than one that does not look."

  @Parameter("Chance of an alarm at each row.", .within(0...1)) public var rate: Double = 0.001
  @Parameter("Seed of the draws; the same alarms in every run of a seed.", .within(0...1_000_000_000))
  public var drawSeed: Int = 1
  public var response = AlarmResponse()

  private var rng: Random?

  public init() {}

  public var bytes: Int { 32 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    var draws = rng ?? Seed(UInt64(bitPattern: Int64(drawSeed))).stream("alarm-random")
    let isAlarm = draws.uniform() < rate
    rng = draws
    return isAlarm ? .alarm : .none
  }
}
