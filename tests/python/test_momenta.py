"""Four-momenta of objects whose members have the names of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest

import kaon

PT, ETA, PHI, MASS = [[30.0, 20.0], [10.0]], [[0.5, -1.0], [2.0]], [[0.1, 3.0], [1.0]], 0.105
PX, PY = np.multiply(PT[0], np.cos(PHI[0])), np.multiply(PT[0], np.sin(PHI[0]))
PZ = np.multiply(PT[0], np.sinh(ETA[0]))
ENERGY = np.sqrt(PX**2 + PY**2 + PZ**2 + MASS**2)
TRUTH = float(np.sqrt(ENERGY.sum() ** 2 - PX.sum() ** 2 - PY.sum() ** 2 - PZ.sum() ** 2))

CYLINDER = dict(zip(("pt", "eta", "phi"), (PT[0], ETA[0], PHI[0]), strict=True))
CARTESIAN = {"px": PX, "py": PY, "pz": PZ}


def written(path: Path, members: dict[str, Any]) -> kaon.Dataframe:
    with kaon.create(path) as out:
        out["events"].extend({"Jet": ak.Array([ak.zip(members).tolist()])})
    return kaon.dataset(path, "events")


@pytest.mark.parametrize(
    "names",
    [
        {"pt": "pt", "eta": "eta", "phi": "phi", "mass": "mass"},  # NanoAOD
        {"pt": "PT", "eta": "Eta", "phi": "Phi", "mass": "Mass"},  # Delphes
        {"pt": "Pt", "eta": "Eta", "phi": "Phi", "energy": "E"},
        {"pt": "fPt", "eta": "fEta", "phi": "fPhi", "mass": "fM"},
        {"px": "Px", "py": "Py", "pz": "Pz", "energy": "E"},
        {"px": "PX", "py": "PY", "pz": "PZ", "energy": "Energy"},
        {"px": "fPx", "py": "fPy", "pz": "fPz", "mass": "m"},
    ],
    ids=lambda names: " ".join(names.values()),
)
def test_expressions_know_other_spellings(tmp_path: Path, names: dict[str, str]) -> None:
    values = {**CYLINDER, **CARTESIAN, "mass": [MASS, MASS], "energy": ENERGY}
    events = written(tmp_path / "jets.kaon", {name: values[of] for of, name in names.items()})
    assert events.take("(Jet[0] + Jet[1]).mass").value[0] == pytest.approx(TRUTH)
    assert events.take("Jet.pt").value[0].tolist() == pytest.approx(PT[0])
    assert events.take("Jet.eta").value[0].tolist() == pytest.approx(ETA[0])
    assert events.take("Jet[Jet.pt > 25].E").value[0].tolist() == pytest.approx([ENERGY[0]])
    chosen = events.define("hard", "Jet[Jet.pt > 5]").take("hard").value
    pytest.importorskip("vector")
    momenta = chosen if names.get("pt") == "pt" else chosen.p4
    assert (momenta[0, 0] + momenta[0, 1]).mass == pytest.approx(TRUTH)


def test_lorentz_vectors_of_root_have_momenta(tmp_path: Path) -> None:
    position = {"fX": PX, "fY": PY, "fZ": PZ}
    vectors = ak.zip({"fP": ak.zip(position), "fE": ENERGY})
    with kaon.create(tmp_path / "p4.kaon") as out:
        out["events"].extend({"muonp4": ak.Array([vectors.tolist()])})
    events = kaon.dataset(tmp_path / "p4.kaon", "events")
    assert events.take("(muonp4[0] + muonp4[1]).mass").value[0] == pytest.approx(TRUTH)
    assert events.take("muonp4.pt").value[0].tolist() == pytest.approx(PT[0])
    pytest.importorskip("vector")
    p4 = events.take("muonp4").value.p4
    assert (p4[0, 0] + p4[0, 1]).mass == pytest.approx(TRUTH)


def test_momenta_of_a_file_of_root(tmp_path: Path) -> None:
    from shared_files import shared_file

    flat = kaon.dataset(f"{shared_file('root/real/uproot-HZZ.root')}:events")
    vectors = kaon.dataset(f"{shared_file('root/real/uproot-HZZ-objects.root')}:events")
    masses = flat.filter("count(Muon) == 2").take("(Muon[0] + Muon[1]).mass")
    others = vectors.filter("count(muonp4) == 2").take("(muonp4[0] + muonp4[1]).mass")
    assert masses.value.tolist() == pytest.approx(others.value.tolist(), rel=1e-5)
    assert 80 < np.median(masses.value) < 100


def test_the_exact_name_counts_before_other_spellings(tmp_path: Path) -> None:
    members = {"pt": [1.0, 2.0], "PT": [3.0, 4.0], "Eta": [0.0, 0.0], "ETA": [5.0, 5.0]}
    events = written(tmp_path / "jets.kaon", members)
    assert events.take("Jet.pt").value.tolist() == [[1, 2]]
    with pytest.raises(kaon.errors.UnknownNameError, match="'Jet' has no 'eta'"):
        events.take("Jet.eta + 0")


def test_hints_name_only_members_that_exist(tmp_path: Path) -> None:
    events = written(tmp_path / "jets.kaon", {"pt": [1.0, 2.0], "PX": [3.0, 4.0]})
    for name in ("eta", "E", "pz", "mas"):
        with pytest.raises(kaon.errors.UnknownNameError) as caught:
            events.define("x", f"Jet.{name} + 0")
        assert not any(f"'{each}'?" in str(caught.value) for each in ("E", "eta", "mass", "pz"))


def test_objects_without_mass_have_transverse_energies(tmp_path: Path) -> None:
    towers = {"ET": PT[0], "Eta": ETA[0], "Phi": PHI[0]}
    events = written(tmp_path / "towers.kaon", towers)
    assert events.take("Jet.mass").value.tolist() == [[0, 0]]
    assert events.take("Jet.E").value[0].tolist() == pytest.approx(PT[0] * np.cosh(ETA[0]))
    assert events.take("Jet").value.p4.E[0].tolist() == pytest.approx(PT[0] * np.cosh(ETA[0]))


def test_masses_follow_from_the_numbers_of_particles(tmp_path: Path) -> None:
    events = written(tmp_path / "bank.kaon", {"pid": [-211, 0], **CARTESIAN})
    pion, unknown = events.take("Jet.mass").value[0]
    assert pion == 0.13957039 and np.isnan(unknown)
    chosen = events.take("Jet[Jet.pid == -211]").value
    pytest.importorskip("vector")
    assert chosen.p4.mass[0].tolist() == pytest.approx([0.13957039])
    arrays = kaon.open(tmp_path / "bank.kaon")["events"].arrays()
    assert arrays.Jet.p4.px[0].tolist() == PX.tolist()


def test_a_prefix_belongs_to_the_names(tmp_path: Path) -> None:
    members = {f"mu_{name}": values for name, values in CYLINDER.items()}
    events = written(tmp_path / "muons.kaon", {**members, "mu_m": [MASS, MASS]})
    assert events.take("(Jet[0] + Jet[1]).mass").value[0] == pytest.approx(TRUTH)


def test_masses_and_charges_are_those_of_the_pdg(tmp_path: Path) -> None:
    particle = pytest.importorskip("particle", reason="needs the package particle")
    known = [p for p in particle.Particle.all() if p.mass and abs(p.pdgid) < 1_000_000]
    assert len(known) > 300
    events = written(tmp_path / "all.kaon", {"PDG": np.array([int(p.pdgid) for p in known])})
    masses = events.take("pdg(Jet.PDG).mass").value[0].to_numpy()
    charges = events.take("pdg(Jet.PDG).charge").value[0].to_numpy()
    assert charges.tolist() == pytest.approx([p.three_charge / 3 for p in known])
    # Other years of the PDG's tables differ by their errors.
    assert np.median(np.abs(masses / [p.mass / 1000 for p in known] - 1)) < 1e-9
    assert masses.tolist() == pytest.approx([p.mass / 1000 for p in known], rel=0.05)
    stable = [i for i, p in enumerate(known) if abs(p.pdgid) in (11, 13, 211, 321, 2212, 2112)]
    assert masses[stable] == pytest.approx([known[i].mass / 1000 for i in stable], rel=1e-7)


def test_facts_about_particles_need_their_numbers(tmp_path: Path) -> None:
    events = written(tmp_path / "bank.kaon", {"pid": [-211, 0], **CARTESIAN})
    assert events.take("pdg(Jet.pid).charge").value[0][0] == -1
    assert events.take("sum(pdg(Jet.pid[:1]).mass)").value[0] == pytest.approx(0.13957039)
    with pytest.raises(kaon.errors.WrongTypeError, match="takes the numbers of particles"):
        events.take("pdg(Jet.px).mass")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'mass'"):
        events.take("pdg(Jet.pid).mas")


@pytest.mark.parametrize("form", ["jet_{}", "AnalysisJets.{}", "AnalysisJets:{}"])
def test_columns_of_lists_with_a_common_prefix_are_objects(tmp_path: Path, form: str) -> None:
    columns = {form.format(name): ak.Array([values]) for name, values in CYLINDER.items()}
    with kaon.create(tmp_path / "flat.root") as out:
        out["events"].extend({**columns, form.format("m"): ak.Array([[MASS, MASS]])})
    events = kaon.dataset(tmp_path / "flat.root", "events")
    jets = form.partition("{")[0][:-1]
    assert events.take(f"({jets}[0] + {jets}[1]).mass").value[0] == pytest.approx(TRUTH)
    assert events.take(f"{jets}[{jets}.pt > 25].px").value[0].tolist() == pytest.approx([PX[0]])


def test_users_name_their_own_momenta(tmp_path: Path) -> None:
    columns = {f"jet_{name}": ak.Array([values]) for name, values in CYLINDER.items()}
    with kaon.create(tmp_path / "flat.root") as out:
        out["events"].extend({**columns, "jet_gev": ak.Array([[MASS, MASS]])})
    jets = kaon.momenta("Jet", pt="jet_pt", eta="jet_eta", phi="jet_phi", mass="jet_gev")
    events = kaon.open(tmp_path / "flat.root")["events"]
    assert events.arrays("sum(Jet).mass", aliases=jets)["sum(Jet).mass"][0] == pytest.approx(TRUTH)
    assert events.arrays("Jet.px", aliases=jets)["Jet.px"][0].tolist() == pytest.approx(PX)
    frame = kaon.dataset(tmp_path / "flat.root", "events").define(jets)
    assert frame.take("(Jet[0] + Jet[1]).mass").value[0] == pytest.approx(TRUTH)
    with pytest.raises(kaon.errors.UsageError, match="did you mean 'mass'"):
        kaon.momenta("Jet", maas="jet_gev")
    with pytest.raises(kaon.errors.UsageError, match="needs px, py and pz"):
        kaon.momenta("Jet", pt="jet_pt", mass="jet_gev")


UNITS_MODEL = """
schema_version: 1
datatypes:
  Muon:
    Description: a muon of another experiment
    Author: somebody
    Members:
      - double px [MeV] // momentum
      - double py [MeV] // momentum
      - double pz [MeV] // momentum
      - double mass [{unit}] // mass
  Jet:
    Description: a jet
    Author: somebody
    Members:
      - double px [GeV] // momentum
      - double py [GeV] // momentum
      - double pz [GeV] // momentum
      - double mass [GeV] // mass
"""


@pytest.mark.parametrize("unit", ["MeV", "GeV"])
def test_mixed_units_raise(tmp_path: Path, unit: str) -> None:
    (tmp_path / "model.yaml").write_text(UNITS_MODEL.format(unit=unit))
    members = ak.zip({**CARTESIAN, "mass": [MASS, MASS]})
    types = {"Muon": "Muon", "Jet": "Jet"}
    with kaon.create(tmp_path / "a.kaon", model=tmp_path / "model.yaml", types=types) as out:
        out["events"].extend({name: ak.Array([members.tolist()]) for name in types})
    events = kaon.dataset(tmp_path / "a.kaon", "events")
    assert events.take("Muon.pt").value[0].tolist() == pytest.approx(np.hypot(PX, PY))
    assert events.take("Jet.E").value[0].tolist() == pytest.approx(ENERGY)
    wrong = kaon.errors.WrongTypeError
    with pytest.raises(wrong, match="'Muon.px' is in MeV, but 'Jet.px' is in GeV"):
        events.take("(Muon[0] + Jet[0]).px")
    arrays = kaon.open(tmp_path / "a.kaon")["events"].arrays()
    if unit == "MeV":
        assert events.take("Muon.E").value[0].tolist() == pytest.approx(ENERGY)
        assert arrays.Muon.p4.E[0].tolist() == pytest.approx(ENERGY)
        return
    with pytest.raises(wrong, match="'Muon.px' is in MeV, but 'Muon.mass' is in GeV"):
        events.take("Muon.E")
    with pytest.raises(wrong, match="'px' is in MeV, but 'mass' is in GeV"):
        _ = arrays.Muon.p4


def test_masses_of_particles_are_in_gev(tmp_path: Path) -> None:
    members = [f"double p{axis} [MeV] // momentum" for axis in "xyz"]
    (tmp_path / "model.yaml").write_text(f"""
schema_version: 1
datatypes:
  Track:
    {{Description: a track, Author: somebody, Members: {[*members, "int32_t pid // its particle"]}}}
""")
    types = {"Track": "Track"}
    tracks = ak.zip({**CARTESIAN, "pid": np.array([211, 211], np.int32)})
    with kaon.create(tmp_path / "a.kaon", model=tmp_path / "model.yaml", types=types) as out:
        out["events"].extend({"Track": ak.Array([tracks.tolist()])})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    with pytest.raises(kaon.errors.WrongTypeError, match="in MeV, but the masses .* are in GeV"):
        events.arrays("Track.E")
    with pytest.raises(kaon.errors.WrongTypeError, match="'px' is in MeV"):
        _ = events.arrays().Track.p4


def test_banks_of_hipo_have_momenta() -> None:
    from shared_files import shared_file

    events = kaon.open(shared_file("hipo/generated/cpp_bankgen2000_lz4.hipo"))["events"]
    masses = events.arrays("REC::Particle.mass")["REC::Particle.mass"]
    p4 = events.arrays("REC::Particle")["REC::Particle"].p4
    assert ak.array_equal(p4.mass, masses, equal_nan=True)
    assert 0.13957039 in masses[0]
