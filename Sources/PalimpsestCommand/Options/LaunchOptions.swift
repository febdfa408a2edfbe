import ArgumentParser
import Foundation
import Palimpsest

/// Who does the runs where it is not this process.
struct LaunchOptions: ParsableArguments {
  @Option(help: "Who does the runs: local (worker processes on this machine). Without it, this process does.")
  var launcher: String?
  @Option(help: "Worker processes (default: as many as --jobs says, divided by --task-cpus).") var tasks: Int?
  @Option(help: "Runs at a time of each worker.") var taskCpus = 1
  @Option(help: "Seconds of work that a worker takes at once, at most.") var blockSeconds =
    LaunchRequest.standardBlockSeconds
  @Option(help: .hidden) var patience = LaunchRecord.standardPatience
  @Option(help: .hidden) var workerProgram: String?

  /// More of one launch are a slip of the hand.
  private static let mostTasks = 100_000

  func validate() throws {
    if let launcher, launcher != "local" {
      throw ValidationError("--launcher: there is none called \"\(launcher)\". There is local.")
    }
    if let tasks, !(1...LaunchOptions.mostTasks ~= tasks) {
      throw ValidationError("--tasks: expected 1 to \(LaunchOptions.mostTasks), found \(tasks).")
    }
    guard 1...4096 ~= taskCpus else { throw ValidationError("--task-cpus: expected 1 to 4096, found \(taskCpus).") }
    try OptionChecks.seconds(blockSeconds, "--block-seconds")
    try OptionChecks.seconds(patience, "--patience")
  }

  /// - Parameter jobs: runs at a time in all, where nothing is said of tasks.
  func request(jobs: Int) -> LaunchRequest {
    var request = LaunchRequest(
      engine: launcher ?? "local", tasks: tasks ?? max(1, jobs / taskCpus), program: program,
      command: CommandLine.arguments.map(shellQuoted).joined(separator: " "))
    (request.jobs, request.blockSeconds, request.patience) = (taskCpus, blockSeconds, patience)
    request.resources = ["cpus": JSONValue(taskCpus)]
    return request
  }

  /// This program's file, also where it was started by its name.
  private var program: String {
    workerProgram ?? Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}
