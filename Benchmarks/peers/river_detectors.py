"""Drift detectors of River and of `palimpsest bench --section detectors`, taking turns on one core. Prints rows/s and ratios.

    taskset -c 0 python river_detectors.py --palimpsest .build/release/palimpsest --rounds 7

Needs River 0.26.1. Each has a loop of its own over errors of shares .2, .4, .1 and .5, 1,000 rows each, again and again.
"""

import argparse
import json
import random
import statistics
import subprocess
import time

from river import drift
from river.drift import binary

RIVER = {
    "page-hinkley": drift.PageHinkley,
    "adwin": drift.ADWIN,
    "ddm": binary.DDM,
    "eddm": binary.EDDM,
    "hddm-a": binary.HDDMA,
    "hddm-w": binary.HDDMW,
    "fhddm": binary.FHDDM,
    "kswin": lambda: drift.KSWIN(seed=1),
}


def errors():
    rng = random.Random(1)
    return [int(rng.random() < share) for share in (0.2, 0.4, 0.1, 0.5) for _ in range(1000)]


def river(make, values):
    detector = make()
    update = detector.update
    start = time.process_time()
    rows = 0
    while time.process_time() - start < 0.2:
        for x in values:
            update(x)
        rows += len(values)
    return rows / (time.process_time() - start)


def palimpsest(tool):
    command = [tool, "bench", "--json", "--section", "detectors", "--repeats", "1"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    return {line["variant"]: line["median"] for line in found if line["section"] == "detectors"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--palimpsest", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    values, theirs, ours = errors(), {}, {}
    for _ in range(options.rounds):
        for name, rate in palimpsest(options.palimpsest).items():
            ours.setdefault(name, []).append(rate)
        for name, make in RIVER.items():
            few = values[-500:] if name == "kswin" else values
            theirs.setdefault(name, []).append(river(make, few))
    print(f"{'detector':14} {'palimpsest':>14} {'river':>12} {'ratio':>8}   rows/s, medians of {options.rounds} rounds")
    for name, rates in ours.items():
        mine = statistics.median(rates)
        other = statistics.median(theirs[name]) if name in theirs else None
        ratio = f"{mine / other:8.1f}" if other else ""
        print(f"{name:14} {mine:14,.0f} {other or float('nan'):12,.0f} {ratio}")


if __name__ == "__main__":
    main()
