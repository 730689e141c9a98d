"""Results of dataframes in other libraries, in files, in histograms and in arithmetic."""

from __future__ import annotations

import re
from pathlib import Path

import awkward as ak
import hist
import numpy as np
import pytest

import kaon
from kaon import other_names

EVENTS = 500


@pytest.fixture(scope="module")
def data() -> ak.Array:
    random = np.random.default_rng(3)
    counts = random.integers(0, 5, EVENTS)

    def lists(low: float, high: float) -> ak.Array:
        return ak.unflatten(random.uniform(low, high, counts.sum()).astype(np.float32), counts)

    muons = {"pt": lists(5, 100), "eta": lists(-3, 3), "phi": lists(-3, 3), "mass": lists(0.1, 0.2)}
    names = ["barrel", "endcap", "forward"]
    return ak.zip(
        {
            "Muon": ak.zip(muons),
            "met": random.uniform(0, 100, EVENTS),
            "region": ak.Array([names[i] for i in random.integers(0, 3, EVENTS)]),
            "labels": ak.Array([[names[i]] * (i % 3) for i in random.integers(0, 3, EVENTS)]),
        },
        depth_limit=1,
    )


@pytest.fixture(scope="module")
def path(data: ak.Array, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "events.kaon"
    with kaon.create(path) as out:
        out["events"].extend(data)
    return path


@pytest.fixture
def events(path: Path) -> kaon.Dataframe:
    return kaon.dataset(path, "events")


@pytest.fixture
def good(events: kaon.Dataframe) -> kaon.Dataframe:
    return events.define("good", "Muon[Muon.pt > 20]").filter("count(good) >= 2")


@pytest.fixture
def truth(data: ak.Array) -> ak.Array:
    good = data.Muon[data.Muon.pt > 20]
    return ak.with_field(data, good, "good")[ak.num(good) >= 2]


# ---- Arrays ----


def test_arrays_have_columns_and_objects_after_filters(
    good: kaon.Dataframe, truth: ak.Array
) -> None:
    arrays = good.arrays(["good", "met", "max(good.pt)"]).value
    assert arrays.fields == ["good", "met", "max(good.pt)"]
    assert ak.array_equal(arrays.good.eta, truth.good.eta)
    assert arrays.met.tolist() == truth.met.tolist()
    assert arrays["max(good.pt)"].tolist() == ak.max(truth.good.pt, axis=1).tolist()


def test_arrays_are_computed_in_one_pass(events: kaon.Dataframe) -> None:
    seen: list[int] = []

    def counted(met: np.ndarray) -> np.ndarray:
        seen.append(len(met))
        return met

    frame = events.define("seen", counted, "met")
    arrays, total = frame.arrays(["seen", "Muon", "2 * seen"]), frame.sum("seen")
    kaon.run(arrays, total)
    assert arrays.is_done and sum(seen) == EVENTS
    assert float(total) == pytest.approx(np.sum(arrays.value.seen))


def test_objects_are_vectors(good: kaon.Dataframe) -> None:
    pytest.importorskip("vector")
    masses = good.define("m", "(good[0] + good[1]).mass")
    arrays = masses.arrays(["good", "m"]).value
    pairs = (arrays.good[:, 0] + arrays.good[:, 1]).mass
    np.testing.assert_allclose(pairs, arrays.m, rtol=1e-3)


def test_arrays_come_in_each_library(good: kaon.Dataframe, truth: ak.Array) -> None:
    names = ["good", "met", "region"]
    flat = good.arrays(names, library="np").value
    assert flat["good.pt"].tolist() == ak.flatten(truth.good.pt).tolist()
    assert np.diff(flat.offsets("good.pt")).tolist() == ak.num(truth.good).tolist()
    assert flat["region"].tolist() == truth.region.tolist()

    table = good.arrays(names, library="arrow").value
    assert table.column_names == names
    assert table["good"][0].as_py() == truth.good[0].tolist()
    polars = pytest.importorskip("polars")
    frame = good.arrays(names, library="pl").value
    assert isinstance(frame, polars.DataFrame) and frame["met"].to_list() == truth.met.tolist()
    pandas = good.arrays(names, library="pd").value
    assert list(pandas) == [*(f"good.{m}" for m in truth.good.fields), "met", "region"]
    assert pandas["good.pt"].iloc[0] == pytest.approx(truth.good.pt[0].tolist())

    met, pt = good.arrays(["met", "good.pt"], how=tuple).value
    assert met.tolist() == truth.met.tolist() and ak.array_equal(pt, truth.good.pt)


def test_objects_are_taken(good: kaon.Dataframe, truth: ak.Array) -> None:
    assert ak.array_equal(good.take("good").value.phi, truth.good.phi)
    leading = good.define("leading", "good[argmax(good.pt)]").take("leading").value
    assert leading.pt.tolist() == ak.max(truth.good.pt, axis=1).tolist()
    pairs = good.take("combinations(good, 2)").value
    expected = ak.combinations(truth.good, 2)
    assert ak.array_equal(pairs.second.eta, expected["1"].eta)
    total = good.take("sum(good)").value
    assert total.fields == ["pt", "eta", "phi", "mass"] and len(total) == len(truth)


def test_arrays_have_variations(events: kaon.Dataframe, data: ak.Array) -> None:
    varied = events.vary("met", {"up": "2 * met"}).arrays(["met", "Muon"])
    assert varied.variations()["up"].value.met.tolist() == (2 * data.met).tolist()


# ---- Snapshots ----


@pytest.mark.parametrize("suffix", [".kaon", ".root", ".h5", ".parquet", ".feather"])
def test_named_objects_are_saved(
    good: kaon.Dataframe, truth: ak.Array, tmp_path: Path, suffix: str, request: object
) -> None:
    if suffix == ".h5":
        request.getfixturevalue("hdf5")  # type: ignore[attr-defined]
    out = tmp_path / f"good{suffix}"
    saved = good.snapshot(out, ["good", "met"]).value
    assert saved.count().value == len(truth)
    (category,) = kaon.open(out).values()
    arrays = category.arrays()
    for name in truth.good.fields:
        assert ak.array_equal(arrays.good[name], truth.good[name])
    assert arrays.met.tolist() == truth.met.tolist()
    assert not list(tmp_path.glob("*.part*"))


def test_single_members_and_pairs_are_saved(
    good: kaon.Dataframe, truth: ak.Array, tmp_path: Path
) -> None:
    pairs = good.define("pair", "combinations(good, 2)").define("good.double", "2 * good.pt")
    names = ["good.pt", "good.double", "pair.first.eta", "Muon"]
    pairs.snapshot(tmp_path / "some.kaon", names).value  # noqa: B018
    arrays = kaon.open(tmp_path / "some.kaon")["events"].arrays()
    assert {*arrays.good.fields} == {"pt", "double"}
    assert ak.array_equal(arrays.good.double, 2 * truth.good.pt)
    first = ak.unzip(ak.combinations(truth.good, 2))[0]
    assert ak.array_equal(arrays.pair.first.eta, first.eta)
    assert ak.array_equal(arrays.Muon.pt, truth.Muon.pt)


def test_a_table_is_written_in_the_pass_of_other_results(
    events: kaon.Dataframe, tmp_path: Path
) -> None:
    saved, count = events.snapshot(tmp_path / "all.parquet", ["met"]), events.count()
    assert int(count) == EVENTS
    assert (tmp_path / "all.parquet").exists() and saved.is_done
    assert saved.value.columns == ["met"]


def test_mistakes_of_tables_come_at_once(events: kaon.Dataframe, tmp_path: Path) -> None:
    with pytest.raises(kaon.errors.UsageError, match="leave out `codec`: Parquet files"):
        events.snapshot(tmp_path / "all.parquet", codec="lz4")
    (tmp_path / "all.parquet").touch()
    with pytest.raises(kaon.errors.ExistingFileError):
        events.snapshot(tmp_path / "all.parquet")


# ---- Axes ----


def test_samples_are_an_axis(path: Path, data: ak.Array) -> None:
    both = kaon.dataset({"signal": path, "background": [path, path]}, "events")
    axis = hist.axis.StrCategory([], growth=True, name="process")
    counts = both.histogram([axis, (4, 0, 100)], ["dataset.sample", "met"]).value
    assert list(counts.axes[0]) == ["signal", "background"]
    signal = np.histogram(data.met, 4, (0, 100))[0]
    assert counts["signal", :].values().tolist() == signal.tolist()
    assert counts["background", :].values().tolist() == (2 * signal).tolist()

    chosen = hist.axis.StrCategory(["background"])
    counts = both.profile(chosen, "dataset.sample", "met").value
    assert counts.values().tolist() == pytest.approx([np.mean(data.met)])
    with pytest.raises(kaon.errors.UnknownNameError, match="'signals'.*did you mean 'signal'"):
        both.histogram(hist.axis.StrCategory(["signals"]), "dataset.sample")


@pytest.mark.parametrize("column", ["region", "labels"])
def test_axes_of_texts_grow(events: kaon.Dataframe, data: ak.Array, column: str) -> None:
    axis = hist.axis.StrCategory(["forward"], growth=True)
    counts, total = events.histogram(axis, column), events.count()
    kaon.run(counts, total)
    texts = data[column].tolist() if column == "region" else sum(data[column].tolist(), [])
    assert list(counts.value.axes[0]) == ["forward", *sorted({*texts} - {"forward"})]
    found = [texts.count(text) for text in counts.value.axes[0]]
    assert counts.value.values().tolist() == found


def test_axes_grow_to_the_texts_of_all_variations(events: kaon.Dataframe, data: ak.Array) -> None:
    few = events.vary("met", {"up": "met + 100"}).filter("met > 100")
    counts = few.histogram(hist.axis.StrCategory([], growth=True), "region")
    assert counts.value.sum().value == 0
    up = counts.variations()["up"].value
    assert {text: up[text].value for text in up.axes[0]} == {
        text: data.region.tolist().count(text) for text in sorted({*data.region.tolist()})
    }


def test_reversed_axes_are_mistakes(events: kaon.Dataframe) -> None:
    with pytest.raises(
        kaon.errors.UsageError, match="axis of 'met': it goes from 100 to 0: give the lower end"
    ):
        events.histogram((10, 100, 0), "met")
    with pytest.raises(kaon.errors.UsageError, match="axis.*its lower end must come first"):
        events.histogram(hist.axis.Regular(10, 100, 0), "met")


def test_functions_of_pairs_explain_themselves(events: kaon.Dataframe) -> None:
    with pytest.raises(
        kaon.errors.UsageError,
        match=r"'Muon' are no pairs: write deltaR\(combinations\(Muon, 2\)\), deltaR\(pairs\(a, b",
    ):
        events.define("dr", "deltaR(Muon)")
    pairs = events.define("pair", "combinations(Muon, 2)")
    near = pairs.define("near", "pair[deltaR(pair) < 1]").take("deltaR(near)").value
    assert ak.all(near < 1) and ak.count(near) > 0


# ---- Names of other libraries ----


def test_names_of_other_libraries_lead_to_those_of_kaon(events: kaon.Dataframe) -> None:
    for name, hint in {
        "Histo1D": "kaon's name is histogram",
        "Filter": "kaon's name is filter",
        "AsNumpy": r"kaon's name is arrays\(columns, library='np'\)",
        "nminusone": "kaon's name is without_filter",
        "histo": "dataframes have no 'histo'$",
    }.items():
        with pytest.raises(AttributeError, match=hint):
            getattr(events, name)
    with pytest.raises(AttributeError, match="results have no 'GetValue'; kaon's name is value"):
        events.count().GetValue  # noqa: B018


@pytest.mark.parametrize("names", ["OF_DATAFRAMES", "OF_RESULTS", "OF_MODULE"])
def test_other_names_lead_to_functions_that_exist(events: kaon.Dataframe, names: str) -> None:
    places = {"kaon": kaon, "Dataframe": kaon.Dataframe, "Result": kaon.results.Result}
    default = {"OF_DATAFRAMES": kaon.Dataframe, "OF_RESULTS": kaon.results.Result}.get(names)
    for meant in getattr(other_names, names).values():
        for name in re.findall(r"[A-Za-z_.]+", meant.partition("(")[0].partition(".plot")[0]):
            if name in ("and", "or", "with", "the", "weights", "of"):
                continue
            first, *parts = name.split(".")
            thing = places.get(first, default) if parts else getattr(default, first, None)
            for part in parts:
                thing = getattr(thing, part, None)
            assert thing is not None or name == "dataset.sample", meant


# ---- Numbers ----


@pytest.fixture
def gaps(tmp_path: Path) -> kaon.Dataframe:
    with kaon.create(tmp_path / "gaps.kaon") as out:
        x, lists = [1.0, np.nan, 3.0], [[1.0, np.nan], [], [4.0]]
        out["events"].extend({"x": x, "lists": lists, "an x": x, "n": [1, 2, 3]})
    return kaon.dataset(tmp_path / "gaps.kaon", "events")


@pytest.mark.parametrize(
    ("column", "values"),
    [("x", [1, 3]), ("an x", [1, 3]), ("2 * x", [2, 6]), ("lists", [1, 4]), ("n", [1, 2, 3])],
)
def test_nans_are_skipped(gaps: kaon.Dataframe, column: str, values: list[float]) -> None:
    assert gaps.sum(column, skip_nan=True) == sum(values)
    assert gaps.mean(column, skip_nan=True) == np.mean(values)
    stats = gaps.stats(column, skip_nan=True).value
    assert (stats.count, stats.mean) == (len(values), np.mean(values))
    if column != "n":
        assert np.isnan(gaps.sum(column)) and np.isnan(gaps.mean(column))


def test_profiles_skip_nans(gaps: kaon.Dataframe) -> None:
    axis = (2, 0.5, 4.5)
    by_entry = gaps.profile(axis, "n", "x", "n", skip_nan=True).value
    assert by_entry.values().tolist() == [1, 3] and by_entry.counts().tolist() == [1, 1]
    weighted = gaps.profile(axis, "n", "x + n", "an x", skip_nan=True).value
    assert weighted.view().sum_of_weights.tolist() == [1, 3]
    in_lists = gaps.profile(axis, "lists + n", "lists", "lists * 2", skip_nan=True).value
    assert in_lists.view().sum_of_weights.tolist() == [2, 0]  # 4 + 3 is above the axis
    assert in_lists.values()[0] == 1
    both = gaps.profile([axis, axis], ["n", "lists"], "lists", skip_nan=True).value
    assert both.values()[0, 0] == 1 and both.values()[1, 1] == 4
    assert np.isnan(gaps.profile(axis, "n", "x").value.values()[0])


def test_results_are_numbers_in_arithmetic(gaps: kaon.Dataframe) -> None:
    count, total = gaps.count(), gaps.sum("n")
    assert count + 1 == 4 and 1 - count == -2 and total / count == 2.0 and 2**count == 8
    assert count < total and 2 <= count and -count == -3 and abs(-count) == 3
    assert divmod(total, count) == (total // count, total % count) == divmod(6, count)
    assert round(total / 4, 1) == 1.5 and round(gaps.mean("n"), 2) == 2.0
    assert list(range(count)) == [0, 1, 2] and "abc"[total - 4] == "c"
    assert np.sqrt(count + 6) == 3 and np.float64(2) * count == 6
    assert (np.array([1, 2]) * count).tolist() == [3, 6]
    assert (gaps.take("n") + 1).tolist() == [2, 3, 4]
    assert (ak.Array([[1], []]) * count).tolist() == [[3], []]
    with pytest.raises(TypeError):
        count + "1"
