import ArgumentParser
import Palimpsest
import PalimpsestLaunch

/// `palimpsest logs RESULTS`.
struct LogsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs", abstract: "Print what the workers of a sweep said.",
    discussion: """
      Of the latest launch, or of the one that is named: of one task, of those that failed by the engine's word or fell \
      silent over a block, or of all.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Option(help: "That launch; else the latest.") var launch: Int?
  @Option(help: "Only that task.") var task: Int?
  @Flag(help: "Only tasks that failed.") var failed = false

  func validate() throws {
    if task != nil && failed {
      throw ValidationError("--task names one task, --failed those that failed; give one of them.")
    }
  }

  func run() async throws {
    let folder = ResultsFolder(results)
    guard let number = try folder.launches(launch).last else { return }
    let record = try LaunchRecord(folder, number: number)
    let logs = try LaunchLogs(folder, record)
    let wanted = try await tasks(record, folder)
    if failed && wanted.isEmpty { return print("launch \(number): no task is known to have failed") }
    let files = logs.files(ofTasks: failed || task != nil ? wanted : nil)
    if files.isEmpty {
      throw FileError(
        .missing, "\(folder.launchLogFolder(number)): there is no log of \(task.map { "task \($0)" } ?? "any task") yet"
      )
    }
    for file in files {
      print("== \(visible(Paths.last(of: file)))")
      StandardOutput.write(visibleLines(String(decoding: try Files.read(file), as: UTF8.self)))
      try StandardOutput.check()
    }
  }

  private func tasks(_ record: LaunchRecord, _ folder: ResultsFolder) async throws -> [Int] {
    if let task {
      guard (0..<record.tasks).contains(task) else {
        throw UsageError("--task \(task): launch \(record.number) has tasks 0 to \(record.tasks - 1)")
      }
      return [task]
    }
    return failed ? try await LaunchStatus(folder, record).failedTasks : []
  }
}
