"""Random expressions, computed by kaon in several ways and by Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import awkward as ak
import hypothesis.strategies as st

import kaon

from .expression_trees import MEMBERS, Drawing, Tree, as_arrays, random_events
from .harness import BeyondRangeError, Disagreement, Part

EVENTS = 12
COLUMNS = {f"Obj.{name}" for name in [*MEMBERS, "s"]}


@dataclass
class Expressions:
    trees: list[Tree]
    seed: int  # of the events
    cluster: int

    def __repr__(self) -> str:
        return f"expressions {self.trees}, seed of events {self.seed}"


@st.composite
def expressions(draw: Any) -> Expressions:
    drawing = Drawing(draw)
    trees = []
    for _ in range(draw(st.integers(1, 12))):
        size = draw(st.integers(1, 8))
        depth = draw(st.sampled_from([0, 0, 1, 1, 2]))
        is_condition = draw(st.booleans())
        trees.append((drawing.condition if is_condition else drawing.number)(depth, size))
    return Expressions(trees, draw(st.integers(0, 2**32)), draw(st.sampled_from([1, 5, EVENTS])))


def equal(found: Any, expected: Any) -> bool:
    """Return whether values are equal; NaN equals NaN, and 0 equals -0."""
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(map(equal, found, expected))
        )
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return type(found) is type(expected) and found == expected


def check_raises(category: kaon.Category, tree: Tree) -> None:
    """Check that an expression whose integers exceed 64 bits is an error."""
    try:
        found = category.arrays(tree.text)
    except kaon.errors.UsageError as error:
        if "is beyond" in str(error):
            return
        raise
    raise Disagreement(f"{tree} is {found.tolist()}, should be an error: it is beyond 64 bits")


def check(example: Expressions, folder: Path) -> int:
    events = random_events(example.seed, EVENTS)
    path = folder / "a.kaon"
    with kaon.create(path, cluster_entries=example.cluster) as out:
        out["events"].extend(as_arrays(events))
    category = kaon.open(path)["events"]
    cases = 0
    values: list[list[Any]] = []  # of expressions that have values
    trees: list[Tree] = []
    for tree in example.trees:
        try:
            values.append([tree.value(event) for event in events])
            trees.append(tree)
        except BeyondRangeError:
            check_raises(category, tree)
            cases += 1
    if not trees:
        return cases
    texts = [tree.text for tree in trees]
    arrays = category.arrays(list(dict.fromkeys(texts)))
    dataset = kaon.dataset(f"{path}:events")
    taken = [dataset.take(text) for text in texts]
    defined = [dataset.define("defined", text).take("defined") for text in texts]
    kaon.run(*taken, *defined)
    for number, (tree, expected) in enumerate(zip(trees, values, strict=True)):
        column = tuple(tree.text.split(".")) if tree.text in COLUMNS else tree.text
        ways = {"arrays()": arrays[column], "take()": taken[number].value}
        ways["define()"] = defined[number].value
        for way, found in ways.items():
            kind = ak.type(found).content
            while isinstance(kind, ak.types.ListType):
                kind = kind.content
            if str(kind) != tree.kind:
                raise Disagreement(f"{way} of {tree} is {kind}, should be {tree.kind}\n{example}")
            if not equal(found.tolist(), expected):
                wrong = [
                    (is_, should, event)
                    for is_, should, event in zip(found.tolist(), expected, events, strict=True)
                    if not equal(is_, should)
                ]
                is_, should, event = wrong[0]
                values = f"  is        {is_}\n  should be {should}\nof {event}"
                raise Disagreement(f"{way} of {tree}\n{values}")
            cases += 1
    return cases


PART = Part("expressions", "an expression of all events, computed in one way", expressions(), check)
