"""Reading the columns of a category's entries as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.columns.schema import Schema, Selection

if TYPE_CHECKING:
    import awkward as ak

    from kaon.columns.flat import FlatArrays
    from kaon.model.file_models import Models


class CategoryReader:
    """Reads entries of a category. It keeps the file open. Any thread may use it.

    Attributes
    ----------
    core
        The category in C++.
    file
        The file in C++.
    models
        The models that the file carries.
    schema
        The category's tables and their names.
    """

    def __init__(self, core: _core.Category, file: _core.File, models: Models) -> None:
        self.core = core
        self.file = file
        self.models = models
        self.schema = Schema(core, models)

    @property
    def where(self) -> str:
        """File and category, for messages."""
        return self.schema.where

    @cached_property
    def origin(self) -> int:
        """A number that tells the category from those of all other files.

        It is the same whenever the file is opened.
        """
        category = self.where.removeprefix(self.file.name)
        text = f"{self.file.id or self.file.name}{category}"
        digest = hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=6).digest()
        return int.from_bytes(digest, "little")

    def flat(self, selection: Selection, first: int, last: int) -> FlatArrays:
        """Return a selection of the entries from `first` to the one before `last`.

        Raises
        ------
        CorruptFileError
            If the file is damaged.
        """
        from kaon.columns.flat import FlatArrays

        return FlatArrays(self.schema, selection, self.core.read(selection.members, first, last))

    def records(
        self,
        selection: Selection,
        first: int,
        last: int,
        attributes: Mapping[str, Any] | None = None,
    ) -> ak.Array:
        """Return a selection as Awkward records, one an entry.

        Parameters
        ----------
        attributes
            Of the array.
        """
        from kaon.columns.records import relation_members, to_records

        needed = relation_members(self.schema, selection)
        read = self.core.read(needed.members, first, last)
        entries = range(first, last)
        return to_records(self.schema, selection, read, entries, self.origin, attributes or {})

    def column(
        self, name: str, first: int, last: int, attributes: Mapping[str, Any] | None = None
    ) -> ak.Array:
        """Return the column of this name, as in the fields of the records.

        Raises
        ------
        UnknownNameError
            If nothing has that name.
        """
        arrays = self.records(self.schema.select(name), first, last, attributes)
        if len(arrays.fields) > 1:  # parameters may have dots in their names
            return arrays
        (label,) = arrays.fields
        values = arrays[label]
        for part in name.removeprefix(label).split(".")[1:]:
            values = values[part]
        return values
