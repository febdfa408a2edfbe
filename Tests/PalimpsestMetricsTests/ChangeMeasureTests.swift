import PalimpsestCore
import PalimpsestMetrics
import Testing

/// What a stream's record says of its changes, worked by hand.
@Suite struct ChangeMeasureTests {
  /// Tasks a b a b of 100 rows each; the second change is not recovered from.
  private var stream: StreamRecord {
    var stream = StreamRecord(status: .completed, tasks: ["a", "b", "a (2)", "b (2)"], starts: [0, 100, 200, 300])
    stream.windows = [0.02, 0.30, 0.10].map {
      StreamRecord.Window(rows: 160, accuracy: 0.8, logLoss: 0.4, expectedAccuracy: 0.8, regret: $0)
    }
    stream.windows[2].rows = 80
    stream.rightEdges = [160, 320, 400]
    stream.concepts = [0, 1, 0, 1]
    stream.changes = [
      StreamRecord.Change(recovery: 60, regret: 12, rows: 100),
      StreamRecord.Change(recovery: nil, regret: 30, rows: 100),
      StreamRecord.Change(recovery: 20, regret: 3, rows: 100),
    ]
    return stream
  }

  @Test func `first visits and returns are told apart`() {
    let record = RunRecord(stream)
    #expect(record["change_visit"]?.integers == [0, 1, 1])
    #expect(record["change_recovery"]?.numbers == [60, 100, 20] && record["change_regret"]?.numbers == [12, 30, 3])
    #expect(record.number("recovery_time") == 60 && record.number("regret_after_changes") == 15)
    #expect(close(record.number("recovered_share"), 2.0 / 3))
    #expect(record.number("recovery_first") == 60 && record.number("recovery_recurring") == 60)
    #expect(record.number("recall_ratio") == 0)
  }

  /// A life event between the tasks' changes is no task's law: it is as new as can be, and nobody knows what a tracker loses.
  @Test func `changes that the scenario declares count, blips do not`() {
    var stream = stream
    stream.declaredEvents = [
      DriftEvent(.change, 100...110, before: 0, behind: 1), DriftEvent(.blip, 150...160),
      DriftEvent(.change, 200...200), DriftEvent(.change, 300...300, before: 2, behind: 3),
    ]
    let record = RunRecord(stream)
    #expect(record["change_visit"]?.integers == [0, 0, 1])
    #expect(record.number("recovery_first") == 80 && record.number("recovery_recurring") == 20)
    stream.truth = truth([[Double]](repeating: [0.9, 0.4, 0.9, 0.4], count: 4), ceiling: 0.9)
    #expect(RunRecord(stream)["regret_tracker"] == nil)
  }

  /// Magnitudes .4 in 10 rows and .3 in one, and a blip of 20 rows .2 away, there and back.
  @Test func `the law travels as far as its changes, and there and back in blips`() {
    var stream = stream
    stream.truth = truth(
      [[0, 0.4, 0.2, 0], [0.4, 0, 0.3, 0], [0.2, 0.3, 0, 0], [0, 0, 0, 0]], ceiling: 0.9)
    stream.declaredEvents = [
      DriftEvent(.change, 100...109, before: 0, behind: 1), DriftEvent(.blip, 150...169, before: 0, behind: 2),
      DriftEvent(.change, 300...300, before: 1, behind: 2),
    ]
    let record = RunRecord(stream)
    #expect(close(record.number("path_length"), 0.4 + 2 * 0.2 + 0.3))
    #expect(zip(record["event_rate"]?.numbers ?? [], [0.04, 0.01, 0.3]).allSatisfy { close($0, $1) })
    stream.declaredEvents?.append(DriftEvent(.change, 350...350))
    #expect(RunRecord(stream)["path_length"] == nil && RunRecord(stream)["event_rate"] != nil)
  }

  @Test func `where no concept comes back there is no such recovery`() {
    var stream = stream
    stream.concepts = [0, 1, 2, 3]
    let record = RunRecord(stream)
    #expect(
      record.number("recovery_first") == 60 && record["recovery_recurring"] == nil && record["recall_ratio"] == nil)
  }

  /// Σ regret = .02·160 + .3·160 + .1·80 = 59.2. The tracker loses C_kk − C_jk once a change: .9 − .4, .8 − .3, .9 − .4.
  @Test func `the tracker hears of a change one row late`() {
    var stream = stream
    let cross = [[0.8, 0.4, 0.8, 0.4], [0.3, 0.9, 0.3, 0.9], [0.8, 0.4, 0.8, 0.4], [0.3, 0.9, 0.3, 0.9]]
    stream.truth = truth(cross, ceiling: 0.85)
    #expect(close(RunRecord(stream).number("regret_tracker"), (59.2 - 1.5) / 400))
    stream.windows[0].regret = .nan
    #expect(RunRecord(stream)["regret_tracker"] == nil)
  }

  @Test func `a run that ended early, and a stream without changes, say nothing of them`() {
    var (ended, still) = (stream, stream)
    ended.status = .diverged
    (still.changes, still.starts, still.concepts) = ([], [0], [0])
    for record in [RunRecord(ended), RunRecord(still)] {
      #expect(record["change_recovery"] == nil && record["recovery_time"] == nil)
    }
  }

  /// Changes at 100, 200 and 300; alarms at 130 and 390, each window 50 rows long.
  @Test func `the delay of each change stands beside it`() throws {
    var stream = stream
    (stream.hasDetector, stream.alarms, stream.maxDelay) = (true, [130, 345], 50)
    let delays = try #require(RunRecord(stream)["change_delay"]?.numbers)
    #expect(delays[0] == 30 && delays[1].isNaN && delays[2] == 45)
  }
}
