"""Files of version 1 are read as when they were made: by kaon, and by the reader of the page."""

import shutil
from pathlib import Path

import pytest
from contents import by_kaon, by_reader, to_json
from reader import File
from tables import Random, value, write

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


def pages():
    """Of each page of all of them the encoding, codec, size of a value, and first byte."""
    for path in GOLDEN:
        data = path.read_bytes()
        for category in File(data).categories.values():
            for cluster in category.clusters:
                for column in filter(cluster.has_column, range(len(category.schema.columns))):
                    size = category.schema.columns[column].dtype.itemsize
                    for entry in cluster.page_entries(column):
                        stored = cluster.stored(entry)
                        yield int(entry["encoding"]), int(entry["codec"]), size, stored[:1]


NUMBERS, WIDE, ROWS = {1, 2, 4, 8}, {2, 4, 8}, {16}
SIZES = {
    **dict.fromkeys([0, 1, 3], NUMBERS | ROWS),
    **dict.fromkeys([2, 6, 7, 8, 9], NUMBERS),
    **{4: WIDE, 5: WIDE | ROWS, 10: {4, 8}},
}
"""Of values, by encoding."""
TRANSFORMS = {2: {0, 1, 2}, 4: {0, 2}, 5: {0, 3, 4}, 6: {0, 3, 4}}


def test_they_have_every_encoding_of_every_size_and_every_codec():
    encodings, codecs, sizes, _ = map(list, zip(*pages(), strict=True))
    assert set(codecs) >= set(range(5))
    wanted = {(encoding, size) for encoding, sizes in SIZES.items() for size in sizes}
    assert wanted - set(zip(encodings, sizes, strict=True)) == set()
    assert max(encodings) == 10


def test_they_have_every_transform_of_numbers_of_every_size():
    wanted = {
        (encoding, size, transform)
        for encoding, transforms in TRANSFORMS.items()
        for size in SIZES[encoding] & NUMBERS
        for transform in transforms
    }
    there = {(encoding, size, first[0]) for encoding, _, size, first in pages() if first}
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
    path.write_bytes(whole[:-64])
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
