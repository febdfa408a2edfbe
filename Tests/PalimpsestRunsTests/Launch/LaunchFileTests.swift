import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// Record and todo of a launch: what is read back, and what is said of damage.
@Suite struct LaunchFileTests {
  let folder: TemporaryFolder
  let results: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
  }

  private var record: LaunchRecord {
    var record = LaunchRecord(
      number: 3, generation: 1, engine: "slurm", blocks: 4, runs: 9, tasks: 2, program: "/r/bin/palimpsest-9c41",
      dataFolder: "/data:/more", inputs: ["mnist": "ab", "adult": "cd"], checkpointEvery: "5min", retryFailed: true,
      resources: ["cpus": 4], command: "palimpsest run \"a b.json\"", user: "me", host: "login", time: 1.5,
      version: "0.1.0")
    record.jobs = ["123", "124"]
    record.script = "#!/bin/bash\n"
    record.patience = 7
    return record
  }

  @Test func `a record reads back as it was written`() throws {
    try record.write(to: results)
    #expect(try LaunchRecord(results, number: 3) == record)
    #expect(try results.launchNumbers() == [3])
  }

  @Test func `a launch that is not there is told with those that are`() throws {
    try record.write(to: results)
    let error = #expect(throws: FileError.self) { try LaunchRecord(results, number: 4) }
    #expect(error?.description == "\(results.folder): there is no launch 4 here; there is 3")
  }

  @Test func `a record with a bit fallen over is refused`() throws {
    try record.write(to: results)
    let file = results.launchFile(3)
    try Damage.flip(Files.read(file), 1) { bytes, _ in
      try Data(bytes).write(to: URL(filePath: file))
      #expect(throws: Problems.self) { try LaunchRecord(results, number: 3) }
    }
  }

  @Test func `a record of a later version is told as such`() throws {
    try Files.makeFolder(results.launchFolder)
    try Files.replace(results.launchFile(3), with: #"{"format":2}"#)
    let error = #expect(throws: Problems.self) { try LaunchRecord(results, number: 3) }
    #expect(
      error?.description
        == "\(results.launchFile(3)): this is a launch of format 2, of a later version; 1 to 1 are known here")
  }

  // MARK: - Todo

  private static let blocks = [[0, 1, 2], [5], [4, 3]]

  private func todo() throws -> (plan: Plan, bytes: [UInt8]) {
    let plan = try Plan(
      Fixture.small(strategies: #""naive": [], "e": [{ "name": "ewc", "strength": 2 }]"#, #""seeds": 3"#))
    return (plan, LaunchTodo.bytes(StoredPlan(plan), LaunchFileTests.blocks) { plan.runs[$0].id })
  }

  @Test func `a todo has its blocks, and makes the plan that was stored`() throws {
    let (plan, bytes) = try todo()
    let todo = try LaunchTodo(bytes, file: "t")
    #expect(todo.blocks == 3 && todo.runs == 6)
    #expect((0..<3).map { todo.places(ofBlock: $0) } == LaunchFileTests.blocks)
    let again = try todo.plan.plan(.standard, file: "t")
    #expect(again.runs.map(\.id) == plan.runs.map(\.id))
    #expect(StoredPlan(again).configurations == StoredPlan(plan).configurations)
    #expect(todo.isRight([5].map { plan.runs[$0].id }, ofBlock: 1))
    #expect(!todo.isRight([4].map { plan.runs[$0].id }, ofBlock: 1))
  }

  @Test func `a plan that was chosen, swept and changed from the command line comes back with its ids`() throws {
    let text = """
      { "name": "x", "scenarios": { "a": { "name": "habit-phases", "users": 4 } }, "seeds": [7, 3],
        "strategies": { "e": [{ "name": "ewc" }, { "name": "reservoir", "capacity": 7 }], "n": [] },
        "output": { "keep": ["model"] },
        "sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5], "training.epochs": [1, 2] } } }
      """
    let experiment = try Fixture.experiment(text).overridden(
      by: Overrides(set: ["model.hidden=[8]", "name=y"], over: ["training.batch=4,8"]))
    let plan = try Plan(experiment)
    let todo = try LaunchTodo(LaunchTodo.bytes(StoredPlan(plan), [[0]]) { plan.runs[$0].id }, file: "t")
    let again = try todo.plan.plan(.standard, file: "t")
    #expect(again.runs.map(\.id) == plan.runs.map(\.id))
    #expect(again.experiment.outputSettings.keep == plan.experiment.outputSettings.keep)
  }

  @Test func `a todo with a bit fallen over, or cut short, is refused`() throws {
    let (_, bytes) = try todo()
    Damage.flip(bytes, 2) { damaged, _ in
      #expect(throws: Problems.self) { try LaunchTodo(damaged, file: "t") }
    }
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(throws: Problems.self) { try LaunchTodo(Array(bytes[..<length]), file: "t") }
    }
  }

  @Test func `a todo of another version is told as such`() throws {
    var bytes = try todo().bytes
    bytes[8] = 2
    let error = #expect(throws: Problems.self) { try LaunchTodo(bytes, file: "t") }
    #expect(error?.description == "t: this is a launch of format 2, of a later version; 1 to 1 are known here")
  }
}
