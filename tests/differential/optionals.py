"""Random expressions of optional values and arrays, and of arrays of length one.

The rules are those of docs/expressions.md, "Missing values", for one object at a time. A missing
number or list is None, and so is a missing number in a list.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis.strategies as st

import kaon

from .harness import Disagreement, Part

MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  opt::At:
    Members: [double x, "std::optional<double> z // if known", "std::array<double, 2> cells"]
datatypes:
  opt::Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - double n // always there
      - std::optional<double> time // when
      - std::optional<opt::At> at // where
      - std::optional<std::array<double, 2>> range // of layers
      - std::array<double, 2> pair // always there
      - std::array<double, 1> one // an array of one
      - std::optional<std::array<double, 1>> lone // the same, if any
"""

Hit = dict[str, Any]
Value = Callable[[Hit], Any]


@dataclass
class Tree:
    """An expression of one object, and its value by the rules.

    Attributes
    ----------
    size
        The number of values of a list; 0 for a number.
    lists
        Whether the whole list may be missing.
    lacks
        Whether the number, or numbers in a present list, may be missing.
    """

    text: str
    value: Value
    size: int = 0
    lists: bool = False
    lacks: bool = False

    def __repr__(self) -> str:
        return self.text


def _at(name: str) -> Value:
    return lambda hit: None if hit["at"] is None else hit["at"][name]


NUMBERS = [
    Tree("H.n", lambda hit: hit["n"]),
    Tree("H.time", lambda hit: hit["time"], lacks=True),
    Tree("H.time.value", lambda hit: hit["time"], lacks=True),
    Tree("column('H.time.value')", lambda hit: hit["time"], lacks=True),
    Tree("H.at.x", _at("x"), lacks=True),
    Tree("H.at.z", _at("z"), lacks=True),
]
ARRAYS = [
    Tree("H.range", lambda hit: hit["range"], 2, lists=True),
    Tree("column('H.range.value')", lambda hit: hit["range"], 2, lists=True),
    Tree("H.pair", lambda hit: hit["pair"], 2),
    Tree("H.at.cells", _at("cells"), 2, lists=True),
    Tree("H.one", lambda hit: hit["one"], 1),
    Tree("H.lone", lambda hit: hit["lone"], 1, lists=True),
]
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
TESTS = {"<": operator.lt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
REDUCTIONS = {  # reductions with a finite result for an empty list
    "sum": lambda values: sum(values, 0.0),
    "prod": lambda values: math.prod(values, start=1.0),
    "count": len,
}


def _combined(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Return the result for two numbers, or for lists and numbers; None if one is missing."""
    if isinstance(a, list) or isinstance(b, list):
        size = len(a if isinstance(a, list) else b)
        firsts = a if isinstance(a, list) else [a] * size
        seconds = b if isinstance(b, list) else [b] * size
        return [_combined(function, x, y) for x, y in zip(firsts, seconds, strict=True)]
    return None if a is None or b is None else function(a, b)


def _spread(value: Any, size: int) -> Any:
    return value if isinstance(value, list) else [value] * size


class Drawing:
    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def choose(self, options: Any) -> Any:
        return self._draw(st.sampled_from(list(options)))

    def literal(self) -> float:
        return float(self._draw(st.integers(-3, 3)))

    # Numbers of one object.

    def number(self, depth: int) -> Tree:
        if depth <= 0:
            return self.choose(NUMBERS)
        kind = self.choose(
            "binary literal negative least default conditional reduction taken chosen sum".split()
        )
        return getattr(self, f"_number_{kind}")(depth - 1)  # type: ignore[no-any-return]

    def _number_binary(self, depth: int) -> Tree:
        sign, a, b = self.choose(SIGNS), self.number(depth), self.number(depth)
        return Tree(
            f"({a} {sign} {b})",
            lambda hit: _combined(SIGNS[sign], a.value(hit), b.value(hit)),
            lacks=a.lacks or b.lacks,
        )

    def _number_literal(self, depth: int) -> Tree:
        a, literal = self.number(depth), self.literal()
        return Tree(
            f"({a} + {literal})",
            lambda hit: _combined(operator.add, a.value(hit), literal),
            lacks=a.lacks,
        )

    def _number_negative(self, depth: int) -> Tree:
        a = self.number(depth)
        return Tree(
            f"(-{a})", lambda hit: _combined(operator.sub, 0.0, a.value(hit)), lacks=a.lacks
        )

    def _number_least(self, depth: int) -> Tree:
        a, b = self.number(depth), self.number(depth)
        return Tree(
            f"min({a}, {b})",
            lambda hit: _combined(min, a.value(hit), b.value(hit)),
            lacks=a.lacks or b.lacks,
        )

    def _number_default(self, depth: int) -> Tree:
        a, b = self.number(depth), self.number(depth)
        return Tree(
            f"default({a}, {b})",
            lambda hit: b.value(hit) if a.value(hit) is None else a.value(hit),
            lacks=a.lacks and b.lacks,
        )

    def _number_conditional(self, depth: int) -> Tree:
        a, b, condition = self.number(depth), self.number(depth), self.condition(depth)
        return Tree(
            f"({a} if {condition} else {b})",
            lambda hit: (a if condition.value(hit) else b).value(hit),
            lacks=a.lacks or b.lacks,
        )

    def _reduced(self, name: str, of: str, a: Tree, keep: Value | None = None) -> Tree:
        """Return a reduction of a list, or of the values that a mask keeps."""

        def value(hit: Hit) -> Any:
            values = a.value(hit)
            if values is None:
                return None
            kept = keep(hit) if keep else [True] * len(values)
            return REDUCTIONS[name](
                [x for x, isKept in zip(values, kept, strict=True) if isKept and x is not None]
            )

        return Tree(f"{name}({of})", value, lacks=a.lists)

    def _number_reduction(self, depth: int) -> Tree:
        a = self.array(depth)
        return self._reduced(self.choose(REDUCTIONS), a.text, a)

    def _number_chosen(self, depth: int) -> Tree:
        a = self.array(depth)
        mask = self.mask(depth, a.size)
        return self._reduced(self.choose(REDUCTIONS), f"({a})[{mask}]", a, mask.value)

    def _number_taken(self, depth: int) -> Tree:
        a, literal = self.array(depth), self.literal()
        index = self.choose([0, 1, -1])

        def value(hit: Hit) -> Any:
            values = a.value(hit)
            if values is None:
                return None
            return values[index] if -len(values) <= index < len(values) else literal

        return Tree(f"get({a}, {index}, {literal})", value, lacks=a.lists or a.lacks)

    def _number_sum(self, depth: int) -> Tree:
        mask = self.mask(depth, self.choose([1, 2]))
        return Tree(f"sum({mask})", lambda hit: sum(mask.value(hit)))

    # Lists of numbers of one object.

    def array(self, depth: int, size: int | None = None) -> Tree:
        size = size or self.choose([1, 2])
        if depth <= 0:
            return self.choose([array for array in ARRAYS if array.size == size])
        kind = self.choose("binary number default conditional chosen".split())
        return getattr(self, f"_array_{kind}")(depth - 1, size)  # type: ignore[no-any-return]

    def _array_binary(self, depth: int, size: int) -> Tree:
        sign, a, b = self.choose(SIGNS), self.array(depth, size), self.array(depth, size)

        def value(hit: Hit) -> Any:
            one, other = a.value(hit), b.value(hit)
            return None if one is None or other is None else _combined(SIGNS[sign], one, other)

        return Tree(f"({a} {sign} {b})", value, size, a.lists or b.lists, a.lacks or b.lacks)

    def _array_number(self, depth: int, size: int) -> Tree:
        sign, a, b = self.choose(SIGNS), self.array(depth, size), self.number(depth)

        def value(hit: Hit) -> Any:
            values = a.value(hit)
            return None if values is None else _combined(SIGNS[sign], values, b.value(hit))

        return Tree(f"({a} {sign} {b})", value, size, a.lists, a.lacks or b.lacks)

    def _other(self, depth: int, size: int) -> Tree:
        """Draw a list, or a number that applies to each value of the list."""
        return self.array(depth, size) if self.choose([True, False]) else self.number(depth)

    def _array_default(self, depth: int, size: int) -> Tree:
        a, b = self.array(depth, size), self._other(depth, size)
        if not a.lists and not a.lacks:
            return Tree(f"default({a}, {b})", a.value, size)
        if a.lists and not a.lacks:  # the list or the other operand

            def whole(hit: Hit) -> Any:
                values, other = a.value(hit), b.value(hit)
                if values is not None:
                    return values
                return None if b.size and other is None else _spread(other, size)

            return Tree(f"default({a}, {b})", whole, size, b.lists, b.lacks)

        def each(hit: Hit) -> Any:
            values, others = _spread(a.value(hit), size), _spread(b.value(hit), size)
            return [y if x is None else x for x, y in zip(values, others, strict=True)]

        return Tree(f"default({a}, {b})", each, size, False, b.lists or b.lacks)

    def _array_conditional(self, depth: int, size: int) -> Tree:
        a, b, condition = self.array(depth, size), self._other(depth, size), self.condition(depth)

        def value(hit: Hit) -> Any:
            if condition.value(hit):
                return a.value(hit)
            other = b.value(hit)
            return None if b.size and other is None else _spread(other, size)

        lacks = a.lacks or b.lacks
        return Tree(f"({a} if {condition} else {b})", value, size, a.lists or b.lists, lacks)

    def _array_chosen(self, depth: int, size: int) -> Tree:
        """Draw a choice value by value; the whole list is never missing."""
        a, b, mask = self.array(depth, size), self._other(depth, size), self.mask(depth, size)

        def value(hit: Hit) -> Any:
            firsts, seconds = _spread(a.value(hit), size), _spread(b.value(hit), size)
            return [
                x if isChosen else y
                for isChosen, x, y in zip(mask.value(hit), firsts, seconds, strict=True)
            ]

        mayBeMissing = a.lists or a.lacks or b.lists or b.lacks
        return Tree(f"where({mask}, {a}, {b})", value, size, False, mayBeMissing)

    # Conditions of one object, and lists of conditions. They are never missing.

    def condition(self, depth: int) -> Tree:
        kind = self.choose("test test has any not and".split())
        if kind == "any":
            name, mask = self.choose(["any", "all"]), self.mask(depth - 1, self.choose([1, 2]))
            function = any if name == "any" else all
            return Tree(f"{name}({mask})", lambda hit: function(mask.value(hit)))
        if kind == "not" and depth > 0:
            a = self.condition(depth - 1)
            return Tree(f"(not {a})", lambda hit: not a.value(hit))
        if kind == "and" and depth > 0:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return Tree(f"({a} and {b})", lambda hit: a.value(hit) and b.value(hit))
        if kind == "has":
            a = self.choose([*NUMBERS, *(array for array in ARRAYS if array.lists)])
            # Alone, it would imply that a value chosen by it is present.
            return Tree(f"(not not has({a}))", lambda hit: a.value(hit) is not None)
        test, a, b = self.choose(TESTS), self.number(depth - 1), self.number(depth - 1)
        return Tree(
            f"({a} {test} {b})",
            lambda hit: bool(_combined(TESTS[test], a.value(hit), b.value(hit))),
        )

    def mask(self, depth: int, size: int) -> Tree:
        test, a, b = self.choose(TESTS), self.array(depth, size), self._other(depth, size)

        def value(hit: Hit) -> Any:
            firsts, seconds = _spread(a.value(hit), size), _spread(b.value(hit), size)
            return [bool(x) for x in _combined(TESTS[test], firsts, seconds)]

        return Tree(f"({a} {test} {b})", value, size)


@dataclass
class Optionals:
    trees: list[Tree]
    seed: int  # of the events

    def __repr__(self) -> str:
        return f"expressions {self.trees}, seed of events {self.seed}"


@st.composite
def optionals(draw: Any) -> Optionals:
    drawing = Drawing(draw)
    trees: list[Tree] = []
    for _ in range(draw(st.integers(1, 10))):
        depth = draw(st.integers(0, 4))
        kind = draw(st.sampled_from(["number", "array", "condition", "mask", "has"]))
        if kind == "has":
            a = drawing.choose([*NUMBERS, *(array for array in ARRAYS if array.lists)])
            trees.append(Tree(f"has({a})", lambda hit, a=a: a.value(hit) is not None))
        elif kind == "mask":
            trees.append(drawing.mask(depth, draw(st.sampled_from([1, 2]))))
        else:
            trees.append(getattr(drawing, kind)(depth))
    return Optionals(trees, draw(st.integers(0, 2**32)))


def random_hits(seed: int) -> list[list[Hit]]:
    chance = random.Random(seed)

    def number() -> float:
        return float(chance.randrange(-2, 4))

    def perhaps(make: Callable[[], Any]) -> Any:
        return make() if chance.random() < 0.6 else None

    def hit() -> Hit:
        return {
            "n": number(),
            "time": perhaps(number),
            "at": perhaps(
                lambda: {"x": number(), "z": perhaps(number), "cells": [number(), number()]}
            ),
            "range": perhaps(lambda: [number(), number()]),
            "pair": [number(), number()],
            "one": [number()],
            "lone": perhaps(lambda: [number()]),
        }

    return [[hit() for _ in range(chance.randrange(4))] for _ in range(6)]


def check(example: Optionals, folder: Path) -> int:
    events = random_hits(example.seed)
    (folder / "opt.yaml").write_text(MODEL)
    model = kaon.load_model(folder / "opt.yaml")
    with kaon.create(folder / "a.kaon", model=model) as out:
        for hits in events:
            frame = kaon.Frame()
            frame["H"] = kaon.Collection(
                model.Hit,
                [model.Hit(**{k: v for k, v in hit.items() if v is not None}) for hit in hits],
            )
            out["events"].write(frame)
    category = kaon.open(folder / "a.kaon")["events"]
    dataset = kaon.dataset(f"{folder}/a.kaon:events")
    objects = dataset.explode("H")
    cases = 0
    for tree in example.trees:
        expected = [[tree.value(hit) for hit in hits] for hits in events]
        flat = [value for values in expected for value in values]
        ways = {
            "arrays()": (category.arrays([tree.text], how=list)[0], expected),
            "take()": (dataset.take(tree.text).value, expected),
            "define()": (dataset.define("x", tree.text).take("x").value, expected),
            "explode()": (objects.take(tree.text).value, flat),
        }
        for way, (found, values) in ways.items():
            if found.tolist() != values:
                raise Disagreement(
                    f"{way} of {tree}\n  is        {found.tolist()}\n  should be {values}\n"
                    f"of {events}"
                )
            cases += 1
    return cases


PART = Part("optionals", "an expression of all objects, computed in one way", optionals(), check)
