"""Files to practise on have the structure of experiments' files, and peaks at known masses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
import uproot

import kaon
from kaon.samples.kinematics import decayed, from_beam, mass_of, with_mass


def test_products_of_decays_have_the_momentum_of_their_parents() -> None:
    random = np.random.default_rng(3)
    parents = from_beam([0.0, 30.0, 5.0], [0.0, 1.5, -3.0], [0.0, 1.0, 2.0], 91.2)
    first, second = decayed(parents, (0.106, [10.0, 20.0, 80.0]), random)
    assert np.allclose(first + second, parents)
    assert np.allclose(mass_of(first), 0.106, atol=1e-4)
    assert np.allclose(mass_of(second), [10, 20, 80]) and np.allclose(mass_of(parents), 91.2)
    assert np.allclose(np.hypot(parents[:, 1], parents[:, 2]), [0, 30, 5])
    at_rest, _ = decayed(with_mass(np.zeros((10_000, 3)), 1), (0, 0), random)
    assert np.allclose(at_rest[:, 0], 0.5)
    assert np.abs(at_rest[:, 1:].mean(axis=0)).max() < 0.01  # isotropic


def test_nanoaod_is_read_by_uproot(tmp_path: Path) -> None:
    kaon.samples.nanoaod(tmp_path / "Z.root", events=3000)
    with uproot.open(tmp_path / "Z.root") as file:
        tree = file["Events"].arrays()
    assert (tree.nMuon == ak.num(tree.Muon_pt)).to_list() == [True] * 3000
    assert tree.event.to_list() == list(range(1, 3001)) and set(tree.genWeight.to_list()) == {1}
    for name in ("Muon_pt", "Jet_pt"):
        ordered = tree[name][:, :-1] >= tree[name][:, 1:]
        assert ak.all(ordered) and ak.count(tree[name]) > 1000
    muons = kaon.open(tmp_path / "Z.root")["Events"].arrays("Muon").Muon
    pairs = muons[ak.num(muons) == 2]
    assert np.median((pairs[:, 0] + pairs[:, 1]).mass) == pytest.approx(91.2, abs=0.3)
    assert ak.mean(pairs[:, 0].charge != pairs[:, 1].charge) == pytest.approx(0.99, abs=0.01)


def test_top_quarks_have_bottom_jets(tmp_path: Path) -> None:
    kaon.samples.nanoaod(tmp_path / "tt.root", "tt", events=3000)
    events = kaon.open(tmp_path / "tt.root")["Events"].arrays()
    assert ak.mean(ak.sum(events.Jet.btagDeepFlavB > 0.5, axis=1)) == pytest.approx(2, abs=0.3)
    count = np.bincount(ak.num(events.Muon[events.Muon.pt > 10]), minlength=3)
    assert count[0] > count[1] > count[2] > 20


@pytest.mark.parametrize(("process", "bottoms"), [("W", 0), ("t", 1)])
def test_bosons_decay_into_leptons(process: str, bottoms: int, tmp_path: Path) -> None:
    kaon.samples.nanoaod(tmp_path / "a.root", process, events=3000)
    events = kaon.open(tmp_path / "a.root")["Events"].arrays()
    leptons = ak.num(events.Electron) + ak.num(events.Muon)
    assert set(leptons.to_list()) == {0, 1}
    electrons, muons = ak.sum(ak.num(events.Electron)), ak.sum(ak.num(events.Muon))
    assert electrons / muons == pytest.approx(1, abs=0.15)
    assert ak.mean(events.MET_pt[leptons == 1]) > ak.mean(events.MET_pt[leptons == 0])
    tags = ak.mean(ak.sum(events.Jet.btagDeepFlavB > 0.5, axis=1))
    assert tags == pytest.approx(bottoms, abs=0.15)
    assert events.Muon.tightId.type.content.content.primitive == "bool"


def test_data_are_a_mixture(tmp_path: Path) -> None:
    kaon.samples.nanoaod(tmp_path / "data.root", "data", events=4000, seed=7)
    events = kaon.open(tmp_path / "data.root")["Events"].arrays()
    assert "genWeight" not in events.fields and set(events.run.to_list()) == {356_007}
    tops = ak.sum(events.Jet.btagDeepFlavB > 0.7, axis=1) > 1
    assert 0.05 < ak.mean(tops) < 0.2
    assert abs(ak.mean(tops[:2000]) - ak.mean(tops[2000:])) < 0.05  # in random order


def test_clas12_has_a_missing_neutron(tmp_path: Path) -> None:
    kaon.samples.clas12(tmp_path / "rec.hipo", events=3000)
    events = kaon.open(tmp_path / "rec.hipo")["events"].arrays()
    particles = events["REC::Particle"]
    first, second = particles[:, 0], particles[:, 1]
    assert set(first.pid.to_list()) == {11} and set(second.pid.to_list()) == {211}
    assert ak.all(first.status < 0) and set(ak.flatten(particles.charge).to_list()) == {-1, 0, 1}
    momenta = [
        np.stack([np.asarray(of[name]) for name in ("px", "py", "pz")], axis=1)
        for of in (first, second)
    ]
    total = np.array([10.6 + 0.938272, 0, 0, 10.6])
    missing = total - with_mass(momenta[0], 0.000511) - with_mass(momenta[1], 0.13957)
    mass = mass_of(missing)
    assert np.mean(np.abs(mass - 0.9396) < 0.05) == pytest.approx(0.55, abs=0.06)
    assert events["REC::Event"].category.to_list() == [[1]] * 3000


@pytest.mark.parametrize(("name", "make"), [("a.root", "nanoaod"), ("a.hipo", "clas12")])
def test_equal_seeds_make_equal_events(name: str, make: str, tmp_path: Path) -> None:
    write: Any = getattr(kaon.samples, make)

    def events(**options: Any) -> list[Any]:
        write(tmp_path / name, events=20, overwrite=True, **options)
        (category,) = kaon.open(tmp_path / name).values()
        return category.arrays().to_list()

    assert events() == events(seed=1) != events(seed=2)
    with pytest.raises(kaon.errors.ExistingFileError):
        write(tmp_path / name)
    with pytest.raises(kaon.errors.UsageError, match="events must be at least 1, not 0"):
        write(tmp_path / name, events=0)


def test_unknown_processes_are_mistakes(tmp_path: Path) -> None:
    with pytest.raises(
        kaon.errors.UsageError, match="process must be one of Z, tt, data, W, t, not 'H'"
    ):
        kaon.samples.nanoaod(tmp_path / "H.root", "H")
