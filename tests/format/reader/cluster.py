"""Clusters: the positions of pages, and their values."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .cursor import Cursor, check, checksum
from .encodings import decode
from .records import MOST_TIMES, PLAUSIBLE

COLUMNS_OF_BLOCK = 16
HAS_ENTRIES = 1
"""Flags of descriptions."""
HAS_NAN, UNBOUNDED = 1, 2
"""Flags of bounds."""
SHORT = 16
"""The largest page that is stored in its own description."""


@dataclass
class Bounds:
    flags: int
    least: object = None
    greatest: object = None


@dataclass
class Page:
    """The description of a page of a column."""

    encoding: int
    codec: int
    values: int
    size: int
    position: int | None  # from the start of the cluster's pages; None if it is short
    stored: bytes  # the bytes of a short page, else b""
    checksum: int  # 0 if it is short
    bounds: list  # by member in the column


@dataclass
class Description:
    """The description of a column in a cluster."""

    entries: list | None  # of each page, if stated
    pages: list


@dataclass
class TableData:
    """The data of a table in some entries."""

    present: np.ndarray | None = None  # bools, by entry, if it can be absent
    counts: np.ndarray | None = None  # by entry, or by row of the parent, if it is counted
    members: list = field(default_factory=list)  # arrays of rows, or of rows and extent
    rows: int = 0


class Cluster:
    """A cluster or a tags record; without a load function, lost entries.

    Metadata are read when they are first needed, so damage in them does not affect other clusters.
    """

    def __init__(self, schema, first_entry, entries, load=None, seal=0):
        self.schema = schema
        self.seal = seal  # for the checksums of its blocks
        self.first_entry, self.entries = first_entry, entries
        self._load = load  # returns metadata, number of blocks, pages
        self._blocks = {}  # by block number and column: the bytes that describe the column
        self._columns = {}  # their contents

    @property
    def is_lost(self):
        return self._load is None

    @cached_property
    def _parts(self):
        """The metadata, the bounds of the blocks, and the bytes of the pages."""
        check(not self.is_lost, "the entries were lost")
        meta, blocks, stored = self._load()
        cursor = Cursor(meta)
        cursor.take(4)
        places = cursor.array("<u4", blocks + 1).tolist()
        check(places == sorted(places) and places[-1] <= len(meta), "a block lies outside")
        return meta, places, stored

    def _has(self, number):
        """Return bits for the columns that a block has, and a cursor at their descriptions."""
        meta, places, _ = self._parts
        if number + 1 >= len(places) or places[number] == places[number + 1]:
            return 0, None
        block = meta[places[number] : places[number + 1]]
        cursor = Cursor(block)
        sum_ = checksum(block[8:]) ^ self.seal
        check(cursor.number(8) == sum_, "a block does not match its checksum")
        check(cursor.number(4) == number * COLUMNS_OF_BLOCK, "a block is of other columns")
        return cursor.number(2), cursor

    def _block(self, number):
        """Return the bytes that describe each column of a block."""
        if number not in self._blocks:
            has, cursor = self._has(number)
            self._blocks[number] = {
                column: cursor.take(cursor.varint())
                for column in _columns(number, has)
                if column < len(self.schema.columns)
            }
        return self._blocks[number]

    def has_unknown_columns(self):
        """Return whether the cluster has columns of tables that are missing in the schema."""
        known, blocks = len(self.schema.columns), len(self._parts[1]) - 1
        expected = -(-known // COLUMNS_OF_BLOCK)
        if blocks != expected or blocks == 0:
            return blocks > expected
        return any(column >= known for column in _columns(blocks - 1, self._has(blocks - 1)[0]))

    def _description(self, cursor, column):
        flags, count = cursor.number(1), cursor.varint()
        check(count <= len(cursor.data), "a column has more pages than bytes")
        entries = None
        if flags & HAS_ENTRIES:
            entries = [cursor.varint() for _ in range(count)]
            check(all(entries), "a page has no entries")
        members = self.schema.members_in(column)
        pages, end = [], 0
        for _ in range(count):
            page, end = _page(cursor, members, end)
            check(page.position is None or end <= len(self._parts[2]), "a page lies outside")
            pages.append(page)
        return Description(entries, pages)

    def column(self, column):
        """Return the description of a column; None if the cluster lacks it."""
        if column not in self._columns:
            described = self._block(column // COLUMNS_OF_BLOCK).get(column)
            self._columns[column] = (
                None if described is None else self._description(Cursor(described), column)
            )
        return self._columns[column]

    def has_column(self, column):
        return self.column(column) is not None

    def _entries_of_pages(self, group):
        """Return the entries of each page, which the group's first column states."""
        tables = self.schema.tables_of(group)
        columns = sorted(column for table in tables for column in self.schema.columns_of[table])
        described = [one for one in map(self.column, columns) if one is not None]
        if not described:
            return [self.entries]
        entries = described[0].entries
        check(entries is not None and sum(entries) == self.entries, "entries of pages are wrong")
        for one in described:
            check(len(one.pages) == len(entries), "a column has more or fewer pages than its group")
        return entries

    def read(self, group):
        """Return the data of each table of a group, by number."""
        tables = self.schema.tables_of(group)
        pages = []
        for number, entries in enumerate(self._entries_of_pages(group)):
            page = {}
            for table in tables:
                page[table] = self._read(table, number, entries, page)
            pages.append(page)
        return {table: joined([page[table] for page in pages]) for table in tables}

    def _read(self, number, page, entries, above):
        """Return a table's data in a page; `above` has the earlier tables of the page."""
        table = self.schema.tables[number]
        columns = self.schema.columns_of[number]
        is_here = any(map(self.has_column, columns))
        data = TableData(rows=entries if table.parent is None else above[table.parent].rows)
        for column in columns:
            info = self.schema.columns[column]
            stored = None
            if self.has_column(column):
                stored = self.values(column, page, data.rows)
            elif info.role != "presence":
                check(not is_here or data.rows == 0, f"column {column} is lost")
            if info.role == "presence":
                data.present = _presence(stored, entries, is_here)
            elif info.role == "counts":
                data.counts = np.zeros(data.rows, "<u4") if stored is None else stored
                if table.can_be_absent:
                    check(not data.counts[~data.present].any(), "an absent table has rows")
                data.rows = int(data.counts.sum(dtype=np.uint64))
                check(data.rows < 1 << 32, "a page has too many rows")
            elif info.role == "rows":
                rows = np.empty(0, info.dtype) if stored is None else stored
                data.members = [member_of(rows, member) for member in table.members]
            else:
                member = table.members[info.member]
                if stored is None:
                    value = np.frombuffer(member.missing, member.dtype, 1)
                    stored = np.repeat(value, data.rows * member.extent)
                data.members.append(_shaped(stored, member))
        for member, values in zip(table.members, data.members, strict=True):
            check(member.type != "bool" or values.max(initial=0) <= 1, "a bool is not 0 or 1")
        return data

    def values(self, column, number, rows=None):
        """Return the values of a column in a page, and check their number if `rows` is given."""
        page = self.column(column).pages[number]
        info = self.schema.columns[column]
        count = page.values
        check(rows is None or rows == count, "a page has another number of values")
        if info.role == "member":
            count *= self.schema.tables[info.table].members[info.member].extent
        decoded = count * info.dtype.itemsize
        check(decoded <= PLAUSIBLE or decoded // MOST_TIMES <= page.size, "a page is too large")
        return decode(page.encoding, info.dtype, count, self.stored(page))

    def stored(self, page):
        """Return the stored bytes of a page."""
        if page.position is None:
            return page.stored
        stored = self._parts[2][page.position : page.position + page.size]
        sum_ = checksum(stored) & 0xFFFFFFFF
        check(sum_ == page.checksum, "a page does not match its checksum")
        return stored


def _columns(block, has):
    """Return the column numbers of a block whose bits are set."""
    bits = range(COLUMNS_OF_BLOCK)
    return [block * COLUMNS_OF_BLOCK + bit for bit in bits if has >> bit & 1]


def _page(cursor, members, end):
    """Return a page and its end; `end` is the end of the page before."""
    encoding, codec = cursor.number(1), cursor.number(1)
    values, size, place = (cursor.varint() for _ in range(3))
    check(values < 1 << 32, "a page has too many values")
    position, stored, sum_ = None, b"", 0
    if place == 0:
        check(size <= SHORT, "a page is too long to be a short one")
        stored = bytes(cursor.take(size))
    else:
        position = end + place - 1
        end = position + size
        sum_ = cursor.number(4)
    bounds = [_bounds(cursor, member.dtype) for member in members]
    return Page(encoding, codec, values, size, position, stored, sum_, bounds), end


def _bounds(cursor, dtype):
    flags = cursor.number(1)
    return Bounds(flags) if flags & UNBOUNDED else Bounds(flags, *cursor.array(dtype, 2))


def _presence(stored, entries, is_here):
    if stored is None:
        return np.full(entries, is_here)
    check((stored <= 1).all(), "presence is neither 0 nor 1")
    return stored.astype(bool)


def joined(several):
    """Return the data of a table in several ranges of entries as one."""

    def together(arrays):
        return None if arrays[0] is None else np.concatenate(arrays)

    return TableData(
        together([one.present for one in several]),
        together([one.counts for one in several]),
        [np.concatenate(arrays) for arrays in zip(*(one.members for one in several), strict=True)],
        sum(one.rows for one in several),
    )


def member_of(rows, member):
    """Return the values of a member in whole rows."""
    layout = {"names": ["it"], "formats": [(member.dtype, member.extent)]}
    layout |= {"offsets": [member.offset], "itemsize": rows.dtype.itemsize}
    return _shaped(rows.view(np.dtype(layout))["it"].reshape(-1), member)


def _shaped(values, member):
    return values if member.extent == 1 else values.reshape(-1, member.extent)
