"""The training loop as one writes it in PyTorch; batches lie ready in memory."""

import itertools

import common
import torch
from torch import nn
from torch.nn import functional as F

VARIANTS = ["sgd", "momentum", "adam", "ewc", "si", "replay", "ewc+replay"]


class Loop:
    """A net, its optimiser and what the variant adds to a step."""

    def __init__(self, net, variant):
        self.net, self.model = net, model(net)
        self.parameters = list(self.model.parameters())
        self.optimizer = optimizer(variant, self.parameters)
        self.criterion = F.binary_cross_entropy_with_logits if net.binary else F.cross_entropy
        self.batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(*common.data(net))]
        self.step = {"ewc": self.ewc, "si": self.si, "replay": self.replay, "ewc+replay": self.ewc_replay}.get(
            variant, self.plain
        )
        self.importance = tensors(common.importance(net))
        self.anchor = [p.detach().clone() for p in self.parameters]
        self.path = [torch.zeros_like(p) for p in self.parameters]
        self.memory = Reservoir(self.batches)

    def loss(self, x, y):
        out = self.model(x)
        return self.criterion(out.squeeze(1) if self.net.binary else out, y)

    def penalty(self):
        terms = zip(self.parameters, self.importance, self.anchor)
        return common.STRENGTH / 2 * sum((o * (p - a) ** 2).sum() for p, o, a in terms)

    def plain(self, x, y):
        self.optimizer.zero_grad()
        self.loss(x, y).backward()
        self.optimizer.step()

    def ewc(self, x, y):
        self.optimizer.zero_grad()
        (self.loss(x, y) + self.penalty()).backward()
        self.optimizer.step()

    def si(self, x, y):
        """The path integral takes the gradient of the data alone."""
        self.optimizer.zero_grad()
        self.loss(x, y).backward()
        before = [(p.grad.clone(), p.detach().clone()) for p in self.parameters]
        with torch.no_grad():
            for p, o, a in zip(self.parameters, self.importance, self.anchor):
                p.grad.add_(o * (p - a), alpha=common.STRENGTH)
            self.optimizer.step()
            for p, s, (g, old) in zip(self.parameters, self.path, before):
                s.sub_(g * (p - old))

    def replay(self, x, y):
        self.plain(*self.memory.joined(x, y))
        self.memory.insert(x, y)

    def ewc_replay(self, x, y):
        self.ewc(*self.memory.joined(x, y))
        self.memory.insert(x, y)


class Reservoir:
    """A uniform sample of all rows seen; half of each batch is drawn from it."""

    def __init__(self, batches):
        self.x = torch.cat([x for x, _ in batches])[: common.MEMORY].clone()
        self.y = torch.cat([y for _, y in batches])[: common.MEMORY].clone()
        self.seen = common.ROWS

    def joined(self, x, y):
        drawn = torch.randint(common.MEMORY, (len(x),))
        return torch.cat([x, self.x[drawn]]), torch.cat([y, self.y[drawn]])

    def insert(self, x, y):
        place = (torch.rand(len(x)) * torch.arange(self.seen + 1, self.seen + 1 + len(x))).long()
        self.seen += len(x)
        kept = place < common.MEMORY
        self.x[place[kept]], self.y[place[kept]] = x[kept], y[kept]


def model(net):
    layers = []
    for w, b in common.weights(net):
        layer = nn.Linear(*w.shape)
        layer.weight.data, layer.bias.data = torch.from_numpy(w.T.copy()), torch.from_numpy(b)
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def tensors(pairs):
    """In the order and shape of `model`'s parameters."""
    return [torch.from_numpy(t.copy()) for w, b in pairs for t in (w.T, b)]


def optimizer(variant, parameters):
    if variant == "adam":
        return torch.optim.Adam(parameters, lr=common.ADAM_RATE)
    if variant == "momentum":
        return torch.optim.SGD(parameters, lr=common.MOMENTUM_RATE, momentum=common.MOMENTUM)
    return torch.optim.SGD(parameters, lr=common.RATE)


def check(net, variant):
    """The loss on batch 0 after the steps of the check, without the penalty."""
    loop = Loop(net, variant)
    for i in range(common.CHECK_STEPS):
        loop.step(*loop.batches[i])
    return loop.loss(*loop.batches[0]).item()


def forever(loop):
    batches = itertools.cycle(loop.batches)
    return lambda: loop.step(*next(batches))


def main():
    options = common.options()
    torch.set_num_threads(1)
    bench = common.Bench(options, isa=torch.backends.cpu.get_cpu_capability(), revision=torch.__version__)
    for net in options.nets:
        for variant in VARIANTS:
            bench.add("torch", net, variant, forever(Loop(net, variant)), rows=2 if "replay" in variant else 1)
    bench.run()


if __name__ == "__main__":
    main()
