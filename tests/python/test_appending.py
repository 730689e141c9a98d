"""Appending further entries to files."""

import subprocess
import sys

import awkward as ak
import numpy as np
import pytest

import kaon


def test_entries_follow_those_that_there_are(path, events_data, contents):
    before = contents(kaon.open(path)["events"])
    size = path.stat().st_size
    content = path.read_bytes()
    with kaon.append(path, missing_members="default") as out:
        assert len(out["events"]) == 3
        out["events"].extend(events_data)
        assert len(out["events"]) == 6
    assert path.read_bytes()[:size] == content
    file = kaon.open(path)
    assert contents(file["events"]) == before * 2
    assert file["events"].clusters() == [(0, 3), (3, 6)]
    assert len(file["runs"]) == 2
    assert list(file.models) == ["detector"]


def test_existing_entries_keep_their_layout(path, events_data):
    def layouts():
        category = kaon.open(path)["events"]
        return {table.name: table.layout for table in category._schema.tables}

    before = layouts()
    with kaon.append(path, layout="member", missing_members="default") as out:
        out["events"].extend({**events_data, "Clusters": [[{"cell": 1}], [], []]})
    assert {name: layouts()[name] for name in before} == before
    assert layouts()["Clusters"] == "member"


def test_new_collections_and_categories(path):
    values = {"weight": [9.5], "beam": np.array([[3, 10]], dtype=np.int16)}
    with kaon.append(path, missing_members="default") as out:
        out["events"].extend({**values, "Others": [[{"cell": 5, "particle": None}]]})
        out["jobs"].extend({"host": ["here"]})
    file = kaon.open(path)
    assert file["events"].arrays().Others.cell.tolist() == [None, None, None, [5]]
    assert file["events"].arrays().Hits.energy.tolist()[-1] is None
    assert file["jobs"].arrays().host.tolist() == ["here"]


def test_relations_lead_to_collections_of_before(path):
    values = {"weight": [9.5], "beam": np.array([[3, 10]], dtype=np.int16)}
    particles, hits = [[{"PDG": 1}, {"PDG": 2}]], [[{"particle": 1}]]
    with kaon.append(path, missing_members="default") as out:
        out["events"].extend({**values, "Particles": particles, "Hits": hits})
    particle = kaon.open(path)["events"].arrays().Hits[3].particle
    assert particle[["entry", "index", "collection"]].tolist() == [
        {"entry": 3, "index": 1, "collection": "Particles"}
    ]


def test_values_are_in_all_entries_or_none(path):
    with kaon.append(path, missing_members="default") as out:
        with pytest.raises(ValueError, match="the value 'weight' of earlier entries is missing"):
            out["events"].extend({"Hits": [[]]})
        with pytest.raises(ValueError, match="earlier entries have no value 'x'"):
            out["runs"].extend({"number": [1], "x": [1]})
    assert len(kaon.open(path)["events"]) == 3


VALUES = {"weight": [9.5], "beam": np.array([[3, 10]], dtype=np.int16)}


@pytest.fixture
def changed(tmp_path, model):
    """The function that returns a model that differs from that of the file."""

    def change(*replacements):
        text = model.read_text().replace("schema_version: 1", "schema_version: 2")
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        other = tmp_path / "detector.yaml"
        other.write_text(text)
        return other

    return change


def test_only_new_members_can_be_appended(path, changed):
    other = changed(("float energy", "double energy"), ("float mass", "float rest"))
    with kaon.append(path, other, missing_members="default") as out:
        with pytest.raises(
            ValueError,
            match="'Hits' was written with another version of demo::Hit, in which 'Hits.energy' is "
            "float32, not float64; you can append only new members: first convert",
        ):
            out["events"].extend({**VALUES, "Hits": [[{"energy": 1.0}]]})
        with pytest.raises(ValueError, match="in which 'Particles.mass' exists"):
            out["events"].extend({**VALUES, "Particles": [[{"PDG": 1}]]})
        out["events"].extend(VALUES)
    assert kaon.open(path)["events"].arrays().Hits[-1] is None


LATE = (
    "      - float energy [keV] // deposited\n",
    "      - float energy [keV] // deposited\n"
    "      - demo::Vector3f spot{1, 2, 3} [mm] // of it\n"
    "      - double time{-1} [ns] // of it\n"
    "      - std::array<int32_t, 2> pair{4, 4} // of it\n"
    "    VectorMembers:\n"
    "      - float pulse // of it\n"
    "      - std::string tags // of it\n"
    "    OneToManyRelations:\n"
    "      - demo::Hit near // it\n",
)


def test_a_later_model_appends_its_new_members(path, changed, tmp_path):
    later = changed(LATE)
    hits = [[{"cell": 5, "time": 2.5, "pulse": [1, 2], "tags": ["a", "bc"], "near": [0]}]]
    for number in range(2):  # the second time, the file has the new members already
        with kaon.append(path, later, missing_members="default") as out:
            out["events"].extend({**VALUES, "Hits": hits})
        assert kaon.verify(path).findings == []
        for file in (kaon.open(path), kaon.open(path, model=later)):
            read = file["events"].arrays().Hits
            assert read.time.tolist() == [[-1, -1], [], None] + [[2.5]] * (number + 1)
            assert read.spot.tolist()[0] == [{"x": 1, "y": 2, "z": 3}] * 2
            assert read.pair.tolist()[0] == [[4, 4], [4, 4]]
            assert read.pulse.tolist() == [[[], []], [], None] + [[[1, 2]]] * (number + 1)
            assert read.tags.tolist()[3:] == [[["a", "bc"]]] * (number + 1)
            assert read.near.cell.tolist()[3:] == [[[5]]] * (number + 1)
    # Objects of frames have the new members, and not as decorations.
    old, new = (kaon.open(path)["events"].frames()[entry]["Hits"] for entry in (0, 4))
    assert [old[0].time, new[0].time, new[0].tags, old.decorations] == [-1, 2.5, ["a", "bc"], ()]
    # Frames and arrays are written with the new members as members.
    for copy, write in (
        ("frames", lambda out: [out.write(frame) for frame in kaon.open(path)["events"].frames()]),
        ("arrays", lambda out: out.extend(kaon.open(path)["events"].arrays())),
    ):
        with kaon.create(tmp_path / copy, later) as out:
            write(out["events"])
        category = kaon.open(tmp_path / copy)["events"]
        assert category.arrays().Hits.time.tolist() == read.time.tolist()
        assert [table for table in category.tables if "time" in table] == []


def test_an_earlier_model_reads_its_own_members(path, model, changed):
    with kaon.append(path, changed(LATE), missing_members="default") as out:
        out["events"].extend({**VALUES, "Hits": [[{"cell": 5, "time": 2.5}]]})
    with pytest.warns(
        kaon.errors.UnreadMemberWarning, match="'pulse', 'tags', 'near' of demo::Hit are not"
    ):
        events = kaon.open(path, model=model)["events"]
    assert events.arrays().Hits.cell.tolist()[-1] == [5]
    assert events.frames()[3]["Hits"].decorations == (
        "spot.x",
        "spot.y",
        "spot.z",
        "time",
        "pair",
    )


def test_a_default_that_is_not_one_value_cannot_be_appended(path, changed):
    other = changed((LATE[0], LATE[1].replace("{4, 4}", "{4, 5}")))
    with kaon.append(path, other, missing_members="default") as out:
        with pytest.raises(ValueError, match="'Hits.pair' is new, and its default differs from el"):
            out["events"].extend({**VALUES, "Hits": [[{"cell": 5}]]})


def test_a_converted_file_takes_entries_of_the_new_model(path, changed, tmp_path, events_data):
    """A file that a change does not fit is written again, and then takes further entries."""
    other = changed(("float energy", "double energy"))
    anew = tmp_path / "anew.kaon"
    kaon.convert(path, anew, model=other)
    with kaon.append(anew, missing_members="default") as out:
        out["events"].extend({**VALUES, "Hits": [[{"energy": 0.1}]]})
    assert kaon.open(anew)["events"].arrays().Hits.energy.tolist()[-1] == [0.1]


def test_a_file_without_a_model_needs_none(tmp_path):
    path = tmp_path / "a.kaon"
    with kaon.create(path) as out:
        out["events"].extend({"x": [1.5]})
    for number in (2.5, 3.5):
        with kaon.append(path, missing_members="default") as out:
            out["events"].extend({"x": [number]})
    assert kaon.open(path)["events"].arrays().x.tolist() == [1.5, 2.5, 3.5]


def test_one_of_several_models_is_to_be_told(path, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(
        "schema_version: 1\n"
        "datatypes: {Jet: {Description: d, Author: a, Members: [double pt // c]}}\n"
    )
    with kaon.append(path, other, missing_members="default") as out:
        out["jets"].extend({"Jets": [[{"pt": 1.5}]]})
    assert list(kaon.open(path).models) == ["detector", "other"]
    with pytest.raises(ValueError, match="name one of the models detector, other"):
        kaon.append(path)
    with kaon.append(path, kaon.open(path).model("other")) as out:
        out["jets"].extend({"Jets": [[{"pt": 2.5}]]})
    assert kaon.open(path)["jets"].arrays().Jets.pt.tolist() == [[1.5], [2.5]]


@pytest.mark.parametrize("exception", [RuntimeError, KeyboardInterrupt])
def test_an_exception_leaves_the_file_as_it_was(path, events_data, contents, exception):
    bytes_before = path.read_bytes()
    before = contents(kaon.open(path)["events"])
    with pytest.raises(exception), kaon.append(path, missing_members="default") as out:
        out["events"].extend(events_data)
        out.flush()
        assert path.stat().st_size > len(bytes_before)
        raise exception
    assert path.read_bytes() == bytes_before
    with kaon.append(path, missing_members="default") as out:
        out["events"].extend(events_data)
    assert contents(kaon.open(path)["events"]) == before * 2


def test_refused_entries_leave_the_file_unchanged(path, tmp_path, model):
    bytes_before = path.read_bytes()
    other = tmp_path / "detector.yaml"
    other.write_text(model.read_text().replace("float energy", "double energy"))
    values = {"weight": [9.5], "beam": np.array([[3, 10]], dtype=np.int16)}
    with (
        pytest.raises(ValueError, match="another version"),
        kaon.append(path, other, missing_members="default") as out,
    ):
        out["events"].extend({**values, "Hits": [[{"energy": 1.0}]]})
    assert path.read_bytes() == bytes_before
    with pytest.raises(kaon.errors.UnknownNameError), kaon.append(path, codec="zst"):
        pass
    with (
        pytest.raises(kaon.errors.UnknownNameError),
        kaon.append(path, types={"Hits": "demo::Hitt"}),
    ):
        pass
    assert path.read_bytes() == bytes_before


KILLED = """
import os, signal, sys
import kaon
out = kaon.append(sys.argv[1])
for number in range(int(sys.argv[2])):
    out["runs"].extend({"number": [number]})
    out.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_files_of_killed_writers_are_mended(tmp_path):
    path = tmp_path / "a.kaon"
    with kaon.create(path) as out:
        out["runs"].extend({"number": [7]})
    before = path.read_bytes()
    for clusters in (0, 3):
        path.write_bytes(before)
        subprocess.run([sys.executable, "-c", KILLED, path, str(clusters)], check=False)
        if clusters == 0:
            assert path.read_bytes() == before
            continue
        with pytest.warns(kaon.errors.IncompleteFileWarning):
            assert len(kaon.open(path)["runs"]) == 1 + clusters
        with pytest.warns(kaon.errors.IncompleteFileWarning, match="recovered: 4 of 'runs'"):
            out = kaon.append(path)
        with out:
            out["runs"].extend({"number": [8]})
        assert kaon.open(path)["runs"].arrays().number.tolist() == [7, 0, 1, 2, 8]
        assert kaon.verify(path).is_sound


def test_an_exception_before_anything_is_written_leaves_the_file_finished(path, events_data):
    bytes_before = path.read_bytes()
    with pytest.raises(RuntimeError), kaon.append(path, missing_members="default") as out:
        out["events"].extend(events_data)
        raise RuntimeError
    assert path.read_bytes() == bytes_before


def test_places_without_a_file(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        kaon.append(tmp_path / "no.kaon")
    with pytest.raises(
        TypeError, match=r"writers have no option 'layuot' \(did you mean 'layout'\?\)"
    ):
        kaon.append(path, layuot="row")
    with kaon.append(path):
        with pytest.raises(OSError, match="another writer is at work"):
            kaon.append(path)


def test_missing_decorations_have_their_missing_value(tmp_path, model, contents):
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=model, missing_members="default") as out:
        out["events"].extend({"Hits": [[{"cell": 5}]]})
        quality = ak.values_astype(ak.Array([[0.5]]), np.float32)
        missing = {"quality": int(np.float32(-1).view(np.uint32))}
        marks = {"decorations": {"fit": {"type": "Fit", "missing": missing}}}
        fields = {"cell": [[6]], "fit": ak.zip({"quality": quality})}
        out["events"].extend({"Hits": ak.zip(fields, parameters=marks)})
    with kaon.append(path, missing_members="default") as out:
        out["events"].extend({"Hits": [[{"cell": 7}]]})
    events = kaon.open(path)["events"]
    hits = events.arrays().Hits
    assert hits.cell.tolist() == [[5], [6], [7]]
    assert hits.fit.quality.tolist() == [[-1], [0.5], [-1]]
    with kaon.create(tmp_path / "copy.kaon", model=model, missing_members="default") as out:
        for event in events.frames():
            out["events"].write(event)
    copy = contents(kaon.open(tmp_path / "copy.kaon")["events"])
    assert copy == [{"Hits": event["Hits"]} for event in contents(events)]


LATE_SHAPES = (
    "      - float energy [keV] // deposited\n",
    "      - float energy [keV] // deposited\n"
    "      - std::array<std::array<float, 3>, 2> matrix // new\n"
    "      - std::optional<float> maybe // new\n"
    "      - std::array<demo::Vector3f, 2> ends // new\n"
    "      - std::array<float, 1> one // new\n",
)


@pytest.mark.parametrize("ending", ["kaon", "parquet", "feather"])
def test_new_members_keep_their_structure(path, changed, tmp_path, ending):
    new = changed(LATE_SHAPES)
    row = {"cell": 5, "matrix": [[1, 2, 3], [4, 5, 6]], "maybe": 1.5, "one": [7]}
    ends = [{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}]
    with kaon.append(path, new, missing_members="default") as out:
        out["events"].extend({**VALUES, "Hits": [[{**row, "ends": ends}]]})
    copy = path if ending == "kaon" else tmp_path / f"copy.{ending}"
    if copy != path:
        kaon.convert(f"{path}:events", copy)
    hits = kaon.open(copy)["events"].arrays("Hits").Hits
    assert hits.matrix.tolist()[-1] == [row["matrix"]]
    assert hits.maybe.tolist()[-1] == [1.5]
    assert hits.maybe.tolist()[0][0] is None
    assert hits.ends.tolist()[-1] == [ends]
    assert hits.one.tolist()[-1] == [[7]]
