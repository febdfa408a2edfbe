"""Frames of runs, of entries, of trials; means and intervals beside the tool's own."""

import json

import numpy as np
import pandas as pd
import pytest

import palimpsest


def test_runs_has_a_row_a_run_and_takes_paths_and_datasets(quickstart):
    frame = palimpsest.runs(quickstart)
    with palimpsest.open(quickstart) as ds:
        pd.testing.assert_frame_equal(frame, palimpsest.runs(ds))
    assert len(frame) == 160
    assert list(frame.columns[:3]) == ["scenario", "strategy", "seed"]
    assert {"ewc_strength", "multiply_adds", "expected_forgetting", "status_label"} <= set(frame)
    assert frame.loc[frame["strategy"] != "ewc", "herding_capacity"].notna().sum() == 20


def test_runs_leaves_out_what_did_not_complete_and_says_so_when_asked(diverged, partial):
    every = palimpsest.runs(diverged, completed=False)
    assert set(every["status_label"]) == {"completed", "diverged"}
    assert set(palimpsest.runs(diverged)["status_label"]) == {"completed"}
    assert len(palimpsest.runs(diverged)) == (every["status"] == 0).sum() < len(every)
    assert len(palimpsest.runs(partial)) == 7


def test_settings_that_do_not_vary_can_be_left_out(tuned):
    frame, all_of_it = palimpsest.runs(tuned, varied=True), palimpsest.runs(tuned)
    assert "model_hidden" in all_of_it and "model_hidden" not in frame
    assert "ewc_strength" in frame and "average_accuracy" in frame


def test_tidy_gives_each_entry_with_its_names(quickstart):
    long = palimpsest.tidy(quickstart, "accuracy", columns=["ewc_strength"])
    assert len(long) == 160 * 25
    with palimpsest.open(quickstart) as ds:
        for row in long.sample(20, random_state=1).itertuples():
            entry = ds.sel(run=row.run, after_task=row.after_task, task=row.task)
            assert entry["accuracy"] == row.accuracy
            assert str(entry["strategy"].values) == row.strategy
            assert str(entry["task_label"].values) == row.task_label


def test_tidy_takes_any_dimensions(stream, people):
    windows = palimpsest.tidy(stream, "prequential_accuracy")
    assert list(windows) == ["run", "examples_seen", "scenario", "strategy", "seed", "config", "prequential_accuracy"]
    gains = palimpsest.tidy(people, "user_gain")
    assert len(gains) == 12 * 40 * 2
    assert gains["safeguard"].nunique() == 4
    assert len(palimpsest.tidy(people, "life_gain_mean")) == 12
    pairs = palimpsest.tidy(stream, "drift_tv")
    assert {"task", "task_other", "task_label"} <= set(pairs)
    names = palimpsest.tidy(stream, "task_name")
    assert list(names) == ["task_naming", "task", "task_label", "task_name"]
    assert (names["task_label"] == names["task_name"]).all()


def test_tidy_leaves_out_padding_unless_asked(stream):
    with palimpsest.open(stream) as ds:
        size = ds["alarm_example"].size
        here = int(ds["alarm_example"].notnull().sum())
    assert len(palimpsest.tidy(stream, "alarm_example")) == here < size
    assert len(palimpsest.tidy(stream, "alarm_example", dropna=False)) == size


def test_names_that_are_not_there_have_near_ones_in_the_message(quickstart):
    with pytest.raises(palimpsest.UnknownVariableError, match="the cube has no 'acuracy'. Near names: accuracy"):
        palimpsest.tidy(quickstart, "acuracy")
    with pytest.raises(ValueError, match="'task' is a dimension"):
        palimpsest.tidy(quickstart, "task")
    with pytest.raises(ValueError, match="'configuration_json' is along"):
        palimpsest.tidy(quickstart, "accuracy", columns=["configuration_json"])
    with pytest.raises(palimpsest.UnknownVariableError, match="the frame has no 'forgeting'. Near names: .*forgetting"):
        palimpsest.summary(palimpsest.runs(quickstart), "forgeting")


def test_trials_of_a_selection(tuned, quickstart):
    trials = palimpsest.selection(tuned)
    assert trials.attrs["criterion"] == "average_accuracy"
    assert trials["chosen"].groupby(trials["scenario"] + trials["strategy"]).sum().max() == 1
    assert palimpsest.selection(quickstart).empty


def test_half_widths_by_hand():
    # 1, 2, 3: s = 1, n = 3. With 2 degrees of freedom t(p) = (2p - 1) √(2 / (4 p (1 - p))), so t(.975) = .95 √(2 / .0975) = 4.3027.
    assert palimpsest.half_width([1, 2, 3, np.nan]) == pytest.approx(0.95 * (2 / 0.0975) ** 0.5 / 3**0.5, abs=1e-12)
    assert np.isnan(palimpsest.half_width([1]))
    with pytest.raises(ValueError, match="95 is not a share"):
        palimpsest.half_width([1, 2], 95)


@pytest.mark.parametrize("kind", ["quickstart", "people", "stream", "partial", "table_stream", "diverged", "merged"])
def test_means_and_intervals_are_those_of_the_report(kind, tool, request):
    path = request.getfixturevalue(kind)
    frame = palimpsest.runs(path)
    compared = 0
    rows = [row for row in json.loads(tool("report", path, "--json"))["rows"] if row["completed"] > 0]
    assert len(palimpsest.summary(frame, "steps")) == len(rows)
    for row in rows:
        mine = frame[(frame["scenario"] == row["scenario"]) & (frame["strategy"] == row["strategy"])]
        for setting, value in row["settings"].items():
            mine = mine[mine[setting].isna() if value is None else mine[setting] == value]
        assert len(mine) == row["completed"]
        for metric, known in row["metrics"].items():
            if known is None or metric not in mine or known.get("mean") is None:
                continue
            table = palimpsest.summary(mine, metric).iloc[0]
            assert table["n"] == known["n"]
            assert table["mean"] == pytest.approx(known["mean"], abs=1e-9, rel=1e-12)
            if known.get("half_width") is not None:
                assert table["half_width"] == pytest.approx(known["half_width"], abs=1e-9, rel=1e-12)
            compared += 1
    assert compared > 0


def test_groups_are_what_tells_runs_apart_but_for_their_seeds(quickstart, people, diverged, merged):
    assert palimpsest.groups(palimpsest.runs(quickstart)) == ["scenario", "strategy"]
    assert palimpsest.groups(palimpsest.runs(people)) == ["scenario", "strategy", "safeguard"]
    every = palimpsest.runs(diverged, completed=False)
    assert palimpsest.groups(every) == ["scenario", "strategy", "optimizer_rate"]
    frame = palimpsest.runs(merged)
    assert not frame.duplicated([*palimpsest.groups(frame), "seed"]).any()
