import ArgumentParser
import Palimpsest
import PalimpsestLaunch

/// `palimpsest resubmit RESULTS`.
struct ResubmitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resubmit", abstract: "Submit what is missing of a sweep, as its latest launch was.",
    discussion: """
      The experiment is the one the results keep, with the command line's changes; engine and settings are those of the \
      latest launch, and what options say here is put over them. Runs in the hand of live workers are left to them.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @OptionGroup var launch: LaunchOptions

  func run() async throws {
    let folder = ResultsFolder(results)
    guard let number = try folder.launches(nil).last else { return }
    let record = try LaunchRecord(folder, number: number)
    let stored = try folder.plan()
    guard stored.selection == nil else {
      throw UsageError("\(folder.folder): its settings were chosen by \"select\"; run the experiment file again")
    }
    let plan = try stored.plan(PalimpsestTool.catalog, file: folder.planFile)
    let launched = LaunchedRun(
      options: launch, settings: try launch.settings(over: ExecutionSettings.given(record)), selection: .all,
      checkpointEvery: record.checkpointEvery, retryFailed: record.retryFailed, quiet: false,
      command: CommandLine.arguments.map(shellQuoted).joined(separator: " "))
    if launch.printScript {
      _ = try await launched.start(plan, folder, Interruption())
      return
    }
    let interruption = Interruption(leaving: "the workers")
    interruption.watch()
    _ = try await launched.results(plan, folder, interruption)
    print("\(folder.cube): all runs of the plan are there")
  }
}
