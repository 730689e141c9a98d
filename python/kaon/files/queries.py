"""Queries of a category: stored and computed columns of the entries that pass a cut."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kaon.columns.arrow import ArrowColumns
from kaon.columns.reading import CategoryReader
from kaon.columns.schema import Selection
from kaon.errors import FormatError, UnreadMemberWarning, UsageError
from kaon.files.array_forms import ArrayForm, package, with_columns
from kaon.files.expressions import Expressions

if TYPE_CHECKING:
    import awkward as ak
    import numpy as np
    from awkward.contents import Content

    from kaon.columns.virtual import Accessed


@dataclass(frozen=True)
class Query:
    """Columns of a category, and the form of the result.

    Attributes
    ----------
    reader
        The reader of the category.
    form
        The form of the result.
    names
        The names that the user asked for; None for all.
    keys
        The stored members.
    columns
        The stored and computed columns in the order of the request.
    expressions
        The computed columns and the cut; None without either.
    """

    reader: CategoryReader
    form: ArrayForm
    names: Sequence[str] | None
    keys: Sequence[str]
    columns: Sequence[str]
    expressions: Expressions | None

    @property
    def selection(self) -> Selection:
        """The stored members, by table."""
        return self.reader.schema.selection(self.keys)

    def arrays(self, first: int, last: int, memory_limit: int = 0) -> Any:
        """Return the columns of the entries from `first` to the one before `last`."""
        return self.finished(self.read(first, last, memory_limit))

    def without(self, error: FormatError) -> Query:
        """Return the query without columns that cannot be read, and warn of them.

        Raises
        ------
        FormatError
            The given error, if the user requested the columns by name, or if it names no columns.
        """
        unreadable = {".".join(filter(None, name.split("."))) for name in error.columns}
        readable = [key for key in self.keys if unreadable.isdisjoint(_prefixes(key))]
        if self.names is not None or len(readable) == len(self.keys):
            raise error
        warnings.warn(f"{error}; it is left out", UnreadMemberWarning, stacklevel=4)
        left_out = {*self.keys} - {*readable}
        columns = [column for column in self.columns if column not in left_out]
        return replace(self, keys=readable, columns=columns)

    def finished(self, data: Any) -> Any:
        """Return data that were read, in the form of the query."""
        finished = self.form.finished(data, self.names, self.columns)
        if self.form != ArrayForm("ak") or self.names is None:
            return finished
        schema = self.reader.schema
        branches = schema.branch_names(self.names)
        if not branches:
            return finished
        others = [name for name in self.names if name not in branches and name in schema]
        return _with_branches(finished, branches, schema.select_keys(others))

    def read(self, first: int, last: int, memory_limit: int = 0) -> Any:
        """Return data for `ArrayForm.joined`: an Awkward array, flat arrays or a table."""
        if self.expressions:
            return self._read_with(self.expressions, first, last, memory_limit)
        return self._stored(first, last, memory_limit)

    def virtual(
        self, first: int, last: int, memory_limit: int, access_log: list[Accessed] | None
    ) -> Any:
        """Return the columns as arrays whose parts are read when they are first used.

        Raises
        ------
        UsageError
            If the library is not Awkward, or there are computed columns or a cut.
        """
        if self.form.short != "ak" or self.expressions:
            raise UsageError("virtual arrays need library='ak', stored columns and no cut")
        from kaon.columns.references import attributes
        from kaon.columns.virtual import virtual_records

        entries, follows = range(first, last), attributes(self.reader)
        return self.finished(
            virtual_records(self.reader, self.keys, entries, follows, memory_limit, access_log)
        )

    def _stored(self, first: int, last: int, memory_limit: int) -> Any:
        if self.form.short == "np":
            return self.reader.flat(self.selection, first, last, memory_limit)
        if self.form.is_table:
            self.reader.core.check_memory(self.selection.members, first, last, memory_limit)
            entries = range(first, last)
            columns = ArrowColumns(self.reader, self.keys, entries, self.form.is_flat)
            return package("pyarrow").table(columns)
        from kaon.columns.references import attributes

        return self.reader.records(
            self.selection, first, last, attributes(self.reader), memory_limit
        )

    def _read_with(self, expressions: Expressions, first: int, last: int, memory_limit: int) -> Any:
        """Read stored and computed columns of the entries that pass the cut."""
        if self.form.short == "np":
            return self._flat_with(expressions, first, last, memory_limit)
        import awkward as ak
        import numpy as np

        entries, computed = expressions.compute(first, last)
        if not self.keys:
            if self.form.is_table:
                return with_columns(None, computed)
            size = last - first if entries is None else len(entries)
            return ak.Array(ak.contents.RecordArray(_contents(computed), list(computed), size))
        if entries is not None:
            first, last = _reaching(entries, first)
        stored = self._stored(first, last, memory_limit)
        chosen = None
        if entries is not None and len(entries) < last - first:
            chosen = entries.astype(np.int64) - first
        if self.form.is_table:
            return with_columns(stored if chosen is None else stored.take(chosen), computed)
        return _with_fields(stored, chosen, computed)

    def _flat_with(self, expressions: Expressions, first: int, last: int, memory_limit: int) -> Any:
        import numpy as np

        from kaon.columns.flat import FlatArrays

        entries, computed = expressions.parts(first, last)
        if entries is not None:
            first, last = _reaching(entries, first)
        stored = FlatArrays(self.reader.schema, Selection(()), {})
        if self.keys:
            stored = self.reader.flat(self.selection, first, last, memory_limit)
        if entries is not None and len(entries) < last - first:
            stored = stored.taken(entries.astype(np.int64) - first)
        return stored.with_computed(computed)


class Reading:
    """Reads ranges of entries, without columns that turn out to be unreadable.

    Attributes
    ----------
    query
        The query, without the columns that were left out so far.
    """

    def __init__(self, query: Query) -> None:
        self.query = query

    def read(self, first: int, last: int, memory_limit: int = 0) -> Any:
        """Return the data of the query; warn of a column when it is left out first."""
        while True:
            try:
                return self.query.read(first, last, memory_limit)
            except FormatError as error:
                self.query = self.query.without(error)

    def arrays(self, first: int, last: int, memory_limit: int = 0) -> Any:
        """Return the arrays of the query, like `read`."""
        data = self.read(first, last, memory_limit)
        return self.query.finished(data)


def _prefixes(name: str) -> list[str]:
    """Return "a", "a.b" and "a.b.c" for "a.b.c"."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def _with_fields(
    records: ak.Array, chosen: np.ndarray | None, computed: Mapping[str, Any]
) -> ak.Array:
    """Return chosen records (None for all) with further fields.

    For few records, `ak.with_field` would take longer than the rest of the query.
    """
    import awkward as ak

    contents, size = list(records.layout.contents), len(records)
    if chosen is not None:
        index, size = ak.index.Index64(chosen), len(chosen)
        contents = [ak.contents.IndexedArray.simplified(index, each) for each in contents]
        # project() would drop entries that are None.
        contents = [each if each.is_option else each.project() for each in contents]
    fields = [*records.fields, *computed]
    layout = ak.contents.RecordArray([*contents, *_contents(computed)], fields, size)
    return ak.Array(layout, behavior=records.behavior, attrs=records.attrs)


def _with_branches(
    records: ak.Array, branches: Mapping[str, str], others: Sequence[str]
) -> ak.Array:
    """Return records with fields such as "Muon_pt" in place of members such as "Muon.pt".

    Parameters
    ----------
    branches
        The members, by the names of the fields.
    others
        The members that stay in their collections.
    """
    import awkward as ak

    from kaon.columns.reading import column_in

    columns = {name: column_in(records, key) for name, key in branches.items()}
    for key in {*branches.values()} - {*others}:
        collection, _, member = key.partition(".")
        stays = any(other.startswith(f"{collection}.") for other in others)
        path = (collection, *member.split(".")) if stays else collection
        if collection in records.fields:
            records = ak.without_field(records, path)
    return _with_fields(records, None, columns)


def _contents(columns: Mapping[str, Any]) -> list[Content]:
    import numpy as np
    from awkward.contents import NumpyArray

    arrays = columns.values()
    return [NumpyArray(each) if isinstance(each, np.ndarray) else each.layout for each in arrays]


def _reaching(entries: np.ndarray, first: int) -> tuple[int, int]:
    """Return the first entry that passed, and the entry behind the last one that passed."""
    return (int(entries[0]), int(entries[-1]) + 1) if len(entries) else (first, first)
