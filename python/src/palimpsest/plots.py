"""Three figures of a cube; they need matplotlib (``pip install palimpsest-results[plots]``)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError as error:
    raise ImportError("palimpsest.plots needs matplotlib: pip install 'palimpsest-results[plots]'") from error

from .errors import UnknownVariableError
from .frames import Source, _opened, runs, tidy
from .statistics import noise_free, summary

#: At least 3:1 on white; markers go with the colours, so that colour is never the only cue.
COLOURS = ("#6b7280", "#2f7ed8", "#c2571a", "#16916b", "#a8569c", "#8a7a12", "#d0456a", "#5b6ee1")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")


def _look(place: int) -> dict[str, str]:
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def _panels(names: list[str], width: float, height: float) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(width * len(names), height), layout="constrained")
    axes = list(figure.subplots(1, len(names), squeeze=False)[0])
    for axis, name in zip(axes, names, strict=True):
        axis.set_title(name)
        axis.grid(alpha=0.25, linewidth=0.5)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _texts(frame: pd.DataFrame, column: str) -> list[str]:
    return [str(name) for name in frame[column].unique()]


def _words(name: str) -> str:
    return name.replace("expected_", "noise-free ").replace("_", " ")


def accuracy_after_tasks(source: Source, *, task: int = 0, variable: str | None = None) -> Figure:
    """Draw what each strategy still knows of one task after each task: mean over seeds and its 95 % interval.

    Parameters
    ----------
    source : dataset or path
    task : int
        The task judged, from 0; what stands before it was learned is zero-shot.
    variable : str, optional
        Along (run, after_task, task); by default ``expected_accuracy`` where the cube has it, else ``accuracy``.

    Returns
    -------
    matplotlib.figure.Figure
        A panel a scenario; ``savefig`` writes it.
    """
    with _opened(source) as ds:
        variable = variable or ("expected_accuracy" if "expected_accuracy" in ds else "accuracy")
        entries = tidy(ds, variable)
        names = _task_names(ds)
    entries = entries[entries["task"] == task]
    strategies = _texts(entries, "strategy")
    figure, axes = _panels(_texts(entries, "scenario"), 4.6, 3.6)
    for axis in axes:
        mine = entries[entries["scenario"] == axis.get_title()]
        for place, strategy in enumerate(strategies):
            table = summary(mine[mine["strategy"] == strategy], variable, "after_task")
            after, mean, half = table.index.to_numpy(), table["mean"].to_numpy(), table["half_width"].to_numpy()
            axis.plot(after, mean, markersize=4, label=strategy, **_look(place))
            axis.fill_between(after, mean - half, mean + half, color=_look(place)["color"], alpha=0.18, linewidth=0)
        axis.set_xticks(range(int(entries["after_task"].max()) + 1))
        axis.set_xlabel("after task")
    axes[0].set_ylabel(f"{_words(variable)} on {names.get(task, f'task {task}')}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _task_names(ds: xr.Dataset) -> dict[int, str]:
    """Names of tasks, where all runs have the same."""
    if "task_label" not in ds.coords or ds["task_label"].dims != ("task",):
        return {}
    return {int(task): f"task {task} ({name})" for task, name in zip(ds["task"].values, ds["task_label"].values, strict=True)}


def intervals(source: Source | pd.DataFrame, metric: str = "average_accuracy") -> Figure:
    """Draw mean and 95 % interval of a metric for each strategy, with every seed as a dot.

    Parameters
    ----------
    source : frame of `runs`, dataset or path
    metric : str
        A column of the runs; its noise-free form is taken where all runs have it.

    Returns
    -------
    matplotlib.figure.Figure
        A panel a scenario, a line a strategy in the order of the experiment.
    """
    frame = source if isinstance(source, pd.DataFrame) else runs(source)
    metric = noise_free(frame, metric)
    table = summary(frame, metric)
    strategies = _texts(frame, "strategy")
    figure, axes = _panels(_texts(frame, "scenario"), 4.2, 1.2 + 0.32 * len(strategies))
    for axis in axes:
        for place, strategy in enumerate(strategies):
            mine = frame[(frame["scenario"] == axis.get_title()) & (frame["strategy"] == strategy)][metric].dropna()
            if mine.empty:
                continue
            row = table.loc[(axis.get_title(), strategy)]
            spread = np.linspace(-0.18, 0.18, len(mine)) if len(mine) > 1 else [0]
            axis.scatter(mine, place + np.asarray(spread), s=9, color=_look(place)["color"], alpha=0.4, linewidth=0)
            axis.errorbar(row["mean"], place, xerr=np.nan_to_num(row["half_width"]), capsize=3, markersize=5,
                fmt=_look(place)["marker"],
                color=_look(place)["color"])
        axis.set_yticks(range(len(strategies)), strategies)
        axis.set_ylim(len(strategies) - 0.5, -0.5)
        axis.set_xlabel(_words(metric))
    for axis in axes[1:]:
        axis.tick_params(labelleft=False)
    return figure


def cost(source: Source | pd.DataFrame, metric: str = "average_accuracy", cost: str = "bytes_memory") -> Figure:
    """Draw a metric against what it costs, a mark a strategy: means over seeds, intervals of the metric.

    Parameters
    ----------
    source : frame of `runs`, dataset or path
    metric : str
        As in `intervals`.
    cost : str
        A column of the runs, such as ``bytes_memory`` (bytes) or ``multiply_adds``; drawn on a log axis that is linear up to
        the least cost above 0, since many strategies keep nothing.

    Returns
    -------
    matplotlib.figure.Figure
    """
    frame = source if isinstance(source, pd.DataFrame) else runs(source)
    metric = noise_free(frame, metric)
    if cost not in frame:
        raise UnknownVariableError(cost, frame.columns, "the frame")
    values, costs = summary(frame, metric), summary(frame, cost)["mean"]
    strategies = _texts(frame, "strategy")
    figure, axes = _panels(_texts(frame, "scenario"), 4.6, 3.6)
    for axis in axes:
        for place, strategy in enumerate(strategies):
            if (axis.get_title(), strategy) not in values.index:
                continue
            row, spent = values.loc[(axis.get_title(), strategy)], costs[(axis.get_title(), strategy)]
            look = _look(place)
            axis.errorbar(
                spent, row["mean"], yerr=np.nan_to_num(row["half_width"]), capsize=3, markersize=6, fmt=look["marker"],
                color=look["color"], label=strategy)
        _cost_axis(axis, costs, cost)
    axes[0].set_ylabel(_words(metric))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _cost_axis(axis: Axes, costs: pd.Series, name: str) -> None:
    above = costs[costs > 0]
    if above.empty or (costs > 0).all():
        axis.set_xscale("log" if not above.empty else "linear")
    else:
        axis.set_xscale("symlog", linthresh=float(10 ** np.floor(np.log10(above.min()))))
        axis.set_xlim(left=-0.15 * float(10 ** np.floor(np.log10(above.min()))))
    axis.set_xlabel(name.replace("_", " "))
