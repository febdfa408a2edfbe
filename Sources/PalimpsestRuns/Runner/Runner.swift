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
    let (others, suspects) = casualties.parted(plan.sharingData(Array(undone.prefix(selection.limit ?? undone.count))))
    let pending = others + suspects
    let planned = selection.count(in: plan)
    let progress = RunProgress(
      planned: planned, done: planned - undone.count, repeated: repeated, left: undone.count - pending.count,
      generation: generation)
    if pending.isEmpty { return progress }
    let scenarios = try prepare(pending)
    let journal = try JournalWriter(folder: output.journalFolder, host: provenance.host)
    let writer = ProgressWriter(output, provenance)
    let queue = RunQueue(others, last: suspects, known, jobs: jobs, writer, progress, sharing: plan.sharing)
    report(progress)
    let watch = PlanWatch(output, generation: generation)
    let ticker = Ticker {
      keep(journal, writer, queue)
      watch.look()
    }
    let summing = Ticker(every: 60) { try? journal.writeSum() }
    let sweep = Sweep(
      scenarios: scenarios, journal: journal, writer: writer, queue: queue, casualties: casualties,
      streams: SharedStreams(workers: jobs), inHand: RunsInHand(output, journal, workers: jobs))
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
    var execution = RunExecution(plan, output, provenance, checkpoints, sweep.streams, worker: worker)
    sweep.inHand.watching(worker: worker) {
      while let run = sweep.queue.next(worker: worker, stop: stop) {
        sweep.inHand.take(run.id, worker: worker)
        let ended = execution.execute(
          run, sweep.scenarios, stop: stop,
          progress: { sweep.writer.update(worker: worker, task: $0.task, of: $0.of, examples: $0.examples) },
          check: { try sweep.casualties.check(run.id, checkpoints.note) })
        guard let ended else { break }
        sweep.queue.close(ended.entry.record.status, worker: worker, report) { () throws(FileError) in
          try execution.write(ended, to: sweep.journal)
          sweep.casualties.settle(run.id)
        }
      }
    }
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

  /// The scenarios of these runs.
  private func prepare(_ pending: [PlannedRun]) throws -> PreparedScenarios {
    var preparation = Preparation(plan, library, calibrations, note: checkpoints.note)
    try preparation.add(Set(pending.map(\.configuration)).sorted(), jobs: jobs)
    try output.keep(inputs: preparation.digests)
    return preparation.scenarios
  }
}
