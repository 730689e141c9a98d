"""Tables with random contents, for tests to write.

They use `kaon._core`, which accepts any tables. A category is written as a list of *batches*. Each
batch is a pair of tables and the contents of some entries, and becomes a cluster.
"""

import numpy as np

from kaon import _core
from kaon._core import TableKind

SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0]


def table(name, kind, fields, parent=None, type="Thing", missing=0):
    """Return a table; `fields` are types, or types, extents and structures, by name."""
    members, end = [], 0
    for field, told in fields.items():
        scalar, extent, *structure = (told, 1) if isinstance(told, str) else told
        size = np.dtype(scalar).itemsize
        offset = -(-end // size) * size
        steps = "".join(structure)
        members.append(
            _core.Member(field, scalar, extent, offset, missing=missing, structure=steps)
        )
        end = offset + size * extent
    size = end if list(fields) == [""] else -(-end // 8) * 8
    return _core.Table(name, getattr(TableKind, kind), type, members, size, parent)


def value(name, told, missing=0):
    """Return a table of one value per entry, such as "int32" or ("float64", 3)."""
    type_ = told if isinstance(told, str) else told[0]
    return table(name, "value", {"": told}, type=type_, missing=missing)


def relation(name, kind, parent):
    return table(name, kind, {"index": "int32", "collection": "uint32"}, parent)


def every_kind(first=0):
    """Return tables of each kind with members of all types; `first` is the number of the first."""
    numbers = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
    mixed = {name: name for name in numbers}
    particles = {**mixed, "good": "bool", "p.x": "float32", "p.y": "float32", "c": ("int16", 3)}
    return [
        table("Particles", "collection", particles),
        table("Particles.weights", "vectorMember", {"": "float64"}, first),
        table("Particles.hits", "vectorMember", {"t": "float32", "q": "uint16"}, first),
        relation("Particles.mother", "oneRelation", first),
        relation("Particles.daughters", "manyRelation", first),
        table("Particles.tag", "decoration", {"b": "float32", "c": "float32"}, first),
        table("Particles.label", "vectorMember", {"": "uint8"}, first, type="string"),
        table("Particles.labels", "vectorMember", {}, first, type="string"),
        table("Particles.labels.text", "text", {"": "uint8"}, first + 7, type="uint8"),
        table("Hits", "collection", {"cell": "uint64", "energy": "float32"}),
        table("seeds", "parameter", {"": "int32"}, type="int32"),
        table("title", "parameter", {}, type="string"),
        table("title.text", "text", {"": "uint8"}, first + 11, type="uint8"),
        value("weight", "float64"),
        value("beam", ("float32", 4)),
        table("Hits.pulses", "vectorMember", {"t": "float64", "q": "int16"}, first + 9),
        table("Hits.pulses.samples", "vectorMember", {"": "uint16"}, first + 15, type="uint16"),
        table("cube", "parameter", {}, type=""),
        table("cube.", "vectorMember", {}, first + 17, type=""),
        table("cube..", "vectorMember", {"": "float32"}, first + 18, type="float32"),
        table("beam.profile", "vectorMember", {"": "int32"}, first + 14, type="int32"),
    ]


def arranged(tables, **options):
    """Return the tables with the layout of `kaon._core.Arrangement`."""
    arrangement = _core.Arrangement(**options)
    roots = [number for number, one in enumerate(tables) if one.parent is None]
    ends = [*roots[1:], len(tables)]
    return [
        one
        for first, end in zip(roots, ends, strict=True)
        for one in arrangement.arranged(list(tables[first:end]))
    ]


class Random:
    """Makes random contents in several styles, so that each encoding suits some."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(list(str(seed).encode()))

    def contents(self, tables, entries, most_rows=12):
        made = []
        rows_of = []
        for one in tables:
            parents = entries if one.parent is None else rows_of[one.parent]
            present = offsets = None
            rows = parents
            if one.is_counted:
                counts = self.rng.integers(0, most_rows if one.parent is None else 4, parents)
                if one.can_be_absent:
                    present = self.rng.random(parents) < self.rng.choice([0.7, 1])
                    counts[~present] = 0
                offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
                rows = int(offsets[-1])
            members = {n: self._values(m, rows) for n, m in enumerate(one.members)}
            rows_of.append(rows)
            made.append(_core.TableArrays(offsets, present, members))
        collections = [n for n, one in enumerate(tables) if one.kind == TableKind.collection]
        for number, one in enumerate(tables):
            if one.kind in (TableKind.oneRelation, TableKind.manyRelation):
                offsets = made[number].offsets
                members = self._references(made, collections, one.parent, offsets)
                made[number] = _core.TableArrays(offsets, None, members)
        return made

    def _references(self, made, collections, owner, offsets):
        """Return references of a collection's rows: to the first object of the entry, or null."""
        begins = made[owner].offsets
        entry = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
        if offsets is not None:
            entry = np.repeat(entry, np.diff(offsets))
        counts = {number: np.diff(made[number].offsets) for number in collections}
        collection = self.rng.choice(collections, len(entry)).astype(np.uint32)
        objects = [counts[number][at] for number, at in zip(collection, entry, strict=True)]
        index = np.minimum(self.rng.integers(-1, 3, len(entry)), np.array(objects, int) - 1)
        return {0: index.astype(np.int32), 1: collection}

    def _values(self, member, rows):
        shape = rows if member.extent == 1 else (rows, member.extent)
        dtype = np.dtype(member.type)
        if dtype.kind == "b":
            return self.rng.random(shape) < 0.5
        if member.precision and member.precision.step:  # so that the values are whole steps
            low, step = member.precision.low, member.precision.step
            steps = (low + step * self.rng.integers(0, 300, shape)).astype(dtype)
            outside = self.rng.choice([np.nan, np.inf, -1e9, 123456.7], shape).astype(dtype)
            return np.where(self.rng.random(shape) < self.rng.choice([0, 0.1]), outside, steps)
        style = self.rng.choice(["bits", "small", "constant", "runs", "rare", "steps", "special"])
        if style == "bits":
            count = int(np.prod(shape))
            return np.frombuffer(self.rng.bytes(count * dtype.itemsize), dtype).reshape(shape)
        values = self.rng.integers(0, 100, shape)
        if style == "constant":
            values = np.full(shape, 7)
        elif style == "runs":
            values = np.sort(values, axis=0) // 10
        elif style == "rare":
            values = np.where(self.rng.random(shape) < 0.9, 0, values)
        elif style == "steps":
            values = values * 4 - (0 if dtype.kind == "u" else 64)
        if dtype.kind == "f":
            values = values * self.rng.choice([1, 0.1, 0.25])
            if style == "special":
                values = np.where(self.rng.random(shape) < 0.2, self.rng.choice(SPECIAL), values)
        return np.ascontiguousarray(values.astype(dtype))


def write(path, batches, *, append=False, documents=None, category="events", **options):
    """Write or append a file of one category."""
    writer = _core.Writer(path, append=append, **options)
    for tables, contents, entries in batches:
        writer.write(category, tables, dict(enumerate(contents)), entries)
        writer.flush()  # makes a cluster of each batch
    for name, text in (documents or {}).items():
        writer.add_document(name, text)
    writer.finish()
