"""JAX: many replicas of a net in one compiled scan, on the same batches or each on its own. Rates are replica-steps a second."""

import common
import jax
import jax.numpy as jnp
from jax import lax, tree
from jax_jit import pool, start, stepper

ROWS = 2048  # a replica goes over in a call


def replicas(net, count, own):
    n = ROWS // net.batch
    if own:
        data = tuple(jnp.stack([jnp.roll(a, r, 0)[:n] for r in range(count)], 1) for a in pool(net))
    else:
        data = tuple(a[:n] for a in pool(net))
    state = tree.map(lambda p: jnp.stack([p] * count), start(net, "sgd"))
    one = jax.vmap(stepper(net, "sgd"), in_axes=(0, 0 if own else None))
    run = jax.jit(lambda state, data: lax.scan(one, state, data)[0], donate_argnums=0)

    def call():
        nonlocal state
        state = jax.block_until_ready(run(state, data))

    return call, count * n


def main():
    options = common.options()
    bench = common.Bench(options, isa=None, revision=jax.__version__)
    for net in options.nets:
        for count in (16, 64) if net.widths[0] < 100 else (16,):
            for feed in ("shared", "own"):
                call, steps = replicas(net, count, feed == "own")
                bench.add("jax vmap", net, f"sgd x{count} {feed}", call, steps)
    bench.run()


if __name__ == "__main__":
    main()
