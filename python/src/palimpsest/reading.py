"""From a file to a lazily opened dataset whose labels can be read."""

from __future__ import annotations

import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import xarray as xr

from .errors import NotACubeError

#: Namings that a cube stores once each: (row of a run, texts, dimension of the rows, name of the coordinate).
_namings = [("task_names", "task_name", "task_naming", "task_label"), ("part_names", "part_name", "part_naming", "part_label"),
            ("user_names", "user_name", "user_naming", "user_label")]


def open(path: str | os.PathLike[str], *, engine: str | None = None) -> xr.Dataset:
    """Open a cube, without reading its arrays.

    All variables, attributes and coordinates of the file are kept under their names. Missing and padded entries of floats
    and of integers with a fill value are NaN, missing texts "". Added are the coordinates

    - ``task_label``: names of tasks, along (task) where all runs have the same, else along (run, task);
    - ``part_label``: in the same way, what places along ``part`` stand for;
    - ``user_label``: in the same way, names of held-out people, where they have some;
    - ``status_label``: "completed", "failed", "diverged" or "cancelled", along (run).

    Parameters
    ----------
    path : path
        A cube, ``results/NAME.h5``.
    engine : {"h5netcdf", "netcdf4"}, optional
        What xarray reads with; by default h5netcdf.

    Returns
    -------
    xarray.Dataset
        It holds the file open: use it in ``with``, or call its ``close``.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    NotACubeError
        It is not HDF5, or not a cube of schema ``results/1``.
    """
    path = Path(path)
    check(path)
    raw = xr.open_dataset(path, engine=engine or "h5netcdf")
    try:
        decoded = _with_labels(raw)
    except BaseException:
        raw.close()
        raise
    decoded.set_close(raw.close)
    return decoded


def check(path: str | os.PathLike[str]) -> None:
    """Raise FileNotFoundError or NotACubeError where the path is no cube that this version reads."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file. Cubes stand in results/NAME.h5.")
    try:
        with h5py.File(path) as file:
            schema = file.attrs.get("palimpsest_schema")
    except OSError as error:
        raise NotACubeError(f"{path}: not a readable HDF5 file ({error}). Give the .h5 file that `palimpsest run` wrote.") from None
    if schema is None:
        raise NotACubeError(f"{path}: HDF5, but not by Palimpsest: it has no attribute palimpsest_schema.")
    if schema != "results/1":
        raise NotACubeError(f"{path}: of schema {schema!r}; this version reads 'results/1'. Update palimpsest-results.")


def _with_labels(ds: xr.Dataset) -> xr.Dataset:
    coordinates: dict[str, Any] = {"status_label": ("run", _status_labels(ds["status"]), {"long_name": "How the run ended, in a word"})}
    for row, texts, rows, label in _namings:
        if row in ds and texts in ds:
            coordinates[label] = _label(ds[row], ds[texts], rows)
    return ds.assign_coords(coordinates)


def _status_labels(status: xr.DataArray) -> np.ndarray:
    meanings = dict(zip(np.atleast_1d(status.attrs["flag_values"]).tolist(), status.attrs["flag_meanings"].split(), strict=True))
    return np.array([meanings.get(int(value), "unknown") for value in status.values], dtype=object)


def _label(rows: xr.DataArray, texts: xr.DataArray, naming: str) -> tuple[tuple[Hashable, ...], np.ndarray, dict[str, str]]:
    """Texts by place, along (place) where all runs that have names have the same ones, else along (run, place)."""
    table = texts.transpose(naming, ...).values.astype(object)
    place = next(name for name in texts.dims if name != naming)
    attributes = {"long_name": texts.attrs.get("long_name", "Name of each place")}
    chosen = np.nan_to_num(rows.values.astype(float), nan=-1).astype(int)
    used = np.unique(chosen[chosen >= 0])
    if len(used) == 1:
        return (place,), table[used[0]], attributes
    labels = np.full((len(chosen), table.shape[1]), "", dtype=object)
    labels[chosen >= 0] = table[chosen[chosen >= 0]]
    return ("run", place), labels, attributes
