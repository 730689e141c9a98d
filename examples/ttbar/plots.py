"""Read columns of top-quark events and draw one page of plots.

    python examples/ttbar/plots.py DIRECTORY

The directory is where ttbar_demo left events.split.kaon, which has the sample's events many times
over, and throughput.csv; the picture goes there.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import awkward as ak
import hist
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

import kaon

SAMPLE = Path(__file__).with_name("sample.kaon")
SPECIES = {"pions": 211, "kaons": 321, "protons": 2212, "photons": 22, "electrons": 11, "muons": 13}
COLORS = ["#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59"]  # 6 that all can tell


def four_momentum(particles: ak.Array) -> ak.Array:
    p = particles.momentum
    energy = np.sqrt(p.x**2 + p.y**2 + p.z**2 + particles.mass**2)
    return ak.zip({"x": p.x, "y": p.y, "z": p.z, "e": energy})


def related(particles: ak.Array, index: ak.Array) -> ak.Array:
    """Follow a to-many relation: for each particle of each event the list of its related ones."""
    flat = particles[ak.flatten(index, axis=2)]
    return ak.unflatten(flat, ak.flatten(ak.num(index, axis=2)), axis=1)


def mass_of_daughters(particles: ak.Array, pdg: int) -> ak.Array:
    """Return the invariant mass of what each particle of this kind decayed to.

    A particle's last copy is the one with a daughter of another kind.
    """
    mothers = particles[abs(particles.PDG) == pdg]
    daughters = related(particles, mothers.daughters.index)
    decayed = ak.all(abs(daughters.PDG) != pdg, axis=2) & (ak.num(daughters, axis=2) > 1)
    p = four_momentum(daughters[decayed])
    e, x, y, z = (ak.sum(p[name], axis=2) for name in "exyz")
    return ak.flatten(np.sqrt(np.maximum(e**2 - x**2 - y**2 - z**2, 0)))


def spectra(axes: Axes, final: ak.Array) -> None:
    pt = np.hypot(final.momentum.x, final.momentum.y)
    for (name, pdg), color in zip(SPECIES.items(), COLORS, strict=True):
        h = hist.Hist.new.Reg(30, 0.1, 100, transform=hist.axis.transform.log, name="pt").Weight()
        h.fill(pt=ak.flatten(pt[abs(final.PDG) == pdg]))
        axes.stairs(
            h.values() / h.axes[0].widths / len(final), h.axes[0].edges, label=name, color=color
        )
    axes.set(xscale="log", yscale="log", xlabel="$p_T$ [GeV]", ylabel="particles / event / GeV")
    axes.legend(frameon=False, ncols=2)
    axes.set_title("Transverse momentum of final particles")


def multiplicities(axes: Axes, final: ak.Array) -> None:
    p = final.momentum
    eta = np.arcsinh(p.z / np.maximum(np.hypot(p.x, p.y), 1e-9))
    charged = final.charge != 0
    for bound, color in ((2.5, COLORS[0]), (5.0, COLORS[2])):
        counts = ak.sum(charged & (abs(eta) < bound), axis=1)
        h = hist.Hist.new.Reg(25, 0, 500, name="n").Weight().fill(n=counts)
        axes.stairs(
            h.values(),
            h.axes[0].edges,
            fill=True,
            alpha=0.6,
            color=color,
            label=rf"$|\eta|<{bound}$",
        )
    axes.set(xlabel="charged particles", ylabel="events")
    axes.legend(frameon=False)
    axes.set_title("Multiplicity")


def masses(axes: Axes, particles: ak.Array) -> None:
    for pdg, name, color in ((6, "top", COLORS[2]), (24, "W", COLORS[0])):
        mass = ak.to_numpy(mass_of_daughters(particles, pdg))
        h = hist.Hist.new.Reg(70, 60, 200, name="m").Weight().fill(m=mass)
        label = f"{name}: median {np.median(mass):.1f} GeV"
        axes.stairs(h.values(), h.axes[0].edges, fill=True, alpha=0.7, color=color, label=label)
    axes.set(xlabel="mass of the decay products [GeV]", ylabel="decays / 2 GeV", yscale="log")
    axes.legend(frameon=False)
    axes.set_title("Masses, by following relations to daughters")


def throughput(axes: Axes, rows: list[dict[str, str]]) -> None:
    rate = {(r["what"], r["layout"]): float(r["decoded MB"]) / float(r["seconds"]) for r in rows}
    kinds = ["write", "read whole events", "read 2 members"]
    for offset, layout, color in ((-0.2, "split", COLORS[0]), (0.2, "row", COLORS[1])):
        places = np.arange(len(kinds)) + offset
        values = [rate[kind, layout] for kind in kinds]
        size = next(float(r["file MB"]) for r in rows if r["layout"] == layout)
        axes.bar(places, values, 0.38, color=color, label=f"{layout}, {size:.0f} MB in the file")
        for place, value in zip(places, values, strict=True):
            axes.text(place, value, f"{value:.0f}", ha="center", va="bottom", fontsize=8)
    axes.axhline(rate["memcpy", "memory"], color="black", ls="--", lw=1, label="memcpy")
    axes.set(yscale="log", ylabel="decoded MB/s, one thread, zstd")
    axes.set_xticks(range(len(kinds)), kinds)
    axes.legend(frameon=False, fontsize=8)
    axes.set_title("Throughput by layout")


def main() -> None:
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo")
    with kaon.open(directory / "events.split.kaon") as file:
        events = file["events"]
        members = ("PDG", "generatorStatus", "charge", "mass", "momentum", "daughters")
        events.show()
        with kaon.open(SAMPLE) as sample:
            distinct = sample["events"].num_entries
        names = [f"MCParticles.{name}" for name in members]
        particles = events.arrays(names, entry_stop=distinct).MCParticles
    with (directory / "throughput.csv").open() as table:
        rows = list(csv.DictReader(table))
    final = particles[particles.generatorStatus > 0]
    figure, axes = plt.subplots(2, 2, figsize=(12, 8.5), layout="constrained")
    spectra(axes[0, 0], final)
    multiplicities(axes[0, 1], final)
    masses(axes[1, 0], particles)
    throughput(axes[1, 1], rows)
    figure.suptitle(f"{len(particles)} top-quark pair events, {ak.count(particles.PDG)} particles")
    figure.savefig(directory / "ttbar.png", dpi=110)


if __name__ == "__main__":
    main()
