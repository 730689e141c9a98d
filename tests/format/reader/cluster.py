"""Clusters: where pages are, and what is in them."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .cursor import Cursor, check, checksum
from .encodings import decode

GROUP = np.dtype([("group", "<u4"), ("boundary", "<u4"), ("pages", "<u4"), ("reserved", "<u4")])
COLUMN = np.dtype([("column", "<u4"), ("page", "<u4"), ("bounds", "<u4"), ("reserved", "<u4")])
PAGE = np.dtype(
    [
        ("position", "<u8"),
        ("size", "<u8"),
        ("values", "<u8"),
        ("checksum", "<u8"),
        ("encoding", "u1"),
        ("codec", "u1"),
        ("flags", "u1"),
        ("reserved", "V5"),
    ]
)
BOUNDS = np.dtype([("least", "V8"), ("greatest", "V8")])
NO_BOUNDS = 0xFFFFFFFF
HAS_NAN, UNBOUNDED = 1, 2
"""Flags of pages."""
assert (PAGE.itemsize, BOUNDS.itemsize) == (40, 16)


@dataclass
class TableData:
    """What a table has in some entries."""

    present: np.ndarray | None = None  # bools, by entry, if it can be absent
    counts: np.ndarray | None = None  # by entry, or by row of the parent, if it is counted
    members: list = field(default_factory=list)  # arrays of rows, or of rows and extent
    rows: int = 0


class Cluster:
    """A cluster, or tags record.

    Its meta bytes are looked at when they are first needed: whoever needs others is not concerned
    by what is wrong with them.
    """

    def __init__(self, schema, first_entry, entries, load):
        self.schema = schema
        self.first_entry, self.entries = first_entry, entries
        self._load = load  # returns meta bytes and pages

    @cached_property
    def _parts(self):
        """(ends of pages by group, columns by number, pages, bounds, bytes of the pages)."""
        meta, stored = self._load()
        cursor = Cursor(meta)
        groups, columns, page_count, bounds, boundaries, _ = cursor.array("<u4", 6).tolist()
        groups = cursor.array(GROUP, groups)
        columns = cursor.array(COLUMN, columns)
        pages = cursor.array(PAGE, page_count)
        bounds = cursor.array(BOUNDS, bounds)
        boundaries = cursor.array("<u4", boundaries)
        for numbers in (groups["group"], columns["column"]):
            check((np.diff(numbers.astype("i8")) > 0).all(), "a cluster is out of order")
        ends = {
            int(g["group"]): _part(boundaries, g["boundary"], g["pages"]).tolist() for g in groups
        }
        for each in ends.values():
            check(each and each[0] > 0 and each[-1] == self.entries, "boundaries are wrong")
            check((np.diff(each) > 0).all(), "boundaries do not ascend")
        return ends, {int(c["column"]): c for c in columns}, pages, bounds, stored

    def read(self, group):
        """The data of each table of a group, by number."""
        ends = self._parts[0].get(group, [self.entries])
        tables = [t for t in range(len(self.schema.tables)) if self.schema.group(t) == group]
        pages = []
        for number, (first, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            page = {}
            for table in tables:
                page[table] = self._read(table, number, end - first, page)
            pages.append(page)
        return {table: joined([page[table] for page in pages]) for table in tables}

    def _read(self, number, page, entries, above):
        """A table's data in a page; `above` has the tables before it in the same page."""
        table = self.schema.tables[number]
        columns = self.schema.columns_of[number]
        is_here = any(map(self.has_column, columns))
        data = TableData(rows=entries if table.parent is None else above[table.parent].rows)
        for column in columns:
            info = self.schema.columns[column]
            if info.role == "presence":
                data.present = self._presence(column, page, entries, is_here)
            elif info.role == "counts":
                data.counts = np.zeros(data.rows, "<u4")
                if is_here:
                    data.counts = self.values(column, page, data.rows)
                if table.can_be_absent:
                    check(not data.counts[~data.present].any(), "an absent table has rows")
                data.rows = int(data.counts.sum(dtype=np.uint64))
            elif info.role == "rows":
                rows = np.empty(0, info.dtype)
                if is_here:
                    rows = self.values(column, page, data.rows)
                data.members = [_member_of(rows, member) for member in table.members]
            else:
                member = table.members[info.member]
                if is_here:
                    values = self.values(column, page, data.rows)
                else:
                    value = np.frombuffer(member.missing, member.dtype, 1)
                    values = np.repeat(value, data.rows * member.extent)
                data.members.append(_shaped(values, member))
        for member, values in zip(table.members, data.members, strict=True):
            check(member.type != "bool" or values.max(initial=0) <= 1, "a bool is not 0 or 1")
        return data

    def _presence(self, column, page, entries, is_here):
        if not self.has_column(column):
            return np.full(entries, is_here)
        values = self.values(column, page, entries)
        check((values <= 1).all(), "presence is neither 0 nor 1")
        return values.astype(bool)

    def page_entries(self, column):
        """How each page of a column is stored."""
        ends, columns, pages, _, _ = self._parts
        check(column in columns, f"column {column} is lost")
        group = self.schema.group(self.schema.columns[column].table)
        check(group in ends, f"group {group} is lost")
        return _part(pages, columns[column]["page"], len(ends[group]))

    def values(self, column, page, rows=None):
        """The values of a column in a page, which must be of so many rows."""
        entry = self.page_entries(column)[page]
        info = self.schema.columns[column]
        count = int(entry["values"])
        check(rows is None or rows == count, "a page has another number of values")
        if info.role == "member":
            count *= self.schema.tables[info.table].members[info.member].extent
        return decode(int(entry["encoding"]), info.dtype, count, self.stored(entry))

    def stored(self, entry):
        """The stored bytes of a page."""
        begin, size = int(entry["position"]), int(entry["size"])
        stored = self._parts[4]
        check(begin + size <= len(stored), "a page lies outside")
        stored = stored[begin : begin + size]
        check(checksum(stored) == entry["checksum"], "a page does not match its checksum")
        return stored

    def has_column(self, column):
        return column in self._parts[1]

    def bounds(self, column):
        """(least, greatest, flags) of each page of a column, None if there are none."""
        _, columns, _, all_bounds, _ = self._parts
        if column not in columns or columns[column]["bounds"] == NO_BOUNDS:
            return None
        dtype = self.schema.columns[column].dtype
        entries = self.page_entries(column)
        bounds = _part(all_bounds, columns[column]["bounds"], len(entries))
        return [
            (*(value_of(one[key], dtype) for key in ("least", "greatest")), int(entry["flags"]))
            for one, entry in zip(bounds, entries, strict=True)
        ]


def value_of(stored, dtype):
    """A value in the first of eight bytes."""
    return np.frombuffer(stored.tobytes(), dtype, 1)[0]


def joined(several):
    """The data of a table in several runs of entries, one after another."""

    def together(arrays):
        return None if arrays[0] is None else np.concatenate(arrays)

    return TableData(
        together([one.present for one in several]),
        together([one.counts for one in several]),
        [np.concatenate(arrays) for arrays in zip(*(one.members for one in several), strict=True)],
        sum(one.rows for one in several),
    )


def _member_of(rows, member):
    """The values of a member in whole rows."""
    layout = {"names": ["it"], "formats": [(member.dtype, member.extent)]}
    layout |= {"offsets": [member.offset], "itemsize": rows.dtype.itemsize}
    return _shaped(rows.view(np.dtype(layout))["it"].reshape(-1), member)


def _shaped(values, member):
    return values if member.extent == 1 else values.reshape(-1, member.extent)


def _part(array, first, count):
    first, count = int(first), int(count)
    check(first + count <= len(array), "a part of a cluster lies outside")
    return array[first : first + count]
