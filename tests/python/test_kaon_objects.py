"""Histograms and other objects in .kaon files."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from root_scripts import by_root

import kaon

hist = pytest.importorskip("hist")

SAMPLE = Path(__file__).parents[1] / "data/root/histograms.root"


def written(path: Path, factor: float = 1) -> dict[str, Any]:
    """Write objects of several kinds; return the values."""
    weighted = hist.Hist.new.Reg(4, -1, 3, label="x").Weight().fill([0, 5], weight=[factor, 2])
    values = {
        "folder/weighted": weighted,
        "profile": hist.Hist.new.Var([0, 1, 5]).Mean().fill([0.5, 2], sample=[1, 2]),
        "cuts": hist.Hist.new.StrCat(["a", "b"]).Double().fill(["a", "b", "b"]),
        "two": hist.Hist.new.Reg(2, 0, 1).Reg(3, 0, 1).Double().fill([0.1], [0.9]),
        "graph": kaon.results.Graph([1, 2], [3, 4], y_errors=[[0.5, 0.25], [1, 2]]),
        "text": "words",
    }
    with kaon.create(path) as out:
        for name, value in values.items():
            out[name] = value
        out["events"].extend({"x": np.arange(3)})
    return values


def test_objects_come_back(tmp_path: Path) -> None:
    """Classes, titles, bins, errors and texts are those that were written."""
    values = written(tmp_path / "o.kaon")
    file = kaon.open(tmp_path / "o.kaon")
    assert list(file) == ["events"]
    assert {name: each.type for name, each in file.objects.items()} == {
        "cuts": "TH1D",
        "folder/weighted": "TH1D",
        "graph": "TGraphAsymmErrors",
        "profile": "TProfile",
        "text": "TObjString",
        "two": "TH2D",
    }
    read = file["folder/weighted"]
    np.testing.assert_array_equal(read.view(flow=True), values["folder/weighted"].view(flow=True))
    assert read.axes[0].label == "x"
    assert file["profile"].values().tolist() == [1, 2]
    assert list(file["cuts"].axes[0]) == ["a", "b"]
    assert file["graph"].y_errors.tolist() == [[0.5, 0.25], [1, 2]]
    assert file["text"] == "words"
    assert all(not name.startswith("object:") for name in file.documents())
    assert kaon.verify(tmp_path / "o.kaon").is_sound


def test_show_lists_them(tmp_path: Path, command: Any) -> None:
    """As objects of ROOT files."""
    written(tmp_path / "o.kaon")
    _, text, _ = command("show", tmp_path / "o.kaon")
    assert "folder/weighted" in text
    _, text, _ = command("show", "--json", tmp_path / "o.kaon")
    assert json.loads(text)["objects"]["profile"]["type"] == "TProfile"


def test_root_files_become_kaon_files_and_come_back(tmp_path: Path) -> None:
    """All objects of ROOT's sample are kept with all their members."""
    kaon.convert(SAMPLE, tmp_path / "o.kaon")
    copy, original = kaon.open(tmp_path / "o.kaon"), kaon.open(SAMPLE)
    newest = {name for name in original.objects if ";" not in name}
    assert {*copy.objects} == newest
    for name in newest:
        before = original.objects[name]
        assert copy.objects[name].title == before.title
        assert repr(copy.objects[name].members()) == repr(before.members())
    histograms = [n for n in newest if original.objects[n].type.startswith(("TH1", "TH2", "TPro"))]
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="is left out"):
        kaon.convert(tmp_path / "o.kaon", tmp_path / "back.root")
    back = kaon.open(tmp_path / "back.root")
    for name in histograms:
        if name in back.objects:
            assert np.all(back[name] == original[name])
    assert len({*histograms} & {*back.objects}) > 10
    script = "file = ROOT.TFile.Open(path)\nresult = [file.Get(n).GetBinContent(1) for n in {}]"
    names = [name for name in histograms if name in back.objects]
    one = by_root(script.format(names), tmp_path / "back.root")
    assert one == by_root(script.format(names), SAMPLE)


def test_merge_and_convert_add_histograms(tmp_path: Path) -> None:
    """Sums of .kaon files, of ROOT files, and of both are equal."""
    first, second = written(tmp_path / "a.kaon"), written(tmp_path / "b.kaon", 10)
    written(tmp_path / "b.root", 10)
    expected = (first["folder/weighted"] + second["folder/weighted"]).view(flow=True)
    inputs = [tmp_path / "a.kaon", tmp_path / "b.kaon"]
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="cannot join several"):
        kaon.merge(inputs, tmp_path / "merged.kaon")
    for number, (paths, out) in enumerate(
        [
            (inputs, "sum.kaon"),
            (inputs, "sum.root"),
            ([tmp_path / "a.kaon", tmp_path / "b.root"], "mixed.kaon"),
            ([tmp_path / "b.root", tmp_path / "a.kaon"], "mixed.root"),
        ]
    ):
        with pytest.warns(kaon.errors.UnreadMemberWarning, match="cannot join several"):
            kaon.convert(paths, tmp_path / out)
        file = kaon.open(tmp_path / out)
        np.testing.assert_array_equal(
            file["folder/weighted"].view(flow=True), expected, err_msg=str(number)
        )
        assert file["cuts"].values().tolist() == [2, 4]
        assert file["text"] == "words"
        assert len(file["events"]) == 6
    merged = kaon.open(tmp_path / "merged.kaon")
    np.testing.assert_array_equal(merged["folder/weighted"].view(flow=True), expected)


def test_appending_replaces_objects(tmp_path: Path) -> None:
    """Old objects stay, and one of the same name is replaced."""
    path = tmp_path / "o.kaon"
    values = written(path)
    with kaon.append(path) as out:
        out["text"] = "other words"
        out["more"] = values["cuts"]
        with pytest.raises(kaon.errors.UsageError, match="there is a category 'events' already"):
            out["events"] = values["cuts"]
        with pytest.raises(kaon.errors.UsageError, match="is an object"):
            out["graph"].extend({"x": [1]})
    file = kaon.open(path)
    assert file["text"] == "other words"
    assert file["more"] == file["cuts"]
    assert len(file.objects) == 7


def test_numbers_and_texts_that_json_lacks_are_kept(tmp_path: Path) -> None:
    """NaN, infinities and texts in other encodings."""
    path = tmp_path / "o.root"
    script = """
file = ROOT.TFile(path, "RECREATE")
file.WriteTObject(ROOT.TNamed("named", b"caf\\xe9".decode("latin1").encode("latin1")))
h = ROOT.TH1D("h", "", 2, 0, 1)
h.SetBinContent(1, float("nan"))
h.SetMaximum(float("inf"))
file.WriteTObject(h)
file.Close()
result = 0
"""
    assert by_root(script, path) == 0
    kaon.convert(path, tmp_path / "o.kaon")
    copy, original = kaon.open(tmp_path / "o.kaon"), kaon.open(path)
    assert copy["named"] == original["named"]
    members = copy.objects["h"].members()
    assert members["fMaximum"] == float("inf")
    assert np.isnan(members["fArray"][1])


@pytest.mark.filterwarnings("ignore")
def test_damaged_objects_are_read_or_refused(tmp_path: Path) -> None:
    """Whatever the document says, reading returns a value or raises an error of kaon."""
    written(tmp_path / "o.kaon")
    with kaon.create(tmp_path / "plain.kaon", codec="none") as out:
        for name, value in written(tmp_path / "o2.kaon").items():
            out[name] = value
    whole = bytearray((tmp_path / "plain.kaon").read_bytes())
    random = np.random.default_rng(4)
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        for place in random.integers(64, len(whole), 4):
            damaged[place] = random.integers(0, 256)
        try:
            with kaon.open(io.BytesIO(bytes(damaged))) as file:
                for each in file.objects.values():
                    try:
                        each.read()
                    except kaon.Error:
                        refused += 1
        except kaon.Error:
            refused += 1
    assert refused > 50
