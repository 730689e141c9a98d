"""Changes files as a later kaon may write them, and corrects the checksums."""

import numpy as np
from reader import File
from reader.cluster import COLUMNS_OF_BLOCK, UNBOUNDED
from reader.cursor import checksum
from reader.file import (
    HEADER_SIZE,
    INDEX_CATEGORY,
    INDEX_CLUSTER,
    INDEX_DOCUMENT,
    INDEX_OTHER,
)
from reader.records import (
    CLUSTER,
    END,
    END_SIZE,
    INDEX,
    RECORD,
    SCHEMA,
    record_at,
)
from reader.schema import MEMBER, TABLE

OTHER = 77
"""A kind of record that no reader knows."""
MORE = b"\xaa" * 8
"""Bytes after those that the page describes."""


def set_flags(data):
    """Set upper flags in the header and the end record, which readers ignore."""
    data = bytearray(data)
    header = data[:HEADER_SIZE]
    header[14:16] = b"\x01\x80"
    header[24:32] = checksum(header[:24]).to_bytes(8, "little")
    data[:HEADER_SIZE] = header
    end = len(data) - END_SIZE
    data[end + 64 :] = header
    _seal(data, end)
    return bytes(data)


def add_other_record(data):
    """Insert a record of an unknown kind before the index, and list it in the index."""
    index = _index(data)
    head = data[: index.position]
    record = _record(data, OTHER, b"from the future", b"pages " * 20)
    other = np.zeros(1, INDEX_OTHER)
    other[["kind", "position", "meta_size"]] = (OTHER, len(head), 15)
    return _finished(head + record, _with_other(bytes(index.body), other.tobytes()))


def use_reserved(data):
    """Fill reserved bytes and flags, and append bytes to the known metadata."""
    index = _index(data)
    file = data[:HEADER_SIZE] + bytes(range(32))
    clusters = {one.first_entry: one for one in next(iter(File(data).categories.values())).clusters}
    moved = {}  # by old position: new position, size and checksum of the metadata
    position = 64
    while position < index.position:
        record = record_at(memoryview(data), _id(data), position)
        if record.kind == CLUSTER:
            meta = _filled_cluster(clusters[int(record.header["first_entry"])]) + MORE
        else:
            body = bytes(record.body)
            meta = _unshrunk(_filled_schema(body) if record.kind == SCHEMA else body)
        moved[position] = len(file), len(meta), checksum(meta)
        file += _record(data, record.kind, meta, bytes(record.pages), record.header)
        position = record.next
    return _finished(file, _filled_index(bytes(index.body), moved) + MORE)


def _filled_schema(body):
    body = bytearray(body)
    _, tables, members, _ = np.frombuffer(body, "<u4", 4).tolist()
    np.frombuffer(body, TABLE, tables, 24)["states_structure"] = 0xAA
    at = 24 + TABLE.itemsize * tables
    np.frombuffer(body, MEMBER, members, at)["lists"] = 0xAA
    np.frombuffer(body, MEMBER, members, at)["structure"] = 0xAAAAAAAA
    return bytes(body) + MORE


def _filled_index(body, moved):
    """Return the index of a file with one category whose records have moved."""
    body = bytearray(body)
    body[12:16] = b"\xaa" * 4
    categories, documents = np.frombuffer(body, "<u4", 2).tolist()
    category = np.frombuffer(body, INDEX_CATEGORY, categories, 16)
    category["reserved"] = 0xAAAAAAAA
    begin, size = int(category["schema"][0]), int(category["schema_size"][0])
    filled = _filled_schema(body[begin : begin + size])
    at = 16 + INDEX_CATEGORY.itemsize * categories
    document = np.frombuffer(body, INDEX_DOCUMENT, documents, at)
    begin_of_clusters, count = int(category["clusters"][0]), int(category["cluster_count"][0])
    cluster = np.frombuffer(body, INDEX_CLUSTER, count, begin_of_clusters)
    for one in [*document, *cluster]:
        for key, value in zip(
            ("position", "meta_size", "meta_checksum"), moved[int(one["position"])], strict=True
        ):
            if key in one.dtype.names:
                one[key] = value
    body[begin : begin + size] = filled[:size]
    return bytes(body)


def _filled_cluster(cluster):
    """Return the metadata of a cluster with unknown bytes between and after the known ones."""
    blocks = -(-len(cluster.schema.columns) // COLUMNS_OF_BLOCK)
    places, body = [], b""
    begin = 4 + 4 * (blocks + 1)
    for number in range(blocks):
        places.append(begin + len(body))
        first = number * COLUMNS_OF_BLOCK
        columns = range(first, min(first + COLUMNS_OF_BLOCK, len(cluster.schema.columns)))
        found = [column for column in columns if cluster.has_column(column)]
        has = sum(1 << (column - first) for column in found)
        block = first.to_bytes(4, "little") + has.to_bytes(2, "little")
        for column in found:
            description = _description(cluster.column(column)) + MORE
            block += varint(len(description)) + description
        block += MORE
        body += (checksum(block) ^ cluster.seal).to_bytes(8, "little") + block
    places.append(begin + len(body))
    return np.array([blocks, *places], "<u4").tobytes() + body


def _description(column):
    """Return the description of a column, with unknown flags and an unknown codec."""
    flags = 0xFE | (column.entries is not None)
    out = bytes([flags]) + varint(len(column.pages))
    out += b"".join(map(varint, column.entries or []))
    end = 0
    for page in column.pages:
        out += bytes([page.encoding, 200]) + varint(page.values) + varint(page.size)
        if page.position is None:
            out += varint(0) + page.stored
        else:
            out += varint(page.position - end + 1) + page.checksum.to_bytes(4, "little")
            end = page.position + page.size
        for one in page.bounds:
            out += bytes([one.flags | 0xFC])
            if not one.flags & UNBOUNDED:
                out += one.least.tobytes() + one.greatest.tobytes()
    return out


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def positions(data, kind=None, category=None):
    """Return the positions of records, optionally of one kind, or of a category by its number."""
    found, position = [], 64
    while position < len(data):
        record = record_at(memoryview(data), _id(data), position)
        if kind in (None, record.kind) and category in (None, record.header["category"]):
            found.append(position)
        position = record.next
    return found


def index_position(data):
    """Return the position of the index, as the end record states it."""
    end = len(data) - END_SIZE
    return int.from_bytes(data[end + 32 : end + 40], "little")


def _index(data):
    return record_at(memoryview(data), _id(data), index_position(data))


def _id(data):
    return int.from_bytes(data[16:24], "little")


def _with_other(body, other):
    """Return the body of the index with one more record; all positions move."""
    body = bytearray(body)
    categories, documents, others = np.frombuffer(body, "<u4", 3).tolist()
    body[8:12] = (others + 1).to_bytes(4, "little")
    category = np.frombuffer(body, INDEX_CATEGORY, categories, 16)
    for key in ("schema", "clusters", "bounds"):
        category[key] += len(other)
    at = 16 + INDEX_CATEGORY.itemsize * categories
    document = np.frombuffer(body, INDEX_DOCUMENT, documents, at)
    document["name"] += len(other)
    document["text"] += np.uint64(len(other)) * (document["text"] > 0)
    at += INDEX_DOCUMENT.itemsize * documents + INDEX_OTHER.itemsize * others
    return bytes(body[:at]) + other + bytes(body[at:])


def _unshrunk(body):
    """Return metadata with an uncompressed body, and bytes after it."""
    return len(body).to_bytes(8, "little") + bytes(4) + b"\xaa" * 4 + body + MORE


def _record(data, kind, meta, pages=b"", like=None):
    """Return a record of a file; other fields of its header are those of `like`."""
    header = np.zeros(1, RECORD)
    header["entries"] = int.from_bytes(data[12:16], "little")  # the flags
    if like is not None:
        header[0] = like
    header["magic"], header["kind"], header["file_id"] = b"KREC", kind, _id(data)
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


def _finished(records, index):
    """Return a file: its header and records, followed by an index and an end."""
    meta = _unshrunk(index)
    end = bytearray(_record(records, END, records[:HEADER_SIZE])[:END_SIZE])
    end[32:48] = np.array([len(records), len(meta)], "<u8").tobytes()
    _seal(end, 0)
    return records + _record(records, INDEX, meta) + bytes(end)
