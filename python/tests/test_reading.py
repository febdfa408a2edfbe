"""Opening cubes of every kind, with both engines."""

import shutil

import h5py
import numpy as np
import pytest
import xarray as xr

import palimpsest

KINDS = ["quickstart", "stream", "tuned", "people", "table", "table_stream", "merged", "partial", "diverged"]
ENGINES = ["h5netcdf", "netcdf4"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_opens_with_every_engine_and_keeps_what_the_file_has(kind, engine, request):
    path = request.getfixturevalue(kind)
    with palimpsest.open(path, engine=engine) as ds, h5py.File(path) as file:
        assert ds.attrs["palimpsest_schema"] == "results/1"
        assert ds.sizes["run"] == file["run"].size
        assert ds["strategy"].values.tolist() == file["strategy"].asstr()[:].tolist()
        assert ds["accuracy"].attrs["definition"] == file["accuracy"].attrs["definition"]
        np.testing.assert_array_equal(ds["accuracy"].values, file["accuracy"][:])
        assert set(file) - set(ds.variables) - set(ds.dims) <= {"provenance", "selection"}


def test_both_engines_say_the_same(people):
    with palimpsest.open(people) as one, palimpsest.open(people, engine="netcdf4") as other:
        xr.testing.assert_equal(one.load(), other.load())


def test_arrays_are_read_when_asked_for_and_the_file_closes(quickstart, tmp_path):
    copy = shutil.copy(quickstart, tmp_path)
    with palimpsest.open(copy) as ds:
        assert not ds.variables["accuracy"]._in_memory
        with pytest.raises(OSError, match="already open"):
            h5py.File(copy, "r+")
    h5py.File(copy, "r+").close()


def test_tasks_have_names(quickstart):
    with palimpsest.open(quickstart) as ds:
        assert ds["task_label"].dims == ("task",)
        row = int(ds["task_names"][0])
        assert ds["task_label"].values.tolist() == ds["task_name"].values[row].tolist()
        assert ds["part_label"].dims == ("run", "part")
        assert ds["part_label"].values[0].tolist() == ["network", "optimizer", "", ""]


def test_people_of_a_table_keep_their_names(table_people, people):
    with palimpsest.open(table_people) as ds, palimpsest.open(people) as numbered:
        # Each seed holds out people of its own.
        assert ds["user_label"].dims == ("run", "user") and ds["user_label"].shape == (2, 5)
        names = ds["user_label"].values.tolist()
        assert names[0] != names[1] and all(len(set(run)) == 5 and all(run) for run in names)
        frame = palimpsest.tidy(ds, "user_life_gain")
        assert frame["user_label"].tolist() == names[0] + names[1]
        assert "user_label" not in numbered.coords


def test_tasks_of_unlike_runs_have_names_run_by_run(folder, quickstart, table, tool):
    cube = folder / "unlike.h5"
    tool("merge", quickstart, table, "-o", cube)
    with palimpsest.open(cube) as ds:
        assert ds["task_label"].dims == ("run", "task")
        rows = ds["task_names"].values.astype(int)
        assert len(set(rows)) > 1
        np.testing.assert_array_equal(ds["task_label"].values, ds["task_name"].values[rows])
        # Shorter lists are filled up with texts that are empty, and their accuracies with NaN.
        real = np.arange(ds.sizes["task"]) < ds["tasks"].values[:, None]
        assert np.array_equal(ds["task_label"].values != "", real)
        assert ds["accuracy"].isnull().all("after_task").values[~real].all()


def test_ends_of_runs_are_words(diverged):
    with palimpsest.open(diverged) as ds:
        words = np.array(["completed", "failed", "diverged", "cancelled"])
        assert ds["status_label"].values.tolist() == words[ds["status"].values].tolist()
        assert set(ds["status_label"].values) == {"completed", "diverged"}


def test_padding_of_whole_numbers_is_nan(stream):
    with palimpsest.open(stream) as ds, h5py.File(stream) as file:
        raw = file["alarm_example"][:]
        assert (raw == -1).any()
        np.testing.assert_array_equal(np.isnan(ds["alarm_example"].values), raw == -1)


def test_what_is_no_cube_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        palimpsest.open(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("run,accuracy\n")
    with pytest.raises(palimpsest.NotACubeError, match="not a readable HDF5 file"):
        palimpsest.open(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1]
    with pytest.raises(palimpsest.NotACubeError, match="has no attribute palimpsest_schema"):
        palimpsest.open(tmp_path / "other.h5")
    with h5py.File(tmp_path / "newer.h5", "w") as file:
        file.attrs["palimpsest_schema"] = "results/2"
    with pytest.raises(palimpsest.NotACubeError, match="of schema 'results/2'"):
        palimpsest.open(tmp_path / "newer.h5")
