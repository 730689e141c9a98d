"""Checking files for damage."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TextIO

from kaon import _core
from kaon.cards import counted
from kaon.errors import with_plain_type_errors
from kaon.files.paths import system_path
from kaon.modelgen.mistakes import printable


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a file.

    Attributes
    ----------
    category, column
        Where it is; "" if it concerns the file, or a whole record.
    entries
        The first entry that it concerns, and the first behind; None if that is not known.
    position
        The position of the page or record in the file, in bytes.
    what
        What is wrong.
    """

    category: str
    column: str
    entries: tuple[int, int] | None
    position: int
    what: str


@dataclass(frozen=True, repr=False)
class Verification:
    """The findings of `verify`, and how much it checked.

    Attributes
    ----------
    path
        The file.
    findings
        In the order of the file; none if it is sound.
    is_complete
        Whether its writer finished it, and its end is there.
    records, pages, bytes
        How many were checked; all bytes of the file if it is sound.
    """

    path: str
    findings: Sequence[Finding]
    is_complete: bool
    records: int
    pages: int
    bytes: int

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {**asdict(self), "is_sound": self.is_sound}

    def __repr__(self) -> str:
        return printable(f"<Verification of '{self.path}': {self._verdict()}>")

    def _verdict(self) -> str:
        parts = ((self.records, "record"), (self.pages, "page"), (self.bytes, "byte"))
        amount = ", ".join(counted(*part) for part in parts)
        if self.is_sound:
            return f"sound: {amount}"
        return f"damaged: {counted(len(self.findings), 'finding')} in {amount}"

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
        """Print a line and, if there is something wrong, a table of it."""
        print(f"{self.path}: {self._verdict()}", file=file)
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


_HEADINGS = ("category", "column", "entries", "byte", "what is wrong")


@with_plain_type_errors
def verify(
    path: str | os.PathLike[str], progress: Callable[[float], object] | None = None
) -> Verification:
    """Check all that can be checked of a ``.kaon`` file.

    That is each record and page, and whether they agree: checksums, numbers of values, references,
    bounds, the index, and even the bytes that only fill up. Of a file that is not finished, or cut,
    what is there is checked.

    Parameters
    ----------
    path
        The file.
    progress
        Is called now and then with how much is done, from 0 to 1, from any thread.

    Returns
    -------
    Verification
        What is wrong; damage is no exception.

    Raises
    ------
    MissingFileError
        If there is no such file; it is a FileNotFoundError.
    FormatError
        If it is no ``.kaon`` file.
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
        )
        for finding in result.findings
    ]
    return Verification(
        path, findings, result.is_complete, result.records, result.pages, result.bytes
    )
