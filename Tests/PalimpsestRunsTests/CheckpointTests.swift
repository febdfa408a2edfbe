import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// Runs that stop and go on.
@Suite struct CheckpointTests {
  static let evaluation = #""evaluation": { "everySteps": 7 }, "seeds": 2"#
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func plan(_ parts: String, training: String = #""epochs": 2, "batch": 16"#) throws -> Plan {
    try Plan(Fixture.small(strategies: "\"s\": [\(parts)]", training: training, CheckpointTests.evaluation))
  }

  func run(_ plan: Plan) throws -> Run {
    let configuration = plan.configurations[0].resolved
    return try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: 1)
  }

  /// Takes a run to its end and is asked `stops` times on the way to save it and leave.
  func execute(_ plan: Plan, every: CheckpointInterval, stops: Int) throws -> (run: Run, stopped: Int) {
    let checkpoints = Checkpoints(every: every)
    var stopped = 0
    while true {
      let asked = Atomic(0)
      let ended = try checkpoints.execute(
        "run", in: ResultsFolder(folder("r")),
        stop: { stopped < stops && asked.wrappingAdd(1, ordering: .relaxed).newValue > 0 }, make: { try run(plan) })
      if let ended { return (ended, stopped) }
      stopped += 1
    }
  }

  @Test(arguments: [
    "", #"{ "name": "ewc" }, { "name": "reservoir", "capacity": 30 }, { "name": "adapters" }"#, #"{ "name": "si" }"#,
    #"{ "name": "joint" }"#, #"{ "name": "scratch" }, { "name": "ring", "capacity": 20, "per": "task" }"#,
    #"{ "name": "frozen" }"#, #"{ "name": "heads" }, { "name": "herding", "capacity": 30 }"#,
  ])
  func `a run restored from its bytes at any step ends with the same record`(parts: String) throws {
    try checkRestoring(plan(parts))
  }

  @Test(arguments: ["task", "run"])
  func `so does one whose step size follows a schedule`(span: String) throws {
    let optimizer = #"{ "name": "adamw", "schedule": "cosine", "scheduleOver": "\#(span)", "warmup": 5 }"#
    try checkRestoring(plan("", training: #""epochs": 2, "batch": 16, "optimizer": \#(optimizer)"#))
    try checkRestoring(
      plan(#"{ "name": "scratch" }"#, training: #""epochs": 2, "batch": 16, "optimizer": \#(optimizer)"#))
  }

  private func checkRestoring(_ plan: Plan) throws {
    var whole = try run(plan)
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan)
    watched.saving(each: 9, into: &checkpoints)
    #expect(checkpoints.count >= 1)
    for checkpoint in checkpoints {
      var resumed = try run(plan)
      try resumed.restore(checkpoint, "id")
      let record = resumed.execute()
      #expect(record.hasSameResults(as: expected))
      #expect(record.curve == expected.curve && record.cost.timeTask.count == expected.cost.timeTask.count)
      #expect(try resumed.model("id") == whole.model("id"))
    }
  }

  @Test func `what the policy saves, it goes on from`() throws {
    let plan = try plan(#"{ "name": "si" }"#, training: #""epochs": 300, "batch": 16"#)
    var whole = try run(plan)
    let (run, stopped) = try execute(plan, every: .steps(11), stops: 3)
    #expect(stopped == 3)
    #expect(run.finishedRecord.hasSameResults(as: whole.execute()))
  }

  @Test func `a checkpoint of another run, another format or a damaged one is refused and the run begins anew`() throws
  {
    let plan = try plan(#"{ "name": "ewc" }"#)
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan)
    watched.saving(each: 30, into: &checkpoints)
    let good = checkpoints[0]
    func refusal(_ bytes: [UInt8], _ id: String = "id") throws -> String? {
      var fresh = try run(plan)
      do {
        try fresh.restore(bytes, id, path: "a.ckpt")
        return nil
      } catch let error as StateFileError { return error.description }
    }
    #expect(try refusal(good) == nil)
    #expect(try refusal(good, "other") == "a.ckpt: it cannot be used: it is of run id, not other")
    #expect(try refusal([]) == "a.ckpt: this is neither a checkpoint nor a saved model")
    #expect(try refusal(Array("{\"a\":1}".utf8)) == "a.ckpt: this is neither a checkpoint nor a saved model")
    #expect(try refusal(Array(good[..<12])) == "a.ckpt: it is cut off after 12 bytes")
    #expect(
      try refusal(Array(good.dropLast())) == "a.ckpt: it is cut off: it has \(good.count - 1) bytes of \(good.count)")
    var newer = good
    newer[8] = 2
    #expect(
      try refusal(newer)
        == "a.ckpt: it has format 2, this version reads 1: a newer version of the tool wrote it")
    var flipped = good
    flipped[good.count / 2] ^= 4
    #expect(try refusal(flipped) == "a.ckpt: it is damaged: its checksum is not that of its content")
    let other = try self.plan(#"{ "name": "si" }"#)
    var si = try run(other)
    #expect(throws: StateFileError.self) { try si.restore(good, "id") }

    let notes = Mutex<[String]>([])
    let output = ResultsFolder(folder("r"))
    try Files.makeFolder(output.detailFolder)
    try Files.replace(output.checkpoint(of: "id"), with: flipped)
    let anew = try Checkpoints(note: { note in notes.withLock { $0.append(note) } }).execute(
      "id", in: output, stop: { true }, make: { try run(plan) })
    var whole = try run(plan)
    #expect(anew?.finishedRecord.hasSameResults(as: whole.execute()) == true)
    let path = output.checkpoint(of: "id")
    #expect(
      notes.withLock { $0 }
        == ["\(path): it is damaged: its checksum is not that of its content. The run begins anew"])
  }

  /// Behind the checksum too: bytes that were changed by someone who knows how to make one.
  @Test func `no bytes crash the reader, cut anywhere or with any bit flipped`() throws {
    let plan = try plan(
      #"{ "name": "ewc" }, { "name": "reservoir", "capacity": 6 }, { "name": "low-rank", "rank": 1 }"#)
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan)
    watched.saving(each: 33, into: &checkpoints)
    let good = checkpoints[0]
    let fresh = try run(plan)
    for end in 0..<good.count {
      var copy = fresh
      #expect(throws: StateFileError.self) { try copy.restore(Array(good[..<end]), "id") }
    }
    var rng = Random(key: 5)
    var refused = 0
    for _ in 0..<4000 {
      var bytes = Array(good.dropLast(32))
      for _ in 0...rng.index(below: 2) { bytes[20 + rng.index(below: bytes.count - 20)] = UInt8(rng.index(below: 256)) }
      var copy = fresh
      do {
        try copy.restore(StateFiles.signed(bytes), "id")
        // Content that makes sense is content: it must run.
        _ = copy.execute()
      } catch { refused += 1 }
    }
    #expect(refused > 500)
  }

  @Test func `a learner that cannot be saved runs without checkpoints and says so`() throws {
    let experiment = try Fixture.small(
      strategies: #""s": [{ "name": "spy", "of": "ewc", "log": "unsaved" }]"#,
      catalog: .standard.adding(Spy.self))
    let plan = try Plan(experiment)
    let notes = Mutex<[String]>([])
    let ended = try Checkpoints(every: .steps(1), note: { note in notes.withLock { $0.append(note) } }).execute(
      "id", in: ResultsFolder(folder("r")), stop: { true }, make: { try run(plan) })
    #expect(ended?.finishedRecord.status == .completed)
    #expect(
      notes.withLock { $0 }
        == ["run id: no checkpoint can be written: SpyLearner is not Codable. The run goes on without"])
  }

  @Test func `intervals are times or steps`() {
    #expect(CheckpointInterval("30s") == .seconds(30))
    #expect(CheckpointInterval("5min") == .seconds(300))
    #expect(CheckpointInterval("1.5 h") == .seconds(5400))
    #expect(CheckpointInterval("2000") == .steps(2000))
    #expect(CheckpointInterval("2000 steps") == .steps(2000))
    for text in ["", "0", "-5s", "5 parsecs", "1e3", "s", "0s", "1.5", "nan s", "9999999999h"] {
      #expect(CheckpointInterval(text) == nil, "\(text)")
    }
  }

  @Test func `finished runs and ended processes leave nothing behind`() async throws {
    let plan = try plan("")
    let output = ResultsFolder(folder("r"))
    let runner = Runner(
      plan, output: output, library: EmptyLibrary(), jobs: 2, checkpoints: Checkpoints(every: .steps(3)))
    _ = try await runner.run { _ in }
    #expect(try Files.names(in: output.detailFolder) == [])
    let stale = output.checkpoint(of: plan.runs[0].id)
    for path in [stale, "\(stale).tmp.\(Provenance.hostName).4194305", output.checkpoint(of: "other")] {
      try Files.replace(path, with: "x")
    }
    _ = try await runner.run { _ in }
    #expect(try Files.names(in: output.detailFolder) == ["other.ckpt"])
  }
}
