"""Means over runs and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from .errors import UnknownVariableError


def half_width(values: Sequence[float] | np.ndarray | pd.Series, level: float = 0.95) -> float:
    """Half of the width of Student's t interval of a mean, t · s / √n.

    Parameters
    ----------
    values : array, shape (n,)
        One number a run; NaN are left out.
    level : float
        Share of such intervals that hold the true mean, between 0 and 1.

    Returns
    -------
    float
        In the values' unit; NaN for fewer than two of them.
    """
    if not 0 < level < 1:
        raise ValueError(f"level: {level} is not a share. It must lie between 0 and 1, as 0.95 does.")
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    if len(finite) < 2:
        return float("nan")
    quantile = stdtrit(len(finite) - 1, 0.5 + level / 2)
    return float(quantile * finite.std(ddof=1) / np.sqrt(len(finite)))


def summary(
    frame: pd.DataFrame, metric: str, by: str | Sequence[str] | None = None, *, level: float = 0.95
) -> pd.DataFrame:
    """Mean and interval of a metric for each group of runs, as ``palimpsest report`` prints them.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a run, of `runs`.
    metric : str
        The column; values that are NaN are left out and not counted.
    by : str or sequence of str, optional
        What groups; by default what `groups` gives, so that runs of one group differ by their seeds alone.
    level : float
        Of the interval.

    Returns
    -------
    pandas.DataFrame
        Indexed by `by`, groups in the order of the runs; ``mean``, ``half_width``, ``deviation`` (n − 1 in the divisor), in
        the metric's unit, and ``n``. Half-width and deviation of one run are NaN.

    Raises
    ------
    UnknownVariableError
        The frame has no such column.
    """
    by = groups(frame) if by is None else [by] if isinstance(by, str) else list(by)
    for name in (metric, *by):
        if name not in frame:
            raise UnknownVariableError(name, frame.columns, "the frame")
    grouped = frame.groupby(by, sort=False, dropna=False)[metric]
    columns: dict[str, Any] = {
        "mean": grouped.mean(),
        "half_width": grouped.agg(lambda values: half_width(values, level)),
        "deviation": grouped.std(),
        "n": grouped.count().astype(int),
    }
    return pd.DataFrame(columns)


def groups(frame: pd.DataFrame) -> list[str]:
    """Columns that tell runs apart but for their seeds.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a run, of `runs`.

    Returns
    -------
    list of str
        "scenario", "strategy", and as many of "policy", "safeguard" and the settings as still vary within what stands before
        them: after a sweep its settings.
    """
    key = [name for name in ("scenario", "strategy") if name in frame]
    for name in ("policy", "safeguard", *frame.attrs.get("settings", ())):
        if name not in frame or name in key or frame[name].nunique(dropna=False) <= 1:
            continue
        if not key or bool((frame.groupby(key, dropna=False)[name].nunique(dropna=False) > 1).any()):
            key.append(name)
    return key


def noise_free(frame: pd.DataFrame, metric: str) -> str:
    """Name of the metric without the noise of labels, where all these runs have it.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a run.
    metric : str
        As "average_accuracy".

    Returns
    -------
    str
        ``expected_`` + metric, or the metric itself where p* is not known of some run.
    """
    expected = f"expected_{metric}"
    return expected if expected in frame and bool(frame[expected].notna().all()) else metric
