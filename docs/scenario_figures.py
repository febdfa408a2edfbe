"""Draws docs/figures/NAME.png from a scenario's own rows: python3 docs/scenario_figures.py .build/release/palimpsest [NAME…]

Left: share of each label over the stream, and the mean of p* (black). Middle: how p* is spread (of label 1; of several labels the likeliest one's),
darker where there are more rows. Right: mean of each column, in units of its own deviation. Lines part the tasks. Needs numpy and matplotlib, and
the data sets of the scenarios that take one (PALIMPSEST_DATASETS).
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

# Settings that show more than the defaults, or name data.
SETTINGS = {
    "split": ["dataset=mnist"],
    "permuted": ["dataset=mnist", "tasks=4", "rowsPerTask=1000"],
    "rotated": ["dataset=mnist", "rowsPerTask=1000"],
    "i-blurry": ["dataset=mnist"],
    "si-blurry": ["dataset=mnist"],
    "cir": ["dataset=mnist"],
    "table": ["dataset=elec2"],
}
BINS = 100


def rows(tool, name):
    with tempfile.TemporaryDirectory() as folder:
        settings = [word for setting in SETTINGS.get(name, []) for word in ("--set", setting)]
        output = pathlib.Path(folder) / "rows"
        subprocess.run([tool, "generate", name, "--output", str(output), *settings], check=True, stdout=subprocess.DEVNULL)
        manifest = json.loads((output / "manifest.json").read_text())
        with open(output / "train.csv", newline="") as file:
            table = list(csv.reader(file))
    header, table = table[0], table[1:]
    place = {column: header.index(column) for column in ("task", "p_true", "label")}
    inputs = np.array([[float(cell) for cell in row[place["label"] + 1:]] for row in table], dtype=np.float32)
    truth = [[float(p) for p in row[place["p_true"]].split()] for row in table]
    label = np.array([int(row[place["label"]]) for row in table])
    task = np.array([int(row[place["task"]]) for row in table])
    return manifest, inputs, truth, label, task


def binned(values, edges):
    sums = np.add.reduceat(values, edges[:-1], axis=0)
    return sums / np.diff(edges).reshape(-1, *[1] * (values.ndim - 1))


def draw(tool, name, folder):
    manifest, inputs, truth, label, task = rows(tool, name)
    count, classes = len(label), label.max() + 1
    edges = np.unique(np.linspace(0, count, min(BINS, count) + 1).astype(int))
    middle = (edges[:-1] + edges[1:]) / 2
    starts = np.flatnonzero(np.diff(task)) + 1
    figure, panels = plt.subplots(1, 3, figsize=(10, 2.3), constrained_layout=True, width_ratios=[1, 1, 1.1])
    shares, spread, columns = panels
    known = len(truth[0]) > 0
    if classes <= 2:
        shares.plot(middle, binned((label == 1).astype(float), edges), color="#4c72b0", linewidth=1)
        if known:
            shares.plot(middle, binned(np.array([p[-1] for p in truth]), edges), color="black", linewidth=1)
        shares.set_ylim(0, 1)
        shares.set_title("share of label 1", fontsize=9)
    else:
        each = np.stack([binned((label == c).astype(float), edges) for c in range(classes)])
        shares.stackplot(middle, each, colors=plt.get_cmap("viridis")(np.linspace(0, 1, classes)), linewidth=0)
        shares.set_ylim(0, 1)
        shares.set_title(f"share of {classes} labels", fontsize=9)
    if known:
        best = np.array([p[-1] if len(p) == 1 else max(p) for p in truth])
        grid, _, _ = np.histogram2d(np.arange(count), best, bins=[edges, np.linspace(0, 1, 41)])
        spread.imshow(
            (grid / grid.sum(1, keepdims=True)).T, origin="lower", aspect="auto", extent=(0, count, 0, 1), cmap="Blues", vmax=0.2)
        spread.set_title("p*" if classes <= 2 else "p* of the likeliest label", fontsize=9)
    else:
        spread.text(0.5, 0.5, "p* is not known", ha="center", va="center", transform=spread.transAxes, fontsize=9)
        spread.set_yticks([])
    few = inputs[:, np.linspace(0, inputs.shape[1] - 1, min(40, inputs.shape[1])).astype(int)]
    deviation = few.std(0)
    scaled = (few - few.mean(0)) / np.where(deviation > 0, deviation, 1)
    columns.imshow(
        binned(scaled, edges).T, origin="lower", aspect="auto", extent=(0, count, -0.5, few.shape[1] - 0.5), cmap="RdBu_r",
        vmin=-1.5, vmax=1.5)
    names = manifest["shape"].get("input_names") or []
    if len(names) == few.shape[1] <= 12:
        columns.set_yticks(range(len(names)), names, fontsize=6)
    else:
        columns.set_yticks([])
    columns.set_title("mean of each column", fontsize=9)
    for panel in panels:
        panel.set_xlim(0, count)
        panel.tick_params(labelsize=7)
        panel.spines[["top", "right"]].set_visible(False)
        for start in starts if len(starts) <= 60 else []:
            panel.axvline(start, color="#888888", linewidth=0.5)
    shares.set_xlabel("row", fontsize=8)
    file = folder / f"{name}.png"
    figure.savefig(file, dpi=100)
    plt.close(figure)
    Image.open(file).convert("RGB").quantize(80).save(file, optimize=True)
    print(file, file.stat().st_size)


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    listed = json.loads(subprocess.run([tool, "list", "scenarios", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    folder = pathlib.Path("docs/figures")
    folder.mkdir(exist_ok=True)
    for name in names or [scenario["name"] for scenario in listed]:
        draw(tool, name, folder)


if __name__ == "__main__":
    main()
