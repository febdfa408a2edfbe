"""Permuted MNIST in Avalanche: 10 tasks, 784-256-256-10, batches of 128, Adam 0.001, one epoch, all tasks judged after each."""

import gzip
import os
import pathlib
import resource
import shutil
import statistics
import tempfile

import avalanche_common
import common
import numpy as np
import torch
from avalanche.benchmarks import benchmark_from_datasets
from avalanche.benchmarks.classic import PermutedMNIST
from avalanche.benchmarks.utils import as_taskaware_classification_dataset
from avalanche.evaluation.metrics import accuracy_metrics
from avalanche.training.plugins import EvaluationPlugin, EWCPlugin, ReplayPlugin, SynapticIntelligencePlugin
from avalanche.training.supervised import Naive
from torch import nn
from torch.nn import functional as F

TASKS, BATCH, MEMORY = 10, 128, 2000
RATE = 0.001  # of Adam
FILES = {"train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"), "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")}


def plugins(method):
    return {
        "naive": lambda: [],
        "replay": lambda: [ReplayPlugin(MEMORY, batch_size=BATCH, batch_size_mem=BATCH)],
        "ewc": lambda: [EWCPlugin(ewc_lambda=100)],
        "si": lambda: [SynapticIntelligencePlugin(si_lambda=1)],
    }[method]()


# Data


def idx(folder, name):
    """The numbers of an IDX file, packed or not."""
    packed = folder / (name + ".gz")
    data = gzip.open(packed).read() if packed.exists() else (folder / name).read_bytes()
    shape = [int.from_bytes(data[4 + 4 * k : 8 + 4 * k], "big") for k in range(data[3])]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


def images(folder, part):
    x, y = (idx(folder, name) for name in FILES[part])
    return torch.from_numpy(x.reshape(-1, 784) / np.float32(255)), torch.from_numpy(y.astype(np.int64))


def permutations(seed):
    rng = np.random.default_rng(seed)
    return [torch.from_numpy(rng.permutation(784)) for _ in range(TASKS)]


def from_tensors(folder, seed):
    """Every task's images lie permuted in memory."""

    def stream(part):
        x, y = images(folder, part)
        return [as_taskaware_classification_dataset(avalanche_common.Rows(x[:, p], y)) for p in permutations(seed)]

    return benchmark_from_datasets(train=stream("train"), test=stream("test"))


def own_class(folder, seed):
    """Avalanche's own benchmark; it wants the files unpacked in a folder of its own."""
    root = pathlib.Path(tempfile.mkdtemp())
    raw = root / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for name in (n for part in FILES.values() for n in part):
        with gzip.open(folder / (name + ".gz")) as packed, open(raw / name, "wb") as file:
            shutil.copyfileobj(packed, file)
    benchmark = PermutedMNIST(TASKS, seed=seed, dataset_root=root)
    shutil.rmtree(root)
    return benchmark


# Runs


class BareLoop:
    """The same in plain PyTorch, to show what the toolkit costs."""

    def __init__(self, folder, seed):
        self.model, self.data = model(seed), {part: images(folder, part) for part in FILES}
        self.permutations = permutations(seed)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=RATE)

    def train(self, task):
        x, y = self.data["train"]
        x = x.index_select(1, self.permutations[task])
        for rows in torch.randperm(len(x)).split(BATCH):
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x[rows]), y[rows]).backward()
            self.optimizer.step()

    @torch.no_grad()
    def accuracies(self):
        x, y = self.data["test"]
        return [(self.model(x.index_select(1, p)).argmax(1) == y).float().mean().item() for p in self.permutations]


class Avalanche:
    def __init__(self, method, benchmark, seed):
        self.benchmark, self.plugins = benchmark, plugins(method)
        net = model(seed)
        self.strategy = Naive(
            model=net, optimizer=torch.optim.Adam(net.parameters(), lr=RATE), criterion=nn.CrossEntropyLoss(),
            train_mb_size=BATCH, train_epochs=1, eval_mb_size=1000, plugins=self.plugins,
            evaluator=EvaluationPlugin(accuracy_metrics(experience=True), loggers=[]),
        )

    def train(self, task):
        self.strategy.train(self.benchmark.train_stream[task])

    def accuracies(self):
        results = self.strategy.eval(self.benchmark.test_stream)
        return [v for k, v in sorted(results.items()) if k.startswith("Top1_Acc_Exp")]

    def largest_importance(self):
        """Of SI: 0 where the plugin's snapshots are views of the live weights."""
        return max(p.data.abs().max().item() for p in self.plugins[0].ewc_data[1].values())


def model(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))


def main():
    here = os.environ.get("PALIMPSEST_DATASETS", "datasets")
    options = common.options(data=here, method="naive", feed="tensors", seed=1)
    folder = pathlib.Path(options.data) / "mnist"
    now = options.now
    start = now()
    if options.feed == "loop":
        run = BareLoop(folder, options.seed)
    else:
        benchmark = (from_tensors if options.feed == "tensors" else own_class)(folder, options.seed)
        run = Avalanche(options.method, benchmark, options.seed)
    ready = peak_megabytes()
    preparing, training, judging = now() - start, 0, 0
    for task in range(TASKS):
        start = now()
        run.train(task)
        between = now()
        accuracies = run.accuracies()
        training, judging = training + between - start, judging + now() - between
    steps = TASKS * -(-60000 // BATCH)
    facts = {"si_largest_importance": run.largest_importance()} if options.method == "si" else {}
    common.emit(
        "torch" if options.feed == "loop" else f"avalanche, {options.feed}", "permuted-mnist", options.method,
        [steps / training], options.clock, operations=(2 if options.method == "replay" else 1) * common.NETS[2].operations,
        isa=torch.backends.cpu.get_cpu_capability(), revision=version(), seconds=training + judging, preparing_s=preparing,
        training_s=training, judging_s=judging, samples_per_s=TASKS * 60000 / training, peak_mb=peak_megabytes(),
        ready_mb=ready, accuracy=statistics.mean(accuracies), **facts,
    )


def version():
    import avalanche

    return f"avalanche {avalanche.__version__}, torch {torch.__version__}"


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
