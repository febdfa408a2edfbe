"""Permuted MNIST in Palimpsest: `permuted-mnist-speed.json`, the protocol of `avalanche_mnist.py`; a process a strategy."""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

import common

TASKS, BATCH = 10, 128
EXPERIMENT = pathlib.Path(__file__).parent.parent / "permuted-mnist-speed.json"


def main():
    options = common.options(palimpsest="", data=os.environ.get("PALIMPSEST_DATASETS", "datasets"), method="naive")
    folder = pathlib.Path(tempfile.mkdtemp())
    command = [options.palimpsest, "run", EXPERIMENT, "--only", f"strategy={options.method}", "--jobs", "1", "--quiet"]
    subprocess.run(
        [*command, "--output", folder / "run.h5"], check=True, stdout=subprocess.DEVNULL,
        env=dict(os.environ, PALIMPSEST_DATASETS=str(options.data)),
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    (journal,) = (folder / "run.palimpsest" / "journal").iterdir()
    line = json.loads(journal.read_text())
    record, cost = line["record"], line["record"]["cost"]
    training, judging = cost["time_train"], cost["time_evaluate"]
    common.emit(
        "palimpsest", "permuted-mnist", options.method, [cost["steps"] / training], "wall",
        operations=(2 if options.method == "replay" else 1) * common.NETS[2].operations, isa=line["instruction_set"],
        revision=line["toolkit_version"], seconds=cost["time_total"],
        preparing_s=used.ru_utime + used.ru_stime - cost["time_total"], training_s=training, judging_s=judging,
        samples_per_s=TASKS * 60000 / training, peak_mb=used.ru_maxrss / 1024, ready_mb=None,
        accuracy=statistics.mean(record["accuracy"][-1]),
    )


if __name__ == "__main__":
    main()
