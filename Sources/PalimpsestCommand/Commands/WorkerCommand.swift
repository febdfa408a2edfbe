import ArgumentParser
import PalimpsestWorker

/// `palimpsest worker RESULTS --launch N --task K`.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: WorkerTool.abstract,
    discussion: """
      A launch is what "run --launcher" makes; an engine, or you, may start any number of workers on it. SIGUSR1 ends a \
      worker when its time is almost over, SIGTERM or SIGUSR2 as soon as the runs in hand are finished or saved. Exit \
      codes: 0 nothing is left to take; 65 data or program are not those that were submitted; 66 there is no such \
      launch; 73 cannot write; 75 start the task again; 143 terminated.
      """)

  @OptionGroup var options: WorkerOptions

  func run() async throws {
    throw End(await WorkerTool.work(options, catalog: PalimpsestTool.catalog))
  }
}
