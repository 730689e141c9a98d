"""Files get further entries behind those that they have."""

import numpy as np
import pytest

import kaon
from kaon import _core
from kaon.writing.table_arrays import table_arrays


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


def test_what_is_there_keeps_its_layout(path, events_data):
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
    assert file["jobs"].arrays().host.tolist() == [["here"]]


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


def test_the_model_must_be_that_of_the_file(path, model, tmp_path):
    other = tmp_path / "detector.yaml"
    other.write_text(model.read_text().replace("float energy", "double energy"))
    values = {"weight": [9.5], "beam": np.array([[3, 10]], dtype=np.int16)}
    with kaon.append(path, other, missing_members="default") as out:
        with pytest.raises(ValueError, match="'Hits' was written with another version of demo::H"):
            out["events"].extend({**values, "Hits": [[{"energy": 1.0}]]})
        out["events"].extend({**values, "Particles": [[{"PDG": 5}]]})
    assert kaon.open(path)["events"].arrays().Particles.PDG[-1].tolist() == [5]


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
    with pytest.raises(ValueError, match="has the models detector, other; which one"):
        kaon.append(path)
    with kaon.append(path, kaon.open(path).model("other")) as out:
        out["jets"].extend({"Jets": [[{"pt": 2.5}]]})
    assert kaon.open(path)["jets"].arrays().Jets.pt.tolist() == [[1.5], [2.5]]


def test_an_exception_leaves_what_there_was(path, events_data, contents):
    before = contents(kaon.open(path)["events"])
    with pytest.raises(RuntimeError), kaon.append(path, missing_members="default") as out:
        out["events"].extend(events_data)
        out.flush()
        raise RuntimeError
    with pytest.warns(kaon.IncompleteFileWarning):
        file = kaon.open(path)
    assert contents(file["events"]) == before * 2
    with pytest.raises(kaon.UsageError, match="nothing can be appended"):
        kaon.append(path)


def test_an_exception_before_anything_is_written_leaves_the_file_finished(path, events_data):
    bytes_before = path.read_bytes()
    with pytest.raises(RuntimeError), kaon.append(path, missing_members="default") as out:
        out["events"].extend(events_data)
        raise RuntimeError
    assert path.read_bytes() == bytes_before


def test_places_without_a_file(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        kaon.append(tmp_path / "no.kaon")
    with pytest.raises(TypeError, match="unexpected keyword argument 'layuot'"):
        kaon.append(path, layuot="row")
    with kaon.append(path):
        with pytest.raises(OSError, match="another writer is at work"):
            kaon.append(path)


def test_decorations_are_what_is_missing(tmp_path, model, contents):
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=model, missing_members="default") as out:
        out["events"].extend({"Hits": [[{"cell": 5}]]})
        quality = _core.Member("quality", "float32", missing=int(np.float32(-1).view(np.uint32)))
        kind = _core.TableKind.decoration
        decoration = _core.Table("Hits.fit", kind, "Fit", [quality], 4, parent=0)
        tables = out["events"].tables
        hits = table_arrays(out["events"]._category_tables, {"Hits": [[{"cell": 6}]]})[1]
        fit = _core.TableArrays(None, None, {0: np.array([0.5], np.float32)})
        out._core.write("events", [*tables, decoration], [*hits, fit], 1)
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
