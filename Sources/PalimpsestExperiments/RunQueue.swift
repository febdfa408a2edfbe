import Foundation
import PalimpsestMetrics
import Synchronization

/// The runs that wait, and how those taken ended: shared by the workers.
final class RunQueue: Sendable {
  private struct State {
    var progress: RunProgress
    var failure: FileError?
  }

  private let runs: [PlannedRun]
  private let position = Atomic<Int>(0)
  private let state: Mutex<State>

  init(_ runs: [PlannedRun], _ progress: RunProgress) {
    self.runs = runs
    state = Mutex(State(progress: progress))
  }

  /// The next run; nil once all are taken or one could not be written.
  func next() -> PlannedRun? {
    let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < runs.count ? runs[index] : nil
  }

  /// Writes a finished run and counts it. Where that fails no further run is handed out.
  func close(
    on status: RunRecord.Status, _ report: (RunProgress) -> Void, writing write: () throws(FileError) -> Void
  ) {
    do throws(FileError) {
      try write()
    } catch {
      position.store(runs.count, ordering: .relaxed)
      return state.withLock { $0.failure = $0.failure ?? error }
    }
    state.withLock { state in
      state.progress.add(status)
      report(state.progress)
    }
  }

  /// - Throws: the first error of writing.
  func outcome() throws(FileError) -> RunProgress {
    let end = state.withLock { $0 }
    if let failure = end.failure { throw failure }
    return end.progress
  }
}

/// Threads for work that computes for seconds: such work would block the few threads that `async` code runs on, and there can
/// be more workers than cores.
enum Workers {
  /// Runs the work once for each worker number, each on a thread of its own, and returns when all have ended.
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
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
