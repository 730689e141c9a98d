"""The least and greatest values of members, which files store; no data are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from kaon import _core
from kaon.columns.schema import Schema, is_text
from kaon.errors import UsageError
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

if TYPE_CHECKING:
    import awkward as ak


@dataclass(frozen=True)
class MemberBounds:
    """The bounds of a member's values in a file.

    Attributes
    ----------
    least, greatest
        The bounds; None without any number.
    has_nan
        Whether there are NaNs.
    known_clusters, clusters
        The number of clusters with bounds, and of all clusters. Clusters that lack the member
        have no bounds.
    """

    name: str
    type: str
    unit: str
    precision: str
    least: bool | int | float | None
    greatest: bool | int | float | None
    has_nan: bool
    known_clusters: int
    clusters: int


def bounds_array(core: _core.Category, schema: Schema, name: str, by_page: bool) -> ak.Array:
    """Return the bounds of a member in each cluster or page; see `Category.bounds`."""
    import awkward as ak

    from kaon.columns.awkward_layouts import optional

    keys = schema.keys_below(name)
    if keys != [name]:
        inside = ", ".join(f"'{key}'" for key in keys)
        raise UsageError(f"{schema.where}: '{name}' has several members; choose one of {inside}")
    number, index = schema.members[name]
    if index is None or is_text(schema.tables[number]):
        raise UsageError(f"{schema.where}: '{name}' has no numbers, and therefore no bounds")
    parts = core.bounds(number, index, by_page)
    dtype = np.dtype(schema.tables[number].members[index].type)
    starts, stops = (np.array([part[i] for part in parts], np.int64) for i in (0, 1))
    known = np.array([part[2] is not None for part in parts], bool)
    values = [part[2] or (0, 0, True, False) for part in parts]
    has_any = np.array([not value[2] for value in values], bool)
    least, greatest = (_numbers([value[i] for value in values], dtype) for i in (0, 1))
    has_nan = np.array([value[3] for value in values], bool)

    fields = {
        "entry_start": ak.contents.NumpyArray(starts),
        "entry_stop": ak.contents.NumpyArray(stops),
        "least": optional(has_any, ak.contents.NumpyArray(least)),
        "greatest": optional(has_any, ak.contents.NumpyArray(greatest)),
        "has_nan": optional(known, ak.contents.NumpyArray(has_nan)),
    }
    return ak.Array(ak.contents.RecordArray(list(fields.values()), list(fields)))


def all_bounds(core: _core.Category, schema: Schema) -> Iterator[MemberBounds]:
    """Yield the bounds of all members that are numbers, except references."""
    from kaon.columns.schema import RELATIONS
    from kaon.files.overview import precision_text

    for name, (number, index) in schema.members.items():
        table = schema.tables[number]
        if index is None or is_text(table) or table.kind in RELATIONS:
            continue
        member = table.members[index]
        bounds = bounds_array(core, schema, name, by_page=False)
        least, greatest = (bounds[field].tolist() for field in ("least", "greatest"))
        has_nan = bounds.has_nan.tolist()
        yield MemberBounds(
            name,
            member.type,
            member.unit,
            precision_text(member),
            min((value for value in least if value is not None), default=None),
            max((value for value in greatest if value is not None), default=None),
            any(has_nan),
            sum(value is not None for value in has_nan),
            len(has_nan),
        )


def print_bounds(bounds: Sequence[MemberBounds], title: str, file: TextIO | None = None) -> None:
    """Print a table of members."""
    from kaon.files.overview import print_narrow_table

    headings = ["name", "type", "least", "greatest", "NaN", "declared", "clusters"]
    rows = [
        (
            each.name,
            f"{each.type} [{each.unit}]" if each.unit else each.type,
            _number_text(each.least),
            _number_text(each.greatest),
            "NaN" if each.has_nan else "",
            each.precision,
            "" if each.known_clusters == each.clusters else _part(each),
        )
        for each in bounds
    ]
    shown = [i for i in range(len(headings)) if i < 4 or any(row[i] for row in rows)]
    cells = [tuple(row[i] for i in shown) for row in rows]
    say(printable(title), file=file)
    print_narrow_table([headings[i] for i in shown], cells, len(shown), file)


def _number_text(number: bool | int | float | None) -> str:
    """Return a number with few digits, so that the table does not wrap it."""
    if number is None:
        return ""
    return f"{number:.7g}" if isinstance(number, float) else str(number)


def _part(bounds: MemberBounds) -> str:
    return f"{bounds.known_clusters} of {bounds.clusters}"


def _numbers(bits: Sequence[int], dtype: np.dtype[Any]) -> np.ndarray:
    """Return the values stored in the lowest bytes of 64-bit numbers."""
    rows = np.array(bits, "<u8").view(np.uint8).reshape(len(bits), 8)
    return np.ascontiguousarray(rows[:, : dtype.itemsize]).view(dtype).reshape(len(bits))
