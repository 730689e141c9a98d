"""Random expressions, with their values in an event by the rules of docs/expressions.md."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import awkward as ak
import hypothesis.strategies as st
import numpy as np

from .harness import BeyondRangeError

Event = dict[str, Any]

# Columns of the events by the type of their numbers. Columns of lists have a value per object.
NUMBERS = {
    "flag": "bool",
    "tiny": "int8",
    "short": "int16",
    "whole": "int32",
    "long": "int64",
    "byte": "uint8",
    "natural": "uint32",
    "huge": "uint64",
    "single": "float32",
    "real": "float64",
}
MEMBERS = {"pt": "float32", "e": "float64", "q": "int32", "n": "int64", "good": "bool"}
TEXTS = ["", "a", "b", "ab", "größer"]


@dataclass(frozen=True)
class Tree:
    """An expression.

    Attributes
    ----------
    kind
        The type of its numbers; "object" for objects, "text" for texts.
    depth
        0 for a value per event, 1 for a list, 2 for a list of lists.
    length
        Lists of the same origin have the same lengths.
    is_written
        Whether it is a literal number.
    is_exact
        Whether sums of its values are exact in any order.
    """

    text: str
    kind: str
    depth: int
    value: Callable[[Event], Any]
    length: str = ""
    is_written: bool = False
    is_exact: bool = False

    def __repr__(self) -> str:
        return self.text


# Numbers.


def is_float(kind: str) -> bool:
    return kind.startswith("float")


def as_kind(value: Any, kind: str) -> Any:
    """Return a number converted to a type as in C; integers wrap around."""
    if kind == "bool":
        return bool(value)
    if is_float(kind):
        with np.errstate(all="ignore"):
            if isinstance(value, int) and not isinstance(value, bool):
                exact = np.array(value, np.int64 if value < 2**63 else np.uint64)
                return float(exact.astype(kind))
            return float(np.dtype(kind).type(value))
    if isinstance(value, float):  # truncates; values beyond the limits saturate, NaN becomes 0
        if math.isnan(value):
            return 0
        limits = np.iinfo(kind)
        if math.isinf(value):
            return int(limits.max if value > 0 else limits.min)
        return min(max(int(value), int(limits.min)), int(limits.max))
    bits = 64
    number = int(value) % 2**bits
    return number if kind == "uint64" or number < 2 ** (bits - 1) else number - 2**bits


def common_kind(one: Tree, other: Tree) -> str:
    """Return the type in which two numbers are computed."""
    for a, b in ((one, other), (other, one)):
        if a.is_written and not b.is_written:
            if b.kind == "float32" or b.kind == "float64":
                return b.kind
            if a.kind == "float64":
                return "float64"
            if b.kind == "uint64":
                is_negative = a.text.startswith("(-") and a.text != "(-0)"
                return "float64" if is_negative else "uint64"
            return "int64"
    kinds = {one.kind, other.kind}
    if "float64" in kinds:
        return "float64"
    if "float32" in kinds:
        (others,) = kinds - {"float32"} or {"float32"}
        return "float32" if others in ("float32", "bool", "int8", "int16", "uint8") else "float64"
    if "uint64" in kinds:
        unsigned = {"uint8", "uint16", "uint32", "uint64"}
        return "uint64" if kinds <= unsigned else "float64"
    return "int64"


def lifted(function: Callable[..., Any], depths: list[int], values: list[Any]) -> Any:
    """Apply a function value by value; numbers apply to each value of lists."""
    if max(depths) == 0:
        return function(*values)
    (size,) = {len(value) for value, depth in zip(values, depths, strict=True) if depth}
    inner = [max(depth - 1, 0) for depth in depths]
    return [
        lifted(
            function,
            inner,
            [value[i] if depth else value for value, depth in zip(values, depths, strict=True)],
        )
        for i in range(size)
    ]


def arithmetic(symbol: str, a: Any, b: Any, kind: str) -> Any:
    """Return the result of an operation on two numbers of the same type."""
    if is_float(kind):
        type_ = np.dtype(kind).type
        with np.errstate(all="ignore"):
            x, y = type_(a), type_(b)
            match symbol:
                case "+":
                    return float(x + y)
                case "-":
                    return float(x - y)
                case "*":
                    return float(x * y)
                case "/":
                    return float(x / y)
                case "//":
                    return float(np.floor_divide(x, y))
                case "%":
                    return float(np.mod(x, y))
    match symbol:
        case "+":
            return as_kind(a + b, kind)
        case "-":
            return as_kind(a - b, kind)
        case "*":
            return as_kind(a * b, kind)
        case "//":
            return as_kind(a // b, kind) if b else 0
        case "%":
            return as_kind(a % b, kind) if b else 0
        case "&":
            return as_kind(int(a) & int(b), kind)
        case "|":
            return as_kind(int(a) | int(b), kind)
        case "^":
            return as_kind(int(a) ^ int(b), kind)
    raise AssertionError(symbol)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def compared(symbol: str, one: Tree, other: Tree) -> Callable[[Any, Any], bool]:
    """Return a comparison of numbers: integers exactly, others as their common type."""
    compare = COMPARISONS[symbol]
    if not is_float(one.kind) and not is_float(other.kind):
        return lambda a, b: compare(int(a), int(b))
    kind = common_kind(one, other)
    return lambda a, b: compare(as_kind(a, kind), as_kind(b, kind))


# Drawing.


class Drawing:
    """Draws expressions of a type and depth."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.numbers = dict(NUMBERS)  # columns with a number per event

    def choice(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def written(self, kinds: str = "any") -> Tree:
        """Draw a literal number."""
        if kinds != "integer" and self.choice([True, False]):
            number: Any = self.choice([0.5, 0.0, 2.0, 1.25, 0.1, 100.0, 1e30])
            kind = "float64"
        else:
            number = self.choice([0, 1, 2, 3, 7, 127, 1000, 2**31, 2**53 + 1])
            kind = "int64"
        if self.choice([False, False, True]):
            return Tree(f"(-{number})", kind, 0, lambda _: -number, "", True, True)
        return Tree(str(number), kind, 0, lambda _: number, "", True, True)

    def column(self, depth: int, kinds: list[str] | None = None) -> Tree:
        if depth == 0:
            names = [n for n, k in self.numbers.items() if kinds is None or k in kinds]
            name = self.choice(names)
            return Tree(name, self.numbers[name], 0, lambda event: event[name], "", False, True)
        if depth == 1:
            names = [n for n, k in MEMBERS.items() if kinds is None or k in kinds]
            name = self.choice(names)
            kind = MEMBERS[name]
            return Tree(
                f"Obj.{name}", kind, 1, lambda e: [o[name] for o in e["Obj"]], "Obj", False, True
            )
        return Tree(
            "Obj.s", "float64", 2, lambda e: [o["s"] for o in e["Obj"]], "Obj.s", False, True
        )

    def number(self, depth: int, size: int) -> Tree:
        """Draw an expression of numbers with `size` parts."""
        if size <= 1:
            return self.column(depth)
        ways = ["binary", "binary", "column", "unary", "function", "where", "two"]
        ways += ["reduce", "reduce", "pick"] if depth < 2 else []
        ways += ["index"] if depth == 1 else []
        way = self.choice(ways)
        return self.column(depth) if way == "column" else getattr(self, way)(depth, size - 1)

    def operand(self, depth: int, size: int) -> Tree:
        """Draw an operand of a value of this depth; it may have fewer dimensions."""
        own = self.choice([depth, depth, depth, 0] if depth else [0])
        return self.number(own, size)

    def binary(self, depth: int, size: int) -> Tree:
        one = self.number(depth, size // 2)
        other = self.written() if self.choice([True, False]) else self.operand(depth, size // 2)
        if self.choice([True, False]):
            one, other = other, one
        symbol = self.choice(["+", "-", "*", "/", "//", "%", "&", "|", "^"])
        kind = common_kind(one, other)
        if symbol in "&|^":
            is_bits = not is_float(kind) and "bool" not in (one.kind, other.kind)
            if not is_bits or (kind == "uint64" and (one.is_written or other.is_written)):
                symbol = "-"
        if "bool" in (one.kind, other.kind) and "uint64" in (one.kind, other.kind):
            return one if one.depth == depth and not one.is_written else other
        if symbol == "/" and not is_float(kind):
            kind = "float64"

        def value(event: Event) -> Any:
            return lifted(
                lambda a, b: arithmetic(symbol, as_kind(a, kind), as_kind(b, kind), kind),
                [one.depth, other.depth],
                [one.value(event), other.value(event)],
            )

        return Tree(f"({one} {symbol} {other})", kind, depth, value, one.length or other.length)

    def unary(self, depth: int, size: int) -> Tree:
        inner = self.number(depth, size)
        kind = "int64" if not is_float(inner.kind) and inner.kind != "uint64" else inner.kind

        def value(event: Event) -> Any:
            def negate(a: Any) -> Any:
                return as_kind(-a if is_float(kind) else -int(a), kind)

            return lifted(negate, [depth], [inner.value(event)])

        return Tree(f"(-{inner})", kind, depth, value, inner.length)

    def function(self, depth: int, size: int) -> Tree:
        inner = self.number(depth, size)
        name = self.choice(["abs", "sqrt", "floor", "ceil", "round", "int", "float"])
        floats = "float32" if inner.kind == "float32" else "float64"
        integers = "uint64" if inner.kind == "uint64" else "int64"
        if name == "abs":
            kind = floats if is_float(inner.kind) else integers
        elif name == "int":
            kind = "int64"
        elif name == "float":
            kind = "float64"
        else:
            kind = floats

        def apply(a: Any) -> Any:
            match name:
                case "abs":
                    return as_kind(abs(a) if is_float(kind) else abs(int(a)), kind)
                case "int" | "float":
                    return as_kind(a, kind)
            with np.errstate(all="ignore"):
                number = np.dtype(kind).type(as_kind(a, kind))
                function = {"sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "round": np.rint}
                return float(function[name](number))

        def value(event: Event) -> Any:
            return lifted(apply, [depth], [inner.value(event)])

        return Tree(f"{name}({inner})", kind, depth, value, inner.length)

    def where(self, depth: int, size: int) -> Tree:
        condition = self.condition(depth, size // 3)
        one, other = self.number(depth, size // 3), self.number(depth, size // 3)
        kind = common_kind(one, other)
        if one.kind == other.kind or {"bool", "uint64"} == {one.kind, other.kind}:
            other = one if one.kind != other.kind else other
            kind = one.kind
        if not is_float(kind):  # either type is right
            one, other = self.typed(one), self.typed(other)
            kind = common_kind(one, other)
        text = self.choice([f"({one} if {condition} else {other})"] * 2)

        def value(event: Event) -> Any:
            return lifted(
                lambda c, a, b: as_kind(a if c else b, kind),
                [depth] * 3,
                [condition.value(event), one.value(event), other.value(event)],
            )

        return Tree(text, kind, depth, value, one.length or condition.length)

    def typed(self, tree: Tree) -> Tree:
        """Return an integer or bool as a 64-bit number."""
        if tree.kind in ("int64", "uint64", "float32", "float64"):
            return tree
        return Tree(
            f"({tree} + 0)",
            "int64",
            tree.depth,
            lambda event: lifted(int, [tree.depth], [tree.value(event)]),
            tree.length,
        )

    def two(self, depth: int, size: int) -> Tree:
        """Draw the less or the greater of two numbers."""
        one, other = self.typed(self.number(depth, size // 2)), self.number(depth, size // 2)
        other = self.typed(other)
        kind = common_kind(one, other)
        name = self.choice(["min", "max"])
        if is_float(kind) and not is_float(one.kind) and not is_float(other.kind):
            kind = "int64" if name == "min" else "uint64"  # it holds the result of any two

        def apply(a: Any, b: Any) -> Any:
            if is_float(kind):
                a, b = as_kind(a, kind), as_kind(b, kind)
            if is_float(kind) and (math.isnan(a) or math.isnan(b)):
                return math.nan
            return min(a, b) if name == "min" else max(a, b)

        def value(event: Event) -> Any:
            return lifted(apply, [depth] * 2, [one.value(event), other.value(event)])

        length = one.length or other.length
        return without_sign(Tree(f"{name}({one}, {other})", kind, depth, value, length))

    def reduce(self, depth: int, size: int) -> Tree:
        """Draw a reduction of each innermost list to one number."""
        name = self.choice(["sum", "mean", "min", "max", "count", "any", "all", "argmin", "argmax"])
        if name in ("any", "all"):
            inner = self.condition(depth + 1, size)
        elif name in ("sum", "mean"):
            inner = self.selected(self.column(depth + 1, SUMMED), size)
        else:
            inner = self.selected(self.number(depth + 1, size), size)
        if name != "any" and name != "all" and inner.kind == "bool":
            inner = self.typed(inner)
        if name in ("min", "max"):
            inner = self.typed(inner)
        kind = inner.kind
        if name == "mean":
            kind = "float64"
        elif name in ("count", "argmin", "argmax"):
            kind = "int64"
        elif name in ("any", "all"):
            kind = "bool"
        elif name == "sum" and not is_float(kind):
            kind = "int64"

        def apply(values: list[Any]) -> Any:
            return reduced(name, values, inner.kind, kind)

        def value(event: Event) -> Any:
            lists = inner.value(event)
            return apply(lists) if depth == 0 else [apply(each) for each in lists]

        length = "Obj" if depth == 1 and inner.length.startswith("Obj.s") else f"of {inner.length}"
        tree = Tree(f"{name}({inner})", kind, depth, value, length)
        return without_sign(tree) if name in ("min", "max", "sum") else tree

    def selected(self, tree: Tree, size: int) -> Tree:
        """Draw some or all values of a list."""
        way = self.choice(["all", "mask", "slice", "sort"])
        if tree.depth != 1 or way == "all" or tree.length != "Obj":
            return tree
        if way == "mask":
            mask = self.condition(1, max(size // 2, 1))
            if mask.length != "Obj":
                return tree

            def masked(event: Event) -> Any:
                pairs = zip(tree.value(event), mask.value(event), strict=True)
                return [value for value, is_kept in pairs if is_kept]

            text = f"{tree}[{mask}]"
            return Tree(text, tree.kind, 1, masked, text, False, tree.is_exact)
        if way == "slice":
            text = self.choice(["[:1]", "[1:]", "[-2:]", "[:-1]", "[1:2]"])
            begin, end = (int(part) if part else None for part in text[1:-1].split(":"))
            return Tree(
                f"{tree}{text}",
                tree.kind,
                1,
                lambda event: tree.value(event)[begin:end],
                f"{tree}{text}",
                False,
                tree.is_exact,
            )

        def ordered(event: Event) -> Any:
            return sorted(tree.value(event), key=lambda x: (x != x, x))

        text = f"sort({tree})"
        return without_sign(Tree(text, tree.kind, 1, ordered, tree.length, False, tree.is_exact))

    def pick(self, depth: int, size: int) -> Tree:
        """Draw one value of each innermost list, or a default."""
        inner = self.typed(self.selected(self.number(depth + 1, size), size))
        name, place = self.choice([("get", 0), ("get", 1), ("get", -1), ("first", 0), ("last", -1)])
        kind = inner.kind

        def apply(values: list[Any]) -> Any:
            is_there = -len(values) <= place < len(values)
            return values[place] if is_there else as_kind(7, kind)

        def value(event: Event) -> Any:
            lists = inner.value(event)
            return apply(lists) if depth == 0 else [apply(each) for each in lists]

        text = f"get({inner}, {place}, 7)" if name == "get" else f"{name}({inner}, 7)"
        length = "Obj" if depth == 1 and inner.length.startswith("Obj.s") else f"of {inner.length}"
        return Tree(text, kind, depth, value, length)

    def index(self, depth: int, size: int) -> Tree:
        del depth, size
        return Tree("index(Obj)", "int64", 1, lambda event: list(range(len(event["Obj"]))), "Obj")

    def condition(self, depth: int, size: int) -> Tree:
        """Draw a condition."""
        ways = ["compare"] * 4 + ["chain", "in"]
        if size > 2:
            ways += ["and", "and", "not"]
        if depth == 0:
            ways += ["text"]
        way = self.choice(ways)
        if way == "not":
            inner = self.condition(depth, size - 1)
            return Tree(
                f"(not {inner})",
                "bool",
                depth,
                lambda event: lifted(lambda a: not a, [depth], [inner.value(event)]),
                inner.length,
            )
        if way == "and":
            one, other = self.condition(depth, size // 2), self.condition(depth, size // 2)
            word = self.choice(["and", "or"])

            def value(event: Event) -> Any:
                return lifted(
                    lambda a, b: (a and b) if word == "and" else (a or b),
                    [depth] * 2,
                    [one.value(event), other.value(event)],
                )

            return Tree(f"({one} {word} {other})", "bool", depth, value, one.length or other.length)
        if way == "text":
            return self.of_text()
        one = self.number(depth, size)
        if way == "in":
            return self.membership(one)
        is_written = self.choice([True, True, False])
        other = self.written() if is_written else self.number(depth, size // 2)
        symbol = self.choice(list(COMPARISONS))
        compare = compared(symbol, one, other)
        if way == "compare":
            return Tree(
                f"({one} {symbol} {other})",
                "bool",
                depth,
                lambda event: lifted(
                    compare, [one.depth, other.depth], [one.value(event), other.value(event)]
                ),
                one.length or other.length,
            )
        low, second = self.written(), self.choice(["<", "<="])
        below = compared(second, low, one)

        def between(event: Event) -> Any:
            return lifted(
                lambda a, b, c: below(a, b) and compare(b, c),
                [0, one.depth, other.depth],
                [low.value(event), one.value(event), other.value(event)],
            )

        text = f"({low} {second} {one} {symbol} {other})"
        return Tree(text, "bool", depth, between, one.length or other.length)

    def membership(self, one: Tree) -> Tree:
        options = [self.written("integer") for _ in range(self.draw(st.integers(1, 3)))]
        is_not = self.choice([False, True])
        equal = [compared("==", one, option) for option in options]

        def value(event: Event) -> Any:
            def is_in(a: Any) -> bool:
                found = any(
                    same(a, option.value(event))
                    for same, option in zip(equal, options, strict=True)
                )
                return found != is_not

            return lifted(is_in, [one.depth], [one.value(event)])

        inside = ", ".join(map(str, options))
        text = f"({one} {'not in' if is_not else 'in'} ({inside},))"
        return Tree(text, "bool", one.depth, value, one.length)

    def of_text(self) -> Tree:
        symbol, other = self.choice(list(COMPARISONS)), self.choice(TEXTS)
        compare = COMPARISONS[symbol]
        return Tree(
            f"(title {symbol} '{other}')", "bool", 0, lambda event: compare(event["title"], other)
        )


def without_sign(tree: Tree) -> Tree:
    """Return floats without -0, because the sign of a 0 is not specified."""
    if not is_float(tree.kind):
        return tree

    def value(event: Event) -> Any:
        return lifted(lambda a: a + 0.0, [tree.depth], [tree.value(event)])

    text = f"({tree} + 0)"
    return Tree(text, tree.kind, tree.depth, value, tree.length, False, tree.is_exact)


SUMMED = ["float32", "float64", "int32", "int64"]


def reduced(name: str, values: list[Any], kind: str, result: str) -> Any:
    """Return the reduction of a list."""
    match name:
        case "count":
            return len(values)
        case "any":
            return any(values)
        case "all":
            return all(values)
        case "sum":
            total = sum(values)
            if not is_float(result) and as_kind(total, result) != total:
                raise BeyondRangeError
            return as_kind(total, result)
        case "mean":
            if not values:
                return math.nan
            exact = sum(values) if isinstance(values[0], int) else sum(map(float, values))
            return float(exact) / len(values)
    has_nan = is_float(kind) and any(value != value for value in values)
    if name in ("argmin", "argmax"):
        if not values:
            return -1
        if has_nan:
            return next(place for place, value in enumerate(values) if value != value)
        return values.index(min(values) if name == "argmin" else max(values))
    if has_nan:
        return math.nan
    if not values:
        if is_float(kind):
            return math.inf if name == "min" else -math.inf
        limits = np.iinfo(kind)
        return int(limits.max if name == "min" else limits.min)
    return min(values) if name == "min" else max(values)


# Events.


def random_number(kind: str, chance: random.Random, is_special: bool) -> Any:
    """Return a number of a type with few digits, or a special one."""
    if kind == "bool":
        return chance.random() < 0.5
    if is_float(kind):
        if is_special and chance.random() < 0.2:
            return chance.choice([math.nan, math.inf, -math.inf, -0.0])
        return chance.randrange(-40, 400) / 4
    limits = np.iinfo(kind)
    if is_special and chance.random() < 0.3:
        near = [2**53, 2**53 + 1, 2**53 - 1, -(2**53) - 1, 2**63 - 1, 2**64 - 1, -(2**63)]
        fit = [number for number in near if limits.min <= number <= limits.max]
        return chance.choice([*fit, int(limits.min), int(limits.max)])
    return chance.randrange(max(-5, int(limits.min)), 100)


def random_list(chance: random.Random, is_special: bool) -> list[float]:
    return [random_number("float64", chance, is_special) for _ in range(chance.choice([0, 1, 3]))]


def random_events(seed: int, count: int, is_special: bool = True) -> list[Event]:
    chance = random.Random(seed)
    events = []
    for _ in range(count):
        event: Event = {
            name: random_number(kind, chance, is_special) for name, kind in NUMBERS.items()
        }
        event["Obj"] = [
            {name: random_number(kind, chance, is_special) for name, kind in MEMBERS.items()}
            | {"s": random_list(chance, is_special)}
            for _ in range(chance.randrange(4))
        ]
        event["title"] = chance.choice(TEXTS)
        events.append(event)
    return events


def as_arrays(events: list[Event]) -> dict[str, Any]:
    """Return events in the form that extend() takes, with the types of the columns."""
    arrays: dict[str, Any] = {
        name: np.array([event[name] for event in events], kind) for name, kind in NUMBERS.items()
    }
    counts = [len(event["Obj"]) for event in events]
    objects = [each for event in events for each in event["Obj"]]
    members: dict[str, Any] = {
        name: np.array([each[name] for each in objects], kind) for name, kind in MEMBERS.items()
    }
    inner = [each["s"] for each in objects]
    flat = np.array([value for values in inner for value in values], np.float64)
    members["s"] = ak.unflatten(flat, np.array(list(map(len, inner)), np.int64))
    arrays["Obj"] = ak.unflatten(ak.zip(members, depth_limit=1), np.array(counts, np.int64))
    arrays["title"] = [event["title"] for event in events]
    return arrays
