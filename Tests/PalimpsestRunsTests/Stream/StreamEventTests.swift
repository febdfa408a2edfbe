import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Testing

/// What a stream's record says of changes, blips and alarms.
@Suite struct StreamEventTests {
  /// Changes at rows 80, 160, 240 and 320; alarms every 50 rows: 49, 99 … 399. With 30 rows' patience 99, 249 and 349 detect, 19, 9
  /// and 29 rows late, and 160 is missed; 49, 149, 199, 299 and 399 are false. Still are 400 − 4 · 31 = 276 rows.
  @Test func `what the alarms were worth is recorded`() throws {
    let plan = try PlannedStream.plan(
      #""every": [{ "name": "alarm-every", "every": 50 }], "never": [{ "name": "alarm-never" }], "none": []"#,
      stream: #""block": 3, "window": 50, "maxDelay": 30"#)
    let records = try (0..<3).map { configuration in
      var run = try PlannedStream.run(plan, configuration)
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
      var run = try PlannedStream.run(
        try PlannedStream.plan(
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
}
