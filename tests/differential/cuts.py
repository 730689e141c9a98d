"""Random cuts: skipping data by their bounds never changes which entries pass."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import awkward as ak
import hypothesis.strategies as st
import numpy as np

import kaon

from .expression_trees import (
    MEMBERS,
    NUMBERS,
    TEXTS,
    Drawing,
    Event,
    Tree,
    as_arrays,
    random_list,
    random_number,
)
from .harness import Disagreement, Part

CLUSTERS = 8


@dataclass
class Cuts:
    trees: list[Tree]
    seed: int  # of the events
    cluster: int

    def __repr__(self) -> str:
        return f"cuts {self.trees}, seed of events {self.seed}, {self.cluster} in a cluster"


class EdgeDrawing(Drawing):
    """Draws conditions with numbers near those of events, and near the limits of types."""

    def written(self, kinds: str = "any") -> Tree:
        if self.choice([True, False]):
            return super().written(kinds)
        numbers = [0, 1, 5, 50, 99, 127, 128, 255, 2**31 - 1, 2**53, 2**53 + 1, 2**63 - 1]
        number: Any = self.choice(numbers + [-each for each in numbers[1:]])
        kind = "int64"
        if kinds != "integer" and self.choice([False, False, True]):
            number, kind = float(number), "float64"
        text = f"({number})" if number < 0 else str(number)
        return Tree(text, kind, 0, lambda _: number, "", True)


@st.composite
def cuts(draw: Any) -> Cuts:
    drawing = EdgeDrawing(draw)
    trees = [
        drawing.condition(0, draw(st.sampled_from([1, 1, 2, 3, 6])))
        for _ in range(draw(st.integers(1, 16)))
    ]
    return Cuts(trees, draw(st.integers(0, 2**32)), draw(st.sampled_from([1, 3, 10])))


def clustered_events(seed: int, cluster: int) -> list[Event]:
    """Return events that are similar within a cluster, so that bounds differ between clusters."""
    chance = random.Random(seed)
    events: list[Event] = []
    for _ in range(CLUSTERS):
        values = {
            name: [random_number(kind, chance, True) for _ in range(chance.choice([1, 2]))]
            for name, kind in (NUMBERS | MEMBERS).items()
        }
        most = chance.choice([0, 1, 3])
        for _ in range(cluster):
            event = {name: chance.choice(values[name]) for name in NUMBERS}
            event["Obj"] = [
                {name: chance.choice(values[name]) for name in MEMBERS}
                | {"s": random_list(chance, True)}
                for _ in range(chance.randrange(most + 1))
            ]
            event["title"] = chance.choice(TEXTS)
            event["is_absent"] = not event["Obj"] and chance.random() < 0.5
            events.append(event)
    return events


def check(example: Cuts, folder: Path) -> int:
    events = clustered_events(example.seed, example.cluster)
    arrays = as_arrays(events)
    absent = np.array([event["is_absent"] for event in events])
    arrays["Obj"] = ak.mask(arrays["Obj"], ~absent)
    arrays["number"] = np.arange(len(events))
    path = folder / "a.kaon"
    with kaon.create(path, cluster_entries=example.cluster) as out:
        out["events"].extend(arrays)
    passes = [
        [place for place, event in enumerate(events) if tree.value(event)] for tree in example.trees
    ]
    category = kaon.open(path)["events"]
    dataset = kaon.dataset(f"{path}:events")
    taken = [dataset.filter(tree.text).take("number") for tree in example.trees]
    counts = [dataset.filter(tree.text).count() for tree in example.trees]
    kaon.run(*taken, *counts)
    for number, (tree, passing) in enumerate(zip(example.trees, passes, strict=True)):
        ways = {
            "arrays()": category.arrays(["number"], tree.text).number.tolist(),
            "iterate()": [
                place
                for part in category.iterate(["number"], cut=tree.text, step_size=7)
                for place in part.number.tolist()
            ],
            "filter()": taken[number].value.tolist(),
        }
        for way, found in ways.items():
            if found != passing:
                wrong = sorted(set(found) ^ set(passing))[0]
                raise Disagreement(
                    f"{way} with the cut {tree}\n  has       {found}\n  should be {passing}\n"
                    f"entry {wrong} is {events[wrong]}"
                )
        if counts[number].value != len(passing):
            raise Disagreement(f"count() after {tree} is {counts[number]}, not {len(passing)}")
    return len(example.trees) * 4


PART = Part("cuts", "a cut of all entries, made in one way", cuts(), check)
