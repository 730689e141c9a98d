"""The buffers of a category's Awkward records, and the columns to read for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import awkward as ak
import numpy as np
from awkward.contents import Content
from awkward.forms import Form

from kaon.columns.reading import CategoryReader
from kaon.columns.records import SELF, relation_members
from kaon.columns.schema import RELATIONS, Selection, is_text

_Path: TypeAlias = "tuple[str | None, ...]"
"""The path from entries to a part: names of fields, and None for the inside of lists and options.
"""


class RecordBuffers:
    """The buffers of the records of some members, for any entries.

    Attributes
    ----------
    form
        The form of the records. Anything that can be absent is optional in it.
    keys
        The names of the buffers, such as "node3-offsets", as `awkward.from_buffers` uses them.
    behavior
        The behavior of the records.
    """

    def __init__(self, reader: CategoryReader, members: Sequence[str]) -> None:
        self._reader = reader
        self._members = members
        self._selection = relation_members(reader.schema, reader.schema.selection(members))
        empty = self.records(self._selection, range(0))
        self.form: Form = ak.to_buffers(empty)[0]
        self.behavior = empty.behavior
        self.keys: list[str] = list(self.form.expected_from_buffers())
        self._paths = _paths(self.form)

    def records(self, selection: Selection, entries: range, memory_limit: int = 0) -> ak.Array:
        """Read some tables of the members, each with all selected members."""
        return self._reader.records(
            selection, entries.start, entries.stop, {}, memory_limit, keeps_options=True
        )

    def place(self, key: str) -> tuple[_Path, str]:
        """Return the place of a buffer in the records, independent of the order of fields."""
        form_key, _, buffer = key.rpartition("-")
        return self._paths[form_key], buffer

    def needed(self, key: str) -> tuple[str, Selection]:
        """Return the name of the data in a buffer, and the part of the selection to read for it."""
        path, buffer = self.place(key)
        schema = self._reader.schema
        fields = [step for step in path if step is not None]
        name = ".".join(fields)
        if SELF in fields:
            member = ".".join(fields[: fields.index(SELF) + 1])
            if not self._members_below(member):  # files may have a member of this name
                return name, self._own_references(fields[0])
        tables = self._tables.get(name, [])
        if tables and buffer in ("offsets", "index") and not self._are_optionals(tables):
            return name, self._rows(tables)
        members = self._members_below(name)
        while not members:  # references and arrays of components are read as a whole
            name = name.rpartition(".")[0]
            members = self._members_below(name)
        return name, schema.selection(members)

    def needed_together(self, keys: Iterable[str]) -> Selection:
        """Return the selection to read for several buffers."""
        selections = [self.needed(key)[1] for key in keys]
        members: dict[int, set[int]] = {}
        for selection in selections:
            for number, chosen in selection.members.items():
                members.setdefault(number, set()).update(chosen)
        roots = dict.fromkeys(root for selection in selections for root in selection.roots)
        return Selection(tuple(roots), {n: sorted(members[n]) for n in sorted(members)})

    def above(self, key: str) -> list[str]:
        """Return the buffers of surrounding lists, which determine the length of a buffer."""
        path, _ = self.place(key)
        around = [path[:length] for length in range(len(path))]
        return [
            other
            for other in self.keys
            if not other.endswith("-data") and self.place(other)[0] in around
        ]

    def of(self, records: ak.Array, key: str) -> np.ndarray:
        """Return a buffer of records that have been read."""
        path, buffer = self.place(key)
        layout = ak.to_layout(records)
        for step in path:
            layout = layout.content if step is None else layout.content(step)
        return _buffer_of(layout, buffer)

    @cached_property
    def _tables(self) -> dict[str, list[int]]:
        """The numbers of the tables by name; several tables can share a name."""
        tables: dict[str, list[int]] = {}
        for number in self._selection.members:
            tables.setdefault(self._reader.schema.label(number), []).append(number)
        return tables

    def _members_below(self, name: str) -> list[str]:
        return [key for key in self._members if key == name or key.startswith(f"{name}.")]

    def _are_optionals(self, tables: Iterable[int]) -> bool:
        """Return whether rows are optionals: then only their values have the right form."""
        rows = (self._reader.schema.tables[number].members for number in tables)
        return any(member.name.startswith(".") for members in rows for member in members)

    def _rows(self, tables: Sequence[int]) -> Selection:
        """Return tables and all tables above them, with characters but without other members."""
        schema = self._reader.schema
        wanted = {
            above: self._selection.members[above] if is_text(schema.tables[above]) else []
            for number in tables
            for above in schema.lineage(number)
        }
        roots = dict.fromkeys(schema.root(number) for number in tables)
        return Selection(tuple(roots), {number: wanted[number] for number in sorted(wanted)})

    def _own_references(self, label: str) -> Selection:
        """Return a selection with a relation; then objects get references to themselves."""
        schema = self._reader.schema
        relation = next(
            number
            for number, members in self._selection.members.items()
            if schema.tables[number].kind in RELATIONS and len(members) > 1
        )
        collection = next(n for n in self._selection.roots if schema.labels[n] == label)
        rows = self._rows([collection, relation])
        return Selection(rows.roots, {**rows.members, relation: [0, 1]})


def _paths(form: Form, path: _Path = ()) -> dict[str, _Path]:
    """Return the path to each part of a form, by the key of the part."""
    paths = {form.form_key: path}
    if form.is_record:
        for name, content in zip(form.fields, form.contents, strict=True):
            paths |= _paths(content, (*path, name))
    elif not form.is_numpy:
        paths |= _paths(form.content, (*path, None))
    return paths


def _buffer_of(layout: Content, buffer: str) -> np.ndarray:
    values = getattr(layout, buffer)
    return np.ascontiguousarray(values if buffer == "data" else values.data)
