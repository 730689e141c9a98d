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
_PROCESSES = ("Z", "tt", "data", "W", "t")

_Particles = list[tuple[Momenta, str]]
"""Momenta of each event, or zeros where an event lacks the particle, and its kind."""


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
    (1, not in data), ``MET_pt``, ``MET_phi``; ``Electron_``, ``Muon_`` and ``Jet_`` with ``pt``,
    ``eta``, ``phi``, ``mass``. Leptons have ``charge``, ``sip3d``, and ``cutBased`` or ``tightId``
    and ``pfRelIso04_all``; jets ``jetId`` and ``btagDeepFlavB``. Objects are in descending order
    of their transverse momentum, in GeV.

    Parameters
    ----------
    path
        The path of the new file.
    process
        "Z": Z bosons that decay into two muons. "W": W bosons that decay into an electron or a
        muon, with jets. "tt": pairs of top quarks, whose W bosons decay into an electron or a muon
        in one of three events, otherwise into two jets. "t": one top quark with a jet. "data":
        80 % of "Z" and 20 % of "tt", in random order.
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
    counts = {process: events}
    if process == "data":
        counts = {"Z": round(_SHARE_OF_Z * events)}
        counts["tt"] = events - counts["Z"]
    made = [
        _measured(_PARTICLES[each](count, random), count, random)
        for each, count in counts.items()
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


def _of_z(events: int, random: np.random.Generator) -> _Particles:
    mass = np.clip(91.19 + 1.25 * random.standard_cauchy(events), 40, 160)
    phi = random.uniform(-np.pi, np.pi, events)
    bosons = from_beam(random.exponential(12, events), random.normal(0, 1.2, events), phi, mass)
    first, second = decayed(bosons, (_MUON, _MUON), random)
    return [(first, "muon"), (second, "muon")]


def _of_w(events: int, random: np.random.Generator) -> _Particles:
    phi = random.uniform(-np.pi, np.pi, events)
    bosons = from_beam(random.exponential(25, events), random.normal(0, 1.5, events), phi, _W)
    return [*_of_boson(bosons, 1, random), *_radiated((0.8, 0.6, 0.5, 0.4), events, random)]


def _of_tt(events: int, random: np.random.Generator) -> _Particles:
    pt, phi = random.gamma(2, 55, events), random.uniform(-np.pi, np.pi, events)
    return [
        particle
        for side in (0, np.pi)
        for particle in _of_top(
            from_beam(pt, random.normal(0, 1, events), phi + side, _TOP), random
        )
    ]


def _of_t(events: int, random: np.random.Generator) -> _Particles:
    pt, phi = random.gamma(2, 30, events), random.uniform(-np.pi, np.pi, events)
    tops = from_beam(pt, random.normal(0, 1.2, events), phi, _TOP)
    light = from_beam(pt, random.normal(0, 2.5, events), phi + np.pi, 5.0)
    return [*_of_top(tops, random), (light, "jet"), *_radiated((0.6, 0.5), events, random)]


_PARTICLES = {"Z": _of_z, "W": _of_w, "tt": _of_tt, "t": _of_t}


def _of_top(tops: Momenta, random: np.random.Generator) -> _Particles:
    bottom, boson = decayed(tops, (_BOTTOM, _W), random)
    return [(bottom, "bottom"), *_of_boson(boson, 1 / 3, random)]


def _of_boson(bosons: Momenta, share: float, random: np.random.Generator) -> _Particles:
    """Return the products of W bosons; a share decays into electrons and muons."""
    first, second = decayed(bosons, (0, 0), random)
    kind = random.random(len(bosons)) / share
    leptons = {"electron": kind < 0.5, "muon": (kind >= 0.5) & (kind < 1)}
    charged: _Particles = [(first * is_it[:, None], name) for name, is_it in leptons.items()]
    is_lepton = (kind < 1)[:, None]
    quarks: _Particles = [(of * ~is_lepton, "jet") for of in (first, second)]
    return [*charged, (second * is_lepton, "neutrino"), *quarks]


def _radiated(shares: tuple[float, ...], events: int, random: np.random.Generator) -> _Particles:
    """Return jets that a share of the events has."""
    jets: _Particles = []
    for share in shares:
        pt = 15 + random.exponential(25, events)
        phi = random.uniform(-np.pi, np.pi, events)
        jet = from_beam(pt, random.normal(0, 1.8, events), phi, 5.0)
        jets.append((jet * (random.random(events) < share)[:, None], "jet"))
    return jets


def _measured(particles: _Particles, events: int, random: np.random.Generator) -> dict[str, Any]:
    """Return the columns of measured events."""
    particles = [*particles, *_radiated((0.4, 0.2, 0.1), events, random)]
    none: _Particles = [(np.zeros((events, 4)), "electron"), (np.zeros((events, 4)), "muon")]
    of = {
        name: [momenta for momenta, kind in [*none, *particles] if kind in kinds]
        for name, kinds in {
            "Electron": ("electron",),
            "Muon": ("muon",),
            "Jet": ("jet", "bottom"),
            "neutrinos": ("neutrino",),
        }.items()
    }
    leptons = {
        name: _columns(of[name], resolution, random)
        for name, resolution in {"Electron": 0.02, "Muon": 0.015}.items()
    }
    charge = random.choice(np.array([-1, 1]), events)
    for columns in leptons.values():
        shape = columns["pt"].shape
        signs = np.where(np.arange(shape[1]) % 2, -1, 1) * charge[:, None]
        columns["charge"] = signs * np.where(random.random(shape) < 0.005, -1, 1)
        columns["sip3d"] = random.exponential(1.2, shape)
    is_good = random.random(leptons["Electron"]["pt"].shape) < 0.85
    leptons["Electron"]["cutBased"] = np.where(is_good, 4, 2)
    shape = leptons["Muon"]["pt"].shape
    leptons["Muon"]["tightId"] = random.random(shape) < 0.95
    leptons["Muon"]["pfRelIso04_all"] = random.exponential(0.04, shape)
    jets = _columns(of["Jet"], 0.1, random)
    jets["jetId"] = np.where(random.random(jets["pt"].shape) < 0.98, 6, 2)
    is_bottom = [kind == "bottom" for _, kind in particles if kind in ("jet", "bottom")]
    jets["btagDeepFlavB"] = np.stack(
        [random.beta(6, 1, events) if is_b else random.beta(0.5, 8, events) for is_b in is_bottom],
        axis=1,
    )
    missing = random.normal(0, 9, (events, 2)) + sum(each[:, 1:3] for each in of["neutrinos"])
    return {
        "Electron": _sorted(leptons["Electron"], 5, 2.5),
        "Muon": _sorted(leptons["Muon"], 5, 2.4),
        "Jet": _sorted(jets, 15, 4.7),
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
    types: dict[str, Any] = {"i": np.int32, "b": np.bool_, "f": np.float32}
    narrow = {name: of.astype(types[of.dtype.kind]) for name, of in columns.items()}
    return ak.zip({name: ak.unflatten(of[is_seen], counts) for name, of in narrow.items()})
