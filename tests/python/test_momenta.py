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
