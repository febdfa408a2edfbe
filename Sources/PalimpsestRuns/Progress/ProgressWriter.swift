import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import Synchronization

/// Keeps this process's progress file: what the workers do goes into memory, the file is replaced each second and before
/// runs are begun that others should leave alone.
final class ProgressWriter: Sendable {
  fileprivate struct State {
    var progress: ProcessProgress
    var slots: [Int: Slot] = [:]
    /// Runs ended, once a second: for the rate.
    var history: [(time: Double, ended: Int)] = []
  }

  /// A worker's run, and where it stood when its speed was last looked at.
  fileprivate struct Slot {
    var worker: ProcessProgress.Worker
    var measured: (time: Double, examples: Int)
  }

  private let file: String
  private let state: Mutex<State>

  init(_ output: ResultsFolder, _ provenance: Provenance) {
    let now = ProgressWriter.now
    let progress = ProcessProgress(host: provenance.host, process: provenance.process, started: now, updated: now)
    file = output.progressFile(progress.name)
    state = Mutex(State(progress: progress, history: [(now, 0)]))
  }

  /// Takes the file away: this process has ended its work.
  func remove() { SystemCalls.unlink(file) }

  // MARK: - What happens

  func begin(_ run: PlannedRun, worker: Int) {
    let now = ProgressWriter.now
    state.withLock { state in
      let worker = ProcessProgress.Worker(
        number: worker, runID: run.id, task: 0, of: 0, examplesPerSecond: state.slots[worker]?.worker.examplesPerSecond,
        started: now)
      state.slots[worker.number] = Slot(worker: worker, measured: (now, 0))
    }
  }

  /// - Parameters:
  ///   - task: tasks done.
  ///   - examples: training rows so far, each pass counted.
  func update(worker: Int, task: Int, of tasks: Int, examples: Int) {
    let now = ProgressWriter.now
    state.withLock { state in
      guard var slot = state.slots[worker] else { return }
      slot.worker.task = task
      slot.worker.of = tasks
      let seconds = now - slot.measured.time
      if seconds > 0 && examples > slot.measured.examples {
        slot.worker.examplesPerSecond = (Double(examples - slot.measured.examples) / seconds).rounded()
        slot.measured = (now, examples)
      }
      state.slots[worker] = slot
    }
  }

  func end(_ status: RunRecord.Status, worker: Int) {
    state.withLock { state in
      state.slots[worker] = nil
      switch status {
      case .completed: state.progress.completed += 1
      case .diverged: state.progress.diverged += 1
      case .failed, .cancelled: state.progress.failed += 1
      }
    }
  }

  // MARK: - The file

  /// Says which runs come next. Others see it when this returns.
  func claim(_ runs: [PlannedRun]) {
    state.withLock { $0.progress.claims = runs.map(\.id) }
    try? publish()
  }

  /// Replaces the file.
  func publish() throws(FileError) {
    let failure = state.withLock { state -> FileError? in
      let now = ProgressWriter.now
      state.measure(now)
      state.progress.updated = now
      state.progress.workers = state.slots.values.map(\.worker).sorted { $0.number < $1.number }
      do throws(FileError) {
        try Files.publish(file, state.progress.json.compactText + "\n")
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private static var now: Double { Date().timeIntervalSince1970 }
}

extension ProgressWriter.State {
  /// The rate over the last half minute.
  mutating func measure(_ now: Double) {
    let ended = progress.completed + progress.failed + progress.diverged
    if let last = history.last, now - last.time >= 1 {
      history.append((now, ended))
      while history.count > 2 && now - history[0].time > 30 { history.removeFirst() }
    }
    guard let first = history.first, now > first.time else { return }
    progress.runsPerSecond = Double(ended - first.ended) / (now - first.time)
  }
}
