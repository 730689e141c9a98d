"""Checking files for damage."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TextIO

from kaon import _core
from kaon.error_texts import with_plain_type_errors
from kaon.files.paths import system_path
from kaon.modelgen.mistakes import printable
from kaon.terminal import say


@dataclass(frozen=True)
class Finding:
    """A fault of a file.

    Attributes
    ----------
    category, column
        The place of the fault; "" if it concerns the file, or a whole record.
    entries
        The first affected entry, and the entry behind the last one; None if unknown.
    position
        The position of the page or record in the file, in bytes.
    what
        A description of the fault.
    is_unreadable
        Whether kaon does not understand the values of the column, which proves no damage.
    """

    category: str
    column: str
    entries: tuple[int, int] | None
    position: int
    what: str
    is_unreadable: bool = False


@dataclass(frozen=True, repr=False)
class Verification:
    """The findings of `verify`, and the amount of data checked.

    Attributes
    ----------
    path
        The path of the file.
    findings
        The faults in the order of the file; empty for a sound file.
    is_complete
        Whether the writer finished the file, and its end is present.
    records, pages, bytes
        The numbers of records, pages and bytes checked; all bytes if the file is sound.
    """

    path: str
    findings: Sequence[Finding]
    is_complete: bool
    records: int
    pages: int
    bytes: int

    @property
    def is_sound(self) -> bool:
        """Whether the file has no faults."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as values for JSON."""
        return {**asdict(self), "is_sound": self.is_sound}

    def __repr__(self) -> str:
        return printable(f"<Verification of '{self.path}': {self._verdict()}>")

    def _verdict(self) -> str:
        parts = ((self.records, "record"), (self.pages, "page"), (self.bytes, "byte"))
        amount = ", ".join(_core.counted(*part) for part in parts)
        if self.is_sound:
            return f"sound: {amount}"
        fault = "unreadable" if all(each.is_unreadable for each in self.findings) else "damaged"
        return f"{fault}: {_core.counted(len(self.findings), 'finding')} in {amount}"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for finding in self.findings:
            first, behind = finding.entries or (0, 0)
            entries = f"{first} to {behind - 1}" if finding.entries else ""
            where = (finding.category, finding.column, entries, f"{finding.position}")
            yield (*where, finding.what)

    def _repr_html_(self) -> str:
        from kaon.cards import card, table

        findings = [] if self.is_sound else [table(_HEADINGS, self._rows(), ("byte",))]
        return card(self.path, [self._verdict()], *findings)

    def print(self, file: TextIO | None = None) -> None:
        """Print a verdict and, for a damaged file, a table of the faults."""
        say(printable(f"{self.path}: {self._verdict()}"), file=file)
        if self.is_sound:
            return
        from rich.box import SIMPLE
        from rich.table import Table

        from kaon.files.overview import print_table

        table = Table(box=SIMPLE)
        for heading in _HEADINGS:
            table.add_column(heading, justify="right" if heading == "byte" else "left")
        for row in self._rows():
            table.add_row(*map(printable, row))
        print_table(table, file)


_HEADINGS = ("category", "column", "entries", "byte", "fault")


@with_plain_type_errors
def verify(
    path: str | os.PathLike[str], progress: Callable[[float], object] | None = None
) -> Verification:
    """Check a ``.kaon`` file completely.

    Checks each record and page, and their agreement: checksums, numbers of values, references,
    bounds, the index, and padding bytes. Of an unfinished or cut file, the existing part is
    checked.

    Parameters
    ----------
    path
        The path of the file.
    progress
        A function that is called with the fraction done, from 0 to 1, from any thread.

    Returns
    -------
    Verification
        The faults found; damage does not raise.

    Raises
    ------
    MissingFileError
        If the file does not exist; it is a FileNotFoundError.
    FormatError
        If the file is not a ``.kaon`` file.
    """
    path = system_path(path)
    result = _core.verify(path, progress)
    findings = [
        Finding(
            finding.category,
            finding.column,
            finding.entries if finding.entries[1] > finding.entries[0] else None,
            finding.position,
            finding.what,
            finding.is_unreadable,
        )
        for finding in result.findings
    ]
    return Verification(
        path, findings, result.is_complete, result.records, result.pages, result.bytes
    )
