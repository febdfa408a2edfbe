"""Draws docs/quickstart.png from results/quickstart.h5: python3 docs/quickstart_figure.py (needs h5py, numpy, matplotlib)."""

import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

PHASES = ["morning\nroutine", "night\nshift", "travel", "convales-\ncence", "new\njob"]
SHOWN = ["naive", "ewc", "si", "replay-200", "herding", "joint", "adapters"]
COLOURS = ["#444444", "#c44e52", "#dd8452", "#4c72b0", "#64b5cd", "#55a868", "#8172b3"]

source = sys.argv[1] if len(sys.argv) > 1 else "results/quickstart.h5"
with h5py.File(source) as f:
    scenario, strategy = f["scenario"].asstr()[:], f["strategy"].asstr()[:]
    first = f["expected_accuracy"][:, :, 0]
    bayes = f["bayes_accuracy"][:, 0]

figure, panels = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True, constrained_layout=True)
for panel, context in zip(panels, ["visible", "hidden"]):
    for name, colour in zip(SHOWN, COLOURS):
        runs = first[(scenario == context) & (strategy == name)]
        mean, error = runs.mean(0), 1.96 * runs.std(0, ddof=1) / np.sqrt(len(runs))
        panel.plot(range(5), mean, "o-", color=colour, label=name, linewidth=1.8, markersize=4)
        panel.fill_between(range(5), mean - error, mean + error, color=colour, alpha=0.15, linewidth=0)
    panel.axhline(bayes[scenario == context].mean(), color="black", linestyle=":", linewidth=1, label="best possible")
    panel.set_xticks(range(5), PHASES, fontsize=8)
    panel.set_title(f"phase of life {context} in the data", fontsize=10)
    panel.set_xlabel("phase learned last")
    panel.spines[["top", "right"]].set_visible(False)
panels[0].set_ylabel("noise-free accuracy on\nthe first phase, morning routine")
panels[1].legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
figure.savefig("docs/quickstart.png", dpi=130)
