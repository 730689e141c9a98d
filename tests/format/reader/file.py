"""Files: header, categories, index, documents."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from .cluster import Cluster, joined
from .cursor import Cursor, DamagedError, check, checksum, decoded
from .records import (
    CLUSTER,
    COPY,
    DOCUMENT,
    END,
    END_SIZE,
    INDEX,
    SCHEMA,
    SEALED,
    TAGS,
    header_at,
    parts_at,
    record_at,
    seal_of,
)
from .schema import Schema, Use

MAGIC = b"\x89KAON\r\n\x1a"
HEADER_SIZE = 32  # without the reserved bytes
SORTED_KEYS = "#keys"  # the suffix of categories with sorted keys

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
        ("text", "<u8"),
        ("text_size", "<u8"),
    ]
)
INDEX_OTHER = np.dtype(
    [("kind", "<u4"), ("category", "<u4"), ("position", "<u8"), ("meta_size", "<u8")]
)
KEY_BOUNDS = np.dtype([("least", "V8"), ("greatest", "V8")])
INDEX_CLUSTER = np.dtype(
    [
        ("position", "<u8"),
        ("meta_size", "<u8"),
        ("pages_size", "<u8"),
        ("first_entry", "<u8"),
        ("entries", "<u4"),
        ("blocks", "<u4"),
    ]
)
assert (INDEX_CATEGORY.itemsize, INDEX_DOCUMENT.itemsize) == (48, 56)
assert (INDEX_OTHER.itemsize, INDEX_CLUSTER.itemsize) == (24, 40)


@dataclass
class Category:
    """A category: its schema, clusters and tags records."""

    name: str = ""
    schema: Schema = field(default_factory=Schema)
    clusters: list = field(default_factory=list)
    tags: list = field(default_factory=list)
    key_bounds: list | None = None  # by cluster and key: (least, greatest); only from an index
    entries: int = 0

    def read(self, with_tags=True):
        """Return the data of each table in all entries; `with_tags` uses the tags records."""
        tables = range(len(self.schema.tables))
        read = {}
        for group in sorted({self.schema.group(table) for table in tables}):
            is_tags = bool(self.schema.tables[group].use & Use.TAG)
            holders = self._with_tags() if is_tags and with_tags else self.clusters
            parts = [holder.read(group) for holder in holders]
            # A category without clusters reads like one empty cluster.
            parts = parts or [Cluster(self.schema, 0, 0, lambda: (bytes(8), 0, b"")).read(group)]
            for table in parts[0]:
                read[table] = joined([part[table] for part in parts])
        return [read[table] for table in tables]

    def read_cluster(self, cluster):
        """Return the data of each table in a cluster."""
        groups = sorted({self.schema.group(table) for table in range(len(self.schema.tables))})
        read = {}
        for group in groups:
            read |= cluster.read(group)
        return [read[table] for table in sorted(read)]

    def _with_tags(self):
        """Return the tags records and the clusters between them."""
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
    """The parts that the index locates, in ascending order without overlap."""

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
        Whether header and index are valid. Without an index, the records are read one after
        another.
    others
        Records of unknown kinds, as (kind, category, position).
    """

    def __init__(self, data):
        self._data = memoryview(data)
        check(bytes(self._data[:8]) == MAGIC, "this is no kaon file")
        end = self._end()
        header = _header(self._data[:HEADER_SIZE])
        self.is_complete = header is not None
        if header is None and end is not None:
            header = _header(end.meta)
        self.flags, self.id = header or self._header_of_records()
        self._clear()
        if end is not None and end.header["file_id"] == self.id:
            try:
                return self._read_index(end)
            except DamagedError:
                self._clear()
        self.is_complete = False
        self._walk()

    def _header_of_records(self):
        """Return flags and id, which the first record repeats."""
        first = header_at(self._data, 64)
        return _known(int(first["entries"])), int(first["file_id"])

    def _clear(self):
        self._numbered = []  # the categories
        self._documents = {}  # by name: position, size and checksum of metadata, known text
        self.others = []

    @property
    def categories(self):
        return {
            category.name: category
            for category in self._numbered
            if not category.name.endswith(SORTED_KEYS)
        }

    def sorted_keys(self, name):
        """Return the sorted keys of a category; None if they are missing or unusable."""
        whole = self.categories[name].entries
        for category in self._numbered:
            if category.name == name + SORTED_KEYS:
                is_lost = any(cluster.is_lost for cluster in category.clusters)
                return category if category.entries == whole and not is_lost else None
        return None

    def _names(self):
        return {category.name for category in self._numbered}

    @property
    def documents(self):
        """Return the text of each document by name, from the index or from its record."""
        return {
            name: self.stored_document(name) if text is None else text
            for name, (*_, text) in self._documents.items()
        }

    def stored_document(self, name):
        """Return the text of a document in its record."""
        position, size, sum_, _ = self._documents[name]
        record = self._record(position)
        check(record.kind == DOCUMENT, "this is no document")
        told = int(record.header["meta_size"]), int(record.header["meta_checksum"])
        check(told == (size, sum_), "a document is not as the index says")
        stored, text = _document(record)
        check(stored == name, "a document has another name than the index says")
        return text

    def _record(self, position):
        return record_at(self._data, self.id, position)

    def _end(self):
        """Return the end record; None if the file does not end with one."""
        position = len(self._data) - END_SIZE
        try:
            check(position % 64 == 0, "the last bytes are no record")
            header = header_at(self._data, position)
            record = record_at(self._data, header["file_id"], position)
        except DamagedError:
            return None
        return record if record.kind == END and len(record.meta) == HEADER_SIZE else None

    # The index

    def _read_index(self, end):
        position, size = np.frombuffer(self._data[end.position : end.position + 64], "<u8")[4:6]
        record = self._record(int(position))
        check(record.kind == INDEX and len(record.meta) == size, "this is not the index")
        body = record.body
        pieces = Pieces(body)
        cursor = Cursor(body)
        categories, documents, others, _ = cursor.array("<u4", 4).tolist()
        index_categories = cursor.array(INDEX_CATEGORY, categories)
        index_documents = cursor.array(INDEX_DOCUMENT, documents)
        index_others = cursor.array(INDEX_OTHER, others)
        for index in index_categories:
            self._numbered.append(self._category_of(index, pieces))
        check(len(self._names()) == categories, "two categories have the same name")
        for index in index_documents:
            name = decoded(pieces.take(index["name"], index["name_size"]))
            told = (int(index[key]) for key in ("position", "meta_size", "meta_checksum"))
            text = None
            if index["text"] > 0:
                text = bytes(pieces.take(index["text"], index["text_size"]))
            self._documents[name] = *told, text
        for index in index_others:
            self.others.append(tuple(int(index[key]) for key in ("kind", "category", "position")))

    def _category_of(self, index, pieces):
        category = Category()
        category.name = category.schema.add(pieces.take(index["schema"], index["schema_size"]))
        clusters = int(index["cluster_count"]) + int(index["tags_count"])
        cursor = Cursor(pieces.take(index["clusters"], clusters * INDEX_CLUSTER.itemsize))
        for count, kind in ((index["cluster_count"], CLUSTER), (index["tags_count"], TAGS)):
            for one in cursor.array(INDEX_CLUSTER, int(count)):
                check(one["position"] % 64 == 0, "a cluster is not aligned")
                number = len(self._numbered)
                load = partial(self._load_cluster, kind, number, one)
                self._add_cluster(category, kind, number, one, load)
        keys = category.key_tables()
        check(len(keys) == index["keys"], "the keys are not those of the tables")
        bounds = len(keys) * len(category.clusters)
        bounds = pieces.take(index["bounds"], bounds * KEY_BOUNDS.itemsize)
        bounds = np.frombuffer(bounds, KEY_BOUNDS)
        dtypes = [category.schema.tables[key].members[0].dtype for key in keys]
        category.key_bounds = [
            [
                tuple(_value_of(one[key], dtype) for key in ("least", "greatest"))
                for one, dtype in zip(of_cluster, dtypes, strict=True)
            ]
            for of_cluster in bounds.reshape(len(category.clusters), len(keys))
        ]
        return category

    def _load_cluster(self, kind, number, told):
        """Return metadata, number of blocks and pages of a cluster in the index."""
        meta, pages = parts_at(self._data, int(told["position"]), told)
        try:
            header = header_at(self._data, int(told["position"]))
        except DamagedError:  # the index has the same data
            return meta, int(told["blocks"]), pages
        check(header["file_id"] == self.id, "a cluster of another file")
        check((header["kind"], header["category"]) == (kind, number), "another record")
        same = ("meta_size", "pages_size", "first_entry", "entries")
        check(all(header[key] == told[key] for key in same), "a cluster is not as the index says")
        check(header["meta_checksum"] == checksum(meta), "damaged meta bytes")
        return meta, int(told["blocks"]), pages

    # Records

    def _walk(self):
        """Add all valid records, and skip other bytes between them."""
        position = 64
        self._has_losses = False
        while position < len(self._data):
            try:
                record = self._record(position)
                check(record.header["meta_checksum"] == checksum(record.meta), "damaged meta bytes")
                self._take(record)
                position = record.next
            except DamagedError:
                self._has_losses = True
                position += 64

    def _take(self, record):
        number = int(record.header["category"])
        if record.kind == SCHEMA:
            self._add_schema(number, record.body)
        elif record.kind in (CLUSTER, TAGS):
            check(number < len(self._numbered), "a cluster comes before its category")
            self._take_cluster(self._numbered[number], number, record)
        elif record.kind == DOCUMENT:
            name, _ = _document(record)
            told = len(record.meta), int(record.header["meta_checksum"])
            self._documents[name] = record.position, *told, None
        elif record.kind not in (INDEX, END, COPY):
            self.others.append((record.kind, number, record.position))

    def _add_schema(self, number, body):
        check(number <= len(self._numbered), "categories are out of order")
        if number == len(self._numbered):
            category = Category()
            category.name = category.schema.add(body)
            check(category.name not in self._names(), "two categories have the same name")
            self._numbered.append(category)
        else:
            name = self._numbered[number].schema.add(body)
            check(name == self._numbered[number].name, "a category has two names")

    def _take_cluster(self, category, number, record):
        header = record.header
        load = partial(tuple, (record.meta, Cursor(record.meta).number(4), record.pages))
        first = int(header["first_entry"])
        if record.kind == CLUSTER:
            seal = seal_of(self.flags, self.id, CLUSTER, number, header)
            cluster = Cluster(category.schema, first, int(header["entries"]), load, seal)
            check(not cluster.has_unknown_columns(), "a cluster has tables that are not known")
            if category.name.endswith(SORTED_KEYS):
                _drop_clusters(category, first)
            if self._has_losses and 0 < first - category.entries < 1 << 32:
                lost = Cluster(category.schema, category.entries, first - category.entries)
                category.clusters.append(lost)
                category.entries = first
        self._add_cluster(category, record.kind, number, header, load)

    def _add_cluster(self, category, kind, number, told, load):
        """Add a cluster or tags, described by a header or by the index."""
        first, count = int(told["first_entry"]), int(told["entries"])
        check(count > 0, "a cluster has no entries")
        seal = seal_of(self.flags, self.id, kind, number, told)
        cluster = Cluster(category.schema, first, count, load, seal)
        if kind == CLUSTER:
            check(first == category.entries, "clusters are out of order")
            category.clusters.append(cluster)
            category.entries += count
            return
        last = category.tags[-1] if category.tags else None
        check(last is None or first >= last.first_entry + last.entries, "tags overlap")
        check(first + count <= category.entries, "tags are of entries that are not there")
        category.tags.append(cluster)


def _drop_clusters(category, first):
    """Drop clusters from the one that begins at `first`, because their rows were sorted again."""
    if first in (cluster.first_entry for cluster in category.clusters):
        category.clusters = [one for one in category.clusters if one.first_entry < first]
        category.entries = first


def _header(data):
    """Return flags and id in a file's header; None if it is damaged."""
    cursor = Cursor(data)
    cursor.take(8)
    version, flags, file_id, told = (cursor.number(size) for size in (4, 4, 8, 8))
    if bytes(data[:8]) != MAGIC or told != checksum(data[:24]):
        return None
    check(version == 1, "this takes a newer reader")
    return _known(flags), file_id


def _known(flags):
    """Return the flags of a header after checking that all required flags are known."""
    check(flags & 0xFFFF & ~SEALED == 0, "this takes a newer reader")
    return flags


def _document(record):
    """Return the name and the text of a document."""
    cursor = Cursor(record.body)
    name = decoded(cursor.take(cursor.number(4)))
    return name, bytes(cursor.rest())


def _value_of(stored, dtype):
    """Return a value stored in the first of eight bytes."""
    return np.frombuffer(stored.tobytes(), dtype, 1)[0]
