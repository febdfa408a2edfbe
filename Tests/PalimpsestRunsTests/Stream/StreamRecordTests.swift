import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

/// Runs through a stream as an experiment file asks for them.
@Suite struct StreamRecordTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 5 phases of 80 rows.
  @Test func `a record holds the windows, what the detector said and where the tasks lie`() throws {
    var run = try PlannedStream.run(PlannedStream.plan(), 1)
    let record = run.execute()
    #expect(record.status == .completed && record.tasks.count == 5)
    #expect(record["prequential_rows"]?.integers == [50, 50, 50, 50, 50, 50, 50, 50])
    #expect(record.ticks["examples_seen"] == .positions([50, 100, 150, 200, 250, 300, 350, 400]))
    #expect(record["task_example"]?.integers == [0, 80, 160, 240, 320])
    let alarms = try #require(record["alarm_example"]?.integers)
    #expect(record["alarm_kind"]?.integers == alarms.map { _ in 1 } && !alarms.isEmpty)
    #expect(record.number("alarm_count") == Double(alarms.count))
    // An alarm in rows 3k to 3k + 2 ends what came before row 3k, none before row 0.
    let ends = alarms.map { $0 / 3 * 3 }.filter { $0 > 0 }
    #expect(record["boundary_example"]?.integers == ends.enumerated().filter { $0 == 0 || ends[$0 - 1] != $1 }.map(\.1))
    #expect(record.cost.steps == 134 && record.cost.examples == 400)
    #expect(record.cost.timeTotal >= record.cost.timeTrain + record.cost.timeEvaluate)
    #expect(record.truth != nil && record["accuracy"] == nil)
  }

  @Test func `means are those of the windows, and p* gives expected accuracy and regret`() throws {
    var run = try PlannedStream.run(PlannedStream.plan(#""naive": []"#, stream: #""window": 150"#))
    let record = run.execute()
    let rows = try #require(record["prequential_rows"]?.integers)
    #expect(rows == [150, 150, 100])
    for (mean, windows) in [
      ("prequential_mean", "prequential_accuracy"), ("prequential_loss_mean", "prequential_loss"),
      ("expected_prequential_mean", "expected_prequential_accuracy"), ("regret_mean", "prequential_regret"),
    ] {
      let values = try #require(record[ObservationName(windows)]?.numbers)
      #expect(record.number(ObservationName(mean)) == values.reduce(0, +) / 3, "\(mean)")
    }
    let accuracy = try #require(record["prequential_accuracy"]?.numbers)
    let hits = zip(accuracy, rows).map { $0 * Double($1) }
    #expect(hits.allSatisfy { abs($0 - $0.rounded()) < 1e-9 })
    let regret = try #require(record["prequential_regret"]?.numbers)
    #expect(regret.allSatisfy { $0 >= 0 })
  }

  @Test func `metrics of tasks are undefined, and say why`() throws {
    var run = try PlannedStream.run(PlannedStream.plan())
    let record = run.execute()
    #expect(
      Metric.averageAccuracy.value(of: record, kind: .sampled)
        == .undefined(
          "the run goes through a stream and was not judged on the tasks' test rows (evaluation.everyRows)"))
    let mean = try #require(Catalog.standard.metrics.first { $0.name == "prequential_mean" })
    #expect(mean.value(of: record, kind: .sampled) == .number(record.number("prequential_mean")))
  }

  @Test(arguments: 0..<4)
  func `a run restored from its bytes after any block ends with the same record and model`(strategy: Int) throws {
    let plan = try PlannedStream.plan()
    var whole = try PlannedStream.run(plan, strategy)
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    var watched = try PlannedStream.run(plan, strategy)
    watched.saving(each: 7, into: &checkpoints)
    #expect(checkpoints.count == 19)
    for checkpoint in checkpoints {
      var resumed = try PlannedStream.run(plan, strategy)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
      #expect(try resumed.model("id") == whole.model("id"))
    }
  }

  /// Behind the checksum too.
  @Test func `no bytes of a stream's checkpoint crash the reader or the run`() throws {
    let plan = try PlannedStream.plan(
      #""s": [{ "name": "ewc" }, { "name": "page-hinkley", "least": 5, "threshold": 2 }, { "name": "reservoir", "capacity": 6 }]"#
    )
    var checkpoints: [[UInt8]] = []
    var watched = try PlannedStream.run(plan)
    watched.saving(each: 90, into: &checkpoints)
    let (good, fresh) = (checkpoints[0], try PlannedStream.run(plan))
    var rng = Random(key: 6)
    var refused = 0
    for _ in 0..<2000 {
      var bytes = Array(good.dropLast(32))
      for _ in 0...rng.index(below: 2) { bytes[20 + rng.index(below: bytes.count - 20)] = UInt8(rng.index(below: 256)) }
      var copy = fresh
      do {
        try copy.restore(StateFiles.signed(bytes), "id")
        _ = copy.execute()
      } catch { refused += 1 }
    }
    #expect(refused > 250)
  }

  @Test func `one and three jobs give the same records, and a second call finds nothing to do`() async throws {
    let plan = try PlannedStream.plan()
    for jobs in [1, 3] {
      let runner = Runner(plan, output: ResultsFolder(folder("\(jobs)")), library: EmptyLibrary(), jobs: jobs)
      #expect(try await runner.run { _ in }.completed == 8)
      #expect(try await runner.run { _ in }.doneBefore == 8)
    }
    let (one, three) = (try Results(ResultsFolder(folder("1"))), try Results(ResultsFolder(folder("3"))))
    #expect(one.rows.count == 8 && one.damaged == [])
    for (a, b) in zip(one.rows, three.rows) { #expect(a.entry.record.hasSameResults(as: b.entry.record)) }
    #expect(Set(one.rows.map { $0.entry.record.number("prequential_mean") }).count > 4)
  }

  /// Each step is on rows that were predicted just before, and on no others.
  @Test func `no label reaches a learner before its row was predicted`() throws {
    let log = SpyLog.named("stream")
    let plan = try PlannedStream.plan(
      #""spied": [{ "name": "spy", "of": "ewc", "log": "stream" }]"#,
      stream: #""block": 8, "boundaries": "every", "every": 100, "stepsPerBlock": 2"#,
      catalog: Catalog.standard.adding(Spy.self))
    var run = try PlannedStream.run(plan)
    _ = run.execute()
    var (predicted, steps) = ([UInt32](), 0)
    for event in log.events {
      switch event {
      case .predict(let inputs, let task):
        predicted = inputs
        #expect(task == nil)
      case .step(_, _, _, let inputs):
        #expect(inputs == predicted)
        steps += 1
      case .begin, .end: break
      }
    }
    #expect(steps == 2 * 4 * 13)
  }

  @Test func `probes that look at the end do`() throws {
    let weights = Probe(Measure("weights", "Weights", definition: "how many")) { run in
      Reading(Double(run.network?.parameters.count ?? 0))
    }
    let rows = Probe(Measure("rows_fed", "Rows fed", definition: "how many")) { Reading(Double($0.examples)) }
    let never = Probe(Measure("norms", "Norms", definition: "none", along: [.afterTask])) { _ in Reading(0) }
    var run = try PlannedStream.run(PlannedStream.plan(), probes: [weights, rows, never])
    let record = run.execute()
    #expect(record.number("weights") > 8 && record.number("rows_fed") == 400 && record["norms"] == nil)
    var bare = try PlannedStream.run(PlannedStream.plan())
    #expect(bare.execute()["prequential_loss"] == record["prequential_loss"])
  }

  /// Before any run: rows of SEA have no times, and belong to nobody.
  @Test(arguments: [
    (
      #""labels": { "delay": 2, "unit": "days" }"#,
      "labels.unit: the rows of this stream have no times; count the delay in"
    ),
    (#""recovery": { "unit": "days" }"#, "recovery.unit: the rows of this stream have no times; count the window in"),
    (#""labels": { "missing": 0.1, "missingBy": "user" }"#, "labels.missingBy: nobody knows whose the rows"),
  ])
  func `settings that rows cannot serve are refused before the runs`(settings: String, message: String) async throws {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "sea", "rowsPerTask": 50, "testRows": 20 } }, "strategies": { "naive": [] },
        "stream": { \(settings) } }
      """
    let runner = Runner(
      try Plan(Fixture.experiment(text)), output: ResultsFolder(folder("x")), library: EmptyLibrary(), jobs: 1)
    do {
      _ = try await runner.run { _ in }
      Issue.record("it ran")
    } catch let error as PreparationError {
      #expect(error.description.contains("stream." + message) && error.description.hasPrefix("scenarios."))
    }
    let late = try PlannedStream.plan(#""naive": []"#, stream: #""labels": { "delay": 2, "missing": 0.1 }"#)
    #expect(
      try await Runner(late, output: ResultsFolder(folder("y")), library: EmptyLibrary(), jobs: 1).run { _ in }
        .completed == 2)
  }

  /// Rows of phases do not carry people and days along, and have them where a stream asks for them: a delay of a day is one of a row.
  @Test func `rows of a habit have people and days where a stream asks for them`() throws {
    func record(_ labels: String) throws -> RunRecord {
      let stream = #""block": 1, "window": 50, "labels": { \#(labels) }"#
      var run = try PlannedStream.run(
        PlannedStream.plan(#""replay": [{ "name": "reservoir", "capacity": 20 }]"#, stream: stream))
      return run.execute()
    }
    let days = try record(#""delay": 3, "unit": "days""#)
    let (rows, sooner) = (try record(#""delay": 3"#), try record(#""delay": 2"#))
    let loss = days["prequential_loss"]
    #expect(loss != nil && loss == rows["prequential_loss"])
    #expect(loss != sooner["prequential_loss"])
    // Only there do memories keep them: 4 + 8 bytes a row.
    let (more, less) = (days.number("bytes_memory"), rows.number("bytes_memory"))
    #expect(more == less + 20 * 12)
    let (people, any) = (
      try record(#""missing": 0.5, "missingBy": "user""#), try record(#""missing": 0.5"#)
    )
    #expect(people["prequential_loss"] != any["prequential_loss"])
  }

  @Test func `the time of a stream is judged by its first blocks`() throws {
    let plan = try PlannedStream.plan()
    let estimate = try Estimate(PlanSummary(plan), .standard, library: EmptyLibrary(), jobs: 1)
    #expect(estimate.pairs.count == 4 && estimate.pairs.allSatisfy { $0.secondsPerRun > 0 && $0.secondsPerRun < 60 })
  }
}
