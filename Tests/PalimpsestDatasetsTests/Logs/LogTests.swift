import Foundation
import PalimpsestCore
import PalimpsestScenarios
import Testing

import PalimpsestDatasets

/// Real tables as streams. Rows and rates of tasks, and what repeating the last label and the most frequent one so far is worth,
/// are those of an independent computation.
@Suite struct RealLogTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var thin = 1
    let rows: [Int]
    let rates: [Double]
    let repeatLast: Double
    let majority: Double
    var inputs: Int

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "elec2", rows: [Int](repeating: 5664, count: 8),
      rates: [0.394, 0.478, 0.446, 0.399, 0.408, 0.406, 0.391, 0.474], repeatLast: 0.853303, majority: 0.575366,
      inputs: 6),
    Case(
      name: "noaa-weather", rows: (0..<10).map { ($0 + 1) * 18_159 / 10 - $0 * 18_159 / 10 },
      rates: [0.303, 0.280, 0.313, 0.303, 0.311, 0.279, 0.279, 0.365, 0.346, 0.358], repeatLast: 0.680251,
      majority: 0.686216, inputs: 8),
    Case(
      name: "bank-marketing", rows: (0..<10).map { ($0 + 1) * 41_188 / 10 - $0 * 41_188 / 10 },
      rates: [0.028, 0.035, 0.042, 0.066, 0.062, 0.055, 0.102, 0.120, 0.157, 0.459], repeatLast: 0.847088,
      majority: 0.887346, inputs: 62),
    Case(
      name: "bike-sharing", rows: [1807, 2203, 2240, 2134 + 261, 1912, 2206, 2256, 2098 + 262],
      rates: [], repeatLast: 0.876280, majority: 0.500892, inputs: 13),
    Case(
      name: "online-shoppers", rows: [184, 1907, 3364, 288, 432, 433, 448, 549, 2998, 1727],
      rates: [0.016, 0.101, 0.108, 0.101, 0.153, 0.176, 0.192, 0.209, 0.254, 0.125], repeatLast: 0.744018,
      majority: 0.845255, inputs: 19),
    Case(
      name: "occupancy", thin: 30, rows: [], rates: [], repeatLast: 0.945985, majority: 0.769679, inputs: 5),
    Case(name: "arem-activity", rows: [], rates: [], repeatLast: .nan, majority: .nan, inputs: 12),
    Case(name: "diabetes-logs", rows: [], rates: [], repeatLast: .nan, majority: .nan, inputs: 7),
  ]

  private static let library = DatasetFolder.standard()

  /// Those that are here.
  @Test(arguments: cases.filter { library.location(of: $0.name) != nil })
  func `rows, rates and references are those of the files`(_ the: Case) throws {
    var log = TableLog()
    (log.dataset, log.thin) = (the.name, the.thin)
    let stream = try log.prepare(from: RealLogTests.library).makeStream(seed: Seed(0))
    let tasks = stream.experiences.map { stream.streamedRows(for: $0.index) }
    if !the.rows.isEmpty { #expect(tasks.map(\.count) == the.rows) }
    for (task, rate) in zip(tasks, the.rates) {
      let ones = Double(task.labels.count { $0 == 1 }) / Double(task.count)
      #expect(abs(ones - rate) < 0.00055, "\(ones)")
    }
    #expect(stream.shape.inputs == the.inputs)
    let labels = tasks.flatMap(\.labels)
    if the.repeatLast.isNaN { return }
    #expect(abs(repeatLast(labels) - the.repeatLast) < 6e-7, "\(repeatLast(labels))")
    #expect(abs(majority(labels) - the.majority) < 6e-7, "\(majority(labels))")
  }

  @Test(.enabled(if: library.location(of: "diabetes-logs") != nil, "skipped: diabetes-logs is not there"))
  func `events become a reading a row, and the next one its label`() throws {
    var log = TableLog()
    log.dataset = "diabetes-logs"
    let stream = try log.prepare(from: RealLogTests.library).makeStream(seed: Seed(0))
    let tasks = stream.experiences.map { stream.streamedRows(for: $0.index) }
    #expect(tasks.count == 70 && tasks.map(\.count).min() == 30 && tasks.map(\.count).max() == 615)
    let labels = tasks.flatMap(\.labels)
    #expect(labels.count == 13_453 && abs(Double(labels.count { $0 == 1 }) / 13_453 - 0.3603) < 5e-5)
    var request = TableRequest()
    (request.above, request.owner, request.drop) = (180, "patient", ["time"])
    let table = try RealLogTests.library.table(named: "diabetes-logs", request)
    let reading = try #require(table.columns.firstIndex { $0.name == "reading" })
    let same = table.labels.indices.count { row in
      (table.cells[row * table.columns.count + reading] > 180) == (table.labels[row] == 1)
    }
    #expect(abs(Double(same) / 13_453 - 0.637181) < 6e-7)
  }

  /// In the file's order nearly every line has the label before it: 88 sequences in 7 runs of activities.
  @Test(.enabled(if: library.location(of: "arem-activity") != nil, "skipped: arem-activity is not there"))
  func `signals of activities are windows of twenty, of one sequence each`() throws {
    let lines = try RealLogTests.library.dataset(named: "arem-activity")
    #expect(abs(repeatLast(lines.labels) - 0.999858) < 6e-7)
    var log = TableLog()
    log.dataset = "arem-activity"
    let stream = try log.prepare(from: RealLogTests.library).makeStream(seed: Seed(0))
    let rows = stream.experiences.map { stream.streamedRows(for: $0.index).count }
    #expect(rows.reduce(0, +) <= lines.labels.count / 20 && rows.reduce(0, +) > lines.labels.count / 20 - 88)
  }

  /// Of the rows behind the first.
  private func repeatLast(_ labels: [Int32]) -> Double {
    Double(zip(labels, labels.dropFirst()).count { $0 == $1 }) / Double(labels.count - 1)
  }

  /// The most frequent label so far, the smallest one on a tie and for the first row.
  private func majority(_ labels: [Int32]) -> Double {
    var counts = [Int](repeating: 0, count: Int(labels.max() ?? 0) + 1)
    var hits = 0
    for label in labels {
      let most = counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) } ?? 0
      hits += most == Int(label) ? 1 : 0
      counts[Int(label)] += 1
    }
    return Double(hits) / Double(labels.count)
  }
}
