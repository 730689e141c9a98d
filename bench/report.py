#!/usr/bin/env python3
"""Report the figures that run.py measured, and print missed targets.

All tables go to bench/results.md, and the table of the most important ratios to docs/benchmarks.md,
between the lines GLANCE_BEGIN and GLANCE_END.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = json.loads((ROOT / "bench/targets.json").read_text())
TABLES = ROOT / "bench/results.md"
PAGE = ROOT / "docs/benchmarks.md"
GLANCE_BEGIN = "<!-- report.py writes this table. -->"
GLANCE_END = "<!-- End of the table. -->"

INTRODUCTION = """# Results of the benchmarks

`bench/report.py` writes these tables; [Benchmarks](../docs/benchmarks.md) explains them.
"""

ELSEWHERE = "Measured earlier, on a similar machine"
CODECS = ("none", "lz4", "zstd", "zlib", "lzma")


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", type=Path, help="the JSON that run.py wrote")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--tables", type=Path, default=TABLES)
    options = parser.parse_args()
    results = json.loads(options.results.read_text())
    missing = TARGETS.keys() - results["workloads"].keys()
    if missing and (options.tables == TABLES or options.page == PAGE):
        names = ", ".join(sorted(missing))
        parser.error(f"the run lacks {names}: give --tables and --page, to keep their figures")
    parts = [INTRODUCTION, environment(results["environment"])]
    parts += [workload(name, results["workloads"][name]) for name in results["workloads"]]
    options.tables.write_text("\n".join(parts))
    options.page.write_text(with_glance(options.page.read_text(), glance(results["workloads"])))
    for name, workload_results in results["workloads"].items():
        print("".join(f"{line}\n" for line in missed(name, workload_results)), end="")


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
    return table(["", *CODECS], lines) if lines else ""


def by_codec(rows: list[dict]) -> dict[str, float]:
    """Return the lowest figures by codec, for split columns and one thread."""
    figures = []
    for row in rows:
        codec = row["variant"].removeprefix("split/").removesuffix(", 1 thread")
        if codec in CODECS:
            figures.append({codec: row["value"]})
    return lowest(figures)


def with_glance(page: str, ratios: str) -> str:
    """Return the page with its table of ratios replaced, or unchanged without ratios."""
    if not ratios:
        return page
    begin, end = page.index(GLANCE_BEGIN), page.index(GLANCE_END)
    return f"{page[:begin]}{GLANCE_BEGIN}\n\n{ratios}\n{page[end:]}"


def environment(facts: dict[str, str]) -> str:
    """Return the table of the machine and the compiler."""
    cells = {key: value.replace("|", r"\|") for key, value in facts.items()}
    rows = [[key, f"`{value}`" if "flags" in key else value] for key, value in cells.items()]
    return "## Where\n\n" + table(["", ""], rows, texts=2)


def workload(name: str, results: dict) -> str:
    """Return the section of one workload: a table for each task with peers, one of the others."""
    about = TARGETS[name]
    file = Path(results["input"]).name
    source = f"from `{file}`, repeated if it has fewer" if file else "made up"
    text = f"## {about['title']}\n\n{about['about'].format(count=results['count'], input=source)}\n"
    for (variants, is_joined), group in groupby(tasks(name, results), Task.form):
        joined = list(group)
        if is_joined and len(joined) > 1:
            text += "\n### Other tasks\n\n" if "|" in text else "\n"
            text += joined_table(joined, variants)
        else:
            text += "".join(f"\n### {task.name}\n\n{task.text()}" for task in joined)
    if "elsewhere" in about:
        text += "\n" + elsewhere_table(results["rows"], about["elsewhere"])
    return text


def joined_table(joined: "list[Task]", variants: list[str]) -> str:
    """Return one table of several tasks: a row for each if they have the same programs."""
    rows = {task.name: task.lines(variants) for task in joined}
    programs = {tuple(title for title, *_ in lines) for lines in rows.values()}
    units = {task.unit for task in joined}
    if len(variants) == len(programs) == len(units) == 1:
        head = [", ".join(filter(None, (*units, *variants))), *programs.pop()]
        return table(head, [[name, *(cell for _, cell in rows[name])] for name in rows])
    lines = [line for task in joined for line in task.lines_with_name()]
    return table(["task", "program", *variants], lines, texts=2)


def tasks(name: str, results: dict) -> "list[Task]":
    """Return the tasks of one workload."""
    rows = results["rows"]
    return [
        Task(task, [row for row in rows if row["task"] == task], TARGETS[name])
        for task in dict.fromkeys(row["task"] for row in rows)
    ]


def missed(name: str, results: dict) -> Iterator[str]:
    """Yield a line for each target that kaon misses in one workload."""
    for task in tasks(name, results):
        for program, targets in task.targets.items():
            for variant, target in targets.items():
                value = task.figures["kaon"].get(program, {}).get(variant, 0)
                if value > target:
                    where = ", ".join(filter(None, (name, task.name, program, variant)))
                    yield f"{where}: {number(value)} {task.unit}, target {number(target)}"


class Task:
    """The figures of one task: of kaon's programs, of peers, and limits."""

    def __init__(self, name: str, rows: list[dict], about: dict) -> None:
        self.name = name
        self.unit = rows[0]["unit"]
        self.targets = about["targets"].get(name, {})
        self.limit = about["limits"].get(name, "")
        self.variants = list(
            dict.fromkeys(row["variant"] for row in rows if row["role"] != "limit")
        )
        self.figures: dict[str, dict[str, dict[str, float]]] = {"kaon": {}, "peer": {}, "limit": {}}
        for row in rows:
            programs = self.figures[row["role"]]
            programs.setdefault(row["program"], {})[row["variant"]] = row["value"]
        for programs in self.figures.values():
            for program, values in programs.items():
                if list(values) == [""]:  # holds for all variants
                    programs[program] = dict.fromkeys(self.variants, values[""])

    def form(self) -> tuple[list[str], bool]:
        """Return the variants, and whether the task can share a table with others of them."""
        return self.variants, len(self.variants) == 1 or not self.figures["peer"]

    def text(self) -> str:
        """Return the tables: peers have one layout; kaon's others get a table of their own."""
        alone = [v for v in self.variants if v.startswith(("member/", "row/"))]
        if not self.figures["peer"] or not alone:
            return table([self.unit, *self.variants], self.lines(self.variants))
        shared = [v for v in self.variants if v not in alone]
        others = table([self.unit, *alone], self.kaon_lines(alone))
        return (
            table([self.unit, *shared], self.lines(shared)) + f"\nkaon's other layouts:\n\n{others}"
        )

    def lines_with_name(self) -> list[list[str]]:
        """Return the lines of all variants, with the task and its unit before the first."""
        lines = self.lines(self.variants)
        names = [f"{self.name}, {self.unit}", *[""] * (len(lines) - 1)]
        return [[name, *line] for name, line in zip(names, lines, strict=True)]

    def lines(self, variants: list[str]) -> list[list[str]]:
        """Return the lines of kaon, of peers, of kaon beside its peers, and of limits."""
        lines = self.kaon_lines(variants)
        peers = self.figures["peer"]
        lines += [line(name, values, variants) for name, values in peers.items()]
        if peers and self.figures["kaon"]:
            best = ratios(lowest(peers.values()), lowest(self.figures["kaon"].values()))
            lines.append(line("best peer / best of kaon", best, variants))
        for program, values in self.figures["limit"].items():
            title = "limit" if program == self.limit else "for comparison"
            lines.append(line(f"{title}: {program}", values, variants))
        return lines

    def kaon_lines(self, variants: list[str]) -> list[list[str]]:
        """Return the lines of kaon's programs that have figures."""
        return [
            line(f"**{program}**", values, variants, "**{}**")
            for program, values in self.figures["kaon"].items()
            if any(v in values for v in variants)
        ]


def line(title: str, figures: dict[str, float], variants: list[str], form: str = "{}") -> list[str]:
    """Return a line of a table, with an empty cell for each variant without a figure."""
    return [title, *(form.format(number(figures[v])) if v in figures else "" for v in variants)]


def elsewhere_table(rows: list[dict], programs: dict[str, dict[str, float]]) -> str:
    """Return the table of systems that were measured earlier."""
    units = {row["task"]: row["unit"] for row in rows}
    tasks = [t for t in units if any(t in figures for figures in programs.values())]
    lines = [
        [program, *(number(figures[t]) if t in figures else "" for t in tasks)]
        for program, figures in programs.items()
    ]
    head = ["", *(f"{task}, {units[task]}" for task in tasks)]
    return f"### {ELSEWHERE}\n\n" + table(head, lines)


def lowest(all_figures: Iterable[dict[str, float]]) -> dict[str, float]:
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


def table(head: list[str], rows: list[list[str]], texts: int = 1) -> str:
    """Return a Markdown table whose first columns are texts, and the others figures."""
    marks = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (head, marks, *rows))


if __name__ == "__main__":
    main()
