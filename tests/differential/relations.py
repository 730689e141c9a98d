"""Random relations, followed after operations of Awkward and by Python."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import awkward as ak
import hypothesis.strategies as st
import numpy as np

import kaon

from .harness import Comparison, Part

MODEL = """
schema_version: 1
datatypes:
  t::Hit:
    Description: "."
    Author: "."
    Members:
      - int32_t id // .
      - float x // .
  t::Track:
    Description: "."
    Author: "."
    Members:
      - int32_t id // .
    VectorMembers:
      - int32_t tags // .
    OneToOneRelations:
      - t::Track mother // .
      - t::Hit seed // .
    OneToManyRelations:
      - t::Hit hits // .
      - t::Track others // .
links:
  t::Link: {Description: ., Author: ., From: t::Track, To: t::Hit}
"""

Event = dict[str, list[dict[str, Any]]]


@dataclass
class Relations:
    operations: list[str]
    seed: int
    entries: int
    cluster: int
    is_virtual: bool
    files: int


OPERATIONS = [
    "reversed",
    "masked",
    "sorted",
    "first two",
    "events backwards",
    "some events",
    "joined with itself",
    "packed",
    "picked events",
]


@st.composite
def relations(draw: Any) -> Relations:
    return Relations(
        draw(st.lists(st.sampled_from(OPERATIONS), max_size=5)),
        draw(st.integers(0, 2**32)),
        draw(st.integers(1, 6)),
        draw(st.sampled_from([1, 2, 100])),
        draw(st.booleans()),
        draw(st.sampled_from([1, 1, 2])),
    )


def reference(chance: random.Random, places: list[tuple[str, int]]) -> dict[str, Any] | None:
    """Return a reference to one of the objects, or None."""
    if not places or chance.random() < 0.25:
        return None
    name, index = chance.choice(places)
    return {"index": index, "collection": name}


def references(chance: random.Random, places: list[tuple[str, int]]) -> list[dict[str, Any]]:
    drawn = [reference(chance, places) for _ in range(chance.randrange(4))]
    return [each for each in drawn if each is not None]


def random_events(chance: random.Random, count: int) -> list[Event]:
    events = []
    for entry in range(count):
        numbers = {name: chance.randrange(5) for name in ("Hits", "Far", "Tracks")}

        hits = [(name, i) for name in ("Hits", "Far") for i in range(numbers[name])]
        all_tracks = [("Tracks", i) for i in range(numbers["Tracks"])]
        event: Event = {
            name: [
                {"id": 1000 * entry + 100 * place + index, "x": chance.randrange(50) / 2}
                for index in range(numbers[name])
            ]
            for place, name in enumerate(("Hits", "Far"))
        }
        event["Tracks"] = [
            {
                "id": 1000 * entry + 500 + index,
                "tags": [chance.randrange(9) for _ in range(chance.randrange(3))],
                "mother": reference(chance, all_tracks),
                "seed": reference(chance, hits),
                "hits": references(chance, hits),
                "others": references(chance, all_tracks),
            }
            for index in range(numbers["Tracks"])
        ]
        event["Links"] = [
            {
                "weight": 0.5,
                "from": reference(chance, all_tracks),
                "to": reference(chance, hits),
            }
            for _ in range(chance.randrange(3))
        ]
        events.append(event)
    return events


def resolved(event: Event, object_: dict[str, Any]) -> dict[str, Any]:
    """Return an object that knows its event, so that relations can be followed."""
    object_["event"] = event
    return object_


@dataclass
class Selection:
    """Tracks and links of events, as arrays and in Python."""

    arrays: Any
    tracks: list[list[dict[str, Any]]]
    links: list[list[dict[str, Any]]]


def apply(operation: str, selection: Selection) -> Selection:
    a, tracks, links = selection.arrays, selection.tracks, selection.links
    match operation:
        case "reversed":
            a = ak.with_field(a, a.Tracks[:, ::-1], "Tracks")
            tracks = [event[::-1] for event in tracks]
        case "masked":
            a = ak.with_field(a, a.Tracks[a.Tracks.id % 2 == 0], "Tracks")
            tracks = [[track for track in event if track["id"] % 2 == 0] for event in tracks]
        case "sorted":
            order = ak.argsort(-a.Tracks.id, axis=1)
            a = ak.with_field(a, a.Tracks[order], "Tracks")
            tracks = [sorted(event, key=lambda track: -track["id"]) for event in tracks]
        case "first two":
            a = ak.with_field(a, a.Tracks[:, :2], "Tracks")
            tracks = [event[:2] for event in tracks]
        case "events backwards":
            a, tracks, links = a[::-1], tracks[::-1], links[::-1]
        case "some events":
            mask = np.arange(len(a)) % 3 != 1
            a = a[mask]
            tracks = [event for event, is_kept in zip(tracks, mask, strict=True) if is_kept]
            links = [event for event, is_kept in zip(links, mask, strict=True) if is_kept]
        case "joined with itself":
            a = ak.concatenate([a, a[::-1]])
            tracks, links = tracks + tracks[::-1], links + links[::-1]
        case "packed":
            a = ak.to_packed(a)
        case "picked events":
            places = np.arange(len(a)).repeat(2)[::3]
            a = a[places]
            tracks, links = [tracks[i] for i in places], [links[i] for i in places]
    return Selection(a, tracks, links)


def target(track: dict[str, Any], reference: Any) -> Any:
    if reference is None:
        return None
    return track["event"][reference["collection"]][reference["index"]]


def followed(track: dict[str, Any], path: list[str]) -> Any:
    """Return the value of a path of relations and a member for an object."""
    if len(path) == 1:
        return track[path[0]]
    reference = track[path[0]]
    if isinstance(reference, list):
        return [
            None if (found := target(track, each)) is None else followed(found, path[1:])
            for each in reference
        ]
    found = target(track, reference)
    return None if found is None else followed(found, path[1:])


PATHS = [
    "mother.id",
    "seed.id",
    "seed.x",
    "hits.id",
    "hits.x",
    "others.id",
    "mother.mother.id",
    "mother.hits.id",
    "others.seed.id",
    "others.others.id",
    "mother.tags",
    "others.tags",
]


class Check(Comparison):
    def __init__(self, example: Relations, folder: Path) -> None:
        super().__init__(example)
        chance = random.Random(example.seed)
        model = folder / "t.yaml"
        model.write_text(MODEL)
        arrays = []
        tracks: list[list[dict[str, Any]]] = []
        links: list[list[dict[str, Any]]] = []
        for number in range(example.files):
            events = random_events(chance, example.entries)
            path = folder / f"{number}.kaon"
            given = {name: [event[name] for event in events] for name in events[0]}
            types = {"Hits": "t::Hit", "Far": "t::Hit", "Tracks": "t::Track", "Links": "t::Link"}
            with kaon.create(
                path, model=model, types=types, cluster_entries=example.cluster
            ) as out:
                out["events"].extend(given)
            category = kaon.open(path)["events"]
            arrays.append(category.arrays(virtual=example.is_virtual))
            tracks += [[resolved(event, track) for track in event["Tracks"]] for event in events]
            links += [[resolved(event, link) for link in event["Links"]] for event in events]
            for event in events:
                for name in ("Hits", "Far"):
                    for hit in event[name]:
                        resolved(event, hit)
        whole = arrays[0] if len(arrays) == 1 else ak.concatenate(arrays)
        self.selection = Selection(whole, tracks, links)

    def run(self) -> int:
        for operation in self.example.operations:
            self.selection = apply(operation, self.selection)
        tracks = self.selection.tracks
        for path in PATHS:
            names = path.split(".")
            expected = [[followed(track, names) for track in event] for event in tracks]
            found = self.selection.arrays.Tracks
            for name in names:
                found = getattr(found, name)
            self.expect_lists(path, found, expected)
            if len(names) == 2:
                relation = self.selection.arrays.Tracks[names[0]]
                self.expect_lists(f"follow({path})", kaon.follow(relation, names[1]), expected)
                if ak.any(relation.index >= 0, axis=None):  # else their type is unknown
                    whole = kaon.follow(relation)[names[1]]
                    self.expect_lists(f"follow().{path}", whole, expected)
        for end in ("from", "to"):
            expected = [
                [followed(link, [end, "id"]) for link in event] for event in self.selection.links
            ]
            self.expect_lists(f"Links.{end}.id", self.selection.arrays.Links[end].id, expected)
        return self.cases

    def expect_lists(self, what: str, found: Any, expected: Any) -> None:
        found = found.tolist()
        self.expect(what, found == expected, found, expected)


def check(example: Relations, folder: Path) -> int:
    return Check(example, folder).run()


PART = Part("relations", "a path of relations, followed for all objects", relations(), check)
