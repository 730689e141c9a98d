"""The code of the start page and of the pages for users of other libraries runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from test_readme import ROOT, blocks

import kaon


@pytest.fixture
def nano(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ak.Array:
    """Make two trees like NanoAOD's, with muons and missing momenta; return their events."""
    random = np.random.default_rng(5)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for name in ("nano", "nano2"):
        counts = random.integers(0, 4, 500)
        ranges = {"pt": (5, 100), "eta": (-2.5, 2.5), "phi": (-3, 3), "mass": (0.1, 0.11)}
        members = {
            member: ak.unflatten(random.uniform(*of, counts.sum()).astype(np.float32), counts)
            for member, of in ranges.items()
        }
        charges = random.choice(np.array([-1, 1], np.int32), counts.sum())
        muons = ak.zip({**members, "charge": ak.unflatten(charges, counts)})
        met = random.uniform(0, 100, 500).astype(np.float32)
        with kaon.create(f"{name}.root", format="ttree") as out:
            out["Events"].extend({"Muon": muons, "MET": met})
    return kaon.concatenate("nano*.root:Events")


def test_the_page_of_storage_recovers_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec("\n".join(blocks("python", "docs/storage.md")), names)
    assert not names["report"].is_sound
    assert "left out" in capsys.readouterr().out


def test_the_page_of_root_files_describes_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("km3net.root").symlink_to(ROOT / "tests/data/root/ttree_streamed.root")
    page = "docs/root-files.md"
    (program,) = (block for block in blocks("python", page) if "kaon.interpret" in block)
    names: dict[str, Any] = {}
    try:
        exec(compile(program, page, "exec"), names)
    finally:
        for name in ("JDAQSnapshotHit", "JDAQTriggeredHit"):
            kaon.interpret(name, None)
    masks = names["events"].event.triggeredHits.trigger_mask
    assert masks.to_list() == [[], [1 << 41], [], [1 << 43], []]


def halves(page: str, *libraries: str) -> list[dict[str, Any]]:
    """Run the blocks of a page for each library; return the names that each defines."""
    programs = []
    for library in libraries:
        code = [block for block in blocks("python", page) if block.startswith(f"# {library}\n")]
        names: dict[str, Any] = {"__name__": library}
        exec(compile("\n".join(code), page, "exec"), names)
        programs.append(names)
    return programs


def test_the_page_for_users_of_uproot(nano: ak.Array) -> None:
    theirs, ours = halves("docs/coming-from-uproot.md", "uproot", "kaon")
    for name in ("pt", "leading", "selected"):
        assert ak.almost_equal(theirs[name], ours[name], check_parameters=False), name
    assert sorted(theirs["together"].MET) == sorted(
        ours["together"].MET
    )  # uproot's files have no order
    np.testing.assert_allclose(theirs["mass"], ours["mass"], rtol=1e-4)
    assert len(ours["selected"]) > 50
    assert theirs["total"] == ours["total"] == ak.sum(nano.Muon.pt > 20)
    assert ours["spectrum"].sum(flow=True).value == ours["total"]
    for path in ("uproot.root", "kaon.root"):
        assert kaon.open(path)["Events"]["Muon_pt"].array().tolist() == nano.Muon.pt[:100].tolist()


def test_the_page_for_users_of_coffea(nano: ak.Array) -> None:
    (names,) = halves("docs/coming-from-coffea.md", "kaon")
    first = nano[:500].Muon
    passed = ak.sum((ak.num(first) == 2) & (ak.sum(first.charge, axis=1) == 0))
    assert names["result"]["data"]["events"] == 500
    values = names["result"]["data"]["mass"].values(flow=True)
    assert values.sum() == passed == names["cuts"].cuts[-1].passed > 20
    for other in (names["selected"], names["mass"].value, names["shared"]["data"]["mass"]):
        assert other.values(flow=True).tolist() == values.tolist()


@pytest.mark.filterwarnings("ignore:Integer weights")  # mplhep prefers SciPy
def test_the_start_page(nano: ak.Array) -> None:
    matplotlib.use("Agg")
    Path("nano.root").rename("nanoaod.root")
    names: dict[str, Any] = {}
    for program in blocks("python", "docs/index.md"):
        exec(compile(program, "docs/index.md", "exec"), names)
    first = nano.Muon[:500]
    two = (ak.num(first) == 2) & (ak.sum(first.charge, axis=1) == 0)
    assert names["spectrum"].value.sum(flow=True).value == ak.sum(two)
    assert len(plt.gca().get_lines()) + len(plt.gca().patches) > 0
