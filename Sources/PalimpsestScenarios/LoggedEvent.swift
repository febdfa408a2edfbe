import PalimpsestCore

/// One entry of the log behind a task's training rows.
public struct LoggedEvent: Sendable, Equatable {
  /// Counted from 0 within the task.
  public let user: Int
  /// Days since the user's first one, and the local time in hours.
  public let day: Int
  public let hour: Double
  /// Such as `app-opened`.
  public let kind: String

  public init(user: Int, day: Int, hour: Double, kind: String) {
    (self.user, self.day, self.hour, self.kind) = (user, day, hour, kind)
  }
}

/// A scenario whose rows are made of what people did.
public protocol LoggingScenario: PreparedScenario {
  /// What was logged of a task's training users, user by user in order of time.
  func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent]
}

extension HabitCourse: LoggingScenario {
  public func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    events(.training, task: task, seed: seed).map {
      LoggedEvent(user: $0.user, day: $0.day, hour: $0.hour, kind: $0.kind.rawValue)
    }
  }
}
