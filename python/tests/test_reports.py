"""The notebook and the R script print the numbers of `palimpsest report`."""

import json
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from conftest import ROOT

import palimpsest

METRICS = ["average_accuracy", "forgetting", "learning_accuracy", "backward_transfer"]
PICTURES = ["accuracy-after-tasks.png", "intervals.png", "cost.png"]


def same_as_report(tool, cube, output):
    table = pd.read_csv(output / "summary.csv").set_index(["scenario", "strategy", "metric"])
    rows = json.loads(tool("report", cube, "--json"))["rows"]
    assert len(table) == len(rows) * len(METRICS)
    for row in rows:
        for metric in METRICS:
            name = ("expected_" if row["accuracy_kind"] == "expected" else "") + metric
            known, mine = row["metrics"][name], table.loc[(row["scenario"], row["strategy"], name)]
            assert mine["n"] == known["n"]
            assert mine["mean"] == pytest.approx(known["mean"], abs=1e-9)
            assert mine["half_width"] == pytest.approx(known["half_width"], abs=1e-9)
    for picture in PICTURES:
        assert (output / picture).stat().st_size > 5_000, picture


def has_r():
    program = shutil.which("Rscript")
    return bool(program) and subprocess.run([program, "-e", "library(rhdf5)"], capture_output=True).returncode == 0


def test_r_script(tool, quickstart, tmp_path):
    if not has_r():
        pytest.skip("Rscript with rhdf5 is not here: apt-get install r-base-core r-bioc-rhdf5 fonts-dejavu-core")
    answer = subprocess.run(
        ["Rscript", str(ROOT / "analysis/report.R"), str(quickstart), str(tmp_path)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    same_as_report(tool, quickstart, tmp_path)


def test_notebook(tool, quickstart, tmp_path):
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    answer = subprocess.run(
        [sys.executable, str(ROOT / "analysis/execute.py"), str(quickstart), str(tmp_path)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    same_as_report(tool, quickstart, tmp_path)


@pytest.mark.parametrize("kind", ["stream", "people", "diverged"])
def test_r_script_takes_every_kind(kind, tmp_path, request):
    if not has_r():
        pytest.skip("Rscript with rhdf5 is not here")
    cube = request.getfixturevalue(kind)
    answer = subprocess.run(
        ["Rscript", str(ROOT / "analysis/report.R"), str(cube), str(tmp_path)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    table, frame = pd.read_csv(tmp_path / "summary.csv"), palimpsest.runs(cube)
    metric = table["metric"][0]
    known = palimpsest.summary(frame, metric)
    assert table[table["metric"] == metric]["mean"].tolist() == pytest.approx(known["mean"].tolist(), abs=1e-12)


def test_programs_say_what_is_wrong(tmp_path):
    answer = subprocess.run(
        [sys.executable, str(ROOT / "analysis/execute.py"), "none.h5", str(tmp_path)], capture_output=True, text=True)
    assert answer.returncode == 1 and "none.h5: there is no such file" in answer.stderr
    if has_r():
        (tmp_path / "a.h5").write_text("no HDF5")
        script = ["Rscript", str(ROOT / "analysis/report.R"), str(tmp_path / "a.h5"), str(tmp_path)]
        answer = subprocess.run(script, capture_output=True, text=True)
        assert answer.returncode != 0 and "not a cube of Palimpsest" in answer.stderr


def test_notebook_is_kept_without_outputs():
    cells = json.loads((ROOT / "analysis/report.ipynb").read_text())["cells"]
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in cells)
