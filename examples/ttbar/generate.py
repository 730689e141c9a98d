"""Generate top-quark pair events with PYTHIA 8 and write them to a .kaon file.

    pip install pythia8mc
    python examples/ttbar/generate.py --events 250 examples/ttbar/sample.kaon

This command made the sample in the repository; the demo needs neither PYTHIA nor this script.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import awkward as ak
import numpy as np
import pythia8mc

import kaon

SETTINGS = """
    Beams:idA = 2212
    Beams:idB = 2212
    Beams:eCM = 13000.
    Top:gg2ttbar = on
    Top:qqbar2ttbar = on
    ParticleDecays:limitTau0 = on
    ParticleDecays:tau0Max = 10.
    Random:setSeed = on
"""
# The shower makes many copies of these particles; keep only the first and the last.
COPIED = {5, 6, 22, 23, 24}
CHUNK = 100  # events written at a time


def kept(event: pythia8mc.Event) -> list[int]:
    """Return the entries that an experiment would keep.

    These are final particles, the hard process, hadrons and leptons, and the first and last copies
    of t, b, W, Z and photons.
    """
    chosen = []
    for i in range(1, event.size()):  # entry 0 is the whole system
        p = event[i]
        keep = p.isFinal() or 11 <= abs(p.status()) <= 29 or p.isHadron() or p.isLepton()
        if not keep and p.idAbs() in COPIED:
            keep = i in (p.iTopCopyId(), p.iBotCopyId())
        if keep:
            chosen.append(i)
    return chosen


def parents(event: pythia8mc.Event, chosen: list[int]) -> list[list[int]]:
    """Return, for each chosen entry, the positions of its nearest chosen ancestors."""
    position = {entry: k for k, entry in enumerate(chosen)}
    nearest: dict[int, frozenset[int]] = {}

    def ancestors(entry: int) -> frozenset[int]:
        if entry not in nearest:
            nearest[entry] = frozenset()  # ends the recursion if the record has a cycle
            found: set[int] = set()
            for mother in event[entry].motherList():
                found |= {position[mother]} if mother in position else ancestors(mother)
            nearest[entry] = frozenset(found)
        return nearest[entry]

    return [sorted(ancestors(entry)) for entry in chosen]


def single(value: float) -> float:
    """Return the value in single precision, as experiments store it."""
    return float(np.float32(value))


def vector(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": single(x), "y": single(y), "z": single(z)}


def particles(event: pythia8mc.Event) -> dict[str, list]:
    """Return an event's particles as lists, with the names of the model's members."""
    chosen = kept(event)
    up = parents(event, chosen)
    down: list[list[int]] = [[] for _ in chosen]
    for k, mothers in enumerate(up):
        for mother in mothers:
            down[mother].append(k)
    entries = [event[i] for i in chosen]
    return {
        "PDG": [p.id() for p in entries],
        "generatorStatus": [p.status() for p in entries],
        "charge": [p.charge() for p in entries],
        "time": [p.tProd() for p in entries],
        "mass": [single(p.m()) for p in entries],
        "vertex": [vector(p.xProd(), p.yProd(), p.zProd()) for p in entries],
        "endpoint": [
            vector(0, 0, 0) if p.isFinal() else vector(p.xDec(), p.yDec(), p.zDec())
            for p in entries
        ],
        "momentum": [vector(p.px(), p.py(), p.pz()) for p in entries],
        "helicity": [int(p.pol()) for p in entries],
        "parents": up,
        "daughters": down,
    }


def collections(events: list[dict[str, list]]) -> ak.Array:
    """Return the particles of several events as one awkward array of ttbar::MCParticle records."""
    columns = {name: ak.Array([event[name] for event in events]) for name in events[0]}
    return ak.zip(columns, depth_limit=2, with_name="MCParticle")


def generate(count: int, seed: int) -> Iterator[dict[str, list]]:
    """Yield `count` events."""
    pythia = pythia8mc.Pythia("", False)
    for line in SETTINGS.strip().splitlines():
        pythia.readString(line.strip())
    pythia.readString(f"Random:seed = {seed}")
    pythia.readString("Print:quiet = on")
    if not pythia.init():
        raise SystemExit("PYTHIA does not start with these settings")
    number = 0
    while number < count:
        if pythia.next():
            number += 1
            yield particles(pythia.event)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--events", type=int, default=250)
    parser.add_argument("--seed", type=int, default=20261121)
    arguments = parser.parse_args()
    model = Path(__file__).with_name("ttbar.yaml")
    options = {"codec": "zstd", "level": 19, "overwrite": True}
    with kaon.create(arguments.output, model=model, **options) as out:
        events = []
        for number, event in enumerate(generate(arguments.events, arguments.seed), 1):
            events.append(event)
            if len(events) == CHUNK or number == arguments.events:
                out["events"].extend({"MCParticles": collections(events)})
                events = []


if __name__ == "__main__":
    main()
