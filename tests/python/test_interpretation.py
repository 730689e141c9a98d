"""Bytes that the code of experiments wrote, as users describe them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kaon

FILE = Path(__file__).parents[1] / "data" / "root" / "ttree_streamed.root"
HIT = {"dom_id": "i4", "channel_id": "u1", "time": "<u4", "tot": "u1"}
LAYOUTS: dict[str, Any] = {
    "JDAQSnapshotHit": HIT,
    "JDAQTriggeredHit": {**HIT, "@mask": {"@header": True, "trigger_mask": "u8"}},
    "Status": {
        "@header": True,
        "number": "i2",
        "@gap": 2,
        "digits": ["i1", "u2"],
        "halves": ["f4", "number"],
        "marks": ["u1", 3],
        "text": "string",
        "squares": ["f8"],
    },
}


@pytest.fixture(autouse=True)
def no_layouts_remain() -> Iterator[None]:
    yield
    for name in (*LAYOUTS, "JDAQEvent.status"):
        kaon.interpret(name, None)


def hit_of(number: int) -> dict[str, int]:
    return {
        "dom_id": 1000 + number,
        "channel_id": number,
        "time": 1_000_000 * number + 5,
        "tot": 3 * number,
    }


def status_of(entry: int) -> dict[str, Any]:
    return {
        "number": entry,
        "digits": [entry],
        "halves": [0.5 * i for i in range(entry)],
        "marks": [0, 1, 2],
        "text": f"status {entry}",
        "squares": [i * i for i in range(entry)],
    }


@pytest.mark.parametrize("tree", ["whole", "KM3NET_EVENT"])
def test_described_classes_are_read(tree: str) -> None:
    for name, layout in LAYOUTS.items():
        kaon.interpret(name, layout)
    category = kaon.open(FILE)[tree]
    assert category.unreadable == []
    arrays = category.arrays()
    assert len(arrays) == 5
    for entry, event in enumerate(arrays.event):
        hits = [hit_of(10 * entry + i) for i in range(entry)]
        assert event.snapshotHits.to_list() == hits
        masks = [{**hit_of(entry), "trigger_mask": 2 ** (40 + entry)}] * (entry % 2)
        assert event.triggeredHits.to_list() == masks
        assert event.status.to_list() == arrays.status[entry].to_list() == status_of(entry)
        for i, frame in enumerate(event.frames):
            assert (frame.id, frame.numberOfHits, frame.status) == (100 + i, entry + i, -i)
            assert frame.buffer.to_list() == [hit_of(k) for k in range(entry + i)]


def test_one_member_can_be_described() -> None:
    kaon.interpret("JDAQEvent.status", {"@header": True, "number": "i2", "others": ["u1"]})
    category = kaon.open(FILE)["KM3NET_EVENT"]
    assert "status" not in category  # the class of the other branch is not described
    status = category.arrays("event.status").event.status
    assert status.number.to_list() == [*range(5)]
    assert status.others[0].to_list() == [255, 255, 0, 1, 0, 0, 1, 2, 8, *b"status 0"]


def test_layouts_apply_until_they_are_removed() -> None:
    kaon.interpret("JDAQSnapshotHit", HIT)
    described = kaon.open(FILE)["KM3NET_EVENT"]
    kaon.interpret("JDAQSnapshotHit", None)
    plain = kaon.open(FILE)["KM3NET_EVENT"]
    assert "event.snapshotHits.time" in described
    assert "event.snapshotHits.time" not in plain
    assert described.arrays("event.snapshotHits").event.snapshotHits.tot[1].to_list() == [30]


def test_a_layout_of_another_size_reads_nothing() -> None:
    kaon.interpret("JDAQSnapshotHit", {"dom_id": "i4", "channel_id": "u1"})
    category = kaon.open(FILE)["KM3NET_EVENT"]
    (reason,) = [reason for name, _, reason in category.unreadable if name == "snapshotHits"]
    assert "another length than it says" in reason
    assert "damaged" not in reason


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ({"a": "u3"}, r"'X.a' has the unknown type 'u3' \(did you mean 'u1'"),
        ({"a": ["u1", "n"]}, r"'X.a\[\]' has a list of length 'n', but no integer with this name"),
        ({"n": "f4", "a": ["u1", "n"]}, "no integer with this name"),
        ({"a": 6}, "'X.a' is a number; to skip bytes, use a name that begins with '@'"),
        ({"@a": 0}, "'X.@a' skips 0 bytes"),
        (["u1", 2, 3], "a list of 3 things"),
        (["u1", "f4"], "a count of type 'f4', which is no integer"),
        (["u1", 2.5], "a length that is no number, member or type"),
        ({}, "'X' has no members"),
        ({"a": ["u1", 0]}, "an array of 0 elements"),
        ({"a.b": "u1"}, "a name that is empty or has a dot"),
        ({"u1": "u1"}, "has the name of a type"),
        ({"a": [["u1"]]}, "elements that can have no bytes"),
        ({"a": "u1", "@header": True}, "before all members"),
        (3.5, "'X' is no type, list or members"),
        ({"a": object()}, "is no layout"),
    ],
)
def test_mistakes_in_layouts_are_named(layout: Any, message: str) -> None:
    with pytest.raises(kaon.errors.UsageError, match=message):
        kaon.interpret("X", layout)


def test_numbers_need_no_layout() -> None:
    with pytest.raises(kaon.errors.UsageError, match="'Int_t' is no name of a class"):
        kaon.interpret("Int_t", "u4")
