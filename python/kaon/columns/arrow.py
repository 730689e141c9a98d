"""Columns of a category for programs that understand Arrow."""

from __future__ import annotations

from collections.abc import Sequence

from kaon import _core
from kaon.columns.reading import CategoryReader
from kaon.modelgen.mistakes import printable

PIECE_BYTES = 2**28
"""The default limit of the memory of a piece's columns."""


class ArrowColumns:
    """Columns of some entries, for every library that knows Arrow's PyCapsule interface.

    `Category.arrow` returns this. Each library gets its own stream, which reads the file in pieces.
    kaon needs no other package for this.

    >>> polars.DataFrame(events.arrow("Muon"))
    >>> duckdb.sql("select run, count(*) from columns group by run")  # a variable

    Parameters
    ----------
    reader
        The reader of the category.
    keys
        The members, in the order of the fields.
    entries
        The range of entries.
    is_flat
        Whether each member is a field, or each collection, parameter and value.
    piece_bytes
        The largest memory of the columns of a piece.
    """

    def __init__(
        self,
        reader: CategoryReader,
        keys: Sequence[str],
        entries: range,
        is_flat: bool = False,
        piece_bytes: int = PIECE_BYTES,
    ) -> None:
        self._reader = reader
        self._keys = keys
        self._columns = [reader.schema.members[key] for key in keys]
        self._entries = entries
        self._is_flat = is_flat
        self._piece_bytes = piece_bytes

    def __len__(self) -> int:
        return len(self._entries)

    def __arrow_c_schema__(self) -> object:
        """Return the type of an entry, a struct, in a capsule."""
        return _core.arrow_schema(self._reader.core, self._columns, self._is_flat)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the entries as a stream, in a capsule.

        Parameters
        ----------
        requested_schema
            Ignored, as the interface allows. Values come in the types of the file.
        """
        self._reader.note(self._keys, self._entries.start, self._entries.stop)
        return _core.arrow_stream(
            self._reader.core,
            self._columns,
            self._entries.start,
            self._entries.stop,
            self._is_flat,
            self._piece_bytes,
        )

    def __repr__(self) -> str:
        what = f"{len(self._columns)} columns, {len(self._entries)} entries"
        return printable(f"<ArrowColumns of '{self._reader.where}': {what}>")
