"""Conversion of a user's arrays to the arrays of a category's tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from awkward.contents import Content, EmptyArray, RecordArray

from kaon import _core
from kaon._core import TableKind
from kaon.columns.awkward_layouts import (
    in_one_row,
    is_list,
    is_string,
    lists,
    members_of,
    numbers,
    plain,
    present_and_content,
    record_fields,
    required,
    to_layout,
    unit_of,
)
from kaon.columns.decorated_arrays import decoration_members
from kaon.columns.shapes import shape_of
from kaon.errors import UsageError, WrongTypeError
from kaon.model.standard import bare_datatype
from kaon.modelgen.scalars import STRING
from kaon.writing.category_tables import CategoryTables, member_names
from kaon.writing.known_objects import KnownObjects, own_references, without_self
from kaon.writing.nested_tables import is_nested, nested_arrays
from kaon.writing.record_caster import RecordCaster
from kaon.writing.relation_numbers import RelationNumbers, Targets
from kaon.writing.strings import string_arrays, text_arrays

if TYPE_CHECKING:
    from kaon.modelgen.model import Datatype


def table_arrays(
    category: CategoryTables, data: Any
) -> tuple[CategoryTables, dict[int, _core.TableArrays], int]:
    """Return the arrays of some entries.

    Parameters
    ----------
    category
        The tables of the category so far.
    data
        Arrays by name, or an array of records, as `WritableCategory.extend` takes them.

    Returns
    -------
    category : CategoryTables
        The tables, including new ones for these entries.
    arrays : dict of TableArrays
        The arrays of each table by its number, without tables that no entry has.
    entries : int
        The number of entries.
    """
    given, entries = _layouts(data)
    own = {name: references for name in given if (references := own_references(given[name]))}
    layouts = given | {name: without_self(given[name]) for name in own}
    category = category.extended(layouts)
    maker = _ArrayMaker(category, layouts, entries, own)
    return category, maker.arrays(), entries


def _layouts(data: Any) -> tuple[dict[str, Content], int]:
    """Return arrays by name, and the number of entries."""
    if isinstance(data, Mapping):
        layouts = {name: to_layout(values, name) for name, values in data.items()}
        return layouts, _common_length(layouts)
    layout = required(to_layout(data, "data"), "data")
    if not layout.is_record:
        raise WrongTypeError("give arrays by name, or an array of records")
    return {name: plain(content) for name, content in members_of(layout).items()}, layout.length


def _common_length(layouts: Mapping[str, Content]) -> int:
    lengths = {name: layout.length for name, layout in layouts.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"'{name}' has {length}" for name, length in lengths.items())
        raise UsageError(f"the arrays differ in length: {shown}")
    return next(iter(lengths.values()), 0)


class _ArrayMaker:
    """Makes the arrays of all tables that entries have."""

    def __init__(
        self,
        category: CategoryTables,
        layouts: Mapping[str, Content],
        entries: int,
        own_references: Mapping[str, Content],
    ) -> None:
        self.category = category
        self.layouts = layouts
        self.entries = entries
        self.own_references = own_references
        self.present: dict[str, np.ndarray] = {}
        # By collection or parameter. Relations also need collections that are missing here.
        self.offsets = defaultdict[str, np.ndarray](lambda: np.zeros(entries + 1, np.int64))
        self.inner: dict[str, Content] = {}  # the contents of the lists

    def arrays(self) -> dict[int, _core.TableArrays]:
        for name in self.layouts:
            if self.category.kind(name) != TableKind.value:
                self._open(name)
        objects = {
            name: KnownObjects(*lists(own, name)) for name, own in self.own_references.items()
        }
        self.targets = Targets(self.category, self.offsets, objects)
        arrays_of = {
            TableKind.collection: self._collection,
            TableKind.parameter: self._parameter,
            TableKind.value: self._value,
        }
        arrays: dict[int, _core.TableArrays] = {}
        for name in self.layouts:
            arrays |= arrays_of[self.category.kind(name)](name)
        return arrays

    def _open(self, name: str) -> None:
        """Note the begins of lists; missing lists are empty."""
        layout = self.layouts[name]
        present, content = present_and_content(layout)
        is_parameter = self.category.kind(name) == TableKind.parameter
        is_many = content.is_list or is_list(content) or content.is_unknown
        if is_string(content) or (is_parameter and not is_many):  # one value is a list of one
            counts = np.ones(self.entries, np.int64) if present is None else present
            self.offsets[name], self.inner[name] = np.concatenate([[0], np.cumsum(counts)]), content
        else:
            self.offsets[name], self.inner[name] = lists(layout, name)
        self.present[name] = np.ones(self.entries, bool) if present is None else present

    def _value(self, name: str) -> dict[int, _core.TableArrays]:
        number = self.category.number(name)
        if is_nested(self.category.tables[number]):
            return nested_arrays(self.category.tables, number, self.layouts[name], None, None)
        (member,) = self.category.tables[number].members
        _check_unit(self.layouts[name], member.unit, name)
        shape = shape_of(member.structure) or ()
        layout = in_one_row(self.layouts[name], shape, name)
        values = numbers(layout, np.dtype(member.type), member.extent, name)
        return {number: _core.TableArrays(None, None, {0: values})}

    def _parameter(self, name: str) -> dict[int, _core.TableArrays]:
        number = self.category.number(name)
        type_ = self.category.tables[number].type
        inner, offsets, present = self.inner[name], self.offsets[name], self.present[name]
        if is_nested(self.category.tables[number]):
            return nested_arrays(self.category.tables, number, inner, offsets, present)
        if type_ != "string":
            _check_unit(self.layouts[name], self.category.tables[number].members[0].unit, name)
            values = numbers(inner, np.dtype(type_), None, name)
            return {number: _core.TableArrays(offsets, present, {0: values})}
        (text,) = self.category.below(name)
        return {number: _core.TableArrays(offsets, present, {}), text: text_arrays(inner, name)}

    def _collection(self, name: str) -> dict[int, _core.TableArrays]:
        datatype = self.category.datatype(name)
        caster = RecordCaster(
            self.category.structs.components, self.category.options.missing_members
        )
        offsets, inner = self.offsets[name], self.inner[name]
        rows = int(offsets[-1])
        if inner.is_numpy and bare_datatype(datatype.name):
            inner = RecordArray([inner], [""])  # collections of objects have this form
        places = self.category.leaf_places(name)
        plain = datatype.plain_members
        decorations = {
            decoration: number
            for decoration, number in self.category.decorations(name).items()
            if (number, 0) not in places
        }
        others = {*member_names(datatype), *decorations} - {member.name for member in plain}
        leaves = caster.struct(inner, plain, rows, name, others)
        fields = record_fields(inner, name)
        for known in plain:
            if known.name in fields:
                _check_unit(fields[known.name], known.unit or "", f"{name}.{known.name}")
        root = self.category.number(name)
        members: dict[int, dict[int, np.ndarray]] = {}
        for (number, member), values in zip(places, leaves, strict=True):
            members.setdefault(number, {})[member] = values
        by_table = {number: _core.TableArrays(None, None, own) for number, own in members.items()}
        own = members.get(root, {})
        by_table[root] = _core.TableArrays(offsets, self.present[name], own)
        numbers = self.category.numbers_below(name)
        for table, arrays in self._lists(caster, datatype, fields, rows, name):
            by_table[numbers[table]] = arrays
        for table, arrays in self._relations(datatype, fields, offsets, name):
            by_table[numbers[table]] = arrays
        for decoration, number in decorations.items():
            info = self.category.tables[number]
            decorating = decoration_members(fields.get(decoration), info, rows)
            by_table[number] = _core.TableArrays(None, None, decorating)
        return by_table

    def _lists(
        self,
        caster: RecordCaster,
        datatype: Datatype,
        fields: Mapping[str, Content],
        rows: int,
        name: str,
    ) -> Iterator[tuple[str, _core.TableArrays]]:
        """Yield the tables of strings and vector members, by name, and their arrays."""
        for member in datatype.strings:
            where = f"{name}.{member.name}"
            yield where, string_arrays(fields.get(member.name), rows, where)
        for member in datatype.vector_members:
            where = f"{name}.{member.name}"
            ends, content = _sublists(fields.get(member.name), rows, where)
            table = where
            for _ in range(member.depth):
                yield table, _core.TableArrays(ends, None, {})
                ends, content = _inner_lists(content, where)
                table += "."  # nested lists have no names of their own
            if member.type == STRING:
                yield table, _core.TableArrays(ends, None, {})
                yield f"{table}.text", text_arrays(content, where)
            else:
                values = caster.elements(content, member, where)
                yield table, _core.TableArrays(ends, None, dict(enumerate(values)))

    def _relations(
        self, datatype: Datatype, fields: Mapping[str, Content], offsets: np.ndarray, name: str
    ) -> Iterator[tuple[str, _core.TableArrays]]:
        """Yield the tables of relations, by name, and their arrays."""
        rows = int(offsets[-1])
        for relation in datatype.one_to_one_relations:
            where = f"{name}.{relation.name}"
            references = RelationNumbers(self.targets, relation, where, np.diff(offsets))
            members = references.members(fields.get(relation.name), rows)
            yield where, _core.TableArrays(None, None, members)
        for relation in datatype.one_to_many_relations:
            where = f"{name}.{relation.name}"
            ends, content = _sublists(fields.get(relation.name), rows, where)
            references = RelationNumbers(self.targets, relation, where, np.diff(ends[offsets]))
            yield where, _core.TableArrays(ends, None, references.members(content, int(ends[-1])))


def _check_unit(layout: Content, unit: str, where: str) -> None:
    """Check that the unit of numbers, such as times, is that of the file; either may be unknown."""
    given = unit_of(layout)
    if given and unit and given != unit:
        raise UsageError(f"'{where}' has the unit {given}, but {unit} in the file")


def _inner_lists(content: Content, where: str) -> tuple[np.ndarray, Content]:
    """Return the begins of nested lists, and their contents."""
    if is_string(present_and_content(content)[1]):
        raise WrongTypeError(f"'{where}' needs nested lists, not strings")
    return lists(content, where)


def _sublists(layout: Content | None, rows: int, where: str) -> tuple[np.ndarray, Content]:
    if layout is None:
        return np.zeros(rows + 1, np.int64), EmptyArray()
    return lists(layout, where)
