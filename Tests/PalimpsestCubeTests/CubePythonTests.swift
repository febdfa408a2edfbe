import Foundation
import PalimpsestJSON
import PalimpsestMetrics
import TestFixtures
import Testing

let pythonModules = "h5py xarray h5netcdf netCDF4 pandas"
let hasPython = works(
  ["python3", "-c", "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, '\(pythonModules)'.split())))"])
private let hasNcdump = works(["sh", "-c", "command -v ncdump"])

/// Two strategies, seeds that differ, one diverged run, runs of two and three tasks, every kind of column.
private func sweep() throws -> CubeSweep {
  let columns = [
    "{\"name\": \"si_rate\", \"kind\": \"number\", \"path\": \"p\", \"help\": \"Rate.\"}",
    "{\"name\": \"si_on\", \"kind\": \"bool\", \"path\": \"p\", \"help\": \"On.\"}",
    "{\"name\": \"si_rule\", \"kind\": \"string\", \"path\": \"p\", \"help\": \"Rule.\"}",
    "{\"name\": \"si_size\", \"kind\": \"integer\", \"path\": \"p\", \"help\": \"Size.\"}",
    "{\"name\": \"si_rank\", \"kind\": \"integer\", \"path\": \"p\", \"help\": \"Rank.\"}",
  ]
  let sweep = try CubeSweep(
    strategies: [("naive", "[]"), ("réplay", "[{\"name\": \"reservoir\"}]")], seeds: [7, 8, 9],
    columns: [
      (columns[0], ["naive": "0.5"]), (columns[1], ["naive": "true", "réplay": "false"]), (columns[2], [:]),
      (columns[3], ["naive": "3"]), (columns[4], ["naive": "3", "réplay": "4"]),
    ])
  try sweep.journal([
    ("naive", 7, RunRecord.completed(threeTasks).withTruth),
    ("naive", 8, RunRecord.completed([[0.9, 0.5, 0.4], [0.6, 0.8, 0.5], [0.4, 0.7, 0.7]]).withTruth),
    ("naive", 9, .ended(.diverged, "the loss is inf")),
    ("réplay", 7, RunRecord.completed([[0.9, 0.5], [0.8, 0.8]]).withTruth),
    ("réplay", 8, RunRecord.completed([[0.9, 0.5], [0.7, 0.8]]).withTruth),
    ("réplay", 9, RunRecord.completed([[0.95, 0.5], [0.7, 0.8]]).withTruth),
  ])
  try sweep.folder.collect(origin: .ada, at: Date(timeIntervalSince1970: 0))
  return sweep
}

/// Runs a Python program in which every warning is an error, with the paths of cubes as arguments.
private func python(_ program: String, _ sweeps: CubeSweep...) throws -> String {
  let result = try output(["python3", "-W", "error", "-c", program] + sweeps.map(\.folder.cube))
  #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  return result.text
}

/// The five lines that the documentation gives, then the same from the raw matrix for runs of three tasks; each gives
/// mean and 1.96 standard errors a strategy, as a line of JSON for each engine.
private let fiveLines = """
  import json, sys, xarray as xr, numpy as np
  for engine in ("h5netcdf", "netcdf4"):
    ds = xr.open_dataset(sys.argv[1], engine=engine)
    g  = ds.forgetting.where(ds.status == 0).groupby("strategy")
    ci = 1.96 * g.std(ddof=1) / np.sqrt(g.count())
    table = xr.Dataset({"mean": g.mean(), "ci95": ci}).to_dataframe()
    print(json.dumps({k: [r["mean"], r["ci95"]] for k, r in table.iterrows()}, ensure_ascii=False))

    ds = ds.isel(run=ds.tasks.values == 3)
    R = ds.accuracy.where(ds.task <= ds.after_task)
    F = R.isel(after_task=slice(None,-1)).max("after_task") - R.isel(after_task=-1)
    F = F.isel(task=slice(None,-1)).mean("task")
    s = F.to_dataframe("forgetting").groupby("strategy").forgetting.agg(["mean","sem","count"])
    print(json.dumps({k: [r["mean"], 1.96 * r["sem"]] for k, r in s.iterrows()}, ensure_ascii=False))
  """

/// What xarray makes of types, dimensions, coordinates, times and missing values; then of a cube without runs.
private let structure = """
  import sys, numpy as np, xarray as xr
  for engine in ("h5netcdf", "netcdf4"):
    ds = xr.load_dataset(sys.argv[1], engine=engine)
    assert ds.sizes == {"run": 6, "after_task": 3, "task": 3, "task_other": 3, "evaluation": 3,
      "task_naming": 2, "configuration": 2}, ds.sizes
    assert ds.accuracy.dims == ("run", "after_task", "task") and ds.accuracy.dtype == np.float32
    assert ds.cross_accuracy.dims == ("run", "task", "task_other")
    assert set(ds.coords) == {"run", "after_task", "task", "evaluation", "run_id", "config", "scenario", "strategy",
      "seed", "si_rate", "si_on", "si_rule", "si_size", "si_rank", "tasks", "status"}, set(ds.coords)
    assert ds.si_rule.values.tolist() == [""] * 6
    assert ds.si_on.dtype == bool and ds.si_on.values.tolist() == [True] * 3 + [False] * 3
    assert ds.si_size.values[:3].tolist() == [3] * 3 and np.isnan(ds.si_size.values[3:]).all()
    assert ds.si_rank.dtype == np.int64 and ds.si_rank.values.tolist() == [3] * 3 + [4] * 3
    raw = xr.load_dataset(sys.argv[1], engine=engine, mask_and_scale=False)
    assert raw.si_size.dtype == np.int64 and raw.si_size.values.tolist() == [3] * 3 + [-1] * 3
    assert np.isnan(ds.curve_task.values[2]).all() and raw.curve_task.dtype == np.int32
    assert {k for k in raw if "_FillValue" in raw[k].attrs and raw[k].dtype.kind == "i"} == {"curve_examples",
      "curve_task", "task_names"} and "_FillValue" in raw.si_size.attrs
    assert ds.seed.dtype == np.int64 and ds.seed.values.tolist() == [7, 8, 9] * 2
    assert ds.started.dtype.kind == "M" and str(ds.started.values[0]).startswith("2023-11-14T22:13:20.5")
    assert (ds.strategy == "réplay").sum() == 3
    assert np.isnan(ds.accuracy.values[3, 2, 0]) and ds.status.values.tolist() == [0, 0, 2, 0, 0, 0]
    assert ds.forgetting.attrs["undefined_because"] == "the run diverged"
    assert ds.attrs["complete"] == 1 and ds.attrs["question"] == "Réplay?"
    final = ds.accuracy.isel(run=[0, 3]).isel(after_task=ds.tasks.isel(run=[0, 3]) - 1).mean("task")
    assert np.allclose(final, [0.6, 0.8])
    grid = ds.drop_dims("configuration").forgetting.groupby(["strategy", "seed"]).mean()
    assert grid.shape == (2, 3)
    ds[[k for k in ds.data_vars if ds[k].dims == ("run",)]].to_dataframe()
    xr.open_datatree(sys.argv[1], engine=engine).close()
    ds = xr.load_dataset(sys.argv[2], engine=engine)
    assert ds.sizes["run"] == 0 and ds.forgetting.shape == (0,) and ds.sizes["configuration"] == 1
  """

private let table = """
  import sys, h5py, pandas as pd
  with h5py.File(sys.argv[1]) as f:
    f.visititems(lambda name, x: x[()] if isinstance(x, h5py.Dataset) else None)
    assert f["accuracy"].dims[0][0].name == "/run" and f["accuracy"].compression == "gzip" and f["accuracy"].shuffle
    assert f.attrs["title"] == "sweep" and f["forgetting"].attrs["units"] == "1"
    df = pd.DataFrame({k: f[k].asstr()[:] if f[k].dtype.kind == "O" else f[k][:]
      for k in ("strategy","seed","forgetting")})
  s = df.groupby("strategy").forgetting.agg(["mean","sem","count"])
  assert abs(s.loc["naive", "mean"] - 0.3) < 1e-12 and s.loc["naive", "count"] == 2
  """

/// Writes over one text of each column in place, twice, and prints the columns of which other rows changed as well.
private let edit = """
  import sys, h5py
  def texts(f):
    return {k: x.asstr()[:].tolist() for k, x in f.items() if isinstance(x, h5py.Dataset) and
      x.shape == f["run"].shape and h5py.check_string_dtype(x.dtype)}
  with h5py.File(sys.argv[1]) as f: before = texts(f)
  assert {"run_id", "host", "strategy", "error"} <= before.keys() and len(before["host"]) == 300
  for text in ("longer than any text that was there before, so that it cannot take its place " * 4, "x"):
    with h5py.File(sys.argv[1], "r+") as f:
      for name in before: f[name][3] = text
    with h5py.File(sys.argv[1]) as f:
      for name, found in texts(f).items():
        if found != before[name][:3] + [text] + before[name][4:]: print(name, found)
  """

/// Mean and 1.96 standard errors of each strategy, a line at a time, as Python printed them.
private func numbers(_ text: String) throws -> [[String: [Double]]] {
  try text.split(separator: "\n").map { line in
    let object = try #require(try JSONReader.read(String(line), file: "python").value().object)
    return Dictionary(
      uniqueKeysWithValues: object.members.map { ($0.key, $0.value.value.array?.compactMap(\.double) ?? []) })
  }
}

/// Mean and 1.96 standard errors of two or more values.
private func interval(_ values: [Double]) -> [Double] {
  let n = Double(values.count)
  let mean = values.reduce(0, +) / n
  let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
  return [mean, 1.96 * (variance / n).squareRoot()]
}

private func expectNear(_ found: [Double]?, _ wanted: [Double], _ tolerance: Double) {
  let found = found ?? []
  #expect(found.count == wanted.count)
  #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < tolerance }, "\(found) \(wanted)")
}

@Suite("Cube in Python", .enabled(if: hasPython, "python3 with \(pythonModules) is not here"))
struct CubePythonTests {
  @Test func `five lines of xarray give our means, with both engines`() throws {
    let tables = try numbers(python(fiveLines, sweep()))
    #expect(tables.count == 4)
    for (place, table) in tables.enumerated() where place.isMultiple(of: 2) {
      // naive: 0.3 and ((0.9 − 0.4) + (0.8 − 0.7))/2 = 0.3; réplay: 0.9 − 0.8, 0.9 − 0.7, 0.95 − 0.7.
      expectNear(table["naive"], interval([0.3, 0.3]), 1e-12)
      expectNear(table["réplay"], interval([0.1, 0.2, 0.25]), 1e-12)
    }
    for (place, table) in tables.enumerated() where !place.isMultiple(of: 2) {
      expectNear(table["naive"], [0.3, 0], 1e-6)
    }
  }

  @Test func `xarray sees types, dimensions, coordinates and times, and opens a cube without runs`() throws {
    let empty = try CubeSweep()
    try empty.folder.collect(origin: .ada)
    _ = try python(structure, sweep(), empty)
  }

  @Test func `h5py reads every dataset, and columns make a table`() throws {
    _ = try python(table, sweep())
  }

  @Test func `a text that is written over in place changes in its row alone`() throws {
    let seeds = Array(0..<150)
    let sweep = try CubeSweep(strategies: [("naive", "[]"), ("réplay", "[{\"name\": \"reservoir\"}]")], seeds: seeds)
    for strategy in ["naive", "réplay"] {
      try sweep.journal(seeds.map { (strategy, $0, RunRecord.completed([[0.9, 0.5], [0.8, 0.8]])) })
    }
    try sweep.folder.collect(origin: .ada)
    #expect(try python(edit, sweep) == "")
  }
}

@Test(.enabled(if: hasNcdump, "ncdump is not here"))
func `ncdump prints the header without an error`() throws {
  let sweep = try sweep()
  let header = try output(["ncdump", "-h", sweep.folder.cube])
  #expect(header.status == 0 && header.errors.isEmpty, "\(header.errors)")
  #expect(header.text.contains("float accuracy(run, after_task, task) ;"))
  #expect(header.text.contains("string configuration_json(configuration) ;"))
  #expect(header.text.contains("task_other = 3 ;"))
  #expect(header.text.contains(":palimpsest_schema = \"results/1\" ;"))
}
