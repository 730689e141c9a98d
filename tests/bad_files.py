"""Files that cannot be used beside two good ones, for tests of all functions that take several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import kaon


@dataclass(frozen=True)
class Case:
    """A bad file.

    Attributes
    ----------
    make
        Makes the file of a path.
    reason
        A regular expression for the message.
    entries
        The number of entries that are missing; None if it is unknown.
    """

    make: Callable[[Path], None]
    reason: str
    entries: int | None = None


def write(path: Path, category: str = "events", **columns: object) -> None:
    with kaon.create(path) as out:
        out[category] = columns


def write_good(path: Path, first: int, count: int) -> None:
    numbers = range(first, first + count)
    write(path, x=list(numbers), y=[number / 2 for number in numbers])


def damaged(path: Path) -> None:
    """Write a tree in a file whose header has other positions."""
    with kaon.create(path, format="ttree") as out:
        out["events"] = {"x": [1], "y": [1.0]}
    data = bytearray(path.read_bytes())
    data[4:20] = bytes(255 - byte for byte in data[4:20])
    path.write_bytes(data)


CASES = {
    "missing category": Case(lambda path: write(path, "runs", x=[1]), "no category 'events'"),
    "other columns": Case(lambda path: write(path, z=[1, 2, 3, 4]), "has none of the columns", 4),
    "no categories": Case(lambda path: kaon.create(path).close(), "no categor"),
    "zero bytes": Case(lambda path: path.write_bytes(b"") and None, "is empty"),
    "damaged": Case(damaged, "the file is damaged"),
    "not found": Case(lambda path: None, "cannot open|does not exist"),
}
"""Files without any usable data, by name."""

LACKING = Case(lambda path: write(path, x=[7, 8]), "no.* 'y'", 2)
"""A file that lacks the column y."""


@dataclass(frozen=True)
class Files:
    """The paths of good files with 5 and 3 entries, and of a bad file between or before them."""

    paths: list[str]
    bad: str
    case: Case

    @property
    def events(self) -> list[str]:
        """The paths with their category."""
        return [f"{path}:events" for path in self.paths]


def make_files(folder: Path, case: Case, is_first: bool = False) -> Files:
    good, bad = [folder / "a.kaon", folder / "c.kaon"], folder / "b.kaon"
    write_good(good[0], 0, 5)
    write_good(good[1], 5, 3)
    case.make(bad)
    paths = [bad, *good] if is_first else [good[0], bad, good[1]]
    return Files([str(path) for path in paths], str(bad), case)
