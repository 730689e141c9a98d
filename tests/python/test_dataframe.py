"""Dataframes, compared with the same in NumPy and Awkward Array."""

import copy
import pickle
import shutil
import sys
import threading

import awkward as ak
import boost_histogram
import hist
import numpy as np
import pytest

import kaon

EVENTS = 5000


def make_events(events, seed):
    """Return muons and missing momenta."""
    random = np.random.default_rng(seed)
    counts = random.integers(0, 5, events)
    muons = ak.zip(
        {
            name: ak.unflatten(random.uniform(*of, counts.sum()).astype(np.float32), counts)
            for name, of in {"pt": (0, 100), "eta": (-3, 3)}.items()
        }
    )
    met = random.uniform(0, 100, events).astype(np.float32)
    return {"Muon": muons, "met": met, "run": np.arange(events, dtype=np.int32) // 100}


@pytest.fixture(scope="module")
def data():
    return [make_events(EVENTS, seed) for seed in (1, 2)]


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dataframe")
    for name, events in zip("ab", data, strict=True):
        with kaon.create(folder / f"{name}.kaon") as out:
            out["events"].extend(events)
    return folder


@pytest.fixture
def events(folder):
    return kaon.dataset(folder / "a.kaon", "events")


def test_expressions_filter_and_define(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    pairs = events.filter("count(Muon[Muon.pt > 20]) == 2", label="pairs").define("half", "met / 2")
    mask = ak.to_numpy(ak.sum(muons.pt > 20, axis=1) == 2)
    assert pairs.count().value == mask.sum()
    np.testing.assert_array_equal(pairs.take("half").value, met[mask] / 2)
    assert ak.array_equal(pairs.take("Muon.pt").value, muons.pt[mask])
    assert pairs.columns[0] == "half"


def test_functions_take_arrays_of_a_batch(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    threads = set()

    def leading(pt):
        threads.add(threading.get_ident())
        return ak.fill_none(ak.max(pt, axis=1), 0)

    some = (
        events.define("leading", leading, "Muon.pt")
        .define("scaled", lambda pt, met: pt * met, ["Muon.pt", "met"])
        .filter(lambda leading: leading > 50, "leading")
        .redefine("met", np.sqrt, "met")
    )
    truth = ak.to_numpy(ak.fill_none(ak.max(muons.pt, axis=1), 0))
    mask = truth > 50
    np.testing.assert_array_equal(some.take("leading").value, truth[mask])
    assert ak.array_equal(some.take("scaled").value, (muons.pt * met)[mask])
    np.testing.assert_array_equal(some.take("met").value, np.sqrt(met[mask]))
    assert some.take("leading").value.dtype == truth.dtype
    assert threads


def test_all_is_computed_in_one_pass(events, data):
    calls = []

    def count_calls(met):
        if len(met):
            calls.append(len(met))
        return met

    seen = events.define("seen", count_calls, "met")
    total, mean, least = seen.sum("seen"), seen.mean("seen"), seen.min("seen")
    assert not total.is_done and repr(total) == "<Result sum of seen: not computed yet>"
    kaon.run(total, mean, least)
    assert sum(calls) == EVENTS
    assert total.value == pytest.approx(data[0]["met"].sum(dtype=float))
    assert mean.value == pytest.approx(data[0]["met"].mean(dtype=float))
    assert least.value == data[0]["met"].min()
    assert seen.filter("met < 0").mean("met").value is None
    stats = seen.stats("met").value
    assert stats.count == EVENTS
    assert stats.deviation == pytest.approx(data[0]["met"].std(dtype=float, ddof=1))


def test_histograms_are_those_of_hist(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    pt = ak.to_numpy(ak.flatten(muons.pt))
    eta = ak.to_numpy(ak.flatten(muons.eta))
    weight = ak.to_numpy(ak.flatten(ak.broadcast_arrays(met, muons.pt)[0]))
    one = events.histogram((20, 0, 80, "pT"), "Muon.pt", "met").value
    expected = hist.Hist(hist.axis.Regular(20, 0, 80), storage=hist.storage.Weight())
    expected.fill(pt, weight=weight)
    np.testing.assert_allclose(one.values(flow=True), expected.values(flow=True))
    np.testing.assert_allclose(one.variances(flow=True), expected.variances(flow=True))
    assert one.axes[0].label == "pT"
    axes = [[0, 10, 100], hist.axis.Regular(4, -2, 2, label="eta")]
    two = events.histogram(axes, ["Muon.pt", "Muon.eta"]).value
    expected = np.histogram2d(pt, eta, bins=[[0, 10, 100], np.linspace(-2, 2, 5)])[0]
    np.testing.assert_array_equal(two.values(), expected)
    profile = events.profile((4, -3, 3), "Muon.eta", "Muon.pt", "met").value
    expected = hist.Hist(hist.axis.Regular(4, -3, 3), storage=hist.storage.WeightedMean())
    expected.fill(eta, sample=pt, weight=weight)
    np.testing.assert_allclose(profile.values(), expected.values())
    np.testing.assert_allclose(profile.variances(), expected.variances())


def test_profiles_of_several_files_have_their_variances(folder, data):
    files = [folder / "a.kaon", folder / "b.kaon"]
    number = kaon.dataset(files, "events").define("number", "float(dataset.entry)")
    profile = number.profile((3, 0, 90), "met", "number").value
    expected = hist.Hist(hist.axis.Regular(3, 0, 90), storage=hist.storage.WeightedMean())
    met = np.concatenate([np.asarray(events["met"]) for events in data])
    expected.fill(met, sample=np.arange(len(met)))
    np.testing.assert_allclose(profile.values(flow=True), expected.values(flow=True))
    np.testing.assert_allclose(profile.variances(flow=True), expected.variances(flow=True))


LOG, SQRT = hist.axis.transform.log, hist.axis.transform.sqrt
AXES_OF_PT = [
    hist.axis.Regular(7, 1, 100, transform=LOG),
    hist.axis.Regular(6, 0, 90, transform=SQRT, name="pt", label="pT"),
    hist.axis.Regular(5, 1, 80, transform=hist.axis.transform.Pow(1.5)),
    hist.axis.Regular(4, 0, 50, circular=True),
    hist.axis.Regular(4, 10, 50, underflow=False),
    hist.axis.Regular(4, 10, 50, flow=False),
    hist.axis.Variable([10, 20, 50], overflow=False),
]
AXES_OF_COUNT = [
    hist.axis.Integer(0, 3, label="muons"),
    hist.axis.Integer(1, 4, underflow=False),
    hist.axis.Integer(1, 3, flow=False),
    hist.axis.Integer(0, 3, circular=True),
    hist.axis.IntCategory([3, 1]),
    hist.axis.IntCategory([3, 1], overflow=False),
    hist.axis.Variable([0, 1, 3]),
    hist.axis.Regular(2, 0, 4, flow=False),  # the value 4 lies in the last bin
]


def test_axes_of_hist_are_filled_as_hist_fills_them(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    counts, pt = ak.to_numpy(ak.num(muons.pt)), ak.to_numpy(ak.flatten(muons.pt))
    weights = ak.to_numpy(ak.flatten(ak.broadcast_arrays(met, muons.pt)[0]))
    results = [
        (events.histogram(axis, name, "met"), axis, values, weight)
        for axes, name, values, weight in (
            (AXES_OF_PT, "Muon.pt", pt, weights),
            (AXES_OF_COUNT, "count(Muon)", counts, met),
            ([hist.axis.Boolean()], "met > 30", met > 30, met),
        )
        for axis in axes
    ]
    for result, axis, values, weight in results:
        expected = hist.Hist(axis, storage=hist.storage.Weight()).fill(values, weight=weight)
        assert result.value.axes == expected.axes
        np.testing.assert_allclose(result.value.values(flow=True), expected.values(flow=True))
        np.testing.assert_allclose(result.value.variances(flow=True), expected.variances(flow=True))


def test_every_whole_number_has_its_bin(folder):
    with kaon.create(folder / "numbers.kaon") as out:
        out["events"].extend({"x": np.arange(-60, 60)})
    numbers = kaon.dataset(folder / "numbers.kaon")
    for axis in (hist.axis.Integer(0, 49), hist.axis.Integer(-7, 42, circular=True)):
        expected = hist.Hist(axis).fill(np.arange(-60, 60)).values(flow=True)
        np.testing.assert_array_equal(
            numbers.histogram(axis, "x").value.values(flow=True), expected
        )


def test_axes_of_hist_in_several_dimensions(events, data):
    met, counts = data[0]["met"], ak.to_numpy(ak.num(data[0]["Muon"].pt))
    axes = [AXES_OF_COUNT[4], hist.axis.Boolean(), hist.axis.Regular(3, 1, 90, flow=False)]
    two = events.histogram(axes, ["count(Muon)", "run % 2 == 0", "met"]).value
    expected = hist.Hist(*axes).fill(counts, data[0]["run"] % 2 == 0, met)
    np.testing.assert_array_equal(two.values(flow=True), expected.values(flow=True))
    mean = events.profile(axes[:2], ["count(Muon)", "run % 2 == 0"], "met").value
    expected = hist.Hist(*axes[:2], storage=hist.storage.WeightedMean())
    expected.fill(counts, data[0]["run"] % 2 == 0, sample=met)
    np.testing.assert_allclose(mean.values(flow=True), expected.values(flow=True))
    np.testing.assert_allclose(mean.variances(flow=True), expected.variances(flow=True))


def side_of(eta):
    """Return a text for each object."""
    number = ak.values_astype(ak.flatten(eta) > 0, int) + ak.values_astype(ak.flatten(eta) > 1, int)
    return ak.unflatten(ak.Array(["β", "barrel", "end cap"])[number], ak.num(eta))


def test_categories_of_texts(events, data):
    named = events.define("side", lambda met: np.where(met > 50, "hard", "soft"), "met")
    named = named.define("Muon.side", side_of, "Muon.eta")
    sides = np.where(data[0]["met"] > 50, "hard", "soft")
    for axis in (
        hist.axis.StrCategory(["soft", "none", "hard"]),
        hist.axis.StrCategory(["soft"]),
        hist.axis.StrCategory(["soft"], overflow=False),
    ):
        expected = hist.Hist(axis, storage=hist.storage.Weight()).fill(sides)
        assert named.histogram(axis, "side").value == expected
    axis = hist.axis.StrCategory(["β", "barrel"], label="where")
    expected = hist.Hist(axis, storage=hist.storage.Weight()).fill(
        ak.flatten(side_of(data[0]["Muon"].eta)).to_list()
    )
    assert named.histogram(axis, "Muon.side").value == expected


def test_axes_that_cannot_be_filled_are_refused_by_name(events):
    axis = hist.axis
    numba = axis.transform.Function(ctypes_function(), ctypes_function(), name="mine")
    for refused, message in (
        (axis.Regular(3, 0, 1, growth=True), "has growth=True"),
        (axis.IntCategory([], growth=True), "has growth=True"),
        (axis.Variable([0, 1, 3], circular=True), "a circular Variable: use hist's Regular"),
        (axis.Regular(3, 1, 2, transform=numba), "the transform .*kaon knows log, sqrt"),
    ):
        with pytest.raises(kaon.errors.UsageError, match=f"the axis of 'met' (is|has)? ?{message}"):
            events.histogram(refused, "met")
    for refused, message in (
        (axis.Boolean(), "is of the type Boolean, but the values are float32"),
        (axis.IntCategory([1]), "is of the type IntCategory, but the values are float32"),
        (axis.Integer(0, 3), "is of the type Integer, but the values are float32; `int.x.`"),
        (axis.StrCategory(["a"]), "'met' is a float32, but its axis is for texts"),
    ):
        with pytest.raises(kaon.errors.WrongTypeError, match=message):
            events.histogram(refused, "met")
    titles = events.define("title", lambda met: np.where(met > 5, "a", "b"), "met")
    with pytest.raises(kaon.errors.WrongTypeError, match="with axes of texts"):
        titles.histogram((2, 0, 1), "title")


def ctypes_function():
    import ctypes
    import math

    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(math.log)


def test_axes_of_boost_histogram_are_those_of_hist(events, data):
    axis = boost_histogram.axis.Regular(4, 0, 90)
    expected = np.histogram(data[0]["met"], np.linspace(0, 90, 5))[0]
    np.testing.assert_array_equal(events.histogram(axis, "met").value.values(), expected)


def test_histograms_of_hist_give_their_axes(events, data):
    model = hist.Hist.new.Reg(4, 0, 90, name="met").Double()
    expected = np.histogram(data[0]["met"], np.linspace(0, 90, 5))[0]
    one = events.histogram(model, "met").value
    assert one.axes == model.axes
    np.testing.assert_array_equal(one.values(), expected)
    two = events.histogram(hist.Hist(*model.axes, hist.axis.Integer(0, 9)), ["met", "run"]).value
    assert two.ndim == 2
    np.testing.assert_array_equal(events.histogram(model.axes, ["met"]).value.values(), expected)


def test_one_axis_goes_with_a_list_of_one_column(events):
    expected = events.histogram((4, 0, 90), "met", None).value
    axis = hist.axis.Regular(4, 0, 90, label="met")
    for axes in ((4, 0, 90), axis, [axis]):
        assert events.histogram(axes, ["met"]).value == expected
    for edges in (np.linspace(0, 90, 5), [0, 22.5, 45, 67.5, 90]):
        assert (events.histogram(edges, ["met"]).value.values() == expected.values()).all()


def test_expressions_stand_where_columns_do(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    most = events.filter("count(Muon) > 0").take("max(Muon.pt) + 1").value
    np.testing.assert_array_equal(most, ak.max(muons.pt[ak.num(muons) > 0], axis=1) + 1)
    assert events.sum("2 * met").value == pytest.approx(2 * met.sum(dtype=float))
    total = events.histogram((4, 0, 200), "met * 2", "met / 2").value
    expected = hist.Hist(
        hist.axis.Regular(4, 0, 200, label="met * 2"), storage=hist.storage.Weight()
    )
    assert total == expected.fill(met * 2, weight=met / 2)
    scaled = events.define("scaled", lambda a, b: a * b, ["2 * met", "count(Muon)"])
    np.testing.assert_array_equal(scaled.take("scaled").value, 2 * met * ak.num(muons.pt))
    assert "2 * met" in events.display(["run", "2 * met"], 1).value
    assert scaled.columns[0] == "scaled" and "2 * met" not in scaled.columns
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'met'"):
        events.take("2 * mett")
    with pytest.raises(kaon.errors.UnknownNameError, match="'mett'.*did you mean 'met'"):
        events.take("mett")


def test_dataframes_and_results_are_told_on_one_line(events):
    hard = events.filter("met > 50").define("half", "met / 2")
    name = f"{events._core.name()}"
    assert repr(hard) == f"<Dataframe {name}, 1 filter, 1 column defined>"
    assert repr(events) == f"<Dataframe {name}>"
    count, spectrum, cuts = hard.count(), hard.histogram((3, 0, 1), "met"), hard.report()
    assert repr(cuts) == "<CutFlow of 1 filter, not computed yet>"
    kaon.run(count, spectrum, cuts)
    assert repr(count) == f"<Result count: {count.value}>"
    assert repr(spectrum).startswith("<Result histogram of met: Hist(") and "\n" not in repr(
        spectrum
    )
    assert repr(cuts) == "<CutFlow of 1 filter>"
    taken = hard.take("half")
    _ = taken.value
    assert len(repr(taken)) < 100


def test_samples_have_weights(folder, data):
    files = {"signal": folder / "a.kaon", "background": [f"{folder / 'b.kaon'}:events"]}
    both = kaon.dataset(files, "events", weights={"background": 0.5})
    assert both.sum("dataset.weight").value == 1.5 * EVENTS
    assert both.sample("background").sum("met").value == pytest.approx(
        data[1]["met"].sum(dtype=float)
    )
    cuts = both.filter("met > 50", label="high").report("dataset.weight")
    high = [(events["met"] > 50).sum() for events in data]
    assert [cut[:5] for cut in cuts.cuts] == [
        ("high", 2 * EVENTS, sum(high), 1.5 * EVENTS, high[0] + 0.5 * high[1])
    ]
    assert str(cuts).startswith("high") and "7500.00" in str(cuts)
    numbers = both.range(EVENTS - 2, EVENTS + 2).take("dataset.entry").value
    assert numbers.tolist() == [4998, 4999, 5000, 5001]


def test_files_are_named_as_for_iterate(folder, data, monkeypatch):
    monkeypatch.chdir(folder)
    sums = [float(np.sum(of["met"], dtype=np.float64)) for of in data]
    for files, expected in (
        ({"a.kaon": "events"}, sums[:1]),
        ({folder / "a.kaon": "events", folder / "b.kaon": "events"}, sums),
        ({"[ab].kaon": "events"}, sums),
        ([{"a.kaon": "events"}, "b.kaon:events"], sums),
        ({"a.kaon": ["a.kaon", "b.kaon"]}, sums),  # with a label
        ({"a": "a.kaon", "b": {"b.kaon": "events"}}, sums),
    ):
        events = kaon.dataset(files)
        assert events.sum("met").value == pytest.approx(sum(expected), rel=1e-6), files
    assert kaon.dataset({"a": "a.kaon", "b": "b.kaon"}).sample("b").count().value == EVENTS
    with pytest.raises(kaon.errors.UnknownNameError, match="has no category 'event'"):
        kaon.dataset({"a.kaon": "event"})
    with pytest.raises(kaon.errors.MissingFileError, match=r"no\.kaon"):
        kaon.dataset({"no.kaon": "events"})
    with pytest.raises(kaon.errors.MissingFileError, match=r"no\.kaon"):
        kaon.dataset({"signal": "no.kaon"})
    with pytest.raises(kaon.errors.UsageError, match="a dataset has one category"):
        kaon.dataset({"a.kaon": "events", "b.kaon": "runs"})


def test_names_with_brackets_are_no_patterns_where_they_are_files(tmp_path):
    path = tmp_path / "run[1].kaon"
    with kaon.create(path) as out:
        out["events"].extend({"x": [1, 2]})
    assert kaon.dataset(path).sum("x").value == 3
    assert kaon.concatenate(f"{path}:events").x.to_list() == [1, 2]


def test_the_first_file_is_opened_once(folder, monkeypatch):
    opened = []
    core_file = kaon._core.File

    def open_file(*arguments, **options):
        opened.append(arguments[0])
        return core_file(*arguments, **options)

    monkeypatch.setattr(kaon._core, "File", open_file)
    gone = folder / "gone.kaon"
    shutil.copy(folder / "a.kaon", gone)
    events = kaon.dataset(gone)
    gone.unlink()
    assert events.count().value == EVENTS
    assert len(opened) == 1


def test_files_of_several_versions_are_read_as_one_model(tmp_path):
    def model(members):
        hit = {"Description": "A hit", "Author": "", "Members": members}
        return {"schema_version": len(members), "datatypes": {"Hit": hit}}

    members = ["float energy // deposited", "float quality // of the fit"]
    for version, name in ((1, "old"), (2, "new")):
        with kaon.create(tmp_path / f"{name}.kaon", model=model(members[:version])) as out:
            hits = {"energy": [[1.5]], "quality": [[2.0]]}
            some = {key.split()[1]: hits[key.split()[1]] for key in members[:version]}
            out["events"].extend({"Hits": ak.zip(some, with_name="Hit")})
    for order in (["old", "new"], ["new", "old"]):
        paths = [f"{tmp_path / name}.kaon:events" for name in order]
        events = kaon.dataset(paths, model=model(members))
        assert sorted(ak.flatten(events.take("Hits.quality").value)) == [0.0, 2.0]
        assert ak.flatten(events.take("Hits.energy").value).to_list() == [1.5, 1.5]


def test_objects_are_entries_and_lists_again(events, data):
    muons, met = data[0]["Muon"], data[0]["met"]
    hard = events.explode("Muon").filter("Muon.pt > 50").define("ratio", "Muon.pt / met")
    mask = muons.pt > 50
    np.testing.assert_array_equal(
        hard.take("Muon.eta").value, ak.to_numpy(ak.flatten(muons.eta[mask]))
    )
    assert ak.array_equal(hard.implode().take("ratio").value, (muons.pt / met)[mask])
    (cut,) = hard.implode().report().cuts
    assert (cut.entries, cut.passed) == (ak.count(muons.pt), ak.sum(mask))


def test_variations_come_in_the_same_pass(events, data):
    met = data[0]["met"]
    varied = events.vary("met", {"up": "met * 1.5", "down": lambda met: met / 2}, "met")
    count = varied.filter("met > 50").count()
    variations = count.variations()
    kaon.run(count, *variations.values())
    assert count.value == (met > 50).sum()
    assert {name: result.value for name, result in variations.items()} == {
        "up": (met * 1.5 > 50).sum(),
        "down": (met / 2 > 50).sum(),
    }


def test_snapshots_are_dataframes(events, data, tmp_path):
    muons, met = data[0]["Muon"], data[0]["met"]
    written = (
        events.filter("met > 50")
        .define("leading", lambda pt: ak.fill_none(ak.max(pt, axis=1), 0), "Muon.pt")
        .snapshot(tmp_path / "high.kaon", ["Muon", "leading"])
        .value
    )
    assert ak.array_equal(written.take("Muon.pt").value, muons.pt[met > 50])
    read = kaon.open(tmp_path / "high.kaon")["events"].arrays()
    assert ak.array_equal(read.Muon.eta, muons.eta[met > 50])
    assert ak.array_equal(read.leading, ak.fill_none(ak.max(muons.pt[met > 50], axis=1), 0))


def test_snapshots_replace_files_when_asked(events, tmp_path):
    path = tmp_path / "some.kaon"
    assert events.range(0, 3).snapshot(path, "met").value.count().value == 3
    with pytest.raises(FileExistsError, match="some.kaon: exists already; `overwrite=True`"):
        events.range(0, 5).snapshot(path, "met")
    assert kaon.open(path)["events"].num_entries == 3
    again = events.range(0, 5).snapshot(path, "met", overwrite=True)
    assert kaon.open(path)["events"].num_entries == 3  # until the new file is written
    assert again.value.count().value == 5


def test_snapshots_that_nobody_looks_at_are_not_forgotten_in_silence(events, tmp_path):
    with pytest.warns(kaon.errors.UnwrittenFileWarning, match="none.kaon: was not written"):
        events.snapshot(tmp_path / "none.kaon")
    assert not (tmp_path / "none.kaon").exists()


def test_snapshots_take_the_options_of_writers(events, data, tmp_path):
    _ = events.snapshot(tmp_path / "tree.root", ["Muon", "met"], format="ttree").value
    some = kaon.dataset(tmp_path / "tree.root").filter("met > 50")
    _ = some.snapshot(tmp_path / "some.kaon", layout="row", codec="lz4").value
    tables = kaon.open(tmp_path / "some.kaon")["events"]._schema.tables
    assert [table.layout for table in tables if table.name == "Muon"] == ["row"]
    written = kaon.dataset(tmp_path / "some.kaon")
    assert ak.array_equal(written.take("Muon.pt").value, data[0]["Muon"].pt[data[0]["met"] > 50])
    for option in ("types", "missing_members", "lost_references"):
        with pytest.raises(kaon.errors.UsageError, match=f"leave out `{option}`"):
            some.snapshot(tmp_path / "no.kaon", **{option: "default"})
    with pytest.raises(TypeError, match="writers have no option 'codek' .*'codec'"):
        some.snapshot(tmp_path / "no.kaon", codek="lz4")


def test_dataframes_say_how_their_work_goes_to_other_processes(events):
    assert copy.copy(events).count().value == EVENTS
    with pytest.raises(TypeError, match="cannot be pickled, .* `kaon.processor` does, or"):
        pickle.dumps(events.filter("met > 50"))
    mean = events.mean("met")
    with pytest.raises(
        TypeError, match="<Result mean of met: .* cannot be pickled; pickle its `value`"
    ):
        pickle.dumps(mean)
    assert pickle.loads(pickle.dumps(mean.value)) == mean


def test_snapshots_copy_the_same_of_files_of_any_format(folder, data, tmp_path):
    kaon.convert(folder / "b.kaon", tmp_path / "b.root", format="ttree")
    both = kaon.dataset([folder / "a.kaon", tmp_path / "b.root"], "events")
    copy = both.define("Muon.twice", "2 * Muon.pt").snapshot(
        tmp_path / "both.kaon", ["Muon", "Muon.twice"]
    )
    pt = ak.concatenate([events["Muon"].pt for events in data])
    assert ak.array_equal(copy.value.take("Muon.pt").value, pt)
    assert ak.array_equal(copy.value.take("Muon.twice").value, 2 * pt)


def test_snapshots_copy_parameters_of_several_types(tmp_path):
    for name, values in (("numbers", [[1]]), ("texts", [["a", "b"]])):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend({"key": values})
    kaon.merge([tmp_path / "numbers.kaon", tmp_path / "texts.kaon"], tmp_path / "both.kaon")
    both = kaon.open(tmp_path / "both.kaon")["events"].arrays()
    assert len(both.fields) == 2
    for files in (["both.kaon"], ["both.kaon", "numbers.kaon"]):
        events = kaon.dataset([tmp_path / file for file in files], "events")
        _ = events.snapshot(tmp_path / "copy.kaon", overwrite=True).value
        copy = kaon.open(tmp_path / "copy.kaon")["events"].arrays()
        assert copy[:2].tolist() == both.tolist()
    events = kaon.dataset([tmp_path / "numbers.kaon", tmp_path / "both.kaon"], "events")
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="both.kaon:events: 'key' is left out"):
        _ = events.snapshot(tmp_path / "copy.kaon", overwrite=True).value


def test_snapshots_say_which_decorations_they_leave_out(tmp_path, model):
    demo = kaon.load_model(model)
    for name, names in (("a", []), ("b", ["isolation"])):
        event = kaon.Frame()
        event["Hits"] = hits = kaon.Collection(demo.Hit, [demo.Hit()])
        for decoration in names:
            hits.decorate(decoration, np.array([0.5]))
        with kaon.create(tmp_path / f"{name}.kaon", model=demo, missing_members="default") as out:
            out["events"].write(event)
    both = kaon.dataset(f"{tmp_path}/?.kaon:events")
    for chosen in ([], ["Hits"]):
        with pytest.warns(
            kaon.errors.UnreadMemberWarning, match="'Hits.isolation' is left out, because "
        ):
            _ = both.snapshot(tmp_path / "copy.kaon", chosen, overwrite=True).value


def test_snapshots_refuse_missing_or_different_columns(tmp_path):
    first = {"run": np.arange(2), "weights": [np.ones(2), np.ones(1)]}
    others = {
        "no_run": {"weights": first["weights"]},
        "float_weights": {**first, "weights": [np.ones(2, np.float32), np.ones(1, np.float32)]},
        "short_run": {**first, "run": np.arange(2, dtype=np.int16)},
    }
    for name, columns in {"first": first, **others}.items():
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend(columns)

    def snapshot(name, names=(), **options):
        paths = [tmp_path / "first.kaon", tmp_path / f"{name}.kaon"]
        both = kaon.dataset(paths, "events", **options)
        return both.snapshot(tmp_path / "copy.kaon", names, overwrite=True).value

    for names in (["run"], []):
        with pytest.raises(
            kaon.errors.UnknownNameError, match=r"no_run\.kaon:events: has no 'run', but "
        ):
            snapshot("no_run", names)
        snapshot("no_run", names, missing="none")
        run = kaon.open(tmp_path / "copy.kaon")["events"].arrays("run").run
        assert run.to_list() == [0, 1, None, None]
    with pytest.raises(
        kaon.errors.WrongTypeError, match=r"float_weights\.kaon:events: 'weights' is of"
    ):
        snapshot("float_weights")
    with pytest.raises(kaon.errors.UsageError, match=r"short_run\.kaon:events: 'run' differs"):
        snapshot("short_run")


def test_snapshots_add_members_to_records(tmp_path):
    hits = ak.zip(
        {"x": ak.Array([[1.0, 2.0], [], [3.0]]), "samples": ak.Array([[[1], [2, 3]], [], [[]]])},
        depth_limit=2,
    )
    met = ak.zip({"pt": np.array([10.0, 20.0, 30.0]), "phi": np.array([0.0, 1.0, 2.0])})
    with kaon.create(tmp_path / "records.kaon") as out:  # lists in records, which no datatype has
        out["events"].extend({"Hits": hits, "MET": met, "run": np.arange(3)})
    written = (
        kaon.dataset(tmp_path / "records.kaon", "events")
        .define("Hits.twice", "2 * Hits.x")
        .define("Hits.first", "first(Hits.samples, -1)")
        .define("MET.twice", "2 * MET.pt")
        .snapshot(tmp_path / "more.kaon", ["Hits", "MET", "Hits.twice", "Hits.first", "MET.twice"])
    )
    assert written.value.take("Hits.twice").value.tolist() == [[2, 4], [], [6]]
    events = kaon.open(tmp_path / "more.kaon")["events"].arrays()
    assert events.Hits.tolist() == [
        [
            {"x": 1, "samples": [1], "twice": 2, "first": 1},
            {"x": 2, "samples": [2, 3], "twice": 4, "first": 2},
        ],
        [],
        [{"x": 3, "samples": [], "twice": 6, "first": -1}],
    ]
    assert events.MET[1].tolist() == {"pt": 20, "phi": 1, "twice": 40}
    with pytest.raises(kaon.errors.WrongTypeError, match="'run.next' cannot be a member of 'run'"):
        (
            kaon.dataset(tmp_path / "records.kaon", "events")
            .define("run.next", "run + 1")
            .snapshot(tmp_path / "no.kaon", ["run", "run.next"])
        )


def test_one_column_is_named_by_itself(events, tmp_path):
    assert events.display("run", 1).value == events.display(["run"], 1).value
    copied = events.snapshot(tmp_path / "copy.kaon", "run").value
    assert copied.take("run").value.tolist() == events.take("run").value.tolist()
    with pytest.raises(kaon.errors.WrongTypeError, match="name columns by strings, not 3"):
        events.display(3)


def test_displays_and_describes(events, data):
    lines = events.define("double", "2 * run").display(["run", "double"], 2).value.splitlines()
    assert lines == ["run  double", "0    0", "0    0"]
    text = events.filter("met > 5").describe()
    assert "Muon.pt" in text and "filter met > 5" in text
    assert repr(events).startswith("<Dataframe ") and repr(events).endswith("a.kaon:events>")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_exceptions_of_functions_say_in_which_file(folder):
    def fail(entries):
        if (entries >= EVENTS).any():
            raise ValueError("no such entry")
        return entries

    both = kaon.dataset([folder / "a.kaon", folder / "b.kaon"], "events")
    failing = both.define("x", fail, "dataset.entry").sum("x")
    with pytest.raises(ValueError, match="no such entry") as caught:
        failing.value  # noqa: B018
    assert caught.value.__notes__ == [
        f"{folder}/b.kaon:events, 'x', in a batch that begins with entry 0"
    ]


def failing(met):
    raise ValueError("a text\nof two lines")


def test_reports_mistakes(events, folder):
    with pytest.raises(kaon.errors.UnknownNameError, match=r"did you mean 'Muon.pt'"):
        events.sum("Muon.pT")
    with pytest.raises(kaon.Error, match="Muon.pT"):
        events.filter("Muon.pT > 4")
    with pytest.raises(
        kaon.errors.UsageError, match="a filter wants a bool for each entry, not float32"
    ):
        events.filter(lambda met: met, "met")
    with pytest.raises(kaon.errors.UsageError, match="None: replace it with ak.fill_none"):
        list(events.define("x", lambda pt: ak.max(pt, axis=1), "Muon.pt").take("x").value)
    with pytest.raises(kaon.errors.UsageError, match="returned 0 values for"):
        events.define("x", lambda met: met[:0], "met").sum("x").value  # noqa: B018
    with pytest.raises(kaon.errors.UsageError, match="failed with arrays without entries"):
        events.define("x", lambda met: met / met.max(), "met")
    with pytest.raises(kaon.errors.UsageError, match=r"its type: ValueError: .*\n  of two lines"):
        events.define("x", failing, "met")
    with pytest.raises(kaon.errors.WrongTypeError, match="records"):
        events.define("x", lambda met: ak.zip({"a": met}), "met")
    with pytest.raises(kaon.errors.UsageError, match="needs the names"):
        events.filter(lambda met: met > 4)
    with pytest.raises(kaon.errors.WrongTypeError, match="give an expression or a function, not 5"):
        events.define("five", 5)
    with pytest.raises(kaon.errors.UsageError, match="takes no list of columns"):
        events.filter("met > 4", "met")
    with kaon.create(folder / "several.kaon") as out:
        for category in ("one", "two"):
            out[category].extend({"x": [1]})
    with pytest.raises(kaon.errors.UsageError, match="name one of the categories one, two"):
        kaon.dataset(folder / "several.kaon")
    with pytest.raises(kaon.errors.UsageError, match="no file is given"):
        kaon.dataset([])
    with pytest.raises(kaon.errors.MissingFileError):
        kaon.dataset(folder / "no.kaon", "events")
    with pytest.raises(kaon.errors.UsageError, match="the axis of 'met'"):
        events.histogram((0, 1, 2), "met")
    with pytest.raises(
        kaon.errors.WrongTypeError, match="axes come before columns, as in histogram"
    ):
        events.histogram("met", (4, 0, 90))
    with pytest.raises(kaon.errors.UsageError, match="^1 axis and 2 columns$"):
        events.histogram([(4, 0, 90)], ["met", "run"])
    for book in (
        lambda: events.histogram((4, 0, 90), "met", 2.5),
        lambda: events.profile((4, 0, 90), "met", "run", 2.5),
        lambda: events.report(2.5),
    ):
        with pytest.raises(kaon.errors.WrongTypeError, match="a weight is a column .*, not 2.5"):
            book()
    for weights in ({"signal": "2"}, [2], 2):
        with pytest.raises(kaon.errors.WrongTypeError, match="weights are numbers by the labels"):
            kaon.dataset({"signal": folder / "a.kaon"}, "events", weights=weights)
    for axis in ((5.5, 0, 1), (), 5):
        with pytest.raises(kaon.errors.UsageError, match="the axis of 'met'"):
            events.histogram(axis, "met")


def test_functions_return_the_type_that_they_return_for_no_entries(events):
    texts = events.define("x", lambda met: ak.Array([str(each) for each in met]), "met")
    with pytest.raises(
        kaon.errors.WrongTypeError, match="returned string, but float64 for arrays without entries"
    ):
        texts.take("x").value  # noqa: B018
    named = events.define("x", lambda met: np.array([str(each) for each in met], dtype="U"), "met")
    assert named.take("x").value[0] == str(events.take("met").value[0])
    counts = events.define("x", lambda met: [len(met) for _ in met], "met")
    assert counts.take("x").value.dtype == np.float64
    for large, small in ((2**53 + 1, []), (300, np.zeros(0, np.int8))):
        numbers = events.define(
            "x", lambda met, n=large, none=small: [n] * len(met) if len(met) else none, "met"
        )
        with pytest.raises(kaon.errors.WrongTypeError, match="returned numbers that"):
            numbers.sum("x").value  # noqa: B018


def test_results_are_taken_for_their_values(events):
    count, values = events.count(), events.take("met")
    assert count == count.value and count != count.value + 1 and count != events.count()
    assert f"{events.mean('met'):.3f}" == f"{events.mean('met').value:.3f}"
    assert np.asarray(events.take("met")).tolist() == values.value.tolist()
    assert np.mean(events.take("met")) == np.mean(values.value)
    assert (events.take("met") == values.value).all()  # as arrays compare, one by one
    assert bool(events.count()) and not bool(events.filter("met < 0").count())
    for wrong in (3, [count]):
        with pytest.raises(kaon.errors.WrongTypeError, match="computes results of dataframes, not"):
            kaon.run(wrong)


def test_variations_are_a_dict(events):
    with pytest.raises(kaon.errors.WrongTypeError, match="as a dict, as in vary.'met', {'up'"):
        events.vary("met", "up", "1.1 * met")


def test_exceptions_of_functions_reach_the_user(events):
    def fail(met):
        if len(met):
            raise RuntimeError("bad batch")
        return met

    result = events.define("x", fail, "met").sum("x")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="bad batch"):
            result.value  # noqa: B018
    with pytest.raises(ZeroDivisionError):
        kaon.run(events.sum("met"), progress=lambda done: 1 / 0)


def test_bools_of_functions_are_true_for_any_nonzero_byte(events, data):
    middle = np.median(data[0]["met"])
    number = np.sum(data[0]["met"] > middle)

    def is_large(met):
        return np.where(met > middle, 255, 0).astype(np.uint8).view(bool)

    assert events.filter(is_large, "met").count().value == number
    assert events.define("large", is_large, "met").sum("large").value == number


def test_functions_may_keep_their_arrays(events, data):
    kept = []
    events.define("x", lambda met: kept.append(met) or met, "met").sum("x").value  # noqa: B018
    events.sum("run").value  # noqa: B018
    np.testing.assert_array_equal(np.sort(np.concatenate(kept)), np.sort(data[0]["met"]))


@pytest.fixture
def titled(tmp_path):
    """A dataframe with one string per entry, lists of strings, and a string member."""
    titles = ["odd" if i % 2 else "även" for i in range(1000)]
    names = ak.Array([["mu", "e", ""][: i % 4] for i in range(1000)])
    with kaon.create(tmp_path / "titled.kaon") as out:
        out["events"].extend(
            {"title": titles, "names": names, "met": np.arange(1000, dtype=np.float32)}
        )
    return kaon.dataset(tmp_path / "titled.kaon", "events"), titles, names


def test_texts_are_taken_as_strings(titled):
    events, titles, names = titled
    taken = events.take("title").value
    assert str(taken.type) == "1000 * string" and taken.tolist() == titles
    assert ak.array_equal(events.take("names").value, names)
    some = events.filter("title == 'odd' and met < 6")
    assert some.take("title").value.tolist() == ["odd"] * 3
    assert some.define("t", "title").take("t").value.tolist() == ["odd"] * 3
    none = events.filter("met < 0").take("title").value
    assert none.tolist() == [] and str(none.type) == "0 * string"
    shown = events.display(["title", "names"], 3).value.splitlines()
    assert shown[0].split() == ["title", "names"]
    assert shown[1].split() == ["även", "[]"] and shown[2].split() == ["odd", "['mu']"]
    assert "title  string\n" in events.describe()
    assert "names  list of strings\n" in events.describe()


def test_functions_take_and_give_texts(titled):
    events, titles, names = titled
    assert events.define("isOdd", lambda t: t == "odd", "title").sum("isOdd").value == 500
    assert events.filter(lambda t: t == "odd", "title").count().value == 500
    seen = []

    def shout(title):
        seen.append(str(title.type))
        return [text + "!" for text in title.tolist()] if len(title) else title

    assert events.define("loud", shout, "title").take("loud").value.tolist() == [
        title + "!" for title in titles
    ]
    assert all(type_.endswith("* string") for type_ in seen)
    size = events.define("size", lambda met: np.where(met > 500, "large", "small"), "met")
    assert size.filter("size == 'large'").count().value == 499
    assert size.take("size").value.tolist() == ["small"] * 501 + ["large"] * 499
    kept = events.define("kept", lambda names: names[names != "e"], "names").take("kept").value
    assert ak.array_equal(kept, names[names != "e"])
    varied = size.vary(
        "size", {"all": lambda met: np.full(len(met), "large"), "none": "title"}, "met"
    )
    counts = varied.filter("size == 'large'").count().variations()
    assert {name: count.value for name, count in counts.items()} == {"all": 1000, "none": 0}


def test_texts_are_written(titled, tmp_path):
    events, titles, names = titled
    some = events.define("half", lambda t: t[:], "title").filter("met < 10")
    written = some.snapshot(tmp_path / "some.kaon", ["title", "half", "names"]).value
    assert written.take("half").value.tolist() == titles[:10]
    arrays = kaon.open(tmp_path / "some.kaon")["events"].arrays()
    assert str(arrays.half.type) == "10 * string" and arrays.half.tolist() == titles[:10]
    assert arrays.title.tolist() == titles[:10]
    assert ak.array_equal(arrays.names, names[:10])


def test_texts_are_no_numbers(titled):
    events = titled[0]
    for ask in (events.sum, events.mean, events.min, events.max, events.stats):
        with pytest.raises(kaon.errors.WrongTypeError, match="'title' is a string"):
            ask("title")
    with pytest.raises(kaon.errors.WrongTypeError, match="'title' is a string"):
        events.histogram((10, 0, 1), "title")
    with pytest.raises(kaon.errors.WrongTypeError, match="not a number; texts are compared"):
        events.filter("title + 3")
    with pytest.raises(kaon.errors.WrongTypeError, match="'3' is int64, not a text"):
        events.filter("title > 3")


def test_texts_are_compared_with_each_other(titled):
    events, titles, names = titled
    other = events.define("last", lambda titles: titles[::-1], "title")
    less = [a < b for a, b in zip(titles[:100], titles[99::-1], strict=True)]
    assert other.filter("met < 100").count().value == 100
    assert other.define("less", "title < last").range(0, 100).take("less").value.tolist() == less
    most = [[n >= t for n in some] for some, t in zip(names.tolist(), titles, strict=True)]
    assert events.define("most", "names >= title").take("most").value.tolist() == most


def test_compiled_functions_take_no_texts(titled):
    numba = pytest.importorskip("numba")
    with pytest.raises(kaon.errors.WrongTypeError, match="'title' has texts"):
        titled[0].define("n", numba.njit(lambda title: 1), "title")


def test_columns_computed_of_texts_are_texts(titled, tmp_path):
    category = kaon.open(tmp_path / "titled.kaon")["events"]
    aliases = {"one": "title", "many": "names[names != 'e']"}
    arrays = category.arrays(["one", "many"], "met < 4", aliases=aliases)
    assert arrays.one.tolist() == titled[1][:4]
    assert arrays.many.tolist() == titled[2][:4][titled[2][:4] != "e"].tolist()
    flat = category.arrays(["one"], "met < 4", aliases=aliases, library="np")
    assert flat["one"].tolist() == titled[1][:4]


def test_names_that_are_misspelt_are_suggested(events, folder):
    for ask in (
        lambda: events.explode("Muons"),
        lambda: events.take("Muons"),
        lambda: events.snapshot("x.kaon", ["Muons"]),
        lambda: events.alias("m", "Muons"),
        lambda: events.vary("Muons", {"up": "met"}),
    ):
        with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'Muon'"):
            ask()
    named = events.define("leptons", "Muon[Muon.pt > 3]").define("Lepton.pt", "Muon.pt")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'Lepton'"):
        named.explode("Leptom")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'met'"):
        events.report("mett")
    with pytest.raises(kaon.errors.UnknownNameError, match=r"define\(\) makes a column"):
        events.alias("muons", "count(Muon)")
    with pytest.raises(kaon.errors.UsageError, match="`label=` names the filter in reports"):
        events.filter("met > 3", "high")
    with pytest.raises(kaon.errors.UsageError, match="did you mean 'signal'"):
        kaon.dataset({"signal": folder / "a.kaon"}, "events", weights={"signl": 1})


def test_files_may_lack_columns_that_have_a_fallback(tmp_path):
    for name, columns in {
        "a": {"run": np.arange(3), "HLT_old": np.array([True, False, True])},
        "b": {"run": np.arange(3, 5), "HLT_new": np.array([False, True])},
    }.items():
        with kaon.create(tmp_path / f"{name}.root") as out:
            out["Events"].extend(columns)
    events = kaon.dataset(tmp_path / "*.root", "Events")
    both = events.fallback("HLT_old", False).fallback("HLT_new", np.False_)
    assert both.filter("HLT_old or HLT_new").take("run").value.tolist() == [0, 2, 4]
    either = both.define("either", lambda old, new: old | new, ["HLT_old", "HLT_new"])
    assert either.take("either").value.tolist() == [True, False, True, False, True]
    with pytest.raises(kaon.errors.WrongTypeError, match="'HLT_old': the column is a bool"):
        events.fallback("HLT_old", 0.5)
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="no file that was read has 'HLT_odl'"):
        assert events.fallback("HLT_odl", False).filter("HLT_odl").count().value == 0


def test_a_fallback_keeps_large_integers(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"run": np.arange(1), "bits": np.array([1], np.uint64)})
    with kaon.create(tmp_path / "b.kaon") as out:
        out["events"].extend({"run": np.arange(1)})
    events = kaon.dataset(tmp_path / "*.kaon", "events").fallback("bits", 2**63 + 1)
    assert events.take("bits").value.tolist() == [1, 2**63 + 1]
