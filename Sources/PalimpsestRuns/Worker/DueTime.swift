import Synchronization

/// Says at most once in so long that it is time, by the clock and not by how often it is asked: a process that was stopped for a while
/// hears it with its first question.
package final class DueTime: Sendable {
  private let every: Duration
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  package init(every: Duration) { self.every = every }

  package func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, now - last < every { return false }
      last = now
      return true
    }
  }
}
