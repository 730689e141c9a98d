"""Random pipelines of dataframes: filters, new columns and results, and the same in Python."""

from __future__ import annotations

import atexit
import math
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import awkward as ak
import hypothesis.strategies as st
import numpy as np

import kaon

from .expression_trees import Drawing, Event, Tree, as_arrays, as_kind, is_float, random_events
from .expressions import equal
from .harness import Comparison, Part, shares

EVENTS = 40


@dataclass
class Step:
    """A filter, a new column, or a range.

    Attributes
    ----------
    book
        Adds the step to a dataframe.
    apply
        Returns the event after the step; None if it does not pass.
    """

    text: str
    book: Callable[[Any], Any]
    apply: Callable[[Event], Event | None]

    def __repr__(self) -> str:
        return self.text


@dataclass
class Pipeline:
    steps: list[Step]
    results: list[Tree]
    exploded: list[Tree]  # conditions on the objects of passing events
    varied: Tree  # the column "real" in a variation
    files: int
    threads: int
    seed: int
    has_processes: bool

    def __repr__(self) -> str:
        return (
            f"steps {self.steps}, results {self.results}, exploded {self.exploded}, "
            f"varied {self.varied}, {self.files} files, {self.threads} threads, seed {self.seed}"
        )


# Functions that analyses could have.


def weighted(one: Any, other: Any) -> Any:
    return one * 2.0 + other


def total(values: Any) -> Any:
    return ak.sum(values, axis=1)


@cache
def compiled() -> Any:
    """Return `weighted` compiled by Numba; None if Numba is not installed."""
    if find_spec("numba") is None:
        return None
    import numba

    return numba.njit(weighted)


class Steps:
    """Draws steps; later steps may use columns that earlier steps define."""

    def __init__(self, draw: Any) -> None:
        self.draw, self.drawing = draw, Drawing(draw)

    def step(self, number: int) -> Step:
        way = self.drawing.choice(["filter", "filter", "define", "function", "list", "redefine"])
        return getattr(self, way)(f"new{number}")

    def filter(self, _: str) -> Step:
        tree = self.drawing.condition(0, self.draw(st.integers(1, 4)))

        def apply(event: Event) -> Event | None:
            return event if tree.value(event) else None

        return Step(f"filter({tree})", lambda frame: frame.filter(tree.text), apply)

    def column(self, name: str, tree: Tree, is_new: bool = True) -> Step:
        self.drawing.numbers[name] = tree.kind
        verb = "define" if is_new else "redefine"
        return Step(
            f"{verb}({name}, {tree})",
            lambda frame: getattr(frame, verb)(name, tree.text),
            lambda event: event | {name: tree.value(event)},
        )

    def define(self, name: str) -> Step:
        return self.column(name, self.drawing.number(0, self.draw(st.integers(1, 5))))

    def redefine(self, _: str) -> Step:
        tree = self.drawing.number(0, self.draw(st.integers(1, 3)))
        return self.column("real", tree, is_new=False)

    def function(self, name: str) -> Step:
        one, other = self.drawing.column(0, PLAIN), self.drawing.column(0, PLAIN)
        function = compiled() if compiled() and self.drawing.choice([True, False]) else weighted
        self.drawing.numbers[name] = "float64"

        def apply(event: Event) -> Event:
            return event | {name: weighted(float(one.value(event)), float(other.value(event)))}

        columns = [one.text, other.text]
        return Step(
            f"define({name}, function of {columns})",
            lambda frame: frame.define(name, function, columns),
            apply,
        )

    def list(self, name: str) -> Step:
        self.drawing.numbers[name] = "float64"

        def apply(event: Event) -> Event:
            return event | {name: float(sum(each["e"] for each in event["Obj"]))}

        text = f"define({name}, function of Obj.e)"
        return Step(text, lambda frame: frame.define(name, total, "Obj.e"), apply)


PLAIN = ["int32", "int64", "float64"]


@st.composite
def pipelines(draw: Any) -> Pipeline:
    steps = Steps(draw)
    drawn = [steps.step(number) for number in range(draw(st.integers(0, 6)))]
    return Pipeline(
        drawn,
        [
            steps.drawing.number(draw(st.sampled_from([0, 0, 1])), draw(st.integers(1, 4)))
            for _ in range(draw(st.integers(1, 5)))
        ],
        [object_condition(draw) for _ in range(draw(st.integers(0, 2)))],
        as_real(Drawing(draw).number(0, 3)),
        draw(st.integers(1, 3)),
        draw(st.integers(1, 4)),
        draw(st.integers(0, 2**32)),
        draw(st.integers(0, 9)) == 9,
    )


def as_real(tree: Tree) -> Tree:
    """Return a number as float64."""
    return Tree(f"float({tree})", "float64", 0, lambda event: as_kind(tree.value(event), "float64"))


def object_condition(draw: Any) -> Tree:
    """Draw a condition on an object."""
    name = draw(st.sampled_from(["Obj.q", "Obj.e", "Obj.pt"]))
    number = draw(st.sampled_from([0, 5, 20.5, 50]))
    symbol = draw(st.sampled_from(["<", ">="]))
    text = f"{name} {symbol} {number}"

    def value(event: Event) -> bool:
        found = event[name]
        return found < number if symbol == "<" else found >= number

    return Tree(text, "bool", 0, value)


# The same in Python.


def run_steps(steps: list[Step], events: list[Event]) -> tuple[list[Event], list[tuple[int, int]]]:
    """Return the passing events, and the numbers that reach and pass each filter."""
    cuts = []
    for step in steps:
        before = len(events)
        applied = [step.apply(event) for event in events]
        events = [event for event in applied if event is not None]
        if step.text.startswith("filter"):
            cuts.append((before, len(events)))
    return events, cuts


def flat(values: list[Any], depth: int) -> list[Any]:
    return values if depth == 0 else [each for inner in values for each in inner]


def histogram(values: list[Any], weights: list[Any]) -> list[float]:
    """Return the sums of weights in (10, -20, 60), with underflow and overflow."""
    sums = [0.0] * 12
    for value, weight in zip(values, weights, strict=True):
        place = (float(value) - -20) / 80
        index = 11 if not place < 1 else 0 if place < 0 else 1 + int(place * 10)
        sums[index] += float(weight)
    return sums


def is_close(found: float, expected: float, scale: float) -> bool:
    if not math.isfinite(expected):
        return equal(float(found), expected)
    return abs(found - expected) <= 1e-12 * scale


def write_files(folder: Path, events: list[Event], files: int) -> list[Path]:
    paths = []
    for number, share in enumerate(shares(events, files)):
        paths.append(folder / f"{number}.kaon")
        with kaon.create(paths[-1], cluster_entries=7) as out:
            out["events"].extend(as_arrays(share))
    return paths


class Check(Comparison):
    def __init__(self, example: Pipeline, folder: Path) -> None:
        super().__init__(example)
        self.events = random_events(example.seed, EVENTS, is_special=False)
        self.paths = [f"{path}:events" for path in write_files(folder, self.events, example.files)]

    def run(self) -> int:
        frame = kaon.dataset(self.paths)
        for step in self.example.steps:
            frame = step.book(frame)
        passed, cuts = run_steps(self.example.steps, self.events)
        axis = (10, -20, 60)
        booked = [
            (frame.take(t.text), frame.count(), frame.histogram(axis, t.text, weight="whole"))
            for t in self.example.results
        ]
        numbers = [tree for tree in self.example.results if tree.kind != "bool"]
        statistics = [
            (frame.sum(t.text), frame.mean(t.text), frame.min(t.text), frame.max(t.text))
            for t in numbers
        ]
        report = frame.report()
        kaon.run(*(result for results in booked + statistics for result in results), report)
        for tree, (taken, count, filled) in zip(self.example.results, booked, strict=True):
            values = [tree.value(event) for event in passed]
            found = taken.value.tolist()
            self.expect(f"take({tree})", equal(found, values), found, values)
            self.expect("count()", count.value == len(passed), count.value, len(passed))
            weights = [
                event["whole"]
                for event, value in zip(passed, values, strict=True)
                for _ in (value if tree.depth else [value])
            ]
            sums = histogram(flat(values, tree.depth), weights)
            bins = filled.value.values(flow=True).tolist()
            self.expect(f"histogram({tree})", bins == sums, bins, sums)
        for tree, results in zip(numbers, statistics, strict=True):
            self.check_statistics(tree, results, [tree.value(event) for event in passed])
        found = [(cut.entries, cut.passed) for cut in report.cuts] if cuts else []
        self.expect("report()", found == cuts, found, cuts)
        self.check_variation()
        self.check_objects(frame, passed)
        self.check_processor()
        return self.cases

    def check_statistics(self, tree: Tree, results: tuple[Any, ...], values: list[Any]) -> None:
        numbers = flat(values, tree.depth)
        scale = sum(map(abs, map(float, numbers)))
        total, mean, least, greatest = results
        mean, least, greatest = mean.value, least.value, greatest.value
        if is_float(tree.kind):
            expected = sum(map(float, numbers))
            self.expect(f"sum({tree})", is_close(total.value, expected, scale), total, expected)
        else:
            expected = sum(map(int, numbers))
            self.check_whole_sum(tree, total, expected)
        if not numbers:
            self.expect(f"mean({tree})", mean is None, mean, None)
            self.expect(f"min({tree})", least is None, least, None)
            return
        if all(map(math.isfinite, numbers)):  # else NaN is not specified
            expected = expected / len(numbers)
            self.expect(f"mean({tree})", is_close(mean, expected, scale), mean, expected)
        known = [number for number in numbers if number == number]
        if known:
            self.expect(f"min({tree})", least == min(known), least, min(known))
            self.expect(f"max({tree})", greatest == max(known), greatest, max(known))

    def check_whole_sum(self, tree: Tree, total: Any, expected: int) -> None:
        """Check that sums of integers are exact, and errors if they exceed 64 bits."""
        limits = np.iinfo("uint64" if tree.kind.startswith("u") else "int64")
        if limits.min <= expected <= limits.max:
            return self.expect(f"sum({tree})", total.value == expected, total, expected)
        try:
            found = total.value
        except kaon.errors.WrongTypeError:
            found = None
        return self.expect(f"sum({tree})", found is None, found, "an error")

    def check_variation(self) -> None:
        """Check that a varied column varies in all later steps."""
        tree = self.example.varied
        frame = kaon.dataset(self.paths).vary("real", {"up": tree.text})
        for step in self.example.steps:
            frame = step.book(frame)
        first = self.example.results[0]
        nominal = frame.take(first.text)
        changed = [event | {"real": tree.value(event)} for event in self.events]
        # Results that do not depend on the column have no variation.
        varied = nominal.variations().get("up", frame.take(first.text))
        for events, result in ((self.events, nominal), (changed, varied)):
            passed, _ = run_steps(self.example.steps, events)
            values = [first.value(event) for event in passed]
            found = result.value.tolist()
            self.expect(f"variations of take({first})", equal(found, values), found, values)

    def check_objects(self, frame: Any, passed: list[Event]) -> None:
        exploded = frame.explode("Obj")
        for condition in self.example.exploded:
            exploded = exploded.filter(condition.text)
        taken, count = exploded.take("Obj.q"), exploded.count()
        imploded = exploded.implode().take("Obj.q")
        kaon.run(taken, count, imploded)
        kept = [
            [
                each["q"]
                for each in event["Obj"]
                if all(
                    condition.value(event | {f"Obj.{name}": value for name, value in each.items()})
                    for condition in self.example.exploded
                )
            ]
            for event in passed
        ]
        objects = flat(kept, 1)
        self.expect("explode()", taken.value.tolist() == objects, taken.value.tolist(), objects)
        self.expect("count() of objects", count.value == len(objects), count.value, len(objects))
        found = imploded.value.tolist()
        self.expect("implode()", found == kept, found, kept)

    def check_processor(self) -> None:
        expected = {
            "entries": len(self.events),
            "total": sum(event["whole"] for event in self.events),
            "objects": sum(len(event["Obj"]) for event in self.events),
        }
        pool: Executor = ThreadPoolExecutor(self.example.threads)
        with pool:
            found = kaon.processor(totals).run(self.paths, pool, step_size=7)
        self.expect("processor in threads", found == expected, found, expected)
        if self.example.has_processes:
            found = kaon.processor(totals).run(self.paths, processes(), step_size=7)
            self.expect("processor in processes", found == expected, found, expected)


def totals(events: Any) -> dict[str, int]:
    return {
        "entries": len(events),
        "total": int(ak.sum(events.whole)),
        "objects": int(ak.sum(ak.num(events.Obj))),
    }


@cache
def processes() -> Executor:
    pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    atexit.register(pool.shutdown)
    return pool


def check(example: Pipeline, folder: Path) -> int:
    return Check(example, folder).run()


PART = Part("pipelines", "a result of a pipeline", pipelines(), check)
