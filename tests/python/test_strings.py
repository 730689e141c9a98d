"""Strings and lists of strings as members of objects."""

import io
from pathlib import Path

import awkward as ak
import pytest

import kaon
from kaon.command.dump import Entry

MODEL = Path(__file__).parents[1] / "models" / "stringmodel.yaml"

# Runs with empty strings, with strings that are not ASCII, without strings, and with one.
RUNS = [
    [
        {
            "number": 1,
            "name": "ILD",
            "comment": "größer als µ",
            "subdetectors": ["ECAL", "", "トラ"],
        },
        {"number": 2, "previous": 0},
    ],
    [],
    [{"name": "", "comment": "x" * 1000, "subdetectors": [], "currents": [1.5]}],
]
TYPES = {"Labels": "strings::Label"}
LABELS = [[{"name": "good"}, {"name": "bad"}], [{"name": ""}], []]


@pytest.fixture
def writer_options():
    return {"model": MODEL, "missing_members": "default"}


@pytest.mark.parametrize("layout", ["split", "member", "row"])
def test_arrays_have_strings(write, layout):
    events = write({"Runs": RUNS, "Labels": LABELS}, layout=layout, types=TYPES)
    runs = events.arrays().Runs
    assert runs.name.tolist() == [["ILD", ""], [], [""]]
    assert runs.comment.tolist() == [["größer als µ", ""], [], ["x" * 1000]]
    assert runs.subdetectors.tolist() == [[["ECAL", "", "トラ"], []], [], [[]]]
    assert str(runs.name.type) == "3 * var * string"
    assert events.typenames()["Runs.subdetectors"] == "var * var * string"
    assert events.arrays("Labels.name").Labels.name.tolist() == [["good", "bad"], [""], []]
    assert events["Runs.name"].array(0, 1).tolist() == [["ILD", ""]]


def test_strings_have_units(tmp_path):
    entries = kaon.load_model(MODEL).description.to_dict()
    for member in (*entries["datatypes"][0]["members"], *entries["datatypes"][0]["vectorMembers"]):
        member["unit"] = "UTC" if member["type"] == "std::string" else ""
    with kaon.create(tmp_path / "a.kaon", entries, missing_members="default") as out:
        out["events"].extend({"Runs": RUNS})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    assert [key for key in events if events[key].unit == "UTC"] == [
        "Runs.comment",
        "Runs.name",
        "Runs.subdetectors",
    ]
    text = io.StringIO()
    events.show(file=text)
    assert text.getvalue().count("UTC") == 3


def test_strings_of_numpy_are_objects(write):
    arrays = write({"Runs": RUNS}).arrays("Runs", library="np")
    assert arrays["Runs.name"].tolist() == ["ILD", "", ""]
    assert arrays["Runs.subdetectors"].tolist() == ["ECAL", "", "トラ"]
    assert arrays.offsets("Runs.name").tolist() == [0, 2, 2, 3]
    assert arrays.offsets("Runs.subdetectors").tolist() == [0, 3, 3, 3]


def test_read_values_are_written_again(write, tmp_path):
    events = write({"Runs": RUNS}, {"Runs": RUNS[::-1]})
    read = events.arrays()
    with kaon.create(tmp_path / "again.kaon", model=MODEL, missing_members="default") as out:
        out["events"].extend(read)
    again = kaon.open(tmp_path / "again.kaon")["events"].arrays()
    assert ak.drop_none(again.Runs[["name", "subdetectors"]]).tolist() == (
        read.Runs[["name", "subdetectors"]].tolist()
    )


def test_entries_without_the_collection_are_written(write):
    events = write({"Runs": [RUNS[0], None]}, {"Labels": LABELS}, types=TYPES)
    assert events.arrays().Runs.name.tolist() == [["ILD", ""], None, None, None, None]


def test_strings_that_are_missing_are_empty(write):
    events = write({"Runs": [[{"name": None, "number": 1}, {"name": "b", "number": 2}]]})
    assert events.arrays().Runs.name.tolist() == [["", "b"]]


def test_values_that_are_not_strings_are_refused(write):
    with pytest.raises(kaon.errors.WrongTypeError, match="'Runs.name' needs strings, not int64"):
        write({"Runs": [[{"name": 1, "number": 1}]]})
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Runs.subdetectors' needs strings, not int64"
    ):
        write({"Runs": [[{"subdetectors": [1], "number": 1}]]})


def test_objects_have_and_take_strings(tmp_path):
    models = kaon.load_model(MODEL)
    run = models["strings::Run"](number=7, name="ILD", subdetectors=["ECAL"])
    run.subdetectors.append("µ")
    assert run.comment == ""
    with pytest.raises(kaon.errors.WrongTypeError, match="'Run.name' needs a str, not 7"):
        run.name = 7
    with pytest.raises(kaon.errors.WrongTypeError, match="'Run.subdetectors' needs a str, not 7"):
        run.subdetectors.append(7)
    frame = kaon.Frame()
    frame["Runs"] = [run, models["strings::Run"](previous=run)]
    frame["Labels"] = [models["strings::Label"](name="good")]
    with kaon.create(tmp_path / "strings.kaon", model=MODEL, missing_members="default") as out:
        out["events"].write(frame)
    (read,) = kaon.open(tmp_path / "strings.kaon")["events"].frames()
    first, second = read["Runs"]
    assert (first.number, first.name, first.comment) == (7, "ILD", "")
    assert first.subdetectors == ["ECAL", "µ"]
    assert (second.name, second.subdetectors, second.previous) == ("", [], first)
    assert read["Labels"][0].name == "good"


def test_entries_show_strings(write):
    entry = Entry(write({"Runs": RUNS, "Labels": LABELS}, types=TYPES), 0)
    found = entry.to_dict()
    assert found["Labels"] == [{"name": "good"}, {"name": "bad"}]
    assert found["Runs"][0]["subdetectors"] == ["ECAL", "", "トラ"]
    assert found["Runs"][1]["name"] == ""
    out = io.StringIO()
    entry.print(file=out)
    assert "größer als µ" in out.getvalue() and "[ECAL, , トラ]" in out.getvalue()


def test_the_table_of_columns_has_them(write):
    out = io.StringIO()
    write({"Runs": RUNS}).show(file=out)
    lines = [line.split() for line in out.getvalue().splitlines()]
    types = {line[0]: line[1] for line in lines if len(line) > 1}
    assert types["name"] == "string"
    assert types["subdetectors"] == "string[]"


# One string per entry, without a model.
SINGLE = {"name": ["odd", "", "größer"], "run": [1, 2, 3]}


@pytest.fixture
def single(tmp_path):
    """A file whose entries have one string each."""
    path = tmp_path / "single.kaon"
    with kaon.create(path) as out:
        out["events"].extend(SINGLE)
    return path


def test_one_string_an_entry_is_one(single, command):
    events = kaon.open(single)["events"]
    assert events.typenames()["name"] == "string"
    assert events.arrays().name.tolist() == SINGLE["name"]
    assert events.arrays(library="np")["name"].tolist() == SINGLE["name"]
    assert [frame.parameters["name"] for frame in events.frames()] == SINGLE["name"]
    assert kaon.verify(single).is_sound
    lines = [line.split() for line in command("show", single)[1].splitlines()]
    assert ["name", "string"] in [line[:2] for line in lines]
    status, text, _ = command("head", f"{single}:events")
    assert (status, text.split()) == (0, ["name", "run", "odd", "1", "2", "größer", "3"])


def test_one_string_an_entry_is_compared(single):
    events = kaon.open(single)["events"]
    assert events.arrays("run", cut="name == 'größer' or name == ''").run.tolist() == [2, 3]
    assert int(kaon.dataset(single).filter("name in ('odd', 'even')").count()) == 1


@pytest.mark.parametrize("name", ["a.root", "a.parquet", "a.feather", "a.h5", "b.kaon"])
def test_one_string_an_entry_goes_through_other_formats(single, tmp_path, name, request):
    if name == "a.h5":
        request.getfixturevalue("hdf5")
    kaon.convert(single, tmp_path / name)
    kaon.convert(tmp_path / name, tmp_path / "back.kaon")
    for path in (tmp_path / name, tmp_path / "back.kaon"):
        arrays = kaon.open(path)["events"].arrays()
        assert str(arrays.name.type) == "3 * string"
        assert arrays.name.tolist() == SINGLE["name"]
    assert kaon.verify(tmp_path / "back.kaon").is_sound
