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
  private struct State {
    var lanes: RunLanes
    var lot: RunLot
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

  /// - Parameters:
  ///   - last: begun once nothing else is left to begin.
  ///   - known: what the journals hold; the runs it does not are to be done.
  ///   - sharing: the places of runs that share their data, in order.
  init(
    _ runs: [PlannedRun], last: [PlannedRun], _ known: KnownRuns, jobs: Int, _ writer: ProgressWriter,
    _ progress: RunProgress, sharing: ([PlannedRun]) -> [Range<Int>]
  ) {
    self.writer = writer
    let start = known.others.isEmpty ? 0 : known.place(among: runs.count)
    let turned = Array(runs[start...] + runs[..<start])
    let groups = sharing(turned) + sharing(last).map { $0.lowerBound + turned.count..<$0.upperBound + turned.count }
    let lanes = RunLanes(turned + last, last: last.count, groups: groups, workers: jobs, known: known)
    state = Mutex(State(lanes: lanes, lot: RunLot(jobs: jobs)))
    tally = Mutex(Tally(progress: progress))
  }

  /// The next run; nil once all are done or one could not be written. Waits while others have all that is left.
  func next(worker: Int, stop: () -> Bool) -> PlannedRun? {
    state.withLock { state in
      while !stop() && !hasFailed {
        if let run = state.lanes.next(worker: worker) ?? claim(&state, for: worker) ?? state.lanes.anothers() {
          writer.begin(run, worker: worker)
          return run
        }
        if state.lanes.isEmpty { return nil }
        Thread.sleep(forTimeInterval: .random(in: 0.05...0.3))
      }
      return nil
    }
  }

  /// Claims the next lot: for this worker, and for others who have little.
  /// - Returns: the worker's next run; nil where others claim all that is left.
  private func claim(_ state: inout State, for worker: Int) -> PlannedRun? {
    look(&state)
    let count = state.lot.next(left: state.lanes.waiting, others: state.lanes.known.others.count)
    let wanted = state.lanes.take(count, first: worker)
    if wanted.isEmpty { return nil }
    let held = state.lanes.claimed
    writer.claim(held + wanted.map(\.run))
    look(&state)
    state.lanes.keep(wanted)
    let kept = state.lanes.claimed
    if kept.count < held.count + wanted.count { writer.claim(kept) }
    return state.lanes.next(worker: worker)
  }

  private func look(_ state: inout State) {
    let found = state.lanes.known.look()
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
