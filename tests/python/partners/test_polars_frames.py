"""polars' lazy frames of many files: their rows equal eager ones, and only needed data are read."""

import math

import numpy as np
import pytest

import kaon

polars = pytest.importorskip("polars")
col = polars.col


@pytest.fixture
def read(monkeypatch):
    """Return the columns and numbers of entries that are read, as a list that grows."""
    read = []
    arrow = kaon.Category.arrow

    def noted(self, names=None, **options):
        if options.get("entry_stop"):
            read.append((names, options["entry_stop"] - options["entry_start"]))
        return arrow(self, names, **options)

    monkeypatch.setattr(kaon.Category, "arrow", noted)
    return read


def eager(runs):
    return kaon.polars.scan(runs).collect()


def test_has_the_rows_of_all_files(runs, everything):
    rows = kaon.polars.scan(runs).collect()
    assert rows.columns[:2] == ["Muon.pt", "Muon.eta"] and rows.columns[5:7] == ["MET", "run"]
    assert rows["MET"].to_list() == everything.MET.tolist()
    assert rows["Muon.pt"].to_list() == everything.Muon.pt.tolist()


def test_collections_may_be_whole(runs, everything):
    rows = kaon.polars.scan(runs, ["Muon", "run"], flat=False).collect()
    assert rows.columns == ["Muon", "run"]
    assert rows["Muon"].to_list() == everything.Muon.tolist()


def test_reads_the_columns_that_are_needed(runs, read, everything):
    greatest = kaon.polars.scan(runs).select(col("Muon.pt").list.max().max()).collect().item()
    assert greatest == max(map(max, filter(len, everything.Muon.pt.tolist())))
    assert {tuple(names) for names, _ in read} == {("Muon.pt",)}


@pytest.mark.parametrize(
    "condition, runs_read",
    [
        (col("run") == 4321, range(4321, 4322)),
        (col("run") < 700, range(700)),
        (700 > col("run"), range(700)),
        (col("run") >= 7000, range(7000, 8000)),
        (col("run").is_between(2300, 2700), range(2300, 2701)),
        ((col("run") < 100) | (col("run") > 7900), [*range(100), *range(7901, 8000)]),
        ((col("run") > 1000) & (col("MET") > -1) & (col("run") <= 1400), range(1001, 1401)),
    ],
)
def test_reads_pages_that_can_pass(runs, read, condition, runs_read):
    passed = kaon.polars.scan(runs).filter(condition).select("run").collect()
    assert passed["run"].to_list() == [*runs_read]
    assert 0 < sum(count for _, count in read) <= len(runs_read) + 1500  # fewer than all 8000


@pytest.mark.parametrize(
    "condition",
    [
        col("MET") > 50,
        ~(col("MET") > 50),
        col("MET") != 50,
        col("MET") > 1e9,
        col("run") + 1 < 10,
        col("run") > 10.5,
        col("run").is_in([3, 7000]),
        col("Muon.pt").list.len() > 3,
        col("Muon.pt").list.max() > 99,
        (col("run") == 3) | (col("Muon.pt").list.len() > 3),
        polars.lit(True),
        col("MET").is_nan(),
    ],
    ids=str,
)
def test_rows_are_those_that_polars_would_choose(runs, condition):
    assert kaon.polars.scan(runs).filter(condition).collect().equals(eager(runs).filter(condition))


@pytest.mark.parametrize("value", [math.nan, math.inf, 0.0, 1.5, 0.1])
@pytest.mark.parametrize("op", ["__gt__", "__ge__", "__lt__", "__le__", "__eq__", "__ne__"])
def test_nans_and_infinities_are_compared_as_polars_does(tmp_path, op, value):
    mixed = [0.1, math.nan] * 250
    numbers = np.array([math.nan] * 500 + mixed + [0.1] * 500 + [1, 2] * 250 + [math.inf] * 500)
    with kaon.create(tmp_path / "nan.kaon", cluster_entries=500) as out:
        for i in range(0, 2500, 500):
            some = numbers[i : i + 500]
            out["events"].extend({"x": some, "f": some.astype(np.float32)})
    path = f"{tmp_path}/nan.kaon:events"
    for name in ("x", "f"):
        condition = getattr(col(name), op)(value)
        rows = kaon.polars.scan(path).filter(condition).collect()
        assert rows.equals(eager(path).filter(condition))


@pytest.mark.parametrize("op", ["__gt__", "__ge__", "__lt__", "__le__", "__eq__", "__ne__"])
@pytest.mark.parametrize("dtype", ["u8", "i8"])
def test_whole_numbers_are_compared_exactly(tmp_path, op, dtype):
    largest = np.iinfo(dtype).max
    with kaon.create(tmp_path / "large.kaon", cluster_entries=2) as out:
        numbers = [largest, largest - 1, largest - 2, largest - 3, 0, 1]
        out["events"].extend({"x": np.array(numbers, dtype)})
    path = f"{tmp_path}/large.kaon:events"
    for value in (largest, largest - 1, largest - 2):
        condition = getattr(col("x"), op)(polars.lit(value, eager(path)["x"].dtype))
        assert (
            kaon.polars.scan(path).filter(condition).collect().equals(eager(path).filter(condition))
        )


def test_columns_that_events_lack_are_null(tmp_path):
    with kaon.create(tmp_path / "late.kaon", cluster_entries=100) as out:
        out["events"].extend({"run": np.arange(100), "scales": [[1.5], None] * 50})
    rows = (
        kaon.polars.scan(f"{tmp_path}/late.kaon:events").filter(col("scales").is_null()).collect()
    )
    assert rows["run"].to_list() == [*range(1, 100, 2)]


def test_stops_reading_where_rows_are_limited(runs, read):
    assert kaon.polars.scan(runs, step_size=500).head(10).collect()["run"].to_list() == [*range(10)]
    assert sum(count for _, count in read) == 10
    limited = kaon.polars.scan(runs, step_size=500).head(700).filter(col("run") > 690).collect()
    assert limited["run"].to_list() == [*range(691, 700)]


def test_streams_and_counts(runs):
    lazy = kaon.polars.scan(runs, step_size=500)
    assert lazy.select(polars.len()).collect().item() == 8000
    means = lazy.group_by(col("run") // 4000).agg(col("MET").mean())
    assert means.collect(engine="streaming").height == 2


def test_missing_columns_are_errors(runs):
    with pytest.raises(kaon.errors.UnknownNameError, match="MTE.*MET"):
        kaon.polars.scan(runs, "MTE")
    with pytest.raises(polars.exceptions.ColumnNotFoundError, match="MTE"):
        kaon.polars.scan(runs).select("MTE").collect()


def test_files_that_differ_are_an_error(runs, tmp_path):
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"MET": [1, 2], "run": [1, 2], "weight": [1.0, 2.0]})
    both = [runs, f"{tmp_path}/other.kaon:events"]
    assert kaon.polars.scan(both, ["run"]).collect().shape == (8002, 1)
    with pytest.raises(kaon.errors.UsageError, match="other.kaon.*other types than those"):
        kaon.polars.scan(both, ["MET", "run"]).collect()
    with pytest.raises(kaon.errors.UnknownNameError, match="other.kaon.*no 'Muon"):
        kaon.polars.scan(both).collect()
    more = [runs.replace("*", "c"), f"{tmp_path}/more.kaon:events"]
    with kaon.create(tmp_path / "more.kaon") as out:
        data = kaon.open(runs.replace("*", "c")).arrays(entry_stop=5)
        out["events"].extend({"weight": [1.0] * 5, **{name: data[name] for name in data.fields}})
    for flat in (True, False):
        frame = kaon.polars.scan(more, flat=flat).collect()
        assert frame.height == 1005 and "weight" not in frame.columns
