"""A file with one of everything, for the tests to read."""

import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon.command.cli import main

MODEL = Path(__file__).with_name("detector.yaml")

# Three events: one with a decay, one with nothing in it, one without hits.
PARTICLES = [
    [
        {"PDG": 23, "mass": 91.2, "momentum": {"x": 3, "y": 4, "z": 0}, "daughters": [1, 2]},
        {"PDG": 11, "weights": [1.5, 2.5], "qualities": [{"flag": 3, "chi2": [1, 2]}], "mother": 0},
        {"PDG": -11, "weights": [0.5], "stable": False, "spin": [0, 0, 1], "mother": 0},
    ],
    [],
    [{"PDG": 22, "ends": [{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}]}],
]
HITS = [[{"cell": 2**40, "energy": 1.5, "particle": 1}, {"cell": 7}], [], None]


@pytest.fixture
def plain():
    """The function that returns the values of arrays without the entries of references."""

    def without_entries(value):
        if isinstance(value, dict):
            left_out = ("entry", "file") if "collection" in value else ("_self",)
            return {
                name: without_entries(inner)
                for name, inner in value.items()
                if name not in left_out
            }
        return list(map(without_entries, value)) if isinstance(value, list) else value

    return lambda arrays: without_entries(arrays.tolist())


@pytest.fixture
def contents(plain):
    """The function that returns the values of a category, as `plain` returns them."""
    return lambda category: plain(category.arrays())


@pytest.fixture
def hdf5(tmp_path):
    """Skip the test where kaon was built without libhdf5, as wheels are."""
    try:
        kaon.create(tmp_path / "trial.h5").close()
    except kaon.errors.FormatError:
        pytest.skip("this kaon was built without libhdf5")


@pytest.fixture
def run_python():
    """Run a Python that finds the same kaon."""
    environment = {**os.environ, "PYTHONPATH": str(Path(kaon.__file__).parents[1])}

    def run(*arguments, **options):
        command = [sys.executable, *map(str, arguments)]
        options = {"capture_output": True, "text": True, "env": environment, **options}
        return subprocess.run(command, **options)

    return run


@pytest.fixture
def command(capsys):
    """Run the command in this process; return its status, output and messages."""

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            status = exit_.code
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def model():
    return MODEL


@pytest.fixture
def events_data():
    """Arrays by name, as extend() takes them."""
    return {
        "Particles": PARTICLES,
        "Hits": HITS,
        "weight": np.array([0.5, 1.5, 2.5]),
        "beam": np.array([[0, 7], [1, 8], [2, 9]], dtype=np.int16),
        "title": [["the first one"], [""], ["größte"]],
        "triggers": [["electron", "muon"], [], ["photon"]],
        "scales": [[1.0, 2.0], None, []],
        "seeds": ak.values_astype(ak.Array([[1], [2, 3], []]), np.int32),
        "flags": [[True], [False, True], []],
    }


@pytest.fixture
def path(tmp_path, model, events_data):
    """A file with the categories `events` and `runs`."""
    path = tmp_path / "events.kaon"
    with kaon.create(
        path, model=model, missing_members="default", storage={"Hits": {"layout": "row"}}
    ) as out:
        out["events"].extend(events_data)
        out["runs"].extend({"number": np.array([7, 8], dtype=np.int32)})
    return path


@pytest.fixture
def writer_options():
    """The options that `write` passes to kaon.create() unless a test says otherwise."""
    return {}


@pytest.fixture
def write(tmp_path, writer_options):
    """Write arrays, one set after another, to a new file each time; return the category."""
    numbers = count()

    def write_events(*sets, **options):
        path = tmp_path / f"{next(numbers)}.kaon"
        with kaon.create(path, **{**writer_options, **options}) as out:
            for arrays in sets:
                out["events"].extend(arrays)
        assert kaon.verify(path).is_sound
        return kaon.open(path)["events"]

    return write_events


@pytest.fixture
def events(path):
    return kaon.open(path)["events"]
