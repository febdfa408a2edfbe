"""People who live on with a population model: `palimpsest run` beside a torch program that trains all of them at once, taking turns on one core.

    taskset -c 0 python people_torch.py --palimpsest .build/release/palimpsest --users 1000 --rounds 3

Protocol of both: 10-16-8-1 networks that begin at one population model; a person's day is foretold, its outcome known, and every 7 days the
network goes 10 times over all rows so far in batches of 32 with a fresh Adam at .001; fixed share mixes the two forecasts. torch holds the people's weights in one
tensor a layer (baddbmm forward and backward, what torch.func.vmap compiles to) and one Adam over all. Times are those of the people alone:
`time_task` of the run, which includes making their days and judging them on new ones; torch is given its rows.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time

import h5py
import numpy as np
import torch

torch.set_num_threads(1)
DAYS, EVERY, EPOCHS, BATCH, RATE, SHARE = 180, 7, 10, 32, 0.001, 0.01


def palimpsest(tool, users):
    """Seconds of the people's stage, and what they gain."""
    experiment = {
        "name": "people", "seeds": [1], "model": {"hidden": [16, 8]}, "training": {"epochs": 1, "batch": 32},
        "scenarios": {"habits": {"name": "habit-personal", "population": 100, "users": users, "days": DAYS}},
        "strategies": {"plain": []},
        "personal": {"training": {"epochs": EPOCHS, "batch": BATCH}},
        "policies": {"weekly": {"name": "interval", "days": EVERY}},
        "safeguards": {"mixture": {"name": "mixture", "share": SHARE}},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/people.json"
        with open(path, "w") as file:
            json.dump(experiment, file)
        subprocess.run([tool, "run", path, "--output", folder + "/people", "--jobs", "1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with h5py.File(folder + "/people.h5") as cube:
            return float(cube["time_task"][0, 1]), float(cube["life_gain_mean"][0])


def rows(tool, users):
    """The same people's days: users × days × 10, and labels."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["population=1", f"users={users}", f"days={DAYS}"]
        words = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([tool, "generate", "habit-personal", "--seed", "1", "--output", folder + "/rows", *words], check=True, stdout=subprocess.DEVNULL)
        table = np.genfromtxt(folder + "/rows/train.csv", delimiter=",", names=True)
    names = [name for name in table.dtype.names if name in COLUMNS]
    lives = table[-users * DAYS:]
    inputs = np.stack([lives[name] for name in names], 1).reshape(DAYS, users, 10).transpose(1, 0, 2)
    return torch.tensor(inputs.copy(), dtype=torch.float32), torch.tensor(lives["label"].reshape(DAYS, users).T.copy(), dtype=torch.float32)


COLUMNS = [
    "currentStreak", "completionRate30Days", "appLaunchesToday", "remindersOpenedToday", "hourOfDay", "weekend", "gap",
    "remindersOpenedWeek", "away", "season",
]


def start(users):
    """One network, once for each person."""
    generator = torch.Generator().manual_seed(1)
    widths = [10, 16, 8, 1]
    weights = []
    for fan, out in zip(widths, widths[1:]):
        layer = torch.randn(fan, out, generator=generator) * (2 / fan) ** 0.5
        weights += [layer.expand(users, fan, out).clone(), torch.zeros(users, 1, out)]
    return weights


def forward(weights, x):
    for layer in range(3):
        x = torch.baddbmm(weights[2 * layer + 1], x, weights[2 * layer])
        if layer < 2:
            x = torch.relu(x)
    return x.squeeze(-1)


def people(inputs, labels):
    users = inputs.shape[0]
    shipped = start(users)
    own = [w.clone().requires_grad_() for w in shipped]
    share = torch.full((users, 2), 0.5)
    begun = time.process_time()
    for day in range(DAYS):
        with torch.no_grad():
            x, y = inputs[:, day:day + 1], labels[:, day]
            q = torch.stack([torch.sigmoid(forward(w, x))[:, 0] for w in (shipped, own)], 1)
            likelihood = torch.where(y[:, None] == 1, q, 1 - q)
            weight = share * likelihood
            share = (1 - SHARE) * weight / weight.sum(1, keepdim=True) + SHARE / 2
        if day % EVERY or day == 0:
            continue
        optimizer = torch.optim.Adam(own, lr=RATE, fused=True)
        for _ in range(EPOCHS):
            order = torch.rand(users, day + 1).argsort(1)
            for first in range(0, day + 1, BATCH):
                places = order[:, first:first + BATCH]
                x = inputs.gather(1, places[..., None].expand(-1, -1, 10))
                y = labels.gather(1, places)
                optimizer.zero_grad(set_to_none=True)
                loss = torch.nn.functional.binary_cross_entropy_with_logits(forward(own, x), y, reduction="none")
                loss.mean(1).sum().backward()
                optimizer.step()
    return time.process_time() - begun


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--palimpsest", default=".build/release/palimpsest")
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    inputs, labels = rows(arguments.palimpsest, arguments.users)
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        seconds, gain = palimpsest(arguments.palimpsest, arguments.users)
        ours.append(seconds)
        theirs.append(people(inputs, labels))
    print(f"{arguments.users} people x {DAYS} days, seconds (median of {arguments.rounds}): "
          f"palimpsest {statistics.median(ours):.2f}, torch {torch.__version__} {statistics.median(theirs):.2f}, "
          f"ratio {statistics.median(theirs) / statistics.median(ours):.2f} (gain of the run {gain:+.3f})")


if __name__ == "__main__":
    main()
