import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestCube

/// `palimpsest run FILE`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run everything an experiment file describes, and report.",
    discussion: """
      Runs that are done are skipped, so running again goes on where it stopped. Ctrl-C once finishes the runs in hand \
      (with --checkpoint-every it saves them as they are), twice ends at once. A run that was saved goes on from there.
      """, aliases: ["sweep"])

  @Argument(help: "Experiment file; or the name of one in Experiments.") var file: String
  @OptionGroup var changes: ExperimentOptions
  @OptionGroup var selection: SelectionOptions
  @Option(help: "Runs at a time.") var jobs = ProcessInfo.processInfo.activeProcessorCount
  @Option(help: "Where the results go (default: results/NAME.h5, by the experiment's name).") var output: String?
  @Flag(help: "Forget what is there and run everything again; with --only these runs, and the others stay.")
  var fresh = false
  @Flag(help: "Do runs again that failed or diverged.") var retryFailed = false
  @Option(help: "Seconds between two updates of the .h5 file while runs go on.") var collectEvery = 60.0
  @Option(
    help: "Save runs in hand that often: a time (30s, 5min, 1h) or a number of steps (2000). Ctrl-C then stops at once."
  )
  var checkpointEvery: String?
  @Flag(
    inversion: .prefixedNo,
    help: "Keep what scenarios are calibrated to for other runs, and take what is kept (\"doctor\" says where).")
  var cache = true
  @Flag(help: "Show no progress.") var quiet = false
  @Option(help: "Colour of the progress bar: auto, always or never.") var color = ColorChoice.auto
  @OptionGroup var launch: LaunchOptions
  @OptionGroup var json: JSONOption

  func validate() throws {
    try OptionChecks.jobs(jobs)
    try OptionChecks.seconds(collectEvery, "--collect-every")
    if let text = checkpointEvery, CheckpointInterval(text) == nil {
      throw ValidationError(
        "--checkpoint-every: \"\(text)\" is no interval. Give a time such as 30s, 5min or 1h, or a number of steps "
          + "such as 2000.")
    }
  }

  func run() async throws {
    let source = try ExperimentFile(file)
    let experiment = try changes.experiment(source)
    let settings = try launch.settings(experiment)
    let isLaunched = settings.who != .none
    let interruption =
      isLaunched && settings.who != .local
      ? Interruption(leaving: "the workers") : Interruption(savesRuns: checkpointEvery != nil)
    interruption.watch()
    let folder = try experiment.output(output)
    if launch.printScript { return try await printScript(experiment, settings, folder, interruption) }
    if output != nil { try Paths.makeFolder(for: folder.cube) }
    if !quiet { experiment.warnings(file: source.path, library: nil).show() }
    if fresh && selection.only.isEmpty {
      for results in [folder, folder.tuning] {
        try results.checkCubeIsOurs(forgets: true)
        try results.removeResults()
      }
    }
    StandardError.keep(in: SaidLog(folder, opening: opening))
    let rows = ReportedRows()
    let (summary, end): (CollectSummary, RunProgress?)
    do {
      let plan = try await tune(experiment, beside: folder, settings, interruption) ?? Plan(experiment)
      (summary, end) = try await execute(plan, folder, settings, interruption, for: rows)
    } catch let error as PreparationError {
      throw error.placed(in: experiment, source) ?? error
    }
    try report(rows, summary, folder)
    if let end, end.left > 0 { try pause(end) }
  }

  /// Program and command line.
  private var opening: String {
    let words = CommandLine.arguments.dropFirst().map(shellQuoted).joined(separator: " ")
    return "palimpsest \(Provenance.programVersion): \(words)"
  }

  /// Runs the trials of a `select` block.
  /// - Returns: the runs with what was chosen; nil where the experiment selects nothing.
  private func tune(
    _ experiment: Experiment, beside folder: ResultsFolder, _ settings: ExecutionSettings, _ interruption: Interruption
  ) async throws -> Plan? {
    guard let stage = try TuningStage(experiment, beside: folder) else { return nil }
    if !quiet { StandardError.write("tuning: \(stage.tuning.summary), kept in \(stage.folder.cube)") }
    let rows = KeptRows()
    let (_, end) = try await execute(stage.tuning.plan, stage.folder, settings, interruption, for: rows)
    if let end, end.left > 0 { try pause(end) }
    return try rows.results.map { try stage.chosenPlan(from: $0) }
  }

  /// A cube that somebody died over is made anew at once, not only at the end.
  private func mend(_ folder: ResultsFolder) throws {
    guard folder.hasForeignCube, try folder.hasPlan else { return }
    StandardError.write("\(folder.cube): this is not the file that \(folder.manifestFile) describes; it is made anew")
    do {
      try folder.collect(metrics: PalimpsestTool.catalog.accuracyMetrics) { StandardError.write($0) }
    } catch let error as LostRunsError {
      StandardError.write("\(error)")  // They are done first.
    }
  }

  /// Runs a plan and makes its cube.
  /// - Parameter rows: is given what the runs measured.
  /// - Returns: no progress where workers elsewhere did the runs.
  private func execute(
    _ plan: Plan, _ folder: ResultsFolder, _ settings: ExecutionSettings, _ interruption: Interruption,
    for rows: any RowReader
  ) async throws -> (CollectSummary, RunProgress?) {
    try folder.checkCubeIsOurs()
    let chosen = try selection.selection(plan.experiment)
    if fresh && !chosen.isWhole { try forget(chosen, of: plan, folder) }
    try mend(folder)
    if settings.who != .none {
      return (try await launched(settings, chosen).results(plan, folder, interruption, for: rows), nil)
    }
    try await folder.checkNoLaunchHas(
      plan, chosen, retryFailed: retryFailed, isOver: LaunchedRun.isOver(folder))
    let end = try await run(plan, chosen, folder, interruption)
    let summary = try folder.collect(
      metrics: PalimpsestTool.catalog.accuracyMetrics, generation: end.generation, note: { StandardError.write($0) },
      for: [rows])
    if interruption.isAsked && summary.missing > 0 { try stop(summary, folder) }
    return (summary, end)
  }

  private func launched(_ settings: ExecutionSettings, _ chosen: RunSelection) -> LaunchedRun {
    LaunchedRun(
      options: launch, settings: settings, selection: chosen, checkpointEvery: checkpointEvery,
      retryFailed: retryFailed, quiet: quiet, command: CommandLine.arguments.map(shellQuoted).joined(separator: " "))
  }

  /// Of an experiment that selects: the scripts of its trials.
  private func printScript(
    _ experiment: Experiment, _ settings: ExecutionSettings, _ folder: ResultsFolder, _ interruption: Interruption
  ) async throws {
    if fresh { throw UsageError("--fresh: --print-script removes nothing; leave one of them out") }
    let launched = launched(settings, try selection.selection(experiment))
    if let stage = try TuningStage(experiment, beside: folder) {
      _ = try await launched.start(stage.tuning.plan, stage.folder, interruption)
    } else {
      _ = try await launched.start(Plan(experiment), folder, interruption)
    }
  }

  /// Takes the chosen runs out of the results, and says how many there were.
  private func forget(_ chosen: RunSelection, of plan: Plan, _ folder: ResultsFolder) throws {
    let count = try folder.forget(Set(plan.runs.lazy.filter { chosen.selects($0, in: plan) }.map(\.id)))
    StandardError.write(
      "--fresh --only: \(count) finished \(count == 1 ? "run is" : "runs are") forgotten, the others stay")
  }

  private func run(
    _ plan: Plan, _ chosen: RunSelection, _ folder: ResultsFolder, _ interruption: Interruption
  ) async throws -> RunProgress {
    let checkpoints = Checkpoints(every: checkpointEvery.flatMap { CheckpointInterval($0) }) { StandardError.say($0) }
    let runner = Runner(
      plan, output: folder, library: DatasetFolder.standard(), jobs: jobs,
      selection: chosen, retriesFailed: retryFailed, checkpoints: checkpoints,
      calibrations: cache ? .standard() : CalibrationCache())
    let progress = ProgressReporter(ProgressStyle(quiet: quiet, color: color))
    progress.start()
    let collecting = PeriodicCollect(folder, every: collectEvery)
    defer {
      collecting.stop()
      progress.stop()
    }
    let end = try await runner.run(stop: { interruption.isAsked }, report: { progress.update($0) })
    progress.finish(end)
    return end
  }

  /// Says what a limit left.
  private func pause(_ end: RunProgress) throws {
    StandardError.write("--limit: \(end.left) of \(end.planned) runs are still to do; run again")
    throw End(.unfinished)
  }

  /// Says what to type to go on.
  private func stop(_ summary: CollectSummary, _ folder: ResultsFolder) throws {
    let done = summary.planned - summary.missing
    let command = CommandLine.arguments.filter { $0 != "--fresh" }
    let isPiped = command.contains { $0.hasPrefix("/dev/") || $0.hasPrefix("/proc/") }
    StandardError.write(
      "\(done) of \(summary.planned) runs are done and kept in \(folder.cube). Go on with"
        + (isPiped
          ? " the same command and the same experiment through the pipe"
          : ":\n  " + command.map(shellQuoted).joined(separator: " ")))
    throw End(.interrupted)
  }

  private func report(_ rows: ReportedRows, _ summary: CollectSummary, _ folder: ResultsFolder) throws {
    guard let report = rows.report else { return }
    warn(ofDamaged: summary.damaged, outside: summary.outside)
    StandardOutput.advise("The runs are kept: \"palimpsest report \(folder.cube)\" prints this again")
    json.print(report.text + "\n\n" + folder.cube, or: report.json.with("cube", JSONValue(folder.cube)))
    if report.failed + report.diverged > 0 || report.selection?.hasGaps == true { throw End(.someFailed) }
  }
}

extension JSONValue {
  /// An object with one more member.
  func with(_ key: String, _ value: JSONValue) -> JSONValue {
    var object = object ?? JSONObject()
    object[key] = value
    return JSONValue(object)
  }
}
