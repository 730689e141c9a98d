"""Bad files among good ones, and columns that some files lack, as Dask's arrays and frames."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import pytest
from bad_files import CASES, LACKING, Files, make_files, write

import kaon
from kaon.errors import BadFileWarning, FileError, UnknownNameError

dask_awkward = pytest.importorskip("dask_awkward")
pytest.importorskip("dask.dataframe")


def x_of_arrays(array: Any) -> list[int]:
    return list(array.x.compute(scheduler="sync").tolist())


def x_of_frame(frame: Any) -> list[int]:
    return list(frame.x.compute(scheduler="sync").tolist())


FUNCTIONS = [(kaon.dask.arrays, x_of_arrays), (kaon.dask.dataframe, x_of_frame)]
NAMES = [*CASES, "lacking column"]


def files_of(name: str, folder: Path) -> Files:
    return make_files(folder, LACKING if name == "lacking column" else CASES[name])


@pytest.mark.parametrize(("function", "values"), FUNCTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_bad_files_raise_or_are_left_out(
    function: Callable[..., Any], values: Callable[[Any], list[int]], name: str, tmp_path: Path
) -> None:
    files = files_of(name, tmp_path)
    reason = "no.* 'x'" if name == "other columns" else files.case.reason
    with pytest.raises((FileError, UnknownNameError), match=reason) as raised:
        function(files.events, ["x", "y"]).compute(scheduler="sync")
    assert files.bad in str(raised.value)
    with pytest.warns(BadFileWarning, match=reason):
        skipping = function(files.events, ["x", "y"], on_bad_file="skip")
    assert values(skipping) == list(range(8))
    with warnings.catch_warnings():
        warnings.simplefilter("error", BadFileWarning)
        reporting, (bad,) = function(files.events, on_bad_file="report")
    assert values(reporting) == list(range(8))
    assert (bad.path, bad.entries) == (files.bad, files.case.entries)
    assert re.search(files.case.reason, bad.reason)


@pytest.mark.parametrize("names", [None, ["x", "y"]])
def test_missing_columns_have_missing_values(names: list[str] | None, tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    expected = kaon.concatenate(files.events, ["x", "y"], missing="none")
    array = kaon.dask.arrays(files.events, names, missing="none")
    assert str(array.compute(scheduler="sync").type) == str(expected.type)
    assert array.compute(scheduler="sync").tolist() == expected.tolist()
    assert array.y.compute(scheduler="sync").tolist() == expected.y.tolist()
    assert dask_awkward.sum(array.y).compute(scheduler="sync") == ak.sum(expected.y)
    frame = kaon.dask.dataframe(files.events, names, missing="none").compute(scheduler="sync")
    assert frame.x.tolist() == expected.x.tolist()
    assert frame.y.isna().tolist() == ak.is_none(expected.y).tolist()
    assert frame.y.sum() == ak.sum(expected.y)


def test_only_fields_that_are_needed_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a.kaon", Muon=ak.Array([[{"pt": 1.0}], [], [{"pt": 2.0}] * 2]), x=[1, 2, 3])
    write(tmp_path / "b.kaon", x=[4, 5])
    paths = [str(tmp_path / "a.kaon"), str(tmp_path / "b.kaon")]
    array = kaon.dask.arrays(paths, ["Muon", "x"], missing="none")
    total = dask_awkward.sum(array.Muon.pt)
    (needed,) = dask_awkward.report_necessary_columns(total).values()
    assert needed == {"Muon"}
    assert total.compute(scheduler="sync") == 5.0
    counts = dask_awkward.num(array.Muon).compute(scheduler="sync")
    assert counts.tolist() == [1, 0, 2, None, None]
    assert dask_awkward.num(array, axis=0).compute(scheduler="sync") == 5
    assert array.x.compute(scheduler="sync").tolist() == [1, 2, 3, 4, 5]


def test_objects_with_relations_keep_their_references(tmp_path: Path) -> None:
    path = str(Path(__file__).parents[3] / "examples/ttbar/sample.kaon")
    write(tmp_path / "b.kaon", x=[4, 5])
    paths = [path, str(tmp_path / "b.kaon")]
    array, _ = kaon.dask.arrays(paths, ["MCParticles", "x"], missing="none", on_bad_file="report")
    own = kaon.open(path)["events"].arrays("MCParticles")
    read = array.MCParticles.compute(scheduler="sync")
    assert read[: len(own)].PDG.tolist() == own.MCParticles.PDG.tolist()
    assert read[: len(own)]._self.index.tolist() == own.MCParticles._self.index.tolist()
    assert read[len(own) :].tolist() == [None, None]


def test_a_name_that_no_file_has_is_an_error(tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    for function, _ in FUNCTIONS:
        with pytest.raises(UnknownNameError, match="'w'"):
            function(files.events, ["x", "w"], missing="none")


def test_columns_with_missing_values_in_some_files_are_optional(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.kaon" for number in range(3)]
    values = [[1, 2], [3, None], [4]]
    names = [["a", "b"], [None, "c"], ["d"]]
    for path, number, name in zip(paths, values, names, strict=True):
        with kaon.create(path) as out:
            out["events"].extend({"number": ak.Array(number), "name": ak.Array(name)})
    for order in ([0, 1, 2], [1, 0, 2], [2, 0, 1]):
        files = [paths[number] for number in order]
        events = kaon.dask.arrays(files).compute(scheduler="sync")
        assert events.number.tolist() == sum((values[number] for number in order), [])
        assert events.name.tolist() == sum((names[number] for number in order), [])
        name = kaon.dask.arrays(files, "name")["name"].compute(scheduler="sync")
        assert name.tolist() == sum((names[number] for number in order), [])
        frame = kaon.dask.dataframe(files).compute(scheduler="sync")
        assert frame["number..value"].isna().sum() == 1
        assert frame["number..value"].sum() == 10
        everything = kaon.dask.arrays(files, missing="none").compute(scheduler="sync")
        assert everything.tolist() == events.tolist()
