"""Adding to ROOT files that exist: objects, categories, and columns of trees."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from root_scripts import by_root

import kaon

hist = pytest.importorskip("hist")

SAMPLE = Path(__file__).parents[1] / "data/root/histograms.root"


def small(path: Path, form: str = "ttree") -> Path:
    """Write a file with a category, an object and a folder."""
    with kaon.create(path, format=form) as out:
        out["Events"].extend({"x": np.arange(10.0), "hits": [[i] * (i % 3) for i in range(10)]})
        out["folder/h"] = hist.Hist.new.Reg(2, 0, 1).Double().fill([0.1, 0.2])
    return path


def one(value: float = 0.5) -> Any:
    """Return a histogram with one entry."""
    return hist.Hist.new.Reg(2, 0, 1).Double().fill([value])


@pytest.fixture(params=["ttree", "rntuple", "sample"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a file of kaon, or of ROOT."""
    path = tmp_path / "old.root"
    if request.param != "sample":
        return small(path, request.param)
    path.write_bytes(SAMPLE.read_bytes())
    return path


def contents(path: Path) -> dict[str, str]:
    """Return all categories and objects of a file as texts."""
    with kaon.open(path) as file:
        categories = {name: str(file[name].arrays().to_list()) for name in file}
        objects = {name: repr(each.members()) for name, each in file.objects.items()}
    return {**categories, **objects}


def test_old_and_new_contents_are_there(old: Path) -> None:
    """Everything that the file had stays; folders and paths are shared."""
    before = contents(old)
    for number in range(2):
        with kaon.append(old, format=("ttree", "rntuple")[number]) as out:
            out[f"new{number}"] = one()
            out[f"folder/more{number}"] = "text"
            out[f"other/deep/h{number}"] = one()
            out[f"table{number}"].extend({"y": np.arange(3), "z": [[1], [], [2, 3]]})
    after = contents(old)
    assert {name: after[name] for name in before} == before
    file = kaon.open(old)
    assert file["folder/more1"] == "text"
    assert file["other/deep/h0"].values().tolist() == [0, 1]
    assert file["table0"].arrays().z.tolist() == file["table1"].arrays().z.tolist()
    assert set(after) - set(before) == {
        f"{name}{number}"
        for number in range(2)
        for name in ("new", "folder/more", "other/deep/h", "table")
    }


def test_root_and_uproot_read_the_result_and_update_it(old: Path) -> None:
    """Both read old and new contents, and can write to the file again."""
    uproot = pytest.importorskip("uproot")
    tree = next(iter(kaon.open(old)))
    with kaon.append(old, format="ttree") as out:
        out["new"] = one()
        out["more/new"] = one(0.1)
        out["table"].extend({"y": np.arange(3)})
    with uproot.update(old) as file:
        file["by_uproot"] = np.histogram([1, 2, 2], bins=2)
        file.mktree("uproot_tree", {"v": np.float64})
        file["uproot_tree"].extend({"v": np.array([1.5, 2.5])})
    script = """
file = ROOT.TFile.Open(path, "UPDATE")
h = ROOT.TH1D("by_root", "", 2, 0, 1)
h.Fill(0.7)
file.WriteTObject(h)
file.mkdir("root_folder").WriteTObject(h)
file.Close()
file = ROOT.TFile.Open(path)
result = [file.Get(name).GetBinContent(2) for name in ("new", "by_root", "root_folder/by_root")]
result += [file.Get("more/new").GetBinContent(1), file.Get("table").GetEntries()]
result += [file.IsZombie(), file.TestBit(ROOT.TFile.kRecovered)]
"""
    assert by_root(script, old) == [1, 1, 1, 1, 3, False, False]
    with kaon.append(old) as out:
        out["last"] = one()
    file = kaon.open(old)
    assert file["by_uproot"].values().tolist() == [1, 2]
    assert file["uproot_tree"].arrays().v.tolist() == [1.5, 2.5]
    assert file["table"].arrays().y.tolist() == [0, 1, 2]
    assert file["by_root"].values().tolist() == file["new"].values().tolist() == [0, 1]
    assert len(file[tree]) > 0
    with uproot.open(old) as read:
        assert read["last"].values().tolist() == [0, 1]
        assert read["more/new"].values().tolist() == [1, 0]
        assert read["table"]["y"].array().tolist() == [0, 1, 2]


def test_root_finds_everything_by_walking(old: Path) -> None:
    """Marks of freed bytes lead ROOT over them, as its recovery needs."""
    for number in range(3):
        with kaon.append(old) as out:
            out[f"new{number}"] = one()
    script = """
import os
data = open(path, "rb").read()
import struct
begin, end = struct.unpack_from(">ii", data, 8)
result = 0
while begin < end:
    (size,) = struct.unpack_from(">i", data, begin)
    assert size != 0
    begin += abs(size)
    result += 1
assert begin == end
"""
    assert by_root(script, old) > 5


def test_columns_of_a_tree_are_its_friends(tmp_path: Path) -> None:
    """kaon and ROOT show them with the tree; uproot has two trees."""
    path = small(tmp_path / "f.root")
    scores = np.linspace(0, 1, 10)
    with kaon.append(path) as out:
        out["Events"].add_columns({"score": scores, "tags": [[1] * (i % 2) for i in range(10)]})
        out["Events"].add_columns({"flag": scores > 0.5}, name="folder/flags")
    with kaon.append(path) as out:
        out["Events"].add_columns({"third": np.arange(10)})
    events = kaon.open(path)["Events"].arrays()
    assert events.fields == ["x", "hits", "score", "tags", "flag", "third"]
    np.testing.assert_array_equal(events.score, scores)
    assert events.tags.tolist() == [[1] * (i % 2) for i in range(10)]
    assert events.flag.tolist() == (scores > 0.5).tolist()
    assert set(kaon.open(path)) == {"Events", "Events_columns", "folder/flags", "Events_columns_2"}
    script = """
file = ROOT.TFile.Open(path)
tree = file.Get("Events")
frame = ROOT.RDataFrame(tree)
result = [tree.Draw("score+x+third", "flag", "goff"), [tree.GetV1()[i] for i in range(5)]]
result += [frame.Filter("flag").Sum("score").GetValue(), len(list(file.GetListOfKeys()))]
result += [[each.GetName() for each in tree.GetListOfFriends()]]
"""
    drawn, values, total, keys, friends = by_root(script, path)
    assert drawn == 5
    np.testing.assert_allclose(values, (scores + np.arange(10) * 2)[5:])
    assert total == pytest.approx(scores[5:].sum())
    assert friends == ["Events_columns", "flags", "Events_columns_2"]
    uproot = pytest.importorskip("uproot")
    with uproot.open(path) as file:
        assert file["Events_columns"]["score"].array().tolist() == scores.tolist()
        assert file["Events"].keys() == ["x", "hits"]
        assert "Events;2" not in file.keys()  # the description was replaced
    assert keys == 5


def test_trees_of_root_get_columns(tmp_path: Path) -> None:
    """A tree of ROOT with a friend of its own, and a TNtuple."""
    path = tmp_path / "r.root"
    script = """
file = ROOT.TFile(path, "RECREATE")
other, tree = ROOT.TTree("other", ""), ROOT.TTree("t", "")
from array import array
x = array("f", [0])
tree.Branch("x", x, "x/F"); other.Branch("o", x, "o/F")
pairs = ROOT.TNtuple("pairs", "", "a:b")
for i in range(4):
    x[0] = i
    tree.Fill(); other.Fill(); pairs.Fill(i, 2 * i)
tree.AddFriend("other")
file.Write()
file.Close()
result = 0
"""
    assert by_root(script, path) == 0
    assert kaon.open(path)["t"].arrays().fields == ["x", "o"]
    with kaon.append(path) as out:
        for name in ("t", "pairs"):
            out[name].add_columns({f"new_{name}": np.arange(4) * 10})
    file = kaon.open(path)
    assert file["t"].arrays().new_t.tolist() == [0, 10, 20, 30]
    assert file["pairs"].arrays().fields == ["a", "b", "new_pairs"]
    script = """
file = ROOT.TFile.Open(path)
result = [file.Get("t").Draw("x+o+new_t", "", "goff"), file.Get("t").GetV1()[3]]
result += [file.Get("pairs").Draw("a+b+new_pairs", "", "goff"), file.Get("pairs").GetV1()[3]]
"""
    assert by_root(script, path) == [4, 36, 4, 39]


def test_columns_that_do_not_fit_leave_the_file_alone(tmp_path: Path) -> None:
    """Other numbers of entries, names in use, RNTuples and unknown trees raise."""
    path = small(tmp_path / "f.root")
    before = path.read_bytes()
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("Events", {"y": [1, 2]}, "has 10 entries, but the new columns have 2"),
        ("Events", {"x": np.arange(10)}, "has a branch 'x' already"),
        ("Evens", {"y": np.arange(10)}, "did you mean 'Events'"),
        ("folder/h", {"y": np.arange(10)}, "folder/h"),
    ]
    for name, columns, message in cases:
        with pytest.raises(kaon.Error, match=message), kaon.append(path) as out:
            out[name].add_columns(columns)
        assert path.read_bytes() == before
    arrow = pytest.importorskip("pyarrow")
    with pytest.raises(kaon.errors.UsageError, match="10 entries, but its new columns .* have 3"):
        with kaon.append(path) as out:
            out["Events"].add_columns(arrow.table({"y": [1, 2, 3]}))
    assert path.read_bytes() == before
    path = small(tmp_path / "n.root", "rntuple")
    with pytest.raises(kaon.errors.UsageError, match="only trees"), kaon.append(path) as out:
        out["Events"].add_columns({"y": np.arange(10)})
    with pytest.raises(kaon.errors.UsageError, match="only trees of ROOT files"):
        with kaon.create(tmp_path / "k.kaon") as out:
            out["e"].extend({"x": [1]})
            out["e"]._file._writer().add_columns("e", "more")


def test_names_in_use_are_refused(tmp_path: Path) -> None:
    """Entries for old categories, folders as objects and objects as folders raise."""
    path = small(tmp_path / "f.root")
    with kaon.append(path) as out:
        with pytest.raises(kaon.errors.UsageError, match="get no further entries"):
            out["Events"].extend({"x": [1.0]})
        with pytest.raises(kaon.errors.UsageError, match="has a tree or RNTuple of this name"):
            out["Events"] = one()
        with pytest.raises(kaon.errors.UsageError, match="has a folder of this name"):
            out["folder"] = one()
        with pytest.raises(kaon.errors.UsageError, match="'Events' is no folder"):
            out["Events/h"] = one()
        with pytest.raises(kaon.errors.UsageError, match="has an object of this name"):
            out["folder/h"].extend({"x": [1.0]})
    with pytest.raises(kaon.errors.UsageError, match="'rntuple' or 'ttree', not 'podio'"):
        kaon.append(path, format="podio")


def test_an_object_of_an_old_name_is_its_newest_version(tmp_path: Path) -> None:
    """As in ROOT, older versions stay."""
    path = small(tmp_path / "f.root")
    with kaon.append(path) as out:
        out["folder/h"] = one()
    file = kaon.open(path)
    assert file["folder/h"].values().tolist() == [0, 1]
    assert file["folder/h;1"].values().tolist() == [2, 0]
    assert list(file.objects) == ["folder/h", "folder/h;1"]
    script = 'file = ROOT.TFile.Open(path)\nresult = [file.Get("folder/h" + c).GetBinContent(1)'
    assert by_root(script + ' for c in ("", ";1", ";2")]', path) == [0, 2, 0]


def test_a_failed_or_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    """An exception restores the bytes. After a kill the old contents are read and added to."""
    path = small(tmp_path / "f.root")
    before, there = path.read_bytes(), contents(path)
    with pytest.raises(RuntimeError), kaon.append(path) as out:
        out["new"] = one()
        out["table"].extend({"y": np.arange(100_000)})
        out.flush()
        raise RuntimeError
    assert path.read_bytes() == before
    with kaon.append(path):
        pass
    assert path.read_bytes() == before
    script = (
        "import os, sys, numpy, kaon\nout = kaon.append(sys.argv[1])\n"
        "out['table'].extend({'y': numpy.random.default_rng(1).random(100_000)})\n"
        "out.flush()\nos._exit(0)"
    )
    python = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, path], check=True, env=python)
    assert len(path.read_bytes()) > len(before)
    assert contents(path) == there
    with kaon.append(path) as out:
        out["new"] = one()
    after = contents(path)
    assert {name: after[name] for name in there} == there
    assert path.stat().st_size < len(before) + 20_000


def as_if_large(path: Path) -> None:
    """Move the end of a file behind 2 GB, with a hole before it."""
    data = path.read_bytes()
    (version, begin, _, free, free_bytes, count, names) = struct.unpack_from(">iiiiiii", data, 4)
    compression, infos, infos_bytes = struct.unpack_from(">iii", data, 33)
    end = 2_100_000_000
    header = b"root" + struct.pack(
        ">iiqqiiibiqi",
        version + 1_000_000,
        begin,
        end,
        free,
        free_bytes,
        count,
        names,
        8,
        compression,
        infos,
        infos_bytes,
    )
    header += data[45:63]
    with path.open("r+b") as file:
        file.write(header.ljust(100, b"\0"))
        file.truncate(end)


def test_files_beyond_2_gb_are_added_to(tmp_path: Path) -> None:
    """New records have wide keys, and the header is wide."""
    path = small(tmp_path / "f.root")
    as_if_large(path)
    there = contents(path)
    with kaon.append(path, format="ttree") as out:
        out["folder/new"] = one()
        out["table"].extend({"y": np.arange(3)})
        with pytest.raises(kaon.errors.UsageError, match="first 2 GB"):
            out["Events"].add_columns({"z": np.arange(10)})
    after = contents(path)
    assert {name: after[name] for name in there} == there
    script = """
file = ROOT.TFile.Open(path, "UPDATE")
file.WriteTObject(ROOT.TNamed("n", "more"))
result = [file.Get("table").GetEntries(), file.Get("folder/new").GetBinContent(2)]
result += [file.Get("Events").GetEntries(), file.TestBit(ROOT.TFile.kRecovered)]
file.Close()
"""
    assert by_root(script, path) == [3, 1, 10, False]
    file = kaon.open(path)
    assert file["n"] == "more"
    assert file["table"].arrays().y.tolist() == [0, 1, 2]


@pytest.mark.filterwarnings("ignore")
def test_unfinished_and_damaged_files_are_refused_or_added_to(tmp_path: Path) -> None:
    """Whatever the bytes are, adding works or raises an error of kaon."""
    path = tmp_path / "d.root"
    whole = np.frombuffer(small(path).read_bytes(), np.uint8)
    random = np.random.default_rng(5)
    refused = added = 0
    for number in range(150):
        damaged = whole.copy()
        most = 300 if number % 2 else len(whole)
        places = random.integers(8, most, 1 + number % 4)
        damaged[places] = random.integers(0, 256, len(places))
        path.write_bytes(damaged.tobytes())
        try:
            with kaon.append(path) as out:
                out["new"] = one()
                out["Events"].add_columns({"y": np.arange(10)})
            added += 1
            assert kaon.open(path)["new"].values().tolist() == [0, 1]
        except kaon.Error:
            refused += 1
        except OSError:
            refused += 1
    assert added > 20
    assert refused > 20
    path.write_bytes(whole[: len(whole) // 2].tobytes())
    with pytest.warns(kaon.errors.IncompleteFileWarning):
        with pytest.raises(kaon.errors.UsageError, match="nothing can be added"):
            kaon.append(path)


def test_podio_files_get_objects(tmp_path: Path) -> None:
    """Frames stay frames."""
    path = tmp_path / "p.root"
    with kaon.create(path, format="podio") as out:
        out["events"].extend({"n": np.arange(3, dtype=np.int32)})
    with kaon.append(path) as out:
        out["h"] = one()
        out["more"].extend({"y": [1.5]})
    file = kaon.open(path)
    assert file["events"].arrays().n.tolist() == [[0], [1], [2]]
    assert file["more"].arrays().y.tolist() == [1.5]
    assert file["h"].values().tolist() == [0, 1]
