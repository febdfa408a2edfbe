import Foundation
import PalimpsestJSON
import PalimpsestRuns

/// A launch as the results folder and its engine have it at one moment.
public struct LaunchStatus: Sendable {
  public let record: LaunchRecord
  /// What the engine says of tasks that it knows.
  public let tasks: [TaskState]
  /// Why the engine says nothing; nil where it answered, or has nothing to answer.
  public let unanswered: String?
  /// Blocks that are taken or finished.
  public let leases: [LeaseState]

  public init(record: LaunchRecord, tasks: [TaskState], unanswered: String? = nil, leases: [LeaseState]) {
    self.record = record
    self.tasks = tasks
    self.unanswered = unanswered
    self.leases = leases
  }

  /// Asks the engine and reads the leases.
  /// - Throws: ``PalimpsestJSON/FileError``, ``PalimpsestJSON/Problems`` where the folder cannot be read; an engine that cannot be asked is
  ///   no error.
  public init(_ folder: ResultsFolder, _ record: LaunchRecord, calls: EngineCalls = EngineCalls()) async throws {
    var (tasks, problem): ([TaskState], String?) = ([], nil)
    if record.engine == "slurm" {
      do {
        tasks = try await SlurmLauncher(calls: calls).states(of: record)
      } catch {
        problem = String(describing: error)
      }
    }
    self.init(record: record, tasks: tasks, unanswered: problem, leases: try folder.leases(ofLaunch: record.number))
  }

  /// All launches of a folder, in order. The engine is asked about those that are not finished, and about the latest.
  /// - Throws: ``PalimpsestJSON/FileError``, ``PalimpsestJSON/Problems`` where the folder cannot be read.
  public static func all(_ folder: ResultsFolder, calls: EngineCalls = EngineCalls()) async throws -> [LaunchStatus] {
    var all: [LaunchStatus] = []
    let numbers = try folder.launchNumbers()
    for number in numbers {
      let record = try LaunchRecord(folder, number: number)
      let known = LaunchStatus(record: record, tasks: [], leases: try folder.leases(ofLaunch: number))
      let isFinished = known.doneBlocks >= record.blocks || record.isCancelled
      all.append(
        isFinished && number != numbers.last ? known : try await LaunchStatus(folder, record, calls: calls))
    }
    return all
  }

  /// Those of a folder's launches that have something left to do, or may have. The engine is asked about these alone.
  /// - Throws: ``PalimpsestJSON/FileError`` where the folder cannot be read. Damaged launches are passed over.
  public static func unfinished(_ folder: ResultsFolder, calls: EngineCalls = EngineCalls()) async throws
    -> [LaunchStatus]
  {
    var statuses: [LaunchStatus] = []
    for number in try folder.launchNumbers() {
      guard let record = try? LaunchRecord(folder, number: number) else { continue }
      let known = LaunchStatus(record: record, tasks: [], leases: try folder.leases(ofLaunch: number))
      if known.doneBlocks >= record.blocks || record.isCancelled { continue }
      statuses.append(try await LaunchStatus(folder, record, calls: calls))
    }
    return statuses
  }

  // MARK: - Counts

  /// Blocks that are finished, or set aside.
  public var doneBlocks: Int { leases.count { $0.isDone } }

  /// Blocks whose holder was heard of lately.
  public var live: [LeaseState] { leases.filter { !$0.isDone && $0.age < record.patience } }

  /// True once no worker is there and none will begin.
  ///
  /// Where an engine cannot be asked, that is known of what was cancelled or finished alone.
  public var isOver: Bool {
    if doneBlocks >= record.blocks || record.isCancelled { return true }
    switch record.engine {
    case "slurm": return unanswered == nil && !record.isBeingSubmitted && !tasks.contains { $0.phase != .ended }
    case "local": return LocalWorkers.isOver(record) ?? (live.isEmpty && !record.isBeingSubmitted)
    default: return false
    }
  }

  func count(_ phase: TaskState.Phase) -> Int { tasks.count { $0.phase == phase } }
}

extension LaunchRecord {
  /// Notes in the results folder that it was taken back: its runs are free for other launches.
  /// - Throws: ``PalimpsestJSON/FileError`` where the record cannot be written.
  public func markCancelled(in folder: ResultsFolder) throws(FileError) {
    var copy = self
    var object = resources.object ?? JSONObject()
    object["cancelled"] = JSONValue(Date().timeIntervalSince1970)
    copy.resources = JSONValue(object)
    try copy.write(to: folder)
  }
}
