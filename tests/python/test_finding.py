"""Entries are found by whole numbers, in files that keep them sorted and in others."""

import awkward as ak
import numpy as np
import pytest

import kaon

COUNT = 20_000
NUMBERS = np.arange(COUNT) * 7919 % COUNT


@pytest.fixture(params=[["run", "event"], []], ids=["keys", "no keys"])
def events(request, tmp_path):
    """Events in no order, a thousand per run, with these keys."""
    path = tmp_path / "events.kaon"
    with kaon.create(path, keys=request.param, cluster_entries=3000) as out:
        out["events"].extend(
            {"run": NUMBERS // 1000, "event": NUMBERS, "weight": np.arange(COUNT) / 2}
        )
    return kaon.open(path)["events"]


def test_one(events):
    assert events.find(run=int(NUMBERS[123]) // 1000, event=int(NUMBERS[123])) == 123
    assert events.find(event=np.int32(NUMBERS[123])) == 123
    assert events.find(run=0, event=1000) is None
    assert events.find(event=COUNT) is None


def test_all(events):
    expected = np.flatnonzero(NUMBERS // 1000 == 7)
    assert np.array_equal(events.find_all(run=7), expected)
    assert events.find_all(run=7).dtype == np.int64
    assert len(events.find_all(run=99)) == 0


def test_many(events):
    picks = np.array([5, 19_999, COUNT, 5, 0])
    entries = events.find_each(run=picks // 1000, event=picks)
    assert [entry if entry is None else NUMBERS[entry] for entry in entries.tolist()] == [
        5,
        19_999,
        None,
        5,
        0,
    ]
    assert len(events.find_each(event=[])) == 0


@pytest.mark.parametrize("keys", [["signed", "unsigned"], []], ids=["keys", "no keys"])
def test_numbers_are_not_their_bits(keys, tmp_path):
    with kaon.create(tmp_path / "events.kaon", keys=keys) as out:
        out["events"].extend(
            {"signed": np.array([-1, 5]), "unsigned": np.array([2**64 - 1, 5], np.uint64)}
        )
    events = kaon.open(tmp_path / "events.kaon")["events"]
    assert events.find(signed=-1) == events.find(unsigned=2**64 - 1) == 0
    assert events.find(signed=2**64 - 1) is None
    assert events.find(unsigned=-1) is None
    assert len(events.find_all(signed=2**64 - 1)) == 0
    assert events.find_each(signed=np.array([2**64 - 1, 5], np.uint64)).tolist() == [None, 1]
    assert events.find_each(unsigned=np.array([-1, 5])).tolist() == [None, 1]
    assert events.find_each(unsigned=np.array([5, 2**64 - 1], np.uint64)).tolist() == [1, 0]


def test_files_are_joined(events, tmp_path):
    with kaon.create(tmp_path / "friend.kaon") as out:
        out["events"].extend(
            {"event": np.array([17, COUNT, 3]), "score": np.array([0.1, 0.2, 0.3])}
        )
    friend = kaon.open(tmp_path / "friend.kaon")["events"].arrays()
    joined = events.arrays(["event", "weight"])[events.find_each(event=friend.event)]
    assert joined.event.tolist() == [17, None, 3]
    assert ak.is_none(joined).tolist() == [False, True, False]


MODEL = """
schema_version: 1
options: {getSyntax: True}
datatypes:
  demo::Header:
    Description: "what an event is called"
    Author: "the tests"
    Members:
      - int32_t run // run
      - int32_t number // event
"""


def test_members_of_collections_with_one_object(tmp_path):
    (tmp_path / "demo.yaml").write_text(MODEL)
    model = kaon.load_model(tmp_path / "demo.yaml")
    path = tmp_path / "events.kaon"

    def write(headers, keys):
        types = {"Header": "demo::Header"}
        with kaon.create(path, model=model, types=types, keys=keys, overwrite=True) as out:
            out["events"].extend({"Header": ak.Array(headers)})

    write([[{"run": 2, "number": 5}], [{"run": 1, "number": 9}]], ["Header.run", "Header.number"])
    events = kaon.open(path)["events"]
    assert events.find(**{"Header.number": 9, "Header.run": 1}) == 1
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"weights": [[0.5]]})
    for join in (kaon.convert, kaon.merge):
        join([path, path], tmp_path / "both.kaon", overwrite=True)
        twice = kaon.open(tmp_path / "both.kaon")["events"].find_all(**{"Header.number": 9})
        assert twice.tolist() == [1, 3]
        join([path, tmp_path / "other.kaon"], tmp_path / "all.kaon", overwrite=True)
        assert len(kaon.open(tmp_path / "all.kaon")["events"]) == 3, "one of which has no header"
    with pytest.raises(ValueError, match=r"must have one 'Header.run' .* entry 1 has none"):
        write([[{"run": 1, "number": 2}], []], ["Header.run"])


def test_show_tells_which_keys_are_sorted(tmp_path, capsys):
    path = tmp_path / "events.kaon"
    with kaon.create(path, keys=["run", "event"]) as out:
        out["events"].extend({"event": [3], "run": [7]})
    kaon.open(path)["events"].show()
    assert ", sorted keys: run, event" in capsys.readouterr().out
    kaon.convert(path, tmp_path / "copy.kaon")
    kaon.open(tmp_path / "copy.kaon")["events"].show()
    assert ", sorted keys: run, event" in capsys.readouterr().out


def test_find_reports_wrong_keys(events):
    with pytest.raises(KeyError, match=r"did you mean 'event'"):
        events.find(evnt=1)
    with pytest.raises(TypeError, match="the value of 'event' must be an integer, not 1.5"):
        events.find(event=1.5)
    with pytest.raises(TypeError, match="'weight' is not an integer"):
        events.find(weight=1)
    with pytest.raises(ValueError, match="give at least one value to find an event by"):
        events.find()
    with pytest.raises(TypeError, match="not of float64 with 1 dimensions"):
        events.find_each(event=[1.5])
    with pytest.raises(TypeError, match="'event' has masked values"):
        events.find_each(event=np.ma.array([1, 2], mask=[True, False]))
    with pytest.raises(ValueError, match="'run' has 2 and 'event' has 1"):
        events.find_each(run=[1, 2], event=[1])
