"""Three figures of a cube; they need matplotlib (``pip install palimpsest-results[plots]``)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError as error:
    raise ImportError("palimpsest.plots needs matplotlib: pip install 'palimpsest-results[plots]'") from error

from .frames import Source, _opened, runs, tidy
from .statistics import groups, noise_free, summary

#: At least 3:1 on white; markers go with the colours, so that colour is never the only cue.
COLOURS = ("#6b7280", "#2f7ed8", "#c2571a", "#16916b", "#a8569c", "#8a7a12", "#d0456a", "#5b6ee1")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")


def _look(place: int) -> dict[str, Any]:
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def _panels(names: list[str], width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Lay out a panel a scenario, three a row, with axes of one scale."""
    rows, columns = -(-len(names) // 3), min(len(names), 3)
    figure = Figure(figsize=(width * columns + 1.4, height * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for axis in axes[len(names) :]:
        axis.remove()
    for axis, name in zip(axes, names, strict=False):
        axis.set_title(name)
        axis.grid(alpha=0.25, linewidth=0.5)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes[: len(names)]


def _key(figure: Figure, axes: list[Axes]) -> None:
    """One key for all panels: not every scenario has every strategy."""
    handles = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)


def _texts(frame: pd.DataFrame, column: str) -> list[str]:
    return [str(name) for name in frame[column].unique()]


def _words(name: str) -> str:
    return name.replace("expected_", "noise-free ").replace("_", " ")


def _lines(frame: pd.DataFrame) -> pd.DataFrame:
    """Add a column "line": the strategy, and what else tells them apart but for their seeds."""
    more = [name for name in groups(frame) if name not in ("scenario", "strategy")]
    texts = [str(row["strategy"]) + "".join(_setting(name, row[name]) for name in more) for _, row in frame.iterrows()]
    return frame.assign(line=pd.Series(texts, index=frame.index, dtype=object))


def _setting(name: str, value: Any) -> str:
    if pd.isna(value) or value == "":
        return ""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f", {text}" if name in ("policy", "safeguard") else f", {name} {text}"


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

    Raises
    ------
    ValueError
        The cube has no values for that task.
    """
    with _opened(source) as ds:
        variable = variable or ("expected_accuracy" if "expected_accuracy" in ds else "accuracy")
        entries = tidy(ds, variable)
        names = _task_names(ds)
        lines = _lines(runs(ds))["line"]
    entries = entries[entries["task"] == task].join(lines, on="run")
    if entries.empty:
        raise ValueError(f"{variable} has no values for task {task}. Streams have them with evaluation.everyRows alone.")
    figure, axes = _panels(_texts(entries, "scenario"), 4.2, 3.6)
    for axis in axes:
        mine = entries[entries["scenario"] == axis.get_title()]
        for place, line in enumerate(_texts(entries, "line")):
            if (mine["line"] == line).any():
                _band(axis, summary(mine[mine["line"] == line], variable, "after_task"), line, _look(place))
        axis.set_xticks(range(int(entries["after_task"].max()) + 1))
        axis.set_xlabel("after task")
    axes[0].set_ylabel(f"{_words(variable)}\non {names.get(task, f'task {task}')}")
    _key(figure, axes)
    return figure


def _band(axis: Axes, table: pd.DataFrame, line: str, look: dict[str, Any]) -> None:
    after, mean, half = table.index.to_numpy(), table["mean"].to_numpy(), table["half_width"].to_numpy()
    axis.plot(after, mean, markersize=4, label=line, **look)
    axis.fill_between(after, mean - half, mean + half, color=look["color"], alpha=0.18, linewidth=0)


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
        A panel a scenario, a line a strategy (and safeguard, and setting that was swept) in the order of the experiment.
    """
    frame = _lines(source if isinstance(source, pd.DataFrame) else runs(source))
    metric = noise_free(frame, metric)
    table = summary(frame, metric, ("scenario", "line"))
    lines = _texts(frame, "line")
    figure, axes = _panels(_texts(frame, "scenario"), 3.8, 1.2 + 0.32 * len(lines))
    for axis in axes:
        for place, line in enumerate(lines):
            mine = frame[(frame["scenario"] == axis.get_title()) & (frame["line"] == line)][metric].dropna()
            if not mine.empty:
                _seeds(axis, mine, table.xs((axis.get_title(), line)), place)
        axis.set_xlabel(_words(metric))
    axes[0].set_yticks(range(len(lines)), lines)
    axes[0].set_ylim(len(lines) - 0.5, -0.5)
    return figure


def _seeds(axis: Axes, values: pd.Series, row: Any, place: int) -> None:
    look = _look(place)
    spread = np.linspace(-0.18, 0.18, len(values)) if len(values) > 1 else np.zeros(1)
    axis.scatter(values, place + spread, s=9, color=look["color"], alpha=0.4, linewidth=0)
    half = np.nan_to_num(row["half_width"])
    axis.errorbar(row["mean"], place, xerr=half, capsize=3, markersize=5, fmt=look["marker"], color=look["color"])


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
    frame = _lines(source if isinstance(source, pd.DataFrame) else runs(source))
    metric = noise_free(frame, metric)
    values, costs = summary(frame, metric, ("scenario", "line")), summary(frame, cost, ("scenario", "line"))["mean"]
    figure, axes = _panels(_texts(frame, "scenario"), 4.2, 3.6)
    for axis in axes:
        for place, line in enumerate(_texts(frame, "line")):
            place_of = (axis.get_title(), line)
            if place_of in values.index:
                row, look = values.xs(place_of), _look(place)
                half = np.nan_to_num(row["half_width"])
                axis.errorbar(
                    costs[place_of], row["mean"], yerr=half, capsize=3, markersize=6, fmt=look["marker"],
                    color=look["color"], label=line)
        axis.set_xlabel(_words(cost))
    _cost_scale(axes[0], costs)
    axes[0].set_ylabel(_words(metric))
    _key(figure, axes)
    return figure


def _cost_scale(axis: Axes, costs: pd.Series) -> None:
    """Logarithmic; linear up to the least cost above 0 where some cost nothing."""
    above = costs[costs > 0]
    if above.empty:
        return
    if len(above) == len(costs):
        axis.set_xscale("log")
        return
    least, most = np.log10(above.min()), np.log10(above.max())
    axis.set_xscale("symlog", linthresh=float(above.min()), linscale=0.5)
    axis.set_xticks([0, *(10.0 ** np.arange(np.floor(least + 0.3), np.ceil(most) + 1))])
    axis.minorticks_off()
    axis.set_xlim(-0.15 * float(above.min()), 1.5 * float(above.max()))
