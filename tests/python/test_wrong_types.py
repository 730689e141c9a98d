"""Messages to users who pass a value of the wrong type; they never have C++'s words."""

import awkward as ak
import numpy as np
import pytest

import kaon

MODEL = {
    "schema_version": 1,
    "datatypes": {
        "Hit": {
            "Description": "of a particle",
            "Author": "tests",
            "Members": ["float energy // of it"],
            "OneToManyRelations": ["Hit neighbours // beside it"],
        }
    },
}


@pytest.fixture
def path(tmp_path):
    with kaon.create(tmp_path / "hits.kaon", model=MODEL) as out:
        hits = [[{"energy": 1, "neighbours": [1]}, {"energy": 2, "neighbours": [0]}], []]
        out["events"].extend({"Hits": ak.Array(hits), "run": np.array([1, 2])})
    return tmp_path / "hits.kaon"


WRONG = {
    "a path": lambda file, events, frame: kaon.open("a\0b"),
    "files": lambda file, events, frame: kaon.dataset(3),
    "a file to convert": lambda file, events, frame: kaon.convert(3, "a.kaon"),
    "a file to verify": lambda file, events, frame: kaon.verify(3),
    "aliases of nothing": lambda file, events, frame: events.arrays(aliases=3),
    "a datatype": lambda file, events, frame: kaon.Collection(3),
    "a model": lambda file, events, frame: file.models[0],
    "its description": lambda file, events, frame: file.models.description(0),
    "the metadata of a collection": lambda file, events, frame: events.metadata_of(0),
    "a parameter": lambda file, events, frame: events.frames()[0].parameters[0],
    "a member": lambda file, events, frame: events.frames()[0]["Hits"][0][0],
    "offsets": lambda file, events, frame: events.arrays(library="np").offsets(0),
    "an alias": lambda file, events, frame: frame.alias("x", 0),
    "a formula": lambda file, events, frame: frame.define(0, "run"),
    "a column": lambda file, events, frame: frame.sum(0),
    "a weight": lambda file, events, frame: frame.histogram((10, 0, 1), "run", weight=0),
    "a collection": lambda file, events, frame: frame.explode(None),
    "a number of rows": lambda file, events, frame: frame.display(["run"], -1),
    "names": lambda file, events, frame: frame.snapshot("x.kaon", b"run"),
    "files of a dataframe": lambda file, events, frame: kaon.Dataframe("hits.kaon"),
    "the file of a model": lambda file, events, frame: kaon.DataModel("model.yaml"),
    "a codec": lambda file, events, frame: frame.snapshot("x.kaon", codec=1),
    "aliases": lambda file, events, frame: events.arrays("a", aliases={"a": 1}),
    "aliases without names": lambda file, events, frame: events.arrays("a", aliases="a"),
    "references": lambda file, events, frame: kaon.follow([1]),
}


@pytest.mark.parametrize("what", WRONG)
def test_readers_report_wrong_types(path, what):
    file = kaon.open(path)
    with pytest.raises(kaon.Error) as caught:
        WRONG[what](file, file["events"], kaon.dataset(f"{path}:events"))
    for word in ("incompatible", "nanobind", "_core", "std::", "C++", "NoneType' object"):
        assert word not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        *({"tags": b"run"}, {"tags": 5}, {"keys": [1]}, {"tags": "run"}, {"codec": 3}),
        *({"format": 0}, {"level": "high"}, {"level": 2**64}, {"memory_budget": 2**64}),
        *({"page_bytes": 1.5}, {"cluster_bytes": 2**64}, {"cluster_entries": None}),
        *({"codec": "\udcff"}, {"tags": ["\udcff"]}, {"storage": {"x": {"layout": "\udcff"}}}),
    ],
)
def test_options_report_wrong_types(tmp_path, options):
    with pytest.raises(kaon.Error) as caught:
        kaon.create(tmp_path / "x.kaon", **options)
    assert "incompatible" not in str(caught.value)
    assert not [*tmp_path.iterdir()]


NOT_UNICODE = "MET\udcff"

STRANGE = {
    "a category": lambda file, events, frame: file[NOT_UNICODE],
    "a category of a path": lambda file, events, frame: kaon.open(f"{file.path}:{NOT_UNICODE}"),
    "a name": lambda file, events, frame: events.arrays([NOT_UNICODE]),
    "a cut": lambda file, events, frame: events.arrays("run", NOT_UNICODE),
    "an alias": lambda file, events, frame: events.arrays("x", aliases={"x": NOT_UNICODE}),
    "a filter": lambda file, events, frame: frame.filter(NOT_UNICODE),
    "a limit": lambda file, events, frame: events.arrays("run", memory_limit=2**64),
    "a range": lambda file, events, frame: frame.range(0, 2**64),
}


@pytest.mark.parametrize("what", STRANGE)
def test_invalid_unicode_and_large_integers_are_reported(path, what):
    file = kaon.open(path)
    expected = r"'MET\\udcff' is not valid Unicode|18446744073709551616 is beyond 64 bits"
    with pytest.raises(kaon.errors.WrongTypeError, match=expected):
        STRANGE[what](file, file["events"], kaon.dataset(f"{path}:events"))


def test_dataframes_report_expected_and_given_types(path):
    frame = kaon.dataset(f"{path}:events")
    with pytest.raises(
        kaon.errors.WrongTypeError,
        match=r"^alias\(\) takes \(name: str, column: str\), not \(str, int\)$",
    ):
        frame.alias("x", 0)


def test_writers_report_wrong_types(tmp_path):
    with kaon.create(tmp_path / "x.kaon") as out:
        with pytest.raises(
            kaon.errors.WrongTypeError, match="an event must be a kaon.Frame, not {'x': 1}"
        ):
            out["events"].write({"x": 1})
        with pytest.raises(
            kaon.errors.WrongTypeError, match="the name of an array must be a string, not 0"
        ):
            out["events"].extend({0: [1, 2]})
        with pytest.raises(kaon.errors.WrongTypeError, match="is not valid Unicode"):
            out["events"].extend({NOT_UNICODE: [1, 2]})
        with pytest.raises(kaon.errors.UsageError, match="x.kaon:events: a table has no name"):
            out["events"].extend({"": [1, 2]})
        with pytest.raises(
            kaon.errors.WrongTypeError, match="the name of a category must be a string, not 0"
        ):
            out[0].extend({"x": [1, 2]})


@pytest.mark.parametrize("value", [3, None, [3], "ab"])
def test_frames_refuse_values_that_are_not_collections(value):
    with pytest.raises(kaon.errors.WrongTypeError, match="'Hits' needs objects, not"):
        kaon.Frame()["Hits"] = value


def test_relations_are_not_written_without_their_model(path, tmp_path):
    file = kaon.open(path)
    arrays = file["events"].arrays()
    with kaon.create(tmp_path / "x.kaon") as out:
        with pytest.raises(
            kaon.errors.UsageError, match="'Hits.neighbours' is a relation.*model=file"
        ):
            out["events"].extend(arrays)
    (name,) = file.models
    with kaon.create(tmp_path / "y.kaon", model=file.models[name]) as out:
        out["events"].extend(arrays)
    again = kaon.open(tmp_path / "y.kaon")["events"].arrays()
    assert again.Hits.neighbours.energy.tolist() == [[[2], [1]], []]
