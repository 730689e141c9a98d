"""Columns for users who know Arrow, and entries from Arrow."""

import gc
import sys
from datetime import datetime, timedelta
from decimal import Decimal

import awkward as ak
import duckdb
import nanoarrow
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kaon


def test_a_category_is_a_table_of_its_arrays(events, plain):
    table = pa.table(events)
    table.validate(full=True)
    assert table.column_names == events.arrays().fields
    assert table.to_pylist() == plain(events.arrays())


def test_entries_and_columns_can_be_chosen(events, plain):
    names = ["weight", "Particles.momentum", "Hits.particle"]
    some = pa.table(events.arrow(names, entry_start=-2))
    some.validate(full=True)
    assert some.to_pylist() == plain(events.arrays(names, entry_start=-2))
    assert pa.table(events.arrow(filter_name="*.PDG")).to_pylist() == plain(
        events.arrays("Particles.PDG")
    )
    columns = events.arrow(names)
    assert len(columns) == 3
    assert repr(columns) == f"<ArrowColumns of '{events.file_path}:events': 6 columns, 3 entries>"
    with pytest.raises(kaon.errors.UsageError, match="'2 . weight' is not a stored column; arrays"):
        events.arrow("2 * weight")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'weight'"):
        events.arrow("weigth")


def test_flat_columns_are_called_as_the_keys(events):
    table = pa.table(events.arrow(flat=True))
    table.validate(full=True)
    assert table.column_names == events.keys()
    assert table["Particles.momentum.x"].to_pylist() == [[3, 0, 0], [], [0]]
    assert table["Particles.qualities.chi2"].to_pylist() == [[[], [[1, 2]], []], [], [[]]]
    assert table["Hits.particle.collection"].to_pylist() == [["Particles", None], [], None]
    assert table["triggers"].to_pylist() == [["electron", "muon"], [], ["photon"]]


def test_units_descriptions_and_datatypes_are_metadata(events):
    particles = pa.table(events).schema.field("Particles")
    assert particles.metadata == {b"description": b"A particle", b"datatype": b"demo::Particle"}
    mass = particles.type.value_type.field("mass")
    assert mass.metadata == {b"unit": b"GeV", b"description": b"rest mass"}
    flat = pa.table(events.arrow("Particles.mass", flat=True)).schema.field(0)
    assert flat.metadata == mass.metadata


def test_fields_that_may_be_absent_may_be_null(events):
    schema = pa.table(events).schema
    assert schema.field("Hits").nullable
    assert not schema.field("weight").nullable
    assert not schema.field("Particles").type.value_field.nullable
    assert pa.schema(events) == schema  # this needs no data


GRIDS = """\
schema_version: 1
components:
  Cell: { Members: ["float x // of it", "std::array<int16_t, 2> counts // of it"] }
  Row: { Members: ["std::array<Cell, 4> cells // of it", "double gain // of it"] }
  Plane: { Members: ["std::array<Row, 2> rows // of it"] }
datatypes:
  Grid:
    Description: "Arrays in arrays"
    Author: "me"
    Members:
      - std::array<Plane, 3> planes // of it
      - std::optional<std::array<Row, 3>> spare // rows, if any
"""


def test_arrays_of_components_lie_in_arrays_of_components(tmp_path):
    (tmp_path / "grids.yaml").write_text(GRIDS)
    model = kaon.load_model(tmp_path / "grids.yaml")
    numbers = iter(range(1000))

    def row():
        cells = [{"x": next(numbers), "counts": [next(numbers), next(numbers)]} for _ in range(4)]
        return {"cells": cells, "gain": next(numbers)}

    event = kaon.Frame()
    event["Grids"] = grids = kaon.Collection(model.Grid)
    for spare in ([row(), row(), row()], None):
        grids.create(planes=[{"rows": [row(), row()]} for _ in range(3)], spare=spare)
    with kaon.create(tmp_path / "grids.kaon", model=model) as out:
        out["events"].write(event)
    table = pa.table(kaon.open(tmp_path / "grids.kaon")["events"])
    table.validate(full=True)
    assert table["Grids"].to_pylist() == [[grid.to_dict() for grid in grids]]
    with kaon.create(tmp_path / "copy.kaon", model=model, types={"Grids": "Grid"}) as out:
        out["events"].extend(table)
    (read,) = kaon.open(tmp_path / "copy.kaon")["events"].frames()
    assert [grid.to_dict() for grid in read["Grids"]] == [grid.to_dict() for grid in grids]


def test_polars_takes_categories(events):
    frame = pl.DataFrame(events)
    assert frame["weight"].to_list() == [0.5, 1.5, 2.5]
    assert frame["Particles"].list.len().to_list() == [3, 0, 1]
    assert frame["Hits"].null_count() == 1
    pdg = frame["Particles"].explode().struct.field("PDG")
    assert pdg.drop_nulls().to_list() == [23, 11, -11, 22]


def test_duckdb_takes_categories_by_the_names_of_variables(events):
    query = "select weight, len(Particles), Particles[1].momentum.y from events order by weight"
    assert duckdb.sql(query).fetchall() == [(0.5, 3, 4.0), (1.5, 0, None), (2.5, 1, 0.0)]
    muons = events.arrow(["Particles.PDG"], flat=True)
    assert muons is not None
    query = 'select sum(list_sum("Particles.PDG")) from muons'
    assert duckdb.sql(query).fetchall() == [(45,)]


def test_a_file_is_the_table_of_its_only_category_or_of_events(path, events, tmp_path):
    file = kaon.open(path)  # the categories are events and runs
    assert duckdb.sql("select weight from file").fetchall() == [(0.5,), (1.5,), (2.5,)]
    assert pa.table(file) == pa.table(events) and pa.schema(file) == pa.schema(events)
    with kaon.create(tmp_path / "runs.kaon") as out:
        out["runs"].extend({"number": [7, 8]})
    assert pa.table(kaon.open(tmp_path / "runs.kaon"))["number"].to_pylist() == [7, 8]
    with kaon.append(tmp_path / "runs.kaon") as out:
        out["lumis"].extend({"number": [1]})
    file = kaon.open(tmp_path / "runs.kaon")
    with pytest.raises(
        duckdb.Error, match=r"name one of the categories runs, lumis: file\['CATEGORY'\]"
    ):
        duckdb.sql("from file")


def test_pandas_and_nanoarrow_take_categories(events):
    if hasattr(pd.DataFrame, "from_arrow"):  # since pandas 3
        frame = pd.DataFrame.from_arrow(events.arrow(["weight", "Particles.PDG"], flat=True))
        assert frame["weight"].tolist() == [0.5, 1.5, 2.5]
        assert [list(pdg) for pdg in frame["Particles.PDG"]] == [[23, 11, -11], [], [22]]
    array = nanoarrow.Array(events.arrow("Particles.weights"))
    assert array.to_pylist()[0]["Particles"][1] == {"weights": [1.5, 2.5]}


def test_a_stream_that_nobody_takes_is_released(events):
    before = sys.getrefcount(events)
    for _ in range(3):
        stream = events.__arrow_c_stream__()
        assert stream is not None
        del stream
        assert events.__arrow_c_schema__() is not None
    gc.collect()
    assert sys.getrefcount(events) == before


def test_arrays_outlive_the_file(path):
    with kaon.open(path) as file:
        reader = pa.RecordBatchReader.from_stream(file["events"])
    del file
    table = reader.read_all()
    del reader
    gc.collect()
    assert table["weight"].to_pylist() == [0.5, 1.5, 2.5]


@pytest.fixture
def many(tmp_path):
    """A file with several clusters; in `damaged.kaon` the last one is damaged."""
    path = tmp_path / "many.kaon"
    numbers = np.arange(20000, dtype=np.int64) * 0x9E3779B97F4A7C1
    with kaon.create(path, cluster_entries=5000, codec="none") as out:
        out["events"].extend({"x": numbers})
    data = bytearray(path.read_bytes())
    data[data.rindex(numbers[-8:-4].tobytes())] ^= 1
    path.with_name("damaged.kaon").write_bytes(data)
    return path


def test_a_stream_has_a_piece_for_each_cluster_or_less(many):
    events = kaon.open(many)["events"]
    pieces = [batch.num_rows for batch in pa.RecordBatchReader.from_stream(events)]
    assert pieces == [5000] * 4
    small = pa.RecordBatchReader.from_stream(events.arrow(piece_size="8 kB"))
    assert {batch.num_rows for batch in small} == {1000}
    assert pa.table(events)["x"].to_pylist() == events.arrays().x.tolist()


def test_a_damaged_file_is_an_error_that_says_where(many):
    events = kaon.open(many.with_name("damaged.kaon"))["events"]
    reader = pa.RecordBatchReader.from_stream(events)
    for _ in range(3):
        assert reader.read_next_batch().num_rows == 5000
    with pytest.raises(OSError, match="damaged.kaon:events: .*checksum"):
        reader.read_next_batch()
    with pytest.raises(kaon.errors.UsageError, match="the stream of entries failed: .*checksum"):
        with kaon.create(many.with_name("copy.kaon")) as out:
            out["events"].extend(events)


@pytest.mark.parametrize("take", [lambda e: e, pa.table, pl.DataFrame], ids=["kaon", "pa", "pl"])
def test_tables_of_kaon_are_written_with_their_types(events, model, tmp_path, take):
    with kaon.create(tmp_path / "copy.kaon", model=model) as out:
        out["events"].extend(take(events))
    copy = kaon.open(tmp_path / "copy.kaon")["events"]
    assert pa.table(copy).to_pylist() == pa.table(events).to_pylist()
    assert copy.arrays().Particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]]


def test_tables_need_no_model(tmp_path):
    frame = pd.DataFrame({"run": [1, 2], "name": ["x", "y"], "energies": [[1.5, 2.5], []]})
    table = pa.table({"jets": [[{"pt": 1.5, "hits": [1, 2]}], []], "absent": [[1], None]})
    with kaon.create(tmp_path / "frame.kaon") as out:
        out["runs"].extend(frame)
        out["events"].extend(table)
        out["events"].extend(table.slice(0, 1))
    file = kaon.open(tmp_path / "frame.kaon")
    assert file["runs"].arrays().tolist() == [
        {"run": 1, "name": "x", "energies": [1.5, 2.5]},
        {"run": 2, "name": "y", "energies": []},
    ]
    assert pa.table(file["events"]).to_pylist() == [*table.to_pylist(), table.to_pylist()[0]]


def test_arrays_of_one_number_stay_lists(tmp_path):
    one = pa.list_(pa.float64(), 1)
    hits = pa.list_(pa.struct([("charge", one)]))
    table = pa.table(
        {
            "score": pa.array([[0.5], None], one),
            "scores": pa.array([[[1.0], [2.0]], []], pa.list_(one)),
            "hits": pa.array([[{"charge": [1.5]}], []], hits),
        }
    )
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(table)
    assert kaon.open(tmp_path / "a.kaon:events").arrays().tolist() == table.to_pylist()


@pytest.mark.parametrize("library", [pd, pl, pa], ids=["pd", "pl", "pa"])
def test_missing_floats_of_tables_are_nan(tmp_path, library):
    columns = {"x": [1.5, None], "e": [[None, 0.5], []], "f": [np.float32(0.5), None]}
    table = pa.table(columns) if library is pa else library.DataFrame(columns)
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(table)
    assert str(kaon.open(tmp_path / "a.kaon:events").arrays().tolist()) == str(
        [{"x": 1.5, "e": [np.nan, 0.5], "f": 0.5}, {"x": np.nan, "e": [], "f": np.nan}]
    )


def test_an_index_of_pandas_is_no_column(tmp_path):
    frame = pd.DataFrame({"x": [1.5, 0.5, 2.5, 0.5, 3.5]})
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(frame[:1])
        out["events"].extend(frame[frame.x > 1])  # its index is 0, 2, 4
        out["events"].extend(frame.set_index(frame.x.rename("named")))
    arrays = kaon.open(tmp_path / "a.kaon:events").arrays()
    assert arrays.fields == ["x"]
    assert arrays.x.tolist() == [1.5, 1.5, 2.5, 3.5, 1.5, 0.5, 2.5, 0.5, 3.5]


@pytest.mark.parametrize("library", [pd, pl, pa], ids=["pd", "pl", "pa"])
def test_strings_of_tables_are_one_an_entry(tmp_path, library):
    make = pa.table if library is pa else library.DataFrame
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(make({"name": ["a", "größer"]}))
        out["events"].extend(make({"name": ["c", ""]}))
    events = kaon.open(tmp_path / "a.kaon:events")
    assert events.typenames() == {"name": "string"}
    assert events.arrays().name.tolist() == ["a", "größer", "c", ""]


TIMES = [datetime(2026, 5, 4, 3, 2, 1, 500000), datetime(1969, 12, 31)]


@pytest.mark.parametrize("library", [pd, pl, pa], ids=["pd", "pl", "pa"])
def test_times_decimals_and_bytes_of_tables_are_numbers(tmp_path, library):
    columns = {
        "at": TIMES,
        "day": [time.date() for time in TIMES],
        "took": [timedelta(seconds=1.5), timedelta(days=-1)],
        "price": [Decimal("9.7"), Decimal("-12345678901234567890.5")],
        "raw": [b"a\xff", b""],
    }
    table = pa.table(columns) if library is pa else library.DataFrame(columns)
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(table)
    events = kaon.open(tmp_path / "a.kaon:events")
    arrays = events.arrays()
    for name in ("at", "took"):
        ticks = np.asarray(arrays[name]) * np.timedelta64(1, events[name].unit)
        expected = np.array(columns[name], f"{'M' if name == 'at' else 'm'}8[us]")
        assert (np.asarray(ticks + expected.dtype.type(0, "us")) == expected).all()
    assert events["day"].unit == "d"
    assert arrays.day.tolist() == [20577, -1]
    assert arrays.price.tolist() == [9.7, -12345678901234567890.5]
    assert arrays.raw.tolist() == [[97, 255], []]


def test_times_of_numpy_are_those_of_tables(tmp_path):
    at = np.array(TIMES, "M8[ns]")
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"at": at, "cells": ak.unflatten(at - at[1], [2, 0])})
        out["events"].extend({"at": pd.Series(at), "cells": [[], []]})
        out["hits"].extend({"hits": ak.zip({"at": ak.unflatten(at, [2])})})
        with pytest.raises(kaon.errors.UsageError, match="'at' has the unit us, but ns in"):
            out["events"].extend({"at": at.astype("M8[us]"), "cells": [[], []]})
        with pytest.raises(kaon.errors.UsageError, match=r"'at' has missing values \(NaT\)"):
            out["events"].extend({"at": np.array(["NaT"], "M8[ns]"), "cells": [[]]})
        with pytest.raises(
            kaon.errors.WrongTypeError, match=r"'h' has .* datetime64\[h\], .*8\[s\]"
        ):
            out["others"].extend({"h": at.astype("M8[h]")})
    events, hits = (kaon.open(tmp_path / f"a.kaon:{name}") for name in ("events", "hits"))
    assert (np.asarray(events.arrays().at).view("M8[ns]") == np.tile(at, 2)).all()
    assert [events[name].unit for name in events] == ["ns", "ns"]
    assert (hits["hits.at"].unit, ak.sum(hits.arrays().hits.at)) == ("ns", at.view("i8").sum())


def test_series_with_missing_values_are_optionals(tmp_path):
    large = 2**60 + 1  # no float64 has this value
    given = [
        (pd.Series([large, None], dtype="Int64"), [large, None]),
        (pd.Series([True, None], dtype="boolean"), [True, None]),
        (pd.array([large, None], dtype="Int64"), [large, None]),
        (pl.Series([large, None]), [large, None]),
        (pa.array([large, None]), [large, None]),
        (pa.chunked_array([[large], [None]]), [large, None]),
        (pd.Series(["a", None], dtype="string"), ["a", None]),
        (pl.Series(["a", None]), ["a", None]),
        (pa.array(["a", None]), ["a", None]),
        (pd.Series(["a", None], dtype="category"), ["a", None]),
        (pa.array([["a", None], None]), [["a", None], None]),
    ]
    with kaon.create(tmp_path / "a.kaon") as out:
        for number, (series, _) in enumerate(given):
            out[f"series{number}"].extend({"x": series})
        for number, series in enumerate([pd.Series([1.5, None]), pl.Series([1.5, None])]):
            out[f"floats{number}"].extend({"x": series})
    file = kaon.open(tmp_path / "a.kaon")
    for number, (_, values) in enumerate(given):
        assert file[f"series{number}"].arrays().x.tolist() == values
    for number in range(2):
        assert file[f"floats{number}"].arrays().x.tolist() == pytest.approx(
            [1.5, np.nan], nan_ok=True
        )


COLUMNS = {
    "n": [2**53 + 1, None, -(2**63)],
    "u": pa.array([2**64 - 1, None, 0], pa.uint64()),
    "good": [True, None, False],
    "when": pa.array([2**53 + 1, None, 0], pa.timestamp("ns")),
    "day": pa.array([19000, None, 0], pa.date32()),
    "name": ["a", None, ""],
    "tags": [["a", None], None, []],
    "at": [{"x": 1, "name": None}, None, {"x": None, "name": "b"}],
    "hits": [[{"cell": None, "name": "a"}, None], [], [{"cell": 3, "name": None}]],
    "lists": [[[1, None], None], [], [[]]],
}


def test_tables_with_missing_values_come_back(tmp_path):
    table = pa.table(COLUMNS)
    tables = {
        "pyarrow": table,
        "batch": table.to_batches()[0],
        "pieces": pa.concat_tables([table.slice(0, 1), table.slice(1)]),  # the first lacks nulls
        "reader": pa.RecordBatchReader.from_batches(table.schema, table.to_batches()),
        "polars": pl.DataFrame(table),
        "pandas": table.to_pandas(types_mapper=pd.ArrowDtype),
    }
    with kaon.create(tmp_path / "a.kaon") as out:
        for name, each in tables.items():
            out[name].extend(each)
    integers = [pa.field("when", pa.int64()), pa.field("day", pa.int32())]
    plain = table.set_column(3, integers[0], table["when"].cast(pa.int64()))
    plain = plain.set_column(4, integers[1], table["day"].cast(pa.int32()))
    for name in tables:
        category = kaon.open(tmp_path / "a.kaon")[name]
        assert category.arrays().tolist() == plain.to_pylist(), name
        assert pa.table(category).to_pylist() == plain.to_pylist(), name
        assert category.arrays(library="pl")["name"].to_list() == ["a", None, ""]
        frame = category.arrays(["n", "name"], library="pd")
        assert frame.isna().sum().sum() == 2


def test_missing_values_that_come_late_raise(tmp_path):
    whole, holes = (
        pa.table({"n": [1, 2], "s": ["a", "b"]}),
        pa.table({"n": [3, 4], "s": ["c", None]}),
    )
    batches = [*whole.to_batches(), *holes.to_batches()]
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(whole)
        message = "'s' has missing values, which earlier entries do not have: fill them"
        with pytest.raises(kaon.errors.UsageError, match=message):
            out["events"].extend(holes)
        with pytest.raises(kaon.errors.UsageError, match=message):
            out["others"].extend(pa.RecordBatchReader.from_batches(whole.schema, batches))
        out["holes"].extend(holes)
        out["holes"].extend(whole)
    file = kaon.open(tmp_path / "a.kaon")
    assert file["events"].arrays().s.tolist() == ["a", "b"]
    assert file["holes"].arrays().s.tolist() == ["c", None, "a", "b"]


def test_times_of_series_with_a_zone_are_those_of_utc(tmp_path):
    at = pd.Series(pd.to_datetime(["2026-05-04T03:02:01+02:00", "1969-12-31T00:00:00+02:00"]))
    with kaon.create(tmp_path / "a.kaon") as out:
        out["series"].extend({"at": at})
        out["indices"].extend({"at": pd.Index(at)})
        out["tables"].extend(pd.DataFrame({"at": at}))
    file = kaon.open(tmp_path / "a.kaon")
    tables = file["tables"]
    for name in ("series", "indices"):
        assert file[name]["at"].unit == tables["at"].unit
        assert file[name].arrays().at.tolist() == tables.arrays().at.tolist()


def test_decimals_are_the_nearest_floats(tmp_path):
    rng = np.random.default_rng(3)
    digits = ["".join(map(str, rng.integers(0, 10, size))) for size in rng.integers(1, 46, 500)]
    prices = [Decimal(f"{'-' * int(rng.integers(2))}{text}E-{rng.integers(30)}") for text in digits]
    price = pa.array(map(str, prices)).cast(pa.decimal256(76, 30))
    table = pa.table({"price": price})
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend(table)
    read = kaon.open(tmp_path / "a.kaon:events").arrays().price
    assert read.tolist() == [float(price) for price in prices]


def test_data_without_entries_are_refused(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        with pytest.raises(
            kaon.errors.UsageError, match="a.kaon:events: a stream of entries must have"
        ):
            out["events"].extend(pa.chunked_array([[1, 2]]))
        with pytest.raises(
            kaon.errors.WrongTypeError, match="'x' is null everywhere and has no type"
        ):
            out["events"].extend(pa.table({"x": pa.nulls(2)}))
        with pytest.raises(
            kaon.errors.WrongTypeError, match="cannot be read as a stream of Arrow: .*Conversion"
        ):
            out["events"].extend(pd.DataFrame({"x": [1, "a"]}))
        with pytest.raises(
            kaon.errors.WrongTypeError, match="a.kaon:events: 'x' has Python objects"
        ):
            out["events"].extend(pl.DataFrame({"x": [object()]}))
        with pytest.raises(
            kaon.errors.UsageError, match="a.kaon:events: a stream of entries must have"
        ):
            out["events"].extend(pl.Series([1, 2]))
        out["events"].extend(pa.table({"x": [1, 2]}))
    assert kaon.open(tmp_path / "a.kaon:events").arrays().x.tolist() == [1, 2]


def test_tables_are_written_without_pyarrow(events, model, monkeypatch, tmp_path):
    frame, expected = pl.DataFrame({"x": [1, 2], "name": ["a", None]}), pa.table(events).to_pylist()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with kaon.create(tmp_path / "frame.kaon") as out:
        out["events"].extend(frame)
        out["events"].extend(frame.clear())
    with kaon.create(tmp_path / "copy.kaon", model=model) as out:
        out["events"].extend(events.arrow())
    monkeypatch.undo()
    frames = kaon.open(tmp_path / "frame.kaon:events").arrays()
    assert frames.tolist() == [{"x": 1, "name": "a"}, {"x": 2, "name": None}]
    assert pa.table(kaon.open(tmp_path / "copy.kaon:events")).to_pylist() == expected


def test_without_pyarrow_errors_name_the_package_to_install(events, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="library='pandas' needs pyarrow: pip install pyarrow"):
        events.arrays(library="pandas")
    assert pl.DataFrame(events.arrow("weight"))["weight"].sum() == 4.5  # needs polars alone
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="library='pl' needs polars: pip install polars"):
        events.arrays(library="pl")
