import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestCube

/// The command line, over the standard catalogue or one's own:
///
///     await PalimpsestTool.main(catalog: Catalog.standard.adding(L2Init.self))
public struct PalimpsestTool {
  /// What the names in experiment files mean while a command runs.
  @TaskLocal static var catalog = Catalog.standard

  /// Runs the command that the process's arguments name and ends the process with its exit code.
  ///
  /// It begins on the main thread: other threads cannot be had where hardly a file may be opened, and that is to be said.
  @MainActor public static func main(catalog: Catalog = .standard) async {
    CubeReading.inOwnProcess()
    // A file that may not grow (ulimit -f) is an error like a full disk, and a pipe without a reader one like a closed
    // file: not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    // The system's libraries trap where they cannot open what they need.
    guard Files.mayOpen(filesNeeded) else {
      StandardError.write("too few files may be open at once; at least 32 are wanted: ulimit -n 32")
      exit(ExitStatus.unavailable.rawValue)
    }
    if !catalog.problems.isEmpty {
      for problem in catalog.problems { StandardError.write("catalogue: " + problem) }
      exit(ExitStatus.badFile.rawValue)
    }
    let end = await $catalog.withValue(catalog) { await status(of: Array(CommandLine.arguments.dropFirst())) }
    exit(StandardOutput.status(after: end).rawValue)
  }

  /// A run of one job has seven files and timers open at most.
  private static let filesNeeded = 12

  private static func status(of arguments: [String]) async -> ExitStatus {
    do {
      if let problem = UnknownCommand.problem(arguments) { throw problem }
      var command = try Root.parseAsRoot(arguments)
      try InstructionSet.choose()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .done
    } catch let end as End {
      return end.status
    } catch {
      guard let status = ExitStatus(error) else { return answer(error) }
      StandardError.write(String(describing: error))
      return status
    }
  }

  /// What the argument parser has to say: a request for help is an error to it.
  private static func answer(_ error: any Error) -> ExitStatus {
    let message = Root.fullMessage(for: error)
    guard Root.exitCode(for: error) == .success else {
      StandardError.write(message)
      return .usage
    }
    if !message.isEmpty { print(message) }
    return .done
  }
}

/// The tool as the argument parser sees it.
struct Root: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "palimpsest",
    abstract: "Continual learning on streams that drift: experiments from JSON to HDF5.",
    discussion: """
      Results go to standard output, everything else to standard error. Exit codes: 0 done; 1 some runs failed or \
      diverged; 64 usage; 65 bad file; 66 file not there; 69 something needed is not installed; 73 cannot write; 75 \
      unfinished, run again; 130 interrupted; 141 the reader of the results has gone.
      """,
    version: Provenance.programVersion,
    subcommands: [
      RunCommand.self, StatusCommand.self, CollectCommand.self, ReportCommand.self, CompareCommand.self,
      ExportCommand.self, GenerateCommand.self, MergeCommand.self, PredictCommand.self, ValidateCommand.self,
      ExpandCommand.self,
      ListCommand.self, DescribeCommand.self, SchemaCommand.self, DatasetsCommand.self, DoctorCommand.self,
      BenchCommand.self, WorkerCommand.self, CancelCommand.self, ResubmitCommand.self, LogsCommand.self,
    ])
}
