import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

/// Streams whose learner is judged on the tasks' test rows while they go on.
@Suite struct StreamEvaluationTests {
  private func plan(
    _ strategies: String = #""naive": [], "replay": [{ "name": "reservoir", "capacity": 30 }]"#,
    stream: String = #""block": 3, "window": 50"#, evaluation: String? = #""everyRows": 25"#,
    catalog: Catalog = .standard
  ) throws -> Plan {
    try Plan(
      Fixture.small(
        strategies: strategies, training: #""optimizer": { "name": "adam", "rate": 0.01 }"#,
        #""stream": { \#(stream) }"#, #""evaluation": { \#(evaluation ?? "") }"#, #""seeds": 1"#, catalog: catalog))
  }

  private func run(_ plan: Plan, _ configuration: Int = 0) throws -> Run {
    let resolved = plan.configurations[configuration].resolved
    let data = Run.data(of: try resolved.scenario.prepare(from: EmptyLibrary()), seed: 1)
    return try Run(resolved, data: data, seed: 1)
  }

  /// 5 phases of 80 rows in blocks of 3: task 0 ends in the block of rows 78 to 80.
  @Test func `the learner is judged as it stands behind the block in which a task ends`() throws {
    let plan = try plan()
    var run = try run(plan)
    let record = run.execute()
    let resolved = plan.configurations[0].resolved
    let stream = Run.data(of: try resolved.scenario.prepare(from: EmptyLibrary()), seed: 1)
    let (seed, settings) = (Seed(1), try #require(resolved.stream))
    let setup = LearnerSetup(
      shape: stream.shape, hidden: resolved.model.hidden, activation: resolved.model.activation,
      initializer: resolved.model.initializer, optimizer: resolved.optimizer,
      resetsOptimizer: resolved.training.resetOptimizer, outputRule: resolved.training.outputs,
      seed: seed.derived("learner"))
    var whole = StreamRun(settings, stream, learner: try setup.makeLearner([]), seed: seed)
    var evaluator = Evaluator(stream, tellsTasks: false)
    func accuracies() -> [Double] { (0..<5).map { evaluator.evaluate(whole.learner, task: $0).accuracy } }
    #expect(record.accuracyBefore == accuracies())
    for (task, end) in [81, 162, 240, 321, 400].enumerated() {
      while whole.position.row < end { _ = whole.advance() }
      #expect(whole.position.row == end && record.accuracy.rows[task] == accuracies(), "task \(task)")
    }
    #expect(record.accuracy.rows.count == 5 && record.expectedAccuracy != nil)
  }

  /// Every 25 rows in blocks of 3: behind rows 27, 51, 75, 102 …
  @Test(arguments: ["seen", "all"])
  func `and every so many rows, behind the block that they fall into`(tasks: String) throws {
    var run = try run(plan(evaluation: #""everyRows": 25, "curveTasks": "\#(tasks)""#))
    let record = run.execute()
    let points = record.curve
    #expect(points.map(\.examples) == (1...16).map { $0 == 16 ? 400 : ($0 * 25 + 2) / 3 * 3 })
    #expect(points.map(\.task) == points.map { ($0.examples - 1) / 80 })
    for point in points {
      let begun = tasks == "all" ? 5 : point.task + 1
      #expect(point.accuracy.enumerated().allSatisfy { ($0 < begun) != $1.isNaN })
    }
    #expect(points.last?.accuracy == record.accuracy.rows[4])
    #expect(Metric.forgetting.value(of: record, kind: .sampled).reason == nil)
    #expect(Metric.anytimeAccuracy.value(of: record, kind: .expected).reason == nil)
  }

  @Test(arguments: 0..<2)
  func `being judged changes nothing of the stream`(strategy: Int) throws {
    var judged = try run(plan(), strategy)
    var alone = try run(plan(evaluation: nil), strategy)
    let (a, b) = (judged.execute(), alone.execute())
    for name in ["prequential_accuracy", "prequential_loss", "change_regret", "change_recovery"] as [ObservationName] {
      #expect(a[name] == b[name] && a[name] != nil, "\(name)")
    }
    #expect(b["curve_accuracy"] == nil && b["accuracy"] == nil)
    #expect(
      Metric.averageAccuracy.value(of: b, kind: .sampled)
        == .undefined(
          "the run goes through a stream and was not judged on the tasks' test rows (evaluation.everyRows)"))
  }

  @Test(arguments: 0..<2)
  func `a run restored from its bytes after any block ends with the same record`(strategy: Int) throws {
    let plan = try plan()
    var whole = try run(plan, strategy)
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan, strategy)
    watched.saving(each: 5, into: &checkpoints)
    #expect(checkpoints.count == 26)
    for checkpoint in checkpoints {
      var resumed = try run(plan, strategy)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
    }
  }

  @Test func `a checkpoint of a stream that was not judged is refused`() throws {
    var checkpoints: [[UInt8]] = []
    var alone = try run(plan(evaluation: nil))
    alone.saving(each: 90, into: &checkpoints)
    var judged = try run(plan())
    #expect(throws: (any Error).self) { try judged.restore(checkpoints[0], "id") }
  }

  /// Tasks that nobody was told of are not asked for by name, though the scenario would.
  @Test(arguments: [("none", false), ("given", true)])
  func `a learner knows tasks in tests where it knows them in the stream`(boundaries: String, isTold: Bool) throws {
    let name = "tests-\(boundaries)"
    let log = SpyLog.named(name)
    var run = try run(
      plan(
        #""spied": [{ "name": "spy", "of": "adapter", "log": "\#(name)" }]"#,
        stream: #""block": 80, "window": 50, "boundaries": "\#(boundaries)""#, evaluation: #""everyRows": 400"#,
        catalog: Catalog.standard.adding(Spy.self)))
    #expect(run.execute().status == .completed)
    let tasks = log.events.compactMap { if case .predict(_, let task) = $0 { .some(task) } else { nil } }
    #expect(tasks.contains { $0 != nil } == isTold && Set(tasks.compactMap { $0 }).count == (isTold ? 5 : 0))
  }
}
