import Foundation
import PalimpsestJSON
import PalimpsestRuns
import Subprocess
import Synchronization

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The engine of one machine: starts the workers of a launch as processes, and starts anew those that die.
///
/// A worker gets a session of its own, so that Ctrl-C in the terminal reaches it through this process alone; what it says goes to
/// `log/N/task-K.log`. Where the task that waits for ``run()`` is cancelled each worker is asked to end (`SIGTERM`), and is ended
/// after half a minute.
public struct LocalWorkers: Sendable {
  /// How the workers of a launch ended, those started anew by their last one.
  public struct End: Sendable, Equatable {
    /// Workers that were started in the place of one that died.
    public var restarts = 0
    /// What a worker ended with that cannot go on; nil: all went on until nothing was left to take.
    public var failure: Failure?

    public init() {}
  }

  /// A worker that refused to go on, or was started anew too often.
  public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    public let task: Int
    /// Its exit code.
    public let status: Int
    public let log: String

    public var description: String {
      let last = (try? Files.read(log)).map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n").last
      let said = last.map { ": " + $0.drop { $0 != " " }.dropFirst() } ?? ""
      return "task \(task) ended with \(status)\(said) (\(log))"
    }
  }

  private let folder: ResultsFolder
  private let record: LaunchRecord
  private let jobs: Int
  private static let grace = Duration.seconds(35)

  /// - Parameter jobs: runs at a time of each worker.
  public init(_ folder: ResultsFolder, _ record: LaunchRecord, jobs: Int) {
    (self.folder, self.record, self.jobs) = (folder, record, jobs)
  }

  /// What the engine calls a launch of this process.
  public static var job: String { "\(Files.hostName)-\(getpid())-\(Int(Date().timeIntervalSince1970))" }

  /// Whether the process that started the workers of a launch has ended, and they with it; nil where it cannot be known here.
  public static func isOver(_ record: LaunchRecord) -> Bool? {
    guard record.host == Files.hostName, let job = record.jobs.first else { return nil }
    let process = job.split(separator: "-").dropLast().last.flatMap { Int($0) }
    return process.map { $0 == Int(getpid()) || !Processes.isAlive($0) }
  }

  /// Returns when every worker has ended.
  public func run() async throws -> End {
    try await withThrowingTaskGroup(of: End.self) { group in
      for task in 0..<record.tasks { group.addTask { try await work(task) } }
      var whole = End()
      for try await end in group {
        whole.restarts += end.restarts
        guard whole.failure == nil, let failure = end.failure else { continue }
        whole.failure = failure
        group.cancelAll()
      }
      return whole
    }
  }

  /// One task, started anew until it ends well.
  private func work(_ task: Int) async throws -> End {
    var end = End()
    while true {
      let status = try await start(task, restart: end.restarts)
      if status == 0 || Task.isCancelled { return end }
      end.restarts += 1
      let isLasting = Int32(exactly: status).flatMap { ExitStatus(rawValue: $0) }?.isLasting ?? false
      guard isLasting || end.restarts > WorkerPlace.mostRestarts else { continue }
      end.failure = Failure(task: task, status: status, log: log(task))
      return end
    }
  }

  private func log(_ task: Int) -> String { "\(folder.launchLogFolder(record.number))/task-\(task).log" }

  /// - Returns: the exit code; 128 and the signal's number where a signal ended it.
  private func start(_ task: Int, restart: Int) async throws -> Int {
    let log = try FileDescriptor.open(
      FilePath(log(task)), .writeOnly, options: [.create, .append],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: LocalWorkers.grace)]
    let result = try await Subprocess.run(
      .path(FilePath(record.program)), arguments: Arguments(arguments(task, restart)), platformOptions: options,
      input: .none, output: .discarded, error: .fileDescriptor(log, closeAfterSpawningProcess: true))
    switch result.terminationStatus {
    case .exited(let code): return Int(code)
    case .signaled(let number): return 128 + Int(number)
    }
  }

  private func arguments(_ task: Int, _ restart: Int) -> [String] {
    [
      "worker", folder.folder, "--launch", String(record.number), "--task", String(task), "--jobs", String(jobs),
      "--engine-job", record.jobs.first ?? "", "--restart", String(restart),
    ]
  }
}
