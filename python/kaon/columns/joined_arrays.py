"""Arrays and tables of several files, joined; data that a file lacks are None."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from typing import Any

import awkward as ak
import numpy as np

from kaon.columns.awkward_layouts import members_of
from kaon.columns.joined_numbers import cannot_join, in_one_type
from kaon.errors import WrongTypeError


def joined_arrays(parts: Sequence[ak.Array]) -> ak.Array:
    """Return Awkward arrays as one array; the fields of records may differ at all levels.

    Raises
    ------
    WrongTypeError
        If numbers have no type in common.
    """
    if len(parts) == 1:
        return parts[0]
    behavior: dict[Any, Any] = {}
    attributes: dict[str, Any] = {}
    for part in parts:
        behavior |= part.behavior or {}
        attributes |= part.attrs
    joined = _joined(_alike([ak.to_layout(part) for part in parts], ""))
    return ak.Array(joined, behavior=behavior or None, attrs=attributes)


def _joined(layouts: Sequence[Any]) -> Any:
    """Return layouts as one; records are joined by member, as Awkward searches names for each."""
    first = layouts[0]
    if not all(layout.is_record and layout.parameters == first.parameters for layout in layouts):
        return ak.concatenate(layouts, highlevel=False)
    members = zip(*(members_of(layout).values() for layout in layouts), strict=True)
    return ak.contents.RecordArray(
        [ak.concatenate(contents, highlevel=False) for contents in members],
        first.fields,
        sum(layout.length for layout in layouts),
        parameters=first.parameters,
    )


def _alike(layouts: Sequence[Any], name: str) -> Sequence[Any]:
    """Return layouts with the same fields in records, and the same types of numbers."""
    if all(layout.is_record for layout in layouts):
        return _alike_records(layouts, name)
    if all(layout.is_numpy for layout in layouts):
        return _alike_numbers(layouts, name)
    has_content = [layout.is_option or layout.is_indexed for layout in layouts]
    if not any(has_content):
        if not all(layout.is_list for layout in layouts):
            return layouts
        has_content = [True] * len(layouts)
    both = list(zip(layouts, has_content, strict=True))
    contents = _alike([layout.content if within else layout for layout, within in both], name)
    return [
        layout.copy(content=content) if within else content
        for (layout, within), content in zip(both, contents, strict=True)
    ]


def _alike_numbers(layouts: Sequence[Any], name: str) -> Sequence[Any]:
    numbers = in_one_type([layout.data for layout in layouts], name)
    return [
        layout if values is layout.data else layout.copy(data=values)
        for layout, values in zip(layouts, numbers, strict=True)
    ]


def _alike_records(records: Sequence[Any], record_name: str) -> Sequence[Any]:
    members = [members_of(record) for record in records]
    names = list(dict.fromkeys(name for of_record in members for name in of_record))
    contents: list[dict[str, Any]] = [{} for _ in records]
    for name in names:
        having = [number for number, of_record in enumerate(members) if name in of_record]
        member = f"{record_name}.{name}" if record_name else name
        alike = _alike([members[number][name] for number in having], member)
        example = alike[0].form.length_zero_array(highlevel=False)
        for number, content in zip(having, alike, strict=True):
            contents[number][name] = content
        for number, record in enumerate(records):
            if name not in members[number]:
                contents[number][name] = _nones(record.length, example)
    return [
        ak.contents.RecordArray(
            [columns[name] for name in names],
            names,
            record.length,
            parameters=record._parameters,
        )
        for record, columns in zip(records, contents, strict=True)
    ]


def _nones(count: int, example: Any) -> Any:
    """Return a number of None values with the type of an example."""
    index = ak.index.Index64(np.full(count, -1, np.int64))
    return ak.contents.IndexedOptionArray.simplified(index, example)


def joined_tables(parts: Sequence[Any]) -> Any:
    """Return Arrow tables as one table; columns, and members of structs, may differ.

    Raises
    ------
    WrongTypeError
        If the types of a column have no common type.
    """
    pyarrow = import_module("pyarrow")
    if len(parts) == 1:
        return parts[0]
    fields = reduce(_united_fields, [list(part.schema) for part in parts])
    types = {field.name: field for field in fields}
    alike = [
        pyarrow.Table.from_arrays(
            [_cast(part[name], types[name]) for name in part.column_names],
            schema=pyarrow.schema([types[name] for name in part.column_names]),
        )
        for part in parts
    ]
    return pyarrow.concat_tables(alike, promote_options="default")


def _cast(column: Any, field: Any) -> Any:
    try:
        return column.cast(field.type)
    except import_module("pyarrow").ArrowInvalid as error:
        raise cannot_join(field.name, [str(column.type), str(field.type)], str(error)) from None


def _united_fields(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    others = {field.name: field for field in b}
    fields = []
    for field in a:
        other = others.pop(field.name, None)
        fields.append(_united(field, other) if other else field.with_nullable(True))
    return fields + [field.with_nullable(True) for field in others.values()]


def _united(a: Any, b: Any) -> Any:
    """Return a field that can hold the values of both fields."""
    return a.with_type(_united_type(a, b)).with_nullable(a.nullable or b.nullable)


def _united_type(a: Any, b: Any) -> Any:
    pyarrow = import_module("pyarrow")
    types = pyarrow.types
    if a.type == b.type:
        return a.type
    if types.is_struct(a.type) and types.is_struct(b.type):
        return pyarrow.struct(_united_fields(list(a.type), list(b.type)))
    for is_list, of in ((types.is_large_list, pyarrow.large_list), (types.is_list, pyarrow.list_)):
        if is_list(a.type) and is_list(b.type):
            return of(_united(a.type.value_field, b.type.value_field))
    try:
        both = [pyarrow.schema([pyarrow.field(a.name, each.type)]) for each in (a, b)]
        return pyarrow.unify_schemas(both, promote_options="permissive").field(0).type
    except pyarrow.ArrowTypeError:
        raise WrongTypeError(
            f"'{a.name}' is of {a.type} in one file, and of {b.type} in another: these cannot be "
            "joined"
        ) from None
