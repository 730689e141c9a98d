"""The example after the Analysis Grand Challenge agrees with loops over arrays of Awkward."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import awkward as ak
import matplotlib
import numpy as np
import pytest

import kaon

sys.path.insert(0, str(Path(__file__).parents[2] / "examples/agc"))
import analysis

matplotlib.use("Agg")
EVENTS = 3000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agc")
    analysis.make_events(path, EVENTS)
    return path


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    found = analysis.histograms(analysis.select(analysis.dataset(folder, EVENTS)))
    return {
        region: {"nominal": of.value, **{n: each.value for n, each in of.variations().items()}}
        for region, of in found.items()
    }


def selected(path: Path, scale: float = 1) -> ak.Array:
    """Return the events of a file that pass, with their jets."""
    events = kaon.open(path)["Events"].arrays()
    electron, muon, jet = events.Electron, events.Muon, events.Jet
    is_electron = (electron.pt > 30) & (abs(electron.eta) < 2.1) & (electron.cutBased == 4)
    is_muon = (muon.pt > 30) & (abs(muon.eta) < 2.1) & muon.tightId & (muon.pfRelIso04_all < 0.15)
    leptons = ak.sum(is_electron & (electron.sip3d < 4), 1) + ak.sum(is_muon & (muon.sip3d < 4), 1)
    jet = ak.with_field(jet, jet.pt * np.float32(scale), "pt")
    jet = jet[(jet.pt > 30) & (abs(jet.eta) < 2.4) & (jet.jetId == 6)]
    return jet[(leptons == 1) & (ak.num(jet) >= 4)]


def trijet_masses(jets: ak.Array) -> list[float]:
    """Return the mass of the three jets with the largest sum of momenta, with a b-tag."""
    masses = []
    for of_event in jets:
        best, mass = -1.0, 0.0
        p4 = [np.array([j.px, j.py, j.pz, j.E], np.float64) for j in of_event]
        tags = of_event.btagDeepFlavB.to_list()
        for i in range(len(p4)):
            for j in range(i):
                for k in range(j):
                    total = p4[i] + p4[j] + p4[k]
                    if max(tags[i], tags[j], tags[k]) > 0.5 and np.hypot(*total[:2]) > best:
                        best = np.hypot(*total[:2])
                        mass = np.sqrt(max(total[3] ** 2 - (total[:3] ** 2).sum(), 0))
        masses.append(mass)
    return masses


@pytest.mark.parametrize(("name", "scale"), [("nominal", 1), ("pt_scale_up", 1.03)])
@pytest.mark.parametrize("label", ["ttbar", "single_top"])
def test_regions_have_the_events_of_loops(
    results: Any, folder: Path, label: str, name: str, scale: float
) -> None:
    jets = selected(folder / f"{label}_sim.root", scale)
    tags = ak.sum(jets.btagDeepFlavB > 0.5, axis=1)
    weight = analysis.EXPECTED[label] / EVENTS
    for region, values in {
        "4j1b": np.asarray(ak.sum(jets[tags == 1].pt, axis=1)),
        "4j2b": trijet_masses(jets[tags >= 2]),
    }.items():
        found = results[region][name][label, :]
        wanted, _ = np.histogram(values, found.axes[0].edges)
        assert np.abs(found.values() - weight * wanted).sum() <= 2.01 * weight  # at edges of bins
        assert wanted.sum() > 20 or (label, region) == ("single_top", "4j2b")  # it has one b quark


def test_weights_vary(results: Any, folder: Path) -> None:
    for label in ("ttbar", "wjets"):
        jets = selected(folder / f"{label}_sim.root")
        chosen = jets[ak.sum(jets.btagDeepFlavB > 0.5, axis=1) == 1]
        weight = analysis.EXPECTED[label] / EVENTS
        for jet in range(4):
            wanted = ak.sum(weight * (1 - 0.075 * chosen.pt[:, jet] / 50))
            found = results["4j1b"][f"btag_var_{jet}_down"][label, :].sum(flow=True).value
            assert found == pytest.approx(wanted, rel=1e-5)
        scaled = results["4j1b"]["scale_var_up"][label, :].values()
        factor = 1.025 if label == "wjets" else 1
        assert np.allclose(scaled, factor * results["4j1b"]["nominal"][label, :].values())


@pytest.fixture(scope="module")
def spec(folder: Path) -> dict[str, Any]:
    return analysis.main(folder, EVENTS)


def test_the_workspace_has_the_histograms(folder: Path, spec: Any) -> None:
    assert {channel["name"] for channel in spec["channels"]} == {"4j1b", "4j2b"}
    (signal,) = [of for of in spec["channels"][1]["samples"] if of["name"] == "ttbar"]
    kinds = {modifier["name"]: modifier["type"] for modifier in signal["modifiers"]}
    assert kinds["ttbar_norm"] == "normfactor" and kinds["pt_scale"] == "histosys"
    assert "scale_var" not in kinds and len([n for n in kinds if n.startswith("btag")]) == 4
    histogram = kaon.open(folder / "histograms.root")["4j2b_ttbar_pt_scale_up"]
    (scale,) = [of for of in signal["modifiers"] if of["name"] == "pt_scale"]
    assert histogram.values().tolist() == scale["data"]["hi_data"]
    assert (folder / "4j2b.png").read_bytes().startswith(b"\x89PNG")


def test_the_fit_finds_the_signal(spec: Any) -> None:
    pytest.importorskip("pyhf")
    norm, error = analysis.fit(spec)
    assert 0.03 < error < 0.3 and abs(norm - 1) < 3 * error
