"""Trials of ways to store a category, with its first entries, timed."""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kaon.dataframe.dataframe import dataset
from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.file import File
from kaon.files.sizes import CategorySize, size_of
from kaon.writing.convert import convert

MB = 1_000_000
_TRIALS: dict[str, list[dict[str, Any]]] = {
    "layout": [{"layout": layout} for layout in ("split", "member", "row")],
    "codec": [{"codec": codec} for codec in ("none", "lz4", "zstd:6")],
    "encodings": [{"goal": "size"}, {"goal": "speed"}],
    "clusters": [{"cluster_bytes": size * MB} for size in (4, 32)],
    "pages": [{"page_bytes": size * 1024} for size in (16, 256)],
}
_DEFAULTS = {"codec": "zstd:1"}
_FLAGS: dict[str, Callable[[Any], str]] = {
    "codec": lambda codec: f"--codec {codec}",
    "goal": lambda goal: f"--goal {goal}",
    "layout": lambda layout: f"--layout {layout}",
    "cluster_bytes": lambda size: f"--flush {size // MB}MB",
    "page_bytes": lambda size: f"--page {size // 1024}KiB",
}
GOALS = {"size": 0.8, "balance": 0.5, "speed": 0.2}
"""The weight of a file's size against the time of reading; both enter as logarithms."""

LEAST_GAIN = 0.05
"""The least difference of costs that counts as a gain; smaller ones may be chance."""

_REPETITIONS = 5  # of each timed read
_MOST_PLACES = 8  # at which a short read is tried


@dataclass(frozen=True)
class Read:
    """A read of programs.

    Attributes
    ----------
    columns
        The names of members; empty for all.
    entries
        The number of consecutive entries of each read.
    times
        The number of these reads.
    """

    columns: tuple[str, ...]
    entries: int
    times: int = 1


def recorded_reads(path: str | os.PathLike[str], category: Category) -> list[Read]:
    """Return the reads of a category that `kaon.record_reads` recorded.

    Raises
    ------
    UsageError
        If the file has no reads of the category, or is not a record of reads.
    """
    counts: Counter[tuple[tuple[str, ...], int]] = Counter()
    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        try:
            read = json.loads(line)
            first, last = map(int, read["entries"])
            key = tuple(map(str, read["columns"])), last - first
        except (ValueError, TypeError, KeyError) as error:
            raise UsageError(f"{os.fspath(path)}:{number}: not a record of a read") from error
        if read.get("category") == category.name and key[0] and last > first:
            counts[key] += 1
    if not counts:
        raise UsageError(f"{os.fspath(path)}: has no reads of the category '{category.name}'")
    return [Read(*key, times) for key, times in counts.items()]


@dataclass(frozen=True)
class Trial:
    """A way to store a file, and its costs.

    Attributes
    ----------
    subject
        The subject of the trial: "codec", "layout", and so on.
    options
        Options of `kaon.convert`.
    bytes
        The size of the category, extrapolated from its first entries.
    write_seconds, read_seconds
        The time to write the category, and the time of all reads, extrapolated from its first
        entries. The file as it is has no time of writing: None. The time of reading is the time
        measured in memory, plus the time to fetch the bytes from the storage.
    """

    subject: str
    options: dict[str, Any]
    bytes: float
    write_seconds: float | None
    read_seconds: float

    @property
    def flags(self) -> str:
        """The options of the command `kaon convert`."""
        return " ".join(_FLAGS[name](value) for name, value in self.options.items())

    def cost(self, goal: str) -> float:
        """Return the cost to minimise: a weighted sum of logarithms of size and time."""
        share = GOALS[goal]
        return share * math.log(self.bytes) + (1 - share) * math.log(self.read_seconds)


class Trials:
    """Stores the first entries of a category in many ways, and times reading them.

    Attributes
    ----------
    done
        The trials in order.
    """

    def __init__(
        self,
        category: Category,
        reads: Sequence[Read],
        sample: int,
        storage_rate: float,
        directory: Path,
    ) -> None:
        self.done: list[Trial] = []
        self._category = category
        self._reads = reads
        self._sample = sample
        self._rate = storage_rate
        self._entries, self._out = directory / "sample.kaon", directory / "trial.kaon"
        events = dataset(category.file_path, category.name).range(0, sample)
        _ = events.snapshot(self._entries, codec="none", level=0).value

    def as_it_is(self) -> Trial:
        """Return the costs of the category in its present file."""
        whole = size_of(self._category.file_path)
        (size,) = (part for part in whole.categories if part.name == self._category.name)
        stored = size.bytes + whole.other_bytes  # ROOT and LCIO have bytes of unknown categories
        fetched = float(stored)
        if size.bytes:
            fetched = self._fetched_bytes(size) * stored / size.bytes
        taken = self._seconds(self._category) + fetched / self._rate
        return Trial("", {}, stored, None, taken)

    def best(self, goal: str, progress: Callable[[float], object] | None) -> Trial:
        """Try one subject after another, each with the best options of those before."""
        count = 1 + sum(map(len, _TRIALS.values()))
        best = self._tried("codec", _DEFAULTS)
        for subject, choices in _TRIALS.items():
            base = best.options
            for choice in choices:
                trial = self._tried(subject, {**base, **choice})
                if trial.cost(goal) < best.cost(goal) - LEAST_GAIN:
                    best = trial
                if progress is not None:
                    progress(len(self.done) / count)
        return best

    def laid_out(self, options: dict[str, Any]) -> str:
        """Write the first entries with these options, and return the path.

        The next call replaces the file.
        """
        convert(self._entries, self._out, overwrite=True, **options)
        return os.fspath(self._out)

    def _tried(self, subject: str, options: dict[str, Any]) -> Trial:
        scale = len(self._category) / self._sample
        begin = time.perf_counter()
        out = self.laid_out(options)
        written = time.perf_counter() - begin
        with File(out) as file:
            taken = self._seconds(file._category(self._category.name))
            (part,) = file.size().categories
        taken += self._fetched_bytes(part) / self._rate
        trial = Trial(subject, options, part.bytes * scale, written * scale, taken)
        self.done.append(trial)
        return trial

    def _seconds(self, category: Category) -> float:
        """Return the seconds of all reads, extrapolated from the first entries."""
        total = 0.0
        for read in self._reads:
            span = min(read.entries, self._sample)
            places = min(_MOST_PLACES, self._sample // span)
            rest = self._sample - span
            firsts = [place * rest // max(1, places - 1) for place in range(places)]
            taken = []
            for _ in range(_REPETITIONS):  # the fastest counts, as other programs may be running
                begin = time.perf_counter()
                for first in firsts:
                    category.arrays(
                        list(read.columns) or None,
                        entry_start=first,
                        entry_stop=first + span,
                        library="np",
                    )
                taken.append(time.perf_counter() - begin)
            total += min(taken) / places * read.times * read.entries / span
        return total

    def _fetched_bytes(self, size: CategorySize) -> float:
        """Return the bytes that all reads fetch from a copy of the category or of its sample."""
        total = 0.0
        for read in self._reads:
            keys = self._category._schema.select_keys(read.columns or None)
            parts = (key.split(".") for key in keys)
            above = {".".join(part[:i]) for part in parts for i in range(1, len(part) + 1)}
            stored = sum(column.stored_bytes for column in size.columns if column.name in above)
            total += stored / size.entries * read.entries * read.times
        return total
