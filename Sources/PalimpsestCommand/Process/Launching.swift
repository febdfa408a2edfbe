import Foundation
import Palimpsest
import PalimpsestLaunch

/// Runs of a plan that worker processes do.
struct Launching {
  let folder: ResultsFolder
  let options: LaunchOptions
  let calibrations: CalibrationCache
  let isQuiet: Bool

  /// Makes a launch of what is to do and waits for its workers; nothing where nothing is to do.
  ///
  /// - Parameter complete: fills in what the command line says of runs.
  func run(
    _ plan: Plan, jobs: Int, _ interruption: Interruption, _ complete: (inout LaunchRequest) -> Void
  ) async throws {
    var request = options.request(jobs: jobs)
    complete(&request)
    request.secondsPerRun = try secondsPerRun(plan)
    let prepared = try LaunchPlanner.prepare(
      plan, folder, request, library: .standard(), calibrations: calibrations, note: { StandardError.write($0) },
      isOver: LocalWorkers.isOver)
    switch prepared {
    case .nothing(let reason): say("\(reason)")
    case .launch(var record):
      record.jobs = [LocalWorkers.job]
      try record.write(to: folder)
      try await work(record, interruption)
    }
  }

  private func say(_ message: String) { if !isQuiet { StandardError.write(message) } }

  /// The mean over what is to do, by the first steps of a few configurations.
  private func secondsPerRun(_ plan: Plan) throws -> Double? {
    let estimate = try Estimate(
      PlanSummary(plan), PalimpsestTool.catalog, library: DatasetFolder.standard(), jobs: 1,
      calibrations: calibrations)
    let runs = estimate.pairs.reduce(0) { $0 + $1.runsLeft }
    return runs == 0 ? nil : estimate.pairs.reduce(0) { $0 + $1.secondsPerRun * Double($1.runsLeft) } / Double(runs)
  }

  /// Waits for the workers; Ctrl-C asks them to end.
  private func work(_ record: LaunchRecord, _ interruption: Interruption) async throws {
    let logs = folder.launchLogFolder(record.number)
    say(
      "launch \(record.number): \(record.runs) runs in \(record.blocks) blocks for \(record.tasks) workers; they log to \(logs)"
    )
    let workers = LocalWorkers(folder, record, jobs: options.taskCpus)
    let end = try await withThrowingTaskGroup(of: LocalWorkers.End?.self) { group -> LocalWorkers.End in
      group.addTask { try await workers.run() }
      group.addTask {
        while !interruption.isAsked { try await Task.sleep(for: .milliseconds(100)) }
        return nil
      }
      // What ends first ends the other: the workers where Ctrl-C does, the wait for it where they do.
      var ends: [LocalWorkers.End?] = []
      while let end = await group.nextResult() {
        group.cancelAll()
        if case .success(let end) = end { ends.append(end) }
        if case .failure(let error) = end, !(error is CancellationError) { throw error }
      }
      return ends.compactMap(\.self).first ?? LocalWorkers.End()
    }
    if let failure = end.failure { throw failure }
    if end.restarts > 0 { say("\(end.restarts) times a worker died and was started anew; \(logs) tells") }
    try tellPoisoned(record.number)
  }

  private func tellPoisoned(_ number: Int) throws {
    let poisoned = try folder.leases(ofLaunch: number).filter(\.isPoisoned)
    guard !poisoned.isEmpty else { return }
    StandardError.write(
      "\(poisoned.count) blocks were set aside, for worker after worker died over them: their runs are missing, and "
        + "\(folder.launchLogFolder(number)) tells which they are")
  }
}
