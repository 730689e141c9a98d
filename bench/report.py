#!/usr/bin/env python3
"""Make the tables of docs/benchmarks.md from the JSON that run.py wrote.

The text between the lines HAND_BEGIN and HAND_END of the document is kept.
"""

import argparse
import json
import re
from pathlib import Path

TARGETS = json.loads((Path(__file__).resolve().parent / "targets.json").read_text())
HAND_BEGIN = "<!-- Written by hand: report.py keeps it. -->"
HAND_END = "<!-- End of what is written by hand. -->"

INTRODUCTION = """# Benchmarks

Compare kaon with its peers on your machine:

- `make bench` runs the benchmarks.
- `make bench ROOT=1` includes ROOT, from its wheel on PyPI.

`bench/report.py` makes this page from the figures in `build/bench/results.json`.
That file also has every single run and the wall-clock times.

Each figure is the median CPU time of several runs, after one that is not measured.
It counts user and system time of all threads, with a warm page cache; less is better.
Only W6 is timed by the wall clock.
All programs do the same work on the same data, and check their results.
kaon sets the targets itself.

Ratios refer to the **bold** row above them:

- `kaon / target`: kaon reaches the target if it is below 1.
- `best peer / kaon`: kaon is faster, or smaller, than the best peer if it is above 1.
- `kaon / limit`: the time as a multiple of the least that the machine needs.

![Times of ROOT, podio, HIPO, LCIO and uproot as multiples of kaon's](benchmarks.png)

*From the tables below, by `bench/picture.py docs/benchmarks.md docs/benchmarks.png`.
¹: measured earlier, on a similar machine.
podio's trees and SIO are compressed with zlib, as podio writes them.
LCIO's files use zlib, too, and HIPO's files LZ4.
NanoAOD's times are by the clock.
See also [where kaon loses](#where-kaon-loses).*
"""

GLANCE = """## At a glance

The table compares kaon's batches, on one thread, with ROOT's fastest way to do the same work.
It shows how many times as fast kaon is in the same format.
For `.kaon` files, ROOT uses the better of its own formats; for NanoAOD, the peer is uproot.

"""

CODECS = ("none", "lz4", "zstd", "zlib", "lzma")


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", type=Path, help="what run.py wrote")
    parser.add_argument("document", type=Path, help="the page to make, or to make anew")
    options = parser.parse_args()
    results = json.loads(options.results.read_text())
    parts = [INTRODUCTION, glance(results["workloads"]), hand_written(options.document)]
    parts.append(environment(results["environment"]))
    parts += [workload(name, results["workloads"][name]) for name in results["workloads"]]
    options.document.write_text("\n".join(parts))


def glance(workloads: dict[str, dict]) -> str:
    """Return the table of the most important ratios, for peers that were in the run."""
    lines = []
    for name, results in workloads.items():
        for title, (task, program, peers) in TARGETS[name].get("glance", {}).items():
            rows = [row for row in results["rows"] if row["task"] == task]
            mine = by_codec([row for row in rows if row["program"] == program])
            best = by_codec([row for row in rows if row["program"].startswith(peers)])
            faster = ratios(best, mine)
            if faster:
                cells = [number(faster[c], 2) if c in faster else "" for c in CODECS]
                lines.append([title, *cells])
    if not lines:
        return ""
    return GLANCE + table(["", *CODECS], lines)


def by_codec(rows: list[dict]) -> dict[str, float]:
    """Return the lowest figures by codec, for split columns and one thread."""
    figures = []
    for row in rows:
        codec = row["variant"].removeprefix("split/").removesuffix(", 1 thread")
        if codec in CODECS:
            figures.append({codec: row["value"]})
    return lowest(figures)


def hand_written(document: Path) -> str:
    """Return the part of the page that is written by hand."""
    text = document.read_text() if document.exists() else ""
    found = re.search(f"{HAND_BEGIN}.*{HAND_END}\n", text, re.DOTALL)
    return found[0] if found else f"{HAND_BEGIN}\n{HAND_END}\n"


def environment(facts: dict[str, str]) -> str:
    """Return the table of the machine and the compiler."""
    rows = [[key, f"`{value}`" if "flags" in key else value] for key, value in facts.items()]
    return "## Where\n\n" + table(["", ""], rows)


def workload(name: str, results: dict) -> str:
    """Return the section of one workload: a table for each task."""
    about = TARGETS[name]
    file = Path(results["input"]).name
    source = f"from `{file}`, repeated if it has fewer" if file else "made up"
    text = f"## {about['title']}\n\n{about['about'].format(count=results['count'], input=source)}\n"
    for task in dict.fromkeys(row["task"] for row in results["rows"]):
        text += "\n" + task_table(task, results["rows"], about)
    if "elsewhere" in about:
        text += "\n" + elsewhere_table(results["rows"], about["elsewhere"])
    return text


def task_table(task: str, all_rows: list[dict], about: dict) -> str:
    """Return the table of one task: figures, targets and ratios."""
    rows = [row for row in all_rows if row["task"] == task]
    variants = list(dict.fromkeys(row["variant"] for row in rows if row["role"] != "limit"))
    targets = about["targets"].get(task, {})

    def values(program: str, role: str) -> dict[str, float]:
        mine = [row for row in rows if row["program"] == program and row["role"] == role]
        found = {row["variant"]: row["value"] for row in mine}
        return dict.fromkeys(variants, found[""]) if list(found) == [""] else found

    programs = {role: [] for role in ("kaon", "peer", "limit")}
    for row in rows:
        if row["program"] not in programs[row["role"]]:
            programs[row["role"]].append(row["program"])
    lines = []

    def add(title: str, figures: dict[str, float], form: str = "{}") -> None:
        shown = [form.format(number(figures[v])) if v in figures else "" for v in variants]
        lines.append([title, *shown])

    peers = lowest([values(program, "peer") for program in programs["peer"]])
    limit = about["limits"].get(task, "")
    for program in programs["kaon"]:
        mine = values(program, "kaon")
        add(f"**{program}**", mine, "**{}**")
        if program in targets:
            add("target", targets[program])
            add("kaon / target", ratios(mine, targets[program]))
        if peers:
            add("best peer / kaon", ratios(peers, mine))
        if limit:
            add("kaon / limit", ratios(mine, values(limit, "limit")))
    for program in programs["peer"]:
        add(program, values(program, "peer"))
    for program in programs["limit"]:
        title = "limit" if program == limit else "for comparison"
        add(f"{title}: {program}", values(program, "limit"))
    return f"### {task}\n\n" + table([rows[0]["unit"], *variants], lines)


def elsewhere_table(rows: list[dict], programs: dict[str, dict[str, float]]) -> str:
    """Return the table of systems that were measured earlier."""
    units = {row["task"]: row["unit"] for row in rows}
    tasks = [t for t in units if any(t in figures for figures in programs.values())]
    lines = [
        [program, *(number(figures[t]) if t in figures else "" for t in tasks)]
        for program, figures in programs.items()
    ]
    head = ["", *(f"{task}, {units[task]}" for task in tasks)]
    return (
        "### Systems that PyPI does not have\n\nThis project measured them earlier, on two cores "
        "of an AMD EPYC (Zen 4), best of several runs: compare with care.\n\n" + table(head, lines)
    )


def lowest(all_figures: list[dict[str, float]]) -> dict[str, float]:
    """Return the lowest figure of each variant."""
    least: dict[str, float] = {}
    for figures in all_figures:
        for variant, value in figures.items():
            least[variant] = min(value, least.get(variant, value))
    return least


def ratios(above: dict[str, float], below: dict[str, float]) -> dict[str, float]:
    """Return the ratios of the variants that both have."""
    return {v: above[v] / below[v] for v in above if v in below}


def number(value: float, most: int = 3) -> str:
    """Return a figure with its significant digits, at most `most`."""
    if value >= 100:
        return f"{value:.0f}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3 if value >= 0.1 else 4
    return f"{value:.{digits + most - 3}f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    main()
