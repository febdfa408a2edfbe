import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// Runs that stand in blocks of live launches.
struct RunsInLaunches {
  private var ids: Set<String> = []
  /// Those launches, as far as they have records.
  private(set) var records: [LaunchRecord] = []

  init(
    _ folder: ResultsFolder, _ numbers: [Int], _ plan: Plan, _ stored: StoredPlan, _ isOver: (LaunchRecord) -> Bool
  ) throws {
    let pinned = stored.pinned
    for number in numbers {
      let blocks = try RunsInLaunches.liveBlocks(folder, number, isOver)
      if blocks?.isEmpty ?? false { continue }
      let todo = try folder.todo(ofLaunch: number)
      let open = try Set(0..<todo.blocks).subtracting(folder.finishedBlocks(ofLaunch: number))
      let runs =
        try todo.plan == pinned
        ? plan.runs : todo.plan.plan(plan.experiment.catalog, file: folder.todoFile(number)).runs
      let live = blocks.map { open.intersection($0) } ?? open
      if live.isEmpty { continue }
      for block in live { for place in todo.places(ofBlock: block) { ids.insert(runs[place].id) } }
      if let record = try? LaunchRecord(folder, number: number) { records.append(record) }
    }
  }

  /// The engine's ids of those launches.
  var jobs: [String] { records.flatMap(\.jobs) }

  var isEmpty: Bool { ids.isEmpty }

  func holds(_ run: PlannedRun) -> Bool { ids.contains(run.id) }

  /// - Returns: nil where all blocks are that are not finished.
  private static func liveBlocks(
    _ folder: ResultsFolder, _ number: Int, _ isOver: (LaunchRecord) -> Bool
  ) throws -> Set<Int>? {
    guard Files.exists(folder.launchFile(number)) else {
      let age = Date().timeIntervalSince1970 - SystemCalls.changedExactly(folder.todoFile(number))
      return abs(age) < LaunchRecord.secondsToMake ? nil : []
    }
    let record = try LaunchRecord(folder, number: number)
    guard isOver(record) else { return nil }
    let held = try folder.leases(ofLaunch: number).filter { !$0.isDone && $0.age < record.patience }
    return Set(held.map(\.block))
  }
}

extension ResultsFolder {
  /// Asked before runs are done by who takes no leases.
  /// - Parameters:
  ///   - selection: of the plan's runs.
  ///   - isOver: whether no worker of a launch is there and none will begin.
  /// - Throws: ``BusyError`` where a run that is to be done stands in a block of a live launch; ``PalimpsestJSON/FileError`` where the folder
  ///   cannot be read. A launch that is damaged has no workers: they refuse it.
  public func checkNoLaunchHas(
    _ plan: Plan, _ selection: RunSelection, retryFailed: Bool, isOver: (LaunchRecord) -> Bool
  ) throws {
    let numbers = try takenLaunchNumbers()
    if numbers.isEmpty { return }
    let stored = StoredPlan(plan)
    let launches = numbers.compactMap { try? RunsInLaunches(self, [$0], plan, stored, isOver) }.filter { !$0.isEmpty }
    if launches.isEmpty { return }
    let done = try JournalIndex(folder: journalFolder).settled(retryFailed: retryFailed)
    let undone = plan.runs.filter { selection.selects($0, in: plan) && !done.contains($0.id) }
    let count = undone.count { run in launches.contains { $0.holds(run) } }
    if count > 0 { throw BusyError(self, runs: count, in: launches.flatMap(\.records)) }
  }
}
