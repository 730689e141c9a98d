"""Python and C++ read each other's files; `exchange.cpp` has generated classes."""

import subprocess
from pathlib import Path

import awkward as ak
import pytest
from built import BUILD, needs_built

import kaon
from kaon import _core

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "tests/models/testmodel.yaml"
PROGRAM = "tests/python/kaon_exchange"

pytestmark = needs_built(PROGRAM)


def exchange(*arguments):
    command = [BUILD / PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=["split", "member", "row"])
def layout(request):
    return request.param


@pytest.fixture
def from_cpp(tmp_path, layout):
    path = tmp_path / "cpp.kaon"
    exchange("write", path, layout)
    return path


@pytest.fixture
def from_python(tmp_path, layout, from_cpp):
    """A file that C++ wrote and that Python has read and written as arrays."""
    path = tmp_path / "python.kaon"
    types = {"Scores": "int16"}  # as an array the column could be a parameter
    with kaon.create(path, model=MODEL, layout=layout, types=types) as out:
        out["events"].extend(kaon.open(from_cpp)["events"].arrays())
    return path


@pytest.fixture
def from_objects(tmp_path, layout, from_cpp):
    """A file that C++ wrote and that Python has read and written object by object."""
    path = tmp_path / "objects.kaon"
    with kaon.create(path, model=MODEL, layout=layout) as out:
        for event in kaon.open(from_cpp)["events"].frames():
            out["events"].write(event)
    return path


def tables(path):
    category = _core.File(path).category("events")
    return [category.table(number) for number in range(category.num_tables)]


def test_python_reads_files_of_cpp(from_cpp):
    first, second, third = kaon.open(from_cpp)["events"].arrays().tolist()
    assert [particle["PDG"] for particle in third["Particles"]] == [11, 12, 13]
    assert [r["index"] for r in third["Particles"][0]["daughters"]] == [1, 2]
    assert second["Hits"] is None
    (track,) = first["Tracks"]
    assert track["fit"] == {
        "converged": True,
        "position": {"x": 4, "y": 5, "z": 6},
        "errors": [0.25, 0.5],
        "quality": 7,
    }
    assert track["states"][0]["quality"] == -1
    (hit,) = track["hits"]
    assert (hit["entry"], hit["index"], hit["collection"]) == (0, 0, "Hits")
    assert first["Everything"][0]["aUInt64"] == 2**64 - 1
    assert [particle["isolation"] for particle in third["Particles"]] == [0.5, -1, -1]
    assert third["Scores"] == [200, 201]
    assert (third["run"], third["title"], third["late"]) == ([2], ["event 2"], ["", "äö"])


def test_both_write_the_same_tables(from_cpp, from_python):
    assert tables(from_python) == tables(from_cpp)


def test_both_write_the_same_model(from_cpp, from_python):
    documents = [_core.File(path).document("model:testmodel") for path in (from_cpp, from_python)]
    assert documents[0] == documents[1]


def test_cpp_reads_files_of_python(from_cpp, from_python):
    assert exchange("print", from_python) == exchange("print", from_cpp)


def test_cpp_reads_the_objects_that_python_wrote(from_cpp, from_objects):
    assert tables(from_objects) == tables(from_cpp)
    assert exchange("print", from_objects) == exchange("print", from_cpp)


def test_cpp_reads_one_string_an_entry(tmp_path, from_cpp):
    arrays = kaon.open(from_cpp)["events"].arrays()
    data = {name: arrays[name] for name in arrays.fields} | {"title": ak.flatten(arrays.title)}
    with kaon.create(tmp_path / "a.kaon", model=MODEL, types={"Scores": "int16"}) as out:
        out["events"].extend(data)
    assert str(kaon.open(tmp_path / "a.kaon")["events"]["title"].array().type) == "3 * string"
    lines = exchange("print", tmp_path / "a.kaon").splitlines()
    assert lines == exchange("print", from_cpp).splitlines()
    assert "title: event 2" in lines
