"""Pairs of models: what was written with the older one is read with the newer one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis.strategies as st

import kaon
from kaon.model.comparison import Effect, diff
from kaon.modelgen import load_model

from .harness import Disagreement, Part, expect_same, same
from .member_types import (
    NUMBERS,
    Array,
    Component,
    Enum,
    Evolution,
    Fields,
    Member,
    Misfit,
    Model,
    Number,
    Optional,
    Relation,
    String,
    Type,
    Unreadable,
    Vector,
    default_of,
    random_value,
)

ENTRIES, OBJECTS = 2, 3
ENUM_NUMBERS = [Number(name) for name in ("int8", "uint8", "int16", "int32", "int64")]
TARGETS = ["A", "B"]  # datatypes that relations lead to
INTERFACES = {"AorB": ["A", "B"], "OnlyA": ["A"]}


@dataclass
class Pair:
    old: Model
    new: Model
    chance: int  # seed of the values

    def __repr__(self) -> str:
        return f"old model:\n{yaml(self.old)}new model:\n{yaml(self.new)}values: {values(self)}"


# Drawing.


class Drawing:
    """Draws types of members; enums and components are those of either model."""

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
        """Return the type of the newer model that has the same name."""
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
        """Draw what a type may have become."""
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
                now = f"x{number}"  # as if it was dropped, and another one added
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


OLD_NAMES = {"L": "K"}  # of what may be a link
NOT_OPTIONAL = (Optional, String, Vector, Relation)
UNFIT = (Array, Optional, String, Vector, Relation)  # as elements
RENAMED = {"B": "Z"}  # the datatype B of the older model is Z in the newer one


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


# The models and values as kaon has them.


def yaml(model: Model) -> str:
    """Return a model as its YAML file."""
    lines = [f"schema_version: {model.version}"]
    enums = {}
    for fields in [*model.components.values(), *model.datatypes.values()]:
        for member in fields.members.values():
            enums |= {enum.name: enum for enum in enums_of(member.type)}
    if enums:
        lines += ["enums:"]
        lines += [
            f"  {enum}: {{Type: {enum.number}, Values: [zero, one]}}" for enum in enums.values()
        ]
    if model.components:
        lines += ["components:"]
    for name, fields in model.components.items():
        lines += [f"  t::{name}:", "    Members:"]
        lines += [f"      - {line}" for line in member_lines(fields)]
    lines += ["datatypes:"]
    targets = {RENAMED.get(name, name) if model.old_types else name: None for name in TARGETS}
    for name in targets:
        lines += [f"  t::{name}:", '    Description: "."', '    Author: "."', "    Members:"]
        lines += ["      - int32_t id // ."]
    for name, fields in model.datatypes.items():
        if name in model.links:
            continue
        lines += [f"  t::{stored_name(model, name)}:", '    Description: "."', '    Author: "."']
        for kind in KINDS:
            if members := list(member_lines(fields, kind)):
                lines += [f"    {kind}:", *(f"      - {line}" for line in members)]
    lines += ["interfaces:"]
    for name, types in model.interfaces.items():
        types = [f"t::{type_}" for type_ in types]
        lines += [f"  t::{name}: {{Description: ., Author: ., Types: [{', '.join(types)}]}}"]
    lines += ["links:"] if model.links else []
    for name in model.links:
        ends = {inner: member.type for inner, member in model.datatypes[name].members.items()}
        described = f"Description: ., Author: ., From: {ends['from']}, To: {ends['to']}"
        lines += [f"  t::{stored_name(model, name)}: {{{described}}}"]
    return "\n".join([*lines, *migrations(model)]) + "\n"


def stored_name(model: Model, name: str) -> str:
    """Return what a datatype is called in a version of the model."""
    return name if model.old_types else OLD_NAMES.get(name, name)


KINDS = ["Members", "VectorMembers", "OneToOneRelations", "OneToManyRelations"]


def kind_of(type_: Type) -> str:
    match type_:
        case Vector():
            return "VectorMembers"
        case Relation(is_many=is_many):
            return "OneToManyRelations" if is_many else "OneToOneRelations"
    return "Members"


def member_lines(fields: Fields, kind: str = "Members") -> Iterator[str]:
    for name, member in fields.members.items():
        if kind_of(member.type) == kind:
            number = member.default if isinstance(member.type, Number) else None
            default = "" if number is None else f"{{{number}}}"
            if default and member.type == Number("bool"):
                default = "{true}"
            yield f'"{member.type} {name}{default} // ."'


def enums_of(type_: Type) -> Iterator[Enum]:
    match type_:
        case Enum():
            yield type_
        case Array(inner) | Optional(inner) | Vector(inner):
            yield from enums_of(inner)


def migrations(model: Model) -> list[str]:
    lines = []
    renamed = {**model.components, **model.datatypes}
    for name in dict.fromkeys([*model.old_types, *renamed]):
        steps = []
        if name in model.old_types:
            old = f"t::{model.old_types[name]}"
            steps += [f"{{from_version: 1, to_version: 2, rename_type: {{from: {old}}}}}"]
        for now, before in renamed[name].old_names.items() if name in renamed else []:
            names = [now, *before]
            for step, (later, earlier) in enumerate(zip(names, names[1:], strict=False)):
                versions = f"from_version: {2 - step}, to_version: {3 - step}"
                rename = f"rename_member: {{from: {earlier}, to: {later}}}"
                steps += [f"{{{versions}, {rename}}}"]
        if steps:
            lines += [f"  t::{name}:", *(f"    - {step}" for step in steps)]
    return ["migrations:", *lines] if lines else []


def values(pair: Pair) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the objects of each entry, by their datatype's name."""
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


def as_array(type_: Type, value: Any) -> Any:
    """Return a value as extend() takes it."""
    if isinstance(type_, Relation):
        if type_.is_many:
            return [as_array(Relation(type_.target, False), each) for each in value]
        return None if value is None else {"collection": value[0], "index": value[1]}
    return value


def write_arrays(path: Path, pair: Pair, model: Any, data: dict[str, Any]) -> None:
    arrays = {name: [[{"id": i} for i in range(OBJECTS)]] * ENTRIES for name in TARGETS}
    for name, events in data.items():
        members = pair.old.datatypes[name].members
        arrays[name] = [
            [
                {inner: as_array(members[inner].type, value) for inner, value in each.items()}
                for each in event
            ]
            for event in events
        ]
    types = {name: f"t::{stored_name(pair.old, name)}" for name in arrays}
    with kaon.create(path, model=model, types=types) as out:
        out["events"].extend(arrays)


def as_object(type_: Type, value: Any, targets: dict[str, list[Any]]) -> Any:
    """Return a value as objects take it."""
    if isinstance(type_, Relation):
        if type_.is_many:
            return [targets[name][index] for name, index in value]
        return None if value is None else targets[value[0]][value[1]]
    return value


def write_frames(path: Path, pair: Pair, model: Any, data: dict[str, Any]) -> None:
    with kaon.create(path, model=model) as out:
        for entry in range(ENTRIES):
            event = kaon.Frame()
            targets = {}
            for name in TARGETS:
                event[name] = collection = kaon.Collection(model[f"t::{name}"])
                targets[name] = [collection.create(id=index) for index in range(OBJECTS)]
            for name, events in data.items():
                members = pair.old.datatypes[name].members
                stored = model[f"t::{stored_name(pair.old, name)}"]
                event[name] = collection = kaon.Collection(stored)
                for each in events[entry]:
                    collection.create(
                        **{
                            inner: as_object(members[inner].type, value, targets)
                            for inner, value in each.items()
                        }
                    )
            out["events"].write(event)


def plain_array(model: Model, type_: Type, value: Any) -> Any:
    """Return a value of an array as the oracle has it."""
    match type_:
        case Relation(target, True):
            return [plain_array(model, Relation(target, False), each) for each in value]
        case Relation():
            return None if value["index"] < 0 else (value["collection"], value["index"])
        case Optional(inner):
            return None if value is None else plain_array(model, inner, value)
        case Component(name) if isinstance(value, dict):
            members = model.components[name].members
            return {
                inner: plain_array(model, members[inner].type, each) if inner in members else each
                for inner, each in value.items()
            }
        case Array(inner, 1) if not isinstance(value, list):
            # Columns do not tell an array of one from its element, which may be called "0".
            one = value["0"] if isinstance(value, dict) and list(value) == ["0"] else value
            return [plain_array(model, inner, one)]
        case Vector(inner, depth) if depth and isinstance(value, list):
            return [plain_array(model, Vector(inner, depth - 1), each) for each in value]
        case Array(inner) | Vector(inner) if isinstance(value, list):
            return [plain_array(model, inner, each) for each in value]
    return value


def plain_object(model: Model, type_: Type, value: Any) -> Any:
    """Return a value of an object as the oracle has it."""
    match type_:
        case Relation(target, True):
            return [plain_object(model, Relation(target, False), each) for each in value]
        case Relation():
            if value is None:
                return None
            name = type(value).__name__
            return next((old for old, new in RENAMED.items() if new == name), name), value.id
        case Optional(inner):
            return None if value is None else plain_object(model, inner, value)
        case Component(name):
            return {
                inner: plain_object(model, member.type, value[inner])
                for inner, member in model.components[name].members.items()
            }
        case Vector(inner, depth) if depth:
            return [plain_object(model, Vector(inner, depth - 1), each) for each in value]
        case Array(inner) | Vector(inner):
            return [plain_object(model, inner, each) for each in value]
        case Enum():
            return int(value)
    return value


# What comes of it.


@dataclass(frozen=True)
class Fate:
    """What the documentation says of a member of a datatype."""

    is_readable: bool
    values: list[list[Any]] | None = None  # None where one does not fit


def fates(pair: Pair, data: dict[str, Any]) -> dict[str, dict[str, Fate]]:
    """Return what becomes of each member of each datatype of the newer model."""
    evolution = Evolution(pair.old, pair.new)
    result: dict[str, dict[str, Fate]] = {}
    for name, after in pair.new.datatypes.items():
        before = pair.old.datatypes[name]
        result[name] = {}
        for inner, member in after.members.items():
            old_name = evolution.old_name(inner, before, after)
            if old_name is None:
                found = [[default_of(pair.new, member) for _ in event] for event in data[name]]
                result[name][inner] = Fate(True, found)
                continue
            type_ = before.members[old_name].type
            try:
                evolution.check(type_, member.type)
            except Unreadable:
                result[name][inner] = Fate(False)
                continue
            try:
                found = [
                    [evolution.value(each[old_name], type_, member) for each in event]
                    for event in data[name]
                ]
                result[name][inner] = Fate(True, found)
            except Misfit:
                result[name][inner] = Fate(True)
    return result


class Check:
    """What is read of a pair's files, compared with the documentation."""

    def __init__(self, pair: Pair, folder: Path) -> None:
        self.pair = pair
        self.folder = folder
        self.data = values(pair)
        self.fates = fates(pair, self.data)
        self.cases = 0
        (folder / "old").mkdir()
        (folder / "new").mkdir()
        self.paths = [folder / "old/t.yaml", folder / "new/t.yaml"]
        for path, model in zip(self.paths, (pair.old, pair.new), strict=True):
            path.write_text(yaml(model))
        self.old, self.new = map(kaon.load_model, self.paths)

    def run(self) -> int:
        self.compare_models()
        sound = {
            name: events
            for name, events in self.data.items()
            if all(fate.values is not None for fate in self.fates[name].values())
        }
        for write in (write_arrays, write_frames):
            path = self.folder / f"{write.__name__}.kaon"
            write(path, self.pair, self.old, self.data)
            events = kaon.open(path, model=self.new)["events"]
            self.read_arrays(events, f"{write.__name__}, arrays", sound)
            self.read_frames(events, f"{write.__name__}, frames")
        self.convert(path, sound)
        return self.cases

    def convert(self, path: Path, sound: dict[str, Any]) -> None:
        copy = self.folder / "copy.kaon"
        if len(sound) < len(self.data):
            try:
                kaon.convert(path, copy, model=self.new)
            except kaon.Error:
                pass
            else:
                self.fail("convert", "", "no error", "an error")
            write_frames(path.with_name("sound.kaon"), self.pair, self.old, sound)
            path = path.with_name("sound.kaon")
        kaon.convert(path, copy, model=self.new)
        self.read_arrays(kaon.open(copy)["events"], "convert, arrays", sound)

    def compare_models(self) -> None:
        changes = diff(load_model(self.paths[0]), load_model(self.paths[1]))
        for name, members in self.fates.items():
            fails = {
                change.member.split(".")[0]
                for change in changes
                if change.type == f"t::{name}" and change.effect is Effect.FAILS
            }
            for inner, fate in members.items():
                is_told = inner in fails
                if is_told == fate.is_readable:
                    told = [str(change) for change in changes if change.type == f"t::{name}"]
                    self.fail("diff", f"{name}.{inner}", told, "read" if is_told else "fails")
                self.cases += 1

    def read_arrays(self, events: Any, way: str, sound: dict[str, Any]) -> None:
        names = [name for name in sound if sound[name] is not None]
        arrays = self.arrays(events, names, way)
        for name in names:
            for inner, fate in self.fates[name].items():
                self.compare(way, name, inner, fate, arrays[name])
        if way.startswith("convert"):
            return
        for name in self.fates.keys() - set(names):
            for inner, fate in self.fates[name].items():
                try:
                    objects = events.arrays(f"{name}.{inner}")[name].tolist()
                except kaon.Error as error:
                    self.expect_error(way, name, inner, fate, error)
                else:
                    self.compare(way, name, inner, fate, objects)

    def arrays(self, events: Any, names: list[str], way: str) -> dict[str, Any]:
        try:
            arrays = events.arrays(names)
        except kaon.Error as error:
            for name in names:
                try:
                    events.arrays(name)
                except kaon.Error as own:
                    self.fail(way, name, own, "read")
            self.fail(way, names, error, "read")
        return {name: arrays[name].tolist() for name in names}

    def compare(self, way: str, name: str, inner: str, fate: Fate, objects: Any) -> None:
        type_ = self.pair.new.datatypes[name].members[inner].type
        found = [
            [plain_array(self.pair.new, type_, each[inner]) for each in event] for event in objects
        ]
        if fate.values is None:
            self.fail(way, f"{name}.{inner}", found, "an error")
        if not same(found, fate.values):
            self.fail(way, f"{name}.{inner}", found, fate.values)
        self.cases += 1

    def read_frames(self, events: Any, way: str) -> None:
        frames = list(events.frames())
        for name, members in self.fates.items():
            for inner, fate in members.items():
                type_ = self.pair.new.datatypes[name].members[inner].type
                try:
                    found = [
                        [plain_object(self.pair.new, type_, each[inner]) for each in frame[name]]
                        for frame in frames
                    ]
                except kaon.Error as error:
                    self.expect_error(way, name, inner, fate, error)
                    continue
                if fate.values is None:
                    self.fail(way, f"{name}.{inner}", found, "an error")
                if not same(found, fate.values):
                    self.fail(way, f"{name}.{inner}", found, fate.values)
                self.cases += 1

    def expect_error(self, way: str, name: str, inner: str, fate: Fate, error: Exception) -> None:
        """An error is right where this member cannot be read; others of its object are read."""
        if fate.values is not None:
            self.fail(way, f"{name}.{inner}", error, "read")
        is_of_value = " holds the " in str(error)  # a component may have one of these, too
        if (
            not fate.is_readable
            and not is_of_value
            and not all(
                f"version {model.version}" in str(error) for model in (self.pair.old, self.pair.new)
            )
        ):
            self.fail(way, f"{name}.{inner}", error, "an error that names both versions")
        self.cases += 1

    def fail(self, way: str, what: Any, found: Any, expected: Any) -> None:
        expect_same(f"{way}: {what}", f"{found}", f"{expected}", self.pair)
        raise Disagreement(f"{way}: {what}\n  is        {found}\n{self.pair}")


def check(pair: Pair, folder: Path) -> int:
    return Check(pair, folder).run()


PART = Part("models", "a member of a datatype, read in one way", pairs(), check)
