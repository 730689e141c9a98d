"""Values that are None become absent parameters in files of LCIO and podio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import pytest

import kaon
import kaon.train
from kaon.command.cli import main

pa = pytest.importorskip("pyarrow")

FORMATS = {"lcio": ".slcio", "podio": ".root", "podio-sio": ".sio"}
TYPES = {
    "number": pa.int32(),
    "mass": pa.float64(),
    "scale": pa.float32(),
    "name": pa.string(),
    "list": pa.list_(pa.int32()),
    "names": pa.list_(pa.string()),
}
EVENTS: dict[str, list[Any]] = {
    "number": [1, None, 3],
    "mass": [None, 0.5, 0.0],
    "scale": [0.25, None, None],
    "name": ["a", "", None],
    "list": [[1, 2], None, []],
    "names": [["x", ""], [], None],
}


def extend(path: Path, **categories: dict[str, list[Any]]) -> None:
    """Write columns of some categories to a file; None stays None, also for floats."""
    with kaon.create(path) as out:
        for category, columns in categories.items():
            arrays = {
                name: ak.from_arrow(pa.array(values, TYPES[name]))
                for name, values in columns.items()
            }
            out[category].extend(arrays)


def parameters_in(path: Path, category: str = "events") -> list[dict[str, Any]]:
    """Return the parameters of each entry as lists."""
    with kaon.open(path) as file:
        return [
            {
                name: each if isinstance(each, list) else [each]
                for name, each in frame.parameters.items()
                if name in TYPES
            }
            for frame in file[category].frames()
        ]


def expected(events: dict[str, list[Any]]) -> list[dict[str, Any]]:
    size = len(next(iter(events.values())))
    return [
        {
            name: values[i] if isinstance(values[i], list) else [values[i]]
            for name, values in events.items()
            if values[i] is not None
        }
        for i in range(size)
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_missing_values_are_absent_parameters(tmp_path: Path, form: str) -> None:
    extend(tmp_path / "a.kaon", events=EVENTS)
    out = tmp_path / f"out{FORMATS[form]}"
    kaon.convert(tmp_path / "a.kaon", out, format=form)
    assert parameters_in(out) == expected(EVENTS)
    arrays = kaon.open(out)["events"].arrays()
    assert arrays.number.tolist() == [[1], None, [3]]
    assert arrays.name.tolist() == [["a"], [""], None]
    assert arrays.list.tolist() == [[1, 2], None, []]
    kaon.convert(out, tmp_path / "back.kaon")
    assert parameters_in(tmp_path / "back.kaon") == expected(EVENTS)
    assert parameters_in(tmp_path / "a.kaon") == expected(EVENTS)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("way", ["convert", "merge", "train", "skim"])
def test_parameters_of_one_file_are_absent_for_the_others(
    tmp_path: Path, form: str, way: str
) -> None:
    runs = {"number": [5, 6], "scale": [0.5, 0.75], "names": [["x"], []]}
    masses = {"mass": [1.0, 2.0]}
    paths = [tmp_path / "a.kaon", tmp_path / "b.kaon"]
    extend(paths[0], events=masses, runs=masses)
    extend(paths[1], events=masses, runs={**masses, **runs})
    out = tmp_path / f"out{FORMATS[form]}"
    if way == "convert":
        kaon.convert(paths, out, format=form)
    elif way == "merge":
        kaon.merge(paths, tmp_path / "ab.kaon")
        kaon.convert(tmp_path / "ab.kaon", out, format=form)
    elif way == "train":
        train = kaon.train.Train(kaon.dataset(paths, "events"), format=form)
        train.add(out)
        train.run()
    else:
        assert main(["skim", *(f"{path}:runs" for path in paths), str(out), "--to", form]) == 0
    assert parameters_in(out, "runs") == expected(masses) + expected({**masses, **runs})


@pytest.mark.parametrize("form", FORMATS)
def test_single_values_of_a_list_cannot_be_missing(tmp_path: Path, form: str) -> None:
    extend(tmp_path / "a.kaon", events={"list": [[1, None], []]})
    with pytest.raises(kaon.errors.UsageError, match="parameters cannot lack single values"):
        kaon.convert(tmp_path / "a.kaon", tmp_path / f"out{FORMATS[form]}", format=form)


def test_headers_of_lcio_have_all_fields(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"runNumber": ak.from_arrow(pa.array([1, None], pa.int32()))})
    with pytest.raises(kaon.errors.UsageError, match="headers always have it"):
        kaon.convert(tmp_path / "a.kaon", tmp_path / "out.slcio")
