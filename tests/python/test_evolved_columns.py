"""Files of other versions of a model, read as the version that is given."""

import json

import awkward as ak
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kaon

OLD = """
schema_version: 1
components:
  lab::Vector: {Members: [float px, float py]}
  lab::State: {Members: [int16_t code, float chi2]}
datatypes:
  lab::Cell:
    Description: A cell
    Author: kaon
    Members:
      - int32_t id // of the cell
      - float energy [GeV] // measured
      - int64_t channel // is narrower later
      - lab::Vector spot [mm] // of it
      - std::array<float, 2> edges // of it
      - bool dead // is a number later
      - int32_t dropped // later
    VectorMembers:
      - float samples // of the pulse
      - lab::State states // of it
    OneToOneRelations:
      - lab::Cell neighbour // nearest
    OneToManyRelations:
      - lab::Cell others // near
  lab::Track:
    Description: A track
    Author: kaon
    Members:
      - int32_t charge // of it
    OneToOneRelations:
      - lab::Track mother // of it
    OneToManyRelations:
      - lab::Cell cells // it hit
"""

NEW = """
schema_version: 2
components:
  lab::Vector: {Members: [double x, float y, "float z{-1}"]}
  lab::State: {Members: [int32_t code, double chi2]}
datatypes:
  lab::Hit:
    Description: A hit, which was a cell
    Author: kaon
    Members:
      - double time{2.5} [ns] // not there before
      - int64_t number // id before
      - double energy [GeV] // a float before
      - int8_t channel // 64 bits before
      - lab::Vector position [mm] // spot before
      - std::array<double, 2> edges // floats before
      - uint8_t dead // a bool before
      - std::array<int32_t, 2> pair{3, 4} // not there before
    VectorMembers:
      - double pulse // samples before
      - lab::State states // with wider members
      - int32_t added // not there before
    OneToOneRelations:
      - lab::Hit nearest // neighbour before
    OneToManyRelations:
      - lab::Hit near // others before
      - lab::Track tracks // not there before
  lab::Track:
    Description: A track
    Author: kaon
    Members:
      - int32_t charge // of it
    OneToOneRelations:
      - lab::Track mother // of it
    OneToManyRelations:
      - lab::Hit cells // it hit
migrations:
  lab::Vector:
    - { from_version: 1, to_version: 2, rename_member: { from: px, to: x } }
    - { from_version: 1, to_version: 2, rename_member: { from: py, to: y } }
  lab::Hit:
    - { from_version: 1, to_version: 2, rename_type: { from: lab::Cell } }
    - { from_version: 1, to_version: 2, rename_member: { from: id, to: number } }
    - { from_version: 1, to_version: 2, rename_member: { from: spot, to: position } }
    - { from_version: 1, to_version: 2, rename_member: { from: samples, to: pulse } }
    - { from_version: 1, to_version: 2, rename_member: { from: neighbour, to: nearest } }
    - { from_version: 1, to_version: 2, rename_member: { from: others, to: near } }
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The paths of the YAML files of both versions."""
    paths = []
    for version, text in (("old", OLD), ("new", NEW)):
        paths.append(tmp_path_factory.mktemp(version) / "lab.yaml")
        paths[-1].write_text(text)
    return paths


@pytest.fixture(scope="module")
def loaded(models):
    """Both versions, each read once from its file."""
    return [kaon.load_model(path) for path in models]


def write(path, model, events, **options):
    types = {name: TYPES[name] for name in events}
    options = {"missing_members": "default", "overwrite": True, **options}
    with kaon.create(path, model=model, types=types, **options) as out:
        out["events"].extend(events)
    return path


pytestmark = pytest.mark.filterwarnings(
    "ignore:.*'dropped' of lab.* is not read:kaon.errors.UnreadMemberWarning"
)

TYPES = {"Tracks": "lab::Track", "Cells": "lab::Cell"}
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
CELLS = st.fixed_dictionaries(
    {
        "id": st.integers(-(2**31), 2**31 - 1),
        "energy": FLOATS,
        "channel": st.integers(-128, 127),
        "spot": st.fixed_dictionaries({"px": FLOATS, "py": FLOATS}),
        "edges": st.lists(FLOATS, min_size=2, max_size=2),
        "dead": st.booleans(),
        "dropped": st.integers(0, 5),
        "samples": st.lists(FLOATS, max_size=3),
        "states": st.lists(
            st.fixed_dictionaries({"code": st.integers(-(2**15), 2**15 - 1), "chi2": FLOATS}),
            max_size=2,
        ),
    }
)


@st.composite
def old_events(draw):
    """Events of the old version: cells and tracks, both with relations to cells."""
    events = []
    for _ in range(draw(st.integers(1, 6))):
        cells = draw(st.lists(CELLS, max_size=4))
        place = st.integers(0, len(cells) - 1)
        for cell in cells:
            cell["neighbour"] = draw(st.none() | place)
            cell["others"] = draw(st.lists(place, max_size=3))
        tracks = [
            {
                "charge": draw(st.integers(-1, 1)),
                "mother": 0,
                "cells": draw(st.lists(place, max_size=2)),
            }
            for _ in range(draw(st.integers(0, 2)) if cells else 0)
        ]
        events.append((tracks, cells))
    return events


def expected_hit(entry, cell):
    """Return the hit of the new version that a cell becomes."""

    def to_cell(index):
        is_none = index is None
        collection = None if is_none else "Cells"
        return {"entry": entry, "index": -1 if is_none else index, "collection": collection}

    return {
        "time": 2.5,
        "number": cell["id"],
        "energy": cell["energy"],
        "channel": cell["channel"],
        "position": {"x": cell["spot"]["px"], "y": cell["spot"]["py"], "z": -1.0},
        "edges": cell["edges"],
        "dead": int(cell["dead"]),
        "pair": [3, 4],
        "pulse": cell["samples"],
        "states": cell["states"],
        "added": [],
        "nearest": to_cell(cell["neighbour"]),
        "near": [to_cell(index) for index in cell["others"]],
        "tracks": [],
    }


def of_frame(hit):
    """Return the members of an object of a frame in the form of those of arrays."""
    relations = {"nearest", "near", "tracks"}
    members = {name: hit[name] for name in hit._fields if name not in relations}
    return json.loads(json.dumps(members, default=plain))


def without_places(hit):
    """Return a hit with only the index and collection of its references, as `contents` does."""

    def local(reference):
        return {name: reference[name] for name in ("index", "collection")}

    return {**hit, "nearest": local(hit["nearest"]), "near": [local(one) for one in hit["near"]]}


def plain(value):
    return (
        {name: value[name] for name in value._fields} if hasattr(value, "_fields") else list(value)
    )


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=40,
)
@given(
    events=old_events(),
    layout=st.sampled_from(["split", "member", "row"]),
    cluster=st.integers(1, 4),
)
def test_arrays_and_frames_are_of_the_new_version(
    events, layout, cluster, loaded, tmp_path, contents
):
    old, new = loaded
    tracks, cells = zip(*events, strict=True)
    path = write(
        tmp_path / "a.kaon",
        old,
        {"Cells": list(cells), "Tracks": list(tracks)},
        layout=layout,
        cluster_entries=cluster,
    )
    category = kaon.open(path, model=new)["events"]
    arrays = category.arrays()
    expected = [
        [expected_hit(entry, cell) for cell in inside] for entry, (_, inside) in enumerate(events)
    ]
    assert [event["Cells"] for event in contents(category)] == [
        [without_places(hit) for hit in hits] for hits in expected
    ]
    assert arrays.Tracks.charge.tolist() == [[t["charge"] for t in all_] for all_, _ in events]
    mothers = ak.flatten(arrays.Tracks.mother.collection).tolist()
    assert mothers == ["Tracks"] * sum(len(all_) for all_, _ in events)
    assert arrays.Tracks.cells.index.tolist() == [[t["cells"] for t in all_] for all_, _ in events]
    for entry, frame in enumerate(category.frames()):
        for hit, record in zip(frame["Cells"], expected[entry], strict=True):
            assert of_frame(hit) == {name: record[name] for name in of_frame(hit)}
            nearest = record["nearest"]["index"]
            assert (hit.nearest is None) == (nearest < 0)
            assert hit.nearest is None or hit.nearest.number == expected[entry][nearest]["number"]
            assert [h.number for h in hit.near] == [
                expected[entry][reference["index"]]["number"] for reference in record["near"]
            ]
    # The copy is of the new version itself.
    copy = tmp_path / "copy.kaon"
    kaon.convert(path, copy, model=new, overwrite=True)
    assert contents(kaon.open(copy)["events"]) == contents(category)
    assert kaon.open(copy)["events"].typenames() == category.typenames()
    assert kaon.verify(copy).findings == []


CELL = {"id": 1, "channel": 7}


def test_types_are_those_of_the_model(models, tmp_path):
    old, new = models
    path = write(tmp_path / "a.kaon", old, {"Cells": [[CELL], []]})
    category = kaon.open(f"{path}:events", model=new)
    assert category.typenames()["Cells.number"] == "var * int64"
    assert category.typenames()["Cells.edges"] == "var * 2 * float64"
    assert category["Cells.position"].unit == "mm"
    assert category.arrays("Cells", library="np")["Cells.number"].dtype == np.int64
    assert category.arrays().Cells.nearest.number.tolist() == [[None], []]
    assert "time" in repr(kaon.open(path, model=new).models["lab"].Hit.__doc__)
    assert [array.Cells.time.tolist() for array in category.iterate(step_size=1)] == [[[2.5]], [[]]]
    with pytest.raises(KeyError, match=r"there is no 'Cells.id'"):
        category.arrays("Cells.id")
    # Without a model, the members are read as they are stored.
    assert "Cells.id" in kaon.open(path)["events"].keys()


def test_a_model_can_be_that_of_another_file(models, tmp_path):
    old, new = models
    first = write(tmp_path / "1.kaon", old, {"Cells": [[CELL]]})
    second = tmp_path / "2.kaon"
    with kaon.create(second, model=new, missing_members="default") as out:
        out["events"].extend({"Cells": [[{"number": 2, "time": 0.5}]]})
    newest = kaon.open(second).models["lab"]
    paths, names = [f"{first}:events", f"{second}:events"], ["Cells.number", "Cells.time"]
    pieces = kaon.iterate(paths, names, model=newest)
    cells = ak.concatenate(list(pieces)).Cells
    assert cells.number.tolist() == [[1], [2]]
    assert cells.time.tolist() == [[2.5], [0.5]]


def test_a_value_that_does_not_fit_tells_its_column_and_entry(models, tmp_path):
    old, new = models
    cells = [[CELL], [CELL, {"channel": 300}], [CELL]]
    path = write(tmp_path / "a.kaon", old, {"Cells": cells}, cluster_entries=2)
    category = kaon.open(path, model=new)["events"]
    wrong = r"'Cells.channel' holds the int64 300 in entry 1, which does not fit into int8"
    with pytest.raises(kaon.errors.WrongTypeError, match=wrong):
        category.arrays("Cells.channel")
    with pytest.raises(kaon.errors.WrongTypeError, match=wrong):
        print(category.frames()[1]["Cells"][1].channel)
    with pytest.raises(kaon.errors.WrongTypeError, match=wrong):
        kaon.convert(path, tmp_path / "copy.kaon", model=new)
    assert not (tmp_path / "copy.kaon").exists()
    assert category.arrays("Cells.channel", entry_start=2).Cells.channel.tolist() == [[7]]
    assert category.arrays("Cells.number").Cells.number.tolist() == [[1], [1, 0], [1]]


def test_a_collection_that_cannot_be_read_does_not_hinder_others(models, tmp_path):
    old, _ = models
    path = write(tmp_path / "a.kaon", old, {"Cells": [[CELL]], "Tracks": [[{"charge": 1}]]})
    other = tmp_path / "lab.yaml"
    other.write_text(OLD.replace("std::array<float, 2>", "std::array<float, 3>"))
    category = kaon.open(path, model=other)["events"]
    assert category.arrays("Tracks").Tracks.charge.tolist() == [[1]]
    assert category.arrays("Cells.id").Cells.id.tolist() == [[1]]
    message = r"'Cells.edges' cannot be read: it was float32\[2\], is float32\[3\]"
    with pytest.raises(kaon.errors.WrongTypeError, match=message):
        category.arrays("Cells")


def test_an_unreadable_member_does_not_hinder_others_of_its_object(tmp_path):
    text = """
schema_version: {}
datatypes:
  lab::Hit:
    Description: A hit
    Author: kaon
    Members:
      - {} a // comes first
      - int32_t b // comes last
"""
    models = []
    for version, type_ in enumerate(("int32_t", "std::array<float, 3>"), 1):
        model = tmp_path / str(version) / "lab.yaml"
        model.parent.mkdir()
        model.write_text(text.format(version, type_))
        models.append(model)
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=models[0]) as out:
        out["events"].extend({"Hits": [[{"a": 1, "b": 2}]]})
    hits = kaon.open(path, model=models[1])["events"].frames()[0]["Hits"]
    assert [hit.b for hit in hits] == [2]
    with pytest.raises(kaon.errors.WrongTypeError, match="'Hits.a' cannot be read"):
        print(hits[0].a)


def test_members_unknown_to_a_model_are_reported(models, tmp_path):
    old, new = models
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=new, missing_members="default") as out:
        out["events"].extend({"Tracks": [[{"charge": 1}]], "Cells": [[{"number": 2}]]})
    reduced = tmp_path / "lab.yaml"
    reduced.write_text(NEW.replace("      - double time{2.5} [ns] // not there before\n", ""))
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="'time' of lab::Hit is not read"):
        file = kaon.open(path, model=reduced)
    assert "Cells.time" not in file["events"].keys()
    with pytest.raises(ValueError, match="this is no data model"):
        kaon.open(path, model={"name": "lab"})


RELATED = """
schema_version: 1
datatypes:
  Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - int32_t cell // where
    OneToManyRelations:
      - Hit neighbours // next to it
"""


def test_a_relation_that_was_renamed(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old/m.yaml").write_text(RELATED)
    hits = [[{"cell": 1, "neighbours": [1]}, {"cell": 2, "neighbours": []}]]
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=tmp_path / "old/m.yaml", types={"Hits": "Hit"}) as out:
        out["events"].extend({"Hits": hits})
    new = RELATED.replace("Hit neighbours", "Hit others").replace("version: 1", "version: 2")
    (tmp_path / "m.yaml").write_text(new)
    message = "'neighbours' of Hit is not read: .* if 'neighbours' is 'others' now, a migration"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=message):
        events = kaon.open(path, model=tmp_path / "m.yaml")["events"]
    assert events.arrays().Hits.others.cell.tolist() == [[[], []]]
    rename = "{ from_version: 1, to_version: 2, rename_member: { from: neighbours, to: others } }"
    (tmp_path / "m.yaml").write_text(f"{new}migrations:\n  Hit:\n    - {rename}\n")
    events = kaon.open(path, model=tmp_path / "m.yaml")["events"]  # a warning would be an error
    assert events.arrays().Hits.others.cell.tolist() == [[[2], []]]


def test_the_command_writes_files_of_the_new_version(models, tmp_path, run_python):
    old, new = models
    path = write(tmp_path / "a.kaon", old, {"Cells": [[CELL]]})
    copy = tmp_path / "copy.kaon"
    run_python("-m", "kaon", "convert", path, copy, "--model", new, check=True)
    assert kaon.open(copy)["events"].arrays().Cells.number.tolist() == [[1]]
    assert kaon.open(copy).model("lab")["schema_version"] == 2


@pytest.mark.parametrize("out", ["copy.kaon", "copy.root"])
def test_a_model_of_another_name_stands_for_that_of_the_file(loaded, models, tmp_path, out):
    renamed = tmp_path / "lab_v2.yaml"
    renamed.write_text(models[1].read_text())
    path = write(tmp_path / "a.kaon", loaded[0], {"Cells": [[{"id": 7}]], "Tracks": [[]]})
    assert list(kaon.open(path, model=renamed).models) == ["lab_v2"]
    kaon.convert(path, tmp_path / out, model=renamed)
    copy = kaon.open(tmp_path / out)
    assert list(copy.models) == ["lab_v2"]
    assert [hit.number for frame in copy["events"].frames() for hit in frame["Cells"]] == [7]
