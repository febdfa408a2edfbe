"""Plain SGD by hand in NumPy."""

import itertools

import common
import numpy as np


def step(net, layers, x, y, rate=common.RATE):
    """One step in place."""
    inputs, out = forward(layers, x)
    delta = (probabilities(net, out) - targets(net, out, y)) / len(x)
    for k in reversed(range(len(layers))):
        w, b = layers[k]
        back = delta @ w.T * (inputs[k] > 0) if k else None
        w -= rate * (inputs[k].T @ delta)
        b -= rate * delta.sum(0)
        delta = back


def forward(layers, x):
    """The inputs of every layer, and the last one's outputs."""
    inputs = []
    for k, (w, b) in enumerate(layers):
        inputs.append(x)
        x = x @ w + b
        if k < len(layers) - 1:
            x = np.maximum(x, 0)
    return inputs, x


def probabilities(net, out):
    if net.binary:
        return 1 / (1 + np.exp(-out))
    e = np.exp(out - out.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def targets(net, out, y):
    if net.binary:
        return y[:, None]
    one_hot = np.zeros_like(out)
    one_hot[np.arange(len(y)), y] = 1
    return one_hot


def loss(net, layers, x, y):
    out = forward(layers, x)[1]
    if net.binary:
        return np.mean(np.logaddexp(0, out[:, 0]) - y * out[:, 0])
    return np.mean(np.log(np.exp(out).sum(1)) - out[np.arange(len(y)), y])


def parameters(net, dtype=np.float32):
    return [(w.astype(dtype), b.astype(dtype)) for w, b in common.weights(net)]


def check(net, variant="sgd", dtype=np.float32):
    """The loss on batch 0 after the steps of the check."""
    layers, (xs, ys) = parameters(net, dtype), common.data(net)
    for i in range(common.CHECK_STEPS):
        step(net, layers, xs[i].astype(dtype), ys[i].astype(dtype) if net.binary else ys[i])
    return float(loss(net, layers, xs[0].astype(dtype), ys[0]))


def forever(net):
    layers, batches = parameters(net), itertools.cycle(list(zip(*common.data(net))))
    return lambda: step(net, layers, *next(batches))


def main():
    options = common.options()
    bench = common.Bench(options, isa=None, revision=np.__version__)
    for net in options.nets:
        bench.add("numpy", net, "sgd", forever(net))
    bench.run()


if __name__ == "__main__":
    main()
