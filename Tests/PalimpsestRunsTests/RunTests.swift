import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

@Suite struct RunTests {
  /// Runs parts under watch, without the runner.
  func watch(_ parts: String, _ entries: String = #""evaluation": {}"#, seed: Int = 3) throws -> (RunRecord, SpyLog) {
    let name = UUID().uuidString
    let plan = try Plan(
      Fixture.small(
        strategies: "\"s\": [{ \"name\": \"spy\", \"of\": \"\(parts)\", \"log\": \"\(name)\" }]", entries,
        catalog: .standard.adding(Spy.self)))
    return (try record(plan.configurations[0].resolved, seed: seed), SpyLog.named(name))
  }

  func record(_ configuration: ResolvedConfiguration, seed: Int) throws -> RunRecord {
    var run = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: seed)
    return run.execute()
  }

  func record(_ part: String, _ entries: String..., seed: Int = 3) throws -> RunRecord {
    let strategies = "\"s\": [\(part.isEmpty ? "" : "{ \"name\": \"\(part)\" }")]"
    let plan = try Plan(Fixture.small(strategies: strategies, entries.first ?? #""evaluation": {}"#))
    return try record(plan.configurations[0].resolved, seed: seed)
  }

  @Test func `no learner is shown p* when a task ends`() throws {
    #expect(try watch("ewc").1.truthsSeen == 0)
    let scenario = try Plan(Fixture.small(strategies: "\"s\": []")).configurations[0].resolved.scenario
    let stream = try scenario.prepare(from: EmptyLibrary()).makeStream(seed: Seed(3))
    #expect(stream.revisitableRows(for: 0).truth != nil)
  }

  @Test(arguments: ["", "ewc", "si", "reservoir", "herding", "adapters", "heads", "joint", "scratch", "frozen"])
  func `the same seed gives the same record, another seed another`(part: String) throws {
    let first = try record(part)
    #expect(try first.hasSameResults(as: record(part)))
    #expect(try !first.hasSameResults(as: record(part, seed: 4)))
    #expect(first.status == .completed)
    #expect(first.tasks == ["morning routine", "night shift", "travel", "convalescence", "new job"])
    #expect(first.accuracy.rows.joined().allSatisfy { (0...1).contains($0) })
    #expect(first.logLoss.rows.joined().allSatisfy { $0.isFinite })
    #expect(first.cost.timeTask.count == 5)
  }

  @Test func `rows and evaluation do not depend on the strategy`() throws {
    let naive = try watch("").1
    #expect(naive.steps.count == 5 * 10)
    #expect(naive.evaluations.count == 6 * 5)
    for parts in ["ewc", "si", "reservoir", "herding", "adapters", "heads", "scratch", "ewc,reservoir"] {
      let log = try watch(parts).1
      #expect(log.steps == naive.steps, "\(parts)")
      #expect(log.evaluations == naive.evaluations, "\(parts)")
    }
    for parts in ["joint", "frozen"] {
      let log = try watch(parts).1
      #expect(log.evaluations == naive.evaluations, "\(parts)")
      #expect(Array(log.steps.prefix(10)) == Array(naive.steps.prefix(10)), "\(parts)")
    }
    #expect(try watch("", seed: 4).1.steps != naive.steps)
  }

  @Test(
    arguments: ["", "ewc", "joint", "scratch", "frozen"],
    [#""evaluation": {}"#, #""evaluation": { "heldOut": 0.3 }"#])
  func `a step knows its place in the task and in the run`(parts: String, entry: String) throws {
    let places = try watch(parts, entry).1.places
    for task in 0..<(parts == "frozen" ? 1 : 5) {
      let own = places.filter { $0.task == task }.map(\.inTask)
      #expect(own == own.indices.map { StepPlace(step: $0, steps: own.count) })
      #expect(own.count > 5)
    }
    // What joint and scratch train in a task is a network of its own.
    let afresh = parts == "joint" || parts == "scratch"
    let run = afresh ? places.map(\.inTask) : places.indices.map { StepPlace(step: $0, steps: places.count) }
    #expect(places.map(\.inRun) == run)
  }

  @Test func `watching changes nothing`() throws {
    #expect(try watch("ewc,reservoir").0.hasSameResults(as: watch("ewc,reservoir").0))
    #expect(try watch("ewc").0.hasSameResults(as: record("ewc")))
  }

  @Test func `a frozen learner keeps the row of the first task`() throws {
    let frozen = try record("frozen")
    let naive = try record("")
    #expect(frozen.accuracy.rows[0] == naive.accuracy.rows[0])
    #expect(frozen.logLoss.rows[0] == naive.logLoss.rows[0])
    #expect(frozen.accuracyBefore == naive.accuracyBefore)
    for row in 1..<5 { #expect(frozen.logLoss.rows[row] == frozen.logLoss.rows[0]) }
    #expect(frozen.accuracy.rows[1] != naive.accuracy.rows[1])
    #expect(frozen.cost.steps == 10)
    #expect(naive.cost.steps == 50)
    #expect(naive.cost.examples == 800)
  }

  /// 80 rows a task, two passes.
  @Test func `joint trains on the rows of all tasks so far, from fresh weights`() throws {
    let log = try watch("joint").1
    for task in 0..<5 {
      let expected = Dictionary(uniqueKeysWithValues: (0...Int32(task)).map { ($0, 160) })
      #expect(log.rowsTrained[task] == expected)
    }
    #expect(Set(log.starts).count == 5)
    for task in 1..<5 { #expect(log.starts[task] != log.ends[task - 1]) }
  }

  @Test func `scratch begins every task with fresh weights, naive with those it has`() throws {
    let scratch = try watch("scratch").1
    let naive = try watch("").1
    let joint = try watch("joint").1
    #expect(scratch.starts == joint.starts)
    #expect(scratch.starts[0] == naive.starts[0])
    #expect(Set(scratch.starts).count == 5)
    for task in 1..<5 {
      #expect(scratch.starts[task] != scratch.ends[task - 1])
      #expect(naive.starts[task] == naive.ends[task - 1])
      #expect(scratch.rowsTrained[task] == [Int32(task): 160])
    }
  }

  @Test func `joint trains on where it is told not to restart`() throws {
    let plan = try Plan(
      Fixture.small(strategies: #""on": [{ "name": "joint", "restart": false }], "anew": [{ "name": "joint" }]"#))
    let records = try plan.configurations.map { try record($0.resolved, seed: 1) }
    #expect(records[0].accuracy.rows[0] == records[1].accuracy.rows[0])
    #expect(!records[0].hasSameResults(as: records[1]))
    #expect(records.map(\.cost.examples) == [160 * 15, 160 * 15])
  }

  @Test(arguments: ["", "ewc", "si", "reservoir", "adapters", "heads", "joint"])
  func `evaluation within tasks never changes training`(parts: String) throws {
    let (plain, plainLog) = try watch(parts)
    var (curved, curvedLog) = try watch(parts, #""evaluation": { "everySteps": 3 }"#)
    #expect(curvedLog.training == plainLog.training)
    #expect(!curved.curve.isEmpty)
    curved.curve = []
    #expect(curved.hasSameResults(as: plain))
  }

  /// Ten steps a task: points after steps 3, 6 and 9, with 16 rows a step.
  @Test func `the curve has a point every n steps of a task`() throws {
    let record = try record("", #""evaluation": { "everySteps": 3 }"#)
    #expect(record.curve.map(\.task) == (0..<5).flatMap { [$0, $0, $0] })
    #expect(record.curve.prefix(4).map(\.examples) == [48, 96, 144, 160 + 48])
    for point in record.curve {
      #expect(point.accuracy.map(\.isFinite) == (0..<5).map { $0 <= point.task })
      #expect(point.expectedAccuracy?.map(\.isFinite) == (0..<5).map { $0 <= point.task })
    }
    let all = try self.record("", #""evaluation": { "everySteps": 10, "curveTasks": "all" }"#)
    #expect(all.curve.map(\.task) == [0, 1, 2, 3, 4])
    #expect(all.curve.map(\.accuracy) == all.accuracy.rows)
    #expect(all.curve.map(\.expectedAccuracy) == all.expectedAccuracy?.rows)
  }

  /// 50 steps that cost nothing, each followed by the evaluation of 1 to 5 tasks at a millisecond each.
  @Test func `time spent evaluating does not count as training`() throws {
    let plan = try Plan(
      Fixture.small(
        strategies: #""slow": [{ "name": "slow-predictor" }]"#, #""evaluation": { "everySteps": 1 }"#,
        catalog: .standard.adding(SlowPredictor.self)))
    let cost = try record(plan.configurations[0].resolved, seed: 1).cost
    #expect(cost.timeEvaluate >= 0.15)
    #expect(cost.timeTrain < cost.timeEvaluate / 2)
    #expect(cost.timeTask.reduce(0, +) < cost.timeEvaluate / 2)
  }

  @Test func `the untrained network is evaluated before the first task`() throws {
    let naive = try record("")
    #expect(naive.accuracyBefore.count == 5)
    #expect(naive.accuracyBefore.allSatisfy { $0.isFinite })
    #expect(naive.expectedAccuracyBefore?.allSatisfy { $0.isFinite } == true)
    #expect(try record("ewc").accuracyBefore == naive.accuracyBefore)
  }

  @Test func `progress counts the tasks done`() throws {
    let plan = try Plan(Fixture.small(strategies: #""naive": []"#))
    let configuration = plan.configurations[0].resolved
    var run = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: 0)
    var done: [Int] = []
    _ = run.execute { if $0.step == 0 { done.append($0.task) } }
    #expect(done == [1, 2, 3, 4, 5])
  }
}
