"""Streams learned row by row: `palimpsest bench --section streams` beside River's logistic regression, a torch network and a numpy one, taking
turns on one core. Prints rows/s and ratios.

    taskset -c 0 python river_stream.py --palimpsest .build/release/palimpsest --rounds 7

Needs River 0.26.1 and torch. All go through SEA's rows (`palimpsest generate sea`): predict, then learn. The networks have 16 and 8 hidden
units and plain SGD. `adwin` beside River's regression is its ADWIN over the same errors.
"""

import argparse
import csv
import json
import statistics
import subprocess
import tempfile
import time

import numpy as np
import torch
from river import drift, linear_model

torch.set_num_threads(1)
RATE = 0.01


def rows(tool):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, "generate", "sea", "--seed", "1", "--output", folder + "/sea"], check=True, stdout=subprocess.DEVNULL)
        with open(folder + "/sea/train.csv", newline="") as file:
            read = list(csv.DictReader(file))
    names = ["x1", "x2", "x3"]
    return [({name: float(row[name]) for name in names}, int(row["label"])) for row in read]


def timed(step, data, seconds=0.5):
    start, count = time.process_time(), 0
    while time.process_time() - start < seconds:
        for x, y in data[:500]:
            step(x, y)
        count += 500
    return count / (time.process_time() - start)


def river(data, detector=None):
    model = linear_model.LogisticRegression()

    def step(x, y):
        error = int(bool(model.predict_one(x)) != bool(y))
        if detector is not None:
            detector.update(error)
        model.learn_one(x, y)

    return timed(step, data)


def torch_network(data):
    network = torch.nn.Sequential(
        torch.nn.Linear(3, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(network.parameters(), lr=RATE)
    loss_of = torch.nn.BCEWithLogitsLoss()
    tensors = [(torch.tensor([list(x.values())]), torch.tensor([[float(y)]])) for x, y in data]

    def step(x, y):
        with torch.no_grad():
            _ = bool(network(x).item() > 0) == bool(y.item())
        optimizer.zero_grad()
        loss_of(network(x), y).backward()
        optimizer.step()

    return timed(step, tensors)


def numpy_network(data):
    rng = np.random.default_rng(1)
    widths = [3, 16, 8, 1]
    weights = [rng.standard_normal((i, o)).astype(np.float32) * np.float32(np.sqrt(2 / i)) for i, o in zip(widths, widths[1:])]
    biases = [np.zeros(o, np.float32) for o in widths[1:]]
    arrays = [(np.array(list(x.values()), np.float32), y) for x, y in data]

    def step(x, y):
        activations = [x]
        for layer in range(3):
            z = activations[-1] @ weights[layer] + biases[layer]
            activations.append(np.maximum(z, 0) if layer < 2 else z)
        logit = activations[-1][0]
        _ = (logit > 0) == y
        delta = np.array([1 / (1 + np.exp(-logit)) - y], np.float32)
        for layer in reversed(range(3)):
            gradient = np.outer(activations[layer], delta)
            below = weights[layer] @ delta * (activations[layer] > 0) if layer else None
            weights[layer] -= np.float32(RATE) * gradient
            biases[layer] -= np.float32(RATE) * delta
            delta = below

    return timed(step, arrays)


def palimpsest(tool):
    command = [tool, "bench", "--json", "--section", "streams", "--repeats", "1"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {line["variant"]: line["median"] for line in map(json.loads, lines) if line["section"] == "streams"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--palimpsest", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    data = rows(options.palimpsest)
    rates = {}
    for _ in range(options.rounds):
        for name, rate in palimpsest(options.palimpsest).items():
            rates.setdefault("palimpsest " + name, []).append(rate)
        rates.setdefault("River logistic regression", []).append(river(data))
        rates.setdefault("River logistic regression, ADWIN", []).append(river(data, drift.ADWIN()))
        rates.setdefault("torch network", []).append(torch_network(data))
        rates.setdefault("numpy network", []).append(numpy_network(data))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    print(f"rows/s, medians of {options.rounds} rounds; how many times as fast as River's regression and as torch")
    for name, rate in medians.items():
        print(f"{name:34} {rate:12,.0f} {rate / medians['River logistic regression']:8.1f} {rate / medians['torch network']:8.1f}")


if __name__ == "__main__":
    main()
