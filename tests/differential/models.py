"""Pairs of models: data written with the older one are read with the newer one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kaon
from kaon import _core
from kaon.model.comparison import Effect, diff
from kaon.modelgen import load_model
from kaon.modelgen.leaves import element_leaves, leaves
from kaon.modelgen.migrations import all_datatypes

from .harness import Disagreement, Part, expect_same, same
from .member_types import Evolution, Misfit, Unreadable, Vector, default_of
from .model_pairs import Pair, pairs, values
from .model_text import yaml
from .model_values import plain_array, plain_object, write_arrays, write_frames


def has_elements(lists: Any) -> bool:
    """Return whether lists of any depth have elements."""
    return any(map(has_elements, lists)) if isinstance(lists, list) else True


@dataclass(frozen=True)
class Fate:
    """The documented result for a member of a datatype."""

    is_readable: bool
    values: list[list[Any]] | None = None  # None if one does not fit
    is_empty: bool = False  # for a vector member without elements, which may be readable

    def allows(self, found: list[list[Any]]) -> bool:
        """Return whether values are correct, instead of an error."""
        return self.is_empty and not has_elements(found)


def fates(pair: Pair, data: dict[str, Any]) -> dict[str, dict[str, Fate]]:
    """Return the expected result for each member of each datatype of the newer model."""
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
                old_values = [each[old_name] for event in data[name] for each in event]
                is_empty = isinstance(type_, Vector) and not has_elements(old_values)
                result[name][inner] = Fate(False, is_empty=is_empty)
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
    """Compares the data read from a pair's files with the documentation."""

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
        self.compare_leaves()
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
                kaon.convert(path, self.folder / "all.kaon", model=self.new)
            except kaon.Error:
                pass
            else:
                fates = [fate for members in self.fates.values() for fate in members.values()]
                if any(fate.values is None and not fate.is_empty for fate in fates):
                    self.fail("convert", "", "no error", "an error")
            write_frames(path.with_name("sound.kaon"), self.pair, self.old, sound)
            path = path.with_name("sound.kaon")
        kaon.convert(path, copy, model=self.new)
        self.read_arrays(kaon.open(copy)["events"], "convert, arrays", sound)

    def compare_leaves(self) -> None:
        """Check that the generator finds the same leaves as C++."""
        for path in self.paths:
            model = load_model(path)
            types, document = model.types(), json.dumps(model.to_dict())
            compared = {each.name: each for each in _core.compare_models(document, document)}
            for datatype in all_datatypes(model):
                generated = [("", leaf) for leaf in leaves(datatype.members, types)]
                for member in datatype.vector_members:
                    inside = element_leaves(member, types)
                    generated += [(member.name, leaf) for leaf in inside]
                expect_same(
                    f"leaves of {datatype.name}",
                    [
                        (".".join(filter(None, (list_, leaf.name))), leaf.scalar.kind.lower())
                        for list_, leaf in generated
                    ],
                    [(leaf.path, leaf.type) for leaf in compared[datatype.name].leaves],
                )

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
        if fate.values is None and not fate.allows(found):
            self.fail(way, f"{name}.{inner}", found, "an error")
        if fate.values is not None and not same(found, fate.values):
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
                if fate.values is None and not fate.allows(found):
                    self.fail(way, f"{name}.{inner}", found, "an error")
                if fate.values is not None and not same(found, fate.values):
                    self.fail(way, f"{name}.{inner}", found, fate.values)
                self.cases += 1

    def expect_error(self, way: str, name: str, inner: str, fate: Fate, error: Exception) -> None:
        """Check that an error is right: this member is unreadable, but others are read."""
        if fate.values is not None:
            self.fail(way, f"{name}.{inner}", error, "read")
        is_of_value = " holds the " in str(error)  # another member may have this error
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
