"""The nets, their data, the clock and the output line: the same for every peer. Import it first: it fixes the thread counts."""

import os

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import argparse
import functools
import json
import math
import statistics
import sys
import time
from dataclasses import dataclass

import numpy as np

ROWS = 8192  # of the pool; batch i holds rows i·b ..< (i+1)·b, and the batches come round in order
CHECK_STEPS = 64
RATE, MOMENTUM, MOMENTUM_RATE, ADAM_RATE, STRENGTH, MEMORY = 0.02, 0.9, 0.002, 0.0002, 1.0, 500
WEIGHTS, INPUTS, IMPORTANCE = 1, 2, 3  # seeds of the streams


@dataclass(frozen=True)
class Net:
    name: str
    widths: tuple  # inputs, hidden …, outputs
    batch: int

    @property
    def layers(self):
        return list(zip(self.widths, self.widths[1:]))

    @property
    def classes(self):
        return max(2, self.widths[-1])

    @property
    def binary(self):
        return self.widths[-1] == 1

    @property
    def operations(self):
        """Useful operations of a step: forward, dW, and dX of all layers but the first."""
        products = [i * o for i, o in self.layers]
        return 2 * self.batch * (3 * sum(products) - products[0])


NETS = [
    Net("tiny", (10, 16, 8, 1), 32),
    Net("small", (32, 64, 64, 8), 32),
    Net("medium", (784, 256, 256, 10), 128),
    Net("large", (784, 400, 400, 10), 128),
]


# Numbers by rule


def splitmix(seed, count):
    """The first values of SplitMix64 whose state starts at `seed` (Steele, Lea & Flood 2014)."""
    u = np.uint64
    z = u(seed) + u(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=u)
    z = (z ^ (z >> u(30))) * u(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u(27))) * u(0x94D049BB133111EB)
    return z ^ (z >> u(31))


def bits24(seed, count):
    return splitmix(seed, count) >> np.uint64(40)


def uniform(seed, count):
    """In [0, 1): 24 bits, so every value is an exact float32."""
    return bits24(seed, count).astype(np.float32) * np.float32(2**-24)


def weights(net):
    """He's uniform rule, [inputs × outputs] row by row, layer after layer from one stream; biases are 0."""
    values = 2 * uniform(WEIGHTS, sum(i * o for i, o in net.layers)) - 1
    return shaped(net, values, lambda w, i: w * np.float32(math.sqrt(6 / i)), lambda _: 0)


def importance(net):
    """In [0, 1), a stream of all parameters: a layer's weights, then its biases."""
    values = uniform(IMPORTANCE, sum(i * o + o for i, o in net.layers))
    return shaped(net, values, lambda w, _: w, None)


def shaped(net, values, weight, bias):
    """Pairs of weights and biases out of one stream; the biases come from it unless `bias` is given."""
    result, at = [], 0
    for i, o in net.layers:
        w = weight(values[at : at + i * o].reshape(i, o), i)
        at += i * o
        if bias is None:
            b, at = values[at : at + o], at + o
        else:
            b = np.full(o, bias(i), np.float32)
        result.append((w, b))
    return result


@functools.cache
def data(net):
    """Inputs in [−1, 1); the label is the first input's place among equal parts of that range. Batches first."""
    inputs = net.widths[0]
    bits = bits24(INPUTS, ROWS * inputs).reshape(ROWS, inputs)
    x = 2 * (bits.astype(np.float32) * np.float32(2**-24)) - 1
    y = (bits[:, 0] * np.uint64(net.classes)) >> np.uint64(24)
    y = y.astype(np.float32 if net.binary else np.int64)
    return x.reshape(-1, net.batch, inputs), y.reshape(-1, net.batch)


# Measuring


def options(**extra):
    """The options that all peers share, and `extra` ones as name = default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--net", default=",".join(n.name for n in NETS), help="with commas between them")
    parser.add_argument("--variant", default="", help="with commas between them; default: all")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a repeat, at least")
    parser.add_argument("--clock", choices=["process_cpu", "wall"], default="process_cpu")
    parser.add_argument("--paced", action="store_true", help="repeat once for each line of standard input, which names a net")
    for name, default in extra.items():
        parser.add_argument("--" + name, type=type(default), default=default)
    found = parser.parse_args()
    found.nets = [n for n in NETS if n.name in found.net.split(",")]
    found.now = time.process_time if found.clock == "process_cpu" else time.perf_counter
    return found


class Bench:
    """What a script measures. `facts` stand in every line: isa, revision."""

    def __init__(self, options, **facts):
        self.options, self.facts, self.measures = options, facts, []

    def add(self, peer, net, variant, call, steps=1, rows=1):
        """A call does `steps` steps and returns when they are done; `rows`: how many batches a step takes its rows from."""
        if not self.options.variant or variant.split()[0] in self.options.variant.split(","):
            self.measures.append(Measure(peer, net, variant, call, steps, rows, self.options))

    def run(self):
        for m in self.measures:
            m.calibrate()
        if not self.options.paced:
            for _ in range(self.options.repeats):
                for m in self.measures:
                    m.repeat()
            return self.print(self.measures)
        print("ready", flush=True)
        for name in map(str.strip, sys.stdin):
            chosen = [m for m in self.measures if m.net.name == name]
            for m in chosen:
                m.rates = []
                m.repeat()
            self.print(chosen)
            print("done", flush=True)

    def print(self, measures):
        for m in measures:
            emit(m.peer, m.net.name, m.variant, m.rates, self.options.clock, m.rows * m.net.operations, **self.facts)


@dataclass
class Measure:
    peer: str
    net: Net
    variant: str
    call: object
    steps: int
    rows: int
    options: object

    def calibrate(self):
        """How many calls a repeat takes; warms up by the way."""
        self.rates, self.calls = [], 1
        self.call()
        while (taken := self.seconds()) < self.options.seconds / 4:
            self.calls *= 2
        self.calls = max(1, math.ceil(self.calls * self.options.seconds / taken))

    def repeat(self):
        self.rates.append(self.steps * self.calls / self.seconds())

    def seconds(self):
        start = self.options.now()
        for _ in range(self.calls):
            self.call()
        return self.options.now() - start


def emit(peer, net, variant, rates, clock, operations, **facts):
    """One JSON line: steps_per_s is the median; `operations` are those of a step."""
    middle = statistics.median(rates)
    line = dict(peer=peer, net=net, variant=variant, steps_per_s=middle, min=min(rates), max=max(rates), clock=clock)
    print(json.dumps(dict(line, gflops=middle * operations / 1e9, **facts)), flush=True)
