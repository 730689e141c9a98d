"""Events with the banks of CLAS12's reconstruction: electrons that make pions from protons."""

from __future__ import annotations

from typing import Any

import awkward as ak
import numpy as np
from numpy.typing import NDArray

from kaon.errors import UsageError
from kaon.files.paths import StrPath
from kaon.samples.kinematics import Momenta, decayed, mass_of, with_mass
from kaon.writing.opening import create

_BEAM = 10.6  # GeV
_ELECTRON, _PION, _PROTON, _NEUTRON = 0.000511, 0.13957, 0.938272, 0.939565  # masses in GeV
_RESOLUTION = 0.005


def clas12(path: StrPath, *, events: int = 10_000, seed: int = 1, overwrite: bool = False) -> None:
    """Write a HIPO file with CLAS12's banks ``REC::Particle`` and ``REC::Event``.

    An electron of 10.6 GeV hits a proton at rest: e p -> e' pi+ X. In 60 % of the events, X is a
    neutron, otherwise a heavier system. Some events have photons or further pions. The events are
    random numbers that imitate measurements; no generator or simulation of a detector made them.

    ``REC::Particle`` has ``pid``, ``px``, ``py``, ``pz`` in GeV, ``vx``, ``vy``, ``vz`` in cm,
    ``charge``, ``beta``, ``chi2pid`` and ``status``; the scattered electron is the first row.

    Parameters
    ----------
    path
        The path of the new file.
    events
        The number of events.
    seed
        The seed of the random numbers. Equal arguments make equal events.
    overwrite
        Whether to replace an existing file.

    Raises
    ------
    UsageError
        If `events` is below 1.
    ExistingFileError
        If the file exists and `overwrite` is false.
    """
    if events < 1:
        raise UsageError(f"events must be at least 1, not {events}")
    random = np.random.default_rng(seed)
    electrons, systems = _scattered(events, random)
    room = mass_of(systems) - _PION
    heavier = 1.1 + random.random(events) * np.maximum(room - 1.1, 0)
    missing = np.where(random.random(events) < 0.6, _NEUTRON, heavier)
    pions, _ = decayed(systems, (_PION, missing), random)
    others = random.poisson(0.8, events)
    soft = with_mass(random.normal(0, 0.4, (int(others.sum()), 3)), 0)
    kinds = random.choice(3, len(soft), p=(0.6, 0.2, 0.2))

    counts = 2 + others
    order = np.argsort(
        np.concatenate([np.arange(events) * 3, np.arange(events) * 3 + 1, _owners(others) * 3 + 2]),
        kind="stable",
    )

    def rows(*parts: Any) -> ak.Array:
        return ak.unflatten(np.concatenate(parts)[order], counts)

    momenta = np.concatenate([electrons, pions, soft])[:, 1:]
    momenta *= random.normal(1, _RESOLUTION, (len(momenta), 1))
    pids = rows(np.full(events, 11), np.full(events, 211), np.array([22, -211, 211])[kinds])
    vertex = np.repeat(random.normal(-3, 1.5, events), counts)
    particles = {
        "pid": ak.values_astype(pids, np.int32),
        **{name: rows(momenta[:, axis]) for axis, name in enumerate(("px", "py", "pz"))},
        "vx": ak.unflatten(random.normal(0, 0.03, len(momenta)), counts),
        "vy": ak.unflatten(random.normal(0, 0.03, len(momenta)), counts),
        "vz": ak.unflatten(vertex + 0.3 * random.standard_t(2, len(momenta)), counts),
        "charge": rows(np.full(events, -1), np.ones(events), np.array([0, -1, 1])[kinds]),
        "beta": ak.unflatten(np.minimum(random.normal(0.99, 0.01, len(momenta)), 1), counts),
        "chi2pid": ak.unflatten(random.normal(0, 1, len(momenta)), counts),
        "status": rows(np.full(events, -2110), np.full(events, 2120), np.full(len(soft), 2000)),
    }
    integers = {"pid": np.int32, "charge": np.int8, "status": np.int16}
    narrow = {
        name: ak.values_astype(of, integers.get(name, np.float32)) for name, of in particles.items()
    }
    header = {
        "category": np.ones(events, np.int64),
        "beamCharge": np.cumsum(random.exponential(0.02, events)).astype(np.float32),
        "helicity": random.choice(np.array([-1, 1], np.int8), events),
    }
    with create(path, format="hipo", overwrite=overwrite) as out:
        out["events"].extend(
            {
                "REC::Event": ak.unflatten(ak.zip(header), np.ones(events, np.int64)),
                "REC::Particle": ak.zip(narrow),
            }
        )


def _scattered(events: int, random: np.random.Generator) -> tuple[Momenta, Momenta]:
    """Return scattered electrons, and the sum of the proton and the exchanged photon.

    Squared momentum transfers Q² are from 1 to 6 GeV², masses W of the sum from 1.3 to 3 GeV.
    """
    squares = 1 + np.minimum(random.exponential(1.2, events), 5)
    masses = random.uniform(1.3, 3, events)
    energy = _BEAM - (masses**2 - _PROTON**2 + squares) / (2 * _PROTON)
    sine = np.sqrt(squares / (4 * _BEAM * energy))  # of half of the angle
    theta, phi = 2 * np.arcsin(sine), random.uniform(-np.pi, np.pi, events)
    transverse, along = energy * np.sin(theta), energy * np.cos(theta)
    vectors = np.column_stack([transverse * np.cos(phi), transverse * np.sin(phi), along])
    electrons = with_mass(vectors, _ELECTRON)
    total = np.array([np.hypot(_BEAM, _ELECTRON) + _PROTON, 0, 0, _BEAM])
    return electrons, total - electrons


def _owners(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each object the number of its event."""
    return np.repeat(np.arange(len(counts)), counts)
