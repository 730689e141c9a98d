"""Records, the parts of a file."""

from dataclasses import dataclass

import numpy as np

from .codecs import decompress
from .cursor import Cursor, check, checksum

SCHEMA, CLUSTER, DOCUMENT, INDEX, END, TAGS, COPY = 1, 2, 3, 4, 5, 6, 7
"""Kinds of records."""

RECORD = np.dtype(
    [
        ("magic", "S4"),
        ("kind", "<u4"),
        ("file_id", "<u8"),
        ("meta_size", "<u8"),
        ("pages_size", "<u8"),
        ("first_entry", "<u8"),
        ("entries", "<u4"),
        ("category", "<u4"),
        ("meta_checksum", "<u8"),
        ("checksum", "<u8"),
    ]
)
assert RECORD.itemsize == 64

SEALED = 1
"""The flag in a header for sealed checksums of blocks."""
END_SIZE = 96
"""The size of an end record."""
PLAUSIBLE, MOST_TIMES = 64 << 20, 4096
"""Sizes above the first must not exceed the stored size by more than this factor."""


def aligned(position):
    return -(-position // 64) * 64


@dataclass
class Record:
    """A record of a file with a valid header, which is complete in the file."""

    position: int
    header: np.void
    meta: memoryview
    pages: memoryview

    @property
    def kind(self):
        return int(self.header["kind"])

    @property
    def next(self):
        begin = aligned(self.position + 64 + len(self.meta))
        return aligned(begin + len(self.pages))

    @property
    def body(self):
        check(self.header["meta_checksum"] == checksum(self.meta), "meta bytes are damaged")
        return body_of(self.meta)


def header_at(data, position):
    """Return the header of the record at a position, after checking it."""
    check(0 <= position <= len(data) - 64, "a record lies outside the file")
    head = data[position : position + 64]
    header = np.frombuffer(head, RECORD)[0]
    check(header["magic"] == b"KREC", "this is no record")
    check(header["checksum"] == checksum(head[:56]), "a record's header is damaged")
    return header


def seal_of(flags, file_id, kind, category, told):
    """Return the seal of a cluster or tags, whose entries a header or the index states."""
    if not flags & SEALED:
        return 0
    longs = np.array([file_id, told["first_entry"]], "<u8")
    shorts = np.array([told["entries"], category, kind, 0], "<u4")
    return checksum(longs.tobytes() + shorts.tobytes())


def record_at(data, file_id, position):
    header = header_at(data, position)
    check(header["file_id"] == file_id, "a record of another file")
    meta, pages = parts_at(data, position, header)
    return Record(position, header, meta, pages)


def parts_at(data, position, sizes):
    """Return metadata and pages of a record, whose sizes a header or the index states."""
    meta_size, pages_size = int(sizes["meta_size"]), int(sizes["pages_size"])
    meta = position + 64
    pages = aligned(meta + meta_size) if pages_size > 0 else 0
    check(max(meta + meta_size, pages + pages_size) <= len(data), "a record lies outside the file")
    return data[meta : meta + meta_size], data[pages : pages + pages_size]


def body_of(meta):
    cursor = Cursor(meta)
    size, codec, _ = (cursor.number(count) for count in (8, 4, 4))
    if codec == 0:
        return cursor.take(size)
    stored = cursor.rest()
    check(size <= PLAUSIBLE or size // MOST_TIMES <= len(stored), "a body is too large")
    return memoryview(decompress(codec, stored, size))
