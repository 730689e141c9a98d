"""Entries cut into clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kaon import _core


def clusters(
    tables: Sequence[_core.Table],
    arrays: Sequence[_core.TableArrays],
    entries: int,
    most_bytes: int,
    most_entries: int = 0,
) -> Iterator[tuple[list[_core.TableArrays], int]]:
    """Yield the arrays of each cluster, and the number of its entries.

    Parameters
    ----------
    most_bytes
        The size of a cluster in memory, unless a single entry takes more.
    most_entries
        The entries of a cluster; 0 for any number.
    """
    # Where the rows of each entry begin in each table, and the bytes of all entries before it.
    begins: list[np.ndarray] = []
    size = np.zeros(entries + 1, dtype=np.int64)
    for table, of_table in zip(tables, arrays, strict=True):
        begin = np.arange(entries + 1) if table.parent is None else begins[table.parent]
        if of_table.offsets is not None:
            size += 4 * begin  # a count for each row above
            begin = of_table.offsets[begin]
        begins.append(begin)
        size += table.row_size * begin
    first = 0
    while True:
        fitting = int(np.searchsorted(size, size[first] + most_bytes, "right")) - 1
        last = min(max(fitting, first + 1), first + (most_entries or entries), entries)
        yield (
            [
                _piece(table, of_table, begins, number, first, last)
                for number, (table, of_table) in enumerate(zip(tables, arrays, strict=True))
            ],
            last - first,
        )
        if last == entries:
            return
        first = last


def _piece(
    table: _core.Table,
    arrays: _core.TableArrays,
    begins: Sequence[np.ndarray],
    number: int,
    first: int,
    last: int,
) -> _core.TableArrays:
    offsets, present = arrays.offsets, arrays.present
    if offsets is not None:
        above = (
            slice(first, last)
            if table.parent is None
            else slice(*begins[table.parent][[first, last]])
        )
        offsets = offsets[above.start : above.stop + 1]
        offsets = offsets - offsets[0]
    rows = slice(*begins[number][[first, last]])
    return _core.TableArrays(
        offsets,
        None if present is None else present[first:last],
        {member: values[rows] for member, values in arrays.members.items()},
    )
