import Foundation
import HDF5
import PalimpsestCube
import PalimpsestMetrics
import PalimpsestResults
import Testing

/// Somebody's own: R[T−1, 0] / R[0, 0]. Of the run below 0.6 / 0.8.
private let kept = Metric(
  "first_kept", "What is left of the first task", definition: "R[T-1, 0] / R[0, 0]", source: "A test.", .higher,
  needs: [.severalTasks]
) { R in R[R.last, 0] / R[0, 0] }

/// Defined where there is a joint run to compare with: 0.9 there, 0.7 here.
private let behind = Metric(
  "behind_joint", "What joint has more", definition: "J[1, 1] - R[1, 1]", source: "A test.", .lower, needs: [.joint]
) { R in R.joint[R.last] - R[R.last, R.last] }

private let accuracy = [[0.8, 0.5], [0.6, 0.7]]

private func sweep(columns: [(column: String, values: [String: String])] = []) throws -> CubeSweep {
  let sweep = try CubeSweep(seeds: [7], columns: columns)
  try sweep.journal([("naive", 7, RunRecord.completed(accuracy).withTruth)])
  return sweep
}

private func image(_ sweep: CubeSweep, _ metrics: [Metric]) throws -> [UInt8] {
  try Cube.image(of: Results(sweep.folder), metrics: standardMetrics + metrics, history: ["h"], origin: .ada).bytes
}

private func table(_ sweep: CubeSweep, _ metrics: [Metric], _ name: String = "a.h5") throws -> CubeTable {
  try CubeTable(bytes: image(sweep, metrics), named: name)
}

struct OwnMetricTests {
  @Test func `a metric of one's own has its two columns, and nothing else changes`() throws {
    let sweep = try sweep()
    let root = try HDF5File.open(bytes: image(sweep, [kept])).root
    let plain = try HDF5File.open(bytes: image(sweep, [])).root
    #expect(
      try Set(root.datasetNames()).subtracting(try plain.datasetNames()) == ["first_kept", "expected_first_kept"])
    #expect(try root.doubles("first_kept")[0].bitPattern == (0.6 / 0.8).bitPattern)
    #expect(try root.doubles("expected_first_kept")[0].bitPattern == ((0.6 - 0.01) / (0.8 - 0.01)).bitPattern)
    #expect(try root.dataset("first_kept").attributes.string("definition") == kept.definition)
    #expect(try root.doubles("forgetting")[0].bitPattern == plain.doubles("forgetting")[0].bitPattern)
  }

  @Test func `the report of a cube alone shows it, also where a hyper-parameter has its name`() throws {
    let column = "{\"name\": \"first_kept\", \"kind\": \"number\", \"path\": \"a.b\", \"help\": \"Help.\"}"
    for columns in [[], [(column: column, values: ["naive": "0.25"])]] {
      let table = try table(sweep(columns: columns), [kept])
      let cell = try #require(try Report(table, metrics: [kept]).rows.first?.cells.first)
      #expect(cell.interval?.mean == (0.6 - 0.01) / (0.8 - 0.01))
      #expect((table.column("measured_first_kept") != nil) == !columns.isEmpty)
      if !columns.isEmpty { #expect(try table.doubles("first_kept") == [0.25]) }
    }
  }

  @Test func `a merge keeps what only one of the files could work out`() throws {
    let both = try CubeSweep(strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [7])
    try both.journal([
      ("naive", 7, RunRecord.completed(accuracy).withTruth), ("joint", 7, .completed([[0.8, 0.5], [0.8, 0.9]])),
    ])
    let alone = try table(sweep(), [behind], "alone.h5")
    #expect(try alone.doubles("behind_joint")[0].isNaN)
    let merge = try CubeMerge([alone, table(both, [behind], "both.h5")])
    let merged = try CubeTable(
      bytes: merge.image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes, named: "merged.h5")
    #expect(try merged.strings("strategy") == ["naive", "joint"])
    #expect(try merged.doubles("behind_joint")[0] == 0.9 - 0.7)
  }
}
