"""The notebook and the R script print the numbers of `palimpsest report`."""

import json
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from conftest import ROOT

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


def test_r_script(tool, quickstart, tmp_path):
    probe = shutil.which("Rscript") and subprocess.run(["Rscript", "-e", "library(rhdf5)"], capture_output=True).returncode == 0
    if not probe:
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


def test_notebook_is_kept_without_outputs():
    cells = json.loads((ROOT / "analysis/report.ipynb").read_text())["cells"]
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in cells)
