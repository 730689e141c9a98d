"""Changes files into what a later kaon may write; checksums are made to fit."""

import numpy as np
from reader.cluster import COLUMN, GROUP, PAGE
from reader.cursor import checksum
from reader.file import (
    CLUSTER,
    END,
    INDEX,
    INDEX_CATEGORY,
    INDEX_CLUSTER,
    INDEX_DOCUMENT,
    INDEX_OTHER,
    RECORD,
    SCHEMA,
    aligned,
)
from reader.schema import MEMBER, TABLE

OTHER = 77
"""A kind of record that nobody knows."""


def set_flags(data):
    """Sets upper flags of the header, which readers ignore."""
    data = bytearray(data)
    data[14:16] = b"\x01\x80"
    data[24:32] = checksum(data[:24]).to_bytes(8, "little")
    return bytes(data)


def add_other_record(data):
    """Puts a record of an unknown kind before the index, which has it among the others."""
    index_position, index = _index(data)
    head = data[:index_position]
    record = _record(data, OTHER, b"from the future", b"pages " * 20)
    other = np.zeros(1, INDEX_OTHER)
    other[["kind", "position", "meta_size"]] = (OTHER, len(head), 15)
    return _finished(data, head + record, _with_other(index, other.tobytes()))


def use_reserved(data):
    """Fills reserved bytes, and adds bytes behind what meta bytes have so far."""
    file = bytearray(data)
    file[32:64] = bytes(range(32))
    index_position, index = _index(data)
    index = bytearray(index)
    index[12:16] = b"\xaa" * 4
    categories, documents = np.frombuffer(index, "<u4", 2).tolist()
    category = np.frombuffer(index, INDEX_CATEGORY, categories, 16)
    category["reserved"] = 0xAAAAAAAA
    _fill_schema(memoryview(index)[int(category[0]["schema"]) :])
    at, count = int(category[0]["clusters"]), int(category[0]["cluster_count"])
    clusters = np.frombuffer(index, INDEX_CLUSTER, count, at)
    clusters["reserved"] = 0xAAAAAAAA
    position = 64
    while position < index_position:
        header = np.frombuffer(file, RECORD, 1, position)[0]
        size = int(header["meta_size"])
        meta = memoryview(file)[position + 64 :]
        if header["kind"] == SCHEMA:
            _fill_schema(meta)
        elif header["kind"] == CLUSTER:
            _fill_cluster(meta)
        following = aligned(aligned(position + 64 + size) + int(header["pages_size"]))
        if header["kind"] in (SCHEMA, CLUSTER):
            grown = aligned(size)  # over the zeros that fill up
            meta[size:grown] = b"\xaa" * (grown - size)
            header["meta_size"] = grown
            clusters["meta_size"][clusters["position"] == position] = grown
        _seal(file, position)
        position = following
    return _finished(bytes(file), bytes(file[:index_position]), bytes(index) + b"\xaa" * 8)


def _fill_schema(meta):
    _, tables, members, _ = np.frombuffer(meta, "<u4", 4).tolist()
    np.frombuffer(meta, TABLE, tables, 24)["reserved"] = np.void(b"\xaa" * 5)
    at = 24 + TABLE.itemsize * tables
    np.frombuffer(meta, MEMBER, members, at)["reserved"] = np.void(b"\xaa")


def _fill_cluster(meta):
    head = np.frombuffer(meta, "<u4", 6)
    head[5] = 0xAAAAAAAA
    at = 24
    for dtype, count in ((GROUP, head[0]), (COLUMN, head[1]), (PAGE, head[2])):
        part = np.frombuffer(meta, dtype, int(count), at)
        part["reserved"] = 0xAAAAAAAA if dtype is not PAGE else np.void(b"\xaa" * 5)
        at += dtype.itemsize * int(count)
    part["flags"] |= 0xF8
    part["codec"] = 200


def _index(data):
    """The position and the meta bytes of the index."""
    position, size = np.frombuffer(data[-64:], "<u8")[4:6].tolist()
    return position, data[position + 64 : position + 64 + size]


def _with_other(index, other):
    """The index with one more record; all that it leads to moves."""
    index = bytearray(index)
    categories, documents, others = np.frombuffer(index, "<u4", 3).tolist()
    index[8:12] = (others + 1).to_bytes(4, "little")
    found = np.frombuffer(index, INDEX_CATEGORY, categories, 16)
    for key in ("schema", "clusters", "bounds"):
        found[key] += len(other)
    at = 16 + INDEX_CATEGORY.itemsize * categories
    np.frombuffer(index, INDEX_DOCUMENT, documents, at)["name"] += len(other)
    at += INDEX_DOCUMENT.itemsize * documents + INDEX_OTHER.itemsize * others
    del found
    return bytes(index[:at]) + other + bytes(index[at:])


def _record(data, kind, meta, pages=b""):
    header = np.zeros(1, RECORD)
    header["magic"], header["kind"] = b"KREC", kind
    header["file_id"] = int.from_bytes(data[16:24], "little")
    header["meta_size"], header["pages_size"] = len(meta), len(pages)
    record = bytearray(header.tobytes() + meta)
    _seal(record, 0)
    record += bytes(-len(record) % 64) + pages
    return bytes(record) + bytes(-len(record) % 64)


def _seal(data, position):
    size = int.from_bytes(data[position + 16 : position + 24], "little")
    meta = data[position + 64 : position + 64 + size]
    data[position + 48 : position + 56] = checksum(meta).to_bytes(8, "little")
    head = data[position : position + 56]
    data[position + 56 : position + 64] = checksum(head).to_bytes(8, "little")


def _finished(data, records, index):
    """Records with an index and an end behind them."""
    end = bytearray(_record(data, END, b""))
    end[32:48] = np.array([len(records), len(index)], "<u8").tobytes()
    _seal(end, 0)
    return records + _record(data, INDEX, index) + bytes(end)
