import Foundation
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON

/// Makes launches: what is still to do of a plan and in no live launch's hand, cut into blocks, with all that workers need pinned
/// beside it. Nothing is submitted here.
public struct LaunchPlanner {
  private let plan: Plan
  private let folder: ResultsFolder
  private let request: LaunchRequest
  private let library: DatasetFolder
  private let calibrations: CalibrationCache
  private let note: @Sendable (String) -> Void
  private let isOver: (LaunchRecord) -> Bool

  /// Puts plan, todo, folders, program and record in place.
  ///
  /// The scenarios are prepared and everything is checked as before a run, so what is wrong is said here and not by a thousand tasks. Of two
  /// that do this at once the second sees what the first has taken.
  /// - Parameters:
  ///   - isOver: whether the engine has nothing more to do for a launch; what its leases still hold counts as in hand all the same.
  ///   - note: told what a user should know.
  /// - Throws: what ``Runner`` throws before the first run; ``PalimpsestJSON/FileError`` where something cannot be written;
  ///   ``PalimpsestJSON/Problems`` where an earlier launch is damaged.
  /// - Cost: reads the journals' heads, prepares each scenario once, copies the program: seconds.
  public static func prepare(
    _ plan: Plan, _ folder: ResultsFolder, _ request: LaunchRequest, library: DatasetFolder,
    calibrations: CalibrationCache = CalibrationCache(), note: @escaping @Sendable (String) -> Void = { _ in },
    isOver: (LaunchRecord) -> Bool
  ) throws -> LaunchPreparation {
    try withoutActuallyEscaping(isOver) { isOver in
      try LaunchPlanner(
        plan: plan, folder: folder, request: request, library: library, calibrations: calibrations, note: note,
        isOver: isOver
      ).prepare()
    }
  }

  /// The record that ``prepare(_:_:_:library:calibrations:note:isOver:)`` would make now: nothing is written, and no data are read.
  /// - Throws: ``PalimpsestJSON/FileError``, ``PalimpsestJSON/Problems`` where what is there cannot be read.
  public static func preview(
    _ plan: Plan, _ folder: ResultsFolder, _ request: LaunchRequest, library: DatasetFolder,
    isOver: (LaunchRecord) -> Bool
  ) throws -> LaunchPreparation {
    try withoutActuallyEscaping(isOver) { isOver in
      try LaunchPlanner(
        plan: plan, folder: folder, request: request, library: library, calibrations: CalibrationCache(),
        note: { _ in }, isOver: isOver
      ).preview()
    }
  }

  private func preview() throws -> LaunchPreparation {
    let (undone, seen) = (try undoneRuns(), try folder.takenLaunchNumbers())
    let others = try RunsInLaunches(folder, seen, plan, StoredPlan(plan), isOver)
    let runs = undone.filter { !others.holds($0) }
    if runs.isEmpty { return .nothing(nothing(undone, others)) }
    let blocks = self.blocks(plan.sharingData(Array(runs.prefix(request.selection.limit ?? runs.count))))
    let program = try folder.pinnedPath(of: request.program, Files.read(request.program))
    return .launch(
      record((seen.last ?? 0) + 1, try folder.generations.last ?? 0, blocks, inputs: [:], program: program))
  }

  private func nothing(_ undone: [PlannedRun], _ others: RunsInLaunches) -> NothingToSubmit {
    NothingToSubmit(planned: request.selection.count(in: plan), inHand: undone.count, jobs: others.jobs)
  }

  private func prepare() throws -> LaunchPreparation {
    let stored = StoredPlan(plan)
    let generation = try folder.keep(stored).generation
    try Files.makeFolder(folder.launchFolder)
    let undone = try undoneRuns()
    for _ in 0..<10 {
      let seen = try folder.takenLaunchNumbers()
      let others = try RunsInLaunches(folder, seen, plan, stored, isOver)
      let runs = undone.filter { !others.holds($0) }
      if runs.isEmpty { return .nothing(nothing(undone, others)) }
      let inputs = try checkedInputs(runs)
      let blocks = self.blocks(plan.sharingData(Array(runs.prefix(request.selection.limit ?? runs.count))))
      guard let number = try claim(LaunchTodo.bytes(stored, blocks) { plan.runs[$0].id }, besides: seen) else {
        continue
      }
      return .launch(try record(number, generation, blocks, inputs))
    }
    throw FileError(.unwritable, "\(folder.launchFolder): other launches are being made here without end; try again")
  }

  /// Runs that are asked for and not done; those of equal identity once.
  private func undoneRuns() throws -> [PlannedRun] {
    var met = try JournalIndex(folder: folder.journalFolder).settled(retryFailed: request.retryFailed)
    return plan.runs.filter { request.selection.selects($0, in: plan) && met.insert($0.id).inserted }
  }

  /// Prepares the scenarios, for what is wrong with them.
  /// - Returns: the digests of their data sets.
  private func checkedInputs(_ runs: [PlannedRun]) throws -> [String: String] {
    var preparation = Preparation(plan, library, calibrations, note: note)
    try preparation.add(
      Set(runs.map(\.configuration)).sorted(), jobs: ProcessInfo.processInfo.activeProcessorCount)
    try folder.keep(inputs: preparation.digests)
    return preparation.digests
  }

  private func blocks(_ runs: [PlannedRun]) -> [[Int]] {
    let longest = request.secondsPerRun.map { min(1e9, request.blockSeconds / max($0, 1e-6)) } ?? 1e9
    let sharing = plan.sharing(runs).flatMap { repeatElement($0, count: $0.count) }
    let ranges = BlockSizes.ranges(
      runs: runs.count, workers: request.tasks * request.jobs, longest: Int(longest), sharing: sharing)
    return ranges.map { runs[$0].map(\.index) }
  }

  /// Gives the todo the next number.
  /// - Returns: nil where another launch has been made meanwhile.
  private func claim(_ todo: [UInt8], besides seen: [Int]) throws(FileError) -> Int? {
    let number = (seen.last ?? 0) + 1
    guard try Files.create(folder.todoFile(number), with: todo) else { return nil }
    if try folder.takenLaunchNumbers().filter({ $0 < number }) == seen { return number }
    SystemCalls.unlink(folder.todoFile(number))
    return nil
  }

  private func record(
    _ number: Int, _ generation: Int, _ blocks: [[Int]], _ inputs: [String: String]
  ) throws(FileError) -> LaunchRecord {
    for path in [folder.leaseFolder(number), folder.doneFolder(number), folder.launchLogFolder(number)] {
      try Files.makeFolder(path)
    }
    let program = try folder.pin(program: request.program)
    let record = record(number, generation, blocks, inputs: inputs, program: program)
    try record.write(to: folder)
    return record
  }

  /// Tasks that would find no block are left out.
  private func record(
    _ number: Int, _ generation: Int, _ blocks: [[Int]], inputs: [String: String], program: String
  ) -> LaunchRecord {
    var record = LaunchRecord(
      number: number, generation: generation, engine: request.engine, blocks: blocks.count,
      runs: blocks.reduce(0) { $0 + $1.count }, tasks: min(request.tasks, blocks.count), program: program,
      dataFolder: library.folders.map(Paths.absolute).joined(separator: ":"), inputs: inputs,
      checkpointEvery: request.checkpointEvery, retryFailed: request.retryFailed, resources: request.resources,
      command: request.command, user: NSUserName(), host: Provenance.hostName, time: Date().timeIntervalSince1970,
      version: Provenance.programVersion)
    record.patience = request.patience
    record.jobs = request.job.map { [$0] } ?? []
    return record
  }
}
