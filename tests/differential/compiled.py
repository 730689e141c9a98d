"""Random pipelines of dataframes in C++ with compiled functions, and the same in Python.

The program `kaon_pipelines` has the functions. It reads a pipeline and writes its results.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis.strategies as st

from .expression_trees import MEMBERS, Event, Tree, is_float, random_events
from .expressions import equal
from .harness import Comparison, Disagreement, Part
from .pipelines import EVENTS, Step, Steps, flat, histogram, is_close, run_steps, write_files

BUILD = Path(os.environ.get("KAON_BUILD", Path(__file__).parents[2] / "build/release"))
PROGRAM = BUILD / "tests/kaon_pipelines"
TAKEN = ["bool", "int32", "int64", "float32", "float64"]  # types that the program accepts

# Types of numbers that functions of a type accept without changing them.
FLOATS = ["int8", "int16", "int32", "uint8", "uint32", "float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "uint8"]


@dataclass(frozen=True)
class Plan:
    """Steps of a dataframe for the program, added with a dataframe's methods."""

    steps: tuple[dict[str, Any], ...] = ()

    def with_step(self, verb: str, **step: Any) -> Plan:
        return Plan((*self.steps, {"verb": verb, **step}))

    def filter(self, expression: str) -> Plan:
        return self.with_step("filter", expression=expression)

    def define(self, name: str, expression: str) -> Plan:
        return self.with_step("define", name=name, expression=expression)

    def redefine(self, name: str, expression: str) -> Plan:
        return self.with_step("redefine", name=name, expression=expression)


@dataclass
class Pipeline:
    steps: list[Step]
    results: list[Tree]
    objects: Step  # with objects as entries
    varied: Step  # the column "real" in a variation
    files: int
    threads: int
    seed: int

    def __repr__(self) -> str:
        return (
            f"steps {self.steps}, results {self.results}, objects {self.objects}, "
            f"varied {self.varied}, {self.files} files, {self.threads} threads, seed {self.seed}"
        )


def lists(name: str, kind: str) -> Tree:
    """Return a column of lists that a step defined."""
    return Tree(name, kind, 1, lambda event: event[name], name)


def each(function: Callable[..., Any], values: list[Any]) -> Any:
    """Call a function for each object if there are lists; numbers apply to each object."""
    sizes = [len(value) for value in values if isinstance(value, list)]
    if not sizes:
        return function(*values)
    spread = [value if isinstance(value, list) else [value] * sizes[0] for value in values]
    return [function(*one) for one in zip(*spread, strict=True)]


def added(values: list[float]) -> float:
    """Return the sum of values, added one after another."""
    total = 0.0
    for value in values:
        total += value
    return total


def as_floats(tree: Tree) -> Tree:
    """Return numbers as float64 if they are floats, because `take` needs the exact type."""
    if tree.kind != "float64":
        return tree

    def value(event: Event) -> Any:
        found = tree.value(event)
        return list(map(float, found)) if tree.depth else float(found)

    return Tree(f"float({tree})", "float64", tree.depth, value, tree.length)


class CompiledSteps(Steps):
    """Draws steps whose functions the program has."""

    def __init__(self, draw: Any) -> None:
        super().__init__(draw)
        self.lists: list[Tree] = []  # defined columns of lists

    def step(self, number: int) -> Step:
        if self.drawing.choice([True, False, False]):
            return super().step(number)
        ways = ["numbers", "numbers", "lists", "batch", "text", "condition", "alias"]
        return getattr(self, f"of_{self.drawing.choice(ways)}")(f"new{number}")

    def function(self, name: str) -> Step:
        return self.of_numbers(name)

    def list(self, name: str) -> Step:
        return self.of_lists(name)

    def call(
        self,
        verb: str,
        name: str,
        function: str,
        columns: list[Tree],
        value: Callable[..., Any],
        **more: Any,
    ) -> Step:
        """Return a step that calls a function of the program."""
        names = [column.text for column in columns]

        def apply(event: Event) -> Event | None:
            found = value(*(column.value(event) for column in columns))
            return event | {name: found} if verb != "filter" else event if found else None

        return Step(
            f"{verb}({name}, {function} of {names})",
            lambda plan: plan.with_step(verb, name=name, function=function, columns=names, **more),
            apply,
        )

    def argument(self, depth: int, kinds: list[str]) -> Tree:
        """Draw a column or an expression of these types."""
        tree = self.drawing.number(depth, 2) if self.drawing.choice([True, False]) else None
        known = [each for each in self.lists if each.kind in kinds]
        if tree and tree.kind in kinds and not tree.is_written and tree.length in ("", "Obj"):
            return tree
        if depth == 1 and known and self.drawing.choice([True, False]):
            return self.drawing.choice(known)
        return self.drawing.column(depth, kinds)

    def define_lists(self, name: str, kind: str, length: str) -> None:
        self.lists.append(Tree(name, kind, 1, lambda event: event[name], length))

    def of_numbers(self, name: str) -> Step:
        """Draw a function of numbers, which is called for each object if columns have lists."""
        function, kinds, kind, value = self.drawing.choice(
            [
                ("weighted", FLOATS, "float64", lambda a, b: float(a) * 2.0 + float(b)),
                ("difference", INTEGERS, "int64", lambda a, b: int(a) - int(b)),
                ("above", FLOATS, "bool", lambda a, b: float(a) > float(b)),
            ]
        )
        depths = self.drawing.choice([(0, 0), (0, 0), (1, 1), (1, 0), (0, 1)])
        columns = [
            self.drawing.column(1, kinds) if depth else self.argument(0, kinds) for depth in depths
        ]
        if sum(depths):
            self.define_lists(name, kind, "Obj")
        else:
            self.drawing.numbers[name] = kind
        return self.call("define", name, function, columns, lambda *all: each(value, list(all)))

    def of_lists(self, name: str) -> Step:
        way = self.drawing.choice(["total", "deep", "high", "scaled", "selected"])
        if way == "total":
            columns = [self.argument(1, FLOATS)]
            self.drawing.numbers[name] = "float64"
            return self.call("define", name, way, columns, added)
        if way == "deep":
            self.drawing.numbers[name] = "float64"

            def deep(inner: list[list[float]]) -> float:
                return added([added(values) for values in inner])

            return self.call("define", name, way, [self.drawing.column(2)], deep)
        if way == "high":
            columns = [self.argument(1, FLOATS), self.argument(0, FLOATS)]
            self.drawing.numbers[name] = "int64"
            return self.call(
                "define", name, way, columns, lambda values, least: sum(v > least for v in values)
            )
        if way == "scaled":
            columns = [self.drawing.column(1, FLOATS), self.argument(0, FLOATS)]
            self.define_lists(name, "float64", "Obj")
            return self.call(
                "define",
                name,
                way,
                columns,
                lambda values, f: [float(v) * float(f) for v in values],
            )
        columns = [self.drawing.column(1, ["float32"]), self.drawing.column(1, ["bool"])]
        self.define_lists(name, "float32", name)
        return self.call(
            "define",
            name,
            way,
            columns,
            lambda values, mask: [v for v, keep in zip(values, mask, strict=True) if keep],
        )

    def of_batch(self, name: str) -> Step:
        """Draw a function of spans, which gets the values of a batch: of entries or of objects."""
        depth = self.drawing.choice([0, 1])
        if self.drawing.choice([True, False]):
            columns = [self.drawing.column(depth, FLOATS)]
            way, value = "shifted", lambda a: float(a) + 1.0
        else:
            columns = [self.drawing.column(depth, FLOATS) for _ in range(2)]
            way, value = "product", lambda a, b: float(a) * float(b)
        if depth:
            self.define_lists(name, "float64", "Obj")
        else:
            self.drawing.numbers[name] = "float64"
        return self.call("define", name, way, columns, lambda *all: each(value, list(all)))

    def of_text(self, name: str) -> Step:
        title = Tree("title", "text", 0, lambda event: event["title"])
        if self.drawing.choice([True, False]):
            self.drawing.numbers[name] = "int64"
            return self.call("define", name, "bytes", [title], lambda text: len(text.encode()))
        columns = [title, self.drawing.column(0, INTEGERS)]
        return self.call("define", name, "named", columns, lambda text, n: f"{text}:{int(n)}")

    def of_condition(self, name: str) -> Step:
        columns = [self.argument(0, FLOATS), self.argument(0, FLOATS)]
        return self.call("filter", "", "above", columns, lambda a, b: float(a) > float(b))

    def of_alias(self, name: str) -> Step:
        one = self.drawing.column(0)
        self.drawing.numbers[name] = one.kind
        return Step(
            f"alias({name}, {one})",
            lambda plan: plan.with_step("alias", name=name, of=one.text),
            lambda event: event | {name: one.value(event)},
        )

    def of_objects(self) -> Step:
        """Draw a function of an object and of its event."""
        members = [
            Tree(f"Obj.{name}", kind, 0, lambda event, name=name: event[f"Obj.{name}"])
            for name, kind in MEMBERS.items()
            if kind in FLOATS
        ]
        columns = [self.drawing.choice(members), self.drawing.column(0, FLOATS)]
        value = lambda a, b: float(a) * 2.0 + float(b)  # noqa: E731
        return self.call("define", "Obj.own", "weighted", columns, value)

    def varied(self) -> Step:
        columns = [self.drawing.column(0, FLOATS), self.drawing.column(0, FLOATS)]
        value = lambda a, b: float(a) * 2.0 + float(b)  # noqa: E731
        return self.call("vary", "real", "weighted", columns, value, variation="up")


@st.composite
def pipelines(draw: Any) -> Pipeline:
    varied = CompiledSteps(draw).varied()  # uses columns of the files
    steps = CompiledSteps(draw)
    drawn = [steps.step(number) for number in range(draw(st.integers(1, 7)))]
    results = [
        steps.drawing.number(draw(st.sampled_from([0, 0, 1])), draw(st.integers(1, 4)))
        for _ in range(draw(st.integers(1, 4)))
    ]
    return Pipeline(
        drawn,
        results + steps.lists,
        steps.of_objects(),
        varied,
        draw(st.integers(1, 3)),
        draw(st.integers(1, 4)),
        draw(st.integers(0, 2**32)),
    )


# The program.


@cache
def program() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(process.kill)
    return process


def answer_to(question: dict[str, Any]) -> dict[str, Any]:
    process = program()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        program.cache_clear()  # the next question starts another one
        raise Disagreement(f"the program has ended with {process.wait()}")
    found: dict[str, Any] = json.loads(line)
    return found


def numbers_in(value: Any) -> Any:
    """Return a value of the program; JSON has texts for NaN and infinity."""
    if isinstance(value, list):
        return [numbers_in(inner) for inner in value]
    return float(value) if value in ("nan", "inf", "-inf") else value


class Check(Comparison):
    def __init__(self, example: Pipeline, folder: Path) -> None:
        super().__init__(example)
        self.events = random_events(example.seed, EVENTS, is_special=False)
        self.paths = [str(path) for path in write_files(folder, self.events, example.files)]

    def ask(self, steps: list[Step], results: list[dict[str, Any]], plan: Plan) -> dict[str, Any]:
        for step in steps:
            plan = step.book(plan)
        answer = answer_to(
            {
                "paths": self.paths,
                "threads": self.example.threads,
                "steps": plan.steps,
                "results": results,
            }
        )
        if "error" in answer:
            raise Disagreement(f"{answer['error']}\n{self.example}")
        return answer

    def run(self) -> int:
        self.check_results()
        self.check_variation()
        self.check_objects()
        self.check_exceptions()
        return self.cases

    def check_results(self) -> None:
        passed, cuts = run_steps(self.example.steps, self.events)
        wanted: list[dict[str, Any]] = [{"kind": "count"}]
        expected: list[tuple[str, Any]] = [("count", len(passed))]

        def want(kind: str, tree: Tree, value: Any, **more: Any) -> None:
            wanted.append({"kind": kind, "column": tree.text, **more})
            expected.append((kind, (tree, value)))

        for tree in map(as_floats, self.example.results):
            values = [tree.value(event) for event in passed]
            numbers = flat(values, tree.depth)
            if tree.kind in TAKEN:
                want("take", tree, values, type=tree.kind, depth=tree.depth)
            weights = [
                e["whole"]
                for e, v in zip(passed, values, strict=True)
                for _ in flat([v], tree.depth)
            ]
            want("histogram", tree, histogram(numbers, weights), weight="whole")
            if tree.kind == "bool":
                continue
            want("sum", tree, numbers)
            known = [number for number in numbers if number == number]
            want("min", tree, min(known, default=None))
            want("max", tree, max(known, default=None))
            want("stats", tree, numbers)
            if tree.depth == 0 and tree.kind in FLOATS:
                want("collect", tree, list(map(float, values)))
                want("collect batches", tree, list(map(float, values)))
            if tree.kind in (*INTEGERS, "int64", "uint32"):
                combined = None
                for number in map(int, numbers):
                    combined = number if combined is None else combined ^ number
                want("reduce", tree, combined)
        answer = self.ask(self.example.steps, wanted, Plan())
        self.expect("report", list(map(tuple, answer["cuts"])) == cuts, answer["cuts"], cuts)
        for (kind, right), result in zip(expected, answer["results"], strict=True):
            self.check_result(kind, right, result)

    def check_result(self, kind: str, right: Any, result: dict[str, Any]) -> None:
        found = numbers_in(result.get("value"))
        if kind == "count":
            return self.expect(kind, found == right, found, right)
        tree, value = right
        what = f"{kind} of {tree}"
        if kind == "sum":
            return self.check_sum(tree, value, found, result.get("error"))
        if "error" in result:
            self.expect(what, False, result["error"], value)
        if kind == "stats":
            finite = [number for number in value if abs(float(number)) < 1e300]
            self.expect(what, found[0] == len(value), found[0], len(value))
            if value and len(finite) == len(value):
                scale = sum(map(abs, map(float, value))) / len(value)
                mean = sum(value) / len(value)
                self.expect(what, is_close(found[1], mean, scale), found[1], mean)
            return None
        return self.expect(what, equal(found, value), found, value)

    def check_sum(self, tree: Tree, numbers: list[Any], found: Any, error: str | None) -> None:
        what = f"sum of {tree}"
        if is_float(tree.kind):
            expected: Any = sum(map(float, numbers))
            scale = sum(map(abs, map(float, numbers)))
            return self.expect(what, is_close(found, expected, scale), found, expected)
        expected = sum(map(int, numbers))
        bits = (0, 2**64) if tree.kind.startswith("u") else (-(2**63), 2**63)
        if bits[0] <= expected < bits[1]:
            return self.expect(what, found == expected, found or error, expected)
        return self.expect(what, error is not None and "is beyond" in error, found, "an error")

    def check_variation(self) -> None:
        """Check that a varied column varies in all later steps."""
        varied = self.example.varied
        first = Tree("float(real)", "float64", 0, lambda event: float(event["real"]))
        answer = self.ask(
            [varied, *self.example.steps],
            [
                {"kind": "varied", "column": first.text},
                {"kind": "take", "column": first.text, "type": "float64", "depth": 0},
            ],
            Plan(),
        )
        changed = [varied.apply(event) or {} for event in self.events]
        for events, result in zip((changed, self.events), answer["results"], strict=True):
            passed, _ = run_steps(self.example.steps, events)
            values = [first.value(event) for event in passed]
            found = numbers_in(result.get("value"))
            self.expect("a variation", equal(found, values), result, values)

    def check_objects(self) -> None:
        """Check functions of objects as entries, and of their events afterwards."""
        own = self.example.objects
        passed, _ = run_steps(self.example.steps, self.events)
        expected = [
            [
                (own.apply(event | {f"Obj.{name}": value for name, value in each.items()}) or {})[
                    "Obj.own"
                ]
                for each in event["Obj"]
            ]
            for event in passed
        ]
        steps = self.example.steps
        explode = Step("explode", lambda plan: plan.with_step("explode", name="Obj"), lambda e: e)
        implode = Step("implode", lambda plan: plan.with_step("implode"), lambda e: e)
        wanted = [{"kind": "take", "column": "Obj.own", "type": "float64", "depth": 0}]
        found = self.ask([*steps, explode, own], wanted, Plan())["results"][0]
        self.expect(
            "of objects", equal(numbers_in(found.get("value")), flat(expected, 1)), found, expected
        )
        wanted[0]["depth"] = 1
        found = self.ask([*steps, explode, own, implode], wanted, Plan())["results"][0]
        self.expect("of events", equal(numbers_in(found.get("value")), expected), found, expected)

    def check_exceptions(self) -> None:
        """Check that exceptions of a function become errors that name the entry."""
        refuse = Step(
            "refuse",
            lambda plan: plan.with_step(
                "filter", name="", function="refuse", columns=["short", "tiny"]
            ),
            lambda event: event if event["short"] < event["tiny"] else None,
        )
        share = -(-EVENTS // self.example.files)
        refused = [
            f"{self.paths[number // share]}:events, entry {number % share}, filter '': refused"
            for number, event in enumerate(self.events)
            if event["short"] == event["tiny"]
        ]
        answer = self.ask([refuse], [{"kind": "count"}], Plan())["results"][0]
        if refused:
            is_right = answer.get("error") in refused
            return self.expect("an exception", is_right, answer, refused)
        expected = sum(event["short"] < event["tiny"] for event in self.events)
        return self.expect("a filter", answer.get("value") == expected, answer, expected)


def check(example: Pipeline, folder: Path) -> int:
    return Check(example, folder).run()


PART = Part("compiled", "a result of a pipeline in C++", pipelines(), check)
