import PalimpsestJSON
import PalimpsestRuns

/// Tasks of a finished launch that Slurm still holds for running: where a step's manager was killed, `srun` waits for it up to the
/// task's time limit, and the collect job waits for the task.
public struct IdleTasks: Sendable {
  private let folder: ResultsFolder
  private let launch: Int
  private let calls: EngineCalls
  private let note: @Sendable (String) -> Void
  /// How long a worker may take to end by itself once nothing is left.
  private let pause: Duration
  private let looks: Int

  public init(
    _ folder: ResultsFolder, _ launch: Int, calls: EngineCalls = EngineCalls(), pause: Duration = .seconds(3),
    looks: Int = 10, note: @escaping @Sendable (String) -> Void
  ) {
    (self.folder, self.launch, self.calls) = (folder, launch, calls)
    (self.pause, self.looks, self.note) = (pause, looks, note)
  }

  /// Ends them, once for each launch: whoever comes second leaves it to the first. What goes wrong is noted; no result depends on it.
  /// - Parameter own: the task that asks.
  public func end(besides own: Int) async {
    do {
      guard try Files.create("\(folder.launchFolder)/\(launch).ended", with: "task \(own)\n") else { return }
      try await endIdle(besides: own)
    } catch {
      note("tasks that have nothing left to do could not be ended: \(error)")
    }
  }

  private func endIdle(besides own: Int) async throws {
    let record = try LaunchRecord(folder, number: launch)
    let slurm = SlurmLauncher(calls: calls)
    var running: [TaskState] = []
    for look in 0..<looks {
      if look > 0 { try await Task.sleep(for: pause) }
      running = try await slurm.states(of: record).filter { $0.phase == .running && $0.task != own }
      if running.isEmpty { return }
    }
    note("nothing is left to do, and Slurm holds \(running.map(\.job).joined(separator: ", ")) for running: ended")
    try await slurm.cancel(running.map(\.task), of: record)
  }
}
