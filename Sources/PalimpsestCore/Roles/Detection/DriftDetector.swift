/// Role: says when the world has changed, from what the learner's predictions were worth, row by row in the order of time.
///
/// Law: silent on constants; the same values give the same alarms, stopped and gone on after any row too; behind an alarm it is
/// as new; alarms fall on the published rows. It is shown a row once its label has been revealed, never the row or the
/// label: so nothing can be known too early.
public protocol DriftDetector: StrategyPart {
  /// One row's label has been revealed.
  /// - Returns: an alarm begins a new life of the detector: the next row is as its first.
  mutating func observe(_ outcome: Outcome) -> DriftSignal
  /// What alarms do: parameters that every detector has. A detector without the group ends an experience with each.
  var response: AlarmResponse { get }
}

extension DriftDetector {
  public var response: AlarmResponse { AlarmResponse() }
}

/// A detector that heeds no value: what others are compared with.
///
/// Law: the same signals whatever the values are. It may alarm on constants and need not be as new behind an alarm.
public protocol DummyDetector: DriftDetector {}

/// What the prediction of a row was worth, which was made before the row was learned.
public struct Outcome: Sendable, Equatable {
  /// The row's number in the stream, from 0.
  public let row: Int
  /// 1 where the answer was wrong, else 0.
  public let error: Double
  /// −ln p(label).
  public let loss: Double

  public init(row: Int, error: Double, loss: Double) {
    self.row = row
    self.error = error
    self.loss = loss
  }
}

/// What a detector says behind a row.
public enum DriftSignal: Int8, Sendable, Codable {
  case none = 0
  case alarm = 1
  /// The world may be about to change: recorded, and nothing else.
  case warning = 2
}

/// What a detector looks at: the same choice for every one that takes both.
public enum WatchedOutcome: String, ParameterChoice {
  case error, loss

  /// The value of an outcome.
  public func value(_ outcome: Outcome) -> Double { self == .error ? outcome.error : outcome.loss }
}
