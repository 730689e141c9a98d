"""The file: header, records, index, documents."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from .cluster import BOUNDS, Cluster, joined, value_of
from .cursor import Cursor, DamagedError, check, checksum, decoded
from .schema import Schema, Use

MAGIC = b"\x89KAON\r\n\x1a"
SCHEMA, CLUSTER, DOCUMENT, INDEX, END, TAGS = 1, 2, 3, 4, 5, 6
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
INDEX_CATEGORY = np.dtype(
    [
        ("schema", "<u8"),
        ("schema_size", "<u8"),
        ("clusters", "<u8"),
        ("cluster_count", "<u4"),
        ("tags_count", "<u4"),
        ("bounds", "<u8"),
        ("keys", "<u4"),
        ("reserved", "<u4"),
    ]
)
INDEX_DOCUMENT = np.dtype(
    [
        ("name", "<u8"),
        ("name_size", "<u8"),
        ("position", "<u8"),
        ("meta_size", "<u8"),
        ("meta_checksum", "<u8"),
    ]
)
INDEX_OTHER = np.dtype(
    [("kind", "<u4"), ("category", "<u4"), ("position", "<u8"), ("meta_size", "<u8")]
)
INDEX_CLUSTER = np.dtype(
    [
        ("position", "<u8"),
        ("meta_size", "<u8"),
        ("pages_size", "<u8"),
        ("first_entry", "<u8"),
        ("entries", "<u4"),
        ("reserved", "<u4"),
    ]
)
assert (RECORD.itemsize, INDEX_CATEGORY.itemsize, INDEX_DOCUMENT.itemsize) == (64, 48, 40)
assert (INDEX_OTHER.itemsize, INDEX_CLUSTER.itemsize) == (24, 40)


def aligned(position):
    return -(-position // 64) * 64


@dataclass
class Record:
    """A record of the file."""

    file: memoryview
    position: int
    header: np.void
    meta: memoryview

    @property
    def kind(self):
        return int(self.header["kind"])

    @property
    def pages(self):
        size = int(self.header["pages_size"])
        begin = aligned(self.position + 64 + len(self.meta)) if size > 0 else 0
        check(begin + size <= len(self.file), "pages lie outside the file")
        return self.file[begin : begin + size]

    @property
    def next(self):
        begin = aligned(self.position + 64 + len(self.meta))
        return aligned(begin + int(self.header["pages_size"]))


@dataclass
class Category:
    """A category: its schema, clusters and tags records."""

    name: str = ""
    schema: Schema = field(default_factory=Schema)
    clusters: list = field(default_factory=list)
    tags: list = field(default_factory=list)
    key_bounds: list | None = None  # by cluster, by key: (least, greatest); of an index only
    entries: int = 0

    def read(self, with_tags=True):
        """The data of each table in all entries; `with_tags` uses the tags records."""
        tables = range(len(self.schema.tables))
        read = {}
        for group in sorted({self.schema.group(table) for table in tables}):
            is_tags = bool(self.schema.tables[group].use & Use.TAG)
            holders = self._with_tags() if is_tags and with_tags else self.clusters
            parts = [holder.read(group) for holder in holders]
            # Without clusters there is one of no entries, as it were.
            parts = parts or [Cluster(self.schema, 0, 0, lambda: (bytes(24), b"")).read(group)]
            for table in parts[0]:
                read[table] = joined([part[table] for part in parts])
        return [read[table] for table in tables]

    def _with_tags(self):
        """The tags records, and the clusters between them."""
        found = {record.first_entry: record for record in self.tags}
        entry = 0
        for cluster in self.clusters:
            if cluster.first_entry < entry:
                continue
            holder = found.get(cluster.first_entry, cluster)
            entry = holder.first_entry + holder.entries
            yield holder
        check(entry == self.entries, "tags records do not end with clusters")

    def key_tables(self):
        return [n for n, table in enumerate(self.schema.tables) if table.use & Use.KEY]


class Pieces:
    """What the index leads to: ascending, without overlap."""

    def __init__(self, meta):
        self._meta = meta
        self._end = 0

    def take(self, position, size):
        position, size = int(position), int(size)
        check(position % 8 == 0 and position >= self._end, "a part of the index is out of order")
        self._end = position + size
        check(self._end <= len(self._meta), "a part of the index lies outside")
        return self._meta[position : self._end]


class File:
    """A file: its categories and documents by name.

    Attributes
    ----------
    is_complete
        Whether its index was read; otherwise its records were walked.
    others
        Records of kinds that are not known, as (kind, category, position).
    """

    def __init__(self, data):
        self._data = memoryview(data)
        check(bytes(self._data[:8]) == MAGIC, "this is no kaon file")
        cursor = Cursor(self._data[8:32])
        version, flags, self.id, told = (cursor.number(size) for size in (4, 4, 8, 8))
        check(told == checksum(self._data[:24]), "the header is damaged")
        check(version == 1 and flags & 0xFFFF == 0, "this takes a newer reader")
        self.flags = flags
        self._clear()
        self.is_complete = False
        if self._has_end():
            try:
                self._read_index()
                self.is_complete = True
                return
            except DamagedError:
                self._clear()
        self._walk()

    def _clear(self):
        self._numbered = []  # the categories
        self._documents = {}  # positions of records, and sizes of their meta bytes, by name
        self.others = []

    @property
    def categories(self):
        return {category.name: category for category in self._numbered}

    @property
    def documents(self):
        found = {}
        for name, (position, size) in self._documents.items():
            record = self._record(position)
            told, found[name] = _document(record)
            check((told, len(record.meta)) == (name, size), "a document is not as the index says")
        return found

    def _header(self, position):
        """The header of the record there, if it is one."""
        head = self._data[max(position, 0) : position + 64]
        check(len(head) == 64, "a record lies outside the file")
        header = np.frombuffer(head, RECORD)[0]
        check(header["magic"] == b"KREC" and header["file_id"] == self.id, "no record of the file")
        check(header["checksum"] == checksum(head[:56]), "a record's header is damaged")
        return header

    def _record(self, position):
        header = self._header(position)
        meta = Cursor(self._data[position + 64 :]).take(int(header["meta_size"]))
        check(header["meta_checksum"] == checksum(meta), "a record's meta bytes are damaged")
        return Record(self._data, position, header, meta)

    def _has_end(self):
        try:
            return self._header(len(self._data) - 64)["kind"] == END
        except DamagedError:
            return False

    # The index

    def _read_index(self):
        position, size = np.frombuffer(self._data[-64:], "<u8")[4:6].tolist()
        record = self._record(position)
        check(record.kind == INDEX and len(record.meta) == size, "this is not the index")
        pieces = Pieces(record.meta)
        cursor = Cursor(record.meta)
        categories, documents, others, _ = cursor.array("<u4", 4).tolist()
        index_categories = cursor.array(INDEX_CATEGORY, categories)
        index_documents = cursor.array(INDEX_DOCUMENT, documents)
        index_others = cursor.array(INDEX_OTHER, others)
        for index in index_categories:
            self._numbered.append(self._category_of(index, pieces, len(self._numbered)))
        check(len(self.categories) == categories, "two categories have the same name")
        for index in index_documents:
            name = pieces.take(index["name"], index["name_size"])
            self._documents[decoded(name)] = int(index["position"]), int(index["meta_size"])
        for index in index_others:
            self.others.append(tuple(int(index[key]) for key in ("kind", "category", "position")))

    def _category_of(self, index, pieces, number):
        category = Category()
        schema = pieces.take(index["schema"], index["schema_size"])
        category.name = category.schema.add(schema)
        clusters = int(index["cluster_count"]) + int(index["tags_count"])
        cursor = Cursor(pieces.take(index["clusters"], clusters * INDEX_CLUSTER.itemsize))
        for count, kind in ((index["cluster_count"], CLUSTER), (index["tags_count"], TAGS)):
            for one in cursor.array(INDEX_CLUSTER, int(count)):
                check(one["position"] % 64 == 0, "a cluster is not aligned")
                load = partial(self._load_cluster, one, kind, number)
                self._add_cluster(category, kind, one, load)
        keys = category.key_tables()
        check(len(keys) == index["keys"], "the keys are not those of the tables")
        bounds = len(keys) * len(category.clusters)
        bounds = pieces.take(index["bounds"], bounds * BOUNDS.itemsize)
        bounds = np.frombuffer(bounds, BOUNDS)
        dtypes = [category.schema.tables[key].members[0].dtype for key in keys]
        category.key_bounds = [
            [
                tuple(value_of(one[key], dtype) for key in ("least", "greatest"))
                for one, dtype in zip(of_cluster, dtypes, strict=True)
            ]
            for of_cluster in bounds.reshape(len(category.clusters), len(keys))
        ]
        return category

    def _load_cluster(self, told, kind, number):
        """The meta bytes and pages of a cluster that the index tells of."""
        record = self._record(int(told["position"]))
        header = record.header
        check(record.kind == kind and header["category"] == number, "another record was expected")
        for key in ("meta_size", "pages_size", "first_entry", "entries"):
            check(header[key] == told[key], "a record is not as the index says")
        return record.meta, record.pages

    # Records

    def _walk(self):
        position = 64
        while position < len(self._data):
            try:
                record = self._record(position)
                self._take(record)
            except DamagedError:
                return
            position = record.next

    def _take(self, record):
        number = int(record.header["category"])
        pages = record.pages  # which must be there, whatever the kind is
        if record.kind == SCHEMA:
            self._add_schema(number, record.meta)
        elif record.kind in (CLUSTER, TAGS):
            check(number < len(self._numbered), "a cluster comes before its category")
            load = partial(tuple, (record.meta, pages))
            self._add_cluster(self._numbered[number], record.kind, record.header, load)
        elif record.kind == DOCUMENT:
            self._documents[_document(record)[0]] = record.position, len(record.meta)
        elif record.kind not in (INDEX, END):
            self.others.append((record.kind, number, record.position))

    def _add_schema(self, number, meta):
        check(number <= len(self._numbered), "categories are out of order")
        if number == len(self._numbered):
            category = Category()
            category.name = category.schema.add(meta)
            check(category.name not in self.categories, "two categories have the same name")
            self._numbered.append(category)
        else:
            name = self._numbered[number].schema.add(meta)
            check(name == self._numbered[number].name, "a category has two names")

    def _add_cluster(self, category, kind, told, load):
        """Add a cluster, or tags, of which a header or the index tells."""
        first, count = int(told["first_entry"]), int(told["entries"])
        check(count > 0, "a cluster has no entries")
        cluster = Cluster(category.schema, first, count, load)
        if kind == CLUSTER:
            check(first == category.entries, "clusters are out of order")
            category.clusters.append(cluster)
            category.entries += count
            return
        last = category.tags[-1] if category.tags else None
        check(last is None or first >= last.first_entry + last.entries, "tags overlap")
        check(first + count <= category.entries, "tags are of entries that are not there")
        category.tags.append(cluster)


def _document(record):
    """The name and the text of a document."""
    check(record.kind == DOCUMENT, "this is no document")
    cursor = Cursor(record.meta)
    name = decoded(cursor.take(cursor.number(4)))
    return name, bytes(cursor.rest())
