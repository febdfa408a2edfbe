import Foundation
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// Runs that end the worker that does them.
struct WorkerCasualtyTests {
  let folder: TemporaryFolder
  let output: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    output = ResultsFolder(folder("r"))
    try Files.replace(folder("program"), with: "#!/bin/sh\n")
  }

  /// One launch of one task over the eight runs of ``CasualtyTests/plan(_:)``, of which one is fatal.
  private func launch(_ way: String) throws -> Plan {
    let plan = try CasualtyTests.plan(way)
    var request = LaunchRequest(engine: "script", tasks: 1, program: folder("program"))
    request.patience = 1
    _ = try LaunchPlanner.prepare(plan, output, request, library: DatasetFolder([])) { _ in false }
    return plan
  }

  /// - Parameter restart: how often the task was started before.
  static func work(in path: String, restart: Int, note: @escaping @Sendable (String) -> Void = { _ in }) async throws
    -> WorkerEnd
  {
    let worker = try Worker(
      ResultsFolder(path), WorkerPlace(launch: 1, task: 0, job: "35", restart: restart),
      catalog: Catalog.standard.adding(FatalPart.self), note: note)
    return try await worker.run(stop: WorkerStop()) {}
  }

  static func die(in path: String, restart: Int) async {
    await #expect(processExitsWith: .failure) {
      [path = path as String, restart = restart as Int] in
      _ = try await WorkerCasualtyTests.work(in: path, restart: restart)
    }
  }

  private var hands: [String] { ((try? Files.names(in: output.progressFolder)) ?? []).filter { $0.hasSuffix(".hand") } }

  @Test(arguments: ["trap", "abort"])
  func `a run that two workers died over fails, and its block and all others are done`(way: String) async throws {
    let plan = try launch(way)
    for restart in 0..<2 {
      await WorkerCasualtyTests.die(in: output.cube, restart: restart)
      #expect(hands.count == restart + 1)
    }
    let end = try await WorkerCasualtyTests.work(in: output.cube, restart: 2)
    #expect(end.isLaunchDone && end.failed == 1)
    let entries = try output.journal().entries
    #expect(entries.count == 8 && Set(entries.map(\.runID)) == Set(plan.runs.map(\.id)))
    let failed = entries.filter { $0.record.status == .failed }
    let pattern = try Regex(
      "its process died twice while it ran .process \\S+ died of SIG[A-Z]+, process \\S+ died of SIG[A-Z]+.: a part may trap"
        + ". --retry-failed tries it again")
    #expect(failed.count == 1 && failed[0].record.error.wholeMatch(of: pattern) != nil, "\(failed.map(\.record.error))")
    #expect(try output.leases(ofLaunch: 1).allSatisfy { $0.isDone && !$0.isPoisoned })
    #expect(hands == [], "their deaths are history")
  }

  @Test func `a run that one worker died over is tried once more, after the others of its block`() async throws {
    let plan = try launch("none")
    let todo = try output.todo(ofLaunch: 1)
    let longest = (0..<todo.blocks).max { todo.places(ofBlock: $0).count < todo.places(ofBlock: $1).count } ?? 0
    let runs = todo.places(ofBlock: longest).map { plan.runs[$0].id }
    try Files.makeFolder(output.progressFolder)
    let lines = [("", "00"), (runs[0], "11")].map { id, signal in
      id.padding(toLength: 97, withPad: " ", startingAt: 0) + signal + "\n"
    }
    try Files.replace(output.progressFolder + "/dead-1-1.hand", with: lines.joined())
    let lease = Lease(LeaseHolder(host: "dead", process: 1, task: 3), journal: "dead-1-1.jsonl", offset: 0)
    let name = "000\(longest).0"
    _ = try LeaseFiles(output, launch: 1).create(name, on: .leases, lease.content)
    try LeaseFiles(output, launch: 1).expire(name)
    let notes = Mutex<[String]>([])
    let end = try await WorkerCasualtyTests.work(in: output.cube, restart: 0) { note in
      notes.withLock { $0.append(note) }
    }
    #expect(end.isLaunchDone && end.runs == 8 && end.failed == 0)
    #expect(
      notes.withLock { $0 } == ["run \(runs[0]): process dead-1 died of SIGSEGV while it ran; it is tried once more"])
    let order = try output.journal().entries.map(\.runID).filter(runs.contains)
    #expect(runs.count > 1 && order == Array(runs.dropFirst()) + [runs[0]])
    #expect(hands == [])
  }
}
