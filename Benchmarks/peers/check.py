"""Do all compute the same thing? Equal weights and batches by rule (README.md); the loss after 64 steps must agree to 1e-4."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import common
import jax_jit
import numpy as np
import numpy_loop
import torch_loop

TOLERANCE = 1e-4
FILE = Path(__file__).parent / "check.json"
VARIANTS = ["sgd", "momentum", "adam", "ewc", "si"]


def definition():
    """The rule's numbers, first values to compare with, and the loss to reach."""
    return {
        "format": 1,
        "steps": common.CHECK_STEPS,
        "rate": common.RATE,
        "seeds": {"weights": common.WEIGHTS, "inputs": common.INPUTS, "importance": common.IMPORTANCE},
        "nets": [described(net) for net in common.NETS],
    }


def described(net):
    (x, y), layers = common.data(net), common.weights(net)
    return {
        "name": net.name,
        "widths": list(net.widths),
        "batch": net.batch,
        "loss": "binary" if net.binary else "softmax",
        "first_weights": layers[0][0].flatten()[:4].tolist(),
        "last_weights": layers[-1][0].flatten()[-4:].tolist(),
        "first_inputs": x.flatten()[:4].tolist(),
        "first_labels": [int(v) for v in y.flatten()[:8]],
        "first_loss": float(numpy_loop.loss(net, numpy_loop.parameters(net, np.float64), x[0].astype(np.float64), y[0])),
        "last_loss": numpy_loop.check(net, dtype=np.float64),
    }


def losses(tool):
    """(net, variant) → {peer: loss}."""
    found = {}
    for net in common.NETS:
        note(found, net.name, "sgd", "numpy, double", numpy_loop.check(net, dtype=np.float64))
        note(found, net.name, "sgd", "numpy", numpy_loop.check(net))
        for variant in VARIANTS:
            note(found, net.name, variant, "torch", torch_loop.check(net, variant))
        for variant in jax_jit.VARIANTS:
            note(found, net.name, variant, "jax", jax_jit.check(net, variant))
    if tool:
        command = [tool, "bench", "--check"]
        for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
            line = json.loads(line)
            note(found, line["net"], line["variant"], line["peer"], line["loss"])
    return found


def note(found, net, variant, peer, loss):
    found.setdefault((net, variant), {})[peer] = loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--palimpsest", help="the built tool, to compare its losses as well")
    parser.add_argument("--write", action="store_true", help="write check.json and end")
    options = parser.parse_args()
    if options.write:
        return FILE.write_text(json.dumps(definition(), indent=2) + "\n")
    bad = 0
    for (net, variant), by_peer in losses(options.palimpsest).items():
        spread = max(by_peer.values()) - min(by_peer.values())
        bad += not spread <= TOLERANCE
        shown = ", ".join(f"{peer} {loss:.6f}" for peer, loss in by_peer.items())
        verdict = "alone" if len(by_peer) == 1 else "ok" if spread <= TOLERANCE else "BAD"
        print(f"{verdict:5} {net:7} {variant:9} spread {spread:.1e}: {shown}")
    if bad:
        sys.exit(f"{bad} of the comparisons differ by more than {TOLERANCE}.")


if __name__ == "__main__":
    main()
