"""ROOT files that kaon writes: read back by kaon, and by ROOT where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from root_scripts import by_root
from shared_files import shared_file

import kaon

CODECS = ["none", "lz4", "zstd", "zlib", "lzma"]

MODEL = """
schema_version: 1
components:
  rootwriting::Vector:
    Members:
      - float x
      - float y
datatypes:
  rootwriting::Hit:
    Description: "a hit"
    Author: "kaon"
    Members:
      - float energy [GeV] // deposited
      - bool good // or noise
      - std::array<int32_t, 4> cells // that were hit
      - rootwriting::Vector position [mm] // in the plane
      - std::string name // of the sensor
    VectorMembers:
      - double samples // of the pulse
      - std::string words // about it
    OneToOneRelations:
      - rootwriting::Hit next // on the track
    OneToManyRelations:
      - rootwriting::Hit neighbours // of it
"""


def arrays_of(entries: int) -> dict[str, Any]:
    """Return columns of all kinds that arrays can have."""
    random = np.random.default_rng(7)
    counts = random.integers(0, 5, entries)
    rows = int(counts.sum())
    muons = ak.zip(
        {
            "pt": random.random(rows).astype(np.float32),
            "charge": random.integers(-1, 2, rows).astype(np.int8),
            "good": random.random(rows) > 0.5,
        }
    )
    arrays: dict[str, Any] = {
        "Muon": ak.unflatten(muons, counts),
        "position": random.random((entries, 3)),
        "lists": ak.Array([[[i, j] * (j % 3) for j in range(i % 4)] for i in range(entries)]),
        "words": ak.Array([[f"word{j}" for j in range(i % 3)] for i in range(entries)]),
        "met": ak.zip({"x": random.random(entries), "y": random.random(entries)}),
        "isGood": np.arange(entries) % 3 == 0,
    }
    for number in "i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split():
        arrays[f"number_{number}"] = random.integers(0, 100, entries).astype(number)
    return arrays


def write_events(path: Path, **options: Any) -> None:
    """Write twenty events with objects of a model."""
    (path.parent / "rootwriting.yaml").write_text(MODEL, encoding="utf-8")
    model = kaon.load_model(path.parent / "rootwriting.yaml")
    with kaon.create(path, model=model, cluster_entries=7, **options) as out:
        for number in range(20):
            event = kaon.Frame()
            hits = kaon.Collection(model.Hit)
            for i in range(number % 5):
                hit = hits.create(energy=number + i / 8, good=i % 2 == 0, cells=[number, i, 1, 2])
                hit.position = {"x": i, "y": -i}
                hit.name, hit.samples, hit.words = f"hit{i}", [1.5] * i, ["a", "bc"][: i % 3]
                if i > 0:
                    hit.next = hits[i - 1]
                    hit.neighbours.append(hits[0])
            if number > 10:  # begins after the first cluster
                hits.decorate("isolation", np.arange(len(hits), dtype=np.float32))
            event["hits"] = hits
            event.parameters["weight"] = 0.5 * number
            if number == 15:
                event.parameters["late"] = [1, 2, 3]
            out["events"].write(event)


def check_events(path: Path) -> None:
    """Check that the file has the events, as objects of the model that it carries."""
    file = kaon.open(path)
    assert list(file) == ["events"]
    for number, event in enumerate(file["events"].frames()):
        hits = event["hits"]
        assert len(hits) == number % 5
        for i, hit in enumerate(hits):
            assert (hit.energy, hit.good) == (number + i / 8, i % 2 == 0)
            assert list(hit.cells) == [number, i, 1, 2]
            assert (hit.position.x, hit.position.y, hit.name) == (i, -i, f"hit{i}")
            assert list(hit.samples) == [1.5] * i
            assert list(hit.words) == ["a", "bc"][: i % 3]
            if i > 0:
                assert hit.next == hits[i - 1]
                assert list(hit.neighbours) == [hits[0]]
        assert event.parameters["weight"] == 0.5 * number
        assert ("late" in event.parameters) == (number == 15)


@pytest.mark.parametrize("codec", CODECS)
def test_arrays_are_read_back(tmp_path: Path, codec: str) -> None:
    arrays = arrays_of(500)
    with kaon.create(tmp_path / "out.root", codec=codec, cluster_entries=150) as out:
        out["events"].extend(arrays)
    read = kaon.open(tmp_path / "out.root")["events"].arrays()
    for name, expected in arrays.items():
        assert ak.array_equal(read[name], ak.Array(expected), check_parameters=False), name


def test_events_are_read_back(tmp_path: Path) -> None:
    write_events(tmp_path / "out.root")
    check_events(tmp_path / "out.root")


def test_files_are_laid_out_anew_both_ways(tmp_path: Path) -> None:
    write_events(tmp_path / "first.kaon")
    kaon.convert(tmp_path / "first.kaon", tmp_path / "second.root")
    kaon.convert(tmp_path / "second.root", tmp_path / "third.kaon")
    check_events(tmp_path / "second.root")
    check_events(tmp_path / "third.kaon")


def test_a_category_that_root_cannot_name_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(
            kaon.errors.UsageError,
            match="category 'my events': ROOT cannot have an RNTuple of this",
        ),
        kaon.create(tmp_path / "out.root") as out,
    ):
        out["my events"].extend({"x": [1]})
    assert not (tmp_path / "out.root").exists()


def test_nothing_is_appended_to_files_of_other_formats(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "out.hipo") as out:
        out["events"].extend({"x": [1]})
    with pytest.raises(kaon.errors.UsageError, match="nothing can be appended to files of hipo"):
        kaon.append(tmp_path / "out.hipo")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lists=st.lists(
        st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3), max_size=3), min_size=1
    ),
    codec=st.sampled_from(CODECS),
    page_bytes=st.sampled_from([1, 16, 65536]),
    data=st.data(),
)
def test_any_lists_are_read_back(
    tmp_path: Path, lists: list[Any], codec: str, page_bytes: int, data: st.DataObject
) -> None:
    size = len(lists)
    reals = data.draw(st.lists(st.floats(width=32, allow_nan=False), min_size=size, max_size=size))
    wide = ak.values_astype(ak.Array([*lists, [[0]]])[:size], np.int64)
    path = tmp_path / "out.root"
    with kaon.create(
        path, overwrite=True, codec=codec, page_bytes=page_bytes, cluster_entries=3
    ) as out:
        out["events"].extend({"lists": wide, "reals": np.array(reals, np.float32)})
    read = kaon.open(path)["events"].arrays()
    assert read["lists"].to_list() == lists
    assert read["reals"].to_list() == reals


def test_root_reads_arrays(tmp_path: Path) -> None:
    arrays = arrays_of(500)
    for codec in CODECS:
        with kaon.create(tmp_path / f"{codec}.root", codec=codec, cluster_entries=150) as out:
            out["events"].extend(arrays)
    results = by_root(
        """
def values(path):
    reader = ROOT.RNTupleReader.Open("events", path)
    entry = reader.CreateEntry()
    result = {"words": [], "lists": [], "position": []}
    for i in range(reader.GetNEntries()):
        reader.LoadEntry(i, entry)
        result["words"].append([str(word, "utf-8") if isinstance(word, bytes) else str(word)
                                for word in entry["words"]])
        result["lists"].append([list(inner) for inner in entry["lists"]])
        result["position"].append(list(entry["position"]))
    frame = ROOT.RDataFrame("events", path)
    for name in ["met.x", "met.y"] + [str(c) for c in frame.GetColumnNames() if "number" in str(c)]:
        result[name] = frame.AsNumpy([name])[name].tolist()
    for name in ["pt", "charge", "good"]:
        column = frame.Define("n", f"ROOT::RVecD(Muon.{name}.begin(), Muon.{name}.end())")
        result[name] = [list(values) for values in column.AsNumpy(["n"])["n"]]
    return result
result = [values(f"{path}/{codec}.root") for codec in ["none", "lz4", "zstd", "zlib", "lzma"]]
""",
        tmp_path,
    )
    for result in results:
        for name in ["words", "lists", "position"]:
            assert result[name] == ak.to_list(arrays[name]), name
        for name in ["pt", "charge", "good"]:
            assert result[name] == ak.to_list(arrays["Muon"][name]), name
        for name in ["x", "y"]:
            assert result[f"met.{name}"] == ak.to_list(arrays["met"][name])
        for name in [name for name in arrays if name.startswith("number")]:
            assert result[name] == ak.to_list(arrays[name]), name


def test_root_reads_events_and_adds_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.root"
    write_events(path)
    result = by_root(
        """
reader = ROOT.RNTupleReader.Open("events", path)
entry = reader.CreateEntry()
for i in range(reader.GetNEntries()):
    reader.LoadEntry(i, entry)
frame = ROOT.RDataFrame("events", path)
energies = frame.Define("all", "ROOT::RVecD(hits.energy.begin(), hits.energy.end())")
result = {"energy": [list(each) for each in energies.AsNumpy(["all"])["all"]],
          "x": frame.Sum("hits.position.x").GetValue(),
          "next": frame.Sum("hits.next.index").GetValue(),
          "isolation": frame.Sum("hits.isolation").GetValue(),
          "late_present": [bool(x) for x in frame.AsNumpy(["late_present"])["late_present"]],
          "classes": {str(field.GetFieldName()): str(field.GetTypeAlias())
                      for field in reader.GetDescriptor().GetTopLevelFields()}}
file = ROOT.TFile.Open(path, "UPDATE")
histogram = ROOT.TH1D("histogram", "", 10, 0, 1)
histogram.Fill(0.5)
histogram.Write()
file.Close()
file = ROOT.TFile.Open(path)
result["entries"] = file.Get("histogram").GetEntries()
result["keys"] = [str(key.GetName()) for key in file.GetListOfKeys()]
""",
        path,
    )
    sizes = [number % 5 for number in range(20)]
    assert result["energy"] == [[n + i / 8 for i in range(size)] for n, size in enumerate(sizes)]
    assert result["x"] == sum(sum(range(size)) for size in sizes)
    assert result["next"] == sum(i - 1 for size in sizes for i in range(size))
    assert result["isolation"] == sum(sum(range(size)) for size in sizes[11:])
    assert result["late_present"] == [number == 15 for number in range(20)]
    assert result["classes"]["hits"] == "std::vector<rootwriting::Hit>"
    assert result["classes"]["weight"] == ""
    assert result["entries"] == 1
    assert result["keys"] == ["events", "kaon_documents", "histogram"]
    check_events(path)


def tree_arrays(entries: int) -> dict[str, Any]:
    """Return columns of all kinds that trees can hold."""
    arrays = arrays_of(entries)
    del arrays["lists"]
    random = np.random.default_rng(8)
    counts = random.integers(0, 5, entries)
    for number in "i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split():
        values = random.integers(0, 100, int(counts.sum())).astype(number)
        arrays[f"vector_{number}"] = ak.unflatten(values, counts)
    return arrays


@pytest.mark.parametrize("codec", CODECS)
def test_trees_are_read_back(tmp_path: Path, codec: str) -> None:
    arrays = tree_arrays(500)
    path = tmp_path / "out.root"
    with kaon.create(
        path, codec=codec, cluster_entries=150, page_bytes=2000, format="ttree"
    ) as out:
        out["events"].extend(arrays)
    read = kaon.open(path)["events"].arrays()
    assert set(read.fields) == {*arrays, "nMuon"}
    for name, expected in arrays.items():
        assert ak.to_list(read[name]) == ak.to_list(expected), name


@pytest.mark.parametrize("form", ["ttree", "rntuple"])
def test_root_joins_files_as_hadd_does(tmp_path: Path, form: str) -> None:
    arrays = tree_arrays(100)
    for first, last in ((0, 30), (30, 100)):
        with kaon.create(tmp_path / f"{first}.root", cluster_entries=20, format=form) as out:
            out["events"].extend({name: array[first:last] for name, array in arrays.items()})
    joined = by_root(
        """
ROOT.gErrorIgnoreLevel = ROOT.kError  # it says that RNTuples are joined by what may change
merger = ROOT.TFileMerger(False)
merger.OutputFile(path + "/joined.root")
result = [merger.AddFile(f"{path}/{first}.root") for first in (0, 30)] + [merger.Merge()]
""",
        tmp_path,
    )
    assert joined == [True] * 3
    read = kaon.open(tmp_path / "joined.root")["events"].arrays()
    for name, expected in arrays.items():
        assert ak.to_list(read[name]) == ak.to_list(expected), name


def test_root_copies_some_entries_of_trees(tmp_path: Path) -> None:
    arrays = tree_arrays(100)
    with kaon.create(tmp_path / "all.root", cluster_entries=20, format="ttree") as out:
        out["events"].extend(arrays)
    copied = by_root(
        """
file = ROOT.TFile.Open(path + "/all.root")
out = ROOT.TFile(path + "/some.root", "RECREATE")
some = file.Get("events").CopyTree("nMuon > 1")
out.Write()
result = some.GetEntries()
""",
        tmp_path,
    )
    read = kaon.open(tmp_path / "some.root")["events"].arrays()
    passes = ak.num(arrays["Muon"]) > 1
    assert copied == len(read) == ak.sum(passes)
    for name, expected in arrays.items():
        assert ak.to_list(read[name]) == ak.to_list(ak.Array(expected)[passes]), name


def sparse_events(path: Path, entries: int, **options: Any) -> dict[str, Any]:
    """Write columns that some entries lack; return them."""
    hits = [[{"x": 0.5 * i, "n": i}] * (i % 3) for i in range(entries)]
    arrays = {
        "hits": ak.Array([each if i % 4 else None for i, each in enumerate(hits)]),
        "words": ak.Array([["a", "bc"] if i > entries // 2 else None for i in range(entries)]),
        "weights": ak.Array([[0.5] * (i % 2) if i < 5 else None for i in range(entries)]),
        "always": ak.Array([[i] * (i % 2) for i in range(entries)]),
    }
    with kaon.create(path, cluster_entries=7, **options) as out:
        out["events"].extend(arrays)
    return arrays


@pytest.mark.parametrize("form", ["rntuple", "ttree"])
def test_which_entries_lack_a_collection_is_kept(tmp_path: Path, form: str) -> None:
    arrays = sparse_events(tmp_path / "in.kaon", 50)
    kaon.convert(tmp_path / "in.kaon", tmp_path / "there.root", format=form)
    kaon.convert(tmp_path / "there.root", tmp_path / "back.kaon")
    for name in ("there.root", "back.kaon"):
        events = kaon.open(tmp_path / name)["events"]
        assert set(events.keys()) - {"nhits"} == {"hits.x", "hits.n", "words", "weights", "always"}
        read = events.arrays()
        for field, expected in arrays.items():
            assert read[field].to_list() == expected.to_list(), (name, field)


def test_root_and_uproot_see_which_entries_of_a_tree_lack_a_collection(tmp_path: Path) -> None:
    path = tmp_path / "out.root"
    arrays = sparse_events(path, 50, format="ttree")
    names = ["hits_present", "words_present", "weights_present"]
    expected = {name: [x is not None for x in arrays[name[:-8]].to_list()] for name in names}
    uproot = pytest.importorskip("uproot")
    tree = uproot.open(path)["events"]
    assert [name for name in tree.keys() if name.endswith("_present")] == names
    assert {name: tree[name].array().to_list() for name in names} == expected
    result = by_root(
        """
frame = ROOT.RDataFrame("events", path)
names = ["hits_present", "words_present", "weights_present"]
result = {name: [bool(each) for each in frame.AsNumpy([name])[name]] for name in names}
result["rows"] = frame.Filter("!hits_present").Sum("nhits").GetValue()
""",
        path,
    )
    assert result.pop("rows") == 0
    assert result == expected


def test_a_nanoaod_becomes_an_ntuple_and_a_tree(tmp_path: Path) -> None:
    path = shared_file("root/real/nanoAOD_2015_CMS_Open_Data_ttbar.root")
    arrays = kaon.open(path)["Events"].arrays()
    for form in ("rntuple", "ttree"):
        kaon.convert(path, tmp_path / f"{form}.root", format=form)
        read = kaon.open(tmp_path / f"{form}.root")["Events"].arrays()
        assert set(read.fields) == set(arrays.fields)
        for name in arrays.fields:
            assert ak.array_equal(read[name], arrays[name], equal_nan=True), (form, name)
    kaon.convert(path, tmp_path / "out.kaon")
    values = 623_584  # bytes of all branches, without codec
    assert (tmp_path / "out.kaon").stat().st_size < 0.33 * values


def test_unsupported_columns_are_refused_by_name(tmp_path: Path) -> None:
    with (
        pytest.raises(kaon.errors.UsageError, match="a tree cannot hold 'lists': it holds a list"),
        kaon.create(tmp_path / "out.root", format="ttree") as out,
    ):
        out["events"].extend({"lists": ak.Array([[[1], []], []])})
    assert not (tmp_path / "out.root").exists()


@pytest.mark.parametrize("name", ["out.root", "out.kaon"])
def test_a_form_that_a_format_does_not_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(kaon.errors.UnknownNameError, match="does not write a format 'tree'"):
        kaon.create(tmp_path / name, format="tree")


def test_root_reads_trees_and_adds_to_the_file(tmp_path: Path) -> None:
    arrays = tree_arrays(500)
    for codec in CODECS:
        with kaon.create(
            tmp_path / f"{codec}.root", codec=codec, cluster_entries=150, format="ttree"
        ) as out:
            out["events"].extend(arrays)
    results = by_root(
        """
def values(path):
    file = ROOT.TFile.Open(path, "UPDATE")
    histogram = ROOT.TH1D("histogram", "", 10, 0, 1)
    histogram.Fill(0.5)
    histogram.Write()
    file.Close()
    file = ROOT.TFile.Open(path)
    tree = file.Get("events")
    leaves = {}
    for leaf in tree.GetListOfLeaves():
        branch, name = str(leaf.GetBranch().GetName()), str(leaf.GetName())
        leaves[name if branch == name else f"{branch}.{name}"] = leaf
    result = {name: [] for name in leaves}
    for event in tree:
        for name, leaf in leaves.items():
            if leaf.ClassName() == "TLeafElement":  # a vector, whose leaf has no values
                vector = getattr(event, name)
                if name in ("vector_i1", "vector_u1"):  # which Python would take for texts
                    vector = ROOT.std.vector["int"](vector.begin(), vector.end())
                value = [str(each) if name == "words" else each for each in vector]
            else:
                value = [leaf.GetValue(number) for number in range(leaf.GetLen())]
                is_array = leaf.GetLeafCount() or leaf.GetLenStatic() > 1
                value = value if is_array else value[0]
            result[name].append(value)
    clusters, first = tree.GetClusterIterator(0), 0
    result["clusters"] = []
    while (first := clusters.Next()) < tree.GetEntries():
        result["clusters"].append(first)
    result["added"] = file.Get("histogram").GetEntries()
    return result
result = [values(f"{path}/{codec}.root") for codec in ["none", "lz4", "zstd", "zlib", "lzma"]]
""",
        tmp_path,
    )
    expected = {name: ak.to_list(values) for name, values in arrays.items()}
    muons, met = arrays["Muon"], arrays["met"]
    expected.update({f"Muon_{name}": ak.to_list(muons[name]) for name in muons.fields})
    expected.update({f"met.{name}": ak.to_list(met[name]) for name in met.fields})
    expected["nMuon"] = ak.to_list(ak.num(muons))
    expected["clusters"] = [0, 150, 300, 450]
    expected["added"] = 1
    del expected["Muon"], expected["met"]
    for result, codec in zip(results, CODECS, strict=True):
        assert set(result) == set(expected)
        for name, values in expected.items():
            assert result[name] == values, (codec, name)
        read = kaon.open(tmp_path / f"{codec}.root")["events"].arrays("Muon.pt")
        assert ak.array_equal(read["Muon"]["pt"], muons["pt"])


@pytest.mark.parametrize("form", ["rntuple", "ttree"])
def test_root_and_uproot_read_one_string_an_entry(tmp_path: Path, form: str) -> None:
    titles = ["", "short", "x" * 300, "", "a\0b", "ünï"]
    path = tmp_path / "out.root"
    with kaon.create(path, format=form) as out:
        out["events"].extend({"title": titles})
    result = by_root(
        """
frame = ROOT.RDataFrame("events", path)
result = [str(each) for each in frame.Take["std::string"]("title").GetValue()]
""",
        path,
    )
    assert result == titles
    uproot = pytest.importorskip("uproot")
    assert uproot.open(path)["events"].arrays()["title"].to_list() == titles
    assert kaon.open(path)["events"].arrays()["title"].to_list() == titles


PLAIN_MODEL = """
schema_version: 1
datatypes:
  rootwriting::Plain:
    Description: "a hit on a plane"
    Author: "kaon"
    Members:
      - float energy [GeV] // deposited
      - bool good // or noise
      - std::array<int32_t, 4> cells // that were hit
"""


def described_tree(path: Path, entries: int) -> dict[str, Any]:
    """Write a tree whose members have units and descriptions; return the hits."""
    random = np.random.default_rng(5)
    counts = random.integers(0, 4, entries)
    rows = int(counts.sum())
    hits = ak.zip(
        {
            "energy": random.random(rows).astype(np.float32),
            "good": random.random(rows) > 0.5,
            "cells": ak.from_regular(random.integers(0, 9, (rows, 4)).astype(np.int32)),
        },
        depth_limit=1,
    )
    arrays = {"hits": ak.unflatten(hits, counts)}
    model = path.with_name("plain.yaml")
    model.write_text(PLAIN_MODEL)
    types = {"hits": "rootwriting::Plain"}
    with kaon.create(path, model=model, types=types, format="ttree") as out:
        out["events"].extend(arrays)
    return arrays


TITLES = {
    "nhits": "a hit on a plane",
    "hits_energy": "deposited [GeV]",
    "hits_good": "or noise",
    "hits_cells": "that were hit",
}


def test_root_sees_descriptions_as_titles_of_branches(tmp_path: Path) -> None:
    path = tmp_path / "out.root"
    hits = described_tree(path, 50)["hits"]
    result = by_root(
        """
file = ROOT.TFile.Open(path)
tree = file.Get("events")
branches = {str(each.GetName()): each for each in tree.GetListOfBranches()}
result = {"titles": {name: str(each.GetTitle()) for name, each in branches.items()}}
result["leaves"] = {name: str(each.GetListOfLeaves()[0].GetTitle())
                    for name, each in branches.items()}
frame = ROOT.RDataFrame("events", path)
result["values"] = {name: [[float(each) for each in value] for value in values]
                    for name, values in frame.AsNumpy(["hits_energy"]).items()}
result["drawn"] = tree.Draw("hits_cells", "hits_energy > 0.5", "goff")
""",
        path,
    )
    assert result["titles"] == TITLES
    assert result["leaves"] == {
        "nhits": "nhits",
        "hits_energy": "hits_energy[nhits]",
        "hits_good": "hits_good[nhits]",
        "hits_cells": "hits_cells[nhits][4]",
    }
    assert result["values"]["hits_energy"] == ak.to_list(hits.energy)
    assert result["drawn"] == 4 * int(ak.sum(hits.energy > 0.5))


def test_titles_that_root_wrote_come_back(tmp_path: Path) -> None:
    """This includes branches with several leaves, vectors, lists and strings."""
    titles = {
        "beam": "the beam's; energy: of each particle [GeV]; bunch: in the train",
        "n": "how many",
        "x": "of the points [mm]",
        "time": "when [ns]",
        "weights": "of the event",
        "plain": "plain/F",
    }
    by_root(
        f"""
import array
titles = {titles!r}
file = ROOT.TFile(path, "RECREATE")
tree = ROOT.TTree("events", "")
ROOT.gInterpreter.Declare("struct Beam {{ double energy; int bunch; }};")
beam, n, x = ROOT.Beam(), array.array("i", [0]), array.array("f", 5 * [0])
time, plain = array.array("d", [0]), array.array("f", [0])
weights = ROOT.std.vector("float")()
tree.Branch("beam", beam, "energy/D:bunch/I")
tree.Branch("n", n, "n/I")
tree.Branch("x", x, "x[n]/F")
tree.Branch("time", time, "time/D")
tree.Branch("weights", weights)
tree.Branch("plain", plain, "plain/F")
for name, title in titles.items():
    tree.GetBranch(name).SetTitle(title)
for i in range(6):
    beam.energy, beam.bunch, n[0], x[0], time[0], plain[0] = i, 10 * i, i % 3, 0.5 * i, i, -i
    weights.push_back(i)
    tree.Fill()
tree.Write()
file.Close()
result = None
""",
        tmp_path / "in.root",
    )
    kaon.convert(tmp_path / "in.root", tmp_path / "out.root", format="ttree")
    result = by_root(
        """
file = ROOT.TFile.Open(path)
tree = file.Get("events")
result = {str(each.GetName()): str(each.GetTitle()) for each in tree.GetListOfBranches()}
frame = ROOT.RDataFrame("events", path)
sums = [frame.Sum(name).GetValue() for name in ["beam.energy", "beam.bunch", "n", "time"]]
result["sums"] = sums + [frame.Define("s", "Sum(weights)").Sum("s").GetValue()]
result["points"] = [[float(each) for each in values] for values in frame.AsNumpy(["x"])["x"]]
""",
        tmp_path / "out.root",
    )
    assert result.pop("sums") == [15, 150, 6, 15, 35]
    assert [values[:1] for values in result.pop("points")] == [[], [0.5], [1], [], [2], [2.5]]
    assert result == titles
    tables = {
        table.name: table for table in kaon.open(tmp_path / "out.root")["events"]._schema.tables
    }
    beam, x = tables["beam"], tables["x"]
    assert [(m.description, m.unit) for m in beam.members] == [
        ("of each particle", "GeV"),
        ("in the train", ""),
    ]
    assert (x.description, x.members[0].unit) == ("of the points", "mm")


def test_uproot_reads_trees_with_descriptions(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    hits = described_tree(tmp_path / "out.root", 50)["hits"]
    tree = uproot.open(tmp_path / "out.root")["events"]
    assert {name: branch.title for name, branch in tree.items()} == TITLES
    read = tree.arrays()
    for name in hits.fields:
        assert ak.to_list(read[f"hits_{name}"]) == ak.to_list(hits[name]), name


def test_trees_keep_units_and_descriptions(tmp_path: Path) -> None:
    described_tree(tmp_path / "tree.root", 5)
    kaon.convert(tmp_path / "tree.root", tmp_path / "out.kaon")
    for name in ("tree.root", "out.kaon"):
        layout = kaon.open(tmp_path / name)["events"].arrays("hits").hits.layout.content
        assert layout.parameter("__doc__") == "a hit on a plane", name
        assert layout.parameter("units") == {"energy": "GeV"}, name


def test_trees_keep_the_classes_of_collections(tmp_path: Path) -> None:
    """Objects have the model's classes, also in a file that ROOT has changed."""
    hits = described_tree(tmp_path / "tree.root", 50)["hits"]
    by_root(
        """
file = ROOT.TFile.Open(path, "UPDATE")
ROOT.TNamed("note", "").Write()
file.Close()
result = None
""",
        tmp_path / "tree.root",
    )
    energies = [
        [hit.energy for hit in event["hits"]]
        for event in kaon.open(tmp_path / "tree.root")["events"].frames()
    ]
    assert energies == ak.to_list(hits.energy)
    assert (
        kaon.open(tmp_path / "tree.root")["events"]
        .arrays()
        .hits.layout.content.parameter("__record__")
        == "Plain"
    )


def test_titles_and_comments_in_foreign_trees_are_descriptions() -> None:
    folder = shared_file("root/real")
    nano = kaon.open(folder / "nanoAOD_2015_CMS_Open_Data_ttbar.root")["Events"]
    muons = next(table for table in nano._schema.tables if table.name == "Muon")
    assert muons.description.startswith("slimmedMuons after basic selection")
    pt = next(member for member in muons.members if member.name == "pt")
    assert pt.description == "pt"
    delphes = kaon.open(folder / "uproot-issue513.root")["Delphes"]
    event = next(table for table in delphes._schema.tables if table.name == "Event")
    assert [member.description for member in event.members][2:5] == [
        "event number",
        "read time",
        "processing time",
    ]


def test_others_read_large_pages(tmp_path: Path) -> None:
    """kaon compresses pages of planes of 64 KiB or more itself, not only with zstd."""
    path = tmp_path / "out.root"
    rng = np.random.default_rng(1)
    arrays = {
        "normal": rng.normal(size=300_000).astype(np.float32),
        "repeated": np.repeat(rng.normal(size=3_000), 100),
        "small": rng.integers(-20, 20, 300_000, dtype=np.int32),
        "bytes": rng.integers(0, 3, 300_000, dtype=np.int8),
    }
    with kaon.create(path, codec="zstd") as out:
        out["events"].extend(arrays)
    read = kaon.open(path)["events"].arrays()
    for name, values in arrays.items():
        assert np.array_equal(read[name], values), name
    result = by_root(
        """
values = ROOT.RDataFrame("events", path).AsNumpy()
result = {name: [float(each.astype(float).sum()), float((each.astype(float) ** 2).sum())]
          for name, each in values.items()}
""",
        path,
    )
    for name, values in arrays.items():
        numbers = values.astype(float)
        assert result[name] == [numbers.sum(), (numbers**2).sum()], name


def test_uproot_reads_large_pages(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    values = np.random.default_rng(1).normal(size=300_000).astype(np.float32)
    with kaon.create(tmp_path / "out.root", codec="zstd") as out:
        out["events"].extend({"x": values})
    read = uproot.open(tmp_path / "out.root")["events"].arrays()
    assert np.array_equal(read["x"], values)


@pytest.mark.parametrize("form", ["", "ttree"])
def test_root_reads_folders_and_adds_to_them(tmp_path: Path, form: str) -> None:
    path = tmp_path / "out.root"
    with kaon.create(path, format=form) as out:
        for name in ["a/b/t", "a/t", "t"]:
            out[name].extend({"x": np.arange(len(name))})
    result = by_root(
        """
def sums():
    return [ROOT.RDataFrame(name, path).Sum("x").GetValue() for name in ["a/b/t", "a/t", "t"]]
result = {"sums": sums()}
file = ROOT.TFile.Open(path, "UPDATE")
folder = file.Get("a/b")
folder.cd()
histogram = ROOT.TH1D("histogram", "", 10, 0, 1)
histogram.Fill(0.5)
histogram.Write()
file.mkdir("a/c")
file.Close()
file = ROOT.TFile.Open(path)
result["entries"] = file.Get("a/b/histogram").GetEntries()
result["mother"] = file.Get("a/b").GetMotherDir().GetName()
result["path"] = file.Get("a/b").GetPath().split(":")[-1]
result["keys"] = sorted(str(key.GetName()) for key in file.Get("a").GetListOfKeys())
result["after"] = sums()
""",
        path,
    )
    assert result["sums"] == [10, 3, 0]
    assert result["after"] == [10, 3, 0]
    assert result["entries"] == 1
    assert (result["mother"], result["path"]) == ("a", "/a/b")
    assert result["keys"] == ["b", "c", "t"]
    assert kaon.open(path)["a/b/t"].arrays("x")["x"].tolist() == [0, 1, 2, 3, 4]


def test_uproot_reads_folders(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    for form in ["", "ttree"]:
        path = tmp_path / f"out{form}.root"
        with kaon.create(path, format=form) as out:
            out["a/b/t"].extend({"x": np.arange(5)})
        assert uproot.open(path)["a/b/t"].arrays()["x"].tolist() == [0, 1, 2, 3, 4]


def test_uproot_reads_trees(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    arrays = tree_arrays(500)
    with kaon.create(tmp_path / "out.root", cluster_entries=150, format="ttree") as out:
        out["events"].extend(arrays)
    read = uproot.open(tmp_path / "out.root")["events"].arrays()
    muons = arrays.pop("Muon")
    for name in muons.fields:
        assert ak.to_list(read[f"Muon_{name}"]) == ak.to_list(muons[name]), name
    for name, expected in arrays.items():
        assert ak.to_list(read[name]) == ak.to_list(expected), name


def test_uproot_reads_arrays(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    arrays = arrays_of(500)
    with kaon.create(tmp_path / "out.root", cluster_entries=150) as out:
        out["events"].extend(arrays)
    read = uproot.open(tmp_path / "out.root")["events"].arrays()
    for name, expected in arrays.items():
        assert ak.to_list(read[name]) == ak.to_list(expected), name


def test_pairs_keep_the_order_of_their_parts(tmp_path: Path) -> None:
    uproot = pytest.importorskip("uproot")
    path = tmp_path / "a.root"
    pairs = [[{"_0": "a", "_1": 1.5}, {"_0": "bc", "_1": 2.5}], [], [{"_0": "d", "_1": 3.5}]]
    with kaon.create(path, format="rntuple") as file:
        file["t"].extend({"map": pairs})
    tuples = [[("a", 1.5), ("bc", 2.5)], [], [("d", 3.5)]]
    assert uproot.open(path)["t"].arrays()["map"].to_list() == tuples
    assert kaon.open(path)["t"].arrays()["map"].to_list() == pairs
    assert kaon.open(path)["t"].arrays()["map"].fields == ["_0", "_1"]
