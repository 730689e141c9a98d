#!/usr/bin/env python3
"""Draw kaon beside its peers from the tables of bench/results.md."""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parent.parent

Tables = dict[tuple[str, str], dict[str, dict[str, float]]]
"""The figures of each program by variant, for each section and task."""

ELSEWHERE = "Measured earlier, on a similar machine"


class Comparison(NamedTuple):
    """One group of bars: a figure of kaon's, and the figures of peers for the same work."""

    title: str
    section: str
    task: str
    variant: str
    kaon: str
    peers: dict[str, str]  # names in the picture by names on the page


ROOT_BULK = {
    "ROOT TTree GetEntriesSerialized": "ROOT, TTree in bulk",
    "ROOT RNTuple bulk": "ROOT, RNTuple in bulk",
}
ROOT_WRITERS = {"ROOT TTree": "ROOT, TTree", "ROOT RNTuple": "ROOT, RNTuple"}
RDATAFRAME = {"ROOT RDataFrame": "RDataFrame"}
HIPO = {"HIPO C++ (lz4), its best API": "HIPO's C++ library ¹"}
PODIO = {
    "podio, TTree (zlib)": "podio, TTree ¹",
    "podio, RNTuple (zstd)": "podio, RNTuple ¹",
    "podio, SIO (zlib)": "podio, SIO ¹",
    "LCIO (zlib, momenta as floats)": "LCIO ¹",
}

# Section, task, variant and kaon's program have their names on the page.
COMPARISONS = [
    Comparison(
        "Read 2 columns of 12, LZ4",
        *("W2", "read 2 columns", "split/lz4", "kaon batches", ROOT_BULK | RDATAFRAME | HIPO),
    ),
    Comparison(
        "Read all 12 columns, LZ4",
        *("W2", "read 12 columns", "split/lz4", "kaon batches", ROOT_BULK | RDATAFRAME | HIPO),
    ),
    Comparison(
        "Read all 12 columns, kaon from ROOT's tree",
        *("W2", "read 12 columns", "split/lz4", "kaon batches of ROOT's tree"),
        ROOT_BULK | RDATAFRAME,
    ),
    Comparison(
        "Write all 12 columns, LZ4",
        *("W2", "write", "split/lz4", "kaon batches", ROOT_WRITERS | HIPO),
    ),
    Comparison(
        "Read events as objects, zstd",
        *("W3", "read all members and relations", "split/zstd", "kaon frames", PODIO),
    ),
    Comparison("Write events as objects, zstd", "W3", "write", "split/zstd", "kaon frames", PODIO),
    Comparison(
        "Z bosons by a dataframe, zstd",
        *("W7", "5 Z bosons", "zstd", "kaon dataframe", RDATAFRAME),
    ),
    Comparison(
        "10 branches of NanoAOD to Awkward arrays, zstd",
        *("W8", "read 10 branches", "zstd, 1 thread", "kaon", {"uproot": "uproot"}),
    ),
]
COLOURS = {"kaon": "#c8102e", "ROOT": "#3b6ea8", "RDat": "#3b6ea8", "HIPO": "#d99a2b"}
OTHERS = "#7a8a99"


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    picture = ROOT / "docs/benchmarks.png"
    help = "a PNG, SVG or PDF; NAME-dark, beside it, is for dark pages"
    parser.add_argument("picture", nargs="?", type=Path, default=picture, help=help)
    picture = parser.parse_args().picture
    tables = read_tables((ROOT / "bench/results.md").read_text())
    groups = [(c.title, figures(tables, c)) for c in COMPARISONS]
    draw(groups).savefig(picture, dpi=130)
    with plt.style.context("dark_background"):
        dark = picture.with_stem(f"{picture.stem}-dark")
        draw(groups).savefig(dark, dpi=130, transparent=True)


def read_tables(page: str) -> Tables:
    """Return all tables of figures, without Markdown."""
    tables: Tables = {}
    section = task = unit = ""
    variants: list[str] = []
    for line in page.splitlines():
        if line.startswith("#"):
            section = re.split(r"[: ,]", line)[1] if line.startswith("## ") else section
            task = line[4:] if line.startswith("### ") else ""
            variants = []
        elif line.startswith("| ") and not line.startswith("| ---"):
            name, *cells = (cell.strip(" *") for cell in line[1:-1].split("|"))
            if variants[:1] == ["program"]:  # a table of several tasks
                task = name.rpartition(",")[0] or task
                name, *cells = cells
            shown = zip(variants[-len(cells) :], cells, strict=False)
            row = {v: float(c) for v, c in shown if is_number(c)}
            tables.setdefault((section, task), {}).setdefault(name, {}).update(row)
            if not task:  # a row for each task, a column for each program
                for program, value in row.items():
                    figures_of = tables.setdefault((section, name), {}).setdefault(program, {})
                    figures_of[unit.partition(", ")[2]] = value
            unit = unit if variants else name
            variants = variants or cells
        elif not line.startswith("|"):
            variants = []
    return tables


def is_number(cell: str) -> bool:
    """Return whether the cell is a figure."""
    return re.fullmatch(r"[\d.]+", cell) is not None


def figures(tables: Tables, comparison: Comparison) -> dict[str, float]:
    """Return the times by their names in the picture, kaon's first."""
    rows = tables[comparison.section, comparison.task]
    found = {"kaon": rows[comparison.kaon][comparison.variant]}
    elsewhere = tables.get((comparison.section, ELSEWHERE), {})
    for name, title in comparison.peers.items():
        if comparison.variant in rows.get(name, {}):
            found[title] = rows[name][comparison.variant]
        for task, value in elsewhere.get(name, {}).items():
            if task.rpartition(",")[0] == comparison.task:
                found[title] = value
    return found


def draw(groups: list[tuple[str, dict[str, float]]]) -> mpl.figure.Figure:
    """Draw a bar for each time, as a multiple of kaon's."""
    halves = [groups[: len(groups) // 2], groups[len(groups) // 2 :]]
    rows = max(sum(len(times) + 1.4 for _, times in half) for half in halves)
    widest = max(t / times["kaon"] for _, times in groups for t in times.values())
    figure, both = plt.subplots(1, 2, figsize=(11, 0.2 * rows + 0.6), layout="constrained")
    for axes, half in zip(both, halves, strict=True):
        y = 0.0
        for title, times in half:
            axes.text(0, y, title, weight="bold", size=9, va="center")
            for name, time in times.items():
                y += 1
                ratio = time / times["kaon"]
                axes.barh(y, ratio, color=COLOURS.get(name[:4], OTHERS), height=0.8)
                label = name if name == "kaon" else f"{name}, {ratio:.1f} ×"
                axes.text(ratio + 0.01 * widest, y, label, size=8, va="center")
            y += 1.4
        axes.set_ylim(rows - 0.8, -0.8)
        axes.set_xlim(0, widest * 1.25)
        axes.set_xlabel("CPU time, in multiples of kaon's", size=9)
        axes.set_yticks([])
        axes.spines[["top", "right", "left"]].set_visible(False)
    return figure


if __name__ == "__main__":
    mpl.use("Agg")
    main()
