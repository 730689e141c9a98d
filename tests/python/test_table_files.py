"""Files of Parquet and Feather: read as any other file, and made by `convert`."""

import os
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import kaon

RICH = Path(__file__).parents[1] / "models/richmodel.yaml"


@pytest.fixture(params=["table.parquet", "table.feather"])
def table_path(path, request):
    """The category `events` of the file with one of everything."""
    kaon.convert(f"{path}:events", path.with_name(request.param))
    return path.with_name(request.param)


def test_a_table_that_kaon_wrote_is_unchanged(events, table_path, contents):
    with kaon.open(table_path) as file:
        assert list(file) == ["events"]
        assert file.path == str(table_path)
        again = file["events"]
        assert contents(again) == contents(events)
        assert again.typenames() == events.typenames()
        assert again["Particles.mass"].unit == "GeV"
        assert again["Hits"].description == "A hit, made by a particle"
        assert list(file.models) == ["detector"]
    assert again.arrays().Particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]]
    frame = again.frames()[0]
    assert [daughter.PDG for daughter in frame["Particles"][0].daughters] == [11, -11]
    assert again.arrays("weight", "count(Particles) > 0").weight.tolist() == [0.5, 2.5]


def test_a_table_becomes_the_file_that_it_was(path, table_path, events, contents):
    kaon.convert(table_path, path.with_name("again.kaon"), codec="none", layout="row")
    again = kaon.open(path.with_name("again.kaon:events"))
    assert contents(again) == contents(events)
    kaon.convert(table_path, path.with_name("again.root"))
    again = kaon.open(path.with_name("again.root:events"))
    assert again.arrays().Particles.PDG.tolist() == [[23, 11, -11], [], [22]]


@pytest.fixture
def rich_path(tmp_path):
    """Objects with and without their optional members, including lists of optional members."""
    rich = kaon.load_model(RICH)
    path = tmp_path / "rich.kaon"
    with kaon.create(path, model=rich) as out:
        for number in range(8):
            event = kaon.Frame()
            particles = kaon.Collection(rich.Particle)
            for i in range(number % 3):
                hints = [rich.Hints(at=(1, i, 3)), rich.Hints()][i:]
                time, place = (None, [7, number]) if i else (2.5, None)
                particles.create(time=time, range=place, hints=hints)
            event["Particles"] = particles
            out["events"].write(event)
    return path


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_arrays_of_arrays_in_vector_members_keep_their_shape(suffix, tmp_path, contents):
    model = tmp_path / "lab.yaml"
    model.write_text("""
schema_version: 1
components:
  lab::Cell: {Members: ["std::array<std::array<int, 3>, 2> grid"]}
datatypes:
  lab::Hit:
    Description: A hit
    Author: kaon
    VectorMembers:
      - lab::Cell cells // of it
      - std::vector<lab::Cell> more // in lists
""")
    cell = {"grid": [[1, 2, 3], [4, 5, 6]]}
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=model, types={"Hits": "lab::Hit"}) as out:
        out["events"].extend({"Hits": [[{"cells": [cell], "more": [[], [cell, cell]]}], []]})
    table = tmp_path / f"a.{suffix}"
    kaon.convert(path, table)
    assert contents(kaon.open(table)["events"]) == contents(kaon.open(path)["events"])
    assert contents(kaon.open(table)["events"])[0]["Hits"][0]["cells"] == [cell]


def test_optional_members_of_all_kinds_come_back(rich_path, contents):
    kaon.convert(f"{rich_path}:events", rich_path.with_name("a.feather"))
    kaon.convert(rich_path.with_name("a.feather"), rich_path.with_name("again.kaon"))
    events = kaon.open(rich_path)["events"]
    for name in ("a.feather", "again.kaon"):
        again = kaon.open(rich_path.with_name(name))["events"]
        assert again.keys() == events.keys()
        assert contents(again) == contents(events)
        for before, after in zip(events.frames(), again.frames(), strict=True):
            assert [str(one) for one in after["Particles"]] == [
                str(one) for one in before["Particles"]
            ]


def test_arrays_that_may_be_missing_are_not_written_to_parquet(rich_path, contents):
    out = rich_path.with_name("a.parquet")
    with pytest.raises(
        kaon.errors.UsageError, match="cannot read .* from Parquet: Particles.range; write"
    ):
        kaon.convert(f"{rich_path}:events", out)
    assert not out.exists()
    train = kaon.train.Train(kaon.dataset(f"{rich_path}:events"), provenance=False)
    train.add(rich_path.with_name("less.kaon"), drop=["Particles.range"])
    train.run()
    kaon.convert(rich_path.with_name("less.kaon"), out)
    assert contents(kaon.open(out)["events"]) == contents(
        kaon.open(rich_path.with_name("less.kaon"))["events"]
    )


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.arrow"])
def test_other_files_are_not_called_as_tables(path, name):
    with pytest.raises(kaon.errors.UsageError, match="are written by `kaon convert`"):
        kaon.create(path.with_name(name))
    with pytest.raises(kaon.errors.UsageError, match="are written by `kaon convert`"):
        kaon.merge([path], path.with_name(name))
    assert not path.with_name(name).exists()


def test_other_libraries_read_files_of_kaon(path):
    kaon.convert(f"{path}:events", path.with_name("a.parquet"))
    kaon.convert(f"{path}:events", path.with_name("a.feather"))
    for frame in (
        pl.read_parquet(path.with_name("a.parquet")),
        pl.read_ipc(path.with_name("a.feather")),
    ):
        assert frame["weight"].to_list() == [0.5, 1.5, 2.5]
        assert frame["Particles"].list.len().to_list() == [3, 0, 1]


def test_tables_of_others_are_read(tmp_path):
    table = pa.table(
        {
            "run": np.arange(6, dtype=np.uint32),
            "name": ["a", "b", None, "d", "e", "f"],
            "good": [True, False, True, False, True, False],
            "jets": [[{"pt": 1.5, "hits": [1, 2]}], [], [], None, [], [{"pt": 2.5, "hits": []}]],
            "kind": pa.array(["x", "y"] * 3).dictionary_encode(),
            "cells": pa.array(np.arange(12.0).reshape(6, 2).tolist(), pa.list_(pa.float32(), 2)),
        }
    )
    pa.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=4)
    pa.feather.write_feather(table, tmp_path / "a.feather")
    for name in ("a.parquet", "a.feather"):
        events = kaon.open(f"{tmp_path / name}:events")
        names = ["run", "good", "cells", "jets", "name"]
        assert events.arrays(names).tolist() == table.select(names).to_pylist()
        assert events.typenames()["cells"] == "2 * float32"
        assert events.typenames()["name..value"] == "string"
        assert events.arrays("kind").kind.tolist() == ["x", "y"] * 3
        assert events.arrays("run", "name == 'd'").run.tolist() == [3]
        assert len(events.arrays("run", "count(jets) == 1")) == 2


def test_an_empty_table_has_an_empty_category(tmp_path):
    pa.parquet.write_table(pa.table({"x": pa.array([], pa.int32())}), tmp_path / "a.parquet")
    events = kaon.open(tmp_path / "a.parquet")["events"]
    assert events.num_entries == 0
    assert events.typenames() == {"x": "int32"}


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_columns_of_other_types_are_numbers_or_left_out(tmp_path, name):
    half = pa.array(np.array([0.5, 1.5], np.float16))
    table = pa.table(
        {
            "gain": half,
            "jets": [[{"pt": 1.5, "at": datetime(1970, 1, 2, tzinfo=timezone.utc)}], []],
            "when": pa.array([1, 2], pa.timestamp("ns")),
            "day": pa.array([3, 4], pa.date32()),
            "code": pa.array([5, 6]).dictionary_encode(),
            "tags": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int32())),
            "prices": [[Decimal("1.5")], [Decimal("2.5")]],
            "texts": [[b"a"], [b"b"]],
            "nothing": pa.nulls(2),
            "spans": pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval()),
        }
    )
    if name == "a.parquet":
        table = table.drop_columns("spans")
    write = pa.parquet.write_table if name == "a.parquet" else pa.feather.write_feather
    write(table, tmp_path / name)
    with pytest.warns(
        kaon.errors.UnreadMemberWarning, match=f"{name}: left out .*: 'nothing' is null"
    ):
        events = kaon.open(tmp_path / name)["events"]
    assert events.arrays().tolist() == [
        {"gain": 0.5, "jets": [{"pt": 1.5, "at": 86400000000}], "when": 1, "day": 3, "code": 5}
        | {"tags": [{"key": "a", "value": 1}], "prices": [1.5], "texts": [[97]]},
        {"gain": 1.5, "jets": [], "when": 2, "day": 4, "code": 6, "tags": [], "prices": [2.5]}
        | {"texts": [[98]]},
    ]
    assert [events[column].unit for column in ("when", "day")] == ["ns", "d"]
    with pytest.raises(kaon.errors.WrongTypeError, match=f"{name}: has no column .*: 'nothing' is"):
        write(table.select(["nothing"]), tmp_path / name)
        kaon.open(tmp_path / name)


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_decimals_are_floats_and_bytes_lists(tmp_path, name):
    table = pa.table(
        {
            "price": [Decimal("9.7"), Decimal("-0.3"), None],
            "large": pa.array([Decimal("1e40"), None, Decimal("2.5")], pa.decimal256(60, 5)),
            "bytes": [b"a\xff", None, b""],
            "id": pa.array([b"abc", b"def", b"ghi"], pa.binary(3)),
        }
    )
    write = pa.parquet.write_table if name == "a.parquet" else pa.feather.write_feather
    write(pa.concat_tables([table, table.slice(1)]), tmp_path / name)
    arrays = kaon.open(tmp_path / name)["events"].arrays()
    np.testing.assert_array_equal(arrays.price, [9.7, -0.3, np.nan, -0.3, np.nan])
    np.testing.assert_array_equal(arrays.large, [1e40, np.nan, 2.5, np.nan, 2.5])
    assert arrays.bytes.tolist() == [[97, 255], None, [], None, []]
    assert [bytes(row) for row in arrays.id] == [b"abc", b"def", b"ghi", b"def", b"ghi"]


@pytest.fixture
def two_tables(tmp_path):
    """The same columns in a file of Parquet, one of Feather and one of kaon."""
    paths = [tmp_path / name for name in ("a.parquet", "b.feather", "c.kaon")]
    pa.parquet.write_table(pa.table({"x": [1.0, 2.0, 3.0], "name": ["a", "b", "c"]}), paths[0])
    pa.feather.write_feather(pa.table({"x": [4.0], "name": ["d"]}), paths[1])
    with kaon.create(paths[2]) as out:
        out["events"].extend({"x": [5.0], "name": ["e"]})
    return paths


def test_tables_are_a_dataset(two_tables, tmp_path):
    table = two_tables[0]
    for files in (f"{table}:events", [table]):
        assert kaon.dataset(files, "events").filter("x > 1").sum("x").value == 5
    assert kaon.dataset(two_tables).filter("x > 1").sum("x").value == 14
    assert kaon.dataset(f"{tmp_path}/*.*:events").filter("name == 'd'").sum("x").value == 4
    assert kaon.dataset({"data": [table], "other": two_tables[1:]}).count().value == 5
    with pytest.raises(kaon.errors.UnknownNameError, match="has no category 'event'"):
        kaon.dataset(table, "event")
    damaged = table.with_name("damaged.parquet")
    damaged.write_bytes(table.read_bytes()[:100])
    with pytest.raises(kaon.errors.CorruptFileError, match="damaged.parquet"):
        float(kaon.dataset([table, damaged]).count())


def test_tables_are_read_one_after_another(two_tables, tmp_path):
    expected = [{"x": x, "name": name} for x, name in enumerate("abcde", 1)]
    assert kaon.concatenate(two_tables).tolist() == expected
    assert [len(piece) for piece in kaon.iterate(f"{tmp_path}/*.*:events")] == [3, 1, 1]
    kaon.convert(two_tables, tmp_path / "all.kaon")
    kaon.merge(two_tables, tmp_path / "merged.kaon")
    for name in ("all.kaon", "merged.kaon"):
        assert kaon.open(tmp_path / name)["events"].arrays().tolist() == expected
    train = kaon.train.Train(kaon.dataset(two_tables))
    train.add(tmp_path / "skim.kaon", "x > 2")
    train.run()
    assert kaon.open(tmp_path / "skim.kaon")["events"].arrays().x.tolist() == [3, 4, 5]


@pytest.mark.parametrize("copy", ["b.parquet", "b.kaon", "b.h5", "b.root"])
def test_missing_strings_are_missing_in_expressions_and_dataframes(tmp_path, copy):
    names = ["a", None, "", "b"]
    pa.parquet.write_table(pa.table({"name": names, "x": [1, 2, 3, 4]}), tmp_path / "a.parquet")
    if copy != "b.parquet":
        kaon.convert(tmp_path / "a.parquet", tmp_path / copy)
    path = tmp_path / ("a.parquet" if copy == "b.parquet" else copy)
    events = kaon.open(path)["events"]
    assert events.arrays("has(name)")["has(name)"].tolist() == [True, False, True, True]
    assert events.arrays("name == 'a'")["name == 'a'"].tolist() == [True, None, False, False]
    assert events.arrays("x", "name != 'a'").x.tolist() == [3, 4]
    assert events.arrays("column('name')")["column('name')"].tolist() == names
    flat = events.arrays(library="np")["name..value"]
    assert flat.tolist() == names and flat.mask.tolist() == [False, True, False, False]
    frame = events.arrays(["name"], library="pd")
    assert frame["name..value"].isna().tolist() == [*flat.mask]
    assert [frame.parameters.get("name") for frame in events.frames()] == names
    dataset = kaon.dataset(f"{path}:events")
    assert dataset.take("name").value.tolist() == names
    assert dataset.filter("name == 'b'").take("x").value.tolist() == [4]
    assert dataset.alias("other", "name").take("other").value.tolist() == names
    kept = dataset.filter("x != 3").snapshot(tmp_path / "kept.kaon").value
    assert kept.take("name").value.tolist() == ["a", None, "b"]
    with pytest.raises(kaon.Error, match="name.*may be missing"):
        dataset.define("y", lambda name: name, "name")


def test_tables_are_parents(tmp_path):
    table = pa.table({"met": np.arange(100.0), "n": np.arange(100)})
    pa.parquet.write_table(table, tmp_path / "events.parquet")
    train = kaon.train.Train(kaon.dataset(tmp_path / "events.parquet"))
    train.add(tmp_path / "skim.kaon", "met > 97", drop=["n"])
    train.add(tmp_path / "list.kaon", "met > 97", virtual=True)
    train.run()
    assert kaon.open(tmp_path / "skim.kaon")["events"].parents().arrays().n.tolist() == [98, 99]
    assert kaon.open(tmp_path / "list.kaon")["events"].arrays().n.tolist() == [98, 99]
    pa.parquet.write_table(table.slice(1), tmp_path / "events.parquet")
    with pytest.raises(kaon.errors.MissingFileError, match="or has changed"):
        kaon.open(tmp_path / "list.kaon")


def test_columns_of_one_name_are_refused(tmp_path):
    twice = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["b", "b"])
    for table in ({"a": twice}, {"a": pa.array([{"b": 1}]), "a.b": pa.array([2])}):
        out = kaon.create(tmp_path / "out.kaon", overwrite=True)
        with pytest.raises(kaon.errors.UsageError, match=r"'a\.b'"), out:
            out["events"].extend(pa.table(table))


def test_runs_of_values_are_the_values(tmp_path):
    ends = pa.array([2, 5], pa.int32())
    runs = {
        "gain": pa.RunEndEncodedArray.from_arrays(ends, pa.array([1.5, None])),
        "name": pa.RunEndEncodedArray.from_arrays(ends, pa.array([b"a", b"bc"])),
    }
    table = pa.table(runs)
    with pa.ipc.new_file(tmp_path / "a.feather", table.schema) as out:
        out.write_table(table.slice(1))
    arrays = kaon.open(tmp_path / "a.feather")["events"].arrays()
    np.testing.assert_array_equal(arrays.gain, [1.5, np.nan, np.nan, np.nan])
    assert arrays.name.tolist() == [[97], [98, 99], [98, 99], [98, 99]]


def write_to(path, table, rows=2):
    """Write a table in pieces: as Parquet, Feather or a stream, by the suffix."""
    if path.suffix == ".parquet":
        pa.parquet.write_table(table, path, row_group_size=rows)
    elif path.suffix == ".feather":
        pa.feather.write_feather(table, path, chunksize=rows)
    else:
        with pa.ipc.new_stream(path, table.schema) as out:
            out.write_table(table, max_chunksize=rows)


NAMES = ["a.parquet", "a.feather", "a.arrows"]
GAPS = {
    "x": [1.5, None, 2.5],
    "lists": [[0.5, None], [], None],
    "hits": [[{"e": None}], [], [{"e": 1.5}]],
    "n": [1, 2, None],
    "cells": [[{"id": 1, "at": {"x": 1}}, {"id": None, "at": None}], [], []],
    "ids": [[1, None], [], None],
    "good": [True, None, False],
    "at": [None, {"x": 1, "y": 2.5}, {"x": None, "y": 3.5}],
    "when": pa.array([5, None, 7], pa.timestamp("ns")),
    "code": pa.array([None, 6, 6]).dictionary_encode(),
    "pair": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
    "corners": pa.array([[1, None], [2, 3], [None, None]], pa.list_(pa.int32(), 2)),
    "grids": pa.array([[[1, None], [2, 3]], [], [None]], pa.list_(pa.list_(pa.int32(), 2))),
    "large": [2**53 + 1, None, -(2**63)],
    "name": ["a", None, ""],
    "label": pa.array(["x", None, "x"]).dictionary_encode(),
    "tags": [["a", None, ""], [], None],
    "who": [{"name": "ä", "id": 1}, {"name": None, "id": 2}, None],
    "tracks": [[{"name": None, "hits": [1]}, {"name": "b", "hits": None}], [], [None]],
    "deep": [[[1], None, []], [], [[None]]],
    "raw": [[b"a", None], [], [b""]],
    "run": [1, 2, 3],
}


FIXED = ("pair", "grids")
"""Columns with null arrays of fixed length, which pyarrow does not read back from Parquet."""


def with_nans(name, values):
    """Return the values of a column of GAPS as kaon reads them: floats that are null are NaN."""
    if name == "raw":
        return [[[97], None], [], [[]]]
    if name == "x":
        return [1.5, np.nan, 2.5]
    if name == "lists":
        return [[0.5, np.nan], [], None]
    return [[{"e": np.nan}], [], [{"e": 1.5}]] if name == "hits" else values


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("copy", ["b.kaon", "b.h5", "b.root", "b.feather"])
def test_missing_values_are_optionals_and_come_back(tmp_path, name, copy):
    gaps = {key: values for key, values in GAPS.items() if name != "a.parquet" or key not in FIXED}
    table = pa.table(gaps)
    write_to(tmp_path / name, table)
    events = kaon.open(tmp_path / name)["events"]
    kaon.convert(tmp_path / name, tmp_path / copy)
    again = kaon.open(tmp_path / copy)["events"]
    for key in gaps:
        expected = with_nans(key, table[key].cast(pa.int64()) if key == "when" else table[key])
        expected = expected if isinstance(expected, list) else expected.to_pylist()
        for category in (events, again):
            assert str(category.arrays([key])[key].tolist()) == str(expected), key
    assert again["when..value"].unit == events["when..value"].unit == "ns"
    assert again.typenames() == events.typenames()


@pytest.mark.parametrize("name", NAMES)
def test_columns_that_files_cannot_have_are_left_out_alone(tmp_path, name):
    table = pa.table(
        [
            pa.array([1, 2]),
            pa.array([3, 4]),
            pa.array([5, 6]),
            pa.array([7, 8]),
        ],
        names=["twice", "twice", "", "good"],
    )
    write_to(tmp_path / name, table)
    with pytest.warns(kaon.errors.UnreadMemberWarning) as warned:
        events = kaon.open(tmp_path / name)["events"]
    (message,) = [str(each.message) for each in warned]
    assert "2 columns are called 'twice'" in message
    assert "" in message
    assert events.arrays().tolist() == [{"good": 7}, {"good": 8}]
    with pytest.raises(kaon.errors.UnknownNameError):
        events.arrays("twice")


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_a_damaged_table_is_an_error(tmp_path, name):
    table = pa.table({"x": np.arange(1000)})
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    pa.feather.write_feather(table, tmp_path / "a.feather")
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(kaon.errors.CorruptFileError, match=name):
        kaon.open(tmp_path / name)


def test_unsupported_files_of_pyarrow_are_not_damaged(tmp_path):
    kinds = pa.array(["x", "y"] * 50).dictionary_encode()
    lists = pa.ListArray.from_arrays(np.arange(101, dtype=np.int32), kinds)
    pa.parquet.write_table(pa.table({"kinds": lists}), tmp_path / "a.parquet", row_group_size=9)
    with pytest.raises(
        kaon.errors.FormatError, match="a.parquet: pyarrow cannot read it: Nested data"
    ):
        kaon.open(tmp_path / "a.parquet")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.root")
    with pytest.raises(kaon.Error, match="is not a file"):
        kaon.open(tmp_path / "pipe.root")


def test_offsets_that_lead_out_of_a_table_are_an_error(tmp_path):
    path = tmp_path / "a.feather"
    lists = pa.array([[1, 2], [3], []], pa.list_(pa.int64()))
    pa.feather.write_feather(pa.table({"x": lists}), path, compression="uncompressed")
    before, after = (np.array(x, np.int32).tobytes() for x in ([0, 2, 3, 3], [0, 2, 9, 9]))
    data = path.read_bytes()
    assert data.count(before) == 1
    path.write_bytes(data.replace(before, after))
    with pytest.raises(kaon.errors.CorruptFileError, match=r"a.feather: In column 0: .*ffset"):
        kaon.open(path)


def test_only_one_category_becomes_a_table(path):
    out = path.with_name("a.parquet")
    with pytest.raises(
        kaon.errors.UsageError, match="holds one category, and .* has events, runs: name one"
    ):
        kaon.convert(path, out)
    with pytest.raises(kaon.errors.UsageError, match="give one input for a .* file, not 2"):
        kaon.convert([path, path], out)
    with pytest.raises(kaon.errors.UsageError, match="leave out `codec`"):
        kaon.convert(f"{path}:runs", out, codec="lz4")
    with kaon.create(path.with_name("nothing.kaon")) as file:
        file["events"].write(kaon.Frame())
    with pytest.raises(kaon.errors.UsageError, match="needs at least one column"):
        kaon.convert(path.with_name("nothing.kaon"), out)
    assert not out.exists()
    progress = []
    kaon.convert(f"{path}:runs", out, progress=progress.append)
    assert progress == [1]
    assert kaon.open(out)["runs"].arrays().number.tolist() == [7, 8]
    with pytest.raises(kaon.errors.ExistingFileError):
        kaon.convert(f"{path}:events", out)
    kaon.convert(f"{path}:events", path.with_name("table"), format="parquet")
    assert list(kaon.open(path.with_name("table"))) == ["events"]


def test_a_table_is_verified_by_reading_it(table_path):
    assert kaon.verify(table_path).is_sound
    with pytest.raises(
        kaon.errors.FormatError, match=f"{table_path.name}: .* whose sizes kaon does not know"
    ):
        kaon.open(table_path).size()
    table_path.write_bytes(table_path.read_bytes()[:500])
    with pytest.raises(kaon.errors.CorruptFileError, match=table_path.name):
        kaon.verify(table_path)


def test_a_table_that_cannot_be_written_leaves_nothing_behind(path, tmp_path):
    with pytest.raises(kaon.errors.FileError, match="nowhere"):
        kaon.convert(f"{path}:runs", tmp_path / "nowhere/a.parquet")
    data = bytearray(path.read_bytes())
    data[data.index(b"the first one")] ^= 1
    path.write_bytes(data)
    with pytest.raises(kaon.errors.FileError, match="a.parquet: .*checksum"):
        kaon.convert(f"{path}:events", path.with_name("a.parquet"))
    assert not [*path.parent.glob("a.parquet*")]


def test_the_command_converts_tables(path, command):
    table, again = path.with_name("a.parquet"), path.with_name("again.kaon")
    status, out, _ = command("convert", f"{path}:events", table)
    assert (status, out.startswith(f"{table}: ")) == (0, True)
    assert command("convert", table, again)[0] == 0
    assert kaon.open(again)["events"].arrays().weight.tolist() == [0.5, 1.5, 2.5]
    status, out, _ = command("show", table)
    assert status == 0
    assert f"{table}:events, 3 entries" in out


def test_without_pyarrow_errors_name_the_package_to_install(table_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=f"{table_path.name} needs pyarrow: pip install pyarrow"):
        kaon.open(table_path)
