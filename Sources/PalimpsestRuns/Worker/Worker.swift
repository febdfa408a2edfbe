import Foundation
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON

/// A process that does runs of a launch: it takes block after block, journals each run, and ends where nothing is left to take.
///
/// It reads the launch's record and todo, its leases, and of other journals alone those of blocks it takes over. It neither collects nor
/// reports, and the cube is nothing to it. Each of its threads takes blocks of its own, so none waits for another.
public struct Worker: Sendable {
  public let place: WorkerPlace
  public let record: LaunchRecord
  private let output: ResultsFolder
  private let plan: Plan
  private let todo: LaunchTodo
  private let provenance: Provenance
  private let calibrations: CalibrationCache
  private let note: @Sendable (String) -> Void

  /// Seconds between two touches of a lease.
  private static let secondsToKeep = 10.0

  /// - Parameters:
  ///   - catalog: what the names in the plan mean.
  ///   - note: told what a user should know.
  /// - Throws: ``PalimpsestJSON/FileError`` where the launch is not there; ``PalimpsestJSON/Problems`` where it is damaged, of a later
  ///   version or not for this program.
  /// - Cost: reads the record and the todo, and makes the plan's configurations; nothing of it grows with the runs but four bytes each.
  public init(
    _ output: ResultsFolder, _ place: WorkerPlace, catalog: Catalog, provenance: Provenance = .current,
    calibrations: CalibrationCache = CalibrationCache(), note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.output, self.place, self.provenance) = (output, place, provenance)
    (self.calibrations, self.note) = (calibrations, note)
    record = try LaunchRecord(output, number: place.launch)
    todo = try output.todo(ofLaunch: place.launch)
    plan = try todo.plan.plan(catalog, file: output.todoFile(place.launch))
  }

  /// - Parameters:
  ///   - stop: may ask it to end.
  ///   - whenOverdue: ends the process: the blocks are given back, and a run in hand would take too long.
  /// - Throws: ``PreparationError`` where a scenario cannot be prepared or data are not what was submitted, ``PalimpsestJSON/FileError``
  ///   where nothing can be written, ``PalimpsestJSON/Problems``. Blocks in hand were given back.
  public func run(stop: WorkerStop, whenOverdue: @escaping @Sendable () -> Void) async throws -> WorkerEnd {
    let library = DatasetFolder(record.dataFolder.split(separator: ":").map(String.init))
    let shift = Shift(
      output, provenance, record, jobs: place.jobs, Preparation(plan, library, calibrations, note: note), note: note)
    let streams = SharedStreams(workers: place.jobs)
    let ticker = ticker(shift, stop, whenOverdue)
    await Workers.run(place.jobs) { thread in
      var work = BlockWork(self.thread(thread, shift, streams, stop))
      work.run()
    }
    ticker.stop()
    shift.release()
    shift.forgetHand()
    try shift.sync()
    shift.writeSum()
    var end = try shift.end()
    end.stopped = stop.reason
    return end
  }

  private func ticker(_ shift: Shift, _ stop: WorkerStop, _ whenOverdue: @escaping @Sendable () -> Void) -> Ticker {
    let every = min(Worker.secondsToKeep, record.patience / 6)
    let pause = min(1, every)
    let keeping = DueTime(every: .seconds(every - pause / 2))
    return Ticker(every: pause) {
      if keeping.isDue() { shift.keep() }
      do throws(FileError) { try shift.sync() } catch { shift.fail(error) }
      guard stop.isOverdue else { return }
      shift.release()
      shift.forgetHand()
      whenOverdue()
    }
  }

  private func thread(_ number: Int, _ shift: Shift, _ streams: SharedStreams, _ stop: WorkerStop) -> BlockWork.Place {
    let checkpoints = Checkpoints(every: record.checkpointEvery.flatMap { CheckpointInterval($0) }, note: note)
    return BlockWork.Place(
      shift: shift, plan: plan, todo: todo, output: output, stop: stop, thread: number, leases: leases(number, shift),
      note: note,
      execution: RunExecution(plan, output, provenance, checkpoints, streams, worker: number))
  }

  /// Worker k of W begins at block ⌊k·B/W⌋; a worker is a thread here.
  private func leases(_ thread: Int, _ shift: Shift) -> BlockLeases {
    let holder = LeaseHolder(
      host: provenance.host, process: provenance.process, task: place.task, thread: thread, job: place.job,
      restart: place.start)
    let all = max(1, record.tasks * place.jobs)
    let start = (place.task * place.jobs + thread) % all * todo.blocks / all
    let earlier = EarlierJournals(folder: output.journalFolder)
    let journals = BlockLeases.Journals(
      own: {
        let journal = try shift.journal()
        return (Paths.last(of: journal.path), journal.length)
      },
      done: { block, leases in
        try earlier.done(of: Set(todo.places(ofBlock: block).map { plan.runs[$0].id }), leases)
      },
      leftWord: { [output] holder in
        Lease.journals(of: [holder]).contains { Casualties.hasWord(RunsInHand.file(output, ofJournal: $0)) }
      })
    return BlockLeases(
      LeaseFiles(output, launch: place.launch), holder, blocks: todo.blocks, start: start,
      patience: record.patience, journals)
  }
}
