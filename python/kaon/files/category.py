"""One category of an open file: a series of entries, read as arrays."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TextIO

from kaon import _core
from kaon.columns.arrow import PIECE_BYTES, ArrowColumns
from kaon.columns.reading import CategoryReader, FilePlace, sendable
from kaon.columns.schema import Selection
from kaon.error_texts import with_plain_types
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.column import Column
from kaon.files.expressions import Expressions, split_names
from kaon.files.filters import Filter, is_wanted, is_wanted_key
from kaon.files.keys import key_arrays, key_values
from kaon.files.memory_sizes import bytes_allowed, size_in_bytes
from kaon.files.metadata import Metadata, read_metadata
from kaon.files.queries import Query, Reading
from kaon.model.file_models import Models
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

if TYPE_CHECKING:
    import awkward as ak
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from kaon.columns.virtual import Accessed
    from kaon.events.frames import Frames
    from kaon.files.reports import Report


@with_plain_types
class Category:
    """A named series of entries in an open file, such as ``events``.

    ``kaon.open("events.kaon")["events"]`` returns one. The file stays open as long as one of its
    categories exists. Any number of threads may use a category at the same time, and reading runs
    in parallel with other Python code. Categories can be pickled: other processes open the file
    again, by its path.
    """

    def __init__(
        self,
        core: _core.Category,
        name: str,
        file: _core.File,
        models: Models,
        place: FilePlace | None = None,
    ) -> None:
        self._core = core
        self._file = file
        self._place = place
        self._reader = CategoryReader(core, file, models, place)
        self._schema = self._reader.schema
        self.name = name
        self.num_entries: int = core.entries

    @property
    def file_path(self) -> str:
        """The path of the file."""
        return self._file.name

    @property
    def tables(self) -> tuple[str, ...]:
        """The name of each table by its number, which relations refer to."""
        return tuple(table.name for table in self._schema.tables)

    @cached_property
    def metadata(self) -> Metadata:
        """Keys and values about the category.

        Raises
        ------
        CorruptFileError
            If the file's metadata are invalid.
        """
        return read_metadata(self._file).part(self.name)

    def metadata_of(self, collection: str) -> Metadata:
        """Return keys and values about a collection.

        Raises
        ------
        UnknownNameError
            If the collection does not exist.
        """
        known = self._schema.labels.values()
        if collection not in known:
            hint = _core.suggestion(collection, list(known))
            raise UnknownNameError(f"{self._core.name}: there is no '{collection}'{hint}")
        return self.metadata.part(collection)

    def clusters(self) -> list[tuple[int, int]]:
        """Return for each cluster its first entry, and the entry behind its last."""
        return list(self._core.clusters)

    def keys(self, filter_name: Filter = None, filter_typename: Filter = None) -> list[str]:
        """Return the names of all members, such as "MCParticles.momentum.x", and parameters.

        Parameters
        ----------
        filter_name, filter_typename
            Select names, or types, that match: a pattern such as "Muon.*" or "Muon_*"; a regular
            expression between slashes, with optional flags behind; several of these; or a function
            that is called with the name.
        """
        keys = [key for key in self._schema.members if is_wanted_key(filter_name, key)]
        if filter_typename is None:
            return keys
        return [key for key in keys if is_wanted(filter_typename, self._schema.typename(key))]

    def typenames(
        self, filter_name: Filter = None, filter_typename: Filter = None
    ) -> dict[str, str]:
        """Return the type of each name's values in an entry, such as "var * float32"."""
        keys = self.keys(filter_name, filter_typename)
        return {key: self._schema.typename(key) for key in keys}

    def find(self, /, **keys: int) -> int | None:
        """Return the first entry with these values.

        >>> events.find(run=7, event=123456)

        Keys of the file (``create(..., keys=["run", "event"])``) are stored sorted, and searching
        for them takes microseconds. For other numbers, kaon reads all pages that the bounds of
        clusters and pages do not exclude.

        Parameters
        ----------
        keys
            Integers by name; each entry must have exactly one of each. For a member of a
            collection with one object an entry, write
            ``events.find(**{"EventHeader.eventNumber": 123456})``.

        Returns
        -------
        int or None
            The number of the entry, or None.

        Raises
        ------
        UnknownNameError
            If a name does not exist.
        WrongTypeError
            If the column or the given value is not an integer.
        UsageError
            If no key is given, or an entry does not have exactly one value of a key.
        CorruptFileError
            If the file is damaged.
        """
        return self._core.find(key_values(keys, self._core.name))

    def find_all(self, /, **keys: int) -> NDArray[np.int64]:
        """Return all entries with these values in ascending order, such as those of a run.

        >>> events.find_all(run=7)

        Parameters
        ----------
        keys
            As in `find`, with the same exceptions.
        """
        return self._core.find_all(key_values(keys, self._core.name))

    def find_each(self, /, **keys: ArrayLike) -> ak.Array:
        """Return the first entry for each row of values, such as those of another file.

        >>> entries = events.find_each(run=picks.run, event=picks.event)
        >>> events.arrays(["weight"])[entries]

        Each page of the keys is read at most once, for values in any order.

        Parameters
        ----------
        keys
            Arrays of integers by name, of equal length.

        Returns
        -------
        ak.Array
            The number of the entry for each row of values, or None. Indexing an array with it
            gives rows in the order of the values, and None for values that were not found.

        Raises
        ------
        UsageError
            If the arrays differ in length; and in the cases of `find`.
        """
        import awkward as ak

        from kaon.columns.awkward_layouts import optional

        entries = self._core.find_each(key_arrays(keys, self._core.name))
        return ak.Array(optional(entries >= 0, ak.contents.NumpyArray(entries)))

    def frames(self) -> Frames:
        """Return the entries as objects, of classes made from the file's models.

        >>> for event in events.frames():
        ...     for particle in event["MCParticles"]:
        ...         print(particle.PDG, [parent.PDG for parent in particle.parents])

        The first use of a member reads it for many entries at once. `arrays` is still hundreds of
        times faster.

        Returns
        -------
        Frames
            A sequence: ``events.frames()[42]`` is an event, ``events.frames()[10:20]`` several.
        """
        return self._frames

    @cached_property
    def _frames(self) -> Frames:
        """The frames, which share the entries around the one that was selected last."""
        from kaon.events.frames import Frames

        return Frames(self._reader, range(self.num_entries))

    def values(self) -> list[Column]:
        """Return the columns of each name in `keys`."""
        return [self[key] for key in self.keys()]

    def items(self) -> list[tuple[str, Column]]:
        """Return each name in `keys` with its columns."""
        return [(key, self[key]) for key in self.keys()]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the columns of a name, or the default if the name does not exist."""
        return self[name] if name in self else default

    def _ipython_key_completions_(self) -> list[str]:
        return list(dict.fromkeys([*self._schema.labels.values(), *self.keys()]))

    def parents(self) -> Category:
        """Return the parents of the entries, one for each, in order.

        Parents are the entries that these were read from; this file must have been written with
        provenance. They have all columns of their files; this file may have fewer.
        Parent files are searched at their old paths and beside this file.

        Raises
        ------
        MissingFileError
            If a parent file is missing, or another file has taken its place.
        UsageError
            If the entries have no provenance.
        """
        core = self._file.parents(self.name)
        for warning in core.warnings:
            warnings.warn(warning, stacklevel=3)  # at the caller's line
        return Category(core.category(self.name), self.name, core, Models(core))

    def __reduce__(self) -> tuple[Any, ...]:
        return _category_at, (sendable(self._place, self.file_path), self.name)

    def __len__(self) -> int:
        return self.num_entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._schema

    def __getitem__(self, name: str) -> Column:
        """Return the columns of a name: a member, a component, a collection or a parameter.

        Raises
        ------
        UnknownNameError
            If the name does not exist.
        WrongTypeError
            If `name` is not a string.
        """
        if not isinstance(name, str):
            example = next(iter(self), "name")
            raise WrongTypeError(
                f"{self._core.name}: select a member by name, such as '{example}', not {name!r}; "
                "for single entries use `frames()`, for columns `arrays()`"
            )
        return Column(self._reader, name)

    def __repr__(self) -> str:
        return printable(f"<Category '{self._core.name}': {self.num_entries} entries>")

    def _repr_html_(self) -> str:
        from kaon.cards import card

        return card(self._core.name, self._facts(), self._html())

    def _facts(self) -> list[str]:
        """Return short texts about the category."""
        keys = self._core.sorted_keys
        return [
            _core.counted(self.num_entries, "entry", "entries"),
            _core.counted(len(self.clusters()), "cluster"),
            f"sorted by {', '.join(keys)}" if keys else "",
            f"{len(self.unreadable)} members are not read" if self.unreadable else "",
        ]

    def _html(self) -> str:
        """Return the table of columns, as a part of a card."""
        from kaon.files.overview import columns, to_html

        return to_html(columns(self._core, self._schema))

    def show(
        self, filter_name: Filter = None, *, file: TextIO | None = None, bounds: bool = False
    ) -> None:
        """Print a table of the columns and how they are stored.

        The table fits the terminal; without a terminal it has 80 columns. Descriptions are shown
        if there is room, or if you select names.

        >>> events.show("Muon.*")

        Parameters
        ----------
        filter_name
            Show only matching names; see `keys`.
        file
            The file to print to; by default the standard output.
        bounds
            Whether to print the least and greatest values instead.
        """
        title = f"{self._core.name}, {_core.counted(self.num_entries, 'entry', 'entries')}"
        title += "" if self._file.is_complete else ", not complete"
        if bounds:
            from kaon.files.bounds import all_bounds, print_bounds

            print_bounds(
                [
                    member
                    for member in all_bounds(self._core, self._schema)
                    if is_wanted_key(filter_name, member.name)
                ],
                title,
                file,
            )
            return
        from kaon.files.overview import columns, print_columns

        if keys := self._core.sorted_keys:
            title += f", sorted keys: {', '.join(keys)}"
        lines = columns(self._core, self._schema)
        lines = [line for line in lines if is_wanted_key(filter_name, line.name)]
        print_columns(lines, title, file, described=filter_name is not None)
        for name, type_, reason in self.unreadable:
            if not is_wanted_key(filter_name, name):
                continue
            say(printable(f"not read: '{name}', {_core.with_article(type_)}: {reason}"), file=file)

    @property
    def unreadable(self) -> list[tuple[str, str, str]]:
        """Columns that kaon cannot read: name and type in the file, and the reason."""
        return self._core.unreadable

    def bounds(self, name: str, by: Literal["cluster", "page"] = "cluster") -> ak.Array:
        """Return the least and the greatest value of a member in each cluster or page.

        >>> muons = events.bounds("Muon.pt")
        >>> for part in muons[muons.greatest > 100]:  # clusters with a muon above 100 GeV
        ...     events.arrays("Muon", entry_start=part.entry_start, entry_stop=part.entry_stop)

        The file stores the bounds; this reads no data.

        Parameters
        ----------
        name
            A member, such as "MCParticles.momentum.x", or a parameter or value. The bounds of an
            array are those of all its elements.
        by
            "cluster", or "page" for the smaller parts in which the member is stored.

        Returns
        -------
        ak.Array
            A record for each cluster or page, in the order of the entries. ``entry_start`` and
            ``entry_stop`` are arguments for `arrays`. ``least`` and ``greatest`` are exact, have
            the member's type and ignore NaNs; without numbers they are None. ``has_nan`` tells
            whether there are NaNs; it is None if the cluster or page lacks the member.

        Raises
        ------
        UnknownNameError
            If the member does not exist.
        UsageError
            If `name` stands for several members or strings, or `by` has another value.
        CorruptFileError
            If the file is damaged.
        """
        from kaon.files.bounds import bounds_array

        if by not in ("cluster", "page"):
            hint = _core.suggestion(by, ["cluster", "page"])
            raise UsageError(f"by='{by}' is unknown{hint}; use 'cluster' or 'page'")
        return bounds_array(self._core, self._schema, name, by == "page")

    def arrays(
        self,
        expressions: str | Iterable[str] | None = None,
        cut: str | None = None,
        *,
        aliases: Mapping[str, str] | None = None,
        filter_name: Filter = None,
        filter_typename: Filter = None,
        entry_start: int | None = None,
        entry_stop: int | None = None,
        library: Library = "ak",
        how: How = None,
        memory_limit: int | str | None = None,
        virtual: bool = False,
        access_log: list[Accessed] | None = None,
    ) -> Any:
        """Read entries as arrays, which belong to the caller.

        >>> events.arrays(["Muon", "sum(Muon.pt)"], "count(Muon) == 2")
        >>> pt, eta = events.arrays(["Muon.pt", "Muon.eta"], how=tuple)

        Parameters
        ----------
        expressions
            The columns to read: members, or all members below a name such as "MCParticles" or
            "MCParticles.momentum". Expressions compute further columns, which become fields with
            the text as name: see docs/expressions.md. None reads everything.
        cut
            An expression that selects entries: only those for which it is true are read.
        aliases
            Names of expressions, for use in `expressions`, the cut, and later aliases.
        filter_name, filter_typename
            Read only those of the named members whose name, or type, matches: see `keys`.
        entry_start, entry_stop
            The range of entries, as in a slice: negative numbers count from the end.
        library
            "ak" for Awkward Array, "np" for NumPy, "pd" for pandas, "pl" for polars, "pa" for an
            Arrow table; full names and modules work, too. The last three need pyarrow.
        how
            None for the library's own container of columns. ``dict``, ``tuple`` or ``list`` give
            one of these with the columns. Awkward Array then has a column for each of
            `expressions`, and other libraries have one for each member. "zip" means None for "ak",
            as collections are always records.
        memory_limit
            The largest size of the arrays, in bytes or as a text such as "2 GB"; by default the
            available memory. Even small files can expand to large arrays.
        virtual
            Whether each part of Awkward arrays, a list or member, is read only when it is first
            used. Cuts and expressions are not possible then, and the limit of memory applies to
            each part.
        access_log
            A list to which each read of virtual arrays appends a ``kaon.results.Accessed``: the
            part and its use.

        Returns
        -------
        ak.Array
            An array of records, one an entry, with a field for each collection, parameter and
            value.

            - A collection is a list of records. Dots in the names of members become nested
              records; vector members and relations to many are lists.
            - Relations are records of ``entry``, ``index`` (-1 if empty), ``collection`` (a name)
              and ``file`` (a number). Their attributes are the members of the related objects, as
              in ``a.MCParticles.parents.PDG``: see `kaon.follow`.
            - Objects that are read together with relations have a reference to themselves,
              ``_self``. When arrays are written, relations find their objects by it.
            - The type of a record has the datatype as ``__record__``, its description as
              ``__doc__``, and the ``units`` and ``descriptions`` of its members.
            - Collections and parameters that some entries lack are None there.
        FlatArrays
            With ``library="np"``: all values one after another, by name.
        pyarrow.Table, polars.DataFrame
            A column for each collection, parameter and value, as `arrow` has them.
        pandas.DataFrame
            A row for each entry, a column for each member; lists are Arrow's
            (``df["Muon.pt"].list``).

        Raises
        ------
        UnknownNameError
            If a name does not exist.
        UsageError
            If the range is reversed, the library unknown, or the limit not a size.
        ImportError
            If the library is not installed.
        MemoryLimitError
            If the arrays need more memory than the limit; it is a MemoryError.
        CorruptFileError
            If the file is damaged.
        """
        form = ArrayForm.named(library, how)
        query = self._query(expressions, cut, aliases, filter_name, filter_typename, form)
        first, last = self._reader.entry_range(entry_start, entry_stop)
        allowed = bytes_allowed(memory_limit)
        if virtual:
            return query.virtual(first, last, allowed, access_log)
        return Reading(query).arrays(first, last, allowed)

    def arrow(
        self,
        names: str | Iterable[str] | None = None,
        *,
        filter_name: Filter = None,
        filter_typename: Filter = None,
        entry_start: int | None = None,
        entry_stop: int | None = None,
        flat: bool = False,
        piece_size: int | str = PIECE_BYTES,
    ) -> ArrowColumns:
        """Return columns as a stream of Arrow, which is read when a library takes it.

        The category itself is also a stream, with all its columns.

        >>> polars.DataFrame(events.arrow(["Muon", "MET"]))
        >>> muons = events.arrow("Muon", flat=True)
        >>> duckdb.sql('select max(list_max("Muon.pt")) from muons')

        Each collection is a column of lists of structs; parameters and values are columns, too. A
        reference is a struct of ``index`` and ``collection`` (a name), or null if it is empty.
        Collections and parameters that an entry lacks are null. Units, descriptions and datatypes
        are metadata.

        Parameters
        ----------
        names, filter_name, filter_typename, entry_start, entry_stop
            As in `arrays`, without expressions.
        flat
            Whether each member is a column of its own: "Muon.pt", a list of numbers.
        piece_size
            The largest size of a piece of the stream, in bytes or as a text such as "100 MB". A
            piece is a cluster, or several small ones.
        """
        stored, computed = split_names(names, {}, self._schema)
        if computed:
            raise UsageError(
                f"'{computed[0]}' is not a stored column; arrays(library='pa') computes expressions"
            )
        keys = self._fitting_keys(stored, filter_name, filter_typename)
        entries = range(*self._reader.entry_range(entry_start, entry_stop))
        size = bytes_allowed(piece_size, "size of a piece")
        return ArrowColumns(self._reader, keys, entries, flat, size)

    def __arrow_c_schema__(self) -> object:
        return self.arrow().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.arrow().__arrow_c_stream__(requested_schema)

    def iterate(
        self,
        expressions: str | Iterable[str] | None = None,
        cut: str | None = None,
        step_size: int | str = "100 MB",
        *,
        aliases: Mapping[str, str] | None = None,
        filter_name: Filter = None,
        filter_typename: Filter = None,
        entry_start: int | None = None,
        entry_stop: int | None = None,
        library: Library = "ak",
        how: How = None,
        report: bool = False,
    ) -> Iterator[Any]:
        """Read entries as arrays, a piece at a time.

        Parameters
        ----------
        step_size
            The number of entries in a piece, before the cut, or its size in memory, such as
            "100 MB". A size is converted to a number by the average size of an entry.
        expressions, cut, aliases, filter_name, filter_typename, library, how
            As in `arrays`.
        entry_start, entry_stop
            As in `arrays`.
        report
            Whether each piece comes with a ``kaon.results.Report`` of its file and entries.

        Yields
        ------
        ak.Array, FlatArrays, pyarrow.Table, ..., or a pair of it and a Report
            As `arrays` returns them.

        Raises
        ------
        UsageError
            If the step is not positive or not a size; and in the cases of `arrays`.
        MemoryLimitError
            If a page with entries of several pieces is larger than the step's size, the piece and
            16 MB. Reading decodes whole pages.
        """
        # Wrong arguments raise here, before the caller asks for the first piece.
        query = self._query(
            expressions, cut, aliases, filter_name, filter_typename, ArrayForm.named(library, how)
        )
        pieces = self._pieces(query, step_size, entry_start, entry_stop)
        reading = Reading(query)
        if report:
            return ((reading.arrays(*piece), self._report(*piece)) for piece in pieces)
        return (reading.arrays(*piece) for piece in pieces)

    def _report(self, first: int, last: int, before: int = 0) -> Report:
        """Return the report of a range of entries; `before` entries are in earlier files."""
        from kaon.files.reports import Report

        where = (self.file_path, self.name, first, last)
        return Report(*where, before + first, before + last)

    def _pieces(
        self,
        query: Query,
        step_size: int | str,
        entry_start: int | None = None,
        entry_stop: int | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Yield for each piece its first entry, and the entry behind its last."""
        start, stop = self._reader.entry_range(entry_start, entry_stop)
        selection = query.selection if query.keys else self._schema.select(None)
        step = self._entries_per_step(step_size, selection)
        pieces = ((first, min(first + step, stop)) for first in range(start, stop, step))
        limit = size_in_bytes(step_size) if isinstance(step_size, str) else None
        return pieces if limit is None else self._checked(pieces, selection, int(limit))

    def _checked(
        self, pieces: Iterator[tuple[int, int]], selection: Selection, limit: int
    ) -> Iterator[tuple[int, int]]:
        """Check the pages of each piece before it is yielded.

        Raises
        ------
        MemoryLimitError
            If a page is larger than the limit and the arrays of its piece.
        """
        for first, last in pieces:
            self._core.check_pages(selection.members, first, last, limit)
            yield first, last

    def _entries_per_step(self, size: int | str, selection: Selection) -> int:
        if isinstance(size, str):
            limit = size_in_bytes(size)
            if limit is None or limit < 1:
                raise UsageError(f"the step '{size}' is not a size such as '100 MB'")
            decoded = sum(
                column.decoded_bytes
                for column in self._core.usage()
                if column.table in selection.members
                and (column.member is None or column.member in selection.members[column.table])
            )
            return max(1, int(limit * self.num_entries / max(decoded, 1)))
        try:
            entries = operator.index(size)
        except TypeError:
            raise WrongTypeError(
                f"the step must be a number of entries or a size such as '100 MB', not {size!r}"
            ) from None
        if entries < 1:
            raise UsageError(f"the step must be at least 1 entry, not {entries}")
        return entries

    def _fitting_keys(
        self, names: list[str] | None, filter_name: Filter, filter_typename: Filter
    ) -> list[str]:
        """Return the members of these names (None for all) that pass the filters."""
        if filter_name is None and filter_typename is None:
            return self._schema.select_keys(names)
        fitting = dict.fromkeys(self.keys(filter_name, filter_typename))
        keys = fitting if names is None else self._schema.select_keys(names)
        return [key for key in keys if key in fitting]

    def _query(
        self,
        names: str | Iterable[str] | None,
        cut: str | None,
        aliases: Mapping[str, str] | None,
        filter_name: Filter,
        filter_typename: Filter,
        form: ArrayForm,
    ) -> Query:
        """Return the query of arguments of `arrays`."""
        if names is not None:
            try:
                names = [names] if isinstance(names, str) else list(names)
            except TypeError:
                where = self._core.name
                raise WrongTypeError(
                    f"{where}: names of columns must be strings, not {names!r}"
                ) from None
        stored, computed = split_names(names, aliases or {}, self._schema)
        keys = self._fitting_keys(stored, filter_name, filter_typename)
        expressions = None
        if cut is not None or computed:
            expressions = Expressions(self._core, self.name, cut, aliases or {}, computed)
        columns = self._in_order(names, keys, computed)
        is_filtered = filter_name is not None or filter_typename is not None
        names = None if is_filtered else names
        return Query(self._reader, form, names, keys, columns, expressions)

    def _in_order(
        self, names: list[str] | None, keys: list[str], computed: list[str]
    ) -> Sequence[str]:
        """Return stored and computed columns in the order of the request."""
        if not computed or names is None:
            return [*keys, *computed]
        others, below = {*computed}, self._schema.keys_below
        wanted = (key for name in names for key in ([name] if name in others else below(name)))
        available = {*keys, *computed}
        return [key for key in dict.fromkeys(wanted) if key in available]


def _category_at(place: FilePlace, name: str) -> Category:
    """Open a category that was pickled in another process."""
    core = place.open()
    return Category(core.category(name), name, core, Models(core), place)
