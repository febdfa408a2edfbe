import Foundation
import Palimpsest
import PalimpsestCube
import Testing

/// Runs through a stream, as a user has them.
struct StreamCommandTests {
  private static let small = """
    {
      "name": "turns",
      "scenarios": { "a": {
        "name": "habit-phases", "phases": [0, 3, 0], "users": 10, "days": 30, "burnIn": 5, "testUsers": 5,
        "calibration": "table", "jointCeiling": "none" } },
      "training": { "optimizer": { "name": "adam", "rate": 0.01 } },
      "stream": { "block": 2, "boundaries": "detected", "window": 250, "order": "shuffled" },
      "strategies": { "naive": [],
        "si": [{ "name": "si" }, { "name": "page-hinkley", "threshold": 5 }] },
      "seeds": 2
    }
    """

  /// 3 tasks of 300 rows: windows of 250, 250, 250 and 150.
  @Test func `run, report, status, export and the cube say what a stream was worth`() async throws {
    let tool = try Tool()
    try tool.write(StreamCommandTests.small, to: "turns.json")
    #expect(try await tool("validate", "turns.json").output == "turns.json: 2 configurations × 2 seeds = 4 runs\n")
    #expect(try await tool("expand", "turns.json").output.contains("4 to run"))
    let answer = try await tool("run", "turns.json", "--quiet")
    try #require(answer.status == 0, "\(answer.errors)")
    // Headings in two lines: with the costs the table is wider than a screen.
    let header = answer.output.split(separator: "\n")[1...2].joined(separator: "\n")
    #expect(["prequential", "regret", "kappa", "multiply-adds"].allSatisfy { header.contains($0) }, "\(header)")
    #expect(
      try await tool("report", "results/turns.h5").output
        == answer.output.replacing("\n\nresults/turns.h5\n", with: "\n"))
    try FileManager.default.moveItem(atPath: tool.folder + "/results/turns.h5", toPath: tool.folder + "/alone.h5")
    #expect(try await tool("report", "alone.h5").output.contains(header))
    #expect(try await tool("status", "results/turns").output.contains("prequential mean"))
    let csv = try await tool("export", "alone.h5", "--csv", "--what", "prequential").output.split(separator: "\n")
    #expect(csv.count == 1 + 4 * 4)
    #expect(
      csv[0].hasPrefix(
        "run,run_id,scenario,strategy,seed,examples_seen,prequential_accuracy,prequential_loss,"
          + "expected_prequential_accuracy,prequential_regret,prequential_rows,prequential_kappa,"))
    #expect(csv[1...4].map { $0.split(separator: ",")[10] } == ["250", "250", "250", "150"])
    #expect(csv[1...4].map { $0.split(separator: ",")[5] } == ["250", "500", "750", "900"])
    #expect(try await tool("run", "turns.json", "--quiet").errors == "")
  }

  @Test(.enabled(if: Python.has("xarray"), "needs python3 with xarray"))
  func `xarray finds windows, alarms and boundaries along their own dimensions`() async throws {
    let tool = try Tool()
    try tool.write(StreamCommandTests.small, to: "turns.json")
    #expect(try await tool("run", "turns.json", "--quiet").status == 0)
    let script = """
      import xarray as xr, numpy as np
      ds = xr.open_dataset("results/turns.h5", decode_timedelta=False)
      assert ds.prequential_accuracy.dims == ("run", "examples_seen"), ds.prequential_accuracy.dims
      assert list(ds.examples_seen.values) == [250, 500, 750, 900]
      assert list(ds.prequential_rows.values[0]) == [250, 250, 250, 150]
      assert np.allclose(ds.prequential_accuracy.mean("examples_seen"), ds.prequential_mean, atol=1e-6)
      assert ds.alarm_example.dims == ("run", "alarm") and ds.boundary_example.dims == ("run", "boundary")
      assert np.isnan(ds.alarm_example.values[:2]).all() and (ds.alarm_count.values[2:] > 0).all()
      assert (ds.task_example.values == [0, 300, 600]).all()
      assert np.isnan(ds.accuracy.values).all() and "not judged on the tasks' test rows" in ds.average_accuracy.undefined_because
      assert (ds.stream_block.values == 2).all() and ds.stream_boundaries.values[0] == "detected"
      print("fine")
      """
    let answer = try await Tool.run("python3", ["-c", script], in: tool.folder)
    #expect(answer.output == "fine\n", "\(answer.errors)")
  }

  @Test func `files of windows of several lengths do not merge`() async throws {
    let tool = try Tool()
    try tool.write(StreamCommandTests.small, to: "turns.json")
    for window in [250, 100] {
      let (set, output) = ("stream.window=\(window)", "w\(window).h5")
      let run = try await tool("run", "turns.json", "--set", set, "--seeds", "1", "--quiet", "--output", output)
      try #require(run.status == 0, "\(run.errors)")
    }
    let answer = try await tool("merge", "w250.h5", "w100.h5", "-o", "both.h5")
    #expect(answer.status != 0)
    #expect(
      answer.errors.contains(
        "w250.h5: its places along examples_seen are 250, 500, 750 …, in w100.h5 100, 200, 300 …; such files do not merge"
      ))
  }

  @Test func `a stream that is killed goes on from its checkpoint with the same bits`() async throws {
    let tool = try Tool()
    let long = StreamCommandTests.small.replacing("\"window\": 250", with: "\"window\": 250, \"stepsPerBlock\": 400")
      .replacing("\"seeds\": 2", with: "\"seeds\": 1")
    try tool.write(long, to: "turns.json")
    #expect(try await tool("run", "turns.json", "--quiet", "--output", "whole.h5").status == 0)
    let script = """
      set -m
      '\(Tool.executable)' run turns.json --quiet --jobs 1 --checkpoint-every 20 --output cut.h5 & tool=$!
      while kill -0 $tool 2>/dev/null && ! ls cut.palimpsest/detail/*.ckpt >/dev/null 2>&1; do sleep 0.002; done
      kill -9 $tool 2>/dev/null
      wait $tool
      ls cut.palimpsest/detail
      """
    let killed = try await Tool.run("/bin/bash", ["-c", script], in: tool.folder)
    #expect(killed.output.contains(".ckpt"))
    #expect(try await tool("run", "turns.json", "--quiet", "--output", "cut.h5").status == 0)
    let whole = try Results(ResultsFolder(tool.folder + "/whole")).rows
    let cut = try Results(ResultsFolder(tool.folder + "/cut")).rows
    #expect(whole.count == 2 && cut.count == 2)
    for (a, b) in zip(whole, cut) { #expect(a.entry.record.hasSameResults(as: b.entry.record)) }
  }

  /// Over tasks nothing scores above the best rules of the tasks by more than a test set's chance, and forgetting of plain learning is
  /// what the classics' severities say; as streams regret is that of the windows.
  @Test func `the shipped classics run over tasks and as streams`() async throws {
    let tool = try Tool()
    let forgets = Tool.experiment("which-classic-forgets.json")
    let tasks = try await tool("run", forgets, "--seeds", "1", "--quiet", "--output", "t.h5")
    try #require(tasks.status == 0, "\(tasks.errors)")
    let records = try Results(ResultsFolder(tool.folder + "/t")).rows.map(\.entry.record)
    #expect(records.count == 9 * 3)
    let bayes = records.map { $0.truth?.bayesAccuracy.first ?? .nan }
    #expect(bayes[0] == 0.9 && bayes[3] == 1 && abs(bayes[12] - 0.74002) < 1e-5 && abs(bayes[15] - 0.867) < 1e-3)
    let alarms = Tool.experiment("which-classic-alarms.json")
    let stream = try await tool("run", alarms, "--seeds", "1", "--quiet", "--output", "s.h5")
    try #require(stream.status == 0, "\(stream.errors)")
    let watched = try Results(ResultsFolder(tool.folder + "/s")).rows.map(\.entry.record)
    #expect(watched.count == 9 * 2)
    for record in watched { #expect(record.number("regret_mean") > 0 && record.number("regret_mean") < 0.5) }
    #expect(abs(watched[0].number("expected_prequential_mean") + watched[0].number("regret_mean") - 0.9) < 1e-6)
  }

  /// The question of `habit-stream-detector.json`, on two seeds.
  @Test func `the shipped experiment runs, and its alarms end experiences`() async throws {
    let tool = try Tool()
    let path = Tool.experiment("habit-stream-detector.json")
    let answer = try await tool("run", path, "--seeds", "2", "--quiet", "--output", "r.h5", "--json")
    try #require(answer.status == 0, "\(answer.errors)")
    let rows = try Results(ResultsFolder(tool.folder + "/r")).rows.map(\.entry.record)
    #expect(rows.count == 8)
    for (index, record) in rows.enumerated() {
      let isWatched = [1, 2].contains(index / 2)
      #expect((record.number("alarm_count") > 0) == isWatched)
      #expect(record.number("boundary_count") <= record.number("alarm_count"))
      #expect(record["task_example"]?.integers == [0, 1200, 2400, 3600, 4800])
      let accuracy = record.number("expected_prequential_mean")
      #expect((0.6...0.8).contains(accuracy))
      #expect(abs(accuracy + record.number("regret_mean") - 0.86) < 0.03)
    }
  }
}
