"""The reader made from docs/format.md reads the same values as kaon, which are those written."""

import zlib
from pathlib import Path

import numpy as np
import pytest
from comparison import assert_bounds_are_true, assert_read_alike, offsets_of
from forging import index_position, positions
from hypothesis import given, settings
from hypothesis import strategies as st
from reader import DamagedError, File
from reader.codecs import decompress
from reader.cursor import checksum
from reader.keys import find
from reader.records import CLUSTER, DOCUMENT, SCHEMA, TAGS
from tables import Random, arranged, every_kind, table, value, write

from kaon import _core

SAMPLE = Path(__file__).parents[2] / "examples/ttbar/sample.kaon"
LAYOUTS = ["split", "row", "member"]
CODECS = ["none", "lz4", "zstd", "zlib", "lzma"]
ENCODINGS = (
    "raw constant packed compressed parts bytePlanes bitPlanes dictionary runs frequent quantised"
).split()
PRECISION = {"float32": _core.Precision.steps(-64, 64, 0.25), "p": _core.Precision.mantissa(8)}


def forced(tables, encoding):
    """Return this encoding for all columns."""
    names = [f"{one.name}.{m.name}" if m.name else one.name for one in tables for m in one.members]
    return dict.fromkeys([*names, *(one.name for one in tables)], encoding)


def cannot_be(encoding, layout, codec):
    """Return whether possibly no column of the tables has the encoding."""
    if encoding == "quantised":
        return layout == "row"
    return codec == "none" and encoding in ("compressed", "parts", "bytePlanes", "bitPlanes")


def encodings_in(category):
    """Return the encodings of all pages."""
    return {
        entry.encoding
        for cluster in category.clusters
        for column in range(len(category.schema.columns))
        if cluster.has_column(column)
        for entry in cluster.column(column).pages
    }


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_codec_and_encoding(tmp_path, layout, codec):
    storage = {"Particles": _core.Storage(precision=PRECISION)}
    tables = arranged(every_kind(), layout=layout, storage=storage)
    contents = Random(f"{layout} {codec}").contents
    batches = [(tables, contents(tables, entries), entries) for entries in (150, 1)]
    for number, encoding in [*enumerate(ENCODINGS), (None, None)]:
        path = tmp_path / f"{encoding}.kaon"
        encodings = forced(tables, encoding) if encoding else {}
        write(path, batches, codec=codec, page_bytes=4096, encodings=encodings)
        events = assert_read_alike(path).categories["events"]
        if encoding and not cannot_be(encoding, layout, codec):
            assert number in encodings_in(events), encoding
        assert assert_bounds_are_true(events) > 0


# Numbers near the sizes of blocks.
@pytest.mark.parametrize("entries", [1, 7, 255, 256, 257, 300, 1023, 1024, 1025, 1281, 2048, 2500])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_of_any_number_of_values(tmp_path, encoding, entries):
    types = "int8 uint16 int32 uint64 float32 float64".split()
    tables = [value(name, name) for name in types] + [value("array", ("int16", 3))]
    path = tmp_path / "values.kaon"
    random = Random(entries)
    for _ in range(5):
        contents = random.contents(tables, entries)
        write(path, [(tables, contents, entries)], encodings=forced(tables, encoding))
        read = assert_read_alike(path).categories["events"].read()
        for data, written in zip(read, contents, strict=True):
            assert data.members[0].tobytes() == written.members[0].tobytes()


def test_written_values(tmp_path):
    tables = every_kind()
    contents = Random(1).contents(tables, 100)
    path = tmp_path / "events.kaon"
    write(path, [(tables, contents, 100)])
    read = assert_read_alike(path).categories["events"].read()
    for data, written in zip(read, contents, strict=True):
        if written.present is not None:
            assert data.present.tolist() == written.present.tolist()
        if written.offsets is not None:
            assert offsets_of(data.counts).tolist() == written.offsets.tolist()
        for member, values in enumerate(data.members):
            assert values.tobytes() == written.members[member].tobytes()


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    layouts=st.tuples(*[st.sampled_from(LAYOUTS)] * 2),
    groups=st.tuples(*[st.sampled_from(["", "a", "b"])] * 2),
    codec=st.sampled_from(CODECS),
    clusters=st.lists(st.integers(1, 40), max_size=4),
    page_bytes=st.sampled_from([1, 100, 1000, 65536]),
)
def test_any_file(tmp_path_factory, seed, layouts, groups, codec, clusters, page_bytes):
    storage = {
        name: _core.Storage(layout, group)
        for name, layout, group in zip(["Particles", "Hits"], layouts, groups, strict=True)
    }
    tables = [value("run", "int32"), value("event", "uint64"), *every_kind(2)]
    tables = arranged(tables, storage=storage, tags=["run", "weight"], keys=["run", "event"])
    random = Random(seed)
    batches = [(tables, random.contents(tables, entries), entries) for entries in clusters]
    path = tmp_path_factory.mktemp("any") / "any.kaon"
    write(path, batches, codec=codec, page_bytes=page_bytes)
    for category in assert_read_alike(path).categories.values():
        assert_bounds_are_true(category)


def small_clusters(count=10, entries=5):
    """Return clusters of tables with tags and keys; some tables are added later."""
    early = [
        value("run", "int32"),
        value("x", "float32"),
        table("Hits", "collection", {"t": "float32"}),
    ]
    early = arranged(early, tags=["run", "x"], keys=["run"])
    late = arranged([value("late", "int16", missing=5)], tags=["late"], keys=["late"])
    random = Random(2)
    for number in range(count):
        tables = early if number < count // 2 else early + late
        yield tables, random.contents(tables, entries), entries


def test_tags_are_the_same_in_their_records_and_in_clusters(tmp_path):
    path = tmp_path / "tags.kaon"
    write(path, small_clusters())
    events = assert_read_alike(path).categories["events"]
    assert [(one.first_entry, one.entries) for one in events.tags] == [(0, 50)]
    for here, there in zip(events.read(), events.read(with_tags=False), strict=True):
        for mine, theirs in zip(here.members, there.members, strict=True):
            assert mine.tobytes() == theirs.tobytes()


def test_bounds_of_keys(tmp_path):
    path = tmp_path / "keys.kaon"
    write(path, small_clusters())
    events = assert_read_alike(path).categories["events"]
    data = events.read()
    for key, number in enumerate(events.key_tables()):
        for cluster, bounds in enumerate(events.key_bounds):
            values = data[number].members[0][5 * cluster : 5 * cluster + 5]
            assert bounds[key] == (values.min(), values.max())


def shuffled(first, last):
    """Return entries whose keys are not sorted."""
    tables = [value("run", "int32"), value("event", "uint64")]
    tables = arranged(tables, keys=["run", "event"])
    numbers = np.arange(first, last, dtype=np.uint64) * np.uint64(7919) % np.uint64(5000)
    runs = (numbers // np.uint64(1000)).astype(np.int32) - 2
    return tables, [
        _core.TableArrays(None, None, {0: runs}),
        _core.TableArrays(None, None, {0: numbers}),
    ]


def test_sorted_keys(tmp_path):
    path = tmp_path / "keys.kaon"
    for first, last in ((0, 4000), (4000, 4600), (4600, 5000)):
        tables, arrays = shuffled(first, last)
        write(path, [(tables, arrays, last - first)], append=first > 0)
    whole = path.read_bytes()
    for data in (whole, whole[:-96]):  # the second has no index, but also sorted keys
        file = File(data)
        assert list(file.categories) == ["events"]
        assert file.sorted_keys("events").entries == 5000
    file = File(whole)
    # The keys of the last two clusters were sorted together.
    assert [one.entries for one in file.sorted_keys("events").clusters] == [4000, 1000]
    for entry in range(0, 5000, 311):
        number = entry * 7919 % 5000
        found, pages = find(file, "events", run=number // 1000 - 2, event=number)
        assert found == [entry]
        assert pages <= 2
    found, _ = find(file, "events", run=-1)
    assert found == [entry for entry in range(5000) if 1000 <= entry * 7919 % 5000 < 2000]
    assert find(file, "events", event=5000) == ([], 0)


def test_tables_that_come_late(tmp_path):
    path = tmp_path / "late.kaon"
    first = [table("Hits", "collection", {"cell": "int32"}), value("run", "int32")]
    later = [
        *first,
        table("Hits.quality", "decoration", {"b": "float32"}, 0, missing=0x3F800000),
        table("Hits.times", "vectorMember", {"": "float32"}, 0),
        table("Tracks", "collection", {"pt": "float32"}),
        value("lumi", ("int16", 2), missing=0xFFFF),
    ]
    random = Random(3)
    write(path, [(tables, random.contents(tables, 20), 20) for tables in (first, later)])
    write(path, [(later, random.contents(later, 20), 20)], append=True)
    events = assert_read_alike(path).categories["events"]
    read = {one.name: data for one, data in zip(events.schema.tables, events.read(), strict=True)}
    hits = int(read["Hits"].counts[:20].sum())
    assert set(read["Hits.quality"].members[0][:hits].tolist()) == {1.0}
    assert read["Hits.times"].counts[:hits].sum() == 0 < read["Hits.times"].counts.sum()
    assert not read["Tracks"].present[:20].any()
    assert (read["lumi"].members[0][:20] == -1).all()


def test_files_that_were_cut(tmp_path):
    path = tmp_path / "whole.kaon"
    write(path, small_clusters(4), documents={"a": "first"})
    write(path, small_clusters(6), append=True, documents={"a": "second", "b": ""})
    whole = path.read_bytes()
    cut = tmp_path / "cut.kaon"
    entries = set()
    for size in [*range(64, len(whole), 61), *range(64, len(whole), 64)]:
        cut.write_bytes(whole[:size])
        file = assert_read_alike(cut)
        assert not file.is_complete or file.categories["events"].entries == 20
        entries |= {category.entries for category in file.categories.values()}
    assert entries == set(range(0, 51, 5))


def test_files_whose_index_is_damaged(tmp_path):
    path = tmp_path / "whole.kaon"
    write(path, small_clusters(), documents={"a": "text"})
    bytes_ = bytearray(path.read_bytes())
    bytes_[index_position(bytes_) + 100] ^= 1
    path.write_bytes(bytes_)
    file = assert_read_alike(path)
    assert not file.is_complete
    assert file.categories["events"].entries == 50


def test_files_whose_header_is_damaged(tmp_path):
    path = tmp_path / "damaged.kaon"
    write(path, small_clusters(), documents={"a": "text"})
    whole = path.read_bytes()
    for size in (len(whole), len(whole) - 64):  # the end record or the first record has the id
        for place in (8, 12, 20, 24):
            bytes_ = bytearray(whole[:size])
            bytes_[place] ^= 1
            path.write_bytes(bytes_)
            file = assert_read_alike(path)
            assert not file.is_complete
            assert file.id == File(whole).id
            assert file.categories["events"].entries == 50
            assert (file.categories["events"].key_bounds is None) == (size < len(whole))


def test_the_header_in_the_end_record_matters_only_without_the_other(tmp_path):
    path = tmp_path / "damaged.kaon"
    write(path, small_clusters())
    whole = path.read_bytes()
    for place in range(len(whole) - 32, len(whole), 4):
        bytes_ = bytearray(whole)
        bytes_[place] ^= 1
        path.write_bytes(bytes_)
        assert assert_read_alike(path).is_complete


def test_a_moved_end_record_is_ignored(tmp_path):
    path = tmp_path / "moved.kaon"
    write(path, small_clusters())
    whole = path.read_bytes()
    path.write_bytes(whole[:-96] + bytes(8) + whole[-96:])
    file = assert_read_alike(path)
    assert not file.is_complete
    assert file.categories["events"].entries == 50


@pytest.mark.parametrize("place", [0, 40])  # in the header or the metadata
@pytest.mark.parametrize("kind", [SCHEMA, CLUSTER, DOCUMENT, TAGS])
def test_reads_the_rest_if_a_record_is_damaged(tmp_path, place, kind):
    path = tmp_path / "damaged.kaon"
    write(path, small_clusters(6), documents={"a": "text"})
    whole = path.read_bytes()
    whole = whole[: index_position(whole)]
    for number, position in enumerate(positions(whole, kind, category=0)):  # except sorted keys
        bytes_ = bytearray(whole)
        bytes_[position + place + 32] ^= 1
        path.write_bytes(bytes_)
        file = assert_read_alike(path)
        assert ("a" in file.documents) == (kind != DOCUMENT)
        if kind == SCHEMA:
            # Without the first schema, there is no category; without the second, its clusters are
            # missing.
            assert [one.entries for one in file.categories.values()] == [15] * number
            continue
        events = file.categories["events"]
        lost = [one.first_entry // 5 for one in events.clusters if one.is_lost]
        assert lost == [number] * (kind == CLUSTER and number < 5)
        assert events.entries == 30 - 5 * (kind == CLUSTER and number == 5)
        # Without the last cluster before them, tags refer to missing entries.
        assert len(events.tags) == 1 - (kind == TAGS) - (kind == CLUSTER and number == 5)


@pytest.mark.parametrize("place", [0, 40])
@pytest.mark.parametrize("kind", [SCHEMA, CLUSTER])
def test_entries_are_whole_without_a_record_of_their_sorted_keys(tmp_path, place, kind):
    path = tmp_path / "damaged.kaon"
    write(path, small_clusters(6))
    whole = path.read_bytes()
    whole = whole[: index_position(whole)]
    assert File(whole).sorted_keys("events").entries == 30
    damaged = positions(whole, kind, category=1)
    assert len(damaged) == 2  # from the fourth cluster on, there are more keys
    for position in damaged:
        bytes_ = bytearray(whole)
        bytes_[position + place + 32] ^= 1
        path.write_bytes(bytes_)
        file = assert_read_alike(path)
        events = file.categories["events"]
        assert events.entries == 30
        assert not any(one.is_lost for one in events.clusters)
        assert file.sorted_keys("events") is None


def test_files_that_are_refused(tmp_path):
    path = tmp_path / "whole.kaon"
    write(path, small_clusters())
    for place, name in ((0, "no kaon file"), (8, "newer reader"), (13, "newer reader")):
        bytes_ = bytearray(path.read_bytes())
        bytes_[place] ^= 2
        bytes_[24:32] = checksum(bytes_[:24]).to_bytes(8, "little")
        with pytest.raises(DamagedError, match=name):
            File(bytes_)


def test_short_documents_stand_in_the_index_too(tmp_path):
    path = tmp_path / "documents.kaon"
    texts = {"": "", "most": "x" * (64 << 10), "long": "x" * ((64 << 10) + 1)}
    write(path, [], documents=texts)
    bytes_ = bytearray(path.read_bytes())
    file = assert_read_alike(path)
    assert {name: file.stored_document(name).decode() for name in texts} == texts
    for position in positions(bytes_, DOCUMENT):
        bytes_[position + 64] ^= 1
    damaged = File(bytes_)
    for name in texts:
        with pytest.raises(DamagedError):
            damaged.stored_document(name)
    with pytest.raises(DamagedError):
        damaged.documents  # noqa: B018
    del damaged._documents["long"]
    assert set(damaged.documents) == {"", "most"}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(6))
def test_many_columns_of_which_some_are_left_out(tmp_path, layout, seed):
    random = Random(seed)
    names = [f"C{number}" for number in range(12)]
    tables = []
    for name in names:
        fields = {f"m{n}": "int16" for n in range(random.rng.integers(1, 9))}
        tables.append(table(name, "collection", fields))
        tables.append(table(f"{name}.list", "vectorMember", {"": "float32"}, len(tables) - 1))
    tables.append(value("x", "float32"))
    batches = []
    for absent, most in ((0.7, 4), (0, 1), (1, 4), (0.7, 4)):
        contents = random.contents(tables, 10, most)
        for root in range(0, 24, 2):
            if random.rng.random() < absent:
                for each in (root, root + 1):
                    contents[each] = nothing(tables[each], 10 if each == root else 0)
        batches.append((tables, contents, 10))
    path = tmp_path / "many.kaon"
    write(path, [(arranged(tables, layout=layout), *rest) for _, *rest in batches], page_bytes=64)
    events = assert_read_alike(path).categories["events"]
    assert assert_bounds_are_true(events) > 0
    columns = range(len(events.schema.columns))
    assert not all(cluster.has_column(column) for cluster in events.clusters for column in columns)


def nothing(one, rows):
    """Return the contents of a table without rows; absent in all entries if possible."""
    present = np.zeros(rows, bool) if one.can_be_absent else None
    members = {n: np.zeros(0, m.type) for n, m in enumerate(one.members)}
    return _core.TableArrays(np.zeros(rows + 1, np.int64), present, members)


def test_records_of_nothing_but_lists(tmp_path):
    tables = [
        table("beam", "value", {}, type=""),
        table("beam.profile", "vectorMember", {"": "int32"}, 0, type="int32"),
        table("runs", "parameter", {}, type=""),
        table("runs.", "vectorMember", {"": "float64"}, 2, type="float64"),
    ]
    path = tmp_path / "lists.kaon"
    random = Random(4)
    batches = [(tables, random.contents(tables, 20), 20) for _ in range(3)]
    write(path, batches, page_bytes=64)
    events = assert_read_alike(path).categories["events"]
    assert events.read()[1].rows == sum(int(contents[1].offsets[-1]) for _, contents, _ in batches)


@pytest.mark.parametrize("codec", [0, 5, 255])
def test_unknown_codecs(codec):
    with pytest.raises(DamagedError, match=f"codec {codec} is not known"):
        decompress(codec, zlib.compress(bytes(100)), 100)


def test_the_sample():
    events = assert_read_alike(SAMPLE).categories["events"]
    assert events.entries == 250
    assert assert_bounds_are_true(events) > 30
    particles = events.read()[0]
    assert np.count_nonzero(np.abs(particles.members[0]) == 6) > 250
