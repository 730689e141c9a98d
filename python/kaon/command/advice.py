"""Advice on the best layout of a file, from trials with some of its entries."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kaon.command.interruption import temporary_directory
from kaon.command.trials import LEAST_GAIN, MB, Read, Trial, Trials
from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.overview import print_table
from kaon.files.sizes import size_of
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

_MOST_MEMBERS = 8  # shown in the table of savings
_LEAST_SAVING = 0.01  # of the file; members that save less are not shown


@dataclass(frozen=True)
class Advice:
    """The trials, and the best of them.

    Attributes
    ----------
    entries, sample
        The number of the category's entries, and the number that was tried.
    storage_rate
        Bytes that the storage delivers in a second.
    now
        The category as it is; its time of writing is unknown.
    trials
        All trials in order, each with the best options of the trials before.
    best
        `now`, or one of the trials.
    savings
        By member of floating-point numbers and kept bits of the mantissa: the fraction of the
        best file that is saved.
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
        """The command that writes the file with the best options."""
        return f"kaon convert {shlex.quote(self.path)} OUT.kaon {self.best.flags}"

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as values for JSON."""
        trials = [{**vars(trial), "is_best": trial is self.best} for trial in self.trials]
        reads = [vars(read) for read in self.reads]
        return {
            **vars(self),
            **{"reads": reads, "now": vars(self.now), "trials": trials, "best": vars(self.best)},
            "command": self.command,
        }

    def print(self) -> None:
        """Print a table of the trials, the command of the best one, and savings."""
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
        name = printable(f"{self.path}:{self.category}")
        say(
            f"{name}: tried {self.sample:,} of {self.entries:,} entries, "
            f"for storage of {self.storage_rate / MB:g} MB/s"
        )
        print_table(table)
        if self.best is self.now:
            say("Keep the file as it is: no trial was better.")
        else:
            say(self.command)
        if self.savings:
            self._print_savings()

    def _print_savings(self) -> None:
        from rich.box import SIMPLE
        from rich.table import Table

        bits = sorted({bits for saved in self.savings.values() for bits in saved}, reverse=True)
        table = Table("", *(f"{each} bits" for each in bits), box=SIMPLE)
        for name, saved in list(self.savings.items())[:_MOST_MEMBERS]:
            table.add_row(printable(name), *(f"-{saved.get(each, 0):.1%}" for each in bits))
        say("\nSavings by keeping fewer bits of the mantissa (--precision):")
        print_table(table)


def advise(
    category: Category,
    reads: Sequence[Read],
    goal: str = "balance",
    sample_bytes: int = 64 * MB,
    storage_rate: float = 500 * MB,
    progress: Callable[[float], object] | None = None,
) -> Advice:
    """Try several ways to store a category, and return the measurements.

    Parameters
    ----------
    category
        A category of a local file.
    reads
        The reads of programs.
    goal
        One of `GOALS`: the weight of size against time.
    sample_bytes
        Memory of the entries that are tried.
    storage_rate
        Bytes that the storage of the file will deliver in a second.
    progress
        A function that is called with the fraction done, from 0 to 1.

    Raises
    ------
    UsageError
        If the category has no entries.
    UnknownNameError
        If the category lacks a column of the reads.
    """
    path = category.file_path
    if not len(category):
        raise UsageError(f"{path}:{category.name}: has no entries to try")
    entries = category._entries_per_step(f"{sample_bytes} B", category._schema.select(None))
    sample = min(entries, len(category))
    with temporary_directory() as directory:
        trials = Trials(category, reads, sample, storage_rate, directory)
        now = trials.as_it_is()
        best = trials.best(goal, progress)
        again = trials.as_it_is()  # the first time was slower: the file was not cached
        now = min(now, again, key=lambda trial: trial.read_seconds)
        if best.cost(goal) >= now.cost(goal) - LEAST_GAIN:
            best = now
        like_best = path if best is now else trials.laid_out(best.options)
        savings = _savings(like_best, category.name)
    return Advice(
        path,
        category.name,
        len(category),
        sample,
        storage_rate,
        reads,
        now,
        trials.done,
        best,
        savings,
    )


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
