"""Avalanche's cost of a step of one user's net: 10-16-8-1, batches of 32, 8 experiences of 320 rows, 20 epochs: 1,600 steps."""

import avalanche_common
import common
import torch
import torch_loop
from avalanche.benchmarks import benchmark_from_datasets
from avalanche.benchmarks.utils import as_taskaware_classification_dataset
from avalanche.training.plugins import EvaluationPlugin
from avalanche.training.supervised import Naive
from torch.nn import functional as F

EXPERIENCES, ROWS, EPOCHS = 8, 320, 20


def user(net, xs, ys):
    """All of one user's life: her data, her learner, her steps."""
    part = lambda a, e: torch.from_numpy(a.reshape(common.ROWS, *a.shape[2:])[e * ROWS : (e + 1) * ROWS])
    rows = [avalanche_common.Rows(part(xs, e), part(ys, e).long()) for e in range(EXPERIENCES)]
    benchmark = benchmark_from_datasets(train=[as_taskaware_classification_dataset(r) for r in rows])
    model = torch_loop.model(net)
    strategy = Naive(
        model=model, optimizer=torch.optim.SGD(model.parameters(), lr=common.RATE),
        criterion=lambda out, y: F.binary_cross_entropy_with_logits(out.squeeze(1), y.float()),
        train_mb_size=net.batch, train_epochs=EPOCHS, evaluator=EvaluationPlugin(loggers=[]),
    )
    for experience in benchmark.train_stream:
        strategy.train(experience)


def main():
    options, net = common.options(), common.NETS[0]
    import avalanche

    bench = common.Bench(
        options, isa=torch.backends.cpu.get_cpu_capability(), revision=f"avalanche {avalanche.__version__}, torch {torch.__version__}"
    )
    bench.add("avalanche", net, "sgd users", lambda: user(net, *common.data(net)), EXPERIENCES * ROWS * EPOCHS // 32)
    bench.run()


if __name__ == "__main__":
    main()
