"""Arrays whose parts are read when they are touched."""

import awkward as ak
import pytest

import kaon
from kaon.results import Accessed


def test_virtual_arrays_equal_arrays(events, path):
    assert events.arrays(virtual=True).tolist() == events.arrays().tolist()
    names = ["Particles.mother", "Hits", "title", "beam"]
    some = events.arrays(names, virtual=True, entry_start=1)
    assert some.tolist() == events.arrays(names, entry_start=1).tolist()
    assert some.fields == ["Particles", "Hits", "title", "beam"]
    runs = kaon.open(path)["runs"]
    assert runs.arrays(virtual=True).number.tolist() == [7, 8]


def test_only_touched_columns_are_read(events):
    log = []
    arrays = events.arrays(virtual=True, access_log=log)
    assert len(arrays) == 3
    assert "mass" in arrays.Particles.fields
    assert log == []
    assert ak.sum(arrays.Particles.PDG, axis=None) == 45
    assert {entry.name for entry in log} == {"Particles", "Particles.PDG"}
    assert log[-1] == Accessed("Particles.PDG", "data")
    read = len(log)
    assert ak.num(arrays.Particles).tolist() == [3, 0, 1]
    assert ak.sum(arrays.Particles.PDG, axis=None) == 45
    assert len(log) == read  # the column was read before
    assert arrays.Hits.energy.tolist() == [[1.5, 0], [], None]
    assert {entry.name for entry in log[read:]} == {"Hits", "Hits.energy"}


def test_virtual_relations_are_followed_and_written(events, model, tmp_path):
    arrays = events.arrays(virtual=True)
    assert arrays.Particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]]
    with kaon.create(tmp_path / "copy.kaon", model=model) as out:
        out["events"].extend(arrays)
    copy = kaon.open(tmp_path / "copy.kaon")["events"].arrays()
    assert copy.Particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]]
    assert copy.Particles.mass.tolist() == arrays.Particles.mass.tolist()


@pytest.mark.parametrize("name", ["Particles.ends", "Particles.daughters.collection", "triggers"])
def test_parts_are_the_same_one_by_one(events, name):
    (column,) = events.arrays([name], virtual=True, how=tuple)
    assert column.tolist() == events[name].array().tolist()


def test_a_member_may_be_called_as_the_references_of_objects_to_themselves(tmp_path):
    hits = ak.Array([[{"_self": 3, "of": {"_self": [True]}}], []])
    with kaon.create(tmp_path / "hits.kaon") as out:
        out["events"].extend({"Hits": hits, "_self": [1.5, 2.5]})
    arrays = kaon.open(tmp_path / "hits.kaon")["events"].arrays(virtual=True)
    assert arrays.Hits.tolist() == hits.tolist()
    assert arrays["_self"].tolist() == [1.5, 2.5]


def test_virtual_arrays_are_those_of_stored_columns(events):
    for arguments in ({"library": "np"}, {"cut": "weight > 1"}, {"expressions": "2 * weight"}):
        with pytest.raises(kaon.errors.UsageError, match="virtual arrays need library='ak'"):
            events.arrays(**arguments, virtual=True)


def test_memory_limits_are_those_of_parts(events):
    arrays = events.arrays(virtual=True, memory_limit=40)
    assert arrays.weight.tolist() == [0.5, 1.5, 2.5]
    with pytest.raises(kaon.errors.MemoryLimitError):
        arrays.Particles.momentum.tolist()
