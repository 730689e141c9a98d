"""Read columns of top-quark events and draw one page of plots.

    python examples/ttbar/plots.py DIRECTORY

DIRECTORY must have the files that ttbar_demo wrote: events.split.kaon, with many copies of the
sample's events, and throughput.csv. The picture is written there, too.
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
import mplhep
import numpy as np
from matplotlib.axes import Axes

import kaon

SAMPLE = Path(__file__).with_name("sample.kaon")
SPECIES = {  # with colours and markers that everyone can tell apart
    "photons": (22, "#3f90da", "s"),
    "pions": (211, "#bd1f01", "o"),
    "kaons": (321, "#ffa90e", "^"),
    "protons": (2212, "#832db6", "v"),
    "muons": (13, "#717581", "D"),
}


def spectra(axes: Axes, final: ak.Array) -> None:
    for name, (pdg, color, marker) in SPECIES.items():
        pt = hist.new.Reg(24, 0.1, 100, transform=hist.axis.transform.log).Weight()
        pt.fill(ak.flatten(final[abs(final.PDG) == pdg].momentum.pt))
        style = {"color": color, "marker": marker, "markersize": 6, "label": name}
        draw(axes, pt / len(final), histtype="errorbar", binwnorm=1, **style)
    axes.set(xscale="log", yscale="log", xlim=(0.1, 100), ylim=(1e-4, 2e5))
    axes.set(xlabel=r"$p_\mathrm{T}$ [GeV]")
    axes.set(ylabel=r"$1/N_\mathrm{events}\;\mathrm{d}N/\mathrm{d}p_\mathrm{T}$ [1/GeV]")
    axes.legend(ncols=2)


def multiplicities(axes: Axes, final: ak.Array) -> None:
    charged = final[final.charge != 0]
    for bound, color, style in ((2.5, "#3f90da", "-"), (5, "#bd1f01", "--")):
        inside = abs(charged.momentum.eta) < bound
        events = hist.new.Reg(20, 0, 400).Weight().fill(ak.sum(inside, axis=1))
        draw(axes, events, color=color, linestyle=style, label=rf"$|\eta| < {bound:g}$")
    axes.set(xlabel="Charged particles", ylabel="Events / 20", xlim=(0, 400), ylim=(0, 75))
    axes.legend()


def masses(axes: Axes, particles: ak.Array) -> None:
    for pdg, name, color, style in ((24, "W", "#3f90da", "-"), (6, "t", "#bd1f01", "--")):
        mothers = particles[abs(particles.PDG) == pdg]
        products = mothers.daughters  # the last copy has several, of other kinds
        decayed = (ak.num(products, axis=2) > 1) & ak.all(abs(products.PDG) != pdg, axis=2)
        mass = ak.flatten(ak.sum(products[decayed].p4, axis=2).mass)
        counts = hist.new.Reg(70, 60, 200).Weight().fill(mass)
        label = f"{name}: median {np.median(mass):.1f} GeV"
        draw(axes, counts, color=color, linestyle=style, label=label)
    axes.set(xlabel="Mass of the decay products [GeV]", ylabel="Decays / 2 GeV")
    axes.set(yscale="log", xlim=(60, 200), ylim=(0.5, 1e4))
    axes.legend()


def throughput(axes: Axes, rows: list[dict[str, str]]) -> None:
    rate = {(r["what"], r["layout"]): float(r["decoded MB"]) / float(r["seconds"]) for r in rows}
    kinds = {"write": "write", "read whole events": "read events", "read 2 members": "2 members"}
    for offset, layout, color in ((-0.2, "split", "#3f90da"), (0.2, "row", "#ffa90e")):
        size = next(float(r["file MB"]) for r in rows if r["layout"] == layout)
        rates = [rate[kind, layout] for kind in kinds]
        label = f"{layout}, {size:.0f} MB in the file"
        bars = axes.bar(np.arange(3) + offset, rates, 0.38, color=color, label=label)
        axes.bar_label(bars, fmt="%.0f", padding=2, fontsize="x-small")
    axes.axhline(rate["memcpy", "memory"], color="black", linestyle=":", label="memcpy")
    axes.set(yscale="log", ylabel="Decoded MB/s", ylim=(min(20, *rate.values()) / 2, 4e5))
    axes.set_xticks(range(3), kinds.values(), minor=False)
    axes.tick_params(axis="x", which="both", length=0)
    axes.legend()


def draw(axes: Axes, histogram: hist.Hist, **style: object) -> None:
    """Draw a histogram with the statistical errors of its bins."""
    mplhep.histplot(histogram, ax=axes, w2method="sqrt", flow="none", **style)


def label(axes: Axes, what: str, conditions: str) -> None:
    mplhep.label.exp_label(exp=what, data=True, rlabel=conditions, fontsize=20, ax=axes)


def main() -> None:
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo")
    events = kaon.open(directory / "events.split.kaon:events")
    events.show()
    names = ("PDG", "generatorStatus", "charge", "mass", "momentum", "daughters")
    distinct = len(kaon.open(f"{SAMPLE}:events"))
    particles = events.arrays(
        [f"MCParticles.{name}" for name in names], entry_stop=distinct
    ).MCParticles
    final = particles[particles.generatorStatus > 0]
    with (directory / "throughput.csv").open() as table:
        rates = list(csv.DictReader(table))

    mplhep.style.use([mplhep.style.ROOT, {"font.size": 18, "legend.fontsize": 15}])
    figure, panels = plt.subplots(2, 2, figsize=(16, 13), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.2, h_pad=0.2)
    spectra(panels[0, 0], final)
    multiplicities(panels[0, 1], final)
    masses(panels[1, 0], particles)
    throughput(panels[1, 1], rates)
    for panel in panels.flat[:3]:
        label(panel, "PYTHIA 8", r"pp $\rightarrow$ $\mathrm{t\bar{t}}$, 13 TeV")
    label(panels[1, 1], "kaon", "one thread, zstd")
    figure.savefig(directory / "ttbar.png", dpi=80)


if __name__ == "__main__":
    main()
