import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestScenarios
import PalimpsestStrategies

/// Runs what a plan describes and the journal does not hold yet, several runs at a time. Results do not depend on how many.
public struct Runner: Sendable {
  public let plan: Plan
  public let output: ResultsFolder
  public let library: any DatasetLibrary
  /// Runs at a time.
  public let jobs: Int
  /// Whether runs that failed or diverged are done again.
  public let retriesFailed: Bool
  /// The runs this call is about.
  public let selection: RunSelection
  public let provenance: Provenance
  /// Whether and how runs in hand are saved.
  public let checkpoints: Checkpoints
  /// What scenarios have worked out before.
  public let calibrations: CalibrationCache

  public init(
    _ plan: Plan, output: ResultsFolder, library: any DatasetLibrary, jobs: Int, selection: RunSelection = .all,
    retriesFailed: Bool = false, provenance: Provenance = .current, checkpoints: Checkpoints = Checkpoints(),
    calibrations: CalibrationCache = CalibrationCache()
  ) {
    self.checkpoints = checkpoints
    self.calibrations = calibrations
    self.plan = plan
    self.output = output
    self.library = library
    self.jobs = max(1, jobs)
    self.selection = selection
    self.retriesFailed = retriesFailed
    self.provenance = provenance
  }

  /// Other processes may work on the same plan meanwhile: each run is done by one of them, as far as can be helped.
  ///
  /// - Parameters:
  ///   - stop: asked before each run; once it says true the runs in hand are finished and no others begin.
  ///   - report: called before the first run, then from the workers after each, one at a time.
  /// - Returns: how many runs were done before, and how those of this call ended.
  /// - Throws: ``PreparationError`` where a scenario cannot be prepared, ``PalimpsestJSON/FileError`` where nothing can be written,
  ///   ``PalimpsestJSON/Problems`` where an earlier plan is damaged, ``OtherPlanError`` where another process puts another plan here
  ///   meanwhile: what was finished is kept.
  public func run(
    stop: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (RunProgress) -> Void
  ) async throws -> RunProgress {
    let generation = try prepareFolder()
    let known = try KnownRuns(output, provenance, retryFailed: retriesFailed)
    checkpoints.tidy(output, finished: known.done)
    let casualties = Casualties(output, provenance, done: known.done)
    noteMissingModels(known)
    let (undone, repeated) = pendingRuns(known)
    let pending = casualties.last(sharingData(Array(undone.prefix(selection.limit ?? undone.count))))
    let planned = selection.count(in: plan)
    let progress = RunProgress(
      planned: planned, done: planned - undone.count, repeated: repeated, left: undone.count - pending.count,
      generation: generation)
    if pending.isEmpty { return progress }
    let scenarios = try prepare(pending)
    let journal = try JournalWriter(folder: output.journalFolder, host: provenance.host)
    let writer = ProgressWriter(output, provenance)
    let queue = RunQueue(pending, known, jobs: jobs, writer, progress)
    report(progress)
    let watch = PlanWatch(output, generation: generation)
    let ticker = Ticker {
      keep(journal, writer, queue)
      watch.look()
    }
    let summing = Ticker(every: 60) { try? journal.writeSum() }
    let sweep = Sweep(
      scenarios: scenarios, journal: journal, writer: writer, queue: queue, casualties: casualties,
      streams: SharedStreams(workers: jobs), inHand: RunsInHand(output, provenance, workers: jobs))
    let stop: @Sendable () -> Bool = { stop() || watch.isReplaced }
    await Workers.run(min(jobs, pending.count)) { work(sweep, worker: $0, stop: stop, report: report) }
    ticker.stop()
    summing.stop()
    keep(journal, writer, queue)
    try? journal.writeSum()
    writer.remove()
    sweep.inHand.remove()
    let end = try queue.outcome(journal.path)
    try watch.check()
    return end
  }

  /// What the workers of a sweep share.
  private struct Sweep: Sendable {
    let scenarios: PreparedScenarios
    let journal: JournalWriter
    let writer: ProgressWriter
    let queue: RunQueue
    let casualties: Casualties
    let streams: SharedStreams
    let inHand: RunsInHand
  }

  /// Takes one run after the other until none is left or it is told to stop.
  private func work(
    _ sweep: Sweep, worker: Int, stop: @escaping @Sendable () -> Bool, report: @escaping @Sendable (RunProgress) -> Void
  ) {
    var settings = SettingsRead(plan)
    var lines = EntryWriter()
    sweep.inHand.watching(worker: worker) {
      while let run = sweep.queue.next(worker: worker, stop: stop) {
        sweep.inHand.take(run.id, worker: worker)
        let ended = execute(run, worker: worker, sweep.writer, stop: stop) {
          try sweep.casualties.check(run.id, checkpoints.note)
          return try makeRun(run, &settings, sweep.scenarios, sweep.streams)
        }
        guard let (entry, model) = ended else { break }
        sweep.queue.close(entry.record.status, worker: worker, report) { () throws(FileError) in
          try model?.write(to: output)
          try sweep.journal.append(lines.line(entry), of: entry)
          checkpoints.remove(run.id, in: output)
          sweep.casualties.settle(run.id)
        }
      }
    }
  }

  /// A run before its first step.
  private func makeRun(
    _ run: PlannedRun, _ settings: inout SettingsRead, _ scenarios: PreparedScenarios, _ streams: SharedStreams
  ) throws -> Run {
    let planned = plan.configurations[run.configuration]
    let data = streams.stream(scenario: planned.places.scenario, seed: run.seed) {
      Run.data(of: scenarios[planned], seed: run.seed)
    }
    let configuration = settings.configuration(of: run)
    let probes = plan.configurations.pool.catalog.probes.filter { $0.looks(at: configuration.scenario) }
    return try Run(configuration, data: data, seed: run.seed, probes: probes)
  }

  /// The plan and the folders; what dead processes left there goes.
  /// - Returns: the plan's generation.
  private func prepareFolder() throws -> Int {
    let generation = try output.keep(StoredPlan(plan)).generation
    try Files.makeFolder(output.progressFolder)
    try output.removeTraces(of: provenance.host, at: Date().timeIntervalSince1970)
    return generation
  }

  /// Models that are asked for once their runs are done are not there, and no run is done again for them.
  private func noteMissingModels(_ known: KnownRuns) {
    guard plan.experiment.outputSettings.keep.contains(.model) else { return }
    let (completed, kept) = (known.completed, Set((try? Files.names(in: output.detailFolder)) ?? []))
    let missing = Set(plan.runs.lazy.filter { selection.selects($0, in: plan) }.map(\.id))
      .filter { completed.contains($0) && !kept.contains("\($0).model") }
    if missing.isEmpty { return }
    checkpoints.note(
      "output.keep: \(missing.count) finished \(missing.count == 1 ? "run has" : "runs have") no kept model, for models are "
        + "kept when a run ends. --fresh does all runs again, another --output keeps these beside them")
  }

  /// Once a second: the journal to the disk, the progress file anew.
  private func keep(_ journal: JournalWriter, _ writer: ProgressWriter, _ queue: RunQueue) {
    do throws(FileError) {
      try journal.sync()
    } catch {
      return queue.fail(error)
    }
    do throws(FileError) {
      try writer.publish()
    } catch {
      if !Files.exists(journal.path) { queue.fail(journal.isGone) }
    }
  }

  /// Selected runs that are to be done, in plan order; runs of equal identity once.
  private func pendingRuns(_ known: KnownRuns) -> (runs: [PlannedRun], repeated: Int) {
    var met: Set<String> = []
    let undone = plan.runs.filter { selection.selects($0, in: plan) && !known.isDone($0.id) }
    let runs = undone.filter { met.insert($0.id).inserted }
    return (runs, undone.count - runs.count)
  }

  /// In the order in which they are begun: those that share their data follow each other, scenario by scenario, seed by
  /// seed.
  private func sharingData(_ runs: [PlannedRun]) -> [PlannedRun] {
    let scenarios = ranks(runs.lazy.map { plan.configurations[$0.configuration].places.scenario })
    let seeds = ranks(runs.lazy.map(\.seed))
    return runs.indices
      .sorted { (scenarios[$0], seeds[$0], $0) < (scenarios[$1], seeds[$1], $1) }
      .map { runs[$0] }
  }

  /// - Returns: nil where the run was saved and left, because `stop` said so.
  private func execute(
    _ run: PlannedRun, worker: Int, _ writer: ProgressWriter, stop: () -> Bool, make: () throws -> Run
  ) -> (JournalEntry, KeptModel?)? {
    let started = Date().timeIntervalSince1970
    let record: RunRecord
    var model: KeptModel?
    do {
      let ended = try checkpoints.execute(
        run.id, in: output, stop: stop,
        progress: { writer.update(worker: worker, task: $0.task, of: $0.of, examples: $0.examples) }, make: make)
      guard let ended else { return nil }
      record = ended.finishedRecord
      model = KeptModel(ended, run.id, plan.experiment.outputSettings, checkpoints.note)
    } catch {
      var failed = RunRecord(status: .failed, tasks: [])
      failed.error = String(describing: error)
      record = failed
    }
    let entry = JournalEntry(
      runID: run.id, record: record, started: started, host: provenance.host,
      worker: "\(provenance.host)-\(provenance.process)-\(worker)", instructionSet: KernelTable.name,
      toolkitVersion: provenance.version, gitCommit: provenance.gitCommit, toolkitCommit: provenance.toolkitCommit)
    return (entry, model)
  }

  /// The scenarios of these runs.
  private func prepare(_ pending: [PlannedRun]) throws -> PreparedScenarios {
    let library = RecordingLibrary(library)
    var prepared = PreparedScenarios()
    var networks = NetworkCheck(plan)
    var compositions = CompositionCheck()
    var streams = StreamCheck()
    let configurations = Set(pending.map(\.configuration)).sorted()
    workOut(configurations)
    for index in configurations {
      let configuration = plan.configurations[index]
      let ready = try prepared.scenario(for: configuration) {
        try prepare(configuration.resolved, from: library, label: configuration.scenarioLabel)
      }
      try networks.check(configuration, ready.outlook.shape, ready.outlook.experiences)
      try streams.check(configuration, ready)
      try compositions.check(configuration, ready.outlook.shape)
    }
    try output.keep(inputs: library.digests)
    return prepared
  }

  /// Different scenarios are calibrated beside each other, where runs are.
  private func workOut(_ configurations: [Int]) {
    var met: Set<Int32> = []
    let first = configurations.filter { met.insert(plan.configurations[$0].places.scenario).inserted }
    calibrations.workOut(first.map { plan.configurations[$0].resolved.scenario }, jobs: jobs)
  }

  private func prepare(
    _ configuration: ResolvedConfiguration, from library: any DatasetLibrary, label: String
  ) throws -> any PreparedScenario {
    do {
      let prepared = try calibrations.prepare(
        configuration.scenario, from: library, forPeople: configuration.personal != nil)
      for remark in prepared.remarks { checkpoints.note("scenarios.\(label): \(remark)") }
      return prepared
    } catch let error as ScenarioError {
      guard let name = error.parameter else {
        throw PreparationError(kind: .settings, "scenarios.\(label): \(error.description)")
      }
      throw PreparationError(ScenarioParameter(label: label, name: name), error.description)
    } catch let error as DatasetError {
      if let name = error.parameter {
        throw PreparationError(ScenarioParameter(label: label, name: name), error.problem)
      }
      throw PreparationError(
        kind: error.kind == .missing ? .missing : .settings, "scenarios.\(label): \(error.description)")
    }
  }
}

/// Numbers that stand for equal values, in the order in which these come first.
private func ranks<Value: Hashable>(_ values: some Sequence<Value>) -> [Int] {
  var known: [Value: Int] = [:]
  return values.map { value in
    let rank = known[value] ?? known.count
    known[value] = rank
    return rank
  }
}

/// The settings of configurations that a worker has read: that takes a tenth of a millisecond, and runs of a seed go through
/// the same ones again.
private struct SettingsRead {
  /// More are forgotten.
  private static let most = 1024
  private let plan: Plan
  private var known: [Int: ResolvedConfiguration] = [:]

  init(_ plan: Plan) { self.plan = plan }

  mutating func configuration(of run: PlannedRun) -> ResolvedConfiguration {
    if let settings = known[run.configuration] { return settings }
    if known.count == SettingsRead.most { known = [:] }
    let settings = plan.configurations[run.configuration].resolved
    known[run.configuration] = settings
    return settings
  }
}
