"""Compares kaon with other readers on all files below some folders: `corpus.py DIR...`.

Each file is read by kaon and by uproot, pyarrow, h5py or oxihipo, whichever is installed, in
processes of their own with a time limit. ROOT, if `--root` names a Python that has it, judges where
they differ and says which refused files it reads. The output is a table: how many columns are
equal, left out by kind, refused by kind, and different. The exit code is 1 if kaon differs, crashes
or hangs. With `--keep FILE`, a later run reads files only with kaon, and takes the results of other
readers from FILE.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

READERS = Path(__file__).with_name("corpus_readers.py")

PEERS = {
    ".root": "uproot",
    ".parquet": "pyarrow",
    ".parq": "pyarrow",
    ".feather": "pyarrow",
    ".arrow": "pyarrow",
    ".h5": "h5py",
    ".hdf5": "h5py",
    ".hipo": "oxihipo",
    ".slcio": None,
    ".sio": None,
    ".kaon": None,
}
"""The reader to compare with, by the end of a file's name; None where no other reader is known."""


@dataclass
class Reading:
    """The results of one reader for a file."""

    refused: str | None = None
    entries: dict[str, int] = field(default_factory=dict)
    frames: set[str] = field(default_factory=set)  # categories that others see in another form
    refused_categories: dict[str, str] = field(default_factory=dict)
    columns: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)


class Workers(threading.local):
    """The processes of a thread that read files, one for each reader."""

    def __init__(self, entries: int, seconds: float) -> None:
        self.arguments = [str(entries), str(seconds)]
        self.running: dict[str, subprocess.Popen[str]] = {}

    def read(self, python: str, reader: str, request: str) -> str:
        """Return the lines that a reader reports for a request: a path, and further arguments."""
        if reader not in self.running:
            self.running[reader] = subprocess.Popen(
                [python, "-W", "ignore", str(READERS), reader, *self.arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
            )
        process = self.running[reader]
        assert process.stdin and process.stdout
        process.stdin.write(f"{request}\n")
        process.stdin.flush()
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith('{"end": '):
                return "".join(lines)
        raise RuntimeError(f"the reader '{reader}' does not run; it may not be installed")


class Kept:
    """Results of other readers in a file with a line for each, which later runs use again."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.results: dict[str, str] = {}
        if path and path.exists():
            self.results = dict(map(json.loads, path.read_text().splitlines()))

    def get(self, key: str, read: Callable[[], str]) -> str:
        if key not in self.results:
            self.results[key] = read()
            if self.path:
                with self.lock, self.path.open("a") as file:
                    file.write(json.dumps([key, self.results[key]]) + "\n")
        return self.results[key]


def reading_of(output: str) -> Reading:
    """Return the results in the output of a reader; a crash or a timeout is a refusal."""
    reading = Reading()
    for line in output.splitlines():
        note(reading, line)
    return reading


def note(reading: Reading, line: str) -> None:
    try:
        found = json.loads(line)
    except ValueError:  # a message of a library, or the line in which the reader crashed
        return
    if not isinstance(found, dict):
        return
    category, column = found.get("category"), found.get("column")
    if category is None:
        reading.refused = found.get("refused") or found.get("end") or reading.refused
    elif "refused" in found:
        reading.refused_categories[category] = found["refused"]
    elif "entries" in found:
        reading.entries[category] = found["entries"]
        if found.get("is_frames"):
            reading.frames.add(category)
    elif "left_out" in found:
        reading.left_out[category, column] = found["left_out"]
    else:
        reading.columns[category, column] = found


def kind_of(reason: str) -> str:
    """Return a reason without the parts that differ from file to file."""
    reason = re.sub(r"^\S*?(Error|Exception): ", "", reason)
    reason = re.sub(r"\S*/\S*?(?=[:,; ]|$)", "…", reason)
    reason = re.sub(r"'[^']*'", "'…'", reason)
    reason = re.sub(r"\d+(\.\d+)*", "N", reason)
    return reason[:150]


@cache
def plain(name: str) -> str:
    """Return the letters and digits of the last part of a column's name."""
    last = re.sub(r"\[.*?\]", "", name).rstrip(".").rpartition("/")[2]
    return re.sub(r"[^0-9A-Za-z]", "", last.rpartition(".")[2])


@cache
def compact(name: str) -> str:
    """Return the letters and digits of a name, without names of branches that others repeat."""
    parts = re.sub(r"\[.*?\]", "", name).split("/")
    kept = [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
        if not after.startswith(f"{part}.")
    ]
    return re.sub(r"[^0-9A-Za-z]", "", "".join(kept))


def is_same_category(one: str, other: str) -> bool:
    return one == other or "" in (one, other)


@dataclass
class Comparison:
    """The comparison of one file."""

    path: Path
    kaon: Reading
    peer: Reading | None
    root: Reading | None = None
    equal: int = 0
    missing: list[tuple[str, str]] = field(default_factory=list)
    different: list[tuple[str, str]] = field(default_factory=list)
    ours: dict[str, tuple[list[tuple[str, dict[str, Any]]], set[str]]] = field(default_factory=dict)

    def run(self) -> None:
        """Look for each column of the peer: by its whole name, or else by its values."""
        if self.peer is None:
            return
        by_name: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
        for (category, name), column in self.kaon.columns.items():
            by_name[compact(name)].append((category, column))
        for (category, name), column in self.peer.columns.items():
            if self.kaon.frames:
                continue
            named = [
                other for own, other in by_name[compact(name)] if is_same_category(own, category)
            ]
            if len(named) == 1:  # the same column without doubt
                rivals = named
                is_equal = named[0]["exact"] == column["exact"]
            else:
                ours, digests = self.columns_of_kaon(category)
                end, values = plain(name), column["values"]
                rivals = [
                    other for own, other in ours if own.endswith(end) and other["values"] == values
                ]
                is_equal = column["exact"] in digests
            if is_equal or self.is_supported_by_root(category, plain(name), rivals):
                self.equal += 1
            elif rivals:
                self.different.append((category, name))
            else:
                self.missing.append((category, name))

    def columns_of_kaon(self, category: str) -> tuple[list[tuple[str, dict[str, Any]]], set[str]]:
        """Return kaon's columns of a category by their plain names, and the digests of them all."""
        if category not in self.ours:
            columns = [
                (plain(name), column)
                for (own, name), column in self.kaon.columns.items()
                if is_same_category(own, category)
            ]
            self.ours[category] = columns, {column["exact"] for _, column in columns}
        return self.ours[category]

    def is_supported_by_root(self, category: str, name: str, rivals: list[dict[str, Any]]) -> bool:
        """Tell whether ROOT has the values of kaon, not those of the peer."""
        if self.root is None:
            return False
        digests = {rival["real"] for rival in rivals}
        return any(
            is_same_category(own, category) and plain(other) == name and column["real"] in digests
            for (own, other), column in self.root.columns.items()
        )

    def needs_root(self) -> bool:
        return bool(
            self.different or self.missing or self.kaon.refused or self.kaon.refused_categories
        )

    def judge(self, root: Reading) -> None:
        self.root, self.equal, self.missing, self.different = root, 0, [], []
        self.run()

    def refusals(self) -> Iterator[tuple[str, str, bool]]:
        """Return what kaon refuses as a whole, the reason, and whether another reader reads it."""
        others = [reading for reading in (self.root, self.peer) if reading]
        if self.kaon.refused:
            yield "", self.kaon.refused, any(not r.refused and r.entries for r in others[:1])
        for category, reason in self.kaon.refused_categories.items():
            yield category, reason, any(category in reading.entries for reading in others[:1])


def compare(path: Path, root: str | None, workers: Workers, kept: Kept) -> Comparison:
    def by(python: str, reader: str, *further: Any) -> Reading:
        request = json.dumps([str(path), *further])
        if reader == "kaon":
            return reading_of(workers.read(python, reader, request))
        facts = path.stat()
        key = f"{reader} {facts.st_size} {facts.st_mtime_ns} {workers.arguments} {request}"
        return reading_of(kept.get(key, lambda: workers.read(python, reader, request)))

    peer = PEERS[path.suffix]
    has_peer = peer is not None and find_spec(peer) is not None
    comparison = Comparison(
        path, by(sys.executable, "kaon"), by(sys.executable, peer) if has_peer and peer else None
    )
    comparison.run()
    if path.suffix == ".root" and root and comparison.needs_root():
        comparison.judge(by(root, "root", comparison.different))
    return comparison


def files_below(folders: list[Path]) -> list[Path]:
    """Return the files by name, each once, even if folders contain links to each other."""
    found = (
        path.resolve()
        for folder in folders
        for path in (folder.rglob("*") if folder.is_dir() else [folder])
        if path.suffix in PEERS and path.is_file()
    )
    return sorted(set(found))


def show(comparisons: list[Comparison], is_verbose: bool) -> bool:
    """Print the table. Return whether kaon is right everywhere."""
    left_out: dict[str, list[str]] = defaultdict(list)  # places by kind
    refused: dict[str, list[str]] = defaultdict(list)
    read_by_others = 0
    for comparison in comparisons:
        for (category, column), reason in comparison.kaon.left_out.items():
            left_out[kind_of(reason)].append(f"{comparison.path}:{category} {column}")
        for category, reason, is_readable in comparison.refusals():
            kind = kind_of(reason) + (" [others read it]" if is_readable else "")
            refused[kind].append(f"{comparison.path}:{category} ({reason})")
            read_by_others += is_readable
    categories = sum(len(c.kaon.entries) + len(c.kaon.refused_categories) for c in comparisons)
    different = [
        f"{c.path}:{category} {name}" for c in comparisons for category, name in c.different
    ]
    missing = [f"{c.path}:{category} {name}" for c in comparisons for category, name in c.missing]
    print(f"files           {len(comparisons):8}")
    print(f"categories      {categories:8}")
    print(f"columns         {sum(len(c.kaon.columns) for c in comparisons):8}")
    print(f"  equal         {sum(c.equal for c in comparisons):8}")
    print(f"  different     {len(different):8}")
    print(f"  only in peer  {len(missing):8}")
    print(f"  left out      {sum(map(len, left_out.values())):8}")
    total = sum(map(len, refused.values()))
    print(f"refused         {total:8}; others read {read_by_others} of them")
    print(f"refused by peer {sum(bool(c.peer and c.peer.refused) for c in comparisons):8}")
    show_kinds("left out", left_out, is_verbose)
    show_kinds("refused", refused, is_verbose)
    show_places("different", different, is_verbose)
    show_places("only in peer", missing, is_verbose)
    failed = [
        f"{c.path} ({c.kaon.refused})"
        for c in comparisons
        if (c.kaon.refused or "").startswith(("crash", "timeout"))
    ]
    show_places("failed", failed, is_verbose)
    return not different and not failed


def show_kinds(title: str, places: dict[str, list[str]], is_verbose: bool) -> None:
    for kind, each in sorted(places.items(), key=lambda item: -len(item[1])):
        print(f"{title} {len(each):6}  {kind}")
        for place in each[: None if is_verbose else 1]:
            print(f"                 {place}")


def show_places(title: str, places: list[str], is_verbose: bool) -> None:
    for place in places[: None if is_verbose else 20]:
        print(f"{title}: {place}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--root", help="a Python that has ROOT, which judges differences")
    parser.add_argument(
        "--entries", type=int, default=1000, help="entries to read of each category"
    )
    parser.add_argument("--seconds", type=float, default=60, help="for one reader and one file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="list every place")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep others' results here")
    options = parser.parse_args()
    workers, kept = Workers(options.entries, options.seconds), Kept(options.keep)
    absent = [str(folder) for folder in options.folders if not folder.exists()]
    if absent:
        parser.error(f"these folders do not exist: {', '.join(absent)}")
    files = files_below(options.folders)
    comparisons = []
    pool = ThreadPoolExecutor(options.jobs)
    try:
        for comparison in pool.map(lambda path: compare(path, options.root, workers, kept), files):
            comparisons.append(comparison)
            print(f"{len(comparisons)} of {len(files)} files", file=sys.stderr)
    except KeyboardInterrupt:  # the table then has the files so far
        pool.shutdown(cancel_futures=True)
    return 0 if show(comparisons, options.verbose) else 1


if __name__ == "__main__":
    sys.exit(main())
