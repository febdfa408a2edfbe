import PalimpsestCore

/// Role: says when a person's model is to be updated, asked once for each of the person's rows when its outcome is known.
///
/// Law: a value whose `Codable` form is its state: saved and restored anywhere in a life, the same orders follow. It sees clocks,
/// counts and what predictions were worth, never a row or a label, so an order can depend on nothing that the device does not know.
public protocol UpdatePolicy: Part {
  /// A row's outcome has become known.
  /// - Returns: the update that is to begin now; nil: none.
  mutating func decide(_ now: Moment) -> UpdateOrder?
}

/// What a policy decides by.
public struct Moment: Sendable, Equatable {
  /// Seconds on the clock of the event log: from 0:00 of the person's day 0.
  public let time: Int64
  /// The person's rows so far whose outcome is known, the latest among them.
  public let rows: Int
  /// Those of them that came after the latest update began; all of them where there was none.
  public let rowsSinceUpdate: Int
  /// Days since the latest update began, or since the person's first row.
  public let daysSinceUpdate: Double
  /// What the prediction was worth that the person got for the latest row.
  public let outcome: Outcome

  public init(time: Int64, rows: Int, rowsSinceUpdate: Int, daysSinceUpdate: Double, outcome: Outcome) {
    self.time = time
    self.rows = rows
    self.rowsSinceUpdate = rowsSinceUpdate
    self.daysSinceUpdate = daysSinceUpdate
    self.outcome = outcome
  }
}

/// An update that a policy asks for.
public struct UpdateOrder: Sendable, Equatable, Codable {
  /// What made the policy ask.
  public enum Reason: String, Sendable, Codable { case interval, rows, drift }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}
