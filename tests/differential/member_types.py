"""Types of members, and the documented conversions between them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np


class Unreadable(Exception):
    """A member of one type cannot be read as another, whatever its values."""


class Misfit(Exception):
    """A value does not fit into the type that reads it."""


@dataclass(frozen=True)
class Number:
    name: str

    def __str__(self) -> str:
        return SPELLINGS.get(self.name, f"{self.name}_t")


@dataclass(frozen=True)
class Enum:
    """An enum, E0 or E1, with the type of its numbers."""

    name: str
    number: Number

    def __str__(self) -> str:
        return f"t::{self.name}"


@dataclass(frozen=True)
class Component:
    """A component; the model has its members."""

    name: str

    def __str__(self) -> str:
        return f"t::{self.name}"


@dataclass(frozen=True)
class Array:
    element: Type
    length: int

    def __str__(self) -> str:
        return f"std::array<{self.element}, {self.length}>"


@dataclass(frozen=True)
class Optional:
    value: Type

    def __str__(self) -> str:
        return f"std::optional<{self.value}>"


@dataclass(frozen=True)
class String:
    def __str__(self) -> str:
        return "std::string"


@dataclass(frozen=True)
class Vector:
    """A vector member; of lists if `depth` is at least 1."""

    element: Type
    depth: int = 0

    def __str__(self) -> str:
        return "std::vector<" * self.depth + str(self.element) + ">" * self.depth


@dataclass(frozen=True)
class Relation:
    target: str  # datatype or interface
    is_many: bool

    def __str__(self) -> str:
        return f"t::{self.target}"


Type: TypeAlias = Number | Enum | Component | Array | Optional | String | Vector | Relation

SPELLINGS = {"bool": "bool", "float32": "float", "float64": "double"}
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
NUMBERS = ["bool", *INTEGERS, "float32", "float64"]


@dataclass
class Member:
    type: Type
    default: int | None = None  # of numbers, if declared


@dataclass
class Fields:
    """The members of a component or datatype, with their former names, latest first."""

    members: dict[str, Member] = field(default_factory=dict)
    old_names: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Model:
    version: int
    components: dict[str, Fields]
    datatypes: dict[str, Fields]
    old_types: dict[str, str] = field(default_factory=dict)
    interfaces: dict[str, list[str]] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)  # datatypes that are links

    def targets(self, target: str) -> set[str]:
        return set(self.interfaces.get(target, [target]))


def bounds(name: str) -> tuple[int, int]:
    if name == "bool":
        return 0, 1
    limits = np.iinfo(name)
    return int(limits.min), int(limits.max)


def default_of(model: Model, member: Member) -> Any:
    """Return the value of a member that a file lacks."""
    match member.type:
        case Number(name):
            number = member.default or 0
            if name == "bool":
                return bool(number)
            return float(number) if name.startswith("float") else number
        case Enum():
            return 0
        case Component(name):
            fields = model.components[name].members
            return {inner: default_of(model, fields[inner]) for inner in fields}
        case Array(element, length):
            return [default_of(model, Member(element)) for _ in range(length)]
        case Optional() | Relation(is_many=False):
            return None
        case String():
            return ""
    return []


def converted(value: Any, old: str, new: str) -> Any:
    """Return a number converted from one type to another."""
    if new.startswith("float"):
        if old.startswith("float"):
            number = float(np.dtype(new).type(value))
            if math.isinf(number) and not math.isinf(value):
                raise Misfit(f"{value} is beyond {new}")
            return number
        return float(np.array(value, old).astype(new))
    if old.startswith("float") and not (math.isfinite(value) and value == int(value)):
        raise Misfit(f"{value} is not whole")
    least, greatest = bounds(new)
    if not least <= int(value) <= greatest:
        raise Misfit(f"{value} is no {new}")
    return bool(value) if new == "bool" else int(value)


class Evolution:
    """The rules of docs/evolution.md for members."""

    def __init__(self, old: Model, new: Model) -> None:
        self.old, self.new = old, new

    def old_name(self, name: str, before: Fields, after: Fields) -> str | None:
        """Return the name of a member in the older version; None if it did not exist."""
        names = [name, *after.old_names.get(name, [])]
        return next((each for each in names if each in before.members), None)

    def check(self, old: Type, new: Type) -> None:
        """Raise Unreadable unless members of the old type can be read as the new one."""
        match old, new:
            case Optional(was), Optional(now):
                self.check(was, now)
            case Optional(was), _:
                self.check(was, new)
            case _, Optional(now):
                self.check(old, now)
            case Array(was, length), Array(now, other_length):
                if length != other_length or isinstance(was, Array) != isinstance(now, Array):
                    raise Unreadable
                self.check(was, now)
            case Array(was, 1), (Number() | Enum() | Component()):
                self.check(was, new)
            case ((Number() | Enum() | Component()), Array(now, 1)):
                self.check(old, now)
            case Component(was), Component(now):
                before, after = self.old.components[was], self.new.components[now]
                for name, member in after.members.items():
                    if old_name := self.old_name(name, before, after):
                        self.check(before.members[old_name].type, member.type)
            case ((Number() | Enum()), (Number() | Enum())):
                pass
            case String(), String():
                pass
            case Vector(was, depth), Vector(now, other_depth) if depth == other_depth:
                self.check(was, now)
            case Relation(was, is_many), Relation(now, is_many_now) if is_many == is_many_now:
                known = {self.new.old_types.get(name, name) for name in self.new.targets(now)}
                if not known >= self.old.targets(was):
                    raise Unreadable
            case _:
                raise Unreadable

    def value(self, value: Any, old: Type, new: Member) -> Any:
        """Return a value of the old type as the new member reads it."""
        match old, new.type:
            case Optional(), _ if value is None:
                return default_of(self.new, new)
            case Optional(was), _:
                return self.value(value, was, new)
            case _, Optional(now):
                return self.value(value, old, Member(now))
            case Vector(was, depth), Vector(now):
                return self.each(value, was, now, depth)
            case Array(was), Array(now):
                return self.each(value, was, now, 0)
            case Array(was), _:
                return self.value(value[0], was, Member(new.type))
            case ((Number() | Enum() | Component()), Array(now)):
                return [self.value(value, old, Member(now))]
            case Component(was), Component(now):
                before, after = self.old.components[was], self.new.components[now]
                result = {}
                for name, member in after.members.items():
                    old_name = self.old_name(name, before, after)
                    result[name] = (
                        default_of(self.new, member)
                        if old_name is None
                        else self.value(value[old_name], before.members[old_name].type, member)
                    )
                return result
            case ((Number() | Enum()), (Number() | Enum())):
                return converted(value, number_of(old), number_of(new.type))
        return value

    def each(self, values: list[Any], old: Type, new: Type, depth: int) -> list[Any]:
        if depth:
            return [self.each(inner, old, new, depth - 1) for inner in values]
        return [self.value(value, old, Member(new)) for value in values]


def number_of(type_: Type) -> str:
    assert isinstance(type_, Number | Enum)
    return type_.name if isinstance(type_, Number) else type_.number.name


def random_number(name: str, chance: random.Random) -> Any:
    """Return a number of a type; many numbers fit into most types."""
    if name == "bool":
        return chance.random() < 0.5
    plain = [0, 1, chance.randrange(0, 128)]
    if name.startswith("float"):
        special = [-0.0, 0.5, -1.5, math.nan, math.inf, -math.inf, 3e38, 1e-45, 16777216.0]
        special += [1e300, 0.1, 2.0**63] if name == "float64" else [2.0**31]
        number = chance.choice(plain if chance.random() < 0.8 else special)
        return float(np.dtype(name).type(number))
    least, greatest = bounds(name)
    greatest = min(greatest, 2**63 - 1)  # larger numbers in lists need NumPy's types
    return chance.choice(plain if chance.random() < 0.8 else [least, greatest, greatest // 2])


def random_value(model: Model, type_: Type, chance: random.Random, objects: int) -> Any:
    """Return a value of a type; for relations, the collection and index of an object, or None."""
    match type_:
        case Number() | Enum():
            return random_number(number_of(type_), chance)
        case Component(name):
            members = model.components[name].members
            return {
                inner: random_value(model, member.type, chance, objects)
                for inner, member in members.items()
            }
        case Array(element, length):
            return [random_value(model, element, chance, objects) for _ in range(length)]
        case Optional(value):
            return None if chance.random() < 0.4 else random_value(model, value, chance, objects)
        case String():
            return chance.choice(["", "a", "größer", "two words"])
        case Vector(element, depth):
            inner = Vector(element, depth - 1) if depth else element
            size = chance.randrange(3)
            return [random_value(model, inner, chance, objects) for _ in range(size)]
        case Relation(target, is_many):
            if is_many:
                one = Relation(target, False)
                places = [random_value(model, one, chance, objects) for _ in range(2)]
                return [place for place in places if place is not None]
            if chance.random() < 0.3:
                return None
            return chance.choice(sorted(model.targets(target))), chance.randrange(objects)
    raise AssertionError(type_)
