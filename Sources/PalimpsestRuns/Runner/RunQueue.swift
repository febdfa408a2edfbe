import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import Synchronization

/// Hands out the runs that wait, and counts how they ended: shared by the workers of this process, and by all processes
/// that work on one plan.
///
/// Before runs are begun they are claimed, in a lot of about a second's work: the progress file names them, and only then
/// the others' claims and journals are looked at. Of two processes that claim a run at once at least one sees it and
/// steps back, so hardly a run is done twice; where a file system shows files late, one may be, with equal bits. A claim
/// ends with its process.
package final class RunQueue: Sendable {
  package struct State {
    /// Runs that this process has claimed, in reverse.
    package fileprivate(set) var ready: [PlannedRun] = []
    /// Runs that wait, in reverse, and those passed over because others claim them.
    fileprivate var waiting: [PlannedRun]
    package fileprivate(set) var passedOver: [PlannedRun] = []
    package var known: KnownRuns
    fileprivate var lot: RunLot

    /// - Parameter waiting: in reverse.
    package init(waiting: [PlannedRun], known: KnownRuns, lot: RunLot) {
      self.waiting = waiting
      self.known = known
      self.lot = lot
    }
  }

  private struct Tally {
    var progress: RunProgress
    var failure: FileError?
    var kept = 0
    var lost = 0
  }

  private let writer: ProgressWriter
  private let state: Mutex<State>
  private let tally: Mutex<Tally>

  /// - Parameter known: what the journals hold; the runs it does not are to be done.
  init(
    _ runs: [PlannedRun], _ known: KnownRuns, jobs: Int, _ writer: ProgressWriter, _ progress: RunProgress
  ) {
    self.writer = writer
    let start = known.others.isEmpty ? 0 : known.place(among: runs.count)
    state = Mutex(
      State(waiting: (runs[start...] + runs[..<start]).reversed(), known: known, lot: RunLot(jobs: jobs)))
    tally = Mutex(Tally(progress: progress))
  }

  /// The next run; nil once all are done or one could not be written. Waits while others have all that is left.
  func next(worker: Int, stop: () -> Bool) -> PlannedRun? {
    state.withLock { state in
      if stop() || hasFailed { return nil }
      while state.ready.isEmpty {
        guard refill(&state) else { return nil }
        if state.ready.isEmpty && (stop() || hasFailed) { return nil }
      }
      let run = state.ready.removeLast()
      writer.begin(run, worker: worker)
      return run
    }
  }

  /// Claims the next lot. Sleeps a moment where others claim all that is left.
  /// - Returns: false where nothing is left to do.
  private func refill(_ state: inout State) -> Bool {
    look(&state)
    let wanted = state.take(state.lot.next(left: state.waiting.count, others: state.known.others.count))
    if wanted.isEmpty && state.passedOver.isEmpty { return false }
    if !wanted.isEmpty {
      writer.claim(wanted)
      look(&state)
      state.keep(wanted)
      if state.ready.count < wanted.count { writer.claim(state.ready) }
    }
    if state.ready.isEmpty { Thread.sleep(forTimeInterval: .random(in: 0.05...0.3)) }
    return true
  }

  private func look(_ state: inout State) {
    let found = state.known.look()
    if found > 0 { tally.withLock { $0.progress.doneElsewhere += found } }
  }

  private var hasFailed: Bool { tally.withLock { $0.failure != nil } }

  /// Writes a finished run and counts it. Where that fails no further run is handed out.
  func close(
    _ status: RunRecord.Status, worker: Int, _ report: (RunProgress) -> Void,
    writing write: () throws(FileError) -> Void
  ) {
    do throws(FileError) {
      try write()
    } catch {
      return tally.withLock {
        $0.failure = $0.failure ?? error; $0.lost += 1
      }
    }
    writer.end(status, worker: worker)
    tally.withLock { tally in
      tally.kept += 1
      tally.progress.add(status)
      report(tally.progress)
    }
  }

  /// Nothing more can be written: no further run is handed out.
  func fail(_ error: FileError) { tally.withLock { $0.failure = $0.failure ?? error } }

  /// - Parameter journal: the file that was written to; without it all that this call did is lost.
  /// - Throws: the first error of writing, with what it cost.
  func outcome(_ journal: String) throws(FileError) -> RunProgress {
    let end = tally.withLock { $0 }
    guard let failure = end.failure else { return end.progress }
    let isGone = !Files.exists(journal)
    let lost = isGone ? end.kept + end.lost : end.lost
    throw FileError(
      failure.kind,
      "\(failure.description). \(lost) finished \(lost == 1 ? "run is" : "runs are") lost"
        + (isGone ? "" : ", \(end.kept) of this call are kept") + "; run again to go on")
  }
}

extension RunQueue.State {
  /// The next runs that nobody has done or claimed.
  package mutating func take(_ count: Int) -> [PlannedRun] {
    if waiting.isEmpty { (waiting, passedOver) = (passedOver.reversed(), []) }
    var taken: [PlannedRun] = []
    while taken.count < count, let run = waiting.popLast() {
      if known.isDone(run.id) { continue }
      if known.isClaimed(run.id) { passedOver.append(run) } else { taken.append(run) }
    }
    return taken
  }

  /// After another look: those that are still nobody else's are ready.
  package mutating func keep(_ wanted: [PlannedRun]) {
    for run in wanted.reversed() where !known.isDone(run.id) {
      if known.isClaimed(run.id) { passedOver.append(run) } else { ready.append(run) }
    }
  }
}

/// How many runs are claimed at once: about a second's work.
package struct RunLot: Sendable {
  private var size: Int
  private var last = ContinuousClock.now

  package init(jobs: Int) { size = jobs }

  /// - Parameters:
  ///   - left: runs that wait. With others at work the last of them are claimed in small lots.
  mutating func next(left: Int, others: Int) -> Int {
    let seconds = (ContinuousClock.now - last) / .seconds(1)
    last = .now
    if seconds < 0.5 { size = min(size * 4, 4096) }
    if seconds > 2 { size = max(1, size / 4) }
    return others == 0 ? size : max(1, min(size, left / (8 * (others + 1))))
  }
}
