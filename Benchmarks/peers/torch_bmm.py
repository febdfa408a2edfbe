"""Many users' nets in one PyTorch loop: each layer is one batched product over all users. Rates are user-steps a second."""

import itertools

import common
import numpy as np
import torch
from torch.nn import functional as F


def main():
    options = common.options(users=1000)
    torch.set_num_threads(1)
    bench = common.Bench(options, isa=torch.backends.cpu.get_cpu_capability(), revision=torch.__version__)
    for name in ("sgd", "adam"):
        bench.add("torch bmm", common.NETS[0], f"{name} x{options.users}", forever(name, options.users), options.users)
    bench.run()


def user_batches(pool, i, users):
    """[users × …]: user u's batch in step i, another one for each user."""
    return torch.from_numpy(np.stack([pool[(i + u) % len(pool)] for u in range(users)]))


def forever(name, users):
    net = common.NETS[0]
    layers = [torch.from_numpy(np.stack([t] * users)) for w, b in common.weights(net) for t in (w, b[None])]
    parameters = [t.requires_grad_() for t in layers]
    adam = name == "adam"
    optimizer = (torch.optim.Adam if adam else torch.optim.SGD)(parameters, lr=common.ADAM_RATE if adam else common.RATE)
    xs, ys = common.data(net)
    feed = itertools.cycle([(user_batches(xs, i, users), user_batches(ys, i, users)) for i in range(8)])

    def step():
        x, y = next(feed)
        optimizer.zero_grad()
        # The sum over users of each one's mean: every user gets its own gradient.
        loss = F.binary_cross_entropy_with_logits(forward(parameters, x).squeeze(2), y, reduction="none")
        loss.mean(1).sum().backward()
        optimizer.step()

    return step


def forward(parameters, x):
    for k in range(0, len(parameters), 2):
        x = torch.baddbmm(parameters[k + 1], x, parameters[k])
        if k < len(parameters) - 2:
            x = torch.relu(x)
    return x


if __name__ == "__main__":
    main()
