"""Reads the HDF5 cubes of Palimpsest (`palimpsest_schema` results/1) into xarray and pandas.

>>> import palimpsest
>>> with palimpsest.open("results/quickstart.h5") as ds:      # doctest: +SKIP
...     frame = palimpsest.runs(ds)
>>> palimpsest.summary(frame, "expected_average_accuracy")    # doctest: +SKIP
"""

from .errors import NotACubeError, UnknownVariableError
from .frames import runs, selection, tidy
from .reading import open
from .statistics import groups, half_width, noise_free, summary

__all__ = [
    "NotACubeError", "UnknownVariableError", "groups", "half_width", "noise_free", "open", "runs", "selection", "summary",
    "tidy",
]
__version__ = "0.1.0"
