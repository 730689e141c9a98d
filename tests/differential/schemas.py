"""Random columns in all formats are read back unchanged."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import awkward as ak
import hypothesis.strategies as st
import numpy as np

import kaon

from .harness import Disagreement, Part, same
from .member_types import (
    NUMBERS,
    Array,
    Component,
    Enum,
    Member,
    Model,
    Number,
    Optional,
    Relation,
    String,
    Type,
    Vector,
    random_number,
    random_value,
)
from .model_pairs import ENUM_NUMBERS, OBJECTS, Drawing
from .model_text import INTERFACES, TARGETS, yaml
from .model_values import as_array, plain_array

ENTRIES = 5


@dataclass
class Schemas:
    model: Model
    columns: dict[str, str]  # without a model: name to kind and type of numbers
    options: list[dict[str, Any]]
    seed: int

    def __repr__(self) -> str:
        return f"columns {self.columns}, options {self.options}, seed {self.seed}\n" + yaml(
            self.model
        )


KINDS = ["value", "list", "lists", "rows", "text", "texts"]
HOLED = ["holed value", "holed text", "holed texts", "holed list", "holed array"]
"""Kinds of columns with missing values."""


@st.composite
def schemas(draw: Any) -> Schemas:
    enums = [Enum(name, draw(st.sampled_from(ENUM_NUMBERS))) for name in ("E0", "E1")]
    drawing = Drawing(draw, [enums, enums])
    model = Model(1, {}, {}, interfaces=INTERFACES)
    for number in range(draw(st.integers(1, 2))):
        known = list(model.components)
        model.components[f"C{number}"], _ = drawing.fields(3, known, is_datatype=False)
    for number in range(draw(st.integers(0, 5))):
        known = list(model.components)
        model.datatypes[f"T{number}"], _ = drawing.fields(3, known, is_datatype=True)
    columns = {
        f"x{number}": f"{draw(st.sampled_from(KINDS + HOLED))} {draw(st.sampled_from(NUMBERS))}"
        for number in range(draw(st.integers(0, 6)))
    }
    options = [
        {
            "codec": draw(st.sampled_from(["none", "lz4", "zstd", "zlib", "lzma"])),
            "layout": draw(st.sampled_from(["split", "member", "row"])),
            "cluster_entries": draw(st.integers(1, ENTRIES)),
            "page_bytes": draw(st.sampled_from([64, 65536])),
        }
        for _ in range(2)
    ]
    return Schemas(model, columns, options, draw(st.integers(0, 2**32)))


# The columns that each format can hold, by its page.


def parts(model: Model, type_: Type) -> list[Type]:
    """Return a type and all types inside it."""
    match type_:
        case Component(name):
            inside = [member.type for member in model.components[name].members.values()]
        case Array(within) | Optional(within) | Vector(within):
            inside = [within]
        case _:
            inside = []
    return [type_, *(part for inner in inside for part in parts(model, inner))]


def is_plain(model: Model, type_: Type) -> bool:
    return not isinstance(type_, String | Vector | Relation)


def is_number(type_: Type) -> bool:
    return isinstance(type_, Number | Enum)


YES, NO, MAYBE = "holds", "refuses", "may hold"


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    holds_type
        Whether the format holds a member of a model's datatype.
    holds_kind
        Whether the format holds a column without a model, by its kind and type of numbers.
    """

    name: str
    suffix: str
    holds_type: Callable[[Model, Type], str]
    holds_kind: Callable[[str, str], str]


def everything(*_: Any) -> str:
    return YES


def in_tree(model: Model, type_: Type) -> str:
    return YES if is_plain(model, type_) else MAYBE if isinstance(type_, String) else NO


def in_parquet(model: Model, type_: Type) -> str:
    for part in parts(model, type_):
        if isinstance(part, Optional) and any(
            isinstance(inner, Array) for inner in parts(model, part.value)
        ):
            return MAYBE
    return YES


def in_podio(model: Model, type_: Type) -> str:
    found = parts(model, type_)
    for part in found:
        if isinstance(part, String | Optional) or (isinstance(part, Vector) and part.depth):
            return NO
        if isinstance(part, Array) and (part.length == 1 or isinstance(part.element, Array)):
            is_number = part.length == 1 and isinstance(part.element, Component)
            return MAYBE if is_number else NO
    return YES


def in_sio(model: Model, type_: Type) -> str:
    found = parts(model, type_)
    if any(isinstance(part, String) or (isinstance(part, Vector) and part.depth) for part in found):
        return NO
    return YES if in_podio(model, type_) == YES else MAYBE


def in_parquet_column(kind: str, number: str) -> str:
    return MAYBE if kind == "holed array" else YES  # pyarrow does not read these back


def in_tree_column(kind: str, number: str) -> str:
    return MAYBE if kind in HOLED else NO if kind == "lists" else YES


def as_parameter(kind: str, number: str) -> str:
    if kind in HOLED:
        return MAYBE
    if kind in ("lists", "rows"):
        return NO if kind == "rows" else MAYBE
    is_known = kind in ("text", "texts") or number in ("int32", "float32", "float64")
    return YES if is_known else NO


def in_hipo(model: Model, type_: Type) -> str:
    numbers = ("int8", "int16", "int32", "int64", "float32", "float64")
    for part in parts(model, type_):
        if isinstance(part, Number | Enum):
            name = part.name if isinstance(part, Number) else part.number.name
            if name not in numbers:
                return NO
        elif not (isinstance(part, Array) and part.length > 1 and is_number(part.element)):
            return MAYBE if is_plain(model, part) else NO
    return YES


def in_bank(kind: str, number: str) -> str:
    is_known = number in ("int8", "int16", "int32", "int64", "float32", "float64")
    return YES if kind == "rows" and is_known else MAYBE


FORMATS = [
    Format("kaon", ".kaon", everything, everything),
    Format("rntuple", ".root", everything, everything),
    Format("ttree", ".root", in_tree, in_tree_column),
    Format("hdf5", ".h5", everything, everything),
    Format("podio", ".root", in_podio, as_parameter),
    Format("podio-sio", ".sio", in_sio, as_parameter),
    Format("hipo", ".hipo", in_hipo, in_bank),
]
if find_spec("pyarrow"):
    FORMATS += [
        Format("feather", ".feather", everything, everything),
        Format("parquet", ".parquet", in_parquet, in_parquet_column),
    ]


# Values.


def random_column(kind: str, number: str, chance: random.Random) -> tuple[list[Any], Any]:
    """Return the values of a column, and the form that extend() takes."""

    def numbers(size: int) -> list[Any]:
        return [random_number(number, chance) for _ in range(size)]

    def sizes() -> list[int]:
        return [chance.randrange(4) for _ in range(ENTRIES)]

    def nested(lists: list[list[Any]]) -> ak.Array:
        flat = np.array([value for inner in lists for value in inner], number)
        return ak.unflatten(flat, np.array(list(map(len, lists)), np.int64))

    if kind in HOLED:
        return holed_column(kind, number, chance)
    if kind == "value":
        values = numbers(ENTRIES)
        return values, np.array(values, number)
    if kind == "text":
        texts = [chance.choice(["", "a", "größer"]) for _ in range(ENTRIES)]
        return texts, texts
    if kind == "texts":
        lists = [[chance.choice(["", "a", "größer"]) for _ in range(size)] for size in sizes()]
        return lists, ak.Array([*lists, ["typed"]])[:-1]
    if kind == "list":
        lists = [numbers(size) for size in sizes()]
        return lists, nested(lists)
    if kind == "rows":
        lists = [numbers(size) for size in sizes()]
        rows = [[{"a": value, "b": place} for place, value in enumerate(each)] for each in lists]
        places = ak.local_index(nested(lists))
        return rows, ak.zip({"a": nested(lists), "b": places})
    lists = [[numbers(size) for size in sizes()[: chance.randrange(4)]] for _ in range(ENTRIES)]
    inner = nested([each for lists_ in lists for each in lists_])
    return lists, ak.unflatten(inner, np.array(list(map(len, lists)), np.int64))


def holed_column(kind: str, number: str, chance: random.Random) -> tuple[list[Any], Any]:
    """Return the values of a column where some are missing, and the form that extend() takes."""

    def maybe(value: Any) -> Any:
        return chance.choice([value, value, None])

    def text() -> Any:
        return maybe(chance.choice(["", "a", "größer"]))

    def numbers(size: int) -> list[Any]:
        return [random_number(number, chance) for _ in range(size)]

    def holes(size: int) -> np.ndarray:
        return np.array([chance.random() < 0.7 for _ in range(size)], bool)

    if kind == "holed value":
        values = ak.mask(ak.Array(np.array(numbers(ENTRIES), number)), holes(ENTRIES))
        return values.tolist(), values
    if kind == "holed text":
        texts = [text() for _ in range(ENTRIES)]
        return texts, ak.Array([*texts, "typed", None])[:-2]
    if kind == "holed texts":
        lists = [maybe([text() for _ in range(chance.randrange(3))]) for _ in range(ENTRIES)]
        return lists, ak.Array([*lists, ["typed", None]])[:-1]
    if kind == "holed list":
        counts = [chance.randrange(3) for _ in range(ENTRIES)]
        flat = numbers(sum(counts))
        holed = ak.mask(ak.Array(np.array(flat, number)), holes(len(flat)))
        lists = ak.unflatten(holed, np.array(counts, np.int64))
        return lists.tolist(), lists
    rows = np.array(numbers(2 * ENTRIES), number).reshape(ENTRIES, 2)
    arrays = ak.mask(ak.from_numpy(rows, regulararray=True), holes(ENTRIES))
    return arrays.tolist(), arrays


class Check:
    def __init__(self, example: Schemas, folder: Path) -> None:
        self.example, self.folder = example, folder
        chance = random.Random(example.seed)
        path = folder / "t.yaml"
        path.write_text(yaml(example.model))
        self.model = kaon.load_model(path)
        self.given: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        for name in TARGETS:
            self.values[name] = [[{"id": i} for i in range(OBJECTS)] for _ in range(ENTRIES)]
            self.given[name] = self.values[name]
        for name, fields in example.model.datatypes.items():
            self.values[name] = self.objects(fields.members, chance)
            types = {inner: member.type for inner, member in fields.members.items()}
            self.given[name] = [
                [{n: as_array(types[n], value) for n, value in each.items()} for each in event]
                for event in self.values[name]
            ]
        for name, type_ in example.columns.items():
            kind, _, number = type_.rpartition(" ")
            self.values[name], self.given[name] = random_column(kind, number, chance)
        self.cases = 0

    def objects(self, members: dict[str, Member], chance: random.Random) -> list[Any]:
        return [
            [
                {
                    name: random_value(self.example.model, member.type, chance, OBJECTS)
                    for name, member in members.items()
                }
                for _ in range(chance.randrange(OBJECTS + 1) if entry else OBJECTS)
            ]
            for entry in range(ENTRIES)
        ]

    def holds(self, format_: Format, name: str) -> str:
        if name in TARGETS:
            return YES
        if name in self.example.columns:
            kind, _, number = self.example.columns[name].rpartition(" ")
            return format_.holds_kind(kind, number)
        members = self.example.model.datatypes[name].members.values()
        answers = {format_.holds_type(self.example.model, member.type) for member in members}
        return NO if NO in answers else MAYBE if MAYBE in answers else YES

    def run(self) -> int:
        for number, options in enumerate(self.example.options):
            path = self.write(f"all{number}.kaon", list(self.values), **options)
            self.compare(path, FORMATS[0], list(self.values))
        for format_ in FORMATS:
            names = list(self.values)
            answers = {name: self.holds(format_, name) for name in names}
            sound = [name for name in names if answers[name] == YES]
            source = self.write(f"{format_.name}.kaon", sound)
            self.compare(self.convert(source, format_), format_, sound)
            if format_.name not in ("feather", "parquet"):
                target = f"{format_.name}-made{format_.suffix}"
                options = {} if format_.name == "kaon" else {"format": format_.name}
                self.compare(self.write(target, sound, **options), format_, sound)
            for name in names:
                if answers[name] != YES:
                    self.try_one(format_, name, answers[name])
        return self.cases

    def try_one(self, format_: Format, name: str, answer: str) -> None:
        """Check that a column that a format may refuse is refused or read back."""
        source = self.write(f"{format_.name}-{name}.kaon", [*TARGETS, name])
        try:
            target = self.convert(source, format_)
        except kaon.Error:
            self.cases += 1
            return
        if answer == NO:
            self.fail(format_, name, "written", "refused")
        if format_.name != "hipo":
            self.compare(target, format_, [name])

    def write(self, file: str, names: list[str], **options: Any) -> Path:
        path = self.folder / file
        types = {
            name: f"t::{name}"
            for name in names
            if name in self.example.model.datatypes or name in TARGETS
        } | {name: "record" for name in names if self.example.columns.get(name, "")[:4] == "rows"}
        with kaon.create(path, model=self.model, types=types, **options) as out:
            out["events"].extend({name: self.given[name] for name in names})
        return path

    def convert(self, source: Path, format_: Format) -> Path:
        target = source.with_name(f"{source.stem}-copy{format_.suffix}")
        named = format_.name not in ("rntuple", "kaon", "feather", "parquet")
        kaon.convert(source, target, **({"format": format_.name} if named else {}))
        return target

    def compare(self, path: Path, format_: Format, names: list[str]) -> None:
        arrays = kaon.open(path)["events"].arrays()
        for name in names:
            found = arrays[name].tolist()
            expected = self.values[name]
            if format_.name == "hipo":  # it does not distinguish empty banks from missing ones
                found = [each or [] for each in found]
            if name in self.example.columns:
                kind, _, _ = self.example.columns[name].rpartition(" ")
                if format_.name.startswith("podio") and kind.endswith(("value", "text")):
                    expected = [None if value is None else [value] for value in expected]
                if kind == "rows":  # formats without a distinction return objects
                    found = [[{"a": row["a"], "b": row["b"]} for row in rows] for rows in found]
            elif name in self.example.model.datatypes:
                members = self.example.model.datatypes[name].members
                found = [
                    [
                        {
                            n: plain_array(self.example.model, members[n].type, v)
                            for n, v in each.items()
                            if n in members
                        }
                        for each in event
                    ]
                    for event in found
                ]
            else:
                found = [[{"id": each["id"]} for each in event] for event in found]
            if not same(found, expected):
                self.fail(format_, name, found, expected)
            self.cases += 1

    def fail(self, format_: Format, name: str, found: Any, expected: Any) -> None:
        raise Disagreement(
            f"{format_.name}: {name}\n  is        {found}\n  should be {expected}\n{self.example}"
        )


def check(example: Schemas, folder: Path) -> int:
    return Check(example, folder).run()


PART = Part("schemas", "a column or collection, through one format", schemas(), check)
