import Foundation
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import TestFixtures
import Testing

private func export(_ sweep: CubeSweep) throws -> CubeExport {
  CubeExport(try CubeTable(bytes: sweep.image(), named: "a.h5"))
}

private func text(_ export: CubeExport, _ table: CubeExport.Table) throws -> String {
  var bytes: [UInt8] = []
  try export.write(table) { bytes += $0 }
  return String(decoding: bytes, as: UTF8.self)
}

@Suite struct CubeExportTests {
  @Test func `runs are rows under the names of the columns`() throws {
    let sweep = try CubeSweep(strategies: [("na,ïve", "[]")])
    try sweep.journal([("na,ïve", 7, .completed([[0.75]]))])
    let lines = try text(export(sweep), .runs).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[2].isEmpty)
    let header = lines[0].split(separator: ",")
    #expect(header.prefix(6) == ["run", "run_id", "config", "scenario", "strategy", "seed"])
    #expect(lines[1].hasPrefix("0,\"id-na,ïve-7\",0,hidden,\"na,ïve\",7,1,0,,0.75,0.75,,"))
  }

  @Test func `matrices are in long form without padding`() throws {
    let sweep = try CubeSweep(seeds: [7, 8, 9])
    try sweep.journal([
      ("naive", 7, RunRecord.completed([[0.75, 0.5], [0.25, 1]])), ("naive", 8, .ended(.failed, "no")),
      ("naive", 9, RunRecord.completed(threeTasks).withTruth),
    ])
    let export = try export(sweep)
    let ends = try #require(export.table(named: "after_task"))
    #expect(ends.dimensions == ["after_task"])
    #expect(try text(export, ends).split(separator: "\n")[1] == "0,id-naive-7,hidden,naive,7,0,0.25")
    #expect(export.tables == [.runs, .matrices, .tasks, .pairs, .curves, ends])
    let lines = try text(export, .matrices).split(separator: "\n")
    #expect(
      lines.prefix(5) == [
        "run,run_id,scenario,strategy,seed,after_task,task,accuracy,expected_accuracy,log_loss",
        "0,id-naive-7,hidden,naive,7,0,0,0.75,,0.25", "0,id-naive-7,hidden,naive,7,0,1,0.5,,0.5",
        "0,id-naive-7,hidden,naive,7,1,0,0.25,,0.75", "0,id-naive-7,hidden,naive,7,1,1,1,,0",
      ])
    #expect(lines.count == 1 + 4 + 9)
    let curves = try text(export, .curves).split(separator: "\n")
    #expect(curves.count == 1 + 9)
    #expect(
      curves[0] == "run,run_id,scenario,strategy,seed,evaluation,task,curve_accuracy,expected_curve_accuracy,"
        + "curve_examples,curve_task")
    #expect(curves[1] == "2,id-naive-9,hidden,naive,9,0,0,0.9,0.89,160,0")
  }

  @Test func `a cube without runs has headers alone`() throws {
    let export = try export(CubeSweep())
    #expect(try text(export, .runs).hasPrefix("run,run_id,"))
    #expect(try text(export, .matrices) == "run,run_id,scenario,strategy,seed,after_task,task,accuracy,log_loss\n")
  }

  /// Everything a table must survive: commas, quotes, line ends, missing numbers.
  @Test(.enabled(if: hasPython, "python3 is not here"))
  func `pandas reads back what the cube holds`() throws {
    let columns = ["{\"name\": \"x_on\", \"kind\": \"bool\", \"path\": \"p\", \"help\": \"On.\"}"]
    let sweep = try CubeSweep(
      strategies: [("a,b", "[]"), ("c d", "[]")], seeds: [7, 8],
      columns: [(columns[0], ["a,b": "true", "c d": "false"])])
    try sweep.journal([
      ("a,b", 7, RunRecord.completed(threeTasks).withTruth), ("a,b", 8, .ended(.failed, "first\nsecond, \"third\"")),
      ("c d", 7, RunRecord.completed([[0.1 + 0.2, 1.0 / 3], [0.7, 1e-7]])),
    ])
    try sweep.folder.collect(origin: .ada)
    let file = sweep.folder.folder + "/runs.csv"
    try Files.replace(file, with: text(export(sweep), .runs))
    let program = """
      import sys, h5py, numpy as np, pandas as pd
      df = pd.read_csv(sys.argv[1], float_precision="round_trip")
      with h5py.File(sys.argv[2]) as f:
        names = [k for k in f if isinstance(f[k], h5py.Dataset) and f[k].dims[0].keys() == ["run"] or k == "run"]
        names = [k for k in names if f[k].ndim == 1]
        assert set(df.columns) == set(names), set(df.columns) ^ set(names)
        for k in names:
          if f[k].dtype.kind == "O":
            assert df[k].astype(object).where(df[k].notna(), "").tolist() == f[k].asstr()[:].tolist(), k
          else:
            assert np.array_equal(df[k].to_numpy(float), f[k][:].astype(float), equal_nan=True), k
      assert df["x_on"].dtype == bool
      """
    let result = try output(["python3", "-W", "ignore", "-c", program, file, sweep.folder.cube])
    #expect(result.status == 0, "\(result.errors)")
  }
}

@Suite struct CubeReportTests {
  /// The numbers of the columns are those of the records, so a bare cube reports what its journals do.
  @Test func `a bare cube gives the report of its folder`() throws {
    let column = "{\"name\": \"x_rate\", \"kind\": \"number\", \"path\": \"p\", \"help\": \"Rate.\"}"
    let sweep = try CubeSweep(
      strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [7, 8, 9],
      columns: [(column, ["naive": "0.5", "joint": "0.25"])])
    try sweep.journal([
      ("naive", 7, RunRecord.completed(threeTasks).withTruth), ("naive", 8, .ended(.diverged, "inf")),
      ("naive", 9, RunRecord.completed(threeTasks).withTruth), ("joint", 7, RunRecord.completed(threeTasks)),
      ("joint", 8, .ended(.failed, "no rows")),
    ])
    let metrics = standardMetrics
    let folder = Report(try Results(sweep.folder), metrics: metrics)
    let cube = try Report(CubeTable(bytes: sweep.image(), named: "a.h5"), metrics: metrics)
    #expect(cube.csv == folder.csv)
    #expect(cube.text == folder.text)
    #expect(cube.missing == 1)
  }

  @Test func `a merged cube, one without runs and one of failed runs are reported`() throws {
    let tables = try [firstSweep().image(), secondSweep().image()].enumerated().map {
      try CubeTable(bytes: $1, named: "\($0).h5")
    }
    let image = try CubeMerge(tables).image(origin: .ada, at: .now).bytes
    let merged = try Report(CubeTable(bytes: image, named: "m.h5"), metrics: [.averageAccuracy])
    // Threefold 0.6 and (0.25 + 1) / 2 = 0.625; naive has p* in one run alone, so its accuracies are of sampled labels.
    #expect(merged.rows.map(\.strategy) == ["naive", "joint"])
    #expect(merged.rows.map(\.completed) == [2, 2])
    #expect(merged.rows.map(\.failed) == [1, 0])
    #expect(abs((merged.rows[1].cells[0].interval?.mean ?? 0) - 0.6125) < 1e-12)
    let empty = try Report(CubeTable(bytes: CubeSweep().image(), named: "e.h5"))
    #expect(empty.rows.isEmpty && empty.text.isEmpty)
  }
}
