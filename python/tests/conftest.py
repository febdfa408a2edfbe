"""Cubes to read, made by the tool: the build's, or the one that PALIMPSEST names."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def find_tool():
    built = ROOT / ".build/release/palimpsest"
    return os.environ.get("PALIMPSEST") or (str(built) if built.exists() else shutil.which("palimpsest"))


@pytest.fixture(scope="session")
def tool():
    program = find_tool()
    if program is None:
        pytest.skip("no palimpsest program: make build, or name one in PALIMPSEST")

    def run(*arguments, check=True, **environment):
        answer = subprocess.run(
            [program, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment})
        assert not check or answer.returncode == 0, answer.stderr
        return answer.stdout

    return run


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cubes")


def made(tool, folder, name, *options, check=True, **environment):
    cube = folder / f"{Path(name).stem}.h5"
    tool("run", name, "--quiet", "--output", cube, *options, check=check, **environment)
    return cube


@pytest.fixture(scope="session")
def quickstart(tool, folder):
    return made(tool, folder, "Experiments/quickstart.json")


@pytest.fixture(scope="session")
def stream(tool, folder):
    return made(tool, folder, "Experiments/habit-stream-detector.json", "--seeds", "4")


@pytest.fixture(scope="session")
def rowwise(tool, folder):
    """A window is a row: the cube has each row's regret."""
    file = variant(folder, "rowwise", "Experiments/habit-stream-detector.json")
    return made(tool, folder, file, "--set", "stream.window=1", "--seeds", "3")


@pytest.fixture(scope="session")
def tuned(tool, folder):
    return made(tool, folder, "Experiments/tune-habit-phases.json")


@pytest.fixture(scope="session")
def people(tool, folder):
    fewer = ["--set", "scenarios.habits.users=40", "--set", "scenarios.habits.population=60", "--seeds", "3"]
    return made(tool, folder, "Experiments/who-is-made-worse-off.json", *fewer)


def variant(folder, name, base, **changes):
    """An experiment file of the repository with some of its blocks replaced."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(json.loads((ROOT / base).read_text()) | {"name": name} | changes))
    return file


@pytest.fixture(scope="session")
def log(folder):
    """A table that drifts, as the example makes it."""
    data = folder / "datasets"
    subprocess.run([sys.executable, ROOT / "Examples/OwnTable/make-log.py", data / "activity"], check=True, capture_output=True)
    return str(data)


@pytest.fixture(scope="session")
def table(tool, folder, log):
    return made(tool, folder, "Examples/OwnTable/activity.json", PALIMPSEST_DATASETS=log)


@pytest.fixture(scope="session")
def table_stream(tool, folder, log):
    strategies = {"naive": [], "replay": [{"name": "reservoir", "capacity": 200}]}
    changes = {"stream": {"window": 100}, "training": {}, "strategies": strategies}
    file = variant(folder, "table-stream", "Examples/OwnTable/activity.json", **changes)
    return made(tool, folder, file, PALIMPSEST_DATASETS=log)


@pytest.fixture(scope="session")
def table_people(tool, folder, log):
    scenario = {"name": "table", "dataset": "activity", "label": "completed", "owner": "user", "time": "date", "people": {"users": 5}}
    changes = {"scenarios": {"people": scenario}, "strategies": {"naive": []}, "personal": {}, "seeds": 2}
    file = variant(folder, "table-people", "Examples/OwnTable/activity.json", **changes)
    return made(tool, folder, file, PALIMPSEST_DATASETS=log)


@pytest.fixture(scope="session")
def diverged(tool, folder):
    """Half of the runs at a rate that no network bears."""
    training = {"epochs": 2, "batch": 32, "optimizer": {"name": "sgd", "rate": 0.01}}
    file = variant(folder, "diverged", "Experiments/quickstart.json", training=training)
    options = ["--over", "training.optimizer.rate=0.01,1e30", "--seeds", "2", "--only", "strategy=naive,joint"]
    return made(tool, folder, file, *options, check=False)


@pytest.fixture(scope="session")
def probed(tool, folder):
    """Evaluations within tasks and all probes, with and without layers of a task's own."""
    probes = ["calibration", "flips", "slices", "units", "similarity", "fresh"]
    strategies = {"naive": [], "replay-200": [{"name": "reservoir", "capacity": 200}], "adapters": [{"name": "adapters"}]}
    changes = {"strategies": strategies, "seeds": 3, "evaluation": {"everySteps": 20, "probes": probes}}
    return made(tool, folder, variant(folder, "probed", "Experiments/quickstart.json", **changes))


@pytest.fixture(scope="session")
def partial(tool, folder):
    cube = folder / "partial.h5"
    tool("run", "Experiments/quickstart.json", "--quiet", "--limit", "7", "--output", cube, check=False)
    return cube


@pytest.fixture(scope="session")
def merged(tool, folder, quickstart, tuned):
    cube = folder / "merged.h5"
    tool("merge", quickstart, tuned, "-o", cube)
    return cube
