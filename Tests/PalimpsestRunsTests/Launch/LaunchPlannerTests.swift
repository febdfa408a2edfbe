import Foundation
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// What a launch takes in hand, and that workers do it.
@Suite struct LaunchPlannerTests {
  let folder: TemporaryFolder
  let results: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
    try Files.replace(folder("program"), with: "#!/bin/sh\n")
  }

  private func plan(seeds: Int) throws -> Plan {
    try Plan(
      Fixture.small(
        strategies: #""naive": [], "e": [{ "name": "ewc" }]"#, training: #""epochs": 1, "batch": 40"#,
        "\"seeds\": \(seeds)"))
  }

  private func prepare(_ plan: Plan, tasks: Int = 2, isOver: Bool = false) throws -> LaunchPreparation {
    var request = LaunchRequest(engine: "local", tasks: tasks, program: folder("program"))
    request.patience = 1
    return try LaunchPlanner.prepare(plan, results, request, library: DatasetFolder([])) { _ in isOver }
  }

  private func record(_ preparation: LaunchPreparation) throws -> LaunchRecord {
    guard case .launch(let record) = preparation else { throw NoLaunch() }
    return record
  }

  private struct NoLaunch: Error {}

  @discardableResult
  private func work(_ number: Int, task: Int = 0, jobs: Int = 1) async throws -> WorkerEnd {
    let worker = try Worker(results, WorkerPlace(launch: number, task: task, jobs: jobs), catalog: .standard)
    return try await worker.run(stop: WorkerStop()) {}
  }

  @Test func `a launch pins program, plan and data folder beside the results`() throws {
    let record = try record(prepare(plan(seeds: 3)))
    #expect(record.number == 1 && record.runs == 6 && record.tasks == 2)
    #expect(record.program.hasPrefix(results.folder + "/bin/program-"))
    #expect(try Files.read(record.program) == Files.read(folder("program")))
    let mode = try FileManager.default.attributesOfItem(atPath: record.program)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o555)
    #expect(try LaunchRecord(results, number: 1) == record)
    #expect(try Files.names(in: results.launchFolder) == ["1.done", "1.json", "1.lease", "1.todo"])
  }

  @Test func `workers do every run once, with the bits that this process gives`() async throws {
    let plan = try plan(seeds: 3)
    let record = try record(prepare(plan))
    async let first = work(1, task: 0, jobs: 2)
    async let second = work(1, task: 1)
    let ends = try await [first, second]
    #expect(ends.reduce(0) { $0 + $1.runs } == 6 && ends.reduce(0) { $0 + $1.blocks } == record.blocks)
    let entries = try results.journal().entries
    #expect(Set(entries.map(\.runID)) == Set(plan.runs.map(\.id)) && entries.count == 6)
    #expect(try Files.names(in: results.leaseFolder(1)) == [])
    #expect(try results.leases(ofLaunch: 1).map(\.isDone) == Array(repeating: true, count: record.blocks))
    let straight = ResultsFolder(folder("straight"))
    _ = try await Runner(plan, output: straight, library: DatasetFolder([]), jobs: 1).run { _ in }
    let records = Dictionary(uniqueKeysWithValues: try straight.journal().entries.map { ($0.runID, $0.record) })
    // What a record says of time is the machine's.
    for entry in entries { #expect(records[entry.runID]?.observations.count == entry.record.observations.count) }
    #expect(try prepare(plan) == .nothing(NothingToSubmit(planned: 6, inHand: 0, jobs: [])))
  }

  @Test func `runs in hand of another launch are not submitted again`() async throws {
    var first = try record(prepare(plan(seeds: 2)))
    first.jobs = ["123456"]
    try first.write(to: results)
    guard case .nothing(let reason) = try prepare(plan(seeds: 2)) else { throw NoLaunch() }
    #expect(reason.description == "nothing to submit: 4 runs are in hand of job 123456")
    let second = try record(prepare(plan(seeds: 3)))
    #expect(second.number == 2 && second.runs == 2)
    try await work(1)
    try await work(2)
    guard case .nothing(let done) = try prepare(plan(seeds: 3)) else { throw NoLaunch() }
    #expect(done.description == "nothing to submit: all 6 runs are done")
  }

  @Test func `what an ended launch has left is submitted again, but for blocks that somebody holds`() throws {
    let plan = try plan(seeds: 2)
    #expect(try record(prepare(plan)).runs == 4)
    let held = try results.todo(ofLaunch: 1).places(ofBlock: 0).count
    let lease = Lease(LeaseHolder(host: "h", process: 1, task: 0), journal: "j", offset: 0)
    _ = try LeaseFiles(results, launch: 1).create("0000.0", on: .leases, lease.content)
    #expect(try record(prepare(plan, isOver: true)).runs == 4 - held)
    try LeaseFiles(results, launch: 1).expire("0000.0")
    // Launch 2 is over too.
    #expect(try record(prepare(plan, isOver: true)).runs == 4)
  }

  @Test func `an heir does what the dead have left, and nothing twice`() async throws {
    let plan = try plan(seeds: 3)
    let record = try record(prepare(plan, tasks: 1))
    let todo = try results.todo(ofLaunch: 1)
    let longest = (0..<record.blocks).max { todo.places(ofBlock: $0).count < todo.places(ofBlock: $1).count } ?? 0
    // A worker that did the first run of its block, and died before the next.
    let whole = ResultsFolder(folder("whole"))
    _ = try await Runner(plan, output: whole, library: DatasetFolder([]), jobs: 1).run { _ in }
    let first = plan.runs[todo.places(ofBlock: longest)[0]].id
    let entry = try #require(try whole.journal().entries.first { $0.runID == first })
    try Files.makeFolder(results.journalFolder)
    try Files.replace(results.journalFolder + "/dead-1-1.jsonl", with: entry.line)
    let lease = Lease(LeaseHolder(host: "dead", process: 1, task: 0), journal: "dead-1-1.jsonl", offset: 0)
    let leases = LeaseFiles(results, launch: 1)
    let name = "000\(longest).0"
    _ = try leases.create(name, on: .leases, lease.content)
    try leases.expire(name)
    let end = try await work(1)
    #expect(end.runs == 5 && end.isLaunchDone)
    #expect(try results.journal().entries.count == 6)
  }

  @Test func `data that are not what was submitted are refused before the first run`() async throws {
    try Files.makeFolder(folder("data/tiny"))
    let rows = (0..<40).map { "\($0 % 7),\($0 % 5),\($0 % 4)" }.joined(separator: "\n")
    try Files.replace(folder("data/tiny/tiny.csv"), with: "a,b,label\n" + rows + "\n")
    let text = """
      { "name": "x", "seeds": 1, "strategies": { "naive": [] }, "model": { "hidden": [4] },
        "scenarios": { "s": { "name": "split", "dataset": "tiny", "tasks": 2 } } }
      """
    let plan = try Plan(Fixture.experiment(text))
    let request = LaunchRequest(engine: "local", tasks: 1, program: folder("program"))
    _ = try LaunchPlanner.prepare(plan, results, request, library: DatasetFolder([folder("data")])) { _ in false }
    try Files.replace(folder("data/tiny/tiny.csv"), with: "a,b,label\n" + rows + "\n1,1,1\n")
    let error = await #expect(throws: PreparationError.self) { try await work(1) }
    #expect(error?.kind == .settings)
    #expect(error?.description.hasPrefix("data set \"tiny\": it is not what this launch was submitted with") == true)
    #expect(try results.leases(ofLaunch: 1).map(\.age) == [.infinity])
  }
}
