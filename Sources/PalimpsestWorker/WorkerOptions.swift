import ArgumentParser
import Foundation
import PalimpsestRuns

/// The arguments of a worker: what an engine's script passes on.
public struct WorkerOptions: ParsableArguments, Sendable {
  @Argument(help: "Results: the .h5 file or its .palimpsest folder.") var results: String
  @Option(help: "Number of the launch.") var launch: Int
  @Option(help: "Number of the task within the launch, from 0.") var task: Int
  @Option(help: "Runs at a time.") var jobs = 1
  @Option(help: .hidden) var engineJob: String?
  @Option(help: .hidden) var restart: Int?
  @Option(help: .hidden) var attempt = 0

  public init() {}

  /// More at a time than any machine works on.
  private static let mostJobs = 4096

  public func validate() throws {
    if launch < 1 { throw ValidationError("--launch: \(launch) is no launch; they are counted from 1.") }
    if task < 0 { throw ValidationError("--task: \(task) is no task; they are counted from 0.") }
    guard 1...WorkerOptions.mostJobs ~= jobs else {
      throw ValidationError("--jobs: expected 1 to \(WorkerOptions.mostJobs) runs at a time, found \(jobs).")
    }
  }

  /// With what Slurm says of the task where nothing else was said.
  func place(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> WorkerPlace {
    let job = environment["SLURM_ARRAY_JOB_ID"] ?? environment["SLURM_JOB_ID"] ?? ""
    return WorkerPlace(
      launch: launch, task: min(task, 1 << 24), jobs: jobs, job: engineJob ?? job,
      restart: restart ?? environment["SLURM_RESTART_COUNT"].flatMap { Int($0) } ?? 0, attempt: attempt)
  }
}
