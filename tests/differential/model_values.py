"""Values of models in the forms that kaon takes and returns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kaon

from .member_types import Array, Component, Enum, Model, Optional, Relation, Type, Vector
from .model_pairs import ENTRIES, OBJECTS, Pair
from .model_text import RENAMED, TARGETS, stored_name


def as_array(type_: Type, value: Any) -> Any:
    """Return a value in the form that extend() takes."""
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
    """Return a value in the form that objects take."""
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
    """Return a value of an array in the form of the expected values."""
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
        case Vector(inner, depth) if depth and isinstance(value, list):
            return [plain_array(model, Vector(inner, depth - 1), each) for each in value]
        case Array(inner) | Vector(inner) if isinstance(value, list):
            return [plain_array(model, inner, each) for each in value]
    return value


def plain_object(model: Model, type_: Type, value: Any) -> Any:
    """Return a value of an object in the form of the expected values."""
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
