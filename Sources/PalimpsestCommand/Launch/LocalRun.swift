import Palimpsest
import PalimpsestLaunch

/// Waits for the workers that this process starts for a launch.
struct LocalRun {
  let folder: ResultsFolder
  let record: LaunchRecord
  /// Runs at a time of each worker.
  let cpus: Int
  let quiet: Bool

  /// Ctrl-C asks the workers to end, and they give back what they have in hand.
  /// - Throws: ``PalimpsestLaunch/LocalWorkers/Failure`` for a worker that cannot go on; the others are ended.
  func untilOver(_ interruption: Interruption) async throws {
    let logs = folder.launchLogFolder(record.number)
    say(
      "launch \(record.number): \(counted(record.runs, "run")) in \(counted(record.blocks, "block")) for "
        + "\(counted(record.tasks, "worker")), which log to \(logs)")
    let end = try await workers(interruption)
    if let failure = end.failure { throw failure }
    if end.restarts > 0 {
      say("workers died and were started anew, \(counted(end.restarts, "time")); \(logs) has their last words")
    }
    let poisoned = try folder.leases(ofLaunch: record.number).count(where: \.isPoisoned)
    guard poisoned > 0 else { return }
    StandardError.write(
      "\(counted(poisoned, "block")) set aside, for worker after worker died over it; \(logs) tells which runs these are"
    )
  }

  /// What ends first ends the other: the wait for Ctrl-C where the workers do, the workers where Ctrl-C comes.
  private func workers(_ interruption: Interruption) async throws -> LocalWorkers.End {
    let workers = LocalWorkers(folder, record, jobs: cpus)
    return try await withThrowingTaskGroup(of: LocalWorkers.End?.self) { group -> LocalWorkers.End in
      group.addTask { try await workers.run() }
      group.addTask {
        while !interruption.isAsked { try await Task.sleep(for: .milliseconds(100)) }
        return nil
      }
      var ended = LocalWorkers.End()
      while let end = await group.nextResult() {
        group.cancelAll()
        switch end {
        case .success(let end): ended = end ?? ended
        case .failure(let error): if !(error is CancellationError) { throw error }
        }
      }
      return ended
    }
  }

  private func say(_ message: String) { if !quiet { StandardError.write(message) } }
}
