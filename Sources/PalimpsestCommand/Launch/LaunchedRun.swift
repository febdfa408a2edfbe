import Foundation
import Palimpsest
import PalimpsestCube
import PalimpsestLaunch

/// `palimpsest run FILE --launcher …`: the runs of a plan are handed to workers that an engine starts.
struct LaunchedRun {
  let options: LaunchOptions
  let settings: ExecutionSettings
  let selection: RunSelection
  let checkpointEvery: String?
  let retryFailed: Bool
  let quiet: Bool
  /// The command line, as it is kept with the launch.
  let command: String

  /// What came of it.
  enum Outcome {
    /// The results can be collected: they are complete, or all workers have ended.
    case ended
    /// Workers are at it, or will be.
    case underWay
  }

  /// Submits what is still to do and in nobody's hand, and waits where that is asked for.
  func start(_ plan: Plan, _ folder: ResultsFolder, _ interruption: Interruption) async throws -> Outcome {
    let isOver = try await LaunchedRun.isOver(folder)
    let (request, needs) = try request(plan, folder)
    if options.printScript {
      try printScript(plan, folder, request, needs, isOver)
      throw End(.done)
    }
    try folder.checkNoProcessWorks()
    let library = DatasetFolder.standard()
    switch try LaunchPlanner.prepare(
      plan, folder, request, library: library, calibrations: .standard(), note: { StandardError.write($0) },
      isOver: isOver)
    {
    case .nothing(let reason):
      StandardError.write("\(reason)")
      if reason.inHand == 0 { return .ended }
    case .launch(let record):
      if settings.who == .local {
        try await LocalRun(folder: folder, record: record, cpus: needs.cpus, quiet: quiet).untilOver(interruption)
        return .ended
      }
      try await submit(work(record, folder, needs, plan))
    }
    guard options.wait else { return .underWay }
    return try await LaunchWait(folder: folder, quiet: quiet).untilOver(interruption)
  }

  /// Which launches of a folder are over, as its engines say now. One that comes later is not.
  static func isOver(_ folder: ResultsFolder) async throws -> (LaunchRecord) -> Bool {
    let live = Set(try await LaunchStatus.unfinished(folder).filter { !$0.isOver }.map(\.record.number))
    let known = Set(try folder.launchNumbers())
    return { known.contains($0.number) && !live.contains($0.number) }
  }

  /// The same, and collects once that is of use.
  /// - Parameter rows: is given what the runs measured.
  /// - Throws: ``End`` where workers are under way, or have ended and left runs.
  func results(
    _ plan: Plan, _ folder: ResultsFolder, _ interruption: Interruption, for rows: (any RowReader)? = nil
  ) async throws -> CollectSummary {
    guard try await start(plan, folder, interruption) == .ended else { throw End(.done) }
    let summary = try folder.collect(
      metrics: PalimpsestTool.catalog.accuracyMetrics, generation: try folder.generations.last ?? 0,
      note: { StandardError.write($0) }, for: rows.map { [$0] } ?? [])
    if settings.who == .local, interruption.isAsked, summary.missing > 0 {
      StandardError.write(
        "\(summary.planned - summary.missing) of \(summary.planned) runs are done and kept in \(folder.cube); the same command goes on"
      )
      throw End(.interrupted)
    }
    guard selection.isWhole, summary.missing > 0 else { return summary }
    StandardError.write(
      "\(summary.missing) of \(summary.planned) runs are missing: palimpsest logs \(shellQuoted(folder.cube)) --failed "
        + "shows why; palimpsest resubmit \(shellQuoted(folder.cube)) submits them")
    throw End(.unfinished)
  }

  // MARK: - What is asked for

  /// What a worker needs is estimated as `expand` does.
  private func request(_ plan: Plan, _ folder: ResultsFolder) throws -> (LaunchRequest, TaskNeeds) {
    let summary = PlanSummary(plan, finished: try folder.finishedSeconds())
    var seconds: Double?
    var bytes = 0
    if case .estimate(let estimate) = try EstimateResult(summary, jobs: settings.task.cpus) {
      let runs = estimate.pairs.reduce(0) { $0 + $1.runsLeft }
      if runs > 0 { seconds = estimate.pairs.reduce(0) { $0 + Double($1.runsLeft) * $1.secondsPerRun } / Double(runs) }
      bytes = estimate.bytes
    }
    let needs = TaskNeeds(settings.task, estimatedBytes: bytes)
    var request = LaunchRequest(
      engine: engine, tasks: tasks,
      program: Bundle.main.executablePath ?? CommandLine.arguments[0], command: command)
    request.job = engine == "local" ? LocalWorkers.job : nil
    request.jobs = needs.cpus
    request.blockSeconds = settings.block.seconds
    request.secondsPerRun = seconds
    request.checkpointEvery = checkpointEvery
    request.retryFailed = retryFailed
    request.selection = selection
    request.resources = settings.submitted(needs)
    return (request, needs)
  }

  /// On this machine as many as it has processors for, unless something else is said.
  private var tasks: Int {
    let fitting = max(1, ProcessInfo.processInfo.activeProcessorCount / settings.task.cpus)
    return settings.slurm.tasks ?? (settings.who == .local ? fitting : settings.slurm.atOnce)
  }

  private var engine: String {
    switch settings.who {
    case .slurm: "slurm"
    case .script: "script"
    case .local, .none: "local"
    }
  }

  private func work(_ record: LaunchRecord, _ folder: ResultsFolder, _ needs: TaskNeeds, _ plan: Plan) -> SubmittedWork
  {
    SubmittedWork(
      folder: ResultsFolder(Paths.absolute(folder.folder)), record: record, settings: settings, needs: needs,
      experiment: plan.experiment.name)
  }

  // MARK: - Handing over

  /// Where that fails the launch is taken back, so that its runs are free.
  private func submit(_ work: SubmittedWork) async throws {
    do {
      let record = try await launcher().submit(work)
      if case .script = settings.who {
        StandardOutput.write(record.script)
        StandardError.write("launch \(record.number): this is its script; hand it to your engine")
      } else {
        print(submitted(record, work))
      }
    } catch {
      try work.record.markCancelled(in: work.folder)
      throw error
    }
  }

  private func launcher() throws -> any Launcher {
    if case .script(let name) = settings.who { return try ScriptLauncher(name) }
    return SlurmLauncher { StandardError.write($0) }
  }

  private func submitted(_ record: LaunchRecord, _ work: SubmittedWork) -> String {
    let jobs = record.jobs.map { "job \($0)" }.joined(separator: ", ")
    let results = shellQuoted(work.folder.cube)
    return """
      launch \(record.number): \(jobs): \(counted(record.tasks, "task")) for \(counted(record.runs, "run")) in \
      \(counted(record.blocks, "block"))
      palimpsest status \(results)
      palimpsest cancel \(results) --launch \(record.number)
      """
  }

  private func printScript(
    _ plan: Plan, _ folder: ResultsFolder, _ request: LaunchRequest, _ needs: TaskNeeds,
    _ isOver: (LaunchRecord) -> Bool
  ) throws {
    switch try LaunchPlanner.preview(plan, folder, request, library: .standard(), isOver: isOver) {
    case .nothing(let reason): StandardError.write("\(reason)")
    case .launch(let record):
      let work = work(record, folder, needs, plan)
      if case .script(let name) = settings.who {
        StandardOutput.write(try ScriptTemplate(name).script(work))
      } else {
        StandardOutput.write(try SlurmScript(work, mostTasks: SlurmScript.usualMostTasks).text)
      }
    }
  }
}

extension ExecutionSettings {
  /// As a launch record keeps them: with what "auto" came to.
  func submitted(_ needs: TaskNeeds) -> JSONValue {
    var object = resolved(self)
    object["cpus"] = JSONValue(needs.cpus)
    object["megabytes"] = JSONValue(needs.megabytes)
    object["minutes"] = JSONValue(needs.minutes)
    return JSONValue(object)
  }
}

extension ExecutionSettings {
  /// What a launch was submitted with.
  static func given(_ record: LaunchRecord) -> Component {
    let names = Set(ExecutionSettings.declaredParameters.map(\.name))
    let members = (record.resources.object ?? JSONObject()).members.filter { names.contains($0.key) }
    return Component(given: members.elements.reduce(into: [:]) { $0[$1.key] = $1.value.value.parameterValue })
  }
}
