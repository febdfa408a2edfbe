"""Measures of streams, computed again by NumPy from the cube's raw arrays: kappas, detection, recovery.

As in test_metrics.py: what is made of counts agrees to 1e-9, sums of other 32-bit floats to what these are known to.
"""

import numpy as np
import palimpsest
import pytest
from test_metrics import EXACT, STORED


def kappa(share, reference):
    """NaN where the reference is always right."""
    return np.divide(share - reference, 1 - reference, out=np.full_like(share, np.nan), where=reference < 1)


def tables(right, rows, balanced, chance):
    """Right answers and rows of label 1 that give a window's 32-bit balanced accuracy and kappa; the two labels may stand for each other."""
    ones, hits = (axis.ravel().astype(float) for axis in np.meshgrid(np.arange(rows + 1), np.arange(right + 1)))
    zeros, others = rows - ones, right - hits
    possible = (hits <= ones) & (others <= zeros)
    ones, hits, zeros, others = (values[possible] for values in (ones, hits, zeros, others))
    recalls = np.array([np.divide(a, b, out=np.full_like(a, np.nan), where=b > 0) for a, b in ((hits, ones), (others, zeros))])
    answered = hits + zeros - others  # label 1
    values = kappa(np.full_like(ones, right / rows), (answered * ones + (rows - answered) * zeros) / rows**2)
    mean = np.nanmean(recalls, axis=0)
    same = (mean.astype(np.float32) == balanced) & ((values.astype(np.float32) == chance) | (np.isnan(values) & np.isnan(chance)))
    return mean[same], values[same]


def test_a_table_by_hand():
    # 3 of 4 ones and 1 of 2 zeros: answered 1: 4 of 6; chance 4/6 · 4/6 + 2/6 · 2/6 = 5/9, kappa (4/6 − 5/9) / (4/9) = 1/4.
    mean, values = tables(4, 6, np.float32(0.625), np.float32(0.25))
    assert len(mean) and np.allclose(mean, 0.625, atol=1e-15) and np.allclose(values, 0.25, atol=1e-15)


def test_kappas(stream):
    windows = ("accuracy", "rows", "balanced_accuracy", "kappa")
    with palimpsest.open(stream) as ds:
        for run in range(ds.sizes["run"]):
            stored = [ds[f"prequential_{name}"].values[run] for name in windows]
            rows = stored[1].astype(float)
            share, last, most = (
                np.round(ds[name].values[run] * rows) / rows
                for name in ("prequential_accuracy", "repeat_last_accuracy", "majority_accuracy"))
            found = [tables(round(accuracy * n), n, *rest) for accuracy, n, *rest in zip(*stored)]
            # One table, or several with the same numbers.
            assert all(len(mean) and np.ptp(mean) < 1e-12 for mean, _ in found)
            balanced, chance = np.array([[mean[0], values[0]] for mean, values in found]).T
            temporal = kappa(share, last)
            means = {
                "prequential_mean": share, "repeat_last_mean": last, "majority_mean": most, "balanced_accuracy_mean": balanced,
                "kappa_mean": chance, "kappa_m_mean": kappa(share, most), "kappa_temporal_mean": temporal,
                "kappa_combined_mean": np.sqrt(np.maximum(chance, 0) * np.maximum(temporal, 0)),
            }
            for name, values in means.items():
                np.testing.assert_allclose(
                    np.nanmean(values), ds[name].values[run], rtol=0, atol=EXACT, err_msg=f"{name} of run {run}")


def spans(starts, ends, rows, most):
    """First row and the row behind the last in which an alarm detects each change."""
    nexts = np.append(starts[1:], rows)
    return starts, np.maximum(starts, np.minimum(ends + most + 1, nexts))


def f1(caught, wrong):
    """Of the alarms within each span, and those outside all."""
    detected = (caught > 0).sum()
    return 2 * detected / (2 * detected + wrong + (caught == 0).sum())


def detection(alarms, starts, ends, rows, most):
    first, behind = spans(starts, ends, rows, most)
    caught = [alarms[(alarms >= a) & (alarms < b)] for a, b in zip(first, behind)]
    delays = np.array([one[0] - a if len(one) else np.nan for one, a in zip(caught, first)])
    wrong, still = len(alarms) - sum(map(len, caught)), rows - (behind - first).sum()
    every = rows // len(alarms) if len(alarms) else 0
    dummies = [np.arange(start, rows, every) for start in range(every)]
    counts = [np.array([((d >= a) & (d < b)).sum() for a, b in zip(first, behind)]) for d in dummies]
    own = f1(np.array(list(map(len, caught))), wrong)
    detected, missed = np.isfinite(delays).any(), np.isnan(delays).mean()
    mean = np.nanmean(delays) if detected else np.nan
    between = still / wrong if wrong else np.nan
    return delays, {
        "detection_delay": mean,
        "missed_changes": missed,
        "false_alarms_per_1000": 1000 * wrong / still if still else np.nan,
        "mean_time_ratio": between / max(mean, 1) * (1 - missed) if detected else 0.0,
        "detection_f1": own,
        "dummy_f1": np.mean([f1(c, len(d) - c.sum()) for d, c in zip(dummies, counts)]) if len(alarms) else own,
    }


def test_detection_by_hand():
    # Changes at 80, 160, 240, 320 of 400 rows, 30 rows' patience, alarms every 50: found at 99, 249, 349; five are false.
    delays, scores = detection(np.arange(49, 400, 50), np.arange(80, 400, 80), np.arange(80, 400, 80), 400, 30)
    np.testing.assert_array_equal(delays, [19, np.nan, 9, 29])
    assert scores["false_alarms_per_1000"] == 5000 / 276 and scores["detection_f1"] == 6 / 12 and scores["detection_delay"] == 19


def test_detections(stream):
    with palimpsest.open(stream) as ds:
        assert (ds["event_kind"].values == 1).all()
        watched = 0
        for run in range(ds.sizes["run"]):
            alarms, starts, ends = (ds[name].values[run] for name in ("alarm_example", "event_example", "event_end"))
            assert ds["alarm_count"].values[run] == (alarms >= 0).sum()
            if np.isnan(ds["detection_f1"].values[run]):  # without a detector
                assert not (alarms >= 0).any()
                continue
            watched += 1
            rows, most = ds["prequential_rows"].values[run].sum(), ds["stream_maxDelay"].values[run]
            delays, scores = detection(alarms[alarms >= 0], starts, ends, rows, most)
            np.testing.assert_array_equal(delays, ds["change_delay"].values[run])
            for name, value in scores.items():
                np.testing.assert_allclose(
                    value, ds[name].values[run], rtol=0, atol=EXACT, err_msg=f"{name} of run {run}")
        assert 0 < watched < ds.sizes["run"]


def recovered(regret, window, level):
    """Rows until a window with small regret begins, all within the segment; NaN where there is none."""
    means = np.convolve(regret, np.ones(window), "valid") / window if len(regret) >= window else np.array([])
    small = np.flatnonzero(means <= level)
    return float(small[0]) if len(small) else np.nan


def test_recovered_by_hand():
    assert recovered(np.array([0.5, 0.3, 0.1, 0.1, 0.4]), 2, 0.15) == 2
    assert np.isnan(recovered(np.array([0.5, 0.3]), 2, 0.15)) and np.isnan(recovered(np.array([0.0]), 2, 0.15))


def test_recovery(rowwise):
    with palimpsest.open(rowwise) as ds:
        assert (ds["prequential_rows"].values == 1).all()
        shares = []
        for run in range(ds.sizes["run"]):
            regret = ds["prequential_regret"].values[run].astype(float)
            starts = ds["event_example"].values[run]
            segments = np.split(regret, starts)[1:]
            window, level = ds["stream_recovery_window"].values[run], ds["stream_recovery_level"].values[run]
            found = np.array([recovered(one, window, level) for one in segments])
            rows = np.where(np.isnan(found), [len(one) for one in segments], found)
            sums = np.array([one.sum() for one in segments])
            np.testing.assert_array_equal(rows, ds["change_recovery"].values[run])
            np.testing.assert_allclose(sums, ds["change_regret"].values[run], rtol=STORED)
            # The first visit of each phase: none comes back.
            assert (ds["change_visit"].values[run] == 0).all()
            shares.append(np.isfinite(found).mean())
            exactly = {"recovery_time": rows.mean(), "recovery_first": rows.mean(), "recovered_share": shares[-1]}
            # Noise-free numbers of one row: sums of thousands are known to the share that each of them is.
            nearly = {"regret_after_changes": sums.mean(), "regret_mean": regret.mean(), "regret_tracker": tracker(ds, run, regret)}
            for values, tolerances in ((exactly, {"atol": EXACT, "rtol": 0}), (nearly, {"atol": STORED, "rtol": STORED})):
                for name, value in values.items():
                    np.testing.assert_allclose(value, ds[name].values[run], err_msg=f"{name} of run {run}", **tolerances)
        assert min(shares) < 1 and max(shares) > 0


def tracker(ds, run, regret):
    """Less what a rule loses that hears of each change one row late."""
    crossed = ds["cross_accuracy"].values[run].astype(float)
    late = sum(crossed[k, k] - crossed[k - 1, k] for k in range(1, len(crossed)))
    return regret.mean() - late / len(regret)


@pytest.mark.parametrize("name", ["kappa_combined_mean", "recovery_time", "detection_f1", "regret_tracker"])
def test_numbers_differ_between_runs(rowwise, stream, name):
    """Else their recomputation would say little."""
    with palimpsest.open(rowwise if name in ("recovery_time", "regret_tracker") else stream) as ds:
        values = ds[name].values
        assert len(np.unique(values[np.isfinite(values)])) > 3
