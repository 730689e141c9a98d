"""Random pipelines of optional columns, and the same in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis.strategies as st

import kaon

from .expressions import equal
from .harness import Comparison, Part, shares
from .pipelines import flat, histogram, is_close

EVENTS = 25
FORMATS = [("a.kaon", {}), ("a.kaon", {"layout": "row"}), ("a.root", {}), ("a.h5", {})]
TREE = ("a.root", {"format": "ttree"})

MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  opt::Point:
    Members: [double x, "std::optional<double> z // if known"]
datatypes:
  opt::Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - int32_t n // of the hit
      - std::optional<double> t // when
      - std::optional<int64_t> i // of what
      - std::optional<bool> b // or bad
      - std::optional<opt::Point> at // where
"""

Event = dict[str, Any]


@cache
def model() -> Any:
    with TemporaryDirectory(prefix="kaon-") as folder:
        (Path(folder) / "opt.yaml").write_text(MODEL)
        return kaon.load_model(Path(folder) / "opt.yaml")


@dataclass(frozen=True)
class Tree:
    """An expression. Its value in an event is a number, None, or a list of these."""

    text: str
    depth: int
    value: Callable[[Event], Any]

    def __repr__(self) -> str:
        return self.text


def mapped(function: Callable[..., Any], trees: list[Tree], event: Event) -> Any:
    """Call a function value by value; single values apply to each value of a list."""
    values = [tree.value(event) for tree in trees]
    sizes = [len(value) for value in values if isinstance(value, list)]
    if not sizes:
        return function(*values)
    spread = [value if isinstance(value, list) else [value] * sizes[0] for value in values]
    return [function(*one) for one in zip(*spread, strict=True)]


def known(function: Callable[..., Any], missing: Any = None) -> Callable[..., Any]:
    """Return a function that returns `missing` if one of its arguments is missing."""
    return lambda *values: missing if None in values else function(*values)


OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    "!=": lambda a, b: a != b,
}


class Drawing:
    """Draws expressions of numbers that may be missing; all numbers are float64."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.columns = [
            Tree("H.t", 1, lambda e: e.get("H.t", [hit["t"] for hit in e["H"]])),
            Tree("H.at.x", 1, lambda e: [hit["at"] and hit["at"]["x"] for hit in e["H"]]),
            Tree("H.at.z", 1, lambda e: [hit["at"] and hit["at"]["z"] for hit in e["H"]]),
            Tree(
                "float(H.i)",
                1,
                lambda e: [None if hit["i"] is None else float(hit["i"]) for hit in e["H"]],
            ),
            Tree("(1.0 * H.n)", 1, lambda e: [float(hit["n"]) for hit in e["H"]]),
        ]

    def choice(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def number(self, depth: int, size: int, is_elementwise: bool = False) -> Tree:
        """Draw numbers of an event or of each hit."""
        if size <= 1:
            columns = [each for each in self.columns if each.depth == depth]
            return self.choice(columns) if columns else self.reduced(1)
        ways = ["binary", "binary", "conditional", "default", "column"]
        ways += ["reduced", "reduced"] if depth == 0 and not is_elementwise else []
        way = self.choice(ways)
        if way == "reduced":
            return self.reduced(size - 1)
        if way == "column":
            return self.number(depth, 1)
        one = self.number(depth, size // 2, is_elementwise)
        if way == "default":
            number = self.choice([0.0, -1.5, 30.0])
            return Tree(
                f"default({one}, {number})",
                depth,
                lambda e: mapped(lambda a: number if a is None else a, [one], e),
            )
        other = self.number(depth, size // 2, is_elementwise)
        if way == "conditional":
            condition = self.condition(depth, size // 2, is_elementwise)
            return Tree(
                f"({one} if {condition} else {other})",
                depth,
                lambda e: mapped(lambda c, a, b: a if c else b, [condition, one, other], e),
            )
        symbol = self.choice(list(OPERATIONS))
        return Tree(
            f"({one} {symbol} {other})",
            depth,
            lambda e: mapped(known(OPERATIONS[symbol]), [one, other], e),
        )

    def reduced(self, size: int) -> Tree:
        of = self.number(1, size)
        way = self.choice(["sum", "count", "first", "least"])
        if way == "first":
            return Tree(f"first({of}, 2.5)", 0, lambda e: [*of.value(e), 2.5][0])
        if way == "least":
            return Tree(
                f"(min({of}) if count({of}) > 0 else -7.0)",
                0,
                lambda e: min((v for v in of.value(e) if v is not None), default=-7.0),
            )
        if way == "count":
            return Tree(
                f"(1.0 * count({of}))", 0, lambda e: float(sum(v is not None for v in of.value(e)))
            )
        return Tree(f"sum({of})", 0, lambda e: float(sum(v for v in of.value(e) if v is not None)))

    def condition(self, depth: int, size: int, is_elementwise: bool = False) -> Tree:
        way = self.choice(["compare", "compare", "has", "not", "and", "good"])
        if way == "good" and depth == 1:
            return Tree("H.b", 1, lambda e: [bool(hit["b"]) for hit in e["H"]])
        if way in ("not", "and") and size > 1:
            one = self.condition(depth, size // 2, is_elementwise)
            if way == "not":
                return Tree(f"(not {one})", depth, lambda e: mapped(lambda a: not a, [one], e))
            other = self.condition(depth, size // 2, is_elementwise)
            return Tree(
                f"({one} and {other})",
                depth,
                lambda e: mapped(lambda a, b: a and b, [one, other], e),
            )
        number = self.number(depth, size - 1, is_elementwise)
        if way == "has":
            return Tree(
                f"has({number})", depth, lambda e: mapped(lambda a: a is not None, [number], e)
            )
        limit = self.choice([0.0, 5.25, 12.0])
        symbol = self.choice(list(COMPARISONS))
        return Tree(
            f"({number} {symbol} {limit})",
            depth,
            lambda e: mapped(known(lambda a: COMPARISONS[symbol](a, limit), False), [number], e),
        )


@dataclass
class Step:
    """A step. `apply` returns the changed event, or None if it does not pass."""

    text: str
    book: Callable[[Any], Any]
    apply: Callable[[Event, bool], Event | None]  # with the flag of the variation

    def __repr__(self) -> str:
        return self.text


@dataclass
class Pipeline:
    steps: list[Step]
    results: list[Tree]
    objects: Tree  # a condition on hits
    written: list[str]
    form: int
    files: int
    seed: int
    names: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return (
            f"steps {self.steps}, results {self.results}, objects {self.objects}, "
            f"written {self.written} as {self.form}, {self.files} files, seed {self.seed}"
        )


class Steps:
    def __init__(self, draw: Any) -> None:
        self.drawing = Drawing(draw)
        self.draw = draw
        self.names: list[str] = []  # of defined columns

    def step(self, number: int) -> Step:
        way = self.drawing.choice(["define", "define", "filter", "redefine", "alias", "vary"])
        return getattr(self, way)(number)

    def size(self) -> int:
        return self.draw(st.integers(1, 5))

    def remember(self, name: str, depth: int) -> None:
        self.names.append(name)
        self.drawing.columns.append(Tree(name, depth, lambda e: e[name]))

    def define(self, number: int) -> Step:
        depth = self.drawing.choice([0, 1, 1])
        name = (
            f"new{number}" if depth == 0 or self.drawing.choice([True, False]) else f"H.new{number}"
        )
        tree = self.drawing.number(depth, self.size())
        self.remember(name, depth)
        return Step(
            f"define({name}, {tree})",
            lambda frame: frame.define(name, tree.text),
            lambda event, _: event | {name: tree.value(event)},
        )

    def alias(self, number: int) -> Step:
        name = f"new{number}"
        of = self.drawing.choice([each for each in self.drawing.columns if "(" not in each.text])
        self.remember(name, of.depth)
        return Step(
            f"alias({name}, {of})",
            lambda frame: frame.alias(name, of.text),
            lambda event, _: event | {name: of.value(event)},
        )

    def filter(self, _: int) -> Step:
        tree = self.drawing.condition(0, self.size())
        return Step(
            f"filter({tree})",
            lambda frame: frame.filter(tree.text),
            lambda event, _: event if tree.value(event) else None,
        )

    def target(self) -> Tree:
        return self.drawing.choice(
            [each for each in self.drawing.columns if each.text in ("H.t", *self.names)]
        )

    def redefine(self, _: int) -> Step:
        column = self.target()
        tree = self.drawing.number(column.depth, self.size())
        return Step(
            f"redefine({column}, {tree})",
            lambda frame: frame.redefine(column.text, tree.text),
            lambda event, _: event | {column.text: tree.value(event)},
        )

    def vary(self, _: int) -> Step:
        column = self.target()
        tree = self.drawing.number(column.depth, self.size())
        return Step(
            f"vary({column}, {tree})",
            lambda frame: frame.vary(column.text, {"up": tree.text}),
            lambda event, is_up: event | {column.text: (tree if is_up else column).value(event)},
        )


@st.composite
def pipelines(draw: Any) -> Pipeline:
    steps = Steps(draw)
    drawn = [steps.step(number) for number in range(draw(st.integers(0, 6)))]
    drawing = steps.drawing
    results = [
        drawing.number(draw(st.sampled_from([0, 1, 1])), draw(st.integers(1, 4)))
        for _ in range(draw(st.integers(1, 3)))
    ]
    plain = [name for name in steps.names if not name.startswith("H.")]
    ways = [["H", *steps.names], [*plain, "H.t", "H.at.x"], ["H"], []]
    of_hits = Drawing(draw)
    of_hits.columns += [each for each in drawing.columns if each.text.startswith("H.new")]
    return Pipeline(
        drawn,
        results,
        of_hits.condition(1, draw(st.integers(1, 3)), is_elementwise=True),
        draw(st.sampled_from(ways)),
        draw(st.integers(0, len(FORMATS))),
        draw(st.integers(1, 3)),
        draw(st.integers(0, 2**32)),
        steps.names,
    )


# Events.


def random_events(seed: int) -> list[Event]:
    chance = random.Random(seed)

    def maybe(value: Any) -> Any:
        return value if chance.random() < 0.65 else None

    def number() -> float:
        return chance.randrange(-40, 100) / 4

    return [
        {
            "H": [
                {
                    "n": chance.randrange(20),
                    "t": maybe(number()),
                    "i": maybe(chance.randrange(-5, 30)),
                    "b": maybe(chance.random() < 0.5),
                    "at": maybe({"x": number(), "z": maybe(number())}),
                }
                for _ in range(chance.choice([0, 1, 2, 4]))
            ]
        }
        for _ in range(EVENTS)
    ]


def write(path: Path, events: list[Event]) -> None:
    hit = model().Hit
    with kaon.create(path, model=model(), cluster_entries=6) as out:
        for event in events:
            frame = kaon.Frame()
            frame["H"] = kaon.Collection(hit, [hit(**each) for each in event["H"]])
            out["events"].write(frame)


# The same in Python.


def run_steps(steps: list[Step], events: list[Event], is_up: bool) -> list[Event]:
    for step in steps:
        applied = [step.apply(event, is_up) for event in events]
        events = [event for event in applied if event is not None]
    return events


class Check(Comparison):
    def __init__(self, example: Pipeline, folder: Path) -> None:
        super().__init__(example)
        self.folder = folder
        self.events = random_events(example.seed)
        self.paths = []
        for number, share in enumerate(shares(self.events, example.files)):
            path = folder / f"{number}.kaon"
            write(path, share)
            self.paths.append(f"{path}:events")

    def run(self) -> int:
        frame = kaon.dataset(self.paths)
        for step in self.example.steps:
            frame = step.book(frame)
        booked = [
            (
                tree,
                {
                    "take": frame.take(tree.text),
                    "sum": frame.sum(tree.text),
                    "min": frame.min(tree.text),
                    "max": frame.max(tree.text),
                    "mean": frame.mean(tree.text),
                    "histogram": frame.histogram((10, -20, 60), tree.text),
                },
            )
            for tree in self.example.results
        ]
        count = frame.count()
        kaon.run(count, *(result for _, results in booked for result in results.values()))
        for is_up in (False, True):
            passed = run_steps(self.example.steps, self.events, is_up)
            found = (count.variations().get("up", count) if is_up else count).value
            self.expect("count()", found == len(passed), found, len(passed))
            for tree, results in booked:
                values = [tree.value(event) for event in passed]
                for way, result in results.items():
                    own = result.variations().get("up", result) if is_up else result
                    self.check_result(f"{way}({tree})", way, own.value, values, tree.depth)
        passed = run_steps(self.example.steps, self.events, False)
        self.check_objects(frame, passed)
        self.check_snapshot(frame, passed)
        return self.cases

    def check_result(self, what: str, way: str, found: Any, values: list[Any], depth: int) -> None:
        if way == "take":
            found = found.tolist()
            return self.expect(what, equal(found, values), found, values)
        there = [value for value in flat(values, depth) if value is not None]
        scale = sum(map(abs, there))
        if way == "sum":
            expected: Any = sum(there)
            return self.expect(what, is_close(found, expected, scale), found, expected)
        if way == "histogram":
            bins, expected = found.values(flow=True).tolist(), histogram(there, [1] * len(there))
            return self.expect(what, bins == expected, bins, expected)
        if not there:
            return self.expect(what, found is None, found, None)
        if way == "mean":
            expected = sum(there) / len(there)
            return self.expect(what, is_close(found, expected, scale), found, expected)
        expected = min(there) if way == "min" else max(there)
        return self.expect(what, found == expected, found, expected)

    def check_objects(self, frame: Any, passed: list[Event]) -> None:
        condition = self.example.objects
        times = Tree("H.t", 1, lambda e: e.get("H.t", [hit["t"] for hit in e["H"]]))
        objects = frame.explode("H").filter(condition.text)
        taken, back = objects.take("H.t"), objects.implode().take("H.t")
        kept = [
            [t for t, keep in zip(times.value(e), condition.value(e), strict=True) if keep]
            for e in passed
        ]
        found = taken.value.tolist()
        self.expect("explode()", equal(found, flat(kept, 1)), found, flat(kept, 1))
        found = back.value.tolist()
        self.expect("implode()", equal(found, kept), found, kept)

    def check_snapshot(self, frame: Any, passed: list[Event]) -> None:
        names = self.example.written
        late = [name for name in self.example.names if name.startswith("H.")]
        is_tree_possible = not (late and (not names or "H" in names))
        forms = [*FORMATS, TREE if is_tree_possible else FORMATS[0]]
        name, options = forms[self.example.form]
        written = frame.snapshot(self.folder / name, names, **options).value
        whole = not names or "H" in names
        columns = {name for name in names if name != "H"}
        columns |= {"H.t", "H.at.x", "H.at.z", "H.i", "H.b", "H.n"} if whole else set()
        columns |= set(self.example.names) if not names else set()
        for column in sorted(columns):
            found, expected = written.take(column).value.tolist(), frame.take(column).value.tolist()
            self.expect(f"{column} of {name} {options}", equal(found, expected), found, expected)
        if whole:
            for column in ("has(H.at)", "count(H.at)"):
                found = written.take(column).value.tolist()
                expected = frame.take(column).value.tolist()
                self.expect(f"{column} of {name} {options}", found == expected, found, expected)


def check(example: Pipeline, folder: Path) -> int:
    return Check(example, folder).run()


PART = Part("missing", "a result of columns that may be missing", pipelines(), check)
