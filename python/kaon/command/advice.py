"""How a file had better lie, found by trying it with some of its entries."""

from __future__ import annotations

import json
import math
import os
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kaon.command.interruption import temporary_directory
from kaon.dataframe.dataframe import dataset
from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.file import File
from kaon.files.overview import print_table
from kaon.files.sizes import CategorySize, size_of
from kaon.writing.convert import convert

_MB = 1_000_000
_TRIALS: dict[str, list[dict[str, Any]]] = {
    "layout": [{"layout": layout} for layout in ("split", "member", "row")],
    "codec": [{"codec": codec} for codec in ("none", "lz4", "zstd:6")],
    "encodings": [{"favour": "size"}, {"favour": "speed"}],
    "clusters": [{"cluster_bytes": size * _MB} for size in (4, 32)],
    "pages": [{"page_bytes": size * 1024} for size in (16, 256)],
}
_DEFAULTS = {"codec": "zstd:1"}
_FLAGS: dict[str, Callable[[Any], str]] = {
    "codec": lambda codec: f"--codec {codec}",
    "favour": lambda favour: f"--favour {favour}",
    "layout": lambda layout: f"--layout {layout}",
    "cluster_bytes": lambda size: f"--flush {size // _MB}MB",
    "page_bytes": lambda size: f"--page {size // 1024}KiB",
}
FAVOURS = {"size": 0.8, "balance": 0.5, "speed": 0.2}
"""What counts of a file's size, against the time that reading takes; both as logarithms."""

_LEAST_GAIN = 0.05  # below which it is rather chance, in size times time
_REPETITIONS = 5  # of what is timed
_MOST_PLACES = 8  # where a short read is tried
_MOST_MEMBERS = 8  # that are shown
_LEAST_SAVING = 0.01  # of the file, for which it is worth thinking about precision


@dataclass(frozen=True)
class Read:
    """Something that programs read.

    Attributes
    ----------
    columns
        The names of members; none stands for all.
    entries
        How many consecutive entries at a time.
    times
        How often.
    """

    columns: tuple[str, ...]
    entries: int
    times: int = 1


def recorded_reads(path: str | os.PathLike[str], category: Category) -> list[Read]:
    """Return the reads of a category that `kaon.record_reads` wrote down.

    Raises
    ------
    UsageError
        If there are none, or it is no such record.
    """
    counts: Counter[tuple[tuple[str, ...], int]] = Counter()
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            read = json.loads(line)
            first, last = map(int, read["entries"])
            key = tuple(map(str, read["columns"])), last - first
        except (ValueError, TypeError, KeyError) as error:
            raise UsageError(f"{os.fspath(path)}:{number}: is no record of a read") from error
        if read.get("category") == category.name and key[0] and last > first:
            counts[key] += 1
    if not counts:
        raise UsageError(f"{os.fspath(path)}: has no reads of '{category.name}'")
    return [Read(*key, times) for key, times in counts.items()]


@dataclass(frozen=True)
class Trial:
    """A way in which a file can lie, and what it costs.

    Attributes
    ----------
    subject
        What was tried: "codec", "layout", and so on.
    options
        Those of `kaon.convert`.
    bytes
        What the category takes, from what its first entries take.
    write_seconds, read_seconds
        What writing the category, and all that is read, take: estimated alike. Of the file as it
        is, nobody knows the first. Reading is what was measured in memory, and what the bytes take
        to get there.
    """

    subject: str
    options: dict[str, Any]
    bytes: float
    write_seconds: float | None
    read_seconds: float

    @property
    def flags(self) -> str:
        """The options as those of the command."""
        return " ".join(_FLAGS[name](value) for name, value in self.options.items())

    def cost(self, favour: str) -> float:
        """Return what is to become small: a logarithm."""
        share = FAVOURS[favour]
        return share * math.log(self.bytes) + (1 - share) * math.log(self.read_seconds)


@dataclass(frozen=True)
class Advice:
    """What was tried, and what of it is best.

    Attributes
    ----------
    entries, sample
        How many the category has, and how many were tried.
    storage_rate
        The bytes that come in a second.
    now
        The category as it is; what writing takes is not known.
    trials
        In the order in which they were tried, each with the best options of those before.
    best
        One of them.
    savings
        For members of floating-point numbers: what part of the file that is best is saved by
        keeping so many bits of the mantissa.
    """

    path: str
    category: str
    entries: int
    sample: int
    storage_rate: float
    reads: Sequence[Read]
    now: Trial
    trials: list[Trial]
    best: Trial
    savings: dict[str, dict[int, float]] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """The command that lays the file out so."""
        return f"kaon convert {shlex.quote(self.path)} OUT.kaon {self.best.flags}"

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        trials = [{**vars(trial), "is_best": trial is self.best} for trial in self.trials]
        reads = [vars(read) for read in self.reads]
        return {
            **vars(self),
            **{"reads": reads, "now": vars(self.now), "trials": trials, "best": vars(self.best)},
            "command": self.command,
        }

    def print(self) -> None:
        """Print a table of the trials, and what follows."""
        from rich.box import SIMPLE
        from rich.table import Table

        table = Table(box=SIMPLE)
        for heading in ("", "options", "bytes", "", "writing", "reading", ""):
            table.add_column(heading, justify="left" if heading == "options" else "right")
        for trial in (self.now, *self.trials):
            table.add_row(
                "→" if trial is self.best else "",
                trial.flags.replace("--", "") or "as it is",
                f"{trial.bytes:,.0f}",
                f"{trial.bytes / self.now.bytes - 1:+.0%}",
                _text(trial.write_seconds),
                _text(trial.read_seconds),
                f"{trial.read_seconds / self.now.read_seconds - 1:+.0%}",
            )
        print(
            f"{self.path}:{self.category}, {self.entries:,} entries, of which {self.sample:,} are "
            f"tried; with {self.storage_rate / _MB:g} MB/s of storage"
        )
        print_table(table)
        if self.best is self.now:
            print("It lies well: nothing that was tried is better.")
        else:
            print(self.command)
        if self.savings:
            self._print_savings()

    def _print_savings(self) -> None:
        from rich.box import SIMPLE
        from rich.table import Table

        bits = sorted({bits for saved in self.savings.values() for bits in saved}, reverse=True)
        table = Table("", *(f"{each} bits" for each in bits), box=SIMPLE)
        for name, saved in list(self.savings.items())[:_MOST_MEMBERS]:
            table.add_row(name, *(f"-{saved.get(each, 0):.1%}" for each in bits))
        print("\nThe file without the lower bits of these members' mantissas (--precision):")
        print_table(table)


def advise(
    category: Category,
    reads: Sequence[Read],
    favour: str = "balance",
    sample_bytes: int = 64 * _MB,
    storage_rate: float = 500 * _MB,
    progress: Callable[[float], object] | None = None,
) -> Advice:
    """Try how a category had better lie, and return what was measured.

    Parameters
    ----------
    category
        Of a local file.
    reads
        What programs read of it.
    favour
        One of `FAVOURS`: what counts more.
    sample_bytes
        What the entries that are tried take in memory.
    storage_rate
        How many bytes come in a second from where the file is to lie.
    progress
        Is called with how much is done, from 0 to 1.

    Raises
    ------
    UsageError
        If there are no entries.
    UnknownNameError
        If it has no column that is read.
    """
    path = category.file_path
    if not len(category):
        raise UsageError(f"{path}:{category.name}: has no entries to be tried")
    entries = category._entries_per_step(f"{sample_bytes} B", category._schema.select(None))
    sample = min(entries, len(category))
    scale = len(category) / sample
    whole = size_of(path)
    (size,) = (part for part in whole.categories if part.name == category.name)
    stored = size.bytes + whole.other_bytes  # of ROOT's and LCIO's not all has a known owner
    taken_before = _seconds(category, reads, sample)
    trials: list[Trial] = []
    count = 1 + sum(map(len, _TRIALS.values()))
    with temporary_directory() as directory:
        source, out = directory / "sample.kaon", directory / "trial.kaon"
        events = dataset(path, category.name).range(0, sample)
        _ = events.snapshot(source, codec="none", level=0).value

        def tried(subject: str, options: dict[str, Any]) -> Trial:
            begin = time.perf_counter()
            convert(source, out, overwrite=True, **options)
            written = time.perf_counter() - begin
            with File(out) as file:
                taken = _seconds(file[category.name], reads, sample)
                (part,) = file.size().categories
                taken += _fetched_bytes(part, category, reads) / storage_rate
            trials.append(Trial(subject, options, part.bytes * scale, written * scale, taken))
            if progress is not None:
                progress(len(trials) / count)
            return trials[-1]

        best = tried("codec", _DEFAULTS)
        for subject, choices in _TRIALS.items():
            base = best.options
            for choice in choices:
                trial = tried(subject, {**base, **choice})
                if trial.cost(favour) < best.cost(favour) - _LEAST_GAIN:
                    best = trial
        taken = min(taken_before, _seconds(category, reads, sample))  # at first bytes come late
        fetched = float(stored)
        if size.bytes:
            fetched = _fetched_bytes(size, category, reads) * stored / size.bytes
        now = Trial("", {}, stored, None, taken + fetched / storage_rate)
        if best.cost(favour) >= now.cost(favour) - _LEAST_GAIN:
            best = now
        else:
            convert(source, out, overwrite=True, **best.options)
        savings = _savings(path if best is now else os.fspath(out), category.name)
    return Advice(
        path, category.name, len(category), sample, storage_rate, reads, now, trials, best, savings
    )


def _seconds(category: Category, reads: Iterable[Read], sample: int) -> float:
    """Return what reading takes, estimated from the first entries."""
    total = 0.0
    for read in reads:
        span = min(read.entries, sample)
        places = min(_MOST_PLACES, sample // span)
        firsts = [place * (sample - span) // max(1, places - 1) for place in range(places)]
        columns = list(read.columns) or None
        taken = []
        for _ in range(_REPETITIONS):  # the best, as others use the machine, too
            begin = time.perf_counter()
            for first in firsts:
                category.arrays(columns, entry_start=first, entry_stop=first + span, library="np")
            taken.append(time.perf_counter() - begin)
        total += min(taken) / places * read.times * read.entries / span
    return total


def _fetched_bytes(size: CategorySize, category: Category, reads: Iterable[Read]) -> float:
    """Return the bytes that reads need, of a copy of a category or of some of its entries."""
    total = 0.0
    for read in reads:
        keys = category._schema.select_keys(read.columns or None)
        parts = (key.split(".") for key in keys)
        above = {".".join(part[:i]) for part in parts for i in range(1, len(part) + 1)}
        stored = sum(column.stored_bytes for column in size.columns if column.name in above)
        total += stored / size.entries * read.entries * read.times
    return total


def _savings(path: str, category: str) -> dict[str, dict[int, float]]:
    size = size_of(path, precision=True)
    (part,) = (part for part in size.categories if part.name == category)
    shares = {
        name: {bits: max(0, saved) / size.bytes for bits, saved in sorted(by_bits.items())}
        for name, by_bits in part.savings.items()
    }
    worth = [name for name, saved in shares.items() if max(saved.values()) >= _LEAST_SAVING]
    return {name: shares[name] for name in sorted(worth, key=lambda n: -max(shares[n].values()))}


def _text(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:,.3g} s" if seconds >= 1 else f"{seconds * 1000:,.3g} ms"
