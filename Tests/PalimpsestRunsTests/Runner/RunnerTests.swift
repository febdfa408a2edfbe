import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

@Suite struct RunnerTests {
  static let strategies = """
    "naive": [], "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }],
    "reservoir": [{ "name": "reservoir", "capacity": 30 }], "herding": [{ "name": "herding", "capacity": 30 }],
    "adapters": [{ "name": "adapters" }], "heads": [{ "name": "heads" }], "joint": [{ "name": "joint" }],
    "scratch": [{ "name": "scratch" }], "frozen": [{ "name": "frozen" }]
    """

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func plan(_ strategies: String = RunnerTests.strategies, _ entries: String = #""seeds": 2"#) throws -> Plan {
    try Plan(Fixture.small(strategies: strategies, entries))
  }

  @discardableResult
  func run(
    _ plan: Plan, _ name: String, jobs: Int, stop: @escaping @Sendable () -> Bool = { false }
  ) async throws -> RunProgress {
    let runner = Runner(plan, output: ResultsFolder(folder(name)), library: EmptyLibrary(), jobs: jobs)
    return try await runner.run(stop: stop) { _ in }
  }

  func results(_ name: String) throws -> Results { try Results(ResultsFolder(folder(name))) }

  /// Positions of the runs whose records differ, or that are not in both.
  func differences(_ a: Results, _ b: Results) -> [Int] {
    let others = Dictionary(uniqueKeysWithValues: b.rows.map { ($0.run.id, $0.entry.record) })
    let differing = a.rows.filter { row in
      others[row.run.id].map { !row.entry.record.hasSameResults(as: $0) } ?? true
    }
    return differing.map(\.run.index) + (a.rows.count == b.rows.count ? [] : [-1])
  }

  @Test func `one, two and four jobs give the same records`() async throws {
    let plan = try plan()
    for jobs in [1, 2, 4] {
      let progress = try await run(plan, "jobs-\(jobs)", jobs: jobs)
      #expect(progress.completed == 20)
      #expect(progress.planned == 20 && progress.doneBefore == 0 && progress.ended == 20)
    }
    let one = try results("jobs-1")
    #expect(one.rows.map(\.run) == Array(plan.runs))
    #expect(one.damaged == [])
    #expect(try differences(one, results("jobs-2")) == [])
    #expect(try differences(one, results("jobs-4")) == [])
  }

  @Test func `the runner's record is that of the run alone`() async throws {
    let plan = try plan(#""ewc": [{ "name": "ewc" }], "heads": [{ "name": "heads" }]"#)
    try await run(plan, "r", jobs: 2)
    for row in try results("r").rows {
      let configuration = plan.configurations[row.run.configuration].resolved
      var alone = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: row.run.seed)
      #expect(row.entry.record.hasSameResults(as: alone.execute()))
    }
  }

  @Test func `a sweep that was stopped goes on where it was, and ends as if it never had been`() async throws {
    let plan = try plan()
    let asked = Atomic(0)
    let first = try await run(plan, "stopped", jobs: 1) { asked.wrappingAdd(1, ordering: .relaxed).newValue > 7 }
    #expect(first.ended == 7)
    #expect(try results("stopped").rows.map(\.run.index) == (0..<7).map { 2 * $0 })  // seed by seed
    let second = try await run(plan, "stopped", jobs: 2)
    #expect(second.doneBefore == 7)
    #expect(second.ended == 13)
    let journal = try ResultsFolder(folder("stopped")).journal()
    #expect(journal.entries.count == 20)
    #expect(Set(journal.entries.map(\.runID)) == Set(plan.runs.map(\.id)))
    let third = try await run(plan, "stopped", jobs: 2)
    #expect(third.doneBefore == 20 && third.ended == 0)
    #expect(try ResultsFolder(folder("stopped")).journal().entries.count == 20)
    try await run(plan, "whole", jobs: 2)
    #expect(try differences(results("whole"), results("stopped")) == [])
  }

  @Test func `more seeds run what is missing`() async throws {
    let strategies = #""naive": [], "frozen": [{ "name": "frozen" }]"#
    try await run(plan(strategies), "r", jobs: 2)
    let more = try await run(plan(strategies, #""seeds": 3"#), "r", jobs: 2)
    #expect(more.doneBefore == 4 && more.ended == 2)
    #expect(try results("r").rows.map(\.run.seed) == [0, 1, 0, 1, 2, 2])
    #expect(try results("r").rows.map(\.run.index) == Array(0..<6))
  }

  @Test func `runs of equal identity run once and stand in every place`() async throws {
    let plan = try plan(#""a": [], "b": []"#)
    let progress = try await run(plan, "r", jobs: 2)
    #expect(progress.completed == 2)
    #expect(try results("r").rows.map(\.run.index) == [0, 1, 2, 3])
  }

  @Test func `divergence is an outcome, and the sweep goes on`() async throws {
    let training = #""epochs": 2, "batch": 16, "optimizer": { "name": "sgd", "rate": 0.1 }"#
    let plan = try Plan(
      Fixture.small(
        strategies: #""naive": [], "frozen": [{ "name": "frozen" }]"#, training: training, #""seeds": 2"#,
        #""sweep": { "grid": { "training.optimizer.rate": [1e30, 0.1] } }"#))
    let progress = try await run(plan, "r", jobs: 2)
    #expect(progress.diverged == 4)
    #expect(progress.completed + progress.diverged == 8 && progress.failed == 0)
    let records = try results("r").rows.map(\.entry.record)
    #expect(records.prefix(2).map(\.status) == [.diverged, .diverged])
    #expect(records[2...3].map(\.status) == [.completed, .completed])
    for record in records where record.status == .diverged {
      #expect(record.error.hasPrefix("the loss is ") || record.error.hasPrefix("a weight is not finite after task "))
      #expect(record.accuracyBefore.allSatisfy { $0.isFinite })
      #expect(record.accuracy.rows[4].allSatisfy { $0.isNaN })
    }
    let again = try await run(plan, "r", jobs: 2)
    #expect(again.doneBefore == 8 && again.ended == 0)
  }

  @Test func `runs that diverged are done again when that is asked for, and the newest counts`() async throws {
    let training = #""epochs": 1, "batch": 16, "optimizer": { "name": "sgd", "rate": 1e30 }"#
    let plan = try Plan(Fixture.small(strategies: #""naive": []"#, training: training, #""seeds": 2"#))
    try await run(plan, "r", jobs: 2)
    let first = try results("r").rows.map(\.entry.started)
    let runner = Runner(
      plan, output: ResultsFolder(folder("r")), library: EmptyLibrary(), jobs: 2, retriesFailed: true)
    let again = try await runner.run { _ in }
    #expect(again.doneBefore == 0 && again.diverged == 2)
    #expect(try ResultsFolder(folder("r")).journal().entries.count == 4)
    #expect(try zip(first, results("r").rows.map(\.entry.started)).allSatisfy { $0 < $1 })
  }

  @Test func `several runners on one plan do each run once`() async throws {
    let plan = try plan()
    let runners = (1...3).map { process in
      var provenance = Provenance.current
      provenance.host = "host-\(process)"
      return Runner(
        plan, output: ResultsFolder(folder("r")), library: EmptyLibrary(), jobs: 1, provenance: provenance)
    }
    try await withThrowingTaskGroup(of: RunProgress.self) { group in
      for runner in runners { group.addTask { try await runner.run { _ in } } }
      for try await end in group { #expect(end.done == 20) }
    }
    let entries = try ResultsFolder(folder("r")).journal().entries
    #expect(entries.count == 20)
    #expect(Set(entries.map(\.runID)) == Set(plan.runs.map(\.id)))
    #expect(try Files.names(in: folder("r.palimpsest/progress")) == [])
  }

  /// Two scenarios, two strategies, two seeds: what has the same data is begun one after the other.
  @Test func `runs that share their data follow each other`() async throws {
    let plan = try plan(
      #""naive": [], "e": [{ "name": "ewc" }]"#,
      #""seeds": [4, 2], "sweep": { "grid": { "scenarios.*.users": [2, 3] } }"#)
    let results = ResultsFolder(folder("r"))
    #expect(try await run(plan, "r", jobs: 1).completed == 8)
    let planned = Dictionary(uniqueKeysWithValues: plan.runs.map { ($0.id, $0) })
    let begun = try results.journal().entries.map { entry in
      let run = try #require(planned[entry.runID])
      let configuration = plan.configurations[run.configuration]
      let users = try #require(configuration.resolved.scenario as? HabitPhases).users
      return "\(users) \(run.seed) \(configuration.strategyLabel)"
    }
    #expect(begun == ["2 4 naive", "2 4 e", "2 2 naive", "2 2 e", "3 4 naive", "3 4 e", "3 2 naive", "3 2 e"])
  }

  @Test func `data are made once for those that ask at once, and the latest are kept`() {
    let streams = SharedStreams(workers: 2)
    let made = Mutex<[Int]>([])
    @Sendable func ask(_ seed: Int, scenario: Int32 = 0) -> Int {
      let stream = streams.stream(scenario: scenario, seed: seed) {
        made.withLock { $0.append(seed) }
        return StubStream([[Float](repeating: 0, count: seed)], labels: [0])
      }
      return stream.shape.inputs
    }
    DispatchQueue.concurrentPerform(iterations: 64) { _ in #expect(ask(5) == 5) }
    #expect(made.withLock(\.self) == [5])
    #expect([6, 7, 5, 6, 7].allSatisfy { ask($0) == $0 })
    #expect(made.withLock(\.self) == [5, 6, 7])
    #expect(ask(5, scenario: 1) == 5)
    #expect([7, 6, 5].allSatisfy { ask($0) == $0 })
    #expect(made.withLock(\.self) == [5, 6, 7, 5, 5])
  }

  @Test(arguments: [false, true])
  func `runs that a living process claims or has in hand are left to it, those of one that is gone are taken`(
    isInHand: Bool
  ) async throws {
    let plan = try plan(#""naive": []"#)
    let results = ResultsFolder(folder("r"))
    try Files.makeFolder(results.progressFolder)
    func claim(_ process: Int, ago seconds: Double) throws {
      let updated = Date().timeIntervalSince1970 - seconds
      try Files.replace(
        results.progressFolder + "/\(Provenance.hostName)-\(process).json",
        with: """
          {"format":1,"host":"\(Provenance.hostName)","process":\(process),"started":0,"updated":\(updated),
           "workers":[\(isInHand ? #"{"worker":0,"run_id":"\#(plan.runs[0].id)"}"# : "")],
           "claims":[\(isInHand ? "" : "\"\(plan.runs[0].id)\"")]}
          """)
    }
    try claim(Int(getppid()), ago: 0)
    let end = try await run(plan, "r", jobs: 1) { (try? results.journal().entries.count) == 1 }
    #expect(end.completed == 1)
    #expect(try results.journal().entries.map(\.runID) == [plan.runs[1].id])
    try claim(Int(getppid()), ago: 61)
    #expect(try await run(plan, "r", jobs: 1).completed == 1)
  }

  /// Three runs: the first is done elsewhere, the second claimed by a living process between the two looks.
  @Test func `a run that another has done or claimed meanwhile is stepped back from`() throws {
    let plan = try plan(#""naive": []"#, #""seeds": 3"#)
    let (results, runs) = (ResultsFolder(folder("r")), Array(plan.runs))
    let before = try KnownRuns(results, .current, retryFailed: false)
    var lanes = RunLanes(runs, groups: [0..<3], workers: 1, known: before)
    let wanted = lanes.take(3, first: 0)
    #expect(wanted.map(\.run.id) == runs.map(\.id))
    try JournalWriter(folder: results.journalFolder, host: "elsewhere").append(entry(runs[0].id))
    try Files.makeFolder(results.progressFolder)
    try Files.replace(
      results.progressFolder + "/elsewhere-1.json",
      with: """
        {"format":1,"host":"elsewhere","process":1,"updated":\(Date().timeIntervalSince1970),"claims":["\(runs[1].id)"]}
        """)
    #expect(lanes.known.look() == 1)
    lanes.keep(wanted)
    #expect(lanes.claimed.map(\.id) == [runs[2].id])
    #expect(lanes.othersRuns.map(\.id) == [runs[1].id])
    var later = RunLanes(runs, groups: [0..<3], workers: 1, known: lanes.known)
    #expect(later.take(3, first: 0).map(\.run.id) == [runs[2].id])
  }

  /// Its process was there when the sweep began: it is looked at again before each lot.
  @Test func `what a process had claimed that dies meanwhile is taken at once`() async throws {
    let plan = try plan(#""naive": []"#, #""seeds": 3"#)
    let results = ResultsFolder(folder("r"))
    let sleeper = Process()
    sleeper.executableURL = URL(filePath: "/usr/bin/env")
    sleeper.arguments = ["sleep", "1000"]
    try sleeper.run()
    try Files.makeFolder(results.progressFolder)
    let process = sleeper.processIdentifier
    let file = results.progressFolder + "/\(Provenance.hostName)-\(process).json"
    let now = Date().timeIntervalSince1970
    let text = """
      {"format":1,"host":"\(Provenance.hostName)","process":\(process),"started":0,"updated":\(now + 50),
       "workers":[],"claims":["\(plan.runs[0].id)"]}
      """
    try Files.replace(file, with: text)
    let runner = Runner(plan, output: results, library: EmptyLibrary(), jobs: 1)
    let limit = ContinuousClock.now + .seconds(60)
    let end = try await runner.run(stop: { ContinuousClock.now > limit }) { progress in
      guard progress.ended == 2 else { return }
      kill(process, SIGKILL)
      while Processes.isAlive(Int(process)) { Thread.sleep(forTimeInterval: 0.001) }
    }
    #expect(end.completed == 3)
    #expect(try results.journal().entries.last?.runID == plan.runs[0].id)
  }

  @Test func `a folder that is removed during the run ends it with an error that says so`() async throws {
    let plan = try plan()
    let results = ResultsFolder(folder("r"))
    let runner = Runner(plan, output: results, library: EmptyLibrary(), jobs: 1)
    let error = await #expect(throws: FileError.self) {
      try await runner.run { progress in
        if progress.ended == 3 { try? FileManager.default.removeItem(atPath: results.folder) }
      }
    }
    #expect(error?.kind == .unwritable)
    let message = ": this file was removed while the sweep wrote to it. 4 finished runs are lost; run again to go on"
    #expect(error?.description.hasSuffix(message) == true)
  }

  @Test func `output that cannot be written is told before anything runs`() async throws {
    try Files.replace(folder("file"), with: "x")
    let error = await #expect(throws: FileError.self) { try await run(plan(), "file/r", jobs: 1) }
    #expect(error?.kind == .unwritable)
    #expect(
      error?.description == "\(folder("file/r")).palimpsest/journal: cannot make the folder: Not a directory")
  }

  @Test func `the start and every run are reported once, with the count so far`() async throws {
    let counts = Mutex<[Int]>([])
    let plan = try plan(#""naive": [], "si": [{ "name": "si" }], "frozen": [{ "name": "frozen" }]"#)
    let runner = Runner(plan, output: ResultsFolder(folder("r")), library: EmptyLibrary(), jobs: 3)
    _ = try await runner.run { progress in counts.withLock { $0.append(progress.ended) } }
    #expect(counts.withLock { $0 } == [0, 1, 2, 3, 4, 5, 6])
  }
}
