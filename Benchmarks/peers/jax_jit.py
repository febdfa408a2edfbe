"""JAX: one compiled step a call, and whole epochs in one compiled scan."""

import functools

import common
import jax
import jax.numpy as jnp
from jax import lax, tree

VARIANTS = ["sgd", "ewc", "si"]


def forward(layers, x):
    for w, b in layers[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def loss(net, layers, x, y):
    out = forward(layers, x)
    if net.binary:
        return jnp.mean(jnp.logaddexp(0, out[:, 0]) - y * out[:, 0])
    chosen = jnp.take_along_axis(out, y[:, None], 1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(out, axis=1) - chosen)


def start(net, variant):
    """What a step carries on: the parameters, and the path integral of SI."""
    layers = arrays(common.weights(net))
    return (layers, tree.map(jnp.zeros_like, layers)) if variant == "si" else (layers,)


def stepper(net, variant):
    """(state, batch) → (state, None), as `lax.scan` wants it."""
    importance, anchor = arrays(common.importance(net)), arrays(common.weights(net))

    def step(state, batch):
        layers = state[0]
        gradient = total = jax.grad(lambda l: loss(net, l, *batch))(layers)
        if variant != "sgd":
            pull = lambda g, p, o, a: g + common.STRENGTH * o * (p - a)
            total = tree.map(pull, gradient, layers, importance, anchor)
        new = tree.map(lambda p, g: p - common.RATE * g, layers, total)
        if variant != "si":
            return (new,), None
        path = tree.map(lambda s, g, n, p: s - g * (n - p), state[1], gradient, new, layers)
        return (new, path), None

    return step


def arrays(pairs):
    """A copy: compiled steps overwrite what they are given."""
    return tree.map(lambda a: jnp.array(a), pairs)


@functools.cache
def pool(net):
    xs, ys = common.data(net)
    return jnp.asarray(xs), jnp.asarray(ys, jnp.float32 if net.binary else jnp.int32)


def per_step(net, variant):
    """A call is one epoch, so that waiting for the end costs nothing; batches lie ready one by one."""
    step = stepper(net, variant)
    run = jax.jit(lambda state, batch: step(state, batch)[0], donate_argnums=0)
    batches, state = list(zip(*pool(net))), start(net, variant)

    def call():
        nonlocal state
        for batch in batches:
            state = run(state, batch)
        jax.block_until_ready(state)

    return call, len(batches)


def scan(net, variant):
    """A call is some epochs, so that the call itself costs nothing."""
    epochs = 4 if net.widths[0] < 100 else 1
    step = stepper(net, variant)
    many = lambda state, batches: lax.scan(lambda s, _: (lax.scan(step, s, batches)[0], None), state, None, epochs)[0]
    run, state = jax.jit(many, donate_argnums=0), start(net, variant)

    def call():
        nonlocal state
        state = jax.block_until_ready(run(state, pool(net)))

    return call, epochs * len(pool(net)[0])


def check(net, variant):
    """The loss on batch 0 after the steps of the check, without the penalty."""
    xs, ys = pool(net)
    step, n = stepper(net, variant), common.CHECK_STEPS
    state = jax.jit(lambda s, b: lax.scan(step, s, b)[0])(start(net, variant), (xs[:n], ys[:n]))
    return float(loss(net, state[0], xs[0], ys[0]))


def main():
    options = common.options()
    bench = common.Bench(options, isa=None, revision=jax.__version__)
    for net in options.nets:
        for variant in VARIANTS:
            bench.add("jax jit", net, variant, *per_step(net, variant))
            bench.add("jax scan", net, variant, *scan(net, variant))
    bench.run()


if __name__ == "__main__":
    main()
