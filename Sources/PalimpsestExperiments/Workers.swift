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

/// Pieces of work of some milliseconds on all cores, for whoever waits.
package enum Cores {
  /// What `part` makes of the ranges that the cores share 0..<count in, in order.
  /// - Parameter least: ranges are not shorter.
  package static func map<Value: Sendable>(
    _ count: Int, atLeast least: Int, _ part: @Sendable (Range<Int>) -> Value
  ) -> [Value] {
    let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, count / max(1, least)))
    if parts == 1 { return [part(0..<count)] }
    let results = Mutex([Value?](repeating: nil, count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { number in
      let value = part(number * count / parts..<(number + 1) * count / parts)
      results.withLock { $0[number] = value }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}

/// Work that is done once, by the first thread that comes to it: one of the others', or the one that needs the value.
package final class Later<Value: Sendable>: Sendable {
  private enum State {
    case waiting(@Sendable () -> Value)
    case begun
    case done(Value)
  }

  private let state: Mutex<State>
  private let end = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () -> Value) {
    state = Mutex(.waiting(body))
    DispatchQueue.global().async { self.run() }
  }

  /// Does the work, unless a thread is at it or has done it.
  package func run() {
    let body: (@Sendable () -> Value)? = state.withLock { state in
      guard case .waiting(let body) = state else { return nil }
      state = .begun
      return body
    }
    guard let body else { return }
    let value = body()
    state.withLock { $0 = .done(value) }
    end.signal()
  }

  package var isDone: Bool {
    state.withLock { state in
      if case .done = state { true } else { false }
    }
  }

  /// Waits at most for a thread that is at it.
  package var value: Value {
    run()
    end.wait()
    defer { end.signal() }
    return state.withLock { state in
      guard case .done(let value) = state else { preconditionFailure("signalled before the work is done") }
      return value
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
