"""Reports about damaged files whose sound data are read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TextIO

from kaon import _core
from kaon.modelgen.mistakes import printable_message
from kaon.terminal import say


@dataclass(frozen=True)
class RecoveredCategory:
    """The numbers of entries of a category that are kept and left out."""

    name: str
    entries: int
    #: Entries behind the place where a file was cut are unknown, and not counted.
    lost_entries: int


@dataclass(frozen=True)
class DamagedColumn:
    """A column with damaged pages.

    Attributes
    ----------
    category, name
        The category, and the member or table.
    damaged_entries
        The number of entries whose values are damaged.
    damaged_bytes
        The stored bytes of the damaged pages.
    left_out
        The collection, parameter or value that is left out as a whole; "" if entries are left out.
    """

    category: str
    name: str
    damaged_entries: int
    damaged_bytes: int
    left_out: str


@dataclass(frozen=True)
class Recovery:
    """The data of a damaged file that were found, and those that are lost.

    Attributes
    ----------
    file
        The path of the file.
    categories
        The categories with their numbers of entries.
    columns
        The columns with damaged pages.
    lost_documents
        The names of texts and objects that are lost.
    rebuilt
        Parts that were read from their copies: "header", "index".
    bytes
        The size of the file.
    lost_bytes
        The number of damaged bytes, with the rest of their page or record.
    text
        The report as text.
    """

    file: str
    categories: tuple[RecoveredCategory, ...]
    columns: tuple[DamagedColumn, ...]
    lost_documents: tuple[str, ...]
    rebuilt: tuple[str, ...]
    bytes: int
    lost_bytes: int
    text: str

    @property
    def is_sound(self) -> bool:
        """Whether the file is undamaged and complete."""
        return not self.lost_bytes and not self.rebuilt

    def print(self, file: TextIO | None = None) -> None:
        """Print the report, by default to the standard output."""
        say(printable_message(self.text), file=file)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as dictionaries and lists, for JSON."""
        return {key: value for key, value in asdict(self).items() if key != "text"}


def recovery_of(core: _core.Recovery) -> Recovery:
    """Return a report of C++."""
    return Recovery(
        core.file,
        tuple(RecoveredCategory(c.name, c.entries, c.lost_entries) for c in core.categories),
        tuple(
            DamagedColumn(c.category, c.name, c.damaged_entries, c.damaged_bytes, c.left_out)
            for c in core.columns
        ),
        tuple(core.lost_documents),
        tuple(core.rebuilt),
        core.bytes,
        core.lost_bytes,
        core.text,
    )
