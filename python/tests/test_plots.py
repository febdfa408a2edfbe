"""Figures have a panel a scenario and a mark for each strategy, and their marks are the numbers."""

import numpy as np
import pytest

import palimpsest

plots = pytest.importorskip("palimpsest.plots")


def test_accuracy_after_tasks_draws_means(quickstart, tmp_path):
    figure = plots.accuracy_after_tasks(quickstart)
    axis = figure.axes[0]
    assert [panel.get_title() for panel in figure.axes] == ["visible", "hidden"]
    line = next(line for line in axis.lines if line.get_label() == "naive")
    with palimpsest.open(quickstart) as ds:
        mine = ds.isel(run=((ds.scenario == "visible") & (ds.strategy == "naive")).values)
        np.testing.assert_allclose(line.get_ydata(), mine["expected_accuracy"].isel(task=0).mean("run"), atol=1e-6)
    figure.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


def test_intervals_draw_every_seed(quickstart, tmp_path):
    figure = plots.intervals(quickstart)
    assert sum(len(dots.get_offsets()) for dots in figure.axes[0].collections if len(dots.get_offsets()) == 10) == 80
    figure.savefig(tmp_path / "i.png")


@pytest.mark.parametrize("cost", ["bytes_memory", "multiply_adds"])
def test_cost(quickstart, cost, tmp_path):
    figure = plots.cost(quickstart, cost=cost)
    assert figure.axes[0].get_xscale() == {"bytes_memory": "symlog", "multiply_adds": "log"}[cost]
    figure.savefig(tmp_path / "c.png")


def test_one_run_and_unknown_columns(partial, tmp_path):
    plots.intervals(palimpsest.runs(partial).iloc[:1]).savefig(tmp_path / "one.png")
    with pytest.raises(palimpsest.UnknownVariableError, match="Near names: .*bytes_memory"):
        plots.cost(partial, cost="byte_memory")


def test_people_and_streams_have_lines_of_their_own(people, stream, table_stream, tmp_path):
    figure = plots.intervals(people, "life_gain_mean")
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == [
        "plain, none", "plain, held-out", "plain, mixture", "plain, mixture-fast"]
    figure.savefig(tmp_path / "people.png")
    plots.cost(stream, "expected_prequential_mean").savefig(tmp_path / "stream.png")
    with pytest.raises(ValueError, match="has no values for task 0"):
        plots.accuracy_after_tasks(table_stream)
