import Foundation
import HDF5
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

private let columns: [(column: String, values: [String: String])] = [
  ("{\"name\": \"si_on\", \"kind\": \"bool\", \"path\": \"p\", \"help\": \"On.\"}", ["naive": "true"]),
  ("{\"name\": \"si_size\", \"kind\": \"integer\", \"path\": \"p\", \"help\": \"Size.\"}", ["joint": "3"]),
]

/// Runs of two and three tasks, with and without p*, one that diverged, one with a measure of its own; the longest run is not the first of
/// its configuration, so that a guess at the cube's form from the first runs is wrong.
private func sweep() throws -> CubeSweep {
  let sweep = try CubeSweep(
    strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [7, 8, 9, 10], columns: columns)
  var own = RunRecord.completed(threeTasks).withTruth
  let norm = Measure("weight_norm", "Norm", definition: "|θ|", along: [.afterTask])
  own.observe(Observation("weight_norm", along: [Axis("after_task", 3)], .numbers([1, 2, .nan])), as: norm)
  own.ticks["user"] = .labels(["ann", "bea"])
  try sweep.journal([("joint", 8, own), ("naive", 9, .completed(threeTasks)), ("joint", 7, .completed([[0.5]]))])
  try sweep.journal(
    [
      ("naive", 8, RunRecord.completed([[0.9, 0.5], [0.6, 0.8]]).withTruth), ("naive", 7, .completed([[0.25]])),
      ("joint", 9, .ended(.diverged, "the loss is inf")), ("joint", 10, RunRecord.completed(threeTasks).withTruth),
    ], host: "zoe")
  return sweep
}

private func image(_ pack: CubePack) throws -> [UInt8] {
  try Cube.image(of: pack, history: ["2026-01-01T00:00:00Z collect"], origin: .ada).bytes
}

@Test(arguments: [1, 2, 3, 7, 100])
func `a cube has the same bytes however many runs are read at a time`(block: Int) throws {
  let sweep = try sweep()
  let whole = try sweep.image()
  #expect(try image(CubePack(FinishedRuns(sweep.folder), standardMetrics, block: block)) == whole)
}

@Test(arguments: [1, 3, 100]) func `who reads the rows too gets each once, in order of position`(block: Int) throws {
  let sweep = try sweep()
  let (kept, reported) = (KeptRows(), ReportedRows())
  _ = try CubePack(FinishedRuns(sweep.folder), standardMetrics, block: block, for: [kept, reported])
  let results = try Results(sweep.folder)
  #expect(kept.results?.rows.map(\.run) == results.rows.map(\.run))
  #expect(kept.results?.rows.map(\.entry) == results.rows.map(\.entry))
  #expect(reported.report?.rows == Report(results).rows)
}

@Suite struct ShardTests {
  private let noon = Date(timeIntervalSince1970: 1_700_000_000)

  private func collect(_ sweep: CubeSweep, _ size: Int) throws -> (summary: CollectSummary, files: [String]) {
    try sweep.folder.collectShards(of: size, origin: .ada, at: noon)
  }

  @Test func `shards hold the runs of their positions, in the form of the whole`() throws {
    let sweep = try sweep()
    let (summary, files) = try collect(sweep, 3)
    let base = String(sweep.folder.cube.dropLast(3))
    // Positions 0 to 2, 3 to 5 and 6 to 7; position 3 has no run yet.
    #expect(files == (0..<3).map { "\(base)-00\($0).h5" })
    #expect(summary.planned == 8 && summary.completed == 6 && summary.failed == 1)
    let shards = try files.map { try HDF5File.open(bytes: Files.read($0)).root }
    #expect(try shards.map { try $0.integers("run") } == [[0, 1, 2], [4, 5], [6, 7]])
    #expect(try shards.map { try $0.attributes.number("runs_planned", as: Int64.self) } == [3, 3, 2])
    let whole = try sweep.cube()
    for shard in shards {
      #expect(try shard.datasetNames() == whole.datasetNames())
      for name in ["configuration_json", "task_name"] {
        #expect(try shard.strings(name) == whole.strings(name), "\(name)")
      }
    }
    let accuracies = try shards.flatMap { try $0.floats("accuracy") }
    #expect(try accuracies.map(\.bitPattern) == whole.floats("accuracy").map(\.bitPattern))
    #expect(try shards.flatMap { try $0.strings("joint_run_id") } == whole.strings("joint_run_id"))
    #expect(try shards.flatMap { try $0.integers("task_names") } == whole.integers("task_names"))
  }

  @Test func `other shards replace those that were there, and no other file`() throws {
    let sweep = try sweep()
    let old = try collect(sweep, 2).files
    #expect(old.count == 4)
    let new = try collect(sweep, 4).files
    #expect(new == Array(old[..<2]) && old.map { Files.exists($0) } == [true, true, false, false])
    try Files.replace(old[2], with: "mine")
    let error = #expect(throws: FileError.self) { try collect(sweep, 2) }
    #expect(
      error?.description
        == "\(old[2]): this file would be replaced, and it is none that \"collect --shard\" made of these results. "
        + "Move it away")
    try sweep.folder.removeResults()
    #expect(old.map { Files.exists($0) } == [false, false, true, false])
  }

  @Test(.enabled(if: hasPython, "skipped: needs \(pythonModules)"))
  func `behind each other in xarray, shards are the table of the whole`() throws {
    let sweep = try sweep()
    try sweep.folder.collect(origin: .ada, at: noon)
    let files = try collect(sweep, 3).files
    let program = """
      import sys, numpy as np, xarray as xr
      whole, parts = xr.open_dataset(sys.argv[1]), [xr.open_dataset(f) for f in sys.argv[2:]]
      joined = xr.concat(parts, "run", data_vars="minimal", coords="minimal", compat="override", join="override")
      assert set(whole.variables) == set(joined.variables)
      for name in whole.variables:
        a, b = whole[name], joined[name]
        assert a.dims == b.dims, name
        assert np.array_equal(a.values, b.values, equal_nan=a.dtype.kind in "fM"), name
      print(joined.sizes["run"])
      """
    let result = try output(["python3", "-c", program, sweep.folder.cube] + files)
    #expect(result.status == 0 && result.text == "7\n", "\(result.errors)")
  }

  @Test func `merged shards have the runs of the whole`() throws {
    let sweep = try sweep()
    let tables = try collect(sweep, 3).files.map { try CubeTable(file: $0) }
    let merged = try HDF5File.open(bytes: CubeMerge(tables).image(origin: .ada, at: noon).bytes).root
    let whole = try sweep.cube()
    #expect(try merged.strings("run_id") == whole.strings("run_id"))
    #expect(try merged.floats("accuracy").map(\.bitPattern) == whole.floats("accuracy").map(\.bitPattern))
  }
}
