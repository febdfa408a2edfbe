"""Measures of evaluations within tasks and of probes, computed again by NumPy from the cube's raw arrays.

As in test_metrics.py: what is made of counts agrees to 1e-9, what is made of other 32-bit floats to a few units in their last place.
"""

import numpy as np
import palimpsest
import pytest
from test_metrics import EXACT, STORED, exact


def runs(ds):
    """Each run's curve and matrix as counts over test rows, with the rows fed until each evaluation and each task's end."""
    for run in range(ds.sizes["run"]):
        curve, R = ds["curve_accuracy"].values[run], ds["accuracy"].values[run]
        shares = exact(np.concatenate([curve.ravel(), R.ravel()]))
        points = ds["curve_task"].values[run] >= 0
        ends = np.cumsum(ds["examples_task"].values[run])
        yield (
            shares[: curve.size].reshape(curve.shape)[points], ds["curve_task"].values[run][points].astype(int),
            ds["curve_examples"].values[run][points], shares[curve.size :].reshape(R.shape), ends)


def switches(curve, task, fed, R, ends):
    """For each task but the first: A before it, and A and the rows fed at each evaluation in it, its end included."""
    for k in range(1, len(R)):
        within = task == k
        means = np.append(curve[within, :k].mean(axis=1), R[k, :k].mean())
        yield R[k - 1, :k].mean(), means, np.append(fed[within], ends[k]) - ends[k - 1]


def regained(before, means, rows):
    """Rows until A is .95 times its value before again; NaN where it stays below."""
    below = np.flatnonzero(means < 0.95 * before)
    if not len(below):
        return 0.0
    back = [n for n, A in zip(rows[below[0] :], means[below[0] :]) if A >= 0.95 * before]
    return float(back[0]) if back else np.nan


def largest_rise(x, window=10):
    return max(x[p : p + window].max() - x[p] for p in range(len(x)))


def test_regained_by_hand():
    # .8 before, so .76 is enough: below at 20 rows, back at 40.
    assert regained(0.8, np.array([0.8, 0.7, 0.75, 0.77]), np.array([10, 20, 30, 40])) == 40
    assert regained(0.8, np.array([0.8, 0.77]), np.array([10, 20])) == 0
    assert np.isnan(regained(0.8, np.array([0.7, 0.75]), np.array([10, 20])))
    assert largest_rise(np.array([3.0, 1, 2, 5, 4])) == 4 and largest_rise(np.array([3.0, 2, 1])) == 0


def from_curve(curve, task, fed, R, ends):
    T = len(R)
    at_switches = list(switches(curve, task, fed, R, ends))
    rows = np.array([regained(*one) for one in at_switches])
    least = [np.append(curve[task > j, j], R[j:, j]).min() for j in range(T - 1)]
    return {
        "regain_steps": np.nanmean(rows) if np.isfinite(rows).any() else np.nan,
        "regained_share": np.isfinite(rows).mean(),
        "stability_gap": np.mean([before - means.min() for before, means, _ in at_switches]),
        "anytime_accuracy": np.mean([point[: k + 1].mean() for point, k in zip(curve, task)]),
        "min_accuracy": np.mean(least),
        "worst_case_accuracy": R[-1, -1] / T + (1 - 1 / T) * np.mean(least),
        "windowed_forgetting": np.mean([largest_rise(-curve[task >= j, j]) for j in range(T)]),
        "windowed_plasticity": np.mean([largest_rise(curve[task >= j, j]) for j in range(T)]),
    }


def test_evaluations_within_tasks(probed):
    with palimpsest.open(probed) as ds:
        for run, one in enumerate(runs(ds)):
            for name, value in from_curve(*one).items():
                np.testing.assert_allclose(value, ds[name].values[run], rtol=0, atol=EXACT, err_msg=f"{name} of run {run}")


def test_log_losses_of_last_steps(probed):
    """38 steps an epoch, 20 epochs, an evaluation each 20 steps: the last one of a task comes after its last step, as the matrix does."""
    with palimpsest.open(probed) as ds:
        task, curve, matrix = (ds[n].values for n in ("curve_task", "curve_log_loss", "log_loss"))
        for run in range(ds.sizes["run"]):
            for k in range(ds.sizes["task"]):
                last = np.flatnonzero(task[run] == k)[-1]
                np.testing.assert_array_equal(curve[run, last, : k + 1], matrix[run, k, : k + 1])
                assert np.isnan(curve[run, last, k + 1 :]).all()


def test_flips(probed):
    with palimpsest.open(probed) as ds:
        T = ds.sizes["task"]
        for run in range(ds.sizes["run"]):
            shares = [ds[n].values[run] for n in ("accuracy", "negative_flips", "positive_flips", "answer_churn")]
            R, lost, won, churn = exact(np.array(shares))
            np.testing.assert_allclose(np.diff(R, axis=0), (won - lost)[1:], rtol=0, atol=EXACT)
            np.testing.assert_allclose(churn[1:], (won + lost)[1:], rtol=0, atol=EXACT)  # two labels: who turns is right once
            rate = np.mean([lost[i, :i].mean() for i in range(1, T)])
            np.testing.assert_allclose(rate, ds["negative_flip_rate"].values[run], rtol=0, atol=EXACT)


def test_calibration(probed):
    with palimpsest.open(probed) as ds:
        n = ds["reliability_count"].values.astype(float)
        q, y = (ds[f"reliability_{name}"].values.astype(float) for name in ("confidence", "frequency"))
        y = np.round(y * n) / n
        share, gap = n / n.sum(axis=-1, keepdims=True), y - q
        error = (share * np.abs(gap)).sum(-1)
        square = (share * (gap**2 - y * (1 - y) / (n - 1))).sum(-1)
        np.testing.assert_allclose(error, ds["calibration_error"].values[:, -1], rtol=0, atol=STORED)
        # The root of a difference: its square has the accuracy of its terms.
        debiased = ds["debiased_calibration_error"].values[:, -1].astype(float)
        np.testing.assert_allclose(square, debiased * np.abs(debiased), rtol=0, atol=STORED)
        final = ds["calibration_error"].values[:, -1].astype(float).mean(axis=-1)
        np.testing.assert_allclose(final, ds["final_calibration_error"].values, rtol=0, atol=STORED)
        # All test rows are in the bins, and their label 1 is as frequent as the labels say.
        ones = ds["class_rows"].values[:, 1]
        np.testing.assert_array_equal((y * n).sum(axis=(-1, -2)).round(), ones)


def test_slices(probed):
    with palimpsest.open(probed) as ds:
        for name, rows, scalar, pick in [
            ("class_accuracy", "class_rows", "worst_class_accuracy", np.min),
            ("user_test_accuracy", "user_test_rows", "user_accuracy_p10", lambda values: np.quantile(values, 0.1)),
        ]:
            for run in range(ds.sizes["run"]):
                n = ds[rows].values[run].astype(float)
                counts = np.round(ds[name].values[run].astype(float) * n)
                judged = (counts / n)[n >= 30]
                np.testing.assert_allclose(pick(judged), ds[scalar].values[run], rtol=0, atol=EXACT, err_msg=scalar)
                # Slices divide the test rows of all tasks, which have as many each.
                share = ds["accuracy"].values[run, -1].astype(float).mean()
                np.testing.assert_allclose(np.nansum(counts) / np.nansum(n), share, rtol=0, atol=STORED)


def test_plasticity_and_layers(probed):
    with palimpsest.open(probed) as ds:
        late = ds["fresh_loss"].values[:, -1].astype(float)
        np.testing.assert_allclose(
            late - ds["fresh_loss_before"].values, ds["plasticity_loss"].values, rtol=0, atol=STORED)
        plain = ds.isel(run=ds["strategy"].values != "adapters")
        widths = np.array([16, 8])
        for share in ("dormant_units", "dead_units"):
            counts = plain[share].values * widths
            np.testing.assert_allclose(counts, np.round(counts), rtol=0, atol=1e-5)
        assert (plain["dead_units"] <= plain["dormant_units"]).all()
        for rank in ("effective_rank", "stable_rank"):
            assert ((plain[rank] >= 1 - STORED) & (plain[rank] <= widths)).all()
        assert (plain["gradient_norm"] > 0).all() and (plain["weight_norm"] > plain["gradient_norm"]).all()


def test_matrices_of_other_definitions(quickstart):
    with palimpsest.open(quickstart) as ds:
        for run in range(ds.sizes["run"]):
            R = exact(ds["accuracy"].values[run])
            T, final, diagonal = len(R), R[-1], np.diag(R)
            crossed, bayes = ds["cross_accuracy"].values[run].astype(float), ds["bayes_accuracy"].values[run].astype(float)
            exactly = {
                "average_lower_triangle": R[np.tril_indices(T)].mean(),
                "forgetting_first_last": (diagonal - final)[:-1].mean(),
                "forgetting_all_rows": np.mean([R[j:, j].max() - final[j] for j in range(T - 1)]),
                "backward_transfer_plus": max(0, (final - diagonal)[:-1].mean()),
            }
            nearly = {
                "intransigence_bayes": (bayes - diagonal).mean(),
                "interference": (crossed[-1] - final)[:-1].mean(),
                "underfit": (np.diag(crossed) - diagonal)[:-1].mean(),
                "drift_implied_forgetting": (np.diag(crossed) - crossed[-1])[:-1].mean(),
            }
            for values, tolerance in ((exactly, EXACT), (nearly, STORED)):
                for name, value in values.items():
                    np.testing.assert_allclose(value, ds[name].values[run], rtol=0, atol=tolerance, err_msg=name)


def test_stream_windows(stream):
    means = {"loss": "prequential_loss_mean", "regret": "regret_mean", "kappa": "kappa_mean", "brier": "brier_mean",
             "ece": "ece_mean", "auc": "auc_mean", "balanced_accuracy": "balanced_accuracy_mean"}
    with palimpsest.open(stream) as ds:
        for name, mean in means.items():
            values = ds[f"prequential_{name}"].values.astype(float)
            np.testing.assert_allclose(np.nanmean(values, axis=1), ds[mean].values, rtol=0, atol=STORED, err_msg=mean)
