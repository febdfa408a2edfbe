import Foundation
import Synchronization

/// Threads for work that computes for seconds: such work would block the few threads that `async` code runs on, and there can
/// be more workers than cores.
package enum Workers {
  /// Runs the work once for each worker number, each on a thread of its own, and returns when all have ended.
  package static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
    let group = DispatchGroup()
    for worker in 0..<count {
      group.enter()
      let thread = Thread {
        work(worker)
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }
}

/// Work that is done once a second beside the runs.
public final class Ticker: Sendable {
  private let queue = DispatchQueue(label: "palimpsest.ticker", qos: .utility)
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  /// - Parameter work: never called twice at once.
  public init(every seconds: Double = 1, _ work: @escaping @Sendable () -> Void) {
    timer.withLock { timer in
      let source = DispatchSource.makeTimerSource(queue: queue)
      source.schedule(deadline: .now() + seconds, repeating: seconds)
      source.setEventHandler(handler: work)
      source.resume()
      timer = source
    }
  }

  /// Returns when the last call has ended; none follow.
  public func stop() {
    timer.withLock { $0?.cancel() }
    queue.sync {}
  }
}
