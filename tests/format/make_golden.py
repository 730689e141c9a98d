"""Make the files in golden/ that do not exist yet.

    PYTHONPATH=python .venv/bin/python tests/format/make_golden.py

Existing files never change, because kaon must always read the files that it wrote. Each file shows
one feature of the format and is as small as possible.
"""

import sys
from pathlib import Path

import numpy as np
from contents import by_kaon, by_reader, to_json
from forging import add_other_record, index_position, positions, set_flags, use_reserved
from reader.records import CLUSTER
from tables import arranged, relation, table, value, write

from kaon import _core

GOLDEN = Path(__file__).with_name("golden")


def rows(counts, *members, present=None):
    """Return the contents of a counted table."""
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return _core.TableArrays(offsets, _bools(present), dict(enumerate(members)))


def single(*members):
    """Return the contents of a table with one row for each entry or row above."""
    return _core.TableArrays(None, None, dict(enumerate(members)))


def _bools(present):
    return None if present is None else np.array(present, dtype=bool)


def f4(*values):
    return np.array(values, np.float32)


def f8(*values):
    return np.array(values, np.float64)


def i4(*values):
    return np.array(values, np.int32)


def values(first, **arrays):
    """Return tables with one value per entry, and their contents."""
    tables = [value(name, array.dtype.name) for name, array in arrays.items()]
    return tables, [single(array) for array in arrays.values()], len(first)


def hits(entries=3, first=0, **storage):
    """Return a collection with a list, a relation and a bool."""
    tables = [
        table("Hits", "collection", {"cell": "uint64", "e": "float32", "ok": "bool"}),
        table("Hits.times", "vectorMember", {"t": "float32", "q": "uint8"}, 0),
        relation("Hits.next", "oneRelation", 0),
    ]
    number = np.arange(first, first + entries)
    counts = number % 4
    total = int(counts.sum())
    row = np.arange(total)
    lists = row % 3
    times = np.arange(lists.sum())
    contents = [
        rows(counts, row.astype(np.uint64) << 40, f4(*row) / 4, row % 2 == 0),
        rows(lists, f4(*times) * 1.5, times.astype(np.uint8)),
        single(i4(*np.where(row % 3 == 0, -1, 0)), np.zeros(total, np.uint32)),
    ]
    return arranged(tables, **storage), contents, entries


def codecs(path):
    """Columns, pieces and inner values that each codec compresses."""
    skewed = i4(*np.random.default_rng(1).exponential(60, 560))
    words = np.frombuffer(b"event data of particle physics, " * 20, np.uint8)[:560].astype("i4")
    arrays = dict(
        words=words, planes=words.astype("u2"), skewed=skewed, runs=np.repeat(skewed[:280] ** 2, 2)
    )
    encodings = dict(words="compressed", planes="bytePlanes", skewed="parts", runs="runs")
    for codec in ("none", "lz4", "zstd", "zlib", "lzma"):
        one = values(words, **arrays)
        write(path(f"codec-{codec}"), [one], codec=codec, encodings=encodings)


def toggled(values):
    """Return signed values whose sign does not depend on their magnitude, like floats."""
    top = np.array(1).astype(values.dtype) << (8 * values.itemsize - 1)
    return np.where(np.arange(len(values)) % 3 == 0, values | top, values)


def by_width(make, sizes=(1, 2, 4, 8)):
    """Return unsigned integers of these sizes, by type; `make` gets the type."""
    dtypes = (np.dtype(f"<u{size}") for size in sizes)
    return {dtype.name: make(dtype) for dtype in dtypes}


def encodings(path):
    """Each encoding with numbers of every valid width, with each transform; and rows."""
    n = np.arange(300)
    skewed = n * n % 61 * (n % 3) * (n % 5)  # up to 480
    waves = np.cumsum(np.where(n // 25 % 2, -3, 3) + n % 2 + 1)
    wide = (2, 4, 8)
    signed = (-1.0) ** n * (1 + n % 4 / 4)
    floats = dict(float32=f4(*signed), float64=signed)
    made = {
        "constant": by_width(lambda t: np.full(9, 200, t)),
        "packed:none": by_width(lambda t: (n % 7).astype(t) * 16 + 3),  # with a shift
        "packed:delta": by_width(lambda t: np.cumsum(n % 3).astype(t)),
        "packed:rotated": {**by_width(lambda t: toggled((n % 7).astype(t)), (1, 2)), **floats},
        "compressed": by_width(lambda t: (n % 50).astype(t)),
        "parts:none": by_width(lambda t: skewed.astype(t) + 40, wide),
        "parts:rotated": {"uint16": toggled(skewed.astype("u2")), **floats},
        "dictionary": by_width(lambda t: (n % 5 * 50).astype(t) << (8 * t.itemsize - 8)),
        "runs": by_width(lambda t: (n // 30).astype(t) * 3),
        "frequent": by_width(lambda t: np.where(n % 20 == 3, n, 0).astype(t)),
        "raw": by_width(lambda t: n[:9].astype(t) << (8 * t.itemsize - 5)),
    }
    for name in ("none", "zigzag", "xor"):
        values_of = skewed if name == "none" else waves
        made[f"bytePlanes:{name}"] = by_width(lambda t, of=values_of: of.astype(t), wide)
        made[f"bitPlanes:{name}"] = by_width(lambda t, of=values_of: of.astype(t) // 8)
    for name, arrays in made.items():
        one = values(next(iter(arrays.values())), **arrays)
        target = path(f"encoding-{name.replace(':', '-')}")
        write(target, [one], encodings=dict.fromkeys(arrays, name))
    rows_of_sixteen(path)
    quantised(path)


def rows_of_sixteen(path):
    """Rows of 16 bytes, which are not encoded as numbers."""
    n = np.arange(100)
    every = {"raw": n, "constant": n * 0, "compressed": n % 9, "bytePlanes": n * 7}
    for name, number in every.items():
        tables = [table("Hits", "collection", {"cell": "int32", "t": ("int16", 3), "ok": "bool"})]
        times = np.stack([number, number + 1, number % 3], axis=1).astype(np.int16)
        contents = [rows([60, 40], i4(*number), times, number % 2 == 0)]
        one = (arranged(tables, layout="row"), contents, 2)
        write(path(f"rows-{name}"), [one], encodings={"Hits": name})


def quantised(path):
    """Quantised floats of both types, steps of 1, 2 and 4 bytes, with and without exceptions."""
    steps = {
        "a": _core.Precision.steps(0, 10, 0.1),
        "b": _core.Precision.steps(-100, 100, 0.01),
        "c": _core.Precision.range(-1, 1, 30),
    }
    n = np.arange(90)
    exact = dict(a=f4(*n) / 9, b=n * 1.7 - 70, c=np.sin(n))
    other = np.where(n % 40 == 7, np.nan, np.where(n % 40 == 9, 1e6 + n, 0))
    mixed = {name: np.where(other != 0, other, of).astype(of.dtype) for name, of in exact.items()}
    tables = [table("Hits", "collection", {"a": "float32", "b": "float64", "c": "float64"})]
    tables = arranged(tables, storage={"Hits": _core.Storage(precision=steps)})
    batches = [(tables, [rows([50, 40], *of.values())], 2) for of in (exact, mixed)]
    write(path("encoding-quantised"), batches, encodings={f"Hits.{m}": "quantised" for m in "abc"})


def blocks(path):
    """Packed blocks of several lengths: full, with rows and a bit string, only a bit string."""
    for count in (100, 256, 700, 1024, 1025):
        n = np.arange(count)
        arrays = {"uint8": (n % 6).astype(np.uint8), "int16": (n * 3 % 11).astype(np.int16)}
        arrays |= {"int32": i4(*n * 5 % 37), "int64": n * 7 % 130}
        packed = dict.fromkeys(arrays, "packed")
        write(path(f"block-{count}"), [values(n, **arrays)], codec="none", encodings=packed)


def precision(path):
    told = {"m": _core.Precision.mantissa(8), "r": _core.Precision.steps(-50, 50, 0.1)}
    storage = {"Hits": _core.Storage(precision=told)}
    tables = [table("Hits", "collection", {"m": "float32", "r": "float64", "exact": "float64"})]
    n = np.arange(60)
    r = (n - 20) * 1.3
    outside = np.where(n == 7, 1e6, np.where(n == 8, np.nan, r))
    counts = [20, 0, 40]
    contents = [[rows(counts, f4(*n) / 3, each, n / 3)] for each in (r, outside)]
    batches = [(arranged(tables, storage=storage), one, 3) for one in contents]
    quantised = {"Hits.r": "quantised"}
    write(path("precision"), batches, encodings=quantised)


def layouts(path):
    for layout in ("split", "row", "member"):
        write(path(f"layout-{layout}"), [hits(9, layout=layout)], page_bytes=64)


def groups(path):
    tables = [
        table("Hits", "collection", {"cell": "int32", "e": "float32"}),
        table("Clusters", "collection", {"e": "float64"}),
        value("weight", "float32"),
        relation("Clusters.hits", "manyRelation", 1),
        value("run", "int32"),
        table("Tracks", "collection", {"pt": "float32"}),
    ]
    # The arrangement needs the tables of a collection next to each other.
    ordered = [tables[0], tables[1], tables[3], tables[2], tables[4], tables[5]]
    storage = {
        "Hits": _core.Storage("row", "event"),
        "Clusters": _core.Storage("member", "event"),
        "Tracks": _core.Storage("split", "other"),
    }
    n = np.arange(6)
    contents = [
        rows([2, 0, 1, 0, 3, 0], i4(*n), f4(*n) / 2),
        rows([1, 0, 0, 1, 1, 1], f8(1, 2, 3, 4)),
        rows([2, 0, 3, 0], i4(0, 1, 0, 1, 2), np.zeros(5, np.uint32)),
        single(f4(*n)),
        single(i4(*n) + 7),
        rows([1] * 6, f4(*n) * 9),
    ]
    write(path("group"), [(arranged(ordered, storage=storage), contents, 6)], page_bytes=16)


def tags_and_keys(path):
    early = [value("run", "int32"), value("event", "uint64"), value("pt", "float32")]
    late = [value("lumi", "int16", missing=0xFFFE)]
    early = arranged(early, tags=["run", "pt"], keys=["run", "event"])
    late = arranged(late, tags=["lumi"], keys=["lumi"])

    def batch(first, entries, is_late):
        n = np.arange(first, first + entries)
        contents = [single(i4(*n) // 4), single(n.astype(np.uint64) + 2**63), single(f4(*n) / 8)]
        contents += [single(n.astype(np.int16))] * is_late
        return early + late * is_late, contents, entries

    batches = [batch(0, 3, False), batch(3, 4, False), batch(7, 3, True), batch(10, 5, True)]
    write(path("tags-and-keys"), batches)


def sorted_keys(path):
    tables = arranged([value("run", "int32"), value("event", "uint64")], keys=["run", "event"])
    target = path("sorted-keys")
    for first, last in ((0, 30), (30, 36), (36, 40)):
        n = np.arange(first, last, dtype=np.uint64) * np.uint64(7) % np.uint64(40)
        contents = [single(i4(*n) // 10 - 2), single(n)]
        write(target, [(tables, contents, last - first)], append=first > 0)


def bounds(path):
    tables = [
        table("Hits", "collection", {"x": "float32", "y": ("float64", 2), "n": "int8", "b": "bool"})
    ]
    nan, inf = np.nan, np.inf
    x = f4(1, nan, -2, nan, nan, -0.0, 0.0, inf, -inf)
    y = np.arange(18, dtype=np.float64).reshape(9, 2)
    y[4] = nan
    n = np.array([-128, 127, 0, 1, 2, 3, 4, 5, 6], np.int8)
    one = [rows([3, 2, 0, 2, 2], x, y, n, n % 2 == 0)]
    write(path("bounds"), [(tables, one, 5)], page_bytes=1)


def presence(path):
    names = ("Always", "Partly", "Never")
    tables = [table(name, "collection", {"x": "int16"}) for name in names]
    tables.append(table("weights", "parameter", {"": "float64"}, type="float64"))
    n = np.arange(4, dtype=np.int16)
    contents = [
        rows([1, 0, 2, 1], n, present=[1, 1, 1, 1]),
        rows([0, 3, 0, 1], n, present=[0, 1, 1, 1]),
        rows([0, 0, 0, 0], n[:0], present=[0, 0, 0, 0]),
        rows([0, 0, 2, 0], f8(1, 2), present=[1, 0, 1, 0]),
    ]
    write(path("presence"), [(tables, contents, 4)])


def many_columns(path):
    """More columns than a block has.

    One block has no columns, because its collection is always absent.
    """
    tables = [
        value("run", "int32"),
        table("Wide", "collection", {f"m{n}": "int16" for n in range(20)}),
        table("Absent", "collection", {f"m{n}": "int8" for n in range(40)}),
        relation("Absent.next", "oneRelation", 2),
        table("Narrow", "collection", {"x": "float32"}),
    ]
    n = np.arange(5, dtype=np.int16)
    contents = [
        single(i4(1, 1, 2)),
        rows([2, 0, 3], *(n * k for k in range(20)), present=[1, 0, 1]),
        rows([0, 0, 0], *[n[:0].astype(np.int8)] * 40, present=[0, 0, 0]),
        single(i4(), np.zeros(0, np.uint32)),
        rows([1, 1, 0], f4(0.5, 1.5)),
    ]
    write(path("many-columns"), [(tables, contents, 3)], page_bytes=8)


def left_out(path):
    """A cluster without columns of absent collections and without columns of empty lists.

    The next cluster has both.
    """
    tables, first, entries = hits(3)
    more = [
        table("Tracks", "collection", {"pt": "float32"}),
        table("Tracks.hits", "vectorMember", {"": "int32"}, 3),
        value("beam", "float64"),
    ]
    nothing = [rows([0] * 3, f4(), present=[0] * 3), rows([], i4()), single(f8(1, 2, 3))]
    some = [rows([1, 0, 2], f4(1, 2, 3)), rows([0, 2, 1], i4(4, 5, 6)), single(f8(4, 5, 6))]
    members = [np.zeros(0, np.uint64), f4(), np.zeros(0, bool)]
    no_times = rows([], f4(), np.zeros(0, np.uint8))
    empty = [rows([0] * 3, *members), no_times, single(i4(), np.zeros(0, np.uint32))]
    for layout in ("split", "row"):
        storage = {name: _core.Storage(layout) for name in ("Hits", "Tracks")}
        arranged_tables = arranged([*tables, *more], storage=storage)
        batches = [first + nothing, empty + some, first + some]
        write(path(f"left-out-{layout}"), [(arranged_tables, one, entries) for one in batches])


def bodies(path):
    """Schemas, documents and indexes that each codec compresses."""
    for codec in ("none", "lz4", "zstd", "zlib", "lzma"):
        write(path(f"body-{codec}"), [hits(3)], codec=codec, documents={"note": "text " * 50})


def kinds(path):
    """Every kind of table."""
    tables = [
        table("Particles", "collection", {"PDG": "int32", "p.x": "float32", "c": ("int16", 3)}),
        table("Particles.weights", "vectorMember", {"": "float64"}, 0),
        relation("Particles.mother", "oneRelation", 0),
        relation("Particles.daughters", "manyRelation", 0),
        table("Particles.btag", "decoration", {"b": "float32"}, 0),
        table("title", "parameter", {}, type="string"),
        table("title.text", "text", {"": "uint8"}, 5, type="uint8"),
        table("title", "parameter", {"": "int64"}, type="int64"),
        value("beam", ("float32", 2)),
    ]
    text = np.frombuffer("tt̄größte".encode(), np.uint8)
    zeros = np.zeros(3, np.uint32)
    contents = [
        rows([2, 0, 1], i4(23, 11, 22), f4(3, 4, 5), np.arange(9, dtype=np.int16).reshape(3, 3)),
        rows([1, 0, 2], f8(1.5, 2.5, 0.5)),
        single(i4(-1, 0, -1), zeros),
        rows([1, 0, 0], i4(1), zeros[:1]),
        single(f4(0.1, 0.2, 0.3)),
        rows([1, 0, 2], present=[1, 0, 1]),
        rows([4, 0, len(text) - 4], text),
        rows([0, 1, 2], np.array([1, -1, 2**60]), present=[0, 1, 1]),
        single(f4(*range(6)).reshape(3, 2)),
    ]
    write(path("kinds"), [(tables, contents, 3)])


def strings(path):
    """Strings and lists of strings in objects, in all layouts."""
    tables = [
        table("Runs", "collection", {"number": "int32"}),
        table("Runs.name", "vectorMember", {"": "uint8"}, 0, type="string"),
        table("Runs.detectors", "vectorMember", {}, 0, type="string"),
        table("Runs.detectors.text", "text", {"": "uint8"}, 2, type="uint8"),
        relation("Runs.before", "oneRelation", 0),
    ]
    names, detectors = "run 1große µ", "ECALHCALtrácker"
    contents = [
        rows([2, 0, 1], i4(1, 2, 3), present=[1, 0, 1]),
        rows([5, 0, 9], np.frombuffer(names.encode(), np.uint8)),
        rows([2, 0, 2]),
        rows([4, 4, 0, 8], np.frombuffer(detectors.encode(), np.uint8)),
        single(i4(-1, 0, -1), np.zeros(3, np.uint32)),
    ]
    for layout in ("split", "row"):
        storage = {"Runs": _core.Storage(layout)}
        one = arranged(tables, storage=storage)
        write(path(f"strings-{layout}"), [(one, contents, 3)])


def nested_lists(path):
    """Nested lists: of structs in all layouts, of numbers and strings, and under values."""
    tables = [
        table("Hits", "collection", {"e": "float32"}),
        table("Hits.pulses", "vectorMember", {"t": "float64", "q": "int16"}, 0),
        table("Hits.pulses.samples", "vectorMember", {"": "uint16"}, 1, type="uint16"),
        table("Hits.pulses.words", "vectorMember", {}, 1, type="string"),
        table("Hits.pulses.words.text", "text", {"": "uint8"}, 3, type="uint8"),
        table("cube", "parameter", {}, type=""),
        table("cube.", "vectorMember", {}, 5, type=""),
        table("cube..", "vectorMember", {"": "float32"}, 6, type="float32"),
        table("beam", "value", {"x": "float32", "y": "float32"}, type=""),
        table("beam.profile", "vectorMember", {"": "int32"}, 8, type="int32"),
    ]
    contents = [
        rows([2, 0, 1], f4(1, 2, 3), present=[1, 0, 1]),
        rows([1, 0, 2], f8(0.5, 1.5, 2.5), np.array([-1, 0, 1], np.int16)),
        rows([3, 0, 1], np.array([7, 8, 9, 1], np.uint16)),
        rows([0, 2, 1]),
        rows([2, 0, 3], np.frombuffer(b"abcde", np.uint8)),
        rows([2, 1, 0], present=[1, 1, 0]),
        rows([0, 2, 1]),
        rows([1, 2, 0], f4(1, 2, 3)),
        single(f4(1, 2, 3), f4(4, 5, 6)),
        rows([2, 0, 1], i4(1, 2, 3)),
    ]
    for layout in ("split", "row", "member"):
        one = arranged(tables, storage={"Hits": _core.Storage(layout)})
        write(path(f"nested-lists-{layout}"), [(one, contents, 3)])


def scalars(path):
    names = "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
    arrays = {name: np.array([np.iinfo(name).min, 1, np.iinfo(name).max], name) for name in names}
    arrays |= {"bool": np.array([True, False, True])}
    arrays |= {"float32": f4(np.finfo("f4").tiny, -0.0, np.inf), "float64": f8(1e-300, 0.1, -1e300)}
    write(path("scalars"), [values(range(3), **arrays)])


def structures(path):
    """Optionals, arrays and arrays of length one, of numbers and of components, in all layouts."""
    fields = {
        "one": ("float32", 1, "[1]"),
        "matrix": ("int16", 6, "[2][3]"),
        "time.value": ("float64", 1, "?"),
        "time.has_value": ("bool", 1, "?"),
        "ends.value.0.x": ("float32", 1, "?.[2]"),
        "ends.value.1.x": ("float32", 1, "?.[2]"),
        "ends.has_value": ("bool", 1, "?"),
        "plain.value": "float32",  # components with the members of optionals and arrays
        "plain.has_value": "bool",
        "numbered.0": "int32",
        "numbered.1": "int32",
    }
    tables = [
        table("Hits", "collection", fields),
        table("Hits.late.value", "decoration", {"": ("float32", 1, "?")}, 0),
        table("Hits.late.has_value", "decoration", {"": ("bool", 1, "?")}, 0),
        table("Hits.iso", "decoration", {"a": ("float32", 4, ".[2][2]")}, 0),
        table("Hits.cells", "vectorMember", {"at.0.r": ("uint8", 2, "[1]..[2]")}, 0),
    ]
    is_there = np.array([True, False, True])
    contents = [
        rows(
            [2, 1],
            f4(1, 2, 3),
            np.arange(18, dtype="i2").reshape(3, 6),
            *(f8(0.5, 0, 1.5), is_there, f4(1, 2, 3), f4(4, 5, 6), ~is_there),
            *(f4(7, 8, 9), is_there, i4(1, 2, 3), i4(4, 5, 6)),
        ),
        single(f4(1, 0, 2)),
        single(is_there),
        single(f4(*range(12)).reshape(3, 4)),
        rows([1, 0, 1], np.array([[1, 2], [3, 4]], np.uint8)),
    ]
    for layout in ("split", "row"):
        one = arranged(tables, storage={"Hits": _core.Storage(layout)})
        write(path(f"structures-{layout}"), [(one, contents, 2)])


def late_tables(path):
    first, contents, entries = hits(4)
    later = [
        table("Hits.btag", "decoration", {"b": "float32"}, 0, missing=0x7FC00000),
        table("Hits.flags", "vectorMember", {"": "int8"}, 0),
        table("Tracks", "collection", {"pt": "float32"}),
        table("note", "parameter", {}, type="string"),
        table("note.text", "text", {"": "uint8"}, len(first) + 3, type="uint8"),
        value("lumi", ("int16", 2), missing=7),
        value("mu", "float64"),
    ]
    total = int(contents[0].offsets[-1])
    more = [
        single(f4(*range(total))),
        rows([1] * total, np.arange(total, dtype=np.int8)),
        rows([0, 0, 1, 1], f4(5, 6), present=[1, 0, 1, 1]),
        rows([1, 0, 0, 0]),
        rows([2], np.frombuffer(b"ok", np.uint8)),
        single(np.arange(8, dtype=np.int16).reshape(4, 2)),
        single(f8(1, 2, 3, 4)),
    ]
    batches = [(first, contents, entries), (first + later, contents + more, entries)]
    write(path("late-tables"), batches)


def appended(path):
    target = path("appended")
    write(target, [hits(3)], documents={"note": "first"})
    write(target, [hits(2, 3)], append=True)
    runs = values(range(1), run=i4(7))
    write(target, [runs], append=True, category="runs", documents={"note": "second"})
    write(path("appended-cut"), [hits(3)], documents={"note": "first"})
    whole = path("appended-cut").stat().st_size
    write(path("appended-cut"), [hits(2, 3)], append=True, documents={"note": "second"})
    size = path("appended-cut").stat().st_size
    cut(path("appended-cut"), whole + (size - whole) // 2)


def copies(path):
    """Schemas and documents that are repeated between clusters."""
    batches = [values(range(3000), x=f8(*[0.5] * 3000)), values(range(1), x=f8(1))]
    options = {"codec": "none", "encodings": {"x": "raw"}}
    write(path("copies"), batches, documents={"text": "µ"}, **options)


def damaged(path):
    """A damaged header, and a damaged cluster between others; readers without an index skip it."""
    write(path("header-damaged"), [hits(3)], documents={"note": "text"})
    data = bytearray(path("header-damaged").read_bytes())
    data[20] ^= 1
    path("header-damaged").write_bytes(data)
    write(path("cluster-lost"), [hits(3), hits(2, 3), hits(4, 5)], documents={"note": "text"})
    cut(path("cluster-lost"), index_position(path("cluster-lost").read_bytes()))
    data = bytearray(path("cluster-lost").read_bytes())
    data[positions(data, CLUSTER)[1] + 40] ^= 1
    path("cluster-lost").write_bytes(data)


def cut(path, size):
    path.write_bytes(path.read_bytes()[:size])


def unfinished(path):
    """Files without an index, cut within the third cluster, and with a damaged index."""
    for name in ("unfinished", "cut", "index-damaged"):
        write(path(name), [hits(3), hits(2, 3), hits(4, 5)], documents={"note": "text"})
    data = path("unfinished").read_bytes()
    position = index_position(data)
    cut(path("unfinished"), position)
    cut(path("cut"), position - 300)
    damaged = bytearray(data)
    damaged[position + 100] ^= 1
    path("index-damaged").write_bytes(damaged)


def sealed(path):
    """Sealed checksums of the blocks of clusters, tags and sorted keys, in two categories.

    In one file, only the first record still states that checksums are sealed.
    """
    hits_of = [hits(3), hits(2, 3)]
    numbers = arranged([value("run", "int32"), value("x", "float32")], tags=["x"], keys=["run"])
    n = np.arange(4)
    runs = [(numbers, [single(i4(*n) * 5 % 7 + first), single(f4(*n))], 4) for first in (0, 9)]
    target = path("sealed")
    write(target, hits_of, documents={"note": "text"})
    write(target, runs, append=True, category="runs")
    data = bytearray(target.read_bytes())[:-96]
    data[20] ^= 1
    path("sealed-damaged").write_bytes(data)


def documents(path):
    metadata = '{"file":{"luminosity":12.5},"rules":{"file":{"luminosity":"sum"}}}'
    texts = {"metadata": metadata, "größte": "µ", "empty": "", "": "without a name"}
    write(path("documents"), [hits(1)], documents={"metadata": "{}"})
    write(path("documents"), [], append=True, documents=texts)


def clusters(path):
    batches = [values(range(2), x=i4(n, n * n)) for n in range(20)]
    write(path("clusters"), batches)
    write(path("empty"), [])
    write(path("no-entries"), [hits(0)])


def pages(path):
    n = np.arange(20000)
    one = values(n, run=i4(*n // 6000))
    write(path("large-pages"), [one], page_bytes=1 << 20)
    one = values(n[:300], run=i4(*n[:300] // 70), x=f4(*n[:300]) / 3)
    write(path("small-pages"), [one], page_bytes=256, encodings={"x": "parts"})


def forged(path):
    """Data that a later kaon may write, and that readers of version 1 skip."""
    for name, forge in {
        "upper-flags": set_flags,
        "other-record": add_other_record,
        "reserved-bytes": use_reserved,
    }.items():
        write(path(name), [hits(3), hits(2)], documents={"note": "text"})
        path(name).write_bytes(forge(path(name).read_bytes()))


def make(feature):
    """Make the missing files of a feature, together with their contents."""
    made = set()

    def path(name):
        made.add(name)
        return GOLDEN / f"{name}.kaon.new"

    feature(path)
    for name in sorted(made):
        new, kept = path(name), GOLDEN / f"{name}.kaon"
        if kept.exists():
            new.unlink()
            continue
        contents = by_kaon(new)
        assert contents == by_reader(new), name
        kept.with_suffix(".json").write_text(to_json(contents))
        new.rename(kept)
        print(f"{kept.name}: {kept.stat().st_size} bytes")


def main():
    GOLDEN.mkdir(exist_ok=True)
    for feature in (
        codecs,
        encodings,
        blocks,
        precision,
        layouts,
        groups,
        tags_and_keys,
        sorted_keys,
        many_columns,
        left_out,
        bodies,
        bounds,
        presence,
        kinds,
        strings,
        nested_lists,
        scalars,
        structures,
        late_tables,
        appended,
        unfinished,
        copies,
        damaged,
        sealed,
        documents,
        clusters,
        pages,
        forged,
    ):
        make(feature)


if __name__ == "__main__":
    sys.exit(main())
