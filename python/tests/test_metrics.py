"""Metrics of the cube, computed again by NumPy from its raw arrays.

Arrays are 32-bit floats, metrics were computed from 64-bit ones. Shares of right answers are counts over test rows: the counts
are found again exactly, and everything made of them agrees to 1e-9. Values that are no counts (means of p*) are known to half a
unit in the last place, 2^-25 below 1: what is made of them can only agree to a few of these.
"""

import numpy as np
import pytest

import palimpsest

EXACT = 1e-9
STORED = 2**-23  # four roundings of 2^-25 at most: two in a difference, twice as much for gains near 1


def exact(shares, most=20_000):
    """32-bit shares of one number of rows as 64-bit ones: k / n by the least n for which all are counts."""
    values = np.unique(shares[np.isfinite(shares)]).astype(float)
    for n in range(1, most + 1):
        counts = values * n
        if np.all(np.abs(counts - np.round(counts)) <= n * 2**-25 * 1.001):
            return np.round(shares.astype(float) * n) / n
    raise AssertionError("no number of rows makes counts of these shares")


def test_counts_are_found_again():
    # 1/3, 2/7 and 20/21 as 32-bit floats are 7, 6 and 20 of 21 rows.
    shares = np.array([1 / 3, 2 / 7, 20 / 21, np.nan], dtype=np.float32)
    np.testing.assert_array_equal(exact(shares), np.array([7, 6, 20, np.nan]) / 21)


def matrices(ds, prefix):
    R, before = ds[f"{prefix}accuracy"].values, ds[f"{prefix}accuracy_before"].values
    if prefix:
        return R.astype(float), before.astype(float)
    both = [exact(np.concatenate([R[run].ravel(), before[run]])) for run in range(len(R))]
    return np.array([b[: R[0].size].reshape(R[0].shape) for b in both]), np.array([b[R[0].size :] for b in both])


def continual(R, before, tracker, ceiling):
    """Of R (runs, after, task) and the untrained (runs, task), as `definition` has them; nothing shared with the toolkit."""
    T = R.shape[1]
    final, diagonal = R[:, -1, :], np.einsum("rjj->rj", R)
    learned = np.tril(np.ones((T, T), bool))
    best = np.where(learned, R, -np.inf)[:, :-1, :-1].max(axis=1)
    average = final.mean(axis=1)
    with np.errstate(all="ignore"):
        retention = np.where(ceiling - tracker > 0.03, (average - tracker) / (ceiling - tracker), np.nan)
    return {
        "average_accuracy": average,
        "average_incremental_accuracy": np.mean([R[:, i, : i + 1].mean(axis=1) for i in range(T)], axis=0),
        "forgetting": (best - final[:, :-1]).mean(axis=1),
        "backward_transfer": (final - diagonal)[:, :-1].mean(axis=1),
        "forward_transfer": np.mean([R[:, j - 1, j] - before[:, j] for j in range(1, T)], axis=0),
        "learning_accuracy": diagonal.mean(axis=1),
        "normalised_retention": retention,
    }


@pytest.mark.parametrize("kind", ["quickstart", "tuned"])
@pytest.mark.parametrize(("prefix", "tolerance"), [("", EXACT), ("expected_", STORED)])
def test_continual_metrics(kind, prefix, tolerance, request):
    with palimpsest.open(request.getfixturevalue(kind)) as ds:
        ceiling, tracker = ds["joint_ceiling"].values, ds["tracker_accuracy"].values
        computed = continual(*matrices(ds, prefix), tracker, ceiling)
        for name, values in computed.items():
            divisor = ceiling - tracker if name == "normalised_retention" else np.ones(len(values))
            known = ds[prefix + name].values
            assert np.isfinite(known).any(), name
            np.testing.assert_array_equal(np.isnan(values), np.isnan(known), err_msg=name)
            off = np.abs((values - known) * np.where(tolerance == EXACT, 1, divisor))
            assert np.nanmax(off) <= tolerance, (name, np.nanmax(off))


def windows(ds, name):
    """Right answers of each window over its rows, exactly."""
    rows = ds["prequential_rows"].values.astype(float)
    counts = ds[name].values.astype(float) * rows
    assert np.nanmax(np.abs(counts - np.round(counts))) < 1e-2
    return np.round(counts) / rows


@pytest.mark.parametrize("kind", ["stream", "table_stream"])
def test_prequential_means(kind, request):
    with palimpsest.open(request.getfixturevalue(kind)) as ds:
        p0, last, majority = (windows(ds, n) for n in ("prequential_accuracy", "repeat_last_accuracy", "majority_accuracy"))
        for name, values in [("prequential_mean", p0), ("repeat_last_mean", last), ("majority_mean", majority)]:
            np.testing.assert_allclose(np.nanmean(values, axis=1), ds[name].values, rtol=0, atol=EXACT, err_msg=name)
        for kappa, mean, chance in [("kappa_temporal", "kappa_temporal_mean", last), ("kappa_m", "kappa_m_mean", majority)]:
            values = np.where(chance < 1, (p0 - chance) / np.where(chance < 1, 1 - chance, 1), np.nan)
            stored = ds[f"prequential_{kappa}"].values
            np.testing.assert_array_equal(np.isnan(values), np.isnan(stored))
            # κ can lie far below −1, so that its last place is a share of its size.
            np.testing.assert_allclose(values, stored, rtol=2**-23, atol=2**-24)
            np.testing.assert_allclose(np.nanmean(values, axis=1), ds[mean].values, rtol=0, atol=EXACT, err_msg=mean)


def test_alarms_are_counted(stream):
    with palimpsest.open(stream) as ds:
        np.testing.assert_array_equal(ds["alarm_example"].notnull().sum("alarm").values, ds["alarm_count"].values)


def wilson(count, n, z=1.959963984540054):
    """Both ends solve (p − share)² = z² p (1 − p) / n, a quadratic in p."""
    share = count / n
    roots = np.roots([1 + z * z / n, -(2 * share + z * z / n), share * share])
    return np.sort(roots.real)


def test_wilson_by_hand():
    # 1 of 10: the published interval is 0.0179 to 0.4042 (Brown, Cai & DasGupta 2001).
    np.testing.assert_allclose(wilson(1, 10), [0.0179, 0.4042], atol=5e-5)


def test_people(people):
    with palimpsest.open(people) as ds:
        gains = ds["user_gain"].transpose("run", "concept", "user").values.astype(float)
        n = gains.shape[-1]
        tail = np.sort(gains, axis=-1)[..., : -(-n // 10)]
        stored = {
            "gain_mean": gains.mean(-1), "gain_median": np.median(gains, -1), "gain_p10": np.quantile(gains, 0.1, axis=-1),
            "gain_cvar10": tail.mean(-1), "gain_worst": gains.min(-1),
        }
        for name, values in stored.items():
            np.testing.assert_allclose(values, ds[name].values, rtol=0, atol=STORED, err_msg=name)
        for name, limit in [("share_worse", 0), ("share_worse_1pt", -0.01)]:
            counts = (gains < limit).sum(-1)
            np.testing.assert_allclose(counts / n, ds[name].values, rtol=0, atol=EXACT)
            ends = np.array([[wilson(count, n) for count in row] for row in counts])
            np.testing.assert_allclose(ends[..., 0], ds[f"{name}_low"].values, rtol=0, atol=EXACT)
            np.testing.assert_allclose(ends[..., 1], ds[f"{name}_high"].values, rtol=0, atol=EXACT)
        difference = ds["user_accuracy"] - ds["user_accuracy_population"]
        np.testing.assert_allclose(difference.values, ds["user_gain"].values, rtol=0, atol=STORED)


def test_people_over_their_lives(people):
    with palimpsest.open(people) as ds:
        gains = ds["user_life_gain"].values.astype(float)
        tail = np.sort(gains, axis=1)[:, :4]  # of 40 people the worst tenth are 4
        np.testing.assert_allclose(gains.mean(1), ds["life_gain_mean"].values, rtol=0, atol=STORED)
        np.testing.assert_allclose(tail.mean(1), ds["life_gain_cvar10"].values, rtol=0, atol=STORED)
        np.testing.assert_allclose((gains < 0).mean(1), ds["life_share_worse"].values, rtol=0, atol=EXACT)
        updates = ds["user_updates_finished"].mean("user")
        np.testing.assert_allclose(updates.values, ds["updates_per_user"].values, rtol=0, atol=EXACT)


def test_parts_of_the_cost_are_the_whole(quickstart):
    with palimpsest.open(quickstart) as ds:
        assert np.array_equal(ds["multiply_adds_part"].sum("part").values, ds["multiply_adds"].values)
        kept = sum(ds[f"bytes_{what}"] for what in ("model", "optimizer", "importance", "memory"))
        assert np.array_equal(ds["bytes_part"].sum("part").values, kept.values)
