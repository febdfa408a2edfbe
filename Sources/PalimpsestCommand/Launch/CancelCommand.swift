import ArgumentParser
import Palimpsest
import PalimpsestLaunch

/// `palimpsest cancel RESULTS`.
struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop the workers of a sweep that was handed to an engine.",
    discussion: """
      Each worker finishes or saves the run in hand and gives its block back; nothing that is done is lost, and "run" or \
      "resubmit" goes on with the rest. Slurm kills what has not ended after its KillWait.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Option(help: "Only this launch.") var launch: Int?

  func run() async throws {
    let folder = ResultsFolder(results)
    let numbers = try folder.launches(launch)
    var stopped = 0
    for number in numbers {
      let status = try await LaunchStatus(folder, LaunchRecord(folder, number: number))
      if status.isOver && launch == nil { continue }
      try await cancel(status.record, folder)
      stopped += 1
    }
    if stopped == 0 { print("\(folder.folder): no launch is under way") }
  }

  private func cancel(_ record: LaunchRecord, _ folder: ResultsFolder) async throws {
    if record.engine == "slurm" { try await SlurmLauncher().cancel(record) }
    try record.markCancelled(in: folder)
    let isOurs = record.engine == "slurm"
    print(
      "launch \(record.number): " + (isOurs ? "job \(record.jobs.joined(separator: ", ")) is told to end" : "cancelled")
    )
    if !isOurs {
      StandardError.write(
        "launch \(record.number): its workers were not started by us; end them as you began them (engine: \(record.engine))"
      )
    }
  }
}

extension ResultsFolder {
  /// Numbers of launches: that one, or all.
  /// - Throws: ``FileError`` where there is none.
  func launches(_ given: Int?) throws -> [Int] {
    if let given { return [try LaunchRecord(self, number: given).number] }
    let numbers = try launchNumbers()
    if !numbers.isEmpty { return numbers }
    throw FileError(
      .missing, "\(folder): nothing was launched here; \"palimpsest run FILE --launcher slurm\" does that")
  }
}
