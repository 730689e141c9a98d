"""Contents of a category as Awkward arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import awkward as ak
import numpy as np
from awkward.contents import (
    Content,
    IndexedArray,
    IndexedOptionArray,
    ListOffsetArray,
    NumpyArray,
    RecordArray,
    RegularArray,
)
from awkward.index import Index64

from kaon import _core
from kaon._core import TableKind
from kaon.columns import subsets, vectors
from kaon.columns.awkward_layouts import optional
from kaon.columns.decorated_arrays import MARKS, mark
from kaon.columns.schema import RELATIONS, Schema, Selection, is_text
from kaon.columns.shapes import OPTIONAL
from kaon.columns.vectors import PARTICLE, UNITS, has_momentum, vector_name
from kaon.errors import CorruptFileError
from kaon.model.standard import subset_target

REFERENCE = "Reference"
"""The name of the records of a relation."""

TARGET = "target"
"""The parameter of references with the datatype or interface that they lead to."""

REFERENCE_FIELDS = ("entry", "index", "collection", "file")
"""The fields that identify an object in any array."""

SELF = "_self"
"""The field of objects with references to themselves, present if they were read with relations."""

DESCRIPTIONS = "descriptions"
"""The parameter of records with the model's descriptions of fields, unless these repeat names."""

_Tree: TypeAlias = "dict[str, Content | _Tree]"


def to_records(
    schema: Schema,
    selection: Selection,
    data: Mapping[int, _core.TableArrays],
    entries: range,
    origin: int,
    attributes: Mapping[str, Any],
    keeps_options: bool = False,
) -> ak.Array:
    """Return data that were read as an array of records, one for each entry, without copying.

    Parameters
    ----------
    data
        Arrays of the tables in the selection, by number.
    entries
        The numbers of the entries that were read.
    origin
        The number that tells their file and category from all others.
    attributes
        The attributes of the array.
    keeps_options
        Whether everything that can be absent is optional, even if it is always present.
    """
    builder = _Builder(schema, selection, data, entries, origin, keeps_options)
    fields = [schema.labels[root] for root in selection.roots]
    contents = [builder.root(root, len(entries)) for root in selection.roots]
    records = RecordArray(contents, fields, length=len(entries))
    behaviors = {**vectors.behavior(builder.particles), **subsets.behavior(builder.subsets)}
    return ak.Array(records, behavior=behaviors or None, attrs=attributes)


def relation_members(schema: Schema, selection: Selection) -> Selection:
    """Return the selection with whole references: a relation's collection needs its index."""
    members = {
        number: [0, 1] if schema.tables[number].kind in RELATIONS and 1 in chosen else chosen
        for number, chosen in selection.members.items()
    }
    return Selection(selection.roots, members)


class _Builder:
    def __init__(
        self,
        schema: Schema,
        selection: Selection,
        data: Mapping[int, _core.TableArrays],
        entries: range,
        origin: int,
        keeps_options: bool,
    ) -> None:
        self.schema = schema
        self.selection = selection
        self.data = data
        self.entries = entries
        self.origin = origin
        self.keeps_options = keeps_options
        self.has_references = any(
            schema.tables[number].kind in RELATIONS and len(chosen) > 1
            for number, chosen in selection.members.items()
        )
        self.entries_of: dict[int, np.ndarray] = {}  # the entry of each row, by table
        self.particles: set[str] = set()  # records that have a momentum
        self.subsets: set[str] = set()  # records of objects of other collections

    def root(self, number: int, entries: int) -> Content:
        content = self.table(number, entries)
        present = self.data[number].present
        if present is None or (present.all() and not self.keeps_options):
            return content
        return optional(present, content)

    def table(self, number: int, parents: int) -> Content:
        """Return a table as lists, or as plain rows if each row above has exactly one."""
        offsets = self.data[number].offsets
        if offsets is None:
            return self.rows(number, parents)
        is_string = is_text(self.schema.tables[number])
        parameters = {"__array__": "string"} if is_string else None
        rows = self.rows(number, int(offsets[-1]))
        return ListOffsetArray(Index64(offsets), rows, parameters=parameters)

    def rows(self, number: int, count: int) -> Content:
        table = self.schema.tables[number]
        arrays = self.data[number].members
        if table.kind in RELATIONS:
            return self.references(number, count)
        if is_text(table):
            return NumpyArray(arrays[0], parameters={"__array__": "char"})
        below = [n for n in self.schema.below(number) if n in self.data]
        if below and self.schema.tables[below[0]].kind == TableKind.text:
            return self.table(below[0], count)
        tree: _Tree = {}
        steps: dict[str, str] = {}  # by path, of the structures of members
        infos = table.members
        members = set(self.selection.members[number])
        for is_table, part in self.schema.parts(number):
            if not is_table and part in members:
                values = self.values(number, infos[part], arrays[part])
                self.put(tree, table.name, infos[part].name, values)
                _note_steps(steps, infos[part].name, infos[part].structure)
            elif is_table and part in self.data:
                tail = self.schema.tail(part)
                self.put(tree, table.name, tail, self.table(part, count))
                if self.schema.tables[part].kind == TableKind.decoration:
                    for info in self.schema.tables[part].members:
                        _note_steps(steps, tail, info.structure)
        if list(tree) == [""]:
            return self.content(tree[""], "", count, number, steps)
        tree = _with_ordered_tuple(tree)
        if self.has_references and table.kind == TableKind.collection:
            tree.setdefault(SELF, self.own_references(number, count))
        contents = [self.content(part, name, count, number, steps) for name, part in tree.items()]
        parameters: dict[str, Any] = {"__doc__": table.description} if table.description else {}
        if units := self.of_fields(number, lambda member: member.unit):
            parameters[UNITS] = units
        descriptions = self.of_fields(number, lambda member: member.description)
        for child in below:
            descriptions.setdefault(self.schema.tail(child), self.schema.tables[child].description)
        if descriptions := {
            name: text for name, text in descriptions.items() if text not in ("", name)
        }:
            parameters[DESCRIPTIONS] = descriptions
        is_element = table.kind == TableKind.vectorMember
        name = _vector_name(tree, table.name) if is_element or not table.type else ""
        is_standard = table.type.startswith("kaon::")  # it contains names of other types
        short = table.type if is_standard else table.type.rpartition("::")[2]
        record = name or short
        if not name and has_momentum(short, _paths(tree)):
            record = short or PARTICLE
            self.particles.add(record)
        if record:
            parameters["__record__"] = record
        if subset_target(table.type) is not None:
            self.subsets.add(short)
        marks = {
            self.schema.tail(n): _mark(self.schema.tables[n])
            for n in below
            if self.schema.tables[n].kind == TableKind.decoration
            and self.schema.tables[n].members
            and not self.schema.is_late_member(n)
        }
        if marks:
            parameters[MARKS] = marks
        return RecordArray(contents, list(tree), length=count, parameters=parameters or None)

    def of_fields(self, number: int, get: Callable[[_core.Member], str]) -> dict[str, str]:
        """Return a property of a table's fields; of a component, if its members agree."""
        texts: dict[str, set[str]] = {}
        infos = self.schema.tables[number].members
        for member in self.selection.members[number]:
            name = infos[member].name.partition(".")[0]
            texts.setdefault(name, set()).add(get(infos[member]))
        return {name: text for name, (text, *others) in texts.items() if text and not others}

    def values(self, number: int, member: _core.Member, array: np.ndarray) -> Content:
        shape = self.schema.member_shape(number, member)
        return _regular(NumpyArray(array.reshape(-1)), shape, len(array))

    def content(
        self, part: Content | _Tree, path: str, count: int, number: int, steps: Mapping[str, str]
    ) -> Content:
        """Return a member of a table, or a component, given by its path."""
        if not isinstance(part, dict):
            return part
        part = _with_ordered_tuple(part)
        contents = [
            self.content(inner, f"{path}.{name}", count, number, steps)
            for name, inner in part.items()
        ]
        step = steps.get(path, "")
        if step == OPTIONAL and list(part) == ["value", "has_value"]:
            return optional(contents[1].data, contents[0])
        if _is_array(part, step):
            every = ak.to_layout(ak.concatenate([ak.Array(content) for content in contents]))
            order = np.arange(len(part) * count).reshape(len(part), count).T.reshape(-1)
            elements = IndexedArray(Index64(order), every).project()
            shape = self.schema.shape(number, path, step, len(part))
            return _regular(elements, shape or (1,), count)
        name = _vector_name(part, path.rpartition(".")[2])
        parameters = {"__record__": name} if name else None
        return RecordArray(contents, list(part), length=count, parameters=parameters)

    def references(self, number: int, count: int) -> Content:
        """Return records of entry, index, collection and file; the collection is a name or None.

        If only the index or only the collection is selected, entry and file are left out.
        """
        arrays = self.data[number].members
        members = self.selection.members[number]
        contents = [self.collection(number) if m else NumpyArray(arrays[m]) for m in members]
        fields = [self.schema.tables[number].members[m].name for m in members]
        if len(members) < 2:
            return RecordArray(contents, fields, length=count)
        return self.whole_references(number, *contents)

    def own_references(self, number: int, count: int) -> Content:
        """Return references from each object of a collection to itself."""
        offsets = self.data[number].offsets
        narrow = np.int32 if count < 2**31 else np.int64
        index = np.arange(count, dtype=narrow)
        index -= np.repeat(offsets[:-1].astype(narrow), np.diff(offsets))
        name = ak.to_layout(ak.Array([self.schema.tables[number].name]))
        collection = IndexedOptionArray(Index64(np.zeros(count, dtype=np.int64)), name)
        return self.whole_references(
            number, NumpyArray(index.astype(np.int32, copy=False)), collection
        )

    def whole_references(self, number: int, index: Content, collection: Content) -> Content:
        entry = NumpyArray(self.entry(number))
        file = NumpyArray(self.files[: index.length])
        return RecordArray(
            [entry, index, collection, file],
            list(REFERENCE_FIELDS),
            length=index.length,
            parameters={"__record__": REFERENCE, TARGET: self.schema.tables[number].type},
        )

    @cached_property
    def files(self) -> np.ndarray:
        """The number of the file, repeated for the rows of the largest table; references share it.

        An array of stride 0 would be smaller, but Arrow rejects these.
        """
        rows = [len(self.entries)]
        rows += [
            int(arrays.offsets[-1]) for arrays in self.data.values() if arrays.offsets is not None
        ]
        return np.full(max(rows), self.origin, dtype=np.int64)

    def entry(self, number: int) -> np.ndarray:
        """Return the number of the entry of each row of a table."""
        parent = self.schema.tables[number].parent
        if parent is None:
            above = np.arange(self.entries.start, self.entries.stop)
        elif parent in self.entries_of:
            above = self.entries_of[parent]
        else:
            above = self.entries_of[parent] = self.entry(parent)
        offsets = self.data[number].offsets
        return above if offsets is None else np.repeat(above, np.diff(offsets))

    @cached_property
    def collections(self) -> tuple[Content, np.ndarray]:
        """The names of all collections, and the position of each table's name among them."""
        is_collection = [t.kind == TableKind.collection for t in self.schema.tables]
        numbers = np.flatnonzero(is_collection)
        names = [self.schema.tables[number].name for number in numbers.tolist()]
        places = np.full(len(is_collection), -2, dtype=np.int64)
        places[numbers] = np.arange(len(names))
        return ak.to_layout(ak.Array(names or [""])), places

    def put(self, tree: _Tree, table: str, name: str, content: Content) -> None:
        """Make a member or list a field: `a.b` is the field `b` in the record `a`."""
        *outer, last = name.split(".")
        for part in outer:
            tree = tree.setdefault(part, {})
            if not isinstance(tree, dict):
                break
        if not isinstance(tree, dict) or last in tree:
            raise CorruptFileError(
                f"{self.schema.where}: '{table}.{name}' is part of a member, or has the name of a "
                "member with parts; the file is damaged"
            )
        tree[last] = content

    def collection(self, number: int) -> Content:
        names, places = self.collections
        index, collection = (self.data[number].members[member] for member in (0, 1))
        is_none = index < 0
        inside = np.where(is_none, 0, collection) < len(places)
        codes = places[np.where(inside & ~is_none, collection, 0)]
        codes[is_none] = -1
        if not inside.all() or (codes < -1).any():
            table = self.schema.tables[number].name
            raise CorruptFileError(
                f"{self.schema.where}: '{table}' refers to a collection that does not exist; "
                "the file is damaged"
            )
        return IndexedOptionArray(Index64(codes), names)


def _mark(table: _core.Table) -> dict[str, Any]:
    return mark(table.type, {member.name: member.missing for member in table.members})


def _regular(values: Content, shape: tuple[int, ...], count: int) -> Content:
    """Return arrays of a shape, given the number of arrays and their values row by row."""
    for depth in reversed(range(len(shape))):
        values = RegularArray(values, shape[depth], count * prod(shape[:depth]))
    return values


def _note_steps(steps: dict[str, str], path: str, structure: str) -> None:
    """Add the steps of a member's structure, each with the path that it belongs to."""
    parts = path.split(".")
    for depth, step in enumerate(structure.split(".")):
        if step:
            steps[".".join(parts[: depth + 1])] = step


def _with_ordered_tuple(tree: _Tree) -> _Tree:
    """Return the parts of a pair or tuple in order; tables have strings and lists after numbers."""
    places = [(_core.place_in_tuple(name), name) for name in tree]
    if any(place is None for place, _ in places):
        return tree
    return {name: tree[name] for _, name in sorted(places, key=lambda part: part[0] or 0)}


def _is_array(tree: _Tree, step: str) -> bool:
    """Tell whether the parts of a member are the elements of an array of components."""
    if not step.startswith("["):
        return False
    size = prod(map(int, step.lstrip("[~").rstrip("]").split("][")))
    return list(tree) == [str(i) for i in range(size)]


def _paths(tree: _Tree) -> list[str]:
    """Return the names of members; those of components with dots."""
    return [
        ".".join([name, inner] if inner else [name])
        for name, part in tree.items()
        for inner in (_paths(part) if isinstance(part, dict) else [""])
    ]


def _vector_name(tree: _Tree, name: str) -> str:
    """Return the name of a record in the package `vector`; "" if it is not a vector."""
    numbers = [field for field, part in tree.items() if not isinstance(part, dict)]
    return vector_name(numbers, name) if len(numbers) == len(tree) else ""
