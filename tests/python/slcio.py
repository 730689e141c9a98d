"""A reader of LCIO files that takes them apart, record by record, without kaon."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple


class Record(NamedTuple):
    """A record: where it begins, and the blocks in it by their names."""

    position: int
    name: str
    blocks: dict[str, bytes]


def padded(size: int) -> int:
    return (size + 3) // 4 * 4


def blocks_of(data: bytes) -> dict[str, bytes]:
    blocks = {}
    while data:
        size, mark, _, name_size = struct.unpack(">4I", data[:16])
        assert mark == 0xDEADBEEF
        blocks[data[16 : 16 + name_size].decode()] = data[16 + padded(name_size) : size]
        data = data[size:]
    return blocks


def records_of(file: bytes) -> list[Record]:
    records = []
    position = 0
    while position < len(file):
        header, mark, options, stored, size, name_size = struct.unpack_from(">6I", file, position)
        assert mark == 0xABADCAFE
        name = file[position + 24 : position + 24 + name_size].decode()
        data = file[position + header : position + header + stored]
        data = zlib.decompress(data) if options & 1 else data
        assert len(data) == size
        records.append(Record(position, name, blocks_of(data)))
        position += padded(header + stored)
    return records


def check_index(records: list[Record]) -> None:
    """Check that the index at the end lists the headers, and that the records lead to it."""
    *_, index, first, last = records
    headers = []
    for record in records:
        if record.name == "LCRunHeader":
            headers.append((*struct.unpack(">i", record.blocks["RunHeader"][:4]), -1, record))
        elif record.name == "LCEventHeader":
            headers.append((*struct.unpack(">2i", record.blocks["EventHeader"][:8]), record))
    headers.sort(key=lambda header: (header[1] >= 0, *header[:2]))
    content = index.blocks["LCIOIndex"]
    control, run, base, count = struct.unpack(">Iiqi", content[:20])
    rows = struct.iter_unpack(">2i" if control & 1 else ">3i", content[20:])
    found = [(run, *row) if control & 1 else (run + row[0], *row[1:]) for row in rows]
    assert count == len(found)
    assert found == [(r, event, header.position - base) for r, event, header in headers]
    access = struct.unpack(">7i4qI", first.blocks["LCIORandomAccess"])
    runs = sum(event == -1 for _, event, _ in headers)
    assert access[4:7] == (runs, len(headers) - runs, 1)
    assert access[7:] == (index.position, 0, 0, first.position, 0xABCD0088)
    assert struct.unpack(">7i4qI", last.blocks["LCIORandomAccess"])[7:] == (
        (0, first.position, first.position, 0, 0xABCD0088)
    )


def are_same_but_for_numbers(
    left: dict[str, bytes], right: dict[str, bytes], free: set[str]
) -> bool:
    """Tell whether the blocks of a record are equal if its objects are numbered otherwise.

    Words that differ must be numbers. Each number of one file stands for the same number of the
    other in all blocks. The blocks in `free` have no numbers and must be equal.
    """
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    if list(left) != list(right):
        return False
    for name, block in left.items():
        if len(block) != len(right[name]) or (name in free and block != right[name]):
            return False
        words = zip(
            struct.iter_unpack(">I", block), struct.iter_unpack(">I", right[name]), strict=True
        )
        for (a,), (b,) in words:
            if a != b and (there.setdefault(a, b) != b or back.setdefault(b, a) != a):
                return False
    return True
