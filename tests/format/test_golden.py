"""kaon, and the reader made from the page, read files of version 1 as when they were written."""

import shutil
from pathlib import Path

import pytest
from contents import by_kaon, by_reader, to_json
from forging import positions
from reader import File
from reader.keys import find
from reader.records import DOCUMENT, INDEX, SCHEMA, SEALED
from tables import Random, value, write

import kaon
from kaon import _core

DAMAGED = (
    "appended-cut",
    "cluster-lost",
    "cut",
    "header-damaged",
    "index-damaged",
    "sealed-damaged",
    "unfinished",
)
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.kaon"))


def golden(name):
    return next(path for path in GOLDEN if path.stem == name)


def names(paths):
    return [path.stem for path in paths]


@pytest.mark.parametrize("path", GOLDEN, ids=names(GOLDEN))
def test_each_is_read_as_it_was(path):
    expected = path.with_suffix(".json").read_text()
    assert to_json(by_kaon(path)) == expected
    assert to_json(by_reader(path)) == expected


@pytest.mark.parametrize("path", GOLDEN, ids=names(GOLDEN))
def test_nothing_is_wrong_with_those_that_are_not_damaged(path):
    findings = [one.what for one in _core.verify(path).findings]
    if path.stem == "reserved-bytes":
        findings.remove("bytes between records are not zero")
    assert bool(findings) == (path.stem in DAMAGED)


def test_sorted_keys_of_several_appends():
    path = golden("sorted-keys")
    file = File(path.read_bytes())
    # The keys of the last two clusters were sorted together.
    assert [one.entries for one in file.sorted_keys("events").clusters] == [30, 10]
    events = kaon.open(path)["events"]
    for entry in range(40):
        number = entry * 7 % 40
        assert events.find(run=number // 10 - 2, event=number) == entry
        assert find(file, "events", event=number)[0] == [entry]


def test_bodies_of_every_codec():
    for codec, name in enumerate(("none", "lz4", "zstd", "zlib", "lzma")):
        data = golden(f"body-{name}").read_bytes()
        for kind in (SCHEMA, DOCUMENT, INDEX):
            (position,) = positions(data, kind)
            assert int.from_bytes(data[position + 72 : position + 76], "little") == codec


def test_columns_that_are_left_out():
    (cluster,) = File(golden("many-columns").read_bytes()).categories["events"].clusters
    columns = range(len(cluster.schema.columns))
    assert {column // 16 for column in filter(cluster.has_column, columns)} == {0, 1, 4}
    for layout in ("split", "row"):
        clusters = File(golden(f"left-out-{layout}").read_bytes()).categories["events"].clusters
        columns = range(len(clusters[0].schema.columns))
        there = [set(filter(cluster.has_column, columns)) for cluster in clusters]
        assert there[0] < there[2] > there[1]


def test_pages_that_are_short_and_others():
    assert {page.position is None for page, _, _ in pages()} == {True, False}


def pages():
    """Yield each page that is not lost, with its column's element size and its bytes."""
    for path in GOLDEN:
        data = path.read_bytes()
        for category in File(data).categories.values():
            for cluster in category.clusters:
                columns = range(0 if cluster.is_lost else len(category.schema.columns))
                for column in filter(cluster.has_column, columns):
                    size = category.schema.columns[column].dtype.itemsize
                    for page in cluster.column(column).pages:
                        yield page, size, cluster.stored(page)


NUMBERS, WIDE, ROWS = {1, 2, 4, 8}, {2, 4, 8}, {16}
SIZES = {
    **dict.fromkeys([0, 1, 3], NUMBERS | ROWS),
    **dict.fromkeys([2, 6, 7, 8, 9], NUMBERS),
    **{4: WIDE, 5: WIDE | ROWS, 10: {4, 8}},
}
"""The sizes of values, by encoding."""
TRANSFORMS = {2: {0, 1, 2}, 4: {0, 2}, 5: {0, 3, 4}, 6: {0, 3, 4}}


def test_they_have_every_encoding_of_every_size_and_every_codec():
    assert {page.codec for page, _, _ in pages()} >= set(range(5))
    wanted = {(encoding, size) for encoding, sizes in SIZES.items() for size in sizes}
    there = {(page.encoding, size) for page, size, _ in pages()}
    assert wanted - there == set()
    assert max(encoding for encoding, _ in there) == 10


def test_they_have_every_transform_of_numbers_of_every_size():
    wanted = {
        (encoding, size, transform)
        for encoding, transforms in TRANSFORMS.items()
        for size in SIZES[encoding] & NUMBERS
        for transform in transforms
    }
    there = {(page.encoding, size, stored[0]) for page, size, stored in pages() if len(stored)}
    assert wanted - there == set()


def test_unknown_records_and_flags_stay_when_appending(tmp_path):
    for name in ("other-record", "upper-flags"):
        path = tmp_path / f"{name}.kaon"
        shutil.copy(golden(name), path)
        before = File(path.read_bytes())
        write(path, [], append=True, documents={"more": "text"})
        after = File(path.read_bytes())
        assert after.is_complete and after.documents["more"] == b"text"
        assert (after.flags, after.others) == (before.flags, before.others)
        assert after.flags or after.others


def test_unknown_records_are_passed_over_by_a_walk(tmp_path):
    path = tmp_path / "cut.kaon"
    whole = golden("other-record").read_bytes()
    path.write_bytes(whole[:-96])
    file = File(path.read_bytes())
    assert not file.is_complete
    assert file.others == File(whole).others
    assert by_kaon(path) == by_reader(path)
    assert by_kaon(path)["categories"] == by_kaon(golden("other-record"))["categories"]


@pytest.mark.parametrize("name", ["empty", "no-entries", "kinds", "clusters"])
def test_files_of_old_are_appended_to(tmp_path, name):
    path = tmp_path / "appended.kaon"
    shutil.copy(golden(name), path)
    before = by_kaon(path)["categories"]
    assert "runs" not in before
    tables = [value("run", "int32")]
    write(path, [(tables, Random(1).contents(tables, 2), 2)], append=True, category="runs")
    after = by_kaon(path)["categories"]
    assert after.pop("runs")["clusters"] == [2]
    assert after == before
    assert File(path.read_bytes()).flags == 0  # blocks in a part of a file are not sealed


def test_blocks_of_a_file_without_a_header_are_sealed(tmp_path):
    for name in ("sealed", "sealed-damaged"):
        file = File(golden(name).read_bytes())
        assert file.flags == SEALED
        clusters = [one for each in file.categories.values() for one in each.clusters + each.tags]
        clusters += file.sorted_keys("runs").clusters
        seals = [one.seal for one in clusters]
        assert len(seals) == 6
        assert 0 not in seals and len(set(seals)) == len(seals)
