"""Random pairs of models, and random values of the older model."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st

from .member_types import (
    NUMBERS,
    Array,
    Component,
    Enum,
    Fields,
    Member,
    Model,
    Number,
    Optional,
    Relation,
    String,
    Type,
    Vector,
    random_value,
)
from .model_text import INTERFACES, OLD_NAMES, RENAMED, TARGETS, yaml

ENTRIES, OBJECTS = 2, 3
ENUM_NUMBERS = [Number(name) for name in ("int8", "uint8", "int16", "int32", "int64")]
NOT_OPTIONAL = (Optional, String, Vector, Relation)
UNFIT = (Array, Optional, String, Vector, Relation)  # these cannot be elements


@dataclass
class Pair:
    old: Model
    new: Model
    chance: int  # seed of the values

    def __repr__(self) -> str:
        return f"old model:\n{yaml(self.old)}new model:\n{yaml(self.new)}values: {values(self)}"


class Drawing:
    """Draws types of members; enums and components belong to one of the two models."""

    def __init__(self, draw: Any, enums: list[list[Enum]]) -> None:
        self.draw, self.enums = draw, enums

    def choice(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def scalar(self, version: int) -> Type:
        if self.chance(20):
            return self.choice(self.enums[version])
        return Number(self.choice(NUMBERS))

    def plain(self, version: int, components: list[str]) -> Type:
        """Draw a type that may be optional, or an element of an array."""
        if components and self.chance(40):
            return Component(self.choice(components))
        return self.scalar(version)

    def value(self, version: int, components: list[str]) -> Type:
        """Draw a type that members of components can have."""
        type_ = self.plain(version, components)
        shape = self.draw(st.integers(0, 7))
        if shape in (3, 4):
            type_ = Array(type_, self.draw(st.integers(1, 3)))
        elif shape == 5:
            type_ = Array(Array(type_, self.draw(st.integers(2, 3))), 2)
        return Optional(type_) if self.chance(25) else type_

    def member(self, version: int, components: list[str]) -> Type:
        """Draw a type that members of datatypes can have."""
        kind = self.draw(st.integers(0, 9))
        if kind < 6:
            return self.value(version, components)
        if kind == 6:
            return String()
        if kind < 9:
            element: Type = self.plain(version, components)
            if self.chance(15):
                element = String()
            return Vector(element, self.choice([0, 0, 0, 1, 2]))
        return Relation(self.choice(TARGETS + list(INTERFACES)), self.chance(50))

    def renewed(self, type_: Type) -> Type:
        """Return the newer model's type of the same name."""
        match type_:
            case Enum(name):
                return next(enum for enum in self.enums[1] if enum.name == name)
            case Array(element, length):
                return Array(self.renewed(element), length)
            case Optional(value):
                return Optional(self.renewed(value))
            case Vector(element, depth):
                return Vector(self.renewed(element), depth)
            case Relation(target, is_many):
                return Relation(RENAMED.get(target, target), is_many)
        return type_

    def changed(self, type_: Type, components: list[str]) -> Type:
        """Draw a type that a member of this type may have in the newer model."""
        way = self.draw(st.integers(0, 9))
        now = self.renewed(type_)
        if way == 9:
            return self.renewed(self.member(0, components))
        if way == 8 and not isinstance(now, Optional | Vector | String | Relation):
            changed = self.changed(type_, components) if self.chance(30) else now
            return now if isinstance(changed, NOT_OPTIONAL) else Optional(changed)
        match type_:
            case Number() | Enum():
                return Array(now, self.choice([1, 2])) if way == 7 else self.scalar(1)
            case Component():
                if way == 7:
                    return Array(now, self.choice([1, 2]))
                return Component(self.choice(components)) if components and way > 3 else now
            case Array(element, length):
                if way == 7:
                    return Array(self.renewed(element), self.choice([1, 2, 3]))
                if length == 1 and way == 6:
                    return self.renewed(element)
                if isinstance(element, Array):
                    return now
                changed = self.changed(element, components)
                return now if isinstance(changed, UNFIT) else Array(changed, length)
            case Optional(value):
                if way > 4:
                    return self.renewed(value)
                changed = self.changed(value, components)
                return changed if isinstance(changed, NOT_OPTIONAL) else Optional(changed)
            case Vector(element, depth):
                if way == 7:
                    return Vector(self.renewed(element), self.choice([0, 1]))
                changed = self.changed(element, components) if element != String() else element
                return now if isinstance(changed, UNFIT) else Vector(changed, depth)
            case Relation(_, is_many):
                if way < 5:
                    targets = [*TARGETS, *INTERFACES]
                    return Relation(RENAMED.get(new := self.choice(targets), new), is_many)
                return Relation(now.target, way == 7)
        return now

    def fields(self, count: int, components: list[str], is_datatype: bool) -> tuple[Fields, Fields]:
        """Draw the members of a type in both versions."""
        old, new = Fields(), Fields()
        draw_type = self.member if is_datatype else self.value
        for number in range(self.draw(st.integers(1, count))):
            name = f"m{number}"
            old.members[name] = Member(draw_type(0, components), self.default())
            fate = self.draw(st.integers(0, 9))
            if fate == 9 and number:
                continue  # dropped
            was = old.members[name]
            type_ = self.renewed(was.type) if fate < 3 else self.changed(was.type, components)
            if not is_datatype and isinstance(type_, String | Vector | Relation):
                type_ = self.renewed(was.type)
            now, before = name, []
            if fate in (5, 6):
                now, before = f"n{number}", [name]
                if fate == 6:
                    before = [f"k{number}", name]
            if fate == 8:
                now = f"x{number}"  # as if dropped, and another one added
            new.members[now] = Member(type_, self.default())
            if before:
                new.old_names[now] = before
        if self.chance(20):
            new.members["added"] = Member(self.renewed(draw_type(0, components)), self.default())
        if self.chance(20):
            new.members = dict(reversed(new.members.items()))
        return old, new

    def default(self) -> int | None:
        return self.choice([None, None, 1])


@st.composite
def pairs(draw: Any, datatypes: int = 12) -> Pair:
    enums = [
        [Enum(name, draw(st.sampled_from(ENUM_NUMBERS))) for name in ("E0", "E1")] for _ in range(2)
    ]
    drawing = Drawing(draw, enums)
    interfaces = {
        name: [RENAMED.get(each, each) for each in types] for name, types in INTERFACES.items()
    }
    old = Model(1, {}, {}, interfaces=INTERFACES)
    new = Model(3, {}, {}, {now: was for was, now in RENAMED.items()}, interfaces)
    for number in range(draw(st.integers(1, 3))):
        name = f"C{number}"
        known = list(old.components)
        old.components[name], new.components[name] = drawing.fields(3, known, is_datatype=False)
    for number in range(draw(st.integers(1, datatypes))):
        name = f"T{number}"
        known = list(old.components)
        old.datatypes[name], new.datatypes[name] = drawing.fields(2, known, is_datatype=True)
    if drawing.chance(40):
        add_link(drawing, old, new)
    return Pair(old, new, draw(st.integers(0, 2**32)))


def add_link(drawing: Drawing, old: Model, new: Model) -> None:
    """Add a link, which may have been a datatype."""
    targets = [*TARGETS, *INTERFACES]
    ends = {"from": drawing.choice(targets), "to": drawing.choice(targets)}
    old.datatypes["L"] = Fields({"weight": Member(Number("float32"))})
    new.datatypes["L"] = Fields({"weight": Member(Number("float32"))})
    for name, target in ends.items():
        now = target if drawing.chance(70) else drawing.choice(targets)
        old.datatypes["L"].members[name] = Member(Relation(target, False))
        new.datatypes["L"].members[name] = Member(Relation(RENAMED.get(now, now), False))
    old.links = {"L"} if drawing.chance(50) else set()
    new.links = {"L"}
    new.old_types |= OLD_NAMES


def values(pair: Pair) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the objects of each entry by the name of their datatype."""
    chance = random.Random(pair.chance)
    return {
        name: [
            [
                {
                    inner: random_value(pair.old, member.type, chance, OBJECTS)
                    for inner, member in fields.members.items()
                }
                for _ in range(chance.randrange(OBJECTS + 1) if entry else OBJECTS)
            ]
            for entry in range(ENTRIES)
        ]
        for name, fields in pair.old.datatypes.items()
    }
