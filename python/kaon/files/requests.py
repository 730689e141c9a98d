"""Requests for columns of several files; some files may lack them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from kaon.errors import UnknownNameError, UsageError
from kaon.files.array_forms import ArrayForm, package
from kaon.files.category import Category
from kaon.files.choices import checked_option
from kaon.files.filters import Filter
from kaon.files.memory_sizes import bytes_allowed
from kaon.files.queries import Query, Reading

Missing: TypeAlias = Literal["error", "none"]
"""The treatment of named columns that a file lacks: an error, or None in its entries."""

_ENTRY = "dataset.entry >= 0"  # every file has this column


@dataclass(frozen=True)
class Example:
    """Columns without entries, small to send to other machines.

    Attributes
    ----------
    data
        An Awkward array or a table of Arrow.
    columns
        The names of the columns, in the order of the request.
    """

    data: Any
    columns: Sequence[str]


@dataclass(frozen=True)
class Request:
    """Columns of categories, as in `Category.arrays`.

    Attributes
    ----------
    missing
        "error", or "none" for None in place of named columns that a category lacks.

    Raises
    ------
    UsageError
        If `missing` is unknown, or is "none" for flat arrays, which cannot have None.
    """

    names: str | Sequence[str] | None
    cut: str | None
    aliases: Mapping[str, str] | None
    form: ArrayForm
    filter_name: Filter = None
    filter_typename: Filter = None
    missing: Missing = "error"

    def __post_init__(self) -> None:
        checked_option("missing", self.missing, get_args(Missing))
        if self.missing == "none" and self.form.short == "np":
            raise UsageError("missing='none': flat arrays have no None; use another library")

    def query(self, category: Category) -> Query:
        """Return the query of a category.

        Raises
        ------
        UnknownNameError
            If the category lacks a column and `missing` is "error", or the cut cannot be computed.
        """
        try:
            return self._query_of(category, self.names)
        except UnknownNameError:
            if self.missing == "error":
                raise
            return self._query_of(category, self.present_in(category) or [_ENTRY])

    def present_in(self, category: Category) -> list[str]:
        """Return the names that a category has, and the expressions that it can compute."""
        return [name for name in self._names() or () if self._has(category, name)]

    def read(self, reading: Reading, first: int, last: int, memory_limit: int = 0) -> Any:
        """Return data of some entries for `ArrayForm.joined`."""
        data = reading.read(first, last, memory_limit)
        names = reading.query.names
        if self.missing == "error" or names != [_ENTRY] or _ENTRY in (self._names() or ()):
            return data
        if not self.form.is_table:
            import awkward as ak

            return ak.Array(ak.contents.RecordArray([], [], len(data)))
        pyarrow, (name, *_) = package("pyarrow"), self._names() or ()
        return pyarrow.table({name: pyarrow.nulls(len(data))})

    def joined(self, queries: Sequence[Query], parts: Sequence[Any]) -> Any:
        """Return data of several files as one, in the form of the request.

        Parameters
        ----------
        queries
            The query of each file; at least one.
        """
        return self._finished(self.form.joined(parts), self._columns(queries))

    def example(self, queries: Sequence[Query]) -> Example:
        """Return an example with the columns of several queries; at least one."""
        data = self.form.joined([query.read(0, 0) for query in queries])
        if self.form.short == "ak":  # attributes belong to a file opened here
            data = type(data)(data.layout, behavior=data.behavior)
        return Example(data, self._columns(queries))

    def example_of(self, categories: Sequence[Category]) -> Example:
        """Return an example with the columns of several categories; at least one.

        Raises
        ------
        UnknownNameError
            If no category has one of the names.
        """
        self.check_present(categories)
        return self.example([self.query(category) for category in categories])

    def check_present(self, categories: Sequence[Category]) -> None:
        """Check that some category has each requested name; raise as `check_names`."""
        self.check_names([self.present_in(category) for category in categories], categories[0])

    def check_names(self, present: Sequence[Sequence[str]], first: Category) -> None:
        """Check that each requested name is present in some file.

        Raises
        ------
        UnknownNameError
            The error of the first file, for a name that no file has.
        """
        for name in self._names() or ():
            if not any(name in names for names in present):
                self._query_of(first, [name])

    def like(self, example: Example, data: Any) -> Any:
        """Return data of a file with the columns and types of an example, in the request's form."""
        return self._finished(self.form.joined([example.data, data]), example.columns)

    def arrays(self, category: Category, entries: range, example: Example | None) -> Any:
        """Return entries of a category, with the columns and types of an example if it is given."""
        if example is not None:
            reading = Reading(self.query(category))
            allowed = bytes_allowed(None)
            return self.like(example, self.read(reading, entries.start, entries.stop, allowed))
        is_whole = (self.names, self.cut, self.aliases) == (None, None, None)
        return category.arrays(
            self.names,
            self.cut,
            aliases=self.aliases,
            library=self.form.short,
            virtual=is_whole and self.form.short == "ak",
            entry_start=entries.start,
            entry_stop=entries.stop,
        )

    def _finished(self, data: Any, columns: Sequence[str]) -> Any:
        names = self._names()
        is_filtered = self.filter_name is not None or self.filter_typename is not None
        return self.form.finished(data, None if is_filtered else names, columns)

    def _columns(self, queries: Sequence[Query]) -> list[str]:
        """Return all columns of queries, in the order of the requested names."""
        columns = dict.fromkeys(column for query in queries for column in query.columns)
        names = self._names()
        if _ENTRY not in (names or ()):
            columns.pop(_ENTRY, None)
        if names is None or self.missing == "error":
            return list(columns)
        return sorted(columns, key=lambda column: _place(column, names))

    def _names(self) -> Sequence[str] | None:
        return [self.names] if isinstance(self.names, str) else self.names

    def _has(self, category: Category, name: str) -> bool:
        try:
            self._query_of(category, [name])
        except UnknownNameError:
            return False
        return True

    def _query_of(self, category: Category, names: str | Sequence[str] | None) -> Query:
        return category._query(
            names, self.cut, self.aliases, self.filter_name, self.filter_typename, self.form
        )


def _place(column: str, names: Sequence[str]) -> int:
    """Return the position of the requested name that is the column, or that the column is below."""
    below = (place for place, name in enumerate(names) if f"{column}.".startswith(f"{name}."))
    return next(below, len(names))
