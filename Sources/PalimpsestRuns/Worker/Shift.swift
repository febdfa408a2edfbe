import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import Synchronization

/// What the threads of a worker share: its journal and what it says of runs in hand, the blocks in hand, the scenarios that are ready, and how far it is.
final class Shift: Sendable {
  private struct Hold {
    let leases: BlockLeases
    let held: HeldBlock
    var isLost = false
  }

  private struct State {
    var holds: [Int: Hold] = [:]
    var end = WorkerEnd()
    var failure: (any Error)?
  }

  /// Made with the first block.
  private struct Opened {
    let journal: JournalWriter
    let inHand: RunsInHand
  }

  private let output: ResultsFolder
  private let provenance: Provenance
  private let jobs: Int
  private let inputs: [String: String]
  private let note: @Sendable (String) -> Void
  private let files = Mutex<Opened?>(nil)
  private let preparation: Mutex<Preparation>
  private let state = Mutex(State())

  init(
    _ output: ResultsFolder, _ provenance: Provenance, _ record: LaunchRecord, jobs: Int, _ preparation: Preparation,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.output, self.provenance, self.jobs, self.note) = (output, provenance, jobs, note)
    inputs = record.inputs
    self.preparation = Mutex(preparation)
  }

  // MARK: - The journal

  func journal() throws -> JournalWriter { try openedFiles().journal }

  /// What outlives the worker of its runs in hand.
  func inHand() throws -> RunsInHand { try openedFiles().inHand }

  private func openedFiles() throws -> Opened {
    try files.withLock { files in
      if let files { return files }
      let journal = try JournalWriter(folder: output.journalFolder, host: provenance.host)
      try Files.makeFolder(output.progressFolder)
      let new = Opened(journal: journal, inHand: RunsInHand(output, journal, workers: jobs))
      files = new
      return new
    }
  }

  private var opened: Opened? { files.withLock { $0 } }

  func sync() throws(FileError) { try opened?.journal.sync() }

  /// For those who look on; to be without one costs them time and nothing else.
  func writeSum() { try? opened?.journal.writeSum() }

  /// Nothing is in hand any more, or what is goes to others.
  func forgetHand() { opened?.inHand.remove() }

  // MARK: - Scenarios

  /// Those of a block, and all that were ready before.
  /// - Throws: ``PreparationError``, also where data are not what was submitted.
  func scenarios(for configurations: Set<Int>) throws -> PreparedScenarios {
    try preparation.withLock { preparation in
      try preparation.add(configurations.sorted())
      for (name, digest) in preparation.digests.sorted(by: { $0.key < $1.key }) {
        guard let submitted = inputs[name], submitted != digest else { continue }
        throw PreparationError(
          kind: .settings,
          "data set \"\(name)\": it is not what this launch was submitted with (SHA-256 \(submitted.prefix(12))… then, "
            + "\(digest.prefix(12))… here and now). Put those data back, or cancel the launch and submit again.")
      }
      return preparation.scenarios
    }
  }

  // MARK: - Blocks in hand

  func hold(_ held: HeldBlock, _ leases: BlockLeases, thread: Int) {
    state.withLock { $0.holds[thread] = Hold(leases: leases, held: held) }
  }

  func drop(thread: Int) { state.withLock { _ = $0.holds.removeValue(forKey: thread) } }

  /// True once another worker has the thread's block.
  func isLost(thread: Int) -> Bool { state.withLock { $0.holds[thread]?.isLost ?? true } }

  /// Touches the leases. A file system that gives no answer now may give one the next time.
  func keep() {
    for (thread, hold) in state.withLock({ $0.holds }) where !hold.isLost {
      do {
        if try hold.leases.keep(hold.held) { continue }
        // One that was finished meanwhile has no lease either.
        guard lose(hold.held, thread: thread) else { continue }
        note("block \(hold.held.block): another worker has taken it over; the run in hand is the last of it here")
      } catch {
        note("\(error). The runs go on")
      }
    }
  }

  /// - Returns: false where the thread does not hold the block any more.
  private func lose(_ held: HeldBlock, thread: Int) -> Bool {
    state.withLock { state in
      guard state.holds[thread]?.held == held else { return false }
      state.holds[thread]?.isLost = true
      return true
    }
  }

  /// Gives all blocks in hand back.
  func release() {
    for hold in state.withLock({ $0.holds.values.filter { !$0.isLost } }) { try? hold.leases.release(hold.held) }
  }

  // MARK: - How far it is

  func count(_ status: RunRecord.Status) {
    state.withLock { state in
      state.end.runs += 1
      if status != .completed { state.end.failed += 1 }
    }
  }

  func countBlock() { state.withLock { $0.end.blocks += 1 } }

  func countLaunch() { state.withLock { $0.end.isLaunchDone = true } }

  /// The first failure ends the worker.
  func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// - Throws: the first failure.
  func end() throws -> WorkerEnd {
    let (end, failure) = state.withLock { ($0.end, $0.failure) }
    if let failure { throw failure }
    return end
  }
}
