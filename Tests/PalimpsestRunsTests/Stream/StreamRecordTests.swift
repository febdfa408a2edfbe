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

  static let strategies = """
    "naive": [], "si": [{ "name": "si" }, { "name": "page-hinkley", "least": 5, "threshold": 2 }],
    "replay": [{ "name": "reservoir", "capacity": 30 }, { "name": "page-hinkley", "least": 5, "threshold": 2 }],
    "ncm": [{ "name": "ncm", "decay": 0.05 }]
    """

  private func plan(
    _ strategies: String = StreamRecordTests.strategies,
    stream: String = #""block": 3, "window": 50, "order": "shuffled", "boundaries": "detected""#,
    catalog: Catalog = .standard, _ entries: String = #""seeds": 2"#
  ) throws -> Plan {
    try Plan(
      Fixture.small(
        strategies: strategies, training: #""optimizer": { "name": "adam", "rate": 0.01 }"#,
        #""stream": { \#(stream) }"#, entries, catalog: catalog))
  }

  private func run(_ plan: Plan, _ configuration: Int = 0, probes: [Probe] = []) throws -> Run {
    let resolved = plan.configurations[configuration].resolved
    let data = Run.data(of: try resolved.scenario.prepare(from: EmptyLibrary()), seed: 1)
    return try Run(resolved, data: data, seed: 1, probes: probes)
  }

  /// 5 phases of 80 rows.
  @Test func `a record holds the windows, what the detector said and where the tasks lie`() throws {
    var run = try run(plan(), 1)
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

  /// Changes at rows 80, 160, 240 and 320; alarms every 50 rows: 49, 99 … 399. With 30 rows' patience 99, 249 and 349 detect, 19, 9
  /// and 29 rows late, and 160 is missed; 49, 149, 199, 299 and 399 are false. Still are 400 − 4 · 31 = 276 rows.
  @Test func `what the alarms were worth is recorded`() throws {
    let plan = try plan(
      #""every": [{ "name": "alarm-every", "every": 50 }], "never": [{ "name": "alarm-never" }], "none": []"#,
      stream: #""block": 3, "window": 50, "maxDelay": 30"#)
    let records = try (0..<3).map { configuration in
      var run = try run(plan, configuration)
      return run.execute()
    }
    let names = [
      "detection_delay", "missed_changes", "false_alarms_per_1000", "mean_time_ratio", "detection_f1", "dummy_f1",
    ]
    let numbers = names.map { records[0].number(ObservationName($0)) }
    #expect(numbers.prefix(3) == [19, 0.25, 5000.0 / 276])
    #expect(abs(numbers[3] - 276.0 / 5 / 19 * 0.75) < 1e-12 && numbers[4] == 6.0 / 12)
    for record in records {
      #expect(record["event_example"]?.integers == [80, 160, 240, 320] && record.number("event_count") == 4)
      #expect(record["event_end"].map(\.values) == record["event_example"].map(\.values))
      #expect(record["event_kind"]?.integers == [1, 1, 1, 1])
      let variation = try #require(record.truth?.totalVariation)
      #expect(record["event_magnitude"]?.numbers == (0..<4).map { variation[$0][$0 + 1] })
    }
    func value(_ name: String, _ record: RunRecord) throws -> MetricValue {
      try #require(Catalog.standard.metrics.first { $0.name == name }).value(of: record, kind: .sampled)
    }
    #expect(try names.map { try value($0, records[0]) } == numbers.map { .number($0) })
    #expect(
      try names.map { try value($0, records[1]) } == [
        .undefined("no change was detected"), .number(1), .number(0), .number(0), .number(0), .number(0),
      ])
    #expect(try names.map { try value($0, records[2]) } == names.map { _ in .undefined("there is no drift detector") })
  }

  /// A change in rows 20 to 29, a blip in rows 50 to 53, 100 rows; alarms up to 5 rows late. Still are 100 − 15 rows; 25 detects,
  /// 51 and 58 are the blip's, 80 is false alone.
  @Test func `a change that takes its time and a blip are judged as the scenario declares them`() throws {
    var stream = StreamRecord(status: .completed, tasks: ["a", "b"], starts: [0, 40])
    stream.windows = [StreamRecord.Window(rows: 100, accuracy: 1, logLoss: 0)]
    (stream.rightEdges, stream.alarms, stream.hasDetector, stream.maxDelay) = ([100], [25, 51, 58, 80], true, 5)
    stream.truth = ScenarioTruth(
      bayesAccuracy: [1, 1], crossAccuracy: [[1, 0], [0, 1]], totalVariation: [[0, 0.3], [0.2, 0]],
      hellinger: [[0, 1], [1, 0]], jointCeiling: .nan)
    stream.declaredEvents = [
      DriftEvent(.change, 20...29, before: 0, behind: 1), DriftEvent(.blip, 50...53, before: 1, behind: 0),
      DriftEvent(.blip, 90...90),
    ]
    let record = RunRecord(stream)
    #expect(record["event_example"]?.integers == [20, 50, 90] && record["event_end"]?.integers == [29, 53, 90])
    #expect(record["event_kind"]?.integers == [1, 2, 2] && record.number("event_count") == 3)
    let magnitudes = try #require(record["event_magnitude"]?.numbers)
    #expect(magnitudes[..<2] == [0.3, 0.2] && magnitudes[2].isNaN)
    #expect(record.number("blip_alarms") == 2 && record.number("detection_delay") == 5)
    #expect(record.number("false_alarms_per_1000") == 3000.0 / 85 && record.number("missed_changes") == 0)
    #expect(record["task_example"]?.integers == [0, 40])
    func reason(_ name: String) throws -> String? {
      try #require(Catalog.standard.metrics.first { $0.name == name }).value(of: RunRecord(stream), kind: .sampled)
        .reason
    }
    stream.declaredEvents = [DriftEvent(.blip, 50...53)]
    #expect(try reason("detection_delay") == "the stream has blips and no change")
    stream.declaredEvents = nil
    #expect(try reason("blip_alarms") == "the stream has no blips")
  }

  @Test func `where nothing changes, or nothing was false, the numbers say so`() throws {
    func record(_ entries: String, maxDelay: Int) throws -> RunRecord {
      var run = try run(
        try plan(
          #""every": [{ "name": "alarm-every", "every": 50 }]"#, stream: #""window": 50, "maxDelay": \#(maxDelay)"#,
          entries))
      return run.execute()
    }
    func reason(_ name: String, _ record: RunRecord) throws -> String? {
      try #require(Catalog.standard.metrics.first { $0.name == name }).value(of: record, kind: .sampled).reason
    }
    // Every window reaches to the next change: only the alarms before the first change are false.
    let long = try record(#""seeds": 1"#, maxDelay: 1000)
    #expect(long.number("false_alarms_per_1000") == 1000.0 / 80 && long.number("missed_changes") == 0)
    // One task of 80 rows, an alarm behind row 49.
    var stream = StreamRecord(status: .completed, tasks: ["a"], starts: [0])
    stream.windows = [StreamRecord.Window(rows: 80, accuracy: 1, logLoss: 0)]
    (stream.rightEdges, stream.alarms, stream.hasDetector) = ([80], [49], true)
    let one = RunRecord(stream)
    #expect(one.number("event_count") == 0 && one["event_example"] == nil)
    #expect(one.number("false_alarms_per_1000") == 12.5 && one.number("detection_f1") == 0)
    for name in ["detection_delay", "missed_changes", "mean_time_ratio"] {
      #expect(try reason(name, one) == "nothing changes in the stream: it has one task")
    }
    (stream.tasks, stream.starts, stream.alarms) = (["a", "b"], [0, 40], [41])
    #expect(try reason("mean_time_ratio", RunRecord(stream)) == "no alarm was false")
    (stream.starts, stream.alarms) = ([0, 0], [])
    #expect(try reason("false_alarms_per_1000", RunRecord(stream)) == "every row lies in the window of a change")
  }

  @Test func `a stream whose truth is not known has its tasks' rows and changes nevertheless`() {
    var stream = StreamRecord(status: .completed, tasks: ["a", "b"], starts: [0, 5])
    stream.windows = [StreamRecord.Window(rows: 9, accuracy: 1, logLoss: 0)]
    stream.rightEdges = [9]
    var record = RunRecord(stream)
    #expect(record["task_example"]?.integers == [0, 5] && record["event_example"]?.integers == [5])
    record.truth = nil
    #expect(record["task_example"]?.integers == [0, 5] && record["event_magnitude"] == nil)
  }

  @Test func `means are those of the windows, and p* gives expected accuracy and regret`() throws {
    var run = try run(plan(#""naive": []"#, stream: #""window": 150"#))
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
    var run = try run(plan())
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
    let plan = try plan()
    var whole = try run(plan, strategy)
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan, strategy)
    watched.saving(each: 7, into: &checkpoints)
    #expect(checkpoints.count == 19)
    for checkpoint in checkpoints {
      var resumed = try run(plan, strategy)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
      #expect(try resumed.model("id") == whole.model("id"))
    }
  }

  /// Behind the checksum too.
  @Test func `no bytes of a stream's checkpoint crash the reader or the run`() throws {
    let plan = try plan(
      #""s": [{ "name": "ewc" }, { "name": "page-hinkley", "least": 5, "threshold": 2 }, { "name": "reservoir", "capacity": 6 }]"#
    )
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan)
    watched.saving(each: 90, into: &checkpoints)
    let (good, fresh) = (checkpoints[0], try run(plan))
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
    let plan = try plan()
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
    let plan = try plan(
      #""spied": [{ "name": "spy", "of": "ewc", "log": "stream" }]"#,
      stream: #""block": 8, "boundaries": "every", "every": 100, "stepsPerBlock": 2"#,
      catalog: Catalog.standard.adding(Spy.self))
    var run = try run(plan)
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
    var run = try run(plan(), probes: [weights, rows, never])
    let record = run.execute()
    #expect(record.number("weights") > 8 && record.number("rows_fed") == 400 && record["norms"] == nil)
    var bare = try self.run(plan())
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
    let late = try plan(#""naive": []"#, stream: #""labels": { "delay": 2, "missing": 0.1 }"#)
    #expect(
      try await Runner(late, output: ResultsFolder(folder("y")), library: EmptyLibrary(), jobs: 1).run { _ in }
        .completed == 2)
  }

  /// Rows of phases do not carry people and days along, and have them where a stream asks for them: a delay of a day is one of a row.
  @Test func `rows of a habit have people and days where a stream asks for them`() throws {
    func record(_ labels: String) throws -> RunRecord {
      let stream = #""block": 1, "window": 50, "labels": { \#(labels) }"#
      var run = try run(plan(#""replay": [{ "name": "reservoir", "capacity": 20 }]"#, stream: stream))
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
    let plan = try plan()
    let estimate = try Estimate(PlanSummary(plan), .standard, library: EmptyLibrary(), jobs: 1)
    #expect(estimate.pairs.count == 4 && estimate.pairs.allSatisfy { $0.secondsPerRun > 0 && $0.secondsPerRun < 60 })
  }
}

/// What prequential numbers must be, in closed form.
@Suite struct PrequentialOracleTests {
  /// Answers 1 with the logit z, whatever it is taught.
  private struct Constant: Learner {
    let logit: Float

    mutating func begin(_ experience: ExperienceInfo) {}
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
      Matrix([[Float]](repeating: [logit], count: inputs.rows))
    }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  /// Answers the label that most rows had so far, 0 on a tie.
  private struct Majority: Learner, Codable {
    private var lead: Float = 0

    mutating func begin(_ experience: ExperienceInfo) {}
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      for label in batch.labels { lead += label == 1 ? 1 : -1 }
      return StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
      Matrix([[Float]](repeating: [lead], count: inputs.rows))
    }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  private func windows(_ learner: any Learner, block: Int, window: Int) -> PrequentialWindows {
    var run = StreamRun(StreamSettings(block: block, window: window), TurningStream(), learner: learner, seed: Seed(1))
    run.finish()
    return run.windows
  }

  private var labels: [Int] { (0..<3).flatMap { TurningStream().trainingRows(for: $0).labels.map(Int.init) } }

  /// Accuracy is the share of 1, the loss ln(1 + eᶻ) − z · (share of 1), whatever the blocks.
  @Test(arguments: [1, 4, 75], [10, 75, 1000])
  func `a constant learner has the share of its label`(block: Int, window: Int) {
    let ones = Double(labels.reduce(0, +))
    let result = windows(Constant(logit: 0.5), block: block, window: window)
    #expect(result.rows == 75 && result.meanAccuracy == ones / 75)
    let loss = result.windows.reduce(0) { $0 + $1.logLoss * Double($1.rows) } / 75
    #expect(abs(loss - (Elementary.log(1 + Elementary.exp(0.5)) - 0.5 * ones / 75)) < 1e-12)
    #expect(windows(Constant(logit: -0.5), block: block, window: window).meanAccuracy == 1 - ones / 75)
  }

  @Test(arguments: [1, 4])
  func `the majority so far is that of the rows before the block`(block: Int) {
    var hits = 0
    for (row, label) in labels.enumerated() {
      let before = labels[..<(row / block * block)]
      let ones = before.reduce(0, +)
      hits += (2 * ones > before.count ? 1 : 0) == label ? 1 : 0
    }
    #expect(windows(Majority(), block: block, window: 20).meanAccuracy == Double(hits) / 75)
  }

  @Test(arguments: [1, 3, 10, 74, 75, 76])
  func `windows of any length add up to the same hits and loss`(window: Int) {
    let (fine, coarse) = (windows(Majority(), block: 1, window: window), windows(Majority(), block: 1, window: 75))
    #expect(fine.windows.map(\.hits).reduce(0, +) == coarse.windows[0].hits)
    #expect(fine.rightEdges.last == 75 && fine.rows == 75)
    let loss = fine.windows.reduce(0) { $0 + $1.logLoss * Double($1.rows) }
    #expect(abs(loss - coarse.windows[0].logLoss * 75) < 1e-9)
  }
}
