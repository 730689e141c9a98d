"""Names of the contents of a category."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kaon import _core
from kaon._core import TableKind
from kaon.columns.shapes import shape_in_row, shape_of, step_at
from kaon.errors import UnknownNameError

if TYPE_CHECKING:
    from kaon.model.file_models import Models

RELATIONS = (TableKind.oneRelation, TableKind.manyRelation)


def is_text(table: _core.Table) -> bool:
    """Tell whether the rows of a table are characters; the characters under a row are a string."""
    if table.kind == TableKind.vectorMember:
        return table.type == "string" and bool(table.members)
    return table.kind == TableKind.text


def prefixes(key: str) -> Iterator[str]:
    """Yield a key, and its parts before a dot: "a.b.c", "a.b", "a"."""
    end = len(key)
    while end > 0:
        yield key[:end]
        end = key.rfind(".", 0, end)


@dataclass(frozen=True)
class Selection:
    """Some of the contents of a category.

    Attributes
    ----------
    roots
        The numbers of the tables under the entries, in the order of the request.
    members
        The numbers of the requested members, by the number of their table. Tables are in the order
        of the file, so each comes after the table above it.
    """

    roots: tuple[int, ...]
    members: dict[int, list[int]] = field(default_factory=dict)


class _Tables(Sequence[_core.Table]):
    """The tables of a category by number; each is loaded when it is first needed."""

    def __init__(self, category: _core.Category) -> None:
        self._category = category
        self._loaded: list[_core.Table | None] = [None] * category.num_tables

    def __len__(self) -> int:
        return len(self._loaded)

    def __getitem__(self, number: int) -> _core.Table:  # type: ignore[override]
        table = self._loaded[number]
        if table is None:
            table = self._loaded[number] = self._category.table(number)
        return table


class Schema:
    """The tables of a category, their names, and the knowledge of the file's models about them.

    Files may have ten thousand columns, so each is looked up when it is first needed.

    Attributes
    ----------
    tables
        The tables, by number.
    The file and category, for messages.
        File and category, for messages.
    """

    def __init__(self, category: _core.Category, models: Models) -> None:
        self._category = category
        self._models = models
        self.tables: Sequence[_core.Table] = _Tables(category)
        self.where: str = category.name

    @cached_property
    def labels(self) -> dict[int, str]:
        """The names of the tables under the entries, by number."""
        return self._category.labels

    @cached_property
    def members(self) -> dict[str, tuple[int, int | None]]:
        """Table and member by key, such as "MCParticles.momentum.x", in the order of the file."""
        return {key: (table, member) for key, table, member in self._category.keys}

    @cached_property
    def _keys_below(self) -> dict[str, list[str]]:
        """The keys with a given name, or with a given part before one of their dots."""
        below: dict[str, list[str]] = {}
        for key in self.members:
            for name in prefixes(key):
                below.setdefault(name, []).append(key)
        return below

    def below(self, table: int) -> list[int]:
        """Return the numbers of the tables directly under a table."""
        under = self._category.tables_under(table)
        return [number for number in under if self.tables[number].parent == table]

    def parts(self, table: int) -> list[tuple[bool, int]]:
        """Return the members of a table, and the tables under it, in the order of their source.

        Each has a number: of the member in its table, or of the table. True marks tables.
        """
        under = self.below(table)
        parts: list[tuple[bool, int]] = []
        placed = 0
        for number, member in enumerate(self.tables[table].members):
            before = max(placed, min(member.lists_before, len(under)))
            parts += [(True, child) for child in under[placed:before]]
            parts.append((False, number))
            placed = before
        return parts + [(True, child) for child in under[placed:]]

    def lineage(self, table: int) -> list[int]:
        """Return the numbers of a table and of all tables above it."""
        parent = self.tables[table].parent
        return [table] if parent is None else [table, *self.lineage(parent)]

    def root(self, table: int) -> int:
        """Return the number of the outermost table above a table, which lies under entries."""
        return self.lineage(table)[-1]

    def is_late_member(self, table: int) -> bool:
        """Tell whether a table is a member of the datatype that was added after the collection.

        Other tables of this kind are decorations.
        """
        info = self.tables[table]
        if info.kind != TableKind.decoration or info.parent is None:
            return False
        members = self._models.stored_members(self.tables[info.parent].type)
        return self.tail(table).split(".")[0] in {member.name for member in members}

    def label(self, table: int) -> str:
        """Return the name of a table. Characters have the name of their strings.

        Lists without an own name have the name of the table above them.
        """
        info = self.tables[table]
        if info.parent is None:
            return self.labels[table]
        above, tail = self.label(info.parent), self.tail(table)
        return above if info.kind == TableKind.text or not tail else f"{above}.{tail}"

    def tail(self, table: int) -> str:
        """Return the name of a table inside the one above it."""
        info = self.tables[table]
        above = "" if info.parent is None else f"{self.tables[info.parent].name}."
        return info.name.removeprefix(above)

    def key(self, table: int, member: str) -> str:
        """Return the name of a member, such as "MCParticles.momentum.x"."""
        return f"{self.label(table)}.{member}" if member else self.label(table)

    def keys_below(self, name: str) -> list[str]:
        """Return the key of this name, or all keys below it.

        Raises
        ------
        UnknownNameError
            If the name does not exist.
        """
        keys = self._keys_below.get(name)
        if keys:
            return keys
        if dotted := self._dotted(name):
            return [dotted]
        raise UnknownNameError(f"{self.where}: there is no '{name}'{self._hint(name)}")

    def _hint(self, name: str) -> str:
        """Return a suggestion for an unknown name."""
        last = name.rpartition("/")[2]  # uproot writes branches in this way
        if last != name and last in self:
            return f" (did you mean '{last}'?)"
        beginning = [key for key in self.members if key.startswith(f"{name}_")]
        if len(beginning) > 1:
            return (
                f"; '{beginning[0]}', '{beginning[1]}'{', ...' * (len(beginning) > 2)} begin so: "
                f"filter_name='{name}_*' reads them"
            )
        return _core.suggestion(name, [*self.members, *self._keys_below]) + self.why_unread(name)

    def why_unread(self, name: str) -> str:
        """Return why a column that the file has is not read, as the end of a message."""
        return self._category.why_unread(name)

    def _dotted(self, name: str) -> str | None:
        """Return "Muon.pt" for NanoAOD's "Muon_pt", and "MET_pt" for "MET.pt".

        None if the member does not exist.
        """
        for mark, other in ("_.", "._"):
            places = [place for place, character in enumerate(name) if character == mark]
            names = (f"{name[:place]}{other}{name[place + 1 :]}" for place in places)
            if key := next((each for each in names if each in self.members), None):
                return key
        return None

    def branch_names(self, names: Iterable[str]) -> dict[str, str]:
        """Return "Muon.pt" for each name such as "Muon_pt", which the file does not have."""
        keys = {
            name: self._dotted(name)
            for name in names
            if "." not in name and name not in self._keys_below
        }
        return {name: key for name, key in keys.items() if key is not None}

    def __contains__(self, name: str) -> bool:
        return name in self._keys_below or self._dotted(name) is not None

    def select(self, names: str | Iterable[str] | None) -> Selection:
        """Return the members with some names, and all below these; None stands for all members.

        Raises
        ------
        UnknownNameError
            If a name does not exist.
        """
        return self.selection(self.select_keys(names))

    def selection(self, keys: Iterable[str]) -> Selection:
        """Return the members with these keys, and those that tell whether they have a value."""
        places = [self.members[key] for key in keys]
        for number, member in tuple(places):
            if member is not None:
                places += self.presences(number, member)
        wanted: dict[int, list[int]] = {}
        for number, member in places:
            for above in self.lineage(number):
                wanted.setdefault(above, [])
            if member is not None:
                wanted[number].append(member)
        roots = dict.fromkeys(self.root(number) for number, _ in places)
        return Selection(tuple(roots), {n: sorted(set(wanted[n])) for n in sorted(wanted)})

    def presences(self, number: int, member: int) -> list[tuple[int, int]]:
        """Return the tables and numbers of the members that tell whether a member has a value."""
        return self._category.presences(number, member)

    def select_keys(self, names: str | Iterable[str] | None) -> list[str]:
        """Return the keys with some names, and all below these; None stands for all.

        Raises
        ------
        UnknownNameError
            If a name does not exist.
        """
        names = [names] if isinstance(names, str) else names
        keys = self.members if names is None else [k for n in names for k in self.keys_below(n)]
        return list(dict.fromkeys(keys))

    def keys_of(self, selection: Selection) -> list[str]:
        """Return the keys of the members in a selection."""
        return [
            key
            for key, (table, member) in self.members.items()
            if table in selection.members and (member is None or member in selection.members[table])
        ]

    def shape(self, table: int, path: str, step: str, size: int) -> tuple[int, ...]:
        """Return the shape of an array in each row, given the number of its elements.

        Parameters
        ----------
        path
            The array's name in the table, such as "covariance" or "ends.0.covariance".
        step
            The step of the array in its structure.

        Returns
        -------
        tuple of int
            Empty for a number outside arrays.
        """
        stated = shape_of(step)
        if stated is not None:
            return stated
        if size == 1:
            return ()
        return shape_in_row(self._models, self.tables[table].type, path.split("."), size)

    def member_shape(self, table: int, member: _core.Member) -> tuple[int, ...]:
        """Return the shape of a member's values in each row; empty for a single number."""
        path = member.name
        if self.tables[table].kind == TableKind.decoration:
            path = ".".join(part for part in (self.tail(table), path) if part)
        step = step_at(member.structure, path.count("."))
        return self.shape(table, path, step, member.extent)

    def typename(self, key: str) -> str:
        """Return the type of an entry's values in Awkward Array's notation."""
        number, index = self.members[key]
        parts: list[str] = []
        above = number
        while True:
            table = self.tables[above]
            if table.is_counted and not is_text(table):
                parts.insert(0, "var")
            if table.parent is None:
                break
            above = table.parent
        if is_text(self.tables[number]):
            return " * ".join((*parts, "string"))
        if index is None:
            return " * ".join((*parts, "{}"))
        if self.tables[number].kind in RELATIONS and index == 1:
            return " * ".join((*parts, "?string"))
        member = self.tables[number].members[index]
        sizes = self.member_shape(number, member)
        return " * ".join((*parts, *map(str, sizes), member.type))
