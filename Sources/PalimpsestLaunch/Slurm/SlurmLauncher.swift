import Foundation
import PalimpsestJSON
import PalimpsestRuns

/// Workers as tasks of Slurm's job arrays.
///
/// Placement, limits, restarts and priorities are Slurm's. Tried with 22.05; answers of 20.11, 23.11 and 24.05 are read in tests.
public struct SlurmLauncher: Launcher {
  let calls: EngineCalls
  /// Gets sentences on what was done otherwise than asked for.
  let note: @Sendable (String) -> Void
  /// How long after an `sbatch` without an answer the queue is looked at.
  let pause: Duration

  public init(
    calls: EngineCalls = EngineCalls(), pause: Duration = .seconds(2),
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.calls = calls
    self.pause = pause
    self.note = note
  }

  // MARK: - Submitting

  /// Submits the arrays, and the job that makes the cube when they have ended.
  ///
  /// Where a limit on jobs stands against it, fewer tasks are submitted: what there is to do is not divided among tasks beforehand.
  /// - Throws: ``EngineError`` in Slurm's words; what was submitted before is cancelled again.
  public func submit(_ work: SubmittedWork) async throws -> LaunchRecord {
    let script = try SlurmScript(work, mostTasks: try await mostTasks())
    try Files.makeFolder(work.folder.launchLogFolder(work.record.number))
    var record = work.record
    record.script = script.text
    var arrays: [(job: String, array: SlurmArray)] = []
    do {
      for array in script.arrays {
        guard let taken = try await submit(array, script, isFirst: arrays.isEmpty) else { break }
        arrays.append(taken)
      }
      record.tasks = arrays.reduce(0) { $0 + $1.array.count }
      record.jobs = arrays.map(\.job)
      let jobs = SlurmJobs(arrays.map(\.array), name: script.name, token: script.token)
      record.resources = jobs.added(to: record.resources)
      try record.write(to: work.folder)
      _ = try await job(
        script.collectScript, script.collectArguments(after: record.jobs), script.name + "-collect",
        script.collectComment)
    } catch {
      for (job, _) in arrays { _ = try? await calls.answer("scancel", [job]) }
      throw error
    }
    return record
  }

  /// Submits an array; smaller where a limit says so.
  /// - Returns: nil where not even one task more is taken, and it is not the first array.
  private func submit(
    _ array: SlurmArray, _ script: SlurmScript, isFirst: Bool
  ) async throws -> (job: String, array: SlurmArray)? {
    var array = array
    while true {
      do {
        let id = try await job(
          script.script(array), script.arguments(array), script.name, script.comment(array))
        return (id, array)
      } catch let error as EngineError where error.isJobLimit {
        if array.count == 1 && isFirst { throw error }
        note(
          "\(error)\na limit of the cluster: of tasks \(array.first) to \(array.first + array.count - 1) "
            + (array.count == 1 ? "none is submitted" : "half are tried") + "; the others take over their work")
        if array.count == 1 { return nil }
        array = SlurmArray(first: array.first, count: array.count / 2, atOnce: min(array.atOnce, array.count / 2))
      }
    }
  }

  /// Submits one job script.
  ///
  /// After an answer that does not say whether the job was taken the queue is looked at: a job must not be there twice.
  /// - Returns: the job's number.
  private func job(_ script: String, _ arguments: [String], _ name: String, _ comment: String) async throws -> String {
    for attempt in 1... {
      do {
        return try SlurmAnswers.job(try await calls.output("sbatch", arguments, input: script))
      } catch let error as EngineError where error.leavesOpen {
        if let known = try await find(name, comment) { return known }
        if attempt == 2 {
          throw EngineError(error.kind, "\(error)\nno job called \(name) is in the queue; run the command again")
        }
      }
    }
    preconditionFailure("a job is submitted or refused")
  }

  /// A job that is in the queue, waited for a moment.
  private func find(_ name: String, _ comment: String) async throws -> String? {
    for _ in 0..<3 {
      try await Task.sleep(for: pause)
      let answer = try await calls.output("squeue", ["-h", "-u", NSUserName(), "-o", "%F|%j|%k"])
      if let job = SlurmAnswers.job(called: name, comment, in: answer) { return job }
    }
    return nil
  }

  /// Tasks that an array may have; 1,000 where the cluster does not say.
  private func mostTasks() async throws -> Int {
    SlurmAnswers.mostTasks(try await calls.output("scontrol", ["show", "config"])) ?? SlurmScript.usualMostTasks
  }

  // MARK: - Looking and stopping

  public func states(of record: LaunchRecord) async throws -> [TaskState] {
    let jobs = SlurmJobs(record)
    guard !record.jobs.isEmpty else { return [] }
    let ids = record.jobs.joined(separator: ",")
    let queue = try await calls.answer("squeue", ["-h", "-r", "-t", "all", "-j", ids, "-o", "%F|%K|%T|%N|%j|%k|%r"])
    // A job that ended long ago is no longer known: that is no failure.
    guard queue.status == 0 || queue.errors.contains("Invalid job id") else {
      throw EngineError(.refused, EngineCalls.refusal("squeue", queue))
    }
    let queued = SlurmAnswers.states(queue, jobs)
    guard queued.count < record.tasks else { return queued }
    let known = Set(queued.map(\.task))
    return (queued + (await accounted(ids, jobs)).filter { !known.contains($0.task) }).sorted { $0.task < $1.task }
  }

  /// What the accounting knows of tasks that have ended; nothing where there is none.
  private func accounted(_ ids: String, _ jobs: SlurmJobs) async -> [TaskState] {
    let arguments = ["-n", "-P", "-X", "-j", ids, "-o", "JobID,State,ExitCode,NodeList,JobName"]
    guard let answer = try? await calls.answer("sacct", arguments), answer.status == 0 else { return [] }
    return SlurmAnswers.accounted(answer, jobs)
  }

  public func cancel(_ record: LaunchRecord) async throws {
    guard !record.jobs.isEmpty else { return }
    try await stop(record.jobs, SlurmJobs(record).name)
  }

  /// Ends single tasks: those of an array that has nothing left to do, where a step's end was not noticed.
  /// - Parameter tasks: their numbers in the launch.
  public func cancel(_ tasks: [Int], of record: LaunchRecord) async throws {
    let jobs = SlurmJobs(record)
    try await stop(tasks.compactMap(jobs.job), jobs.name)
  }

  /// Each array or task in the form `35` or `35_2`: Slurm refuses the raw number that a task of an array has beside it.
  /// - Parameter name: of the jobs; one of another name is somebody else's.
  private func stop(_ jobs: [String], _ name: String?) async throws {
    guard !jobs.isEmpty else { return }
    let answer = try await calls.answer("scancel", (name.map { ["--jobname=\($0)"] } ?? []) + jobs)
    // One that ended meanwhile is stopped.
    let gone = ["Invalid job id", "already completing or completed"].contains { answer.errors.contains($0) }
    guard answer.status == 0 || gone else { throw EngineError(.refused, EngineCalls.refusal("scancel", answer)) }
  }
}

extension EngineError {
  /// Slurm takes no more jobs of this user.
  fileprivate var isJobLimit: Bool {
    let words = ["job submit limit", "MaxSubmitJob", "AssocMaxSubmit", "QOSMaxSubmit", "MaxJobCount"]
    return kind == .refused && words.contains { description.contains($0) }
  }

  /// Nobody knows whether the job was taken.
  fileprivate var leavesOpen: Bool {
    let words = ["timed out", "Zero Bytes were transmitted", "Unable to contact slurm controller", "Connection reset"]
    return kind == .silent || (kind == .refused && words.contains { description.contains($0) })
  }
}
