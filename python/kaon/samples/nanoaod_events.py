"""Events with the branches of CMS's NanoAOD: Z bosons, top quarks, and data with both."""

from __future__ import annotations

from typing import Any

import awkward as ak
import numpy as np
from numpy.typing import NDArray

from kaon.errors import UsageError
from kaon.files.paths import StrPath
from kaon.samples.kinematics import Momenta, decayed, from_beam
from kaon.writing.opening import create

_MUON, _W, _TOP, _BOTTOM = 0.10566, 80.4, 172.5, 4.7  # masses in GeV
_SHARE_OF_Z = 0.8
_PROCESSES = ("Z", "tt", "data")


def nanoaod(
    path: StrPath,
    process: str = "Z",
    *,
    events: int = 10_000,
    seed: int = 1,
    overwrite: bool = False,
) -> None:
    """Write a ROOT file with a tree ``Events`` in the form of NanoAOD.

    >>> kaon.samples.nanoaod("data.root", "data", events=20_000, seed=2)

    The events are random numbers that imitate measurements at 13 TeV; no generator or simulation
    of a detector made them. Branches: ``run``, ``luminosityBlock``, ``event``, ``genWeight``
    (1, not in data), ``MET_pt``, ``MET_phi``; ``Muon_`` ``pt``, ``eta``, ``phi``, ``mass``,
    ``charge``, ``pfRelIso04_all``; ``Jet_`` ``pt``, ``eta``, ``phi``, ``mass``,
    ``btagDeepFlavB``. Objects are in descending order of their transverse momentum, in GeV.

    Parameters
    ----------
    path
        The path of the new file.
    process
        "Z": Z bosons that decay into two muons. "tt": pairs of top quarks; each W boson decays
        into a muon in one of three events, otherwise into two jets. "data": 80 % of the first and
        20 % of the second, in random order.
    events
        The number of events.
    seed
        The seed of the random numbers. Equal arguments make equal events.
    overwrite
        Whether to replace an existing file.

    Raises
    ------
    UsageError
        If the process is unknown, or `events` is below 1.
    ExistingFileError
        If the file exists and `overwrite` is false.
    """
    if process not in _PROCESSES:
        raise UsageError(f"process must be one of {', '.join(_PROCESSES)}, not {process!r}")
    if events < 1:
        raise UsageError(f"events must be at least 1, not {events}")
    random = np.random.default_rng([seed, _PROCESSES.index(process)])
    bosons = {"Z": events, "tt": 0, "data": round(_SHARE_OF_Z * events)}[process]
    made = [
        make(count, random)
        for make, count in ((_bosons, bosons), (_tops, events - bosons))
        if count
    ]
    columns = {name: ak.concatenate([of[name] for of in made]) for name in made[0]}
    if process == "data":
        order = random.permutation(events)
        columns = {name: of[order] for name, of in columns.items()}
    else:
        columns["genWeight"] = np.ones(events, np.float32)
    columns["run"] = np.full(events, 1 if process != "data" else 356_000 + seed, np.uint32)
    columns["luminosityBlock"] = (1 + np.arange(events) // 100).astype(np.uint32)
    columns["event"] = np.arange(1, events + 1, dtype=np.uint64)
    with create(path, format="ttree", overwrite=overwrite) as out:
        out["Events"].extend(columns)


def _bosons(events: int, random: np.random.Generator) -> dict[str, Any]:
    """Return events with Z bosons that decay into muons."""
    mass = np.clip(91.19 + 1.25 * random.standard_cauchy(events), 40, 160)
    phi = random.uniform(-np.pi, np.pi, events)
    bosons = from_beam(random.exponential(12, events), random.normal(0, 1.2, events), phi, mass)
    return _measured(list(decayed(bosons, (_MUON, _MUON), random)), [], [], random)


def _tops(events: int, random: np.random.Generator) -> dict[str, Any]:
    """Return events with two top quarks that decay."""
    pt, phi = random.gamma(2, 55, events), random.uniform(-np.pi, np.pi, events)
    muons, jets, neutrinos = [], [], []
    for side in (0, np.pi):
        tops = from_beam(pt, random.normal(0, 1, events), phi + side, _TOP)
        bottom, boson = decayed(tops, (_BOTTOM, _W), random)
        first, second = decayed(boson, (0, 0), random)
        is_muon = random.random(events) < 1 / 3
        nothing = np.zeros_like(first)
        muons.append(np.where(is_muon[:, None], first, nothing))
        neutrinos.append(np.where(is_muon[:, None], second, nothing))
        jets += [(bottom, True)]
        jets += [(np.where(is_muon[:, None], nothing, of), False) for of in (first, second)]
    return _measured(muons, jets, neutrinos, random)


def _measured(
    muons: list[Momenta],
    jets: list[tuple[Momenta, bool]],
    neutrinos: list[Momenta],
    random: np.random.Generator,
) -> dict[str, Any]:
    """Return the measurement of particles: zeros are particles that an event lacks.

    Parameters
    ----------
    jets
        Momenta, and whether the jets have bottom quarks.
    """
    events = len(muons[0])
    charged = _columns(muons, 0.015, random)
    charges = random.choice(np.array([-1, 1], np.int32), events)
    is_wrong = random.random((events, len(muons))) < 0.005
    charged["charge"] = np.stack([charges, -charges], axis=1) * np.where(is_wrong, -1, 1)
    charged["pfRelIso04_all"] = random.exponential(0.04, (events, len(muons)))
    radiated = [
        from_beam(
            (random.random(events) < share) * (15 + random.exponential(25, events)),
            random.normal(0, 1.8, events),
            random.uniform(-np.pi, np.pi, events),
            5.0,
        )
        for share in (0.4, 0.2, 0.1)
    ]
    all_jets = [*jets, *((of, False) for of in radiated)]
    hadrons = _columns([of for of, _ in all_jets], 0.1, random)
    hadrons["btagDeepFlavB"] = np.stack(
        [
            random.beta(6, 1, events) if is_bottom else random.beta(0.5, 8, events)
            for _, is_bottom in all_jets
        ],
        axis=1,
    )
    missing = random.normal(0, 9, (events, 2)) + sum(of[:, 1:3] for of in neutrinos)
    return {
        "Muon": _sorted(charged, 5, 2.4),
        "Jet": _sorted(hadrons, 15, 4.7),
        "MET_pt": np.hypot(missing[:, 0], missing[:, 1]).astype(np.float32),
        "MET_phi": np.arctan2(missing[:, 1], missing[:, 0]).astype(np.float32),
    }


def _columns(
    particles: list[Momenta], resolution: float, random: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Return measured members of particles, each of shape (events, particles)."""
    momenta = np.stack(particles, axis=1)
    momenta = momenta * random.normal(1, resolution, (*momenta.shape[:2], 1))
    energy, x, y, z = np.moveaxis(momenta, 2, 0)
    pt = np.hypot(x, y)
    squares = energy**2 - pt**2 - z**2
    return {
        "pt": pt,
        "eta": np.arcsinh(np.divide(z, pt, out=np.zeros_like(z), where=pt > 0)),
        "phi": np.arctan2(y, x),
        "mass": np.sqrt(np.maximum(squares, 0)),
    }


def _sorted(columns: dict[str, NDArray[Any]], least_pt: float, most_eta: float) -> ak.Array:
    """Return the objects in the acceptance, those with the largest transverse momentum first."""
    order = np.argsort(-columns["pt"], axis=1, kind="stable")
    columns = {name: np.take_along_axis(of, order, axis=1) for name, of in columns.items()}
    is_seen = (columns["pt"] > least_pt) & (np.abs(columns["eta"]) < most_eta)
    counts = is_seen.sum(axis=1)
    narrow = {
        name: of.astype(np.int32 if of.dtype.kind == "i" else np.float32)
        for name, of in columns.items()
    }
    return ak.zip({name: ak.unflatten(of[is_seen], counts) for name, of in narrow.items()})
