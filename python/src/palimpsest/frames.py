"""Tidy pandas frames: one row a run, or one row an entry of an array."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import h5py
import pandas as pd
import xarray as xr

from .errors import UnknownVariableError
from .reading import check, open

#: A cube that is open, or where one stands.
Source = xr.Dataset | str | os.PathLike[str]

#: Columns that `tidy` puts beside each value, where the cube has them.
_identity = ("scenario", "strategy", "policy", "safeguard", "seed", "config")


@contextmanager
def _opened(source: Source) -> Iterator[xr.Dataset]:
    if isinstance(source, xr.Dataset):
        yield source
    else:
        with open(source) as ds:
            yield ds


def _completed(ds: xr.Dataset, completed: bool) -> xr.Dataset:
    return ds.isel(run=(ds["status"] == 0).values) if completed else ds


def runs(source: Source, *, completed: bool = True, varied: bool = False) -> pd.DataFrame:
    """One row a run: who it is, what it was set to, its metrics and cost.

    Parameters
    ----------
    source : dataset or path
    completed : bool
        Leave out runs that failed, diverged or were cancelled: they have no metrics.
    varied : bool
        Leave out settings that are equal in all of these runs.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``run``, the place in the plan; one column for each variable along (run) alone, of the units that stand in
        its attribute. Missing numbers are NaN, missing texts "". ``attrs["settings"]`` names the settings among the columns.
    """
    with _opened(source) as ds:
        chosen = _completed(ds, completed)
        names = [str(name) for name, variable in chosen.variables.items() if variable.dims == ("run",) and name != "run"]
        settings = [name for name in names if "config_path" in chosen[name].attrs]
        index = pd.Index(chosen["run"].values, name="run")
        frame = pd.DataFrame({name: chosen[name].values for name in names}, index=index)
    if varied:
        frame = frame.drop(columns=[name for name in settings if frame[name].nunique(dropna=False) <= 1])
    first = [name for name in _identity if name in frame]
    frame = frame[first + [name for name in frame if name not in first]]
    frame.attrs["settings"] = [name for name in settings if name in frame]
    return frame


def tidy(
    source: Source, variable: str, *, columns: Sequence[str] = (), completed: bool = True, dropna: bool = True
) -> pd.DataFrame:
    """One row an entry of an array, with the run's labels and the names of tasks beside it.

    Parameters
    ----------
    source : dataset or path
    variable : str
        Any variable of the cube, along any dimensions: "accuracy" is along (run, after_task, task), shares of 1.
    columns : sequence of str
        Further columns of the runs to put beside each value, such as "ewc_strength".
    completed : bool
        Leave out runs that did not complete.
    dropna : bool
        Leave out NaN: padding, and what was not measured.

    Returns
    -------
    pandas.DataFrame
        A column a dimension, the run's scenario, strategy, seed and so on, ``task_label`` beside ``task``, and the value under
        the variable's name. Numbered from 0.

    Raises
    ------
    UnknownVariableError
        The cube has no such variable or column.
    ValueError
        A column is along other dimensions than the variable, or the variable is itself a dimension.
    """
    with _opened(source) as ds:
        for name in (variable, *columns):
            if name not in ds.variables:
                raise UnknownVariableError(name, map(str, ds.variables), "the cube")
        _fits(ds, variable, columns)
        chosen = _completed(ds, completed) if "run" in ds[variable].dims else ds
        array = _beside(chosen, variable, columns)
        frame = array.to_dataframe(name=variable, dim_order=list(array.dims)).reset_index()
    if dropna:
        frame = frame[frame[variable].notna()].reset_index(drop=True)
    return frame[[name for name in frame if name != variable] + [variable]]


def _fits(ds: xr.Dataset, variable: str, columns: Sequence[str]) -> None:
    along = ds[variable].dims
    if variable in along:
        raise ValueError(f"{variable!r} is a dimension, and a column of every frame along it. Ask for a variable.")
    for name in columns:
        if not set(ds[name].dims) <= set(along):
            raise ValueError(f"{name!r} is along {ds[name].dims}, {variable!r} along {along}: it is no column of that frame.")


def _beside(ds: xr.Dataset, variable: str, columns: Sequence[str]) -> xr.DataArray:
    """Give the variable those coordinates alone that are to be columns."""
    array = ds[variable].reset_coords(drop=True)
    beside = {
        name: ds[name].reset_coords(drop=True)
        for name in (*_identity, *columns, "task_label", "part_label", "user_label")
        if name in ds.variables and name != variable and set(ds[name].dims) <= set(array.dims)
    }
    return array.assign_coords(beside)


def selection(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Trials of a ``select`` block: what was tried for each strategy, and what was chosen.

    Parameters
    ----------
    path : path
        A cube.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``trial``; empty where nothing was selected. ``attrs`` has ``criterion`` and ``direction``.
    """
    check(path)
    with h5py.File(path) as file:
        if "selection" not in file:
            return pd.DataFrame()
    with xr.open_dataset(path, group="selection", engine="h5netcdf") as ds:
        frame = ds[[name for name in ds.data_vars if ds[name].dims == ("trial",)]].to_dataframe()
        frame.attrs = dict(ds.attrs)
    return frame
