import Foundation
import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct RunRecordTests {
  /// A record with something in every field, and with numbers that were not measured.
  var full: TaskRecord {
    var record = TaskRecord(status: .completed, tasks: ["a", "b"])
    record.error = ""
    record.accuracy = AccuracyMatrix([[0.5, .nan], [0.25, 0.75]])
    record.expectedAccuracy = record.accuracy
    record.logLoss = AccuracyMatrix([[1.5, .nan], [0.25, 0.75]])
    record.accuracyBefore = [0.125, .nan]
    record.expectedAccuracyBefore = [.nan, 0.5]
    record.zeroShotUnmeasured = "future classes are masked"
    record.curve = [CurvePoint(task: 1, examples: 64, accuracy: [0.5, .nan], expectedAccuracy: [.nan, 0.5])]
    record.truth = truth([[0.9, 0.5], [0.5, 0.9]], ceiling: 0.7)
    record.cost.steps = 12
    record.cost.timeTask = [0.5, 0.25]
    return record
  }

  @Test func `a record equals itself, whatever was not measured`() {
    #expect(full == full)
    var other = full
    other.accuracyBefore[1] = 0.5
    #expect(full != other)
    other = full
    other.accuracy[0, 1] = 0
    #expect(full != other)
    #expect(RunRecord(status: .failed, tasks: ["a"]) == RunRecord(status: .failed, tasks: ["a"]))
    #expect(RunRecord(full) == RunRecord(full) && RunRecord(full) != RunRecord(other))
  }

  @Test func `a record comes back from JSON as it went, with null for what was not measured`() throws {
    let data = try JSONEncoder().encode(full)
    #expect(try JSONDecoder().decode(TaskRecord.self, from: data) == full)
    let text = try #require(String(data: data, encoding: .utf8))
    #expect(text.contains("\"accuracyBefore\":[0.125,null]"))
    #expect(text.contains("\"accuracy\":[[0.5,null],[0.25,0.75]]"))
    let empty = TaskRecord(status: .failed, tasks: ["a"])
    #expect(try JSONDecoder().decode(TaskRecord.self, from: JSONEncoder().encode(empty)) == empty)
  }

  @Test func `lists that a record does not have leave no key`() throws {
    var record = full
    record.expectedAccuracyBefore = nil
    record.curve[0].expectedAccuracy = nil
    let data = try JSONEncoder().encode(record)
    let text = try #require(String(data: data, encoding: .utf8))
    #expect(!text.contains("expectedAccuracyBefore"))
    #expect(try JSONDecoder().decode(TaskRecord.self, from: data) == record)
  }

  @Test func `a list that a record must have may not be missing`() throws {
    let text = #"{"task":0,"examples":1,"accuracy":null}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(CurvePoint.self, from: Data(text.utf8)) }
    let good = #"{"task":0,"examples":1,"accuracy":[null,0.5]}"#
    let point = try JSONDecoder().decode(CurvePoint.self, from: Data(good.utf8))
    #expect(point.accuracy[0].isNaN && point.accuracy[1] == 0.5 && point.expectedAccuracy == nil)
  }
}
