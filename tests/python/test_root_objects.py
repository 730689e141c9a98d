"""Objects of ROOT files that are not trees: histograms, graphs, texts, numbers."""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from root_scripts import by_root

import kaon
from kaon.objects.values import value_of

hist = pytest.importorskip("hist")

SAMPLES = Path(__file__).parents[1] / "data/root"
SAMPLE = SAMPLES / "histograms.root"
EXPECTED = json.loads((SAMPLES / "histograms.json").read_text())


@pytest.fixture(scope="module")
def sample() -> kaon.File:
    """Open the sample that ROOT wrote."""
    return kaon.File(SAMPLE)


def in_order_of_root(numbers: Any) -> list[float]:
    """Return the numbers of all bins with the last axis first."""
    return np.asarray(numbers).T.ravel().tolist()


def is_without_underflow(axis: Any) -> bool:
    """Whether ROOT's underflow bin has no counterpart in an axis."""
    return not axis.traits.underflow


@pytest.mark.parametrize("name", EXPECTED["histograms"])
def test_histograms_have_the_bins_and_errors_that_root_reads(sample: kaon.File, name: str) -> None:
    """Values and errors of all bins, with flow, equal those of ROOT."""
    histogram, expected = sample[name], EXPECTED["histograms"][name]
    missing = [(int(is_without_underflow(axis)), 0) for axis in histogram.axes]
    values = np.pad(histogram.values(flow=True), missing)
    np.testing.assert_allclose(in_order_of_root(values), expected["contents"], rtol=1e-12)
    if "entries" in expected:
        view = histogram.view(flow=True)
        deltas, weights, squares = (
            np.asarray(in_order_of_root(view[field]))
            for field in (
                "_sum_of_weighted_deltas_squared",
                "sum_of_weights",
                "sum_of_weights_squared",
            )
        )
        np.testing.assert_allclose(weights, expected["entries"], rtol=1e-12)
        spread = deltas / np.where(weights, weights, 1)
        effective = weights**2 / np.where(weights, squares, 1)
        errors = np.sqrt(np.abs(spread) / np.where(effective, effective, 1))
        is_several = np.asarray(expected["entries"]) > 3  # ROOT adjusts others
        np.testing.assert_allclose(
            errors[is_several], np.asarray(expected["errors"])[is_several], rtol=1e-6, atol=1e-9
        )
    else:
        variances = np.pad(histogram.variances(flow=True), missing)
        np.testing.assert_allclose(
            in_order_of_root(np.sqrt(variances)), expected["errors"], rtol=1e-12
        )


def test_histograms_have_titles_edges_and_names_of_bins(sample: kaon.File) -> None:
    """Titles of axes are labels; axes whose bins all have names are categories."""
    weighted = sample["weighted"]
    assert (weighted.name, weighted.label) == ("weighted", "with weights")
    assert weighted.axes[0].label == "x axis"
    assert weighted.metadata == {"value_title": "counts"}
    assert weighted.storage_type is hist.storage.Weight
    assert sample["h1C"].storage_type is hist.storage.Double
    assert sample["variable"].axes[0].edges.tolist() == [-3, -1, 0, 2, 5]
    assert list(sample["cuts"].axes[0]) == ["all", "pt > 5", "eta"]
    assert sample["cuts"]["pt > 5"] == 9
    assert sample["partly"].axes[0].labels == ["", "b", ""]
    assert sample["under"].axes[0].labels == ["a"]  # categories have no underflow
    assert [axis.label for axis in sample["folder/inner/h2"].axes] == ["x", "y"]


def test_sparse_histograms_have_their_filled_bins(sample: kaon.File) -> None:
    """The places, contents and errors equal those of ROOT; dense ones become histograms."""
    for name, bins in EXPECTED["sparse"].items():
        sparse = sample[name]
        assert sparse.bins.tolist() == [[int(i) for i in place] for _, _, *place in bins]
        assert sparse.values.tolist() == [content for content, *_ in bins]
        variances = sparse.values if sparse.variances is None else sparse.variances
        np.testing.assert_allclose(np.sqrt(variances), [error for _, error, *_ in bins])
    dense = sample["sparse"].to_hist()
    assert dense.values(flow=True).sum() == pytest.approx(sample["sparse"].values.sum())
    with pytest.raises(kaon.errors.UsageError, match="too many for hist"):
        sample["sparse_wide"].to_hist()


def test_graphs_and_efficiencies_are_read(sample: kaon.File) -> None:
    """Symmetric errors are equal on both sides."""
    assert sample["graph"].x.tolist() == [1, 2, 3]
    assert sample["graph"].y_errors is None
    assert sample["errors"].title == "title of errors"
    assert sample["errors"].x_errors.tolist() == [[0.1, 0.2], [0.1, 0.2]]
    assert sample["asymmetric"].y_errors.tolist() == [[0.5, 0.6], [0.7, 0.8]]
    np.testing.assert_allclose(sample["efficiency"].values(), EXPECTED["efficiency"])


def test_numbers_texts_and_lists_are_python_values(sample: kaon.File) -> None:
    """Parameters, strings, vectors, matrices and lists of them."""
    kinds = {"double": 1.5, "int": -7, "Long64_t": 1 << 40, "bool": True, "float": 0.5}
    assert {kind: sample[f"parameter_{kind}"] for kind in kinds} == kinds
    assert sample["parameter_bool"] is True
    assert (sample["text"], sample["named"]) == ("hello world", "a title")
    assert sample["vector"].tolist() == [0.5, 1.5, 2.5]
    assert sample["matrix"].tolist() == [[0, 1, 2], [10, 11, 12]]
    assert sample["symmetric"].tolist() == [[0, 1, 2], [1, 11, 12], [2, 12, 22]]
    for name in ("TList", "TObjArray"):
        first, *texts, last = sample[name]
        assert texts == ["first", "title", "second"]
        assert first == last
        assert first.values(flow=True).sum() == 10
    assert sample["TMap"] == [("key", "value")]
    assert sample["doubles"].tolist() == [1, 2, 3]
    assert sample["strings"] == ["a", "bc"]
    assert [(pair["first"], pair["second"]) for pair in sample["map"]] == [("x", 1), ("yy", 2)]


def test_other_objects_are_trees_of_members(sample: kaon.File) -> None:
    """Members have their names; hidden ones those of their base in front."""
    momentum = sample["momentum"]
    assert momentum.type == "TLorentzVector"
    assert (momentum["fE"], momentum["fP"].type, momentum["fP"]["fX"]) == (4, "TVector3", 1)
    assert [each["fP"]["fX"] for each in sample["TClonesArray"]] == [0, 1, 2]
    fitted = sample.objects["fitted"].members()
    (function,) = fitted["fFunctions"]["items"]
    assert (function.type, function["fName"]) == ("TF1", "gaus")
    assert pickle.loads(pickle.dumps(momentum)) == momentum


def test_histograms_without_bins_are_members(tmp_path: Path) -> None:
    """ROOT has not chosen the bins yet, so there are no contents to show."""
    path = tmp_path / "b.root"
    script = 'file = ROOT.TFile(path, "RECREATE")\nh = ROOT.TH1D("h", "", 5, 0, 0)\n'
    script += "h.Fill(3)\nfile.WriteTObject(h)\nresult = 0"
    assert by_root(script, path) == 0
    members = kaon.open(path)["h"]
    assert members.type == "TH1D"
    assert members["fBuffer"][:3].tolist() == [1, 1, 3]


def test_histograms_of_classes_without_a_buffer_are_histograms(sample: kaon.File) -> None:
    """ROOT 3 and Geant4 write no `fBuffer`."""
    members = sample.objects["h1D"].members()
    del members["fBuffer"]
    assert value_of(members, "f.root: 'h1D'") == sample["h1D"]


def test_objects_are_listed_and_are_not_categories(sample: kaon.File) -> None:
    """Categories are trees and RNTuples; all other objects are in `objects`."""
    assert list(sample) == ["tree"]
    assert "tree" in sample
    assert "weighted" not in sample
    listed = sample.objects["folder/inner/h2"]
    assert (listed.type, listed.title) == ("TH2D", "two axes")
    assert listed.bytes > 100
    assert sample["versions"].values().tolist() == [1, 1]
    assert sample["versions;1"].values().tolist() == [1, 0]
    assert sample["versions;2"].values().tolist() == [1, 1]
    assert kaon.open(f"{SAMPLE}:folder/inner/h2") == sample["folder/inner/h2"]
    with pytest.raises(
        kaon.errors.UnknownNameError, match="object 'weigted' .did you mean 'weighted'"
    ):
        sample["weigted"]


def test_show_lists_objects(command: Any) -> None:
    """The command `kaon show` lists class, title and size."""
    _, text, _ = command("show", SAMPLE)
    assert "folder/inner/h2" in text
    assert "TH2D" in text
    assert "two axes" in text
    _, text, _ = command("show", "--json", SAMPLE)
    objects = json.loads(text)["objects"]
    assert objects["text"]["type"] == "TObjString"
    _, narrowed, _ = command("show", SAMPLE, "folder/*")
    assert "folder/inner/h3" in narrowed
    assert "weighted " not in narrowed


AXES = [
    (hist.axis.Regular(4, -1, 3, label="x"),),
    (hist.axis.Variable([0, 1, 5, 7]), hist.axis.Regular(3, 0, 1, underflow=False)),
    (hist.axis.StrCategory(["a", "b"], growth=True), hist.axis.Integer(0, 4)),
    (hist.axis.Regular(2, 0, 1), hist.axis.Regular(3, 0, 1), hist.axis.Boolean()),
]
STORAGES = [
    hist.storage.Double(),
    hist.storage.Int64(),
    hist.storage.Weight(),
    hist.storage.Mean(),
    hist.storage.WeightedMean(),
]


def filled(axes: tuple[Any, ...], storage: Any) -> Any:
    """Return a histogram with random entries, some of them beyond the axes."""
    random = np.random.default_rng(3)
    histogram = hist.Hist(*axes, storage=storage, label="a title")
    values: list[Any] = []
    for axis in histogram.axes:
        if isinstance(axis, hist.axis.StrCategory):
            values.append(random.choice(["a", "b"], 50))
        elif isinstance(axis, hist.axis.Boolean):
            values.append(random.random(50) < 0.5)
        elif isinstance(axis, hist.axis.Integer):
            values.append(random.integers(-2, 7, 50))
        else:
            values.append(random.normal(0.5, 2, 50))
    more = {}
    if isinstance(storage, (hist.storage.Mean, hist.storage.WeightedMean)):
        more["sample"] = random.normal(3, 1, 50)
    if isinstance(storage, (hist.storage.Weight, hist.storage.WeightedMean)):
        more["weight"] = random.random(50)
    histogram.fill(*values, **more)
    return histogram


READ_BINS = """
file = ROOT.TFile.Open(path)
result = {}
for key in file.GetListOfKeys():
    h = file.Get(key.GetName())
    places = range(h.GetNcells())
    result[key.GetName()] = {
        "class": h.ClassName(), "title": h.GetTitle(),
        "contents": [h.GetBinContent(i) for i in places],
        "errors": [h.GetBinError(i) for i in places],
        "entries": [h.GetBinEntries(i) for i in places] if "Profile" in h.ClassName() else None,
        "label": h.GetXaxis().GetBinLabel(1), "low": h.GetXaxis().GetBinLowEdge(1),
        "mean": h.GetMean(), "x": h.GetXaxis().GetTitle(),
    }
"""


def all_written(path: Path) -> dict[str, Any]:
    """Write one histogram of each number of axes and each storage."""
    written = {}
    with kaon.create(path) as out:
        for number, axes in enumerate(AXES):
            for storage in STORAGES:
                name = f"{type(storage).__name__}{number}"
                written[name] = filled(axes, storage)
                out[name if number % 2 else f"folder/{name}"] = written[name]
    return written


def test_histograms_come_back(tmp_path: Path) -> None:
    """Histograms that kaon wrote have the same bins, errors, flow, edges and names."""
    written = all_written(tmp_path / "h.root")
    file = kaon.open(tmp_path / "h.root")
    for name, histogram in written.items():
        read = file[name if int(name[-1]) % 2 else f"folder/{name}"]
        for axis, same in zip(histogram.axes, read.axes, strict=True):
            if isinstance(axis, hist.axis.StrCategory):
                assert list(axis) == list(same)
            else:
                np.testing.assert_array_equal(axis.edges, same.edges)
        assert read.label == "a title"
        inner = histogram.values()
        np.testing.assert_allclose(read.values(), np.where(np.isnan(inner), 0, inner), atol=1e-12)
        if "Mean" not in name:
            np.testing.assert_allclose(read.variances(), histogram.variances())


def test_root_reads_histograms_that_kaon_wrote(tmp_path: Path) -> None:
    """ROOT has the same bins, errors, flow, labels and means."""
    with kaon.create(tmp_path / "h.root") as out:
        written = {}
        for number, axes in enumerate(AXES):
            for storage in STORAGES:
                name = f"{type(storage).__name__}{number}"
                out[name] = written[name] = filled(axes, storage)
        out["numpy"] = np.histogram([1, 2, 2, 7], bins=3, range=(1, 4))
    read = by_root(READ_BINS, tmp_path / "h.root")
    assert read["numpy"]["contents"] == [0, 1, 2, 0, 0]
    for name, histogram in written.items():
        axes = histogram.axes
        missing = [
            (int(not a.traits.underflow), int(a.extent - a.size - a.traits.underflow == 0))
            for a in axes
        ]
        values = np.pad(np.nan_to_num(histogram.values(flow=True)), missing)
        np.testing.assert_allclose(read[name]["contents"], in_order_of_root(values), atol=1e-12)
        assert read[name]["title"] == "a title"
        kind = "TProfile" if "Mean" in name else "TH"
        assert read[name]["class"].startswith(kind)
        if kind == "TH":
            variances = np.pad(histogram.variances(flow=True), missing)
            np.testing.assert_allclose(
                np.square(read[name]["errors"]), in_order_of_root(variances), atol=1e-12
            )
        else:
            entries = "count" if "Weighted" not in name else "sum_of_weights"
            counts = np.pad(histogram.view(flow=True)[entries], missing)
            np.testing.assert_allclose(read[name]["entries"], in_order_of_root(counts))
    assert read["Double2"]["label"] == "a"
    assert read["Double0"]["x"] == "x"
    assert read["Double0"]["low"] == -1


def test_uproot_reads_histograms_that_kaon_wrote(tmp_path: Path) -> None:
    """uproot has the same bins and errors."""
    uproot = pytest.importorskip("uproot")
    written = all_written(tmp_path / "h.root")
    file = uproot.open(tmp_path / "h.root")
    for name, histogram in written.items():
        if "Mean" in name or name.endswith("2"):
            continue
        read = file[name if int(name[-1]) % 2 else f"folder/{name}"]
        values = histogram.values()
        np.testing.assert_allclose(read.values(), values)
        np.testing.assert_allclose(read.variances(), histogram.variances())


def test_graphs_texts_and_results_are_written(tmp_path: Path) -> None:
    """Graphs, strings and results of dataframes come back."""
    with kaon.create(tmp_path / "events.kaon") as out:
        out["events"].extend({"x": np.arange(5.0)})
    result = kaon.dataset(tmp_path / "events.kaon").histogram((5, 0, 5), "x")
    path = tmp_path / "o.root"
    with kaon.create(path) as out:
        out["plain"] = kaon.results.Graph([1, 2], [3, 4], title="plain graph")
        out["even"] = kaon.results.Graph([1, 2], [3, 4], y_errors=[0.5, 0.25])
        out["uneven"] = kaon.results.Graph([1, 2], [3, 4], y_errors=[[0.5, 0.25], [1, 2]])
        out["text"] = "words"
        out["result"] = result
        out["events"].extend({"x": np.arange(3)})
    file = kaon.open(path)
    types = {name: each.type for name, each in file.objects.items()}
    assert types["plain"] == "TGraph"
    assert types["even"] == "TGraphErrors"
    assert types["uneven"] == "TGraphAsymmErrors"
    assert file["plain"].title == "plain graph"
    assert file["even"].y_errors.tolist() == [[0.5, 0.25], [0.5, 0.25]]
    assert file["uneven"].y_errors.tolist() == [[0.5, 0.25], [1, 2]]
    assert file["text"] == "words"
    assert file["result"].values().tolist() == [1] * 5
    assert file["events"].arrays().x.tolist() == [0, 1, 2]
    script = "file = ROOT.TFile.Open(path)\nresult = [file.Get(n).GetErrorYhigh(1) for n in {}]"
    names = ["plain", "even", "uneven"]
    assert by_root(script.format(names), path) == [-1, 0.25, 2]


def test_mistakes_with_objects_are_explained(tmp_path: Path) -> None:
    """Names in use, other formats and histograms as entries raise."""
    histogram = hist.Hist.new.Reg(2, 0, 1).Double()
    with kaon.create(tmp_path / "m.root") as out:
        with pytest.raises(kaon.errors.UsageError, match=r"out\['h'\] = histogram"):
            out["h"].extend(histogram)
        out["h"] = histogram
        with pytest.raises(kaon.errors.UsageError, match="there is an object 'h' already"):
            out["h"] = histogram
        with pytest.raises(kaon.errors.UsageError, match="is an object"):
            out["h"].extend({"x": [1]})
        with pytest.raises(kaon.errors.UsageError, match="1 to 3 axes, not 4"):
            out["four"] = hist.Hist(*[hist.axis.Regular(1, 0, 1)] * 4)
        with pytest.raises(kaon.errors.UsageError, match="do not fit edges"):
            out["counts"] = ([1, 2], [0, 1])
        with pytest.raises(kaon.errors.UsageError, match="cannot be the name"):
            out["a;b"] = histogram
    assert kaon.open(tmp_path / "m.root")["h"].values().tolist() == [0, 0]
    with kaon.create(tmp_path / "m.hipo") as out:
        with pytest.raises(kaon.errors.UsageError, match="files of kaon and ROOT have them"):
            out["h"] = histogram
        out["events"].extend({"x": [1]})


def test_damaged_objects_are_read_or_refused(tmp_path: Path) -> None:
    """Whatever the bytes are, reading returns a value or raises an error of kaon."""
    path = tmp_path / "d.root"
    with kaon.create(path, codec="none") as out:
        for number, axes in enumerate(AXES):
            for storage in STORAGES[::2]:
                out[f"{type(storage).__name__}{number}"] = filled(axes, storage)
        out["graph"] = kaon.results.Graph([1, 2], [3, 4], y_errors=[[0.5, 0.25], [1, 2]])
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    random = np.random.default_rng(11)
    refused = 0
    for _ in range(200):
        damaged = whole.copy()
        damaged[random.integers(300, len(whole), 60)] = random.integers(0, 256, 60)
        try:
            with kaon.open(io.BytesIO(damaged.tobytes())) as file:
                objects = list(file.objects.values())
        except kaon.Error:
            continue
        for each in objects:
            try:
                each.read()
            except kaon.Error:
                refused += 1
    assert refused > 100


def test_conversion_carries_objects_over(tmp_path: Path) -> None:
    """All objects of a ROOT file are in the new one, with equal values, for ROOT too."""
    for form in ("rntuple", "ttree"):
        path = tmp_path / f"{form}.root"
        kaon.convert(SAMPLE, path, format=form)
        copy, original = kaon.open(path), kaon.open(SAMPLE)
        newest = {name for name in original.objects if ";" not in name}
        assert {*copy.objects} == newest
        for name in newest:
            if (before := original.objects[name]).type.startswith(("TH1", "TPro", "TPara")):
                assert np.all(copy[name] == original[name])
            assert repr(copy.objects[name].members()) == repr(before.members())
        script = "file = ROOT.TFile.Open(path)\nresult = [[file.Get(n).GetBinContent(i) "
        script += "for i in range(file.Get(n).GetNcells())] for n in {}]"
        names = [name for name in EXPECTED["histograms"] if ";" not in name]
        contents = by_root(script.format(names), path)
        assert contents == [EXPECTED["histograms"][name]["contents"] for name in names]


def test_joining_files_adds_histograms(tmp_path: Path) -> None:
    """Sums equal those of ROOT; objects that cannot be joined are left out with a warning."""
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="cannot join several"):
        kaon.convert([SAMPLE, SAMPLE, SAMPLE], tmp_path / "sum.root")
    one, three = kaon.open(SAMPLE), kaon.open(tmp_path / "sum.root")
    assert "graph" not in three.objects
    names = [name for name in EXPECTED["histograms"] if ";" not in name]
    script = f"""
ROOT.TH1.AddDirectory(False)
file, out = ROOT.TFile.Open("{SAMPLE}"), ROOT.TFile(path, "RECREATE")
for name in {names}:
    total, others = file.Get(name), ROOT.TList()
    kept = [file.Get(name).Clone() for _ in range(2)]
    for each in kept:
        others.Add(each)
    total.Merge(others)
    out.WriteTObject(total, name.replace("/", "_"))
out.Close()
result = 0
"""
    assert by_root(script, tmp_path / "merged.root") == 0
    merged = kaon.open(tmp_path / "merged.root")
    for name in names:
        for member in ("fArray", "fSumw2", "fBinEntries", "fBinSumw2", "fEntries", "fTsumwx"):
            ours = three.objects[name].members().get(member)
            if ours is not None:
                theirs = merged.objects[name.replace("/", "_")].members()[member]
                np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=f"{name}.{member}")
    np.testing.assert_allclose(three["efficiency"].values(), one["efficiency"].values())
    assert three["efficiency"].total.sum() == 3 * one["efficiency"].total.sum()
    assert len(three["tree"]) == 30


@pytest.mark.parametrize("suffix", ["root", "kaon"])
@pytest.mark.parametrize(
    ("second", "message"),
    [
        (hist.axis.Regular(3, 0, 1), "its x axis has 3 bins from 0 to 1, not 2 bins from 0 to 1"),
        (hist.axis.Regular(2, 0, 4), "has 2 bins from 0 to 4, not 2 bins from 0 to 1"),
        (hist.axis.Variable([0, 0.1, 1]), "has 2 bins from 0 to 1 with other edges"),
    ],
)
def test_histograms_with_other_axes_are_not_joined(
    tmp_path: Path, suffix: str, second: Any, message: str
) -> None:
    """The error names file, histogram and axes; nothing is written."""
    for name, axis in (("a", hist.axis.Regular(2, 0, 1)), ("b", second)):
        with kaon.create(tmp_path / f"{name}.{suffix}") as out:
            out["h"] = hist.Hist(axis)
            out["events"].extend({"x": [1]})
    paths = [tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"]
    with pytest.raises(kaon.errors.UsageError, match=rf"b.{suffix}: the histogram 'h'.*{message}"):
        kaon.convert(paths, tmp_path / f"ab.{suffix}")
    if suffix == "kaon":
        with pytest.raises(kaon.errors.UsageError, match=message):
            kaon.merge(paths, tmp_path / "ab.kaon")
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"a.{suffix}", f"b.{suffix}"]


def test_one_histogram_with_errors_gives_the_sum_errors(tmp_path: Path) -> None:
    """Without weights, the squares of weights are the contents."""
    axis = hist.axis.Regular(2, 0, 1)
    plain, weighted = hist.Hist(axis), hist.Hist(axis, storage=hist.storage.Weight())
    plain.fill([0.1, 0.1, 0.7])
    weighted.fill([0.1, 0.7], weight=[2, 3])
    for first, second in ((plain, weighted), (weighted, plain)):
        for name, histogram in (("a", first), ("b", second)):
            with kaon.create(tmp_path / f"{name}.root", overwrite=True) as out:
                out["h"] = histogram
                out["events"].extend({"x": [1]})
        paths = [tmp_path / "a.root", tmp_path / "b.root"]
        kaon.convert(paths, tmp_path / "ab.root", overwrite=True)
        total = kaon.open(tmp_path / "ab.root")["h"]
        assert total.values().tolist() == [4, 4]
        assert total.variances().tolist() == [6, 10]


def test_formats_without_objects_list_the_loss(tmp_path: Path) -> None:
    """The warning names the objects before anything is written."""
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=r"left out:(.|\n)*weighted: TH1D"):
        kaon.convert(SAMPLE, tmp_path / "o.hipo", category="tree")


def test_trains_carry_objects_over(tmp_path: Path) -> None:
    """Each output has all objects."""
    train = kaon.dataset(f"{SAMPLE}:tree")
    plan = kaon.train.Train(train)
    plan.add(tmp_path / "low.root", "x < 5")
    plan.run()
    low = kaon.open(tmp_path / "low.root")
    assert low["weighted"] == kaon.open(SAMPLE)["weighted"]
    assert low["tree"].arrays().x.tolist() == [0, 1, 2, 3, 4]


def test_uproot_updates_files_of_kaon(tmp_path: Path) -> None:
    """After `uproot.update`, uproot, kaon and ROOT read old and new objects."""
    uproot = pytest.importorskip("uproot")
    path = tmp_path / "u.root"
    with kaon.create(path, format="ttree") as out:
        out["events"].extend({"x": np.arange(3.0)})
        out["old"] = hist.Hist.new.Reg(2, 0, 1).Double().fill([0.1])
    with uproot.update(path) as file:
        file["new"] = hist.Hist.new.Reg(2, 0, 1).Double().fill([0.7])
    assert uproot.open(path)["events"]["x"].array().tolist() == [0, 1, 2]
    read = kaon.open(path)
    assert read["events"].arrays().x.tolist() == [0, 1, 2]
    assert (read["old"].values().tolist(), read["new"].values().tolist()) == ([1, 0], [0, 1])
    script = "file = ROOT.TFile.Open(path)\nresult = [file.Get('events').GetEntries(), "
    script += "file.Get('old').GetBinContent(1), file.Get('new').GetBinContent(2)]"
    assert by_root(script, path) == [3, 1, 1]
