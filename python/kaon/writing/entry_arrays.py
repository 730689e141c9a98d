"""Awkward arrays as arrays of Arrow's C interface, which C++ writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from awkward.contents import Content, IndexedArray
from awkward.index import Index64

from kaon import _core
from kaon.columns.awkward_layouts import (
    UNIT,
    is_string,
    members_of,
    plain,
    required,
    to_layout,
)
from kaon.columns.decorated_arrays import MARKS
from kaon.columns.records import DESCRIPTIONS
from kaon.columns.vectors import UNITS
from kaon.errors import UsageError, WrongTypeError

# In all functions `where` names the values in messages, such as "Muons.hits".

_FORMATS = {
    np.dtype(name): format_
    for name, format_ in {
        "bool": "b",
        **{"int8": "c", "int16": "s", "int32": "i", "int64": "l", "float32": "f", "float64": "g"},
        **{"uint8": "C", "uint16": "S", "uint32": "I", "uint64": "L"},
    }.items()
}
_CHARACTERS = {"string": "u", "bytestring": "z"}
_TIMES = {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}


def entry_array(data: Mapping[str, Any] | Any) -> _core.EntryArray:
    """Return entries as an array of structs, without copying numbers and strings.

    Parameters
    ----------
    data
        Arrays by name, or an array of records, as `WritableCategory.extend` takes them.

    Raises
    ------
    WrongTypeError
        If values are of types that files do not have.
    UsageError
        If the arrays differ in length.
    """
    if isinstance(data, Mapping):
        layouts = {name: to_layout(values, name) for name, values in data.items()}
        length = _common_length(layouts)
    else:
        layout = required(to_layout(data, "data"), "data")
        if not layout.is_record:
            raise WrongTypeError("give arrays by name, or an array of records")
        layouts, length = members_of(layout), layout.length
    for name in layouts:
        if not isinstance(name, str):
            raise WrongTypeError(f"the name of an array must be a string, not {name!r}")
    columns = [_array(layout, name, name) for name, layout in layouts.items()]
    return _core.EntryArray("+s", "", length, [None], columns)


def _common_length(layouts: Mapping[str, Content]) -> int:
    lengths = {name: layout.length for name, layout in layouts.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"'{name}' has {length}" for name, length in lengths.items())
        raise UsageError(f"the arrays differ in length: {shown}")
    return next(iter(lengths.values()), 0)


def _array(
    layout: Content,
    name: str,
    where: str,
    metadata: Mapping[str, str] | None = None,
    missing: Mapping[str, int] | None = None,
) -> _core.EntryArray:
    """Return an array of any type.

    Parameters
    ----------
    metadata
        The metadata of its field.
    missing
        The values of objects without a decoration, by its member.
    """
    is_there, index, layout = _parts(layout)
    said = dict(metadata or {})
    if index is not None:
        strings = _array(layout, "", where)
        return _node("l", name, len(index), is_there, [index], metadata=said, dictionary=strings)
    length = layout.length if is_there is None else len(is_there)
    if layout.is_unknown:
        return _node("n", name, length, None, [], metadata=said)
    if layout.is_numpy and layout.purelist_depth > 1:
        layout = layout.to_RegularArray()
    if layout.is_numpy:
        if missing and missing.get(""):
            said["missing"] = str(missing[""])
        format_, values = _numbers(layout, where)
        return _node(format_, name, length, is_there, [values], metadata=said)
    if layout.is_record:
        fields = list(_fields(layout, where, missing or {}, said))
        said |= _of_records(layout)
        return _node("+s", name, length, is_there, [], fields, metadata=said)
    kind = layout.parameter("__array__")
    if not layout.is_list or kind not in (None, *_CHARACTERS):
        raise WrongTypeError(
            f"'{where}' is of type {layout.form.type}: neither numbers, strings or records, "
            "nor lists of them"
        )
    if kind is not None:
        is_large, offsets, content = _offsets(layout)
        characters = np.ascontiguousarray(plain(content).data, np.uint8)
        format_ = _CHARACTERS[kind].upper() if is_large else _CHARACTERS[kind]
        return _node(format_, name, length, is_there, [offsets, characters], metadata=said)
    if description := _description(layout.content):
        said.setdefault("description", description)
    is_value = name == where and layout.content.is_numpy  # which has at least one element
    if layout.is_regular and (layout.size > 0 or is_value):
        format_, buffers = f"+w:{layout.size}", []
        content = layout.content[: layout.size * length]
    else:
        is_large, offsets, content = _offsets(layout)
        format_, buffers = "+L" if is_large else "+l", [offsets]
    inside = [_array(content, "item", where, missing=missing)]
    return _node(format_, name, length, is_there, buffers, inside, metadata=said)


def _node(
    format_: str,
    name: str,
    length: int,
    is_there: np.ndarray | None,
    buffers: list[np.ndarray],
    children: list[_core.EntryArray] | None = None,
    *,
    metadata: Mapping[str, str],
    dictionary: _core.EntryArray | None = None,
) -> _core.EntryArray:
    nulls = 0 if is_there is None else int(np.count_nonzero(~is_there))
    bits = np.packbits(is_there, bitorder="little") if is_there is not None and nulls else None
    return _core.EntryArray(
        format_, name, length, [bits, *buffers], children or [], dictionary, nulls, metadata
    )


def _parts(layout: Content) -> tuple[np.ndarray | None, np.ndarray | None, Content]:
    """Return which values are there, the index of repeated strings, and the values.

    The first is None if all values are there, the second if no strings are repeated.
    """
    is_there = None
    if layout.is_option:
        is_there = np.asarray(layout.mask_as_bool(valid_when=True))
    if not layout.is_indexed:
        if is_there is None:
            return None, None, layout
        return is_there, *_parts(layout.content[: layout.length])[1:]
    index, content = np.asarray(layout.index.data), layout.content
    if is_there is not None:
        index = np.where(is_there, index, 0)
        if content.length == 0:  # all values are missing
            return is_there, None, content
    if is_string(content):
        return is_there, np.ascontiguousarray(index, np.int64), content
    return is_there, *_parts(IndexedArray(Index64(index), content).project())[1:]


def _numbers(layout: Content, where: str) -> tuple[str, np.ndarray]:
    """Return the format of numbers, and the numbers."""
    values = np.asarray(layout.data)
    format_ = _FORMATS.get(values.dtype)
    if format_ is None:
        instead = {
            "c": "their .real and .imag",
            "f": "ak.values_astype(..., np.float32 or np.float64)",
        }.get(values.dtype.kind, "numbers, such as those of .view(np.int64)")
        raise WrongTypeError(
            f"'{where}' has the type {values.dtype}, which files cannot hold: write {instead}"
        )
    if format_ == "b":
        return format_, np.packbits(values, bitorder="little")
    return _TIMES.get(layout.parameter(UNIT) or "", format_), np.ascontiguousarray(values)


def _offsets(layout: Content) -> tuple[bool, np.ndarray, Content]:
    """Return the offsets of lists, whether they have 64 bits, and the contents."""
    offsets = np.asarray(layout.offsets.data) if hasattr(layout, "_offsets") else None
    if offsets is None or offsets.dtype not in (np.int32, np.int64):
        layout = layout.to_ListOffsetArray64(True)
        offsets = np.asarray(layout.offsets.data)
    offsets = np.ascontiguousarray(offsets)
    return offsets.dtype == np.int64, offsets, layout.content[: offsets[-1]]


def _fields(
    records: Content, where: str, missing: Mapping[str, int], outer: Mapping[str, str]
) -> Iterator[_core.EntryArray]:
    """Yield the fields of records; those of records in others have the outer unit and meaning."""
    units = records.parameter(UNITS) or {}
    descriptions = records.parameter(DESCRIPTIONS) or {}
    marks = records.parameter(MARKS) or {}
    for name, content in members_of(records).items():
        mark = marks.get(name)
        inside = {
            path.removeprefix(f"{name}."): value
            for path, value in missing.items()
            if path == name or path.startswith(f"{name}.")
        }
        if name in missing:
            inside = {"": missing[name]}
        metadata = {
            "unit": units.get(name) or outer.get("unit", ""),
            "description": descriptions.get(name) or outer.get("description", ""),
            "decoration": mark["type"] if mark else "",
        }
        yield _array(
            content,
            name,
            f"{where}.{name}",
            {key: text for key, text in metadata.items() if text},
            mark["missing"] if mark else inside,
        )


def _of_records(records: Content) -> dict[str, str]:
    """Return the metadata of records."""
    name, is_tuple = records.parameter("__record__"), records.is_tuple
    said = {"record": name} if isinstance(name, str) else {}
    if description := _description(records):
        said["description"] = description
    return said | ({"tuple": "1"} if is_tuple else {})


def _description(records: Content) -> str:
    while records.is_option or records.is_indexed:
        records = records.content
    text = records.parameter("__doc__") if records.is_record else ""
    return text if isinstance(text, str) else ""
