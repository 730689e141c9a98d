"""Comparison of two versions of a model: the effects on data of the older version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from kaon import _core
from kaon.modelgen.leaves import Leaf, Types, element_leaves, leaves
from kaon.modelgen.migrations import all_datatypes
from kaon.modelgen.model import Datatype, Model
from kaon.modelgen.model import Enum as ModelEnum
from kaon.modelgen.scalars import SCALARS, STRING

_BOUNDS = {scalar.kind.lower(): scalar.bounds for scalar in SCALARS.values() if scalar.bounds}
_BOUNDS["bool"] = (0, 1)


class Effect(str, Enum):
    """The effect of a change on data that were written before it."""

    READ = "read"
    """The data are read, and converted if necessary."""
    LOST = "lost"
    """Programs with the new model no longer see the data."""
    MAY_FAIL = "may fail"
    """The data are read if each value fits; any other value is an error."""
    MISREAD = "misread"
    """The data are read as numbers with another meaning."""
    FAILS = "fails"
    """The data cannot be read."""


@dataclass(frozen=True)
class Change:
    """A difference between two versions of a model.

    Attributes
    ----------
    type
        The datatype; its new name, if it has a new one.
    member
        The path of a member, vector member or relation: ``momentum.x``; "" for the whole type.
        The difference.
    """

    type: str
    member: str
    effect: Effect
    text: str

    def to_dict(self) -> dict[str, str]:
        """Return values that JSON can hold."""
        return {
            "type": self.type,
            "member": self.member,
            "effect": self.effect.value,
            "text": self.text,
        }


def diff(old: Model, new: Model) -> list[Change]:
    """Return the changes from one version of a model to another, with their effects on data.

    The same plan matches the members when files are read, in every way of reading.

    Returns
    -------
    list of Change
        Changes by datatype, in the order of the new model; dropped datatypes come last.
    """
    documents = (json.dumps(model.to_dict()) for model in (old, new))
    compared = {each.name: each for each in _core.compare_models(*documents)}
    before = {datatype.name: datatype for datatype in all_datatypes(old)}
    types, types_before = new.types(), old.types()
    added: list[str] = []
    changes: list[Change] = []
    for datatype in all_datatypes(new):
        name = datatype.name
        if name not in compared:
            added.append(name)
            changes.append(Change(name, "", Effect.READ, "is new"))
            continue
        was = compared[name].before
        if name != was:
            changes.append(Change(name, "", Effect.READ, f"was called {was}"))
        changes += _members(compared[name])
        meanings = _meanings_of(types_before, before[was]), _meanings_of(types, datatype)
        changes += _meanings(compared[name], *meanings)
    known = {each.before for each in compared.values()}
    for gone in (name for name in before if name not in known):
        near = _nearest(gone, added)
        changes.append(Change(gone, "", Effect.LOST, f"is dropped{_hint(near, 'rename_type')}"))
    return changes


def _members(compared: _core.ComparedType) -> Iterator[Change]:
    """Yield the changes of members, from the changes that the matcher found."""

    def change(path: str, effect: Effect, text: str) -> Change:
        return Change(compared.name, path, effect, text)

    added = {each.path: each.text for each in compared.changes if each.kind == "added"}
    dropped: list[Change] = []
    order: list[Change] = []
    for each in compared.changes:
        if each.kind == "renamed":
            yield change(each.path, Effect.READ, f"was called {each.before}")
        elif each.kind == "optional now":
            yield change(each.path, Effect.READ, "is optional now")
        elif each.kind == "required now":
            text = "is not optional any more: where a value is missing, the default is read"
            yield change(each.path, Effect.LOST, text)
        elif each.kind == "failed":
            yield change(each.path, Effect.FAILS, each.text)
        elif each.kind == "added":
            yield change(each.path, Effect.READ, f"is new: {_default(each.text)}")
        elif each.kind == "dropped":
            same = [path for path, text in added.items() if text == each.text]
            hint = _hint(_nearest(each.path, same), "rename_member")
            dropped.append(change(each.path, Effect.LOST, f"is dropped{hint}"))
        else:
            order.append(change("", Effect.READ, "has members in another order"))
    for pair in compared.leaves:
        if pair.type != pair.type_before:
            effect, why = _conversion(pair.type_before, pair.type)
            yield change(pair.path, effect, f"was {pair.type_before}, is {pair.type}: {why}")
    yield from (*dropped, *order)


def _default(type_: str) -> str:
    has_none = type_.startswith(("a vector", "a relation", "a string"))
    return f"older data have {'none' if has_none else 'its default'}"


@dataclass(frozen=True)
class _Meaning:
    """The meaning of a leaf's numbers, which files do not store."""

    unit: str
    names: Mapping[str, int]  # the names of an enum's numbers


def _meanings_of(types: Types, datatype: Datatype) -> dict[str, _Meaning]:
    """Return the meanings of a datatype's numbers, by path."""
    found: dict[str, _Meaning] = {}
    for member in datatype.members:
        for leaf in leaves([member], types):
            found[leaf.name] = _meaning(leaf, member.type, types)
    for member in datatype.vector_members:
        for leaf in [] if member.type == STRING else element_leaves(member, types):
            path = f"{member.name}.{leaf.name}" if leaf.name else member.name
            found[path] = _meaning(leaf, member.type, types)
    return found


def _meaning(leaf: Leaf, type_: str, types: Types) -> _Meaning:
    declared = types.get(leaf.steps[-1].member.type if leaf.steps else type_)
    is_choice = isinstance(declared, ModelEnum) and not leaf.is_presence
    values = declared.values if isinstance(declared, ModelEnum) and is_choice else ()
    return _Meaning(leaf.unit, {value.name: value.value for value in values})


def _meanings(
    compared: _core.ComparedType,
    before: Mapping[str, _Meaning],
    now: Mapping[str, _Meaning],
) -> Iterator[Change]:
    """Yield the changes in which the same numbers have another meaning now."""
    for pair in compared.leaves:
        if pair.path not in now or pair.before not in before:
            continue  # the characters of strings
        old, meaning = before[pair.before], now[pair.path]
        units = [each.unit.replace(" ", "").replace("·", "*") for each in (old, meaning)]
        keep = "older data keep their numbers"
        if all(units) and units[0] != units[1]:
            text = f"was in {old.unit}, is in {meaning.unit}: {keep}"
            yield Change(compared.name, pair.path, Effect.MISREAD, text)
        for name, number in old.names.items():
            if meaning.names.get(name, number) != number:
                text = f"has '{name}' as {meaning.names[name]}, which was {number}: {keep}"
                yield Change(compared.name, pair.path, Effect.MISREAD, text)


def _conversion(old: str, new: str) -> tuple[Effect, str]:
    """Return the effect when numbers of one type are read as another."""
    if new.startswith("float"):
        if (old, new) == ("float64", "float32"):
            return Effect.MAY_FAIL, "rounded; values beyond the range are an error"
        bits = 24 if new == "float32" else 53
        is_exact = old == "float32" or _BOUNDS[old][1] < 2**bits
        return Effect.READ, "converted" if is_exact else "converted by rounding"
    if old.startswith("float"):
        return Effect.MAY_FAIL, "values that are not whole numbers in its range are an error"
    (least, most), (new_least, new_most) = _BOUNDS[old], _BOUNDS[new]
    if new_least <= least and most <= new_most:
        return Effect.READ, "converted"
    return Effect.MAY_FAIL, f"values outside {new_least} to {new_most} are an error"


_MOST_HINTS = 1000
"""The number of names that a hint is chosen from; each name is compared with each dropped one."""


def _nearest(gone: str, added: Iterable[str]) -> str | None:
    """Return the name that something may have now; None if there is no likely name."""
    known = list(added)
    if len(known) == 1:
        return known[0]
    return next((name for name in known[:_MOST_HINTS] if _core.suggestion(gone, [name])), None)


def _hint(near: str | None, migration: str) -> str:
    return f" (or is it {near} now? Then a migration '{migration}' keeps it)" if near else ""
