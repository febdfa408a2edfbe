import Foundation
import PalimpsestCore
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
  public let provenance: Provenance

  public init(
    _ plan: Plan, output: ResultsFolder, library: any DatasetLibrary, jobs: Int, provenance: Provenance = .current
  ) {
    self.plan = plan
    self.output = output
    self.library = library
    self.jobs = max(1, jobs)
    self.provenance = provenance
  }

  /// - Parameters:
  ///   - stop: asked before each run; once it says true the runs in hand are finished and no others begin.
  ///   - report: called from the workers after each run, one at a time.
  /// - Returns: how many runs were done before, and how those of this call ended.
  /// - Throws: ``PreparationError`` where a scenario cannot be prepared, ``FileError`` where nothing can be written.
  public func run(
    stop: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (RunProgress) -> Void
  ) async throws -> RunProgress {
    let pending = try pendingRuns()
    let scenarios = try prepare(pending)
    let journal = try JournalWriter(folder: output.journalFolder, host: provenance.host)
    defer { journal.sync() }
    let queue = RunQueue(pending, RunProgress(planned: plan.runs.count, done: plan.runs.count - pending.count))
    await Workers.run(min(jobs, pending.count)) { worker in
      while !stop(), let run = queue.next() {
        let entry = execute(run, scenarios, worker: worker)
        queue.close(on: entry.record.status, report) { () throws(FileError) in try journal.append(entry) }
      }
    }
    return try queue.outcome()
  }

  /// Runs that the journal does not hold, in plan order; runs of equal identity once.
  private func pendingRuns() throws -> [PlannedRun] {
    try output.write(StoredPlan(plan))
    var known = Set(try output.journal().entries.map(\.runID))
    return plan.runs.filter { known.insert($0.id).inserted }
  }

  private func execute(_ run: PlannedRun, _ scenarios: [any PreparedScenario], worker: Int) -> JournalEntry {
    let configuration = plan.configurations[run.configuration].resolved
    let started = Date().timeIntervalSince1970
    let record: RunRecord
    do {
      var execution = try Run(configuration, scenarios[run.configuration], seed: run.seed)
      record = execution.execute()
    } catch {
      var failed = RunRecord(status: .failed, tasks: [])
      failed.error = String(describing: error)
      record = failed
    }
    return JournalEntry(
      runID: run.id, record: record, started: started, host: provenance.host,
      worker: "\(provenance.host)-\(provenance.process)-\(worker)", instructionSet: KernelTable.name,
      toolkitVersion: provenance.version, gitCommit: provenance.gitCommit)
  }

  /// One prepared scenario a configuration; configurations of equal scenario settings share it.
  private func prepare(_ pending: [PlannedRun]) throws -> [any PreparedScenario] {
    let needed = Set(pending.map(\.configuration))
    var prepared: [String: PreparedRows] = [:]
    return try plan.configurations.map { configuration in
      guard needed.contains(configuration.index) else { return Unneeded() }
      let scenario = configuration.resolved.scenario
      let key = type(of: scenario).name + JSONValue(resolved(scenario, includingDefaults: true)).canonicalText
      let rows = try prepared[key] ?? PreparedRows(prepare(scenario, label: configuration.resolved.scenarioLabel))
      prepared[key] = rows
      try check(configuration.resolved, columns: rows.columns)
      return rows.scenario
    }
  }

  private func prepare(_ scenario: any Scenario, label: String) throws -> any PreparedScenario {
    do {
      return try scenario.prepare(from: library)
    } catch let error as ScenarioError {
      let place = error.parameter.map { ".\($0)" } ?? ""
      throw PreparationError(kind: .settings, "scenarios.\(label)\(place): \(error.description)")
    } catch let error as DatasetError {
      throw PreparationError(
        kind: error.kind == .missing ? .missing : .settings, "scenarios.\(label): \(error.description)")
    }
  }

  /// Settings that can be judged only beside the scenario's shape.
  private func check(_ configuration: ResolvedConfiguration, columns: Int) throws {
    for part in configuration.strategy {
      guard let memory = part as? any SizedMemory, let problem = memory.limits.problem(columns: columns) else {
        continue
      }
      throw PreparationError(
        kind: .settings, "strategies.\(configuration.strategyLabel).\(type(of: part).name): \(problem)")
    }
  }
}

/// A scenario and the width of its rows, which only a stream knows.
private struct PreparedRows {
  let scenario: any PreparedScenario
  let columns: Int

  init(_ scenario: any PreparedScenario) {
    self.scenario = scenario
    columns = scenario.makeStream(seed: Seed(0)).shape.inputs
  }
}

/// A scenario that no pending run asks for.
private struct Unneeded: PreparedScenario {
  func makeStream(seed: Seed) -> any DriftStream { preconditionFailure("a scenario that no pending run asks for") }
}

/// How far a plan is.
public struct RunProgress: Sendable, Equatable {
  /// Runs of the plan.
  public let planned: Int
  /// Runs the journal held before this call.
  public let doneBefore: Int
  public private(set) var completed = 0
  public private(set) var failed = 0
  public private(set) var diverged = 0

  init(planned: Int, done: Int) {
    self.planned = planned
    doneBefore = done
  }

  /// Runs ended by this call.
  public var ended: Int { completed + failed + diverged }

  mutating func add(_ status: RunRecord.Status) {
    switch status {
    case .completed: completed += 1
    case .diverged: diverged += 1
    case .failed, .cancelled: failed += 1
    }
  }
}

/// Settings or data that only show when a scenario is prepared.
public struct PreparationError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case settings, missing }

  public let kind: Kind
  public let description: String

  init(kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// Where numbers come from: written beside them.
public struct Provenance: Sendable, Equatable {
  public var host: String
  public var process: Int
  public var version: String
  public var gitCommit: String

  public static let toolkitVersion = "0.1.0"

  /// This process; the commit is that of the working directory where it is a checkout.
  public static var current: Provenance {
    Provenance(
      host: ProcessInfo.processInfo.hostName.prefix { $0 != "." }.description, process: Int(getpid()),
      version: toolkitVersion, gitCommit: GitCommit.ofWorkingDirectory)
  }
}

/// The commit a checkout stands at, read from its files: no git program is run.
enum GitCommit {
  static var ofWorkingDirectory: String {
    guard let head = text(".git/HEAD") else { return "" }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst(5))
    if let commit = text(".git/" + name) { return commit }
    let packed = text(".git/packed-refs")?.split(separator: "\n").first { $0.hasSuffix(" " + name) }
    return packed.map { String($0.prefix(40)) } ?? ""
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? Files.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
