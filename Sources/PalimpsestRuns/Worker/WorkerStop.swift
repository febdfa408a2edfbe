import Synchronization

/// Asks a worker to end: by signals, from any thread.
public final class WorkerStop: Sendable {
  public enum Reason: Sendable, Equatable {
    /// The task's time is almost over (`SIGUSR1`).
    case limit
    /// The task is to end at once (`SIGTERM`).
    case termination
  }

  private struct Asked {
    var reason: Reason
    var at = ContinuousClock.now
    var isUrgent = false
  }

  /// After termination is asked for the engine waits half a minute until it kills; five seconds are for giving blocks back.
  private let grace: Duration
  /// How long a run in hand may still take before a limit, where it could be saved.
  private let rest: Duration
  private let asked = Mutex<Asked?>(nil)

  public init(grace: Duration = .seconds(25), rest: Duration = .seconds(60)) { (self.grace, self.rest) = (grace, rest) }

  /// Termination counts more than a limit; asked for twice it is not waited for.
  public func ask(_ reason: Reason) {
    asked.withLock { asked in
      if let earlier = asked, earlier.reason == .termination || reason == .limit {
        asked?.isUrgent = reason == .termination
      } else {
        asked = Asked(reason: reason)
      }
    }
  }

  public var reason: Reason? { asked.withLock { $0?.reason } }

  /// No other run is to begin.
  var isAsked: Bool { reason != nil }

  /// The run in hand is to be saved where it can be, not finished.
  var savesRun: Bool {
    asked.withLock { asked in
      guard let asked else { return false }
      return asked.reason == .termination || ContinuousClock.now - asked.at >= rest
    }
  }

  /// Blocks are to be given back though runs are in hand.
  var isOverdue: Bool {
    asked.withLock { asked in
      guard let asked, asked.reason == .termination else { return false }
      return asked.isUrgent || ContinuousClock.now - asked.at >= grace
    }
  }
}
