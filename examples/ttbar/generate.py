"""Make top-quark pair events with PYTHIA 8 and write them to a .kaon file.

    pip install pythia8mc
    python examples/ttbar/generate.py --events 250 examples/ttbar/sample.kaon

The sample in the repository was made by this command; the demo needs neither PYTHIA nor this.
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
# Of these the shower makes many copies; the first and the last say all.
COPIED = {5, 6, 22, 23, 24}
CHUNK = 100  # events that are written at a time


def kept(event: pythia8mc.Event) -> list[int]:
    """Return the entries that an experiment would keep: all that is final or of the hard process,
    hadrons and leptons, and of t, b, W, Z and photons the first and the last copy."""
    chosen = []
    for i in range(1, event.size()):  # entry 0 is the system as a whole
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
            nearest[entry] = frozenset()  # PYTHIA's record has no cycles, but rely on nothing
            found: set[int] = set()
            for mother in event[entry].motherList():
                found |= {position[mother]} if mother in position else ancestors(mother)
            nearest[entry] = frozenset(found)
        return nearest[entry]

    return [sorted(ancestors(entry)) for entry in chosen]


def single(value: float) -> float:
    """Return the value with the precision that experiments store, a float's."""
    return float(np.float32(value))


def vector(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": single(x), "y": single(y), "z": single(z)}


def particles(event: pythia8mc.Event) -> dict[str, list]:
    """Return an event's particles as lists, named as the model's members are."""
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
    """Return many events' particles as one awkward array of ttbar::MCParticle records."""
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
