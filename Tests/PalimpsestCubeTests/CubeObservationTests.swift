import Foundation
import HDF5
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import Testing

private let norm = Measure("norm", "Norm", unit: "m", definition: "√Σ θ²", direction: .lower)
private let layerNorm = Measure(
  "layer_norm", "Norm of each layer", definition: "√Σ θ²", along: [.afterTask, MeasureAxis("layer", "Layer")])
private let windows = Measure(
  "window_rows", "Rows of each window", definition: "how many", storage: .i32, along: [.examplesSeen])
private let noise = Measure("noise", "Noise", definition: "of the machine", storage: .i64, isRepeatable: false)

extension RunRecord {
  /// With a number, an array along a new axis of some layers, windows of a stream, and what differs from time to time.
  fileprivate func measured(norm value: Double, layers: Int, windows edges: [Int], noise count: Int) -> RunRecord {
    var copy = self
    copy.observe(Observation("norm", value), as: norm)
    let axes = [Axis("after_task", 1), Axis("layer", layers)]
    copy.observe(Observation("layer_norm", along: axes, .numbers((0..<layers).map { Double($0) + 0.5 })), as: layerNorm)
    let rows = Observation(
      "window_rows", along: [Axis("examples_seen", edges.count)], .integers(edges.map { _ in 10 }))
    copy.observe(rows, as: windows)
    copy.ticks = ["examples_seen": .positions(edges), "layer": .labels((0..<layers).map { "layer \($0)" })]
    copy.observe(Observation("noise", count), as: noise)
    return copy
  }
}

private func sweep(norm: Double = 2.5, noise: Int = 1, seeds: [Int] = [7, 8]) throws -> CubeSweep {
  let sweep = try CubeSweep(seeds: seeds)
  let all: [Int: RunRecord] = [
    7: .completed([[0.75]]).measured(norm: norm, layers: 3, windows: [10, 20], noise: noise),
    8: .completed([[0.5]]).measured(norm: -1.5, layers: 2, windows: [10, 20, 30], noise: noise),
    9: .completed([[0.25]]),
  ]
  try sweep.journal(seeds.map { ("naive", $0, all[$0] ?? .completed([[0]])) })
  return sweep
}

private func merged(_ sweeps: CubeSweep...) throws -> CubeTable {
  let tables = try sweeps.enumerated().map { try CubeTable(bytes: $1.image(), named: "\($0).h5") }
  let image = try CubeMerge(tables).image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes
  return try CubeTable(bytes: image, named: "merged.h5")
}

@Suite struct CubeObservationTests {
  /// Merged with a file without them, numbers that stand for words say so still.
  @Test func `numbers that stand for words say which`() throws {
    var record = RunRecord.completed([[0.75]])
    record.observe(Observation("alarm_kind", along: [Axis("alarm", 2)], .integers([1, 2])))
    record.observe(Observation("event_kind", along: [Axis("event", 1)], .integers([2])))
    let (one, other) = (try CubeSweep(seeds: [7]), try CubeSweep(seeds: [8]))
    try one.journal([("naive", 7, record)])
    try other.journal([("naive", 8, .completed([[0.5]]))])
    let tables = try [other, one].enumerated().map { try CubeTable(bytes: $1.image(), named: "\($0).h5") }
    let both = try CubeMerge(tables).image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes
    for root in [try one.cube(), try HDF5File.open(bytes: both).root] {
      let kinds = try root.dataset("event_kind").attributes
      #expect(try kinds.numbers("flag_values", as: Int8.self) == [1, 2])
      #expect(try kinds.string("flag_meanings") == "change blip")
      let alarms = try root.dataset("alarm_kind").attributes
      #expect(try alarms.numbers("flag_values", as: Int8.self) == [1, 2])
      #expect(try alarms.string("flag_meanings") == "alarm warning")
    }
  }

  @Test func `what others observe has a dataset, as it was declared`() throws {
    let root = try sweep().cube()
    let dataset = try root.dataset("norm")
    #expect(try dataset.attributes.string("long_name") == "Norm" && dataset.attributes.string("units") == "m")
    #expect(try dataset.attributes.string("definition") == "√Σ θ²" && dataset.element() == .float(bits: 64))
    #expect(try root.doubles("norm") == [2.5, -1.5])
    #expect(try root.dataset("layer_norm").dimensionNames() == ["run", "after_task", "layer"])
    let norms = try root.floats("layer_norm")
    #expect(norms[0...4] == [0.5, 1.5, 2.5, 0.5, 1.5] && norms[5].isNaN)
    #expect(try root.integers("layer") == [0, 1, 2])
    #expect(try root.dataset("layer").attributes.string("long_name") == "Layer")
    #expect(try root.integers("window_rows") == [10, 10, -1, 10, 10, 10])
    #expect(try root.dataset("window_rows").attributes.numbers("_FillValue", as: Int32.self) == [-1])
    #expect(try root.integers("examples_seen") == [10, 20, 30])
    #expect(try root.strings("layer_name") == ["layer 0", "layer 1", "layer 2", "layer 0", "layer 1", ""])
    #expect(try root.integers("layer_names") == [0, 1])
  }

  @Test func `a run that did not observe it has nothing there`() throws {
    let root = try sweep(seeds: [7, 8, 9]).cube()
    #expect(try root.doubles("norm")[2].isNaN && root.integers("noise") == [1, 1, -1])
    #expect(try root.dataset("noise").attributes.numbers("_FillValue", as: Int64.self) == [-1])
    #expect(try root.integers("window_rows").suffix(3) == [-1, -1, -1])
    #expect(try root.integers("layer_names") == [0, 1, -1])
  }

  @Test func `a merge compares what is declared to be the same anywhere, and only that`() throws {
    let all = try merged(sweep(), sweep(noise: 2, seeds: [8, 9]))
    #expect(try all.doubles("norm").prefix(2) == [2.5, -1.5] && all.integers("noise") == [1, 1, -1])
    #expect(try all.integers("layer_names") == [0, 1, -1])
    #expect(try all.strings("layer_name") == ["layer 0", "layer 1", "layer 2", "layer 0", "layer 1", ""])
    let error = try #require(throws: MergeError.self) { try merged(sweep(), sweep(norm: 2.25)) }
    #expect(error.description.contains("both hold run id-naive-7, but norm differs"))
  }

  @Test func `tables are made of whatever stands along the same axes`() throws {
    let export = CubeExport(try CubeTable(bytes: sweep().image(), named: "a.h5"))
    let names = ["runs", "matrices", "tasks", "prequential", "after_task", "after_task-layer"]
    #expect(Set(export.tables.map(\.name)) == Set(names))
    var bytes: [UInt8] = []
    try export.write(try #require(export.table(named: "after_task-layer"))) { bytes += $0 }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines[0] == "run,run_id,scenario,strategy,seed,after_task,layer,layer_norm")
    #expect(lines.last == "1,id-naive-8,hidden,naive,8,0,1,1.5" && lines.count == 6)
    #expect(export.table(named: "nothing") == nil)
  }

  @Test func `a report has one number of others, from the journal and from the cube`() throws {
    let sweep = try sweep(seeds: [7, 8, 9])
    let reports = [
      Report(try Results(sweep.folder), metrics: [Metric(norm)]),
      try Report(CubeTable(bytes: sweep.image(), named: "a.h5"), metrics: [Metric(norm)]),
    ]
    for report in reports {
      let cell = report.rows[0].cells[0]
      // (2.5 − 1.5) / 2 of the two runs that have it.
      #expect(cell.interval?.mean == 0.5 && cell.interval?.count == 2)
    }
  }

  @Test func `a hyper-parameter keeps its name before a measure of others`() throws {
    let column = #"{"name": "norm", "kind": "number", "path": "strategies.a.norm", "help": "Help."}"#
    let sweep = try CubeSweep(columns: [(column, ["naive": "0.125"])])
    try sweep.journal([
      ("naive", 7, RunRecord.completed([[0.75]]).measured(norm: 2, layers: 1, windows: [10], noise: 0))
    ])
    let root = try sweep.cube()
    #expect(try root.doubles("norm") == [0.125] && root.doubles("measured_norm") == [2])
  }
}

@Suite struct CubeLabelTests {
  @Test func `tasks have their names, each list of them once`() throws {
    let sweep = try CubeSweep(seeds: [7, 8, 9, 10])
    var other = RunRecord.completed([[0.75, 0.5], [0.25, 1]])
    other.tasks = ["été", "winter"]
    try sweep.journal([
      ("naive", 7, .completed(threeTasks)), ("naive", 8, other), ("naive", 9, .ended(.failed, "no rows")),
      ("naive", 10, .completed(threeTasks)),
    ])
    let root = try sweep.cube()
    #expect(try root.dataset("task_name").dimensionNames() == ["task_naming", "task"])
    #expect(try root.strings("task_name") == ["task 0", "task 1", "task 2", "été", "winter", ""])
    #expect(try root.integers("task_names") == [0, 1, -1, 0])
    #expect(try root.dataset("task_names").attributes.numbers("_FillValue", as: Int32.self) == [-1])
  }

  @Test func `names of merged cubes are those of the cubes, and an older cube has none`() throws {
    let (first, second) = (try CubeSweep(seeds: [7]), try CubeSweep(seeds: [8, 9]))
    var other = RunRecord.completed([[0.75, 0.5], [0.25, 1]])
    other.tasks = ["summer", "winter"]
    try first.journal([("naive", 7, other)])
    try second.journal([("naive", 8, .completed(threeTasks)), ("naive", 9, other)])
    let all = try merged(first, second)
    #expect(try all.strings("task_name") == ["summer", "winter", "", "task 0", "task 1", "task 2"])
    #expect(try all.integers("task_names") == [0, 1, 0])
    let old = try HDF5File.open(bytes: second.image()).root
    #expect(try old.datasetNames().contains("task_naming"))
    #expect(all.column("task_name")?.shape == [2, 3])
  }
}

@Suite struct CubeReferenceTests {
  private let strategies = [
    ("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]"), ("scratch", "[{\"name\": \"scratch\"}]"),
  ]

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func `a run says what it was compared with, whatever the order of the file`(order: [Int]) throws {
    let sweep = try CubeSweep(strategies: order.map { strategies[$0] }, seeds: [7, 8])
    try sweep.journal(strategies.map { ($0.0, 7, .completed(threeTasks)) } + [("naive", 8, .completed(threeTasks))])
    let root = try sweep.cube()
    let seeds = try root.integers("seed")
    #expect(try root.strings("joint_run_id") == seeds.map { $0 == 7 ? "id-joint-7" : "" })
    #expect(try root.strings("scratch_run_id") == seeds.map { $0 == 7 ? "id-scratch-7" : "" })
    for (metric, column) in [
      ("intransigence", "joint_run_id"), ("intransigence_scratch", "scratch_run_id"),
      ("forward_transfer_independent", "scratch_run_id"),
    ] {
      #expect(try root.dataset(metric).attributes.string("reference_run") == column)
    }
    #expect(try !root.dataset("forgetting").attributes.contains("reference_run"))
  }

  @Test func `without a reference there is no column for it`() throws {
    let sweep = try CubeSweep()
    try sweep.journal([("naive", 7, .completed(threeTasks))])
    let names = try sweep.cube().datasetNames()
    #expect(!names.contains("joint_run_id") && !names.contains("scratch_run_id"))
  }
}
