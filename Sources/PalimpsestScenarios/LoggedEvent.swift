import PalimpsestCore

/// One entry of the log behind a task's training rows.
public struct LoggedEvent: Sendable, Equatable {
  /// As the owners of the rows are called.
  public let user: Int
  /// Days since the user's first one, and the local time in hours.
  public let day: Int
  public let hour: Double
  /// Such as `app-opened`.
  public let kind: String
  /// Days since a Monday, 1 January, in years of 365 days; nil where the log does not say it.
  public let date: Int?
  /// What was read, where the kind is that of a reading.
  public let value: Double?

  public init(user: Int, day: Int, hour: Double, kind: String, date: Int? = nil, value: Double? = nil) {
    (self.user, self.day, self.hour, self.kind) = (user, day, hour, kind)
    (self.date, self.value) = (date, value)
  }
}

/// A scenario whose rows are made of what people did.
public protocol LoggingScenario: PreparedScenario {
  /// What was logged of a task's training users, user by user in order of time.
  func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent]
}
