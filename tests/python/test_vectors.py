"""Vectors and four-momenta in arrays, as the package `vector` makes them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon

vector = pytest.importorskip("vector")

MODEL = """
schema_version: 1
components:
  Vector3: {Members: ["double x", "double y", "double z"]}
datatypes:
  Particle:
    Description: a particle
    Author: somebody
    Members:
      - Vector3 momentum [GeV] // its momentum
      - Vector3 vertex [mm] // where it began
      - double mass [GeV] // its mass
      - double charge [e] // its charge
    OneToManyRelations:
      - Particle daughters // what it decayed to
"""


@pytest.fixture
def events(tmp_path: Path) -> kaon.Category:
    (tmp_path / "model.yaml").write_text(MODEL)
    model = kaon.load_model(tmp_path / "model.yaml")
    path = tmp_path / "events.kaon"
    with kaon.create(path, model=model) as out:
        for event in range(3):
            frame = kaon.Frame()
            made = kaon.Collection(model.Particle)
            z = made.create(mass=91.0, momentum=(3, 4, 0))
            for sign in (1, -1):
                z.daughters.append(
                    made.create(mass=0.1, momentum=(1, 2, sign * event), charge=sign)
                )
            frame["Particles"] = made
            out["events"].write(frame)
    return kaon.open(path)["events"]


@pytest.fixture
def particles(events: kaon.Category) -> ak.Array:
    return events.arrays().Particles


def test_momenta_are_vectors(particles: ak.Array) -> None:
    assert particles.momentum.pt[:, 0].to_list() == [5, 5, 5]
    assert particles.vertex.rho[0].to_list() == [0, 0, 0]
    assert not hasattr(particles.vertex, "pt")  # it is not a momentum
    assert particles[0, 0].momentum.phi == pytest.approx(np.arctan2(4, 3))


def test_particles_have_four_momenta(particles: ak.Array) -> None:
    assert particles.p4.mass[:, 0].to_list() == [91, 91, 91]
    assert particles[1, 0].p4.E == pytest.approx(np.sqrt(91**2 + 25))
    pair = particles[:, 1].p4 + particles[:, 2].p4
    expected = [np.sqrt(4 * (5 + z**2 + 0.01) - 4 * 5) for z in range(3)]
    assert pair.mass.to_list() == pytest.approx(expected)


def test_objects_of_relations_have_momenta(particles: ak.Array) -> None:
    total = ak.sum(particles.daughters.p4, axis=-1)
    assert total.px[:, 0].to_list() == [2, 2, 2]
    assert particles[2].daughters.p4.pz[0].to_list() == [2, -2]


def test_selections_and_combinations_keep_them(particles: ak.Array) -> None:
    charged = particles[particles.charge != 0]
    pairs = ak.combinations(charged, 2, fields=["a", "b"])
    assert (pairs.a.p4 + pairs.b.p4).pz[:, 0].to_list() == [0, 0, 0]
    assert ak.concatenate([charged, charged]).p4.pt[5, 0] == pytest.approx(np.sqrt(5))


def test_virtual_arrays_have_them(events: kaon.Category) -> None:
    log: list[kaon.results.Accessed] = []
    particles = events.arrays(virtual=True, access_log=log).Particles
    assert particles.p4.mass[:, 0].to_list() == [91, 91, 91]
    assert particles.momentum.pt[:, 0].to_list() == [5, 5, 5]
    assert "Particles.charge" not in {accessed.name for accessed in log}


def test_another_process_has_them_after_pickling(particles: ak.Array, tmp_path: Path) -> None:
    (tmp_path / "particles.pickle").write_bytes(pickle.dumps(particles))
    program = (
        "import pickle, sys; particles = pickle.load(open(sys.argv[1], 'rb'));"
        "print(particles.p4.pt[0, 0], particles.momentum.pt[0, 0])"
    )
    arguments = [sys.executable, "-c", program, str(tmp_path / "particles.pickle")]
    assert subprocess.check_output(arguments, text=True) == "5.0 5.0\n"


@pytest.mark.parametrize("names", [("px", "py", "pz", "mass"), ("pt", "eta", "phi", "energy")])
def test_momenta_may_be_members_themselves(tmp_path: Path, names: tuple[str, ...]) -> None:
    members = [f"double {name} // one of four" for name in (*names, "charge")]
    (tmp_path / "model.yaml").write_text(f"""
schema_version: 1
datatypes:
  Muon:
    Description: a muon
    Author: somebody
    Members: {members}
    OneToOneRelations:
      - Muon partner // the other one
""")
    one, other = dict(zip(names, (3.0, 0.5, 0.25, 8.0), strict=True)), dict.fromkeys(names, 1.0)
    muons = [[{**one, "charge": 1.0, "partner": 1}, {**other, "charge": -1.0, "partner": 0}], []]
    with kaon.create(
        tmp_path / "a.kaon", model=tmp_path / "model.yaml", types={"Muon": "Muon"}
    ) as out:
        out["events"].extend({"Muon": ak.Array(muons)})
    read = kaon.open(tmp_path / "a.kaon:events").arrays().Muon
    expected = vector.obj(**one) + vector.obj(**other)
    assert (read.p4 + read.partner.p4).mass.to_list() == [[pytest.approx(expected.mass)] * 2, []]


def test_own_momenta_may_be_set(particles: ak.Array) -> None:
    particles["p4"] = particles.momentum
    assert particles.p4.fields == ["x", "y", "z"]
    assert particles[:, 1].p4.x.to_list() == particles.momentum.x[:, 1].to_list()
    assert particles[1, 0].p4.x == particles.momentum.x[1, 0]


def test_particles_without_energy_and_mass_have_none(events: kaon.Category) -> None:
    particles = events.arrays("Particles.momentum").Particles
    with pytest.raises(AttributeError, match="`energy` or `mass`"):
        _ = particles.p4
    with pytest.raises(AttributeError, match="no field named 'p5'"):
        _ = particles.p5


def test_collections_of_coordinates_are_four_momenta(tmp_path: Path) -> None:
    muons = ak.Array([[{"pt": 3.0, "eta": 0.0, "phi": 0.0, "mass": 0.1, "charge": 1}], []])
    path = tmp_path / "nano.kaon"
    with kaon.create(path) as out:
        out["Events"].extend({"Muon": muons})
    events = kaon.open(path)["Events"].arrays()
    assert events.Muon.px.to_list() == [[3], []]
    assert (events.Muon[:1, 0] + events.Muon[:1, 0]).mass[0] == pytest.approx(0.2)
    assert events.Muon.charge.to_list() == [[1], []]
    again = tmp_path / "again.kaon"
    with kaon.create(again) as out:
        out["Events"].extend(events)
    assert ak.array_equal(kaon.open(again)["Events"].arrays(), events)


def test_coordinates_of_two_kinds_are_no_vector(tmp_path: Path) -> None:
    vertices = ak.Array([[{"pt": 3.0, "eta": 0.0, "phi": 0.0, "mass": 0.1, "x": 1.0, "y": 2.0}]])
    with kaon.create(tmp_path / "nano.kaon") as out:
        out["Events"].extend({"SV": vertices})
    events = kaon.open(tmp_path / "nano.kaon")["Events"].arrays()
    assert events.SV.pt.to_list() == [[3]] and events.SV.x.to_list() == [[1]]
