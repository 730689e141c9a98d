"""Two versions of a model compared: what becomes of data of the older one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from kaon.modelgen.leaves import Leaf, Types, element_leaves, leaves
from kaon.modelgen.migrations import all_datatypes, old_paths, old_type_names
from kaon.modelgen.model import Datatype, Member, Model
from kaon.modelgen.model import Enum as ModelEnum
from kaon.modelgen.scalars import SCALARS, STRING

_BOUNDS = {scalar.kind: scalar.bounds for scalar in SCALARS.values() if scalar.bounds}
_BOUNDS["Bool"] = (0, 1)


class Effect(str, Enum):
    """What a change means for data that were written before it."""

    READ = "read"
    """They are read, converted if need be."""
    LOST = "lost"
    """Programs with the new model do not see them any more."""
    MAY_FAIL = "may fail"
    """They are read if each value fits; one that does not is an error."""
    MISREAD = "misread"
    """They are read as numbers that mean something else now."""
    FAILS = "fails"
    """They cannot be read."""


@dataclass(frozen=True)
class Change:
    """A difference between two versions of a model.

    Attributes
    ----------
    type
        The datatype, by its new name if it has one.
    member
        The path of a member, vector member or relation: ``momentum.x``; "" for all of the type.
    text
        What is different.
    """

    type: str
    member: str
    effect: Effect
    text: str

    def to_dict(self) -> dict[str, str]:
        """Return what JSON can hold."""
        return {
            "type": self.type,
            "member": self.member,
            "effect": self.effect.value,
            "text": self.text,
        }


def diff(old: Model, new: Model) -> list[Change]:
    """Return the changes from one version of a model to another, and what becomes of its data.

    It follows the rules by which the C++ classes read files.

    Returns
    -------
    list of Change
        By datatype, in the order of the new model; then what only the old one has.
    """
    before = {datatype.name: datatype for datatype in all_datatypes(old)}
    names = {
        datatype.name: next(filter(before.__contains__, _names(new, datatype.name)), None)
        for datatype in all_datatypes(new)
    }
    changes: list[Change] = []
    for datatype in all_datatypes(new):
        name = names[datatype.name]
        if name is None:
            changes.append(Change(datatype.name, "", Effect.READ, "is new"))
            continue
        if name != datatype.name:
            changes.append(Change(datatype.name, "", Effect.READ, f"was called {name}"))
        changes += _Comparison(old, new, before[name], datatype, names).changes()
    added = [name for name, was in names.items() if was is None]
    for gone in (name for name in before if name not in names.values()):
        hint = _hint(gone, added, "rename_type")
        changes.append(Change(gone, "", Effect.LOST, f"is dropped{hint}"))
    return changes


def _names(model: Model, name: str) -> list[str]:
    return [name, *old_type_names(model, name)]


@dataclass(frozen=True)
class _Part:
    """A leaf, a vector member or a relation: what has a column or a table in files."""

    what: str
    kind: str = ""  # of a leaf's numbers
    extent: int = 1
    target: str = ""  # of a relation
    unit: str = field(default="", compare=False)
    names: Mapping[str, int] = field(default_factory=dict, compare=False)  # of an enum's numbers

    def __str__(self) -> str:
        if self.kind:
            return self.kind.lower() if self.extent == 1 else f"{self.kind.lower()}[{self.extent}]"
        return f"{self.what} {self.target}".strip()


def _targets(model: Model, name: str) -> set[str]:
    """Return the datatypes that a relation leads to: those of an interface, or just one."""
    interfaces = {interface.name: interface for interface in model.whole().interfaces}
    if name in interfaces:
        return {named.type for named in interfaces[name].types}
    return {name}


def _part_of(what: str, leaf: Leaf, member: Member, types: Types) -> _Part:
    """Return the part that a leaf of a member is."""
    declared = types.get((leaf.steps[-1].member if leaf.steps else member).type)
    names = {}
    if isinstance(declared, ModelEnum) and not leaf.is_presence:
        names = {value.name: value.value for value in declared.values}
    return _Part(what, leaf.scalar.kind, leaf.extent, unit=leaf.unit, names=names)


def _parts(model: Model, datatype: Datatype) -> dict[str, _Part]:
    types = model.types()
    parts = {
        leaf.name: _part_of("member", leaf, member, types)
        for member in datatype.members
        for leaf in leaves([member], types)
    }
    parts |= {member.name: _Part("string") for member in datatype.strings}
    for member in datatype.vector_members:
        of_lists = " of vectors" * member.depth
        if member.type == STRING:
            parts[member.name] = _Part(f"vector{of_lists} of strings")
            continue
        elements = {leaf.name: leaf for leaf in element_leaves(member, types)}
        what = f"vector{of_lists}" if of_lists else "vector member"
        parts[member.name] = _Part(what)
        for name, leaf in elements.items():
            path = f"{member.name}.{name}" if name else member.name
            parts[path] = _part_of("element" if name else what, leaf, member, types)
    for relation in datatype.one_to_one_relations:
        parts[relation.name] = _Part("relation to one", target=relation.type)
    for relation in datatype.one_to_many_relations:
        parts[relation.name] = _Part("relation to many", target=relation.type)
    return parts


class _Comparison:
    """The comparison of one datatype in two versions."""

    def __init__(
        self,
        old: Model,
        new: Model,
        before: Datatype,
        after: Datatype,
        names: Mapping[str, str | None],
    ) -> None:
        self.old, self.new = old, new
        self.type = after.name
        self.names = names
        self.before = _parts(old, before)
        self.after = _parts(new, after)
        self.old_paths = list(old_paths(new, after, list(self.after)))
        self.used: set[str] = set()

    def changes(self) -> Iterator[Change]:
        added = []
        for path, part in self.after.items():
            old_path = self.find(path, part)
            if old_path is None:
                added.append(path)
                continue
            self.used |= {old_path, f"{path}.has_value"}  # an optional member has both
            if old_path != path:
                yield from self.name(path, old_path)
            yield from self.compare(path, self.before[old_path], part)
            yield from self.meaning(path, self.before[old_path], part)
        dropped = [path for path in self.before if path not in self.used]
        for path in added:
            if not self.is_inside(path, added):
                yield self.change(path, Effect.READ, "is new: " + self.default(path))
        for path in dropped:
            if not self.is_inside(path, dropped):
                same = [other for other in added if self.after[other] == self.before[path]]
                hint = _hint(path, same, "rename_member")
                yield self.change(path, Effect.LOST, f"is dropped{hint}")
        yield from self.order()

    def change(self, path: str, effect: Effect, text: str) -> Change:
        return Change(self.type, path, effect, text)

    def find(self, path: str, part: _Part) -> str | None:
        """Return the path of a part in the old version; None if it does not have it."""
        names = [path, *(before for now, before in self.old_paths if now == path)]
        plain = _plain(path)
        names += [f"{path}.value"] if plain == path else [plain]
        # A member does not look for a table, nor the other way round.
        is_member = part.what == "member"
        return next(
            (
                name
                for name in names
                if name in self.before and (self.before[name].what == "member") == is_member
            ),
            None,
        )

    def name(self, path: str, old_path: str) -> Iterator[Change]:
        """Tell what a part was called, or that it became optional, or is so no more."""
        if _plain(path) != _plain(old_path):
            yield self.change(path, Effect.READ, f"was called {old_path}")
        elif path == _plain(path):
            text = "is not optional any more: older data without a value have its default"
            yield self.change(path, Effect.READ, text)
        elif path.endswith(".value"):
            yield self.change(_plain(path), Effect.READ, "is optional now")

    def compare(self, path: str, old: _Part, new: _Part) -> Iterator[Change]:
        if old == new or (path.endswith(".has_value") and old.kind != new.kind):
            return
        if new.what != old.what:
            yield self.change(path, Effect.FAILS, f"was a {old.what}, is a {new.what}")
        elif new.target:
            known = {self.names.get(name) for name in _targets(self.new, new.target)}
            if not known >= _targets(self.old, old.target):
                text = f"led to {old.target}, leads to {new.target}"
                yield self.change(path, Effect.FAILS, text)
        elif new.extent != old.extent:
            yield self.change(path, Effect.FAILS, f"was {old}, is {new}: another length")
        elif old.kind and new.kind and old.kind != new.kind:
            effect, why = _conversion(old.kind, new.kind)
            yield self.change(path, effect, f"was {old}, is {new}: {why}")
        elif old.kind != new.kind:
            yield self.change(path, Effect.LOST, "holds elements of another kind")

    def meaning(self, path: str, old: _Part, new: _Part) -> Iterator[Change]:
        """Tell what the same numbers mean now; files keep numbers alone."""
        units = [part.unit.replace(" ", "").replace("·", "*") for part in (old, new)]
        if all(units) and units[0] != units[1]:
            text = f"was in {old.unit}, is in {new.unit}: older data keep their numbers"
            yield self.change(path, Effect.MISREAD, text)
        for name, number in old.names.items():
            if new.names.get(name, number) != number:
                text = f"has '{name}' as {new.names[name]}, which was {number}"
                yield self.change(path, Effect.MISREAD, f"{text}: older data keep their numbers")

    def order(self) -> Iterator[Change]:
        kept = [path for path in self.after if path in self.before]
        if kept != [path for path in self.before if path in self.after]:
            yield self.change("", Effect.READ, "has members in another order")

    def default(self, path: str) -> str:
        what = self.after[path].what
        if what == "member":
            return "older data have its default"
        return "older data have 0" if what == "element" else "older data have none"

    @staticmethod
    def is_inside(path: str, others: Iterable[str]) -> bool:
        """Whether one of the other paths has this one in it."""
        return any(path.startswith(f"{other}.") for other in others)


def _plain(path: str) -> str:
    """Return the path of a member, whichever of its two parts it is if it is optional."""
    return path.removesuffix(".has_value").removesuffix(".value")


def _conversion(old: str, new: str) -> tuple[Effect, str]:
    """Return what becomes of numbers of one kind that are read as another."""
    if new.startswith("Float"):
        if (old, new) == ("Float64", "Float32"):
            return Effect.MAY_FAIL, "rounded; what is beyond the range is an error"
        bits = 24 if new == "Float32" else 53
        is_exact = old == "Float32" or _BOUNDS[old][1] < 2**bits
        return Effect.READ, "converted" if is_exact else "converted by rounding"
    if old.startswith("Float"):
        return Effect.MAY_FAIL, "what is not a whole number in its range is an error"
    (least, most), (new_least, new_most) = _BOUNDS[old], _BOUNDS[new]
    if new_least <= least and most <= new_most:
        return Effect.READ, "converted"
    return Effect.MAY_FAIL, f"what is not from {new_least} to {new_most} is an error"


def _hint(gone: str, added: list[str], migration: str) -> str:
    near = difflib.get_close_matches(gone, added, n=1, cutoff=0.6)
    if not near and len(added) == 1:
        near = added
    return f" (or is it {near[0]} now? Then a migration '{migration}' keeps it)" if near else ""
