"""Decorations in arrays: fields of records; a parameter of the records names them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import awkward as ak
import numpy as np
from awkward.contents import Content, RecordArray

from kaon import _core
from kaon._core import TableKind
from kaon.columns.awkward_layouts import cast, present_and_content, required
from kaon.columns.decorations import check_name, missing_bytes, missing_values
from kaon.errors import UnknownNameError, UsageError, WrongTypeError

MARKS = "decorations"
"""The parameter of records with the type and the missing values of each decoration."""


def mark(type_: str, missing: Mapping[str, int]) -> dict[str, Any]:
    """Return the entry of a decoration in `MARKS`.

    Parameters
    ----------
    missing
        The bytes of the missing value of each member, as a number.
    """
    return {"type": type_, "missing": dict(missing)}


def decorate(objects: ak.Array, name: str, values: Any, missing: Any = None) -> ak.Array:
    """Return objects with an additional member that their datatype does not have.

    >>> events["Jets"] = kaon.decorate(events.Jets, "isolation", isolation)
    >>> out["events"].extend(events)

    Parameters
    ----------
    objects
        Lists of records, one list for each event.
    values
        A number or boolean for each object, or one for all objects.
    missing
        The value of objects without the decoration, such as those of events written before; by
        default 0.

    Raises
    ------
    UsageError
        If the objects have a member of this name, or `missing` is out of range.
    WrongTypeError
        If values are neither numbers nor booleans.
    """
    decorated = ak.with_field(objects, values, name)
    numbers = ak.to_layout(ak.flatten(decorated[name], axis=None))
    if not numbers.is_numpy:
        raise WrongTypeError(f"the decoration '{name}' needs numbers, not {numbers.form.type}")
    dtype = np.dtype(numbers.dtype)
    new_mark = mark(dtype.name, {"": missing_bytes(missing, dtype, name)})
    before = objects.layout.purelist_parameter(MARKS) or {}
    members = [field for field in objects.fields if field not in before]
    check_name(name, members, objects.layout.purelist_parameter("__record__") or "record")

    def marked(layout: Content, **kwargs: Any) -> Content | None:
        if not layout.is_record:
            return None
        return layout.copy(parameters={**layout.parameters, MARKS: {**before, name: new_mark}})

    return ak.transform(marked, decorated)


def decoration_content(pieces: Sequence[Mapping[str, np.ndarray]]) -> Content:
    """Return the decorations of consecutive events as one field of their records."""
    joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    contents = {
        name: ak.from_numpy(values, regulararray=True, highlevel=False)
        for name, values in joined.items()
    }
    if list(contents) == [""]:
        return contents[""]
    return RecordArray(list(contents.values()), list(contents))


def decoration_table(
    name: str, content: Content, found_mark: Mapping[str, Any], parent: int
) -> _core.Table:
    """Return the table of a decoration; its members follow from a field of records.

    Parameters
    ----------
    found_mark
        The entry of the decoration in `MARKS`.
    parent
        The number of the collection's table.
    """
    members: list[_core.Member] = []
    end, alignment = 0, 1
    for member, values in _leaves(present_and_content(content)[1], name):
        extent, size = int(np.prod(values.shape[1:])), values.itemsize
        begin = -(-end // size) * size
        missing = found_mark["missing"].get(member, 0)
        leaf = _core.Member(member, values.dtype.name, extent, begin, missing=missing)
        members.append(leaf)
        end, alignment = begin + leaf.size, max(alignment, size)
    row_size = -(-end // alignment) * alignment
    return _core.Table(name, TableKind.decoration, found_mark["type"], members, row_size, parent)


def decoration_members(
    content: Content | None, table: _core.Table, rows: int
) -> dict[int, np.ndarray]:
    """Return the values of a decoration by number of the member; absent values become missing.

    Raises
    ------
    UnknownNameError, WrongTypeError, UsageError
        If the values do not fit the table.
    """
    present: slice | np.ndarray = slice(None)
    leaves: dict[str, np.ndarray] = {}
    if content is not None:
        mask, content = present_and_content(content)
        present = slice(None) if mask is None else mask
        leaves = dict(_leaves(content, table.name))
    for name in leaves.keys() - {member.name for member in table.members}:
        raise UnknownNameError(f"'{table.name}' has no member '{name}'")
    columns = {}
    for index, member in enumerate(table.members):
        shape = () if member.extent == 1 else (member.extent,)
        dtype = np.dtype(member.type)
        columns[index] = missing_values(dtype, member.missing, (rows, *shape))
        if member.name in leaves:
            values = leaves[member.name]
            if values.shape[1:] != shape:
                raise UsageError(f"'{table.name}' needs {member.extent} values each")
            columns[index][present] = cast(values, dtype, table.name)
    return columns


def _leaves(content: Content, where: str) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and values of each member, of shape (rows,) or (rows, extent)."""
    content = required(content, where)
    if content.is_record:
        for field in content.fields:
            for name, values in _leaves(content.content(field), where):
                yield f"{field}.{name}" if name else field, values
        return
    try:
        yield "", ak.to_numpy(content)
    except ValueError:
        raise WrongTypeError(f"the decoration '{where}' needs numbers, as many each") from None
