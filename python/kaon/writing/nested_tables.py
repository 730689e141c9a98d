"""Arrays of any nesting as tables: lists in lists, and records that no model describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np
from awkward.contents import Content, EmptyArray

from kaon import _core
from kaon._core import TableKind
from kaon.columns.awkward_layouts import (
    in_one_row,
    is_list,
    is_string,
    lists,
    members_of,
    numbers,
    present_and_content,
    required,
    unit_of,
)
from kaon.columns.records import DESCRIPTIONS, REFERENCE, UNITS
from kaon.columns.shapes import shape_of, shape_text, step_at
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.modelgen.scalars import SCALARS
from kaon.writing.strings import string_arrays, text_arrays
from kaon.writing.structs import characters, text_table

# In all functions `where` names the values in messages, such as "Muons.hits".

_STRING = "string"
"""The type of tables whose rows are strings, or characters of one."""

_VALUES = {_STRING, *(scalar.dtype for scalar in SCALARS.values())}
"""The types of tables whose rows are values, which no records can be called."""


def nested_tables(name: str, kind: TableKind, rows: Content, number: int) -> list[_core.Table]:
    """Return the tables of rows of any type: their own, and those of the lists in them.

    Parameters
    ----------
    kind
        Of the first table, which lies under entries: a parameter or value.
    number
        The number that the first table gets.

    Raises
    ------
    WrongTypeError, UsageError
        If files cannot hold rows of their type.
    """
    maker = _TableMaker(number)
    maker.add(name, kind, rows, None, name)
    if kind == TableKind.value and len(maker.tables) > 1:
        # Pages of lists end elsewhere than those of the other values.
        return _core.Storage(group=name).arranged(maker.tables)
    return maker.tables


def is_nested(table: _core.Table) -> bool:
    """Return whether a parameter or value is of a type that `nested_tables` makes."""
    if table.kind == TableKind.value:
        return [member.name for member in table.members] != [""]
    return table.type not in _VALUES


class _TableMaker:
    def __init__(self, first: int) -> None:
        self.first = first
        self.tables: list[_core.Table] = []

    def add(
        self, name: str, kind: TableKind, rows: Content, parent: int | None, where: str
    ) -> None:
        """Add the table of some rows, then those of the lists in them."""
        _, rows = present_and_content(rows)
        number = self.first + len(self.tables)
        if is_string(rows) and kind != TableKind.value:
            self.tables.append(_core.Table(name, kind, _STRING, [], 0, parent))
            self.tables.append(text_table(name, number))
            return
        inside = {"": rows}
        type_ = ""
        if rows.is_record:
            inside = dict(_leaves(rows, where))
            record = rows.parameter("__record__")
            if record == REFERENCE:
                raise UsageError(
                    f"'{where}' is a relation, which needs a model: give create() the model of the "
                    "original file, `model=file.models[...]`, or leave the relation out"
                )
            type_ = record if isinstance(record, str) and record not in _VALUES else ""
        kinds = {path: _number_type(content) for path, content in inside.items()}
        members, size = _struct({path: kind for path, kind in kinds.items() if kind}, rows, where)
        if [(member.name, member.structure) for member in members] == [("", "")]:
            type_ = members[0].type
        meaning = doc_of(rows)
        self.tables.append(_core.Table(name, kind, type_, members, size, parent, meaning))
        for path, content in inside.items():
            if kinds[path] is None:
                label = f"{where}.{path}" if path else where
                self._add_list(f"{name}.{path}", content, number, label)

    def _add_list(self, name: str, content: Content, parent: int, where: str) -> None:
        _, content = present_and_content(content)
        if is_string(content):
            member = [characters("")]
            table = _core.Table(name, TableKind.vectorMember, _STRING, member, 1, parent)
            self.tables.append(table)
        elif is_list(content):
            self.add(name, TableKind.vectorMember, lists(content, where)[1], parent, where)
        elif content.is_unknown:
            raise UsageError(f"'{where}' is empty, so its type is unknown")
        else:
            raise WrongTypeError(
                f"'{where}' is of type {content.form.type}: neither numbers, strings or records, "
                "nor lists of them"
            )


def nested_arrays(
    tables: Sequence[_core.Table],
    root: int,
    content: Content,
    offsets: np.ndarray | None,
    present: np.ndarray | None,
) -> dict[int, _core.TableArrays]:
    """Return the arrays of a table that `nested_tables` made, and of those under it, by number.

    Parameters
    ----------
    tables
        All tables of the category.
    content
        The table's rows.
    offsets, present
        Where the rows of each entry begin, and which entries have any; None for values.

    Raises
    ------
    UnknownNameError, WrongTypeError, UsageError
        If the rows are not of the tables' types.
    """
    maker = _ArrayMaker(tables)
    rows = content.length if offsets is None else int(offsets[-1])
    maker.add(root, content, rows, offsets, present, tables[root].name)
    return maker.arrays


class _ArrayMaker:
    def __init__(self, tables: Sequence[_core.Table]) -> None:
        self.tables = tables
        self.arrays: dict[int, _core.TableArrays] = {}
        self.below: dict[int, list[int]] = {}
        for number, table in enumerate(tables):
            if table.parent is not None:
                self.below.setdefault(table.parent, []).append(number)

    def add(
        self,
        number: int,
        content: Content,
        rows: int,
        offsets: np.ndarray | None,
        present: np.ndarray | None,
        where: str,
    ) -> None:
        table = self.tables[number]
        below = self.below.get(number, [])
        if table.type == _STRING:
            self.arrays[number] = _core.TableArrays(offsets, present, {})
            self.arrays[below[0]] = text_arrays(content, where)
            return
        tails = {self.tables[n].name.removeprefix(f"{table.name}."): n for n in below}
        known = [*(member.name for member in table.members), *tails]
        inside = _parts(content, rows, known, where)
        members = {}
        for index, member in enumerate(table.members):
            shape = shape_of(step_at(member.structure, member.name.count("."))) or ()
            extent = member.extent if member.extent > 1 or shape else None
            label = f"{where}.{member.name}" if member.name else where
            dtype = np.dtype(member.type)
            if member.name in inside:
                content = in_one_row(inside[member.name], shape, label)
                members[index] = numbers(content, dtype, extent, label)
            else:
                members[index] = np.empty((0, extent) if extent and extent > 1 else 0, dtype)
        self.arrays[number] = _core.TableArrays(offsets, present, members)
        for tail, child in tails.items():
            self._add_list(child, inside.get(tail), rows, f"{where}.{tail}" if tail else where)

    def _add_list(self, number: int, content: Content | None, rows: int, where: str) -> None:
        table = self.tables[number]
        if table.type == _STRING and table.members:
            self.arrays[number] = string_arrays(content, rows, where)
            return
        if content is None:
            offsets, inside = lists(EmptyArray(), where)
        elif is_string(present_and_content(content)[1]):
            raise WrongTypeError(f"'{where}' needs lists, not strings")
        else:
            offsets, inside = lists(content, where)
        self.add(number, inside, int(offsets[-1]), offsets, None, where)


def _parts(content: Content, rows: int, known: Sequence[str], where: str) -> Mapping[str, Content]:
    """Return the members of rows, by their name in the table; empty if there are no rows."""
    if content.is_unknown:
        return {}
    if list(known) == [""]:
        return {"": content}
    content = required(content, where)
    if not content.is_record:
        raise WrongTypeError(f"'{where}' needs records, not values of type {content.form.type}")
    inside = dict(_leaves(content, where))
    for name in inside:
        if name not in known:
            hint = _core.suggestion(name, list(known))
            raise UnknownNameError(f"'{where}' has no member '{name}' in earlier entries{hint}")
    missing = [name for name in known if name not in inside]
    if missing and rows:
        raise UsageError(f"'{where}' lacks '{missing[0]}', which it has in earlier entries")
    return inside


def _leaves(record: Content, where: str, path: str = "") -> Iterator[tuple[str, Content]]:
    """Yield the fields of records, with inner records split: "a", "b.x", "b.y"."""
    _check_fields(record, where, is_inner=path != "")
    for name, content in members_of(record).items():
        label, full = f"{where}.{name}", f"{path}{name}"
        _, present = present_and_content(content)
        if present.is_record:
            yield from _leaves(required(content, label), label, f"{full}.")
        else:
            yield full, content


def _check_fields(record: Content, where: str, is_inner: bool) -> None:
    """Check that the fields of records can be told from others when they are read."""
    fields = record.fields
    if record.is_tuple:
        raise WrongTypeError(f"'{where}' has tuples: name their fields, as `ak.zip` does")
    for name in fields:
        if not name or "." in name:
            raise UsageError(
                f"'{where}' has a field '{name}': names must not be empty or contain dots"
            )
    if not is_inner:
        return
    if not fields:
        raise WrongTypeError(f"'{where}' has records without fields")


def _number_type(content: Content) -> tuple[np.dtype, tuple[int, ...]] | None:
    """Return the type of numbers and the shape of the array in each row; None for other things."""
    _, content = present_and_content(content)
    if content.is_numpy and content.purelist_depth > 1:
        content = content.to_RegularArray()
    shape: tuple[int, ...] = ()
    while content.is_regular and not content.parameter("__array__") and content.size > 0:
        shape = (*shape, content.size)
        _, content = present_and_content(content.content)
    if not content.is_numpy or content.is_unknown or content.purelist_depth > 1:
        return None
    return content.data.dtype, shape


def check_number_type(dtype: np.dtype, where: str) -> None:
    """Check that files have numbers of a type.

    Raises
    ------
    WrongTypeError
        If they have none.
    """
    if dtype.name in _VALUES:
        return
    instead = {
        "c": "their .real and .imag",
        "f": "ak.values_astype(..., np.float32 or np.float64)",
    }.get(dtype.kind, "numbers, such as those of .view(np.int64)")
    raise WrongTypeError(
        f"'{where}' has the type {dtype}, which files cannot hold: write {instead}"
    )


def units_of(records: Content) -> Mapping[str, str]:
    """Return the units of records' fields, "" if unknown, from the records or from files."""
    said = records.parameter(UNITS)
    while records.is_option or records.is_indexed:
        records = records.content
    members = members_of(records) if records.is_record else {}
    units = {name: unit_of(content) for name, content in members.items()}
    return {**units, **said} if isinstance(said, Mapping) else units


def descriptions_of(records: Content) -> Mapping[str, str]:
    """Return the descriptions of records' fields, which records from files have."""
    descriptions = records.parameter(DESCRIPTIONS)
    return descriptions if isinstance(descriptions, Mapping) else {}


def doc_of(content: Content) -> str:
    """Return the description of arrays; "" if they have none."""
    text = content.parameter("__doc__")
    return text if isinstance(text, str) else ""


def _struct(
    types: Mapping[str, tuple[np.dtype, tuple[int, ...]]], rows: Content, where: str
) -> tuple[list[_core.Member], int]:
    """Return the members of a table, aligned as in a struct, and the size of its rows."""
    members: list[_core.Member] = []
    units, descriptions = units_of(rows), descriptions_of(rows)
    end, alignment = 0, 1
    for name, (dtype, shape) in types.items():
        check_number_type(dtype, f"{where}.{name}".rstrip("."))
        begin = -(-end // dtype.itemsize) * dtype.itemsize
        field = name.partition(".")[0]
        said = (units.get(field, ""), descriptions.get(field, ""))
        structure = "." * name.count(".") + shape_text(shape) if shape else ""
        members.append(
            _core.Member(name, dtype.name, prod(shape), begin, *said, structure=structure)
        )
        end, alignment = begin + members[-1].size, max(alignment, dtype.itemsize)
    return members, -(-end // alignment) * alignment
