"""Damaged files do nothing worse than raise an exception."""

import bz2
import gzip
import lzma
import os
import re
import struct
import warnings

import numpy as np
import pytest
import xxhash

import kaon


def contents(path):
    """Return everything that a reader can get from a file."""
    with kaon.open(path) as file:
        found = {"models": [file.model(name) for name in file.models]}
        for name, category in file.items():
            arrays = category.arrays(library="np")
            found[name] = {key: values.tolist() for key, values in arrays.items()}
            found[name, "types"] = category.typenames()
            repr(category), category._repr_html_()
        return found


def damaged_contents(path):
    """Return the contents of a file and whether it is complete; None if it cannot be read.

    A warning says that a file is not complete.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = contents(path)
        except kaon.Error:
            return None, False
    assert [warning.category for warning in told] in ([], [kaon.errors.IncompleteFileWarning])
    return found, not told


def entries(found):
    """Return the entries of `events` as columns; if the file has none, the result is empty."""
    return found.get("events", {})


@pytest.fixture
def small(tmp_path):
    """A small file with some of everything."""
    path = tmp_path / "small.kaon"
    model = {
        "name": "m",
        "schema_version": 1,
        "options": {},
        "components": [],
        "datatypes": [
            {
                "name": "Hit",
                "members": [{"type": "int", "name": "cell"}, {"type": "bool", "name": "good"}],
                "vectorMembers": [{"type": "float", "name": "pulse"}],
                "oneToManyRelations": [{"type": "Hit", "name": "next"}],
            }
        ],
        "storage": [],
    }
    hits = [[{"cell": 5, "good": True, "pulse": [0.5, 1.5]}, {"cell": 6, "next": [0]}], None]
    with kaon.create(path, model=model, missing_members="default") as out:
        out["events"].extend({"Hits": hits, "x": [1.0, 2.0], "note": ["a", "b"]})
    return path


def test_a_flipped_bit_anywhere_is_found_or_harmless(small):
    good = small.read_bytes()
    expected = contents(small)
    refused = warned = 0
    with small.open("r+b", buffering=0) as file:
        for position, byte in enumerate(good):
            os.pwrite(file.fileno(), bytes([byte ^ (1 << (position % 8))]), position)
            found, is_complete = damaged_contents(small)
            refused += found is None
            warned += found is not None and not is_complete
            assert found in (None, expected)
            os.pwrite(file.fileno(), bytes([byte]), position)
    assert contents(small) == expected
    assert refused > len(good) / 10  # pages, and descriptions of their places
    assert warned > 0  # bytes of the end; its contents are found without it
    # The other bytes are padding.


def test_complete_clusters_of_a_cut_file_are_read(small):
    expected = contents(small)
    seen = []
    for size in reversed(range(small.stat().st_size)):
        os.truncate(small, size)
        found, is_complete = damaged_contents(small)
        assert not is_complete
        if found is not None and entries(found) not in [entries(one) for one in seen]:
            seen.append(found)
    whole, schema_only, nothing = seen
    assert entries(whole) == entries(expected)
    assert not any(entries(schema_only).values())
    assert entries(nothing) == {}


def test_no_more_is_read_of_a_file_than_there_is(small):
    for size in reversed(range(100, small.stat().st_size)):
        os.truncate(small, size)
        with pytest.warns(kaon.errors.IncompleteFileWarning) as told:
            kaon.open(small)
        read, there = map(
            int, re.search("first ([0-9]+) of ([0-9]+)", str(told[0].message)).groups()
        )
        assert read <= there == size


def test_pieces_of_other_files_are_found(small, tmp_path):
    good = small.read_bytes()
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"x": np.arange(100)})
    other = (tmp_path / "other.kaon").read_bytes()
    for begin in range(64, min(len(good), len(other)), 64):
        mixed = tmp_path / "mixed.kaon"
        mixed.write_bytes(good[:begin] + other[begin:])
        found, is_complete = damaged_contents(mixed)
        assert found is None or not is_complete


def test_a_warning_can_be_an_error(small):
    os.truncate(small, small.stat().st_size - 1)
    with pytest.warns(
        kaon.errors.IncompleteFileWarning, match="was not finished, or is cut"
    ) as told:
        file = kaon.open(small)
    assert told[0].filename == __file__
    assert not file.is_complete
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(kaon.errors.IncompleteFileWarning, match="small.kaon"):
            kaon.open(small)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", kaon.errors.FormatError, "is empty"),
        (b"# just text\n", kaon.errors.FormatError, "is not a kaon file"),
        (b"\x89", kaon.errors.CorruptFileError, "the file is cut"),
        (b"\x89KAON\r\n\x1a" + bytes(1000), kaon.errors.CorruptFileError, "damaged"),
        (b"\x89KAON\n\x1a" + bytes(1000), kaon.errors.FormatError, "is not a kaon file"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            kaon.errors.FormatError,
            "`git lfs pull`",
        ),
        (b"<!DOCTYPE html><html>", kaon.errors.FormatError, "a page of a web site"),
        (
            gzip.compress(b"events", mtime=0),
            kaon.errors.FormatError,
            "is compressed by gzip; `gunzip`",
        ),
        (bz2.compress(b"events"), kaon.errors.FormatError, "is compressed by bzip2"),
        (lzma.compress(b"events"), kaon.errors.FormatError, "is compressed by xz"),
    ],
)
def test_files_of_unknown_formats(tmp_path, content, error, message):
    path = tmp_path / "thing.kaon"
    path.write_bytes(content)
    with pytest.raises(error, match=message) as caught:
        kaon.open(path)
    assert isinstance(caught.value, OSError)
    assert str(path) in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot open: No such file or directory") as caught:
        kaon.open(tmp_path / "no.kaon")
    assert isinstance(caught.value, kaon.Error)
    with pytest.raises(FileNotFoundError):
        kaon.open(f"{tmp_path}/no.kaon:events")


def test_a_directory(tmp_path):
    with pytest.raises(kaon.errors.FileError, match="is not a file"):
        kaon.open(tmp_path)


def test_a_path_that_is_no_text(tmp_path):
    path = tmp_path / "caf\udce9.kaon"  # Latin-1, as Python decodes it
    with pytest.raises(FileNotFoundError):
        kaon.open(path)
    with kaon.create(path) as out:
        out["events"].extend({"x": [1]})
    assert kaon.open(path)["events"].arrays().x.tolist() == [1]
    assert kaon.open(path).path == str(path)
    assert "caf\\udce9.kaon" in repr(kaon.open(path)), "which terminals can show"


def test_a_file_that_was_not_finished(tmp_path):
    out = kaon.create(tmp_path / "a.kaon")
    out["events"].extend({"x": [1.0]})
    out.flush()
    with pytest.raises(FileNotFoundError):
        kaon.open(tmp_path / "a.kaon")
    with pytest.warns(kaon.errors.IncompleteFileWarning, match="entries: 1 of 'events'"):
        file = kaon.open(tmp_path / "a.kaon.part")
    assert file["events"].arrays().x.tolist() == [1]
    out.finish()
    with kaon.open(tmp_path / "a.kaon") as finished:
        assert finished.is_complete
        assert finished.id == file.id != 0


def test_a_relation_to_no_collection(tmp_path):
    from kaon import _core

    kind = _core.TableKind
    members = [_core.Member("index", "int32"), _core.Member("collection", "uint32", offset=4)]
    tables = [
        _core.Table("Hits", kind.collection, "Hit", [], 0),
        _core.Table("Hits.next", kind.oneRelation, "Hit", members, 8, parent=0),
    ]

    def write(number):
        writer = _core.Writer(tmp_path / f"{number}.kaon")
        references = {0: np.zeros(1, np.int32), 1: np.array([number], np.uint32)}
        arrays = [
            _core.TableArrays(np.array([0, 1]), None, {}),
            _core.TableArrays(None, None, references),
        ]
        writer.write("events", tables, dict(enumerate(arrays)), 1)
        writer.finish()

    write(0)
    sound = (tmp_path / "0.kaon").read_bytes()
    for number in (1, 2, 2**32 - 1):
        with pytest.raises(
            kaon.errors.UsageError, match=f"to table number {number}, which is not a c"
        ):
            write(number)
        (tmp_path / "a.kaon").write_bytes(with_last_number(sound, number))
        events = kaon.open(tmp_path / "a.kaon")["events"]
        with pytest.raises(
            kaon.errors.CorruptFileError, match="'Hits.next' refers to a collection that"
        ):
            events.arrays()


def with_last_number(file, number):
    """Change the one value, of 4 bytes, of the last column of a file; correct all checksums."""
    file = bytearray(file)
    record = file.index(b"KREC\2\0\0\0")
    meta = record + 64
    begin, end = (meta + place for place in struct.unpack_from("<II", file, meta + 4))
    before = xxhash.xxh3_64_intdigest(bytes(file[begin + 8 : end]))
    struct.pack_into("<I", file, end - 13, number)  # the bounds of the column follow
    after = xxhash.xxh3_64_intdigest(bytes(file[begin + 8 : end]))
    (sealed,) = struct.unpack_from("<Q", file, begin)
    struct.pack_into("<Q", file, begin, sealed ^ before ^ after)
    (size,) = struct.unpack_from("<Q", file, record + 16)
    for place, first, last in ((48, meta, meta + size), (56, record, record + 56)):
        sum_ = xxhash.xxh3_64_intdigest(bytes(file[first:last]))
        struct.pack_into("<Q", file, record + place, sum_)
    return bytes(file)


@pytest.mark.parametrize(
    ("offsets", "values"),
    [
        ([0, 2, 1], [1, 2]),
        ([1, 1, 2], [1, 2]),
        ([0, 1], [1]),
        ([0, 1, 3], [1, 2]),
        ([0, -1, 2], [1, 2]),
        ([0, 1, 2**32], [1, 2]),
    ],
)
def test_the_writer_takes_no_arrays_that_contradict_each_other(tmp_path, offsets, values):
    from kaon import _core

    kind = _core.TableKind.parameter
    table = _core.Table("x", kind, "int64", [_core.Member("", "int64")], 8)
    arrays = _core.TableArrays(np.array(offsets), None, {0: np.array(values)})
    writer = _core.Writer(tmp_path / "a.kaon")
    with pytest.raises(kaon.errors.UsageError):
        writer.write("events", [table], {0: arrays}, 2)
    with pytest.raises(kaon.errors.UsageError):
        writer.write("events", [table], {0: _core.TableArrays(np.array([0, 1, 1]), None, {})}, 2)


def twins(tmp_path, columns=1, entries=200_000):
    """Make two files that differ only in their values; their clusters are large enough to copy."""
    paths = tmp_path / "first.kaon", tmp_path / "second.kaon"
    for seed, path in enumerate(paths):
        random = np.random.default_rng(seed)
        arrays = {f"x{number}": random.random(entries) for number in range(columns)}
        with kaon.create(path, codec="none", cluster_entries=entries // 2) as out:
            out["events"].extend(arrays)
    assert paths[0].stat().st_size == paths[1].stat().st_size
    return paths


def swap_cluster(path, other):
    """Put the second cluster of another file into a file."""
    ours, theirs = path.read_bytes(), other.read_bytes()
    begin = [at for at in range(0, len(ours), 64) if ours[at : at + 8] == b"KREC\2\0\0\0"][1]
    end = ours.index(b"KREC\4\0\0\0", begin)
    path.write_bytes(ours[:begin] + theirs[begin:end] + ours[end:])


def converted(path, out):
    kaon.convert(path, out)


def merged(path, out):
    kaon.merge([path], out)


def skimmed(path, out):
    kaon.dataset(path).filter("x0 >= 0").snapshot(out).value  # noqa: B018


def trained(path, out):
    train = kaon.train.Train(kaon.dataset(path))
    train.add(out, "x0 >= 0")
    train.run()


@pytest.mark.parametrize("copy", [converted, merged, skimmed, trained])
def test_a_cluster_of_another_file_is_neither_read_nor_copied(tmp_path, copy):
    path, other = twins(tmp_path)
    swap_cluster(path, other)
    with kaon.open(path) as file:
        assert len(file["events"].arrays(["x0"], entry_stop=100_000)) == 100_000
        with pytest.raises(kaon.errors.CorruptFileError, match="belongs to another file"):
            file["events"].arrays(["x0"])
    found = kaon.verify(path)
    assert not found.is_sound
    assert any("another file" in finding.what for finding in found.findings)
    out = tmp_path / "out.kaon"
    with pytest.raises(kaon.errors.CorruptFileError, match="another file"):
        copy(path, out)
    assert not out.exists()


@pytest.mark.parametrize("columns", [1, 1000])  # one block describes the columns, or many do
@pytest.mark.parametrize("is_read_before", [False, True])
def test_a_file_that_another_one_is_written_over_is_told(tmp_path, columns, is_read_before):
    path, other = twins(tmp_path, columns, 2000)
    with kaon.open(path) as file:
        if is_read_before:
            file["events"].arrays(["x0"])
        with open(path, "r+b") as out:
            out.write(other.read_bytes())
        with pytest.raises(kaon.errors.FileError, match="was changed by another program"):
            file["events"].arrays(["x0"])
    with kaon.open(path) as file:
        assert len(file["events"].arrays(["x0"])) == 2000


def test_an_open_file_that_another_one_is_written_over_is_told(tmp_path):
    path, other = twins(tmp_path, 1000, 2000)
    with open(path, "rb") as opened, kaon.open(opened) as file:
        path.write_bytes(other.read_bytes())
        with pytest.raises(kaon.errors.CorruptFileError, match="another (cluster or )?file"):
            file["events"].arrays(["x0"])
