"""Awkward arrays of which each part is read when it is first touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import awkward as ak
import numpy as np
from awkward.contents import Content
from awkward.forms import Form

from kaon.columns.records import SELF, relation_members
from kaon.columns.schema import RELATIONS, Selection, is_text

if TYPE_CHECKING:
    from kaon.columns.reading import CategoryReader

_Path: TypeAlias = "tuple[str | None, ...]"
"""The way from entries to a part of them: names of fields, None into lists and what is optional."""


@dataclass(frozen=True)
class Accessed:
    """Something that was read because a part of an array was touched.

    Attributes
    ----------
    name
        A member, or several by the name that they have in common; of a collection, its lists.
    buffer
        What of the array was wanted: "data", "offsets", "index" or "mask".
    """

    name: str
    buffer: str


def virtual_records(
    reader: CategoryReader,
    keys: Sequence[str],
    entries: range,
    attributes: Mapping[str, Any],
    memory_limit: int = 0,
    access_log: list[Accessed] | None = None,
) -> ak.Array:
    """Return members as Awkward records, one an entry, of which nothing is read yet.

    Parameters
    ----------
    attributes
        Of the array.
    memory_limit
        What each part of it may take; 0 for as much as there is.
    access_log
        Gets what is read, at the time.
    """
    loader = _Loader(reader, keys, entries, memory_limit, access_log)
    empty = loader.records(loader.selection, entries[:0])
    form, *_ = ak.to_buffers(empty)
    paths = _paths(form)
    container: dict[str, Callable[[], np.ndarray]] = {}
    for buffer_key in form.expected_from_buffers():
        form_key, _, buffer = buffer_key.rpartition("-")
        container[buffer_key] = partial(loader.buffer, paths[form_key], buffer)
    behavior = empty.behavior
    return ak.from_buffers(form, len(entries), container, behavior=behavior, attrs=attributes)


def _paths(form: Form, path: _Path = ()) -> dict[str, _Path]:
    """Return the way to each part of a form, by its key."""
    paths = {form.form_key: path}
    if form.is_record:
        for name in form.fields:
            paths |= _paths(form.content(name), (*path, name))
    elif not form.is_numpy:
        paths |= _paths(form.content, (*path, None))
    return paths


class _Loader:
    """Reads the buffers of an array, each for itself."""

    def __init__(
        self,
        reader: CategoryReader,
        keys: Sequence[str],
        entries: range,
        memory_limit: int,
        access_log: list[Accessed] | None,
    ) -> None:
        self.reader = reader
        self.keys = keys
        self.entries = entries
        self.memory_limit = memory_limit
        self.access_log = access_log
        self.selection = relation_members(reader.schema, reader.schema.selection(keys))

    def records(self, selection: Selection, entries: range) -> ak.Array:
        return self.reader.records(
            selection, entries.start, entries.stop, {}, self.memory_limit, keeps_options=True
        )

    def buffer(self, path: _Path, buffer: str) -> np.ndarray:
        """Read one buffer of a part of the entries."""
        name, selection = self.needed(path, buffer)
        if self.access_log is not None:
            self.access_log.append(Accessed(name, buffer))
        layout = ak.to_layout(self.records(selection, self.entries))
        for step in path:
            layout = layout.content if step is None else layout.content(step)
        return _buffer_of(layout, buffer)

    def needed(self, path: _Path, buffer: str) -> tuple[str, Selection]:
        """Return what of the selection has a buffer, and its name."""
        schema = self.reader.schema
        fields = [step for step in path if step is not None]
        name = ".".join(fields)
        if SELF in fields:
            return name, self.own_references(fields[0])
        tables = [number for number in self.selection.members if schema.label(number) == name]
        if tables and buffer in ("offsets", "mask"):
            return name, self.rows(tables)
        keys = self.keys_below(name)
        while not keys:  # parts of references, and of arrays of components, come together
            name = name.rpartition(".")[0]
            keys = self.keys_below(name)
        return name, schema.selection(keys)

    def keys_below(self, name: str) -> list[str]:
        return [key for key in self.keys if key == name or key.startswith(f"{name}.")]

    def rows(self, tables: Sequence[int]) -> Selection:
        """Return tables, and those that they lie under, without members but characters."""
        schema = self.reader.schema
        wanted = {
            above: self.selection.members[above] if is_text(schema.tables[above]) else []
            for number in tables
            for above in schema.lineage(number)
        }
        roots = dict.fromkeys(schema.root(number) for number in tables)
        return Selection(tuple(roots), {number: wanted[number] for number in sorted(wanted)})

    def own_references(self, label: str) -> Selection:
        """Return what it takes for objects to have references to themselves: a relation."""
        schema = self.reader.schema
        relation = next(
            number
            for number, members in self.selection.members.items()
            if schema.tables[number].kind in RELATIONS and len(members) > 1
        )
        collection = next(n for n in self.selection.roots if schema.labels[n] == label)
        rows = self.rows([collection, relation])
        return Selection(rows.roots, {**rows.members, relation: [0, 1]})


def _buffer_of(layout: Content, buffer: str) -> np.ndarray:
    values = getattr(layout, buffer)
    return np.ascontiguousarray(values if buffer == "data" else values.data)
