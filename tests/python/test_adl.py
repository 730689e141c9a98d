"""The eight queries of the example, compared with the same in NumPy and Awkward Array."""

import os
import subprocess
import sys
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
from built import BUILD, needs_built

import kaon

PROGRAMS = BUILD / "examples/adl"
SCRIPT = Path(__file__).parents[2] / "examples/adl/queries.py"
ENVIRONMENT = os.environ | {"PYTHONPATH": os.fspath(Path(kaon.__file__).parents[1])}
EVENTS = 20_000

pytestmark = needs_built("examples/adl/adl_events")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same events in each format, and other events in further files."""
    folder = tmp_path_factory.mktemp("adl")
    for name, seed in [("a.kaon", 1), ("b.kaon", 2), ("a.root", 1), ("a.tree.root", 1)]:
        subprocess.run([PROGRAMS / "adl_events", folder / name, str(EVENTS), str(seed)], check=True)
    return folder


def query(program, *files):
    """Return the histograms that a program prints, with underflow and overflow."""
    command = [sys.executable, SCRIPT] if program == "python" else [PROGRAMS / f"adl_{program}"]
    result = subprocess.run(
        [*command, *files], check=True, capture_output=True, text=True, env=ENVIRONMENT
    )
    lines = [line.split() for line in result.stdout.splitlines()]
    return {name: np.array(bins, float) for name, *bins in lines}


def histogram(values, bins, low, high):
    """Return the histogram of values that the programs should print."""
    edges = np.concatenate([[-np.inf], np.linspace(low, high, bins + 1), [np.inf]])
    return np.histogram(ak.to_numpy(ak.flatten(values, axis=None)), edges)[0]


def momenta(particles):
    """Return the four-momenta of particles."""
    px, py = particles.pt * np.cos(particles.phi), particles.pt * np.sin(particles.phi)
    pz = particles.pt * np.sinh(particles.eta)
    energy = np.sqrt(px**2 + py**2 + pz**2 + particles.mass**2)
    return ak.zip({"px": px, "py": py, "pz": pz, "E": energy})


def add(*vectors):
    """Return the sum of four-momenta, with its mass and transverse momentum."""
    total = {name: sum(v[name] for v in vectors) for name in ("px", "py", "pz", "E")}
    square = total["E"] ** 2 - total["px"] ** 2 - total["py"] ** 2 - total["pz"] ** 2
    return np.sqrt(np.maximum(square, 0)), np.sqrt(total["px"] ** 2 + total["py"] ** 2)


def azimuths_apart(a, b):
    """Return the difference of azimuths, from -pi to pi."""
    return (a - b + np.pi) % (2 * np.pi) - np.pi


def expected(events):
    """Return the results of all queries, computed as the queries are defined."""
    jet, muon, electron = events.Jet, events.Muon, events.Electron
    results = {
        "1": histogram(events.MET_pt, 100, 0, 200),
        "2": histogram(jet.pt, 100, 15, 60),
        "3": histogram(jet.pt[abs(jet.eta) < 1], 100, 15, 60),
        "4": histogram(events.MET_pt[ak.sum(jet.pt > 40, axis=1) >= 2], 100, 0, 200),
    }

    muon["p4"] = momenta(muon)
    a, b = ak.unzip(ak.combinations(muon, 2))
    mass, _ = add(a.p4, b.p4)
    is_z = (a.pdgId == -b.pdgId) & (mass > 60) & (mass < 120)
    results["5"] = histogram(events.MET_pt[ak.any(is_z, axis=1)], 100, 0, 200)

    jet["p4"] = momenta(jet)
    a, b, c = ak.unzip(ak.combinations(jet[ak.num(jet) >= 3], 3))
    mass, pt = add(a.p4, b.p4, c.p4)
    best = ak.argmin(abs(mass - 172.5), axis=1, keepdims=True)
    btag = np.maximum(np.maximum(a.btag, b.btag), c.btag)
    results["6a"] = histogram(pt[best], 100, 15, 40)
    results["6b"] = histogram(btag[best], 100, 0, 1)

    electron["p4"] = momenta(electron)
    lepton = ak.concatenate([muon, electron], axis=1)
    one, other = ak.unzip(ak.cartesian([jet, lepton[lepton.pt > 10]], nested=True))
    distance = np.hypot(one.eta - other.eta, azimuths_apart(one.phi, other.phi))
    is_free = ak.all(distance >= 0.4, axis=2)
    results["7"] = histogram(ak.sum(jet.pt[(jet.pt > 30) & is_free], axis=1), 100, 15, 200)

    enough = ak.num(lepton) >= 3
    lepton, met = lepton[enough], events[["MET_pt", "MET_phi"]][enough]
    lepton["number"] = ak.local_index(lepton)
    a, b = ak.unzip(ak.combinations(lepton, 2))
    mass, _ = add(a.p4, b.p4)
    is_pair = a.pdgId == -b.pdgId
    has_pair = ak.any(is_pair, axis=1)
    best = ak.argmin(ak.where(is_pair, abs(mass - 91.2), np.inf), axis=1, keepdims=True)
    first, second = ak.flatten(a.number[best]), ak.flatten(b.number[best])
    rest = lepton[(lepton.number != first) & (lepton.number != second)]
    hardest = ak.firsts(rest[ak.argmax(rest.pt, axis=1, keepdims=True)])
    angle = azimuths_apart(hardest.phi, met.MET_phi)
    mass = np.sqrt(2 * hardest.pt * met.MET_pt * (1 - np.cos(angle)))
    results["8"] = histogram(mass[has_pair], 100, 0, 200)
    return results


@pytest.mark.parametrize("program", ["functions", "expressions", "loops", "python"])
def test_queries_equal_the_results_of_numpy(files, program):
    names = [files / "a.kaon", files / "b.kaon"]
    truth = expected(ak.concatenate([kaon.open(name)["Events"].arrays() for name in names]))
    results = query(program, *names)
    assert list(results) == list(truth)
    for name, bins in truth.items():
        assert bins.sum() > 1000, name
        # A mass may lie at an edge. A few events may then change places because of rounding.
        moved = np.abs(results[name] - bins).sum()
        assert moved <= (0 if name in "1234" else 6), name


@pytest.mark.parametrize("program", ["functions", "expressions", "loops", "python"])
@pytest.mark.parametrize("name", ["a.root", "a.tree.root"])
def test_queries_are_the_same_of_root_files(files, program, name):
    results, same = query(program, files / name), query(program, files / "a.kaon")
    assert all((results[key] == same[key]).all() for key in same)


@pytest.mark.parametrize("program", ["functions", "expressions", "loops", "python"])
def test_leptons_of_equal_momenta_are_told_apart(tmp_path, program):
    leptons = {
        "pt": [45, 45, 45, 20],
        "eta": [0.1, 0.2, 1.0, -1.0],
        "phi": [0.2, -2.9, 1.0, 0.5],
        "mass": [0.1] * 4,
        "pdgId": [13, -13, 13, 13],
    }
    muons = ak.zip({name: np.array([values], np.float32) for name, values in leptons.items()})
    muons["pdgId"] = ak.values_astype(muons.pdgId, np.int32)
    jets = ak.zip({name: muons[name] for name in ("pt", "eta", "phi", "mass")})
    jets["btag"] = jets.mass
    met = {"MET_pt": np.full(1, 30, np.float32), "MET_phi": np.full(1, 0.5, np.float32)}
    with kaon.create(tmp_path / "equal.kaon") as out:
        out["Events"].extend({**met, "Muon": muons, "Electron": muons[:, :0], "Jet": jets})
    truth = expected(kaon.open(tmp_path / "equal.kaon")["Events"].arrays())["8"]
    assert truth.sum() == 1
    assert query(program, tmp_path / "equal.kaon")["8"].tolist() == truth.tolist()


def test_the_queries_are_drawn(files, tmp_path):
    picture = tmp_path / "queries.png"
    command = [sys.executable, SCRIPT, "--plot", picture, files / "a.kaon"]
    subprocess.run(command, check=True, env=ENVIRONMENT)
    assert picture.read_bytes().startswith(b"\x89PNG")
