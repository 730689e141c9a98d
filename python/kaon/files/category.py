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
from kaon.errors import UnknownNameError, UsageError, WrongTypeError, with_plain_types
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.column import Column
from kaon.files.expressions import Expressions, split_names
from kaon.files.filters import Filter, is_wanted, is_wanted_key
from kaon.files.keys import key_arrays, key_values
from kaon.files.memory_sizes import bytes_allowed, size_in_bytes
from kaon.files.metadata import Metadata, read_metadata
from kaon.files.queries import Query
from kaon.files.reports import Report
from kaon.model.file_models import Models
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    import awkward as ak
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from kaon.columns.virtual import Accessed
    from kaon.events.frames import Frames


@with_plain_types
class Category:
    """A named series of entries in an open file, such as ``events``.

    It is what ``kaon.open("events.kaon")["events"]`` returns. The file stays open for as long as
    one of its categories lives. Any number of threads may use it at the same time, and reading runs
    in parallel with other Python code. It can be pickled: other processes open the file again, by
    its path.
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
        """Where the file is."""
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
            If they are none.
        """
        return read_metadata(self._file).part(self.name)

    def metadata_of(self, collection: str) -> Metadata:
        """Return keys and values about a collection.

        Raises
        ------
        UnknownNameError
            If there is no such collection.
        """
        known = self._schema.labels.values()
        if collection not in known:
            hint = _core.suggestion(collection, list(known))
            raise UnknownNameError(f"{self._core.name}: there is no '{collection}'{hint}")
        return self.metadata.part(collection)

    def clusters(self) -> list[tuple[int, int]]:
        """Return the clusters: the entries from the first number to the one before the second."""
        return list(self._core.clusters)

    def keys(self, filter_name: Filter = None, filter_typename: Filter = None) -> list[str]:
        """Return the names of all members, such as "MCParticles.momentum.x", and parameters.

        Parameters
        ----------
        filter_name, filter_typename
            Only those whose name, or type, fits: a pattern such as "Muon.*" or "Muon_*", a regular
            expression between slashes, with flags behind them, several of these, or a function that
            is called with the name.
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

        Where they are keys, which the file has sorted (``create(..., keys=["run", "event"])``), it
        takes microseconds, in whatever order the entries are; otherwise all are looked at which the
        bounds of clusters and pages do not exclude.

        Parameters
        ----------
        keys
            Whole numbers by name, of which each entry has one. Those of a collection with one
            object an entry: ``events.find(**{"EventHeader.eventNumber": 123456})``.

        Returns
        -------
        int or None
            The number of the entry, None if there is none.

        Raises
        ------
        UnknownNameError
            If there is nothing of a name.
        WrongTypeError
            If it is no whole number, or what is looked for is none.
        UsageError
            If no key is given, or an entry has not just one of it.
        CorruptFileError
            If the file is damaged.
        """
        return self._core.find(key_values(keys, self._core.name))

    def find_all(self, /, **keys: int) -> NDArray[np.int64]:
        """Return all entries with these values, ascending: those of a run, say.

        >>> events.find_all(run=7)

        Parameters
        ----------
        keys
            As in `find`, which says what is raised, too.
        """
        return self._core.find_all(key_values(keys, self._core.name))

    def find_each(self, /, **keys: ArrayLike) -> ak.Array:
        """Return the first entry for each row of values, such as those of another file.

        >>> entries = events.find_each(run=picks.run, event=picks.event)
        >>> events.arrays(["weight"])[entries]

        However the values are ordered, each page of the keys is read once.

        Parameters
        ----------
        keys
            Arrays of whole numbers by name, all as long.

        Returns
        -------
        ak.Array
            The numbers of the entries, None where there is none: an array that is indexed by it
            has the rows in the order of the values, None for those that are not there.

        Raises
        ------
        UsageError
            If the arrays differ in length; and as `find`.
        """
        import awkward as ak

        from kaon.columns.awkward_layouts import optional

        entries = self._core.find_each(key_arrays(keys, self._core.name))
        return ak.Array(optional(entries >= 0, ak.contents.NumpyArray(entries)))

    def frames(self) -> Frames:
        """Return the entries as objects of classes that are made from the file's models.

        >>> for event in events.frames():
        ...     for particle in event["MCParticles"]:
        ...         print(particle.PDG, [parent.PDG for parent in particle.parents])

        Members are read when they are first asked for, of many entries at once. Still, `arrays` is
        hundreds of times faster.

        Returns
        -------
        Frames
            A sequence: ``events.frames()[42]`` is an event, ``events.frames()[10:20]`` several.
        """
        from kaon.events.frames import Frames

        return Frames(self._reader, range(self.num_entries))

    def values(self) -> list[Column]:
        """Return the columns of each name in `keys`."""
        return [self[key] for key in self.keys()]

    def items(self) -> list[tuple[str, Column]]:
        """Return each name in `keys` with its columns."""
        return [(key, self[key]) for key in self.keys()]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the columns of a name, or something else where nothing has it."""
        return self[name] if name in self else default

    def _ipython_key_completions_(self) -> list[str]:
        return list(dict.fromkeys([*self._schema.labels.values(), *self.keys()]))

    def parents(self) -> Category:
        """Return the entries that those of this category were read from, one for each, in order.

        They have all that their files have, of which this one may have less: it was written with
        their provenance. A parent lies where it was, or beside this file.

        Raises
        ------
        MissingFileError
            If a parent is not there any more, or another file is in its place.
        UsageError
            If entries do not know their parents.
        """
        core = self._file.parents(self.name)
        for warning in core.warnings:
            warnings.warn(warning, stacklevel=3)  # whoever called it
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
            If nothing has that name.
        WrongTypeError
            If it is no name.
        """
        if not isinstance(name, str):
            example = next(iter(self), "name")
            raise WrongTypeError(
                f"{self._core.name}: members are found by name, such as '{example}', not {name!r}; "
                "`frames()` has single entries, `arrays()` columns of several"
            )
        return Column(self._reader, name)

    def __repr__(self) -> str:
        return printable(f"<Category '{self._core.name}': {self.num_entries} entries>")

    def _repr_html_(self) -> str:
        from kaon.cards import card

        return card(self._core.name, self._facts(), self._html())

    def _facts(self) -> list[str]:
        """Return short texts about it."""
        from kaon.cards import counted

        keys = self._core.sorted_keys
        return [
            counted(self.num_entries, "entry", "entries"),
            counted(len(self.clusters()), "cluster"),
            f"sorted by {', '.join(keys)}" if keys else "",
            f"{len(self.unreadable)} members are not read" if self.unreadable else "",
        ]

    def _html(self) -> str:
        """Return what it holds, to be part of a card."""
        from kaon.files.overview import columns, to_html

        return to_html(columns(self._core, self._schema))

    def show(
        self, filter_name: Filter = None, *, file: TextIO | None = None, bounds: bool = False
    ) -> None:
        """Print a table of what there is and how it is stored.

        It is as wide as the terminal, or has 80 columns where there is none.

        >>> events.show("Muon.*")

        Parameters
        ----------
        filter_name
            Only what fits, see `keys`.
        file
            Where to; by default to the standard output.
        bounds
            Whether to print the least and greatest values instead.
        """
        from kaon.cards import counted, with_article

        title = f"{self._core.name}, {counted(self.num_entries, 'entry', 'entries')}"
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
        print_columns(
            [line for line in lines if is_wanted_key(filter_name, line.name)], title, file
        )
        for name, type_, reason in self.unreadable:
            if not is_wanted_key(filter_name, name):
                continue
            print(printable(f"not read: '{name}', {with_article(type_)}: {reason}"), file=file)

    @property
    def unreadable(self) -> list[tuple[str, str, str]]:
        """What of the category is not read: names and types as the file has them, and why."""
        return self._core.unreadable

    def bounds(self, name: str, by: Literal["cluster", "page"] = "cluster") -> ak.Array:
        """Return the least and the greatest value of a member in each cluster or page.

        >>> muons = events.bounds("Muon.pt")
        >>> for part in muons[muons.greatest > 100]:  # those that can have such a muon
        ...     events.arrays("Muon", entry_start=part.entry_start, entry_stop=part.entry_stop)

        The file has them: no data are read.

        Parameters
        ----------
        name
            A member, such as "MCParticles.momentum.x", or a parameter or value. Of an array, the
            bounds are those of all its elements.
        by
            "cluster", or "page" for the smaller parts in which the member is stored.

        Returns
        -------
        ak.Array
            A record for each, in the order of the entries: ``entry_start`` and ``entry_stop``, as
            `arrays` takes them; ``least`` and ``greatest``, of the member's type and exact, NaNs
            left out, None if there is no number; ``has_nan``, None if the file says nothing of
            this cluster or page, because it does not have the member.

        Raises
        ------
        UnknownNameError
            If there is no such member.
        UsageError
            If it is several members, or strings, or `by` is something else.
        CorruptFileError
            If the file is damaged.
        """
        from kaon.files.bounds import bounds_array

        if by not in ("cluster", "page"):
            hint = _core.suggestion(by, ["cluster", "page"])
            raise UsageError(f"no bounds are by '{by}'{hint}; they are by 'cluster' or 'page'")
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
            What to read: members, or all below a name such as "MCParticles" or
            "MCParticles.momentum"; what is computed of them, see docs/expressions.md, becomes a
            field of its text. None reads everything.
        cut
            An expression, which is true for the entries that are read.
        aliases
            Names of expressions, which can be used in `expressions`, the cut, and later aliases.
        filter_name, filter_typename
            Of what the expressions name, only members whose name, or type, fits: see `keys`.
        entry_start, entry_stop
            Which entries, as in a slice: negative numbers count from the end.
        library
            "ak" for Awkward Array, "np" for NumPy, "pd" for pandas, "pl" for polars, "pa" for a
            table of Arrow; their names in full, or the modules. The last three need pyarrow.
        how
            None for all columns together, as the library has it; ``dict``, ``tuple`` or ``list``
            for one of the columns: those that `expressions` say, of flat arrays and tables each
            member. "zip" is None for "ak": collections always come as records.
        memory_limit
            What the arrays may take at most, in bytes or as a size such as "2 GB"; by default what
            memory is available. A small file can hold much.
        virtual
            Whether each part of the arrays, Awkward's, is read when it is first touched: lists and
            members each for themselves. There is no cut then, and nothing computed; the limit of
            memory is that of each part.
        access_log
            Gets a ``kaon.Accessed``, what and what for, whenever something of virtual arrays is
            read.

        Returns
        -------
        ak.Array
            An array of records, one an entry, with a field for each collection, parameter and
            value. A collection is a list of records, dots in the names of members are records in
            records, vector members and relations to many are lists. Relations are records of
            ``entry``, ``index``, -1 for none, ``collection``, a name, and ``file``, a number; the
            members of what they refer to are their attributes, as in
            ``a.MCParticles.parents.PDG``: see `kaon.follow`. Objects that are read together with
            relations have a reference to themselves, ``_self``, by which what refers to them finds
            them where they are written. Parameters of records are their datatype, ``__record__``,
            its description, ``__doc__``, and the ``units`` and ``descriptions`` of its members.
            What is not in each of the entries is None where it is absent.
        FlatArrays
            With ``library="np"``: all values one after another, by name.
        pyarrow.Table, polars.DataFrame
            A column for each collection, parameter and value, as `arrow` has them.
        pandas.DataFrame
            A row an entry and a column a member; lists are Arrow's (``df["Muon.pt"].list``).

        Raises
        ------
        UnknownNameError
            If there is nothing of a name.
        UsageError
            If the range is reversed, there is no such library, or the limit is no size.
        ImportError
            If the library is not installed.
        MemoryLimitError
            If the arrays would take more memory; it is a MemoryError.
        CorruptFileError
            If the file is damaged.
        """
        form = ArrayForm.named(library, how)
        query = self._query(expressions, cut, aliases, filter_name, filter_typename, form)
        first, last = self._reader.entry_range(entry_start, entry_stop)
        allowed = bytes_allowed(memory_limit)
        if virtual:
            return query.virtual(first, last, allowed, access_log)
        return query.arrays(first, last, allowed)

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
        """Return columns for whoever takes Arrow's streams: they are read when someone does.

        The category itself is such an object, too, with all its columns.

        >>> polars.DataFrame(events.arrow(["Muon", "MET"]))
        >>> muons = events.arrow("Muon", flat=True)
        >>> duckdb.sql('select max(list_max("Muon.pt")) from muons')

        An entry is a struct of collections, lists of structs, and of parameters and values. A
        reference is a struct of ``index`` and ``collection``, its name, null where it leads
        nowhere. What an entry lacks is null. Units, descriptions and datatypes are metadata.

        Parameters
        ----------
        names, filter_name, filter_typename, entry_start, entry_stop
            As in `arrays`; no expressions.
        flat
            Whether each member is a column of its own, such as "Muon.pt", a list of numbers.
        piece_size
            What the columns of a piece of the stream take at most, in bytes or as "100 MB". A
            piece is a cluster, or several small ones.
        """
        stored, computed = split_names(names, {}, self._schema)
        if computed:
            raise UsageError(
                f"'{computed[0]}' is no column that is stored: arrays(library='pa') computes, too"
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
            The number of entries in a piece, or its size in memory, such as "100 MB"; for a size,
            the number follows from what an entry takes on average.
        expressions, cut, aliases, filter_name, filter_typename, library, how
            As in `arrays`. A piece is of so many entries before the cut.
        entry_start, entry_stop
            As in `arrays`.
        report
            Whether each piece comes with a ``kaon.Report`` of where it is from.

        Yields
        ------
        ak.Array, FlatArrays, pyarrow.Table, ..., or a pair of it and a Report
            As `arrays` returns them.

        Raises
        ------
        UsageError
            If the step is not positive or not a size; and as `arrays`.
        """
        # What is wrong with the arguments is said here, not when the first piece is asked for.
        query = self._query(
            expressions, cut, aliases, filter_name, filter_typename, ArrayForm.named(library, how)
        )
        pieces = self._pieces(query, step_size, entry_start, entry_stop)
        if report:
            return ((query.arrays(*piece), self._report(*piece)) for piece in pieces)
        return (query.arrays(*piece) for piece in pieces)

    def _report(self, first: int, last: int, before: int = 0) -> Report:
        """Return where some entries are, of which so many are in files before."""
        where = (self.file_path, self.name, first, last)
        return Report(*where, before + first, before + last)

    def _pieces(
        self,
        query: Query,
        step_size: int | str,
        entry_start: int | None = None,
        entry_stop: int | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Return the first entry of each piece, and the first one behind it."""
        start, stop = self._reader.entry_range(entry_start, entry_stop)
        selection = query.selection if query.keys else self._schema.select(None)
        step = self._entries_per_step(step_size, selection)
        return ((first, min(first + step, stop)) for first in range(start, stop, step))

    def _entries_per_step(self, size: int | str, selection: Selection) -> int:
        if isinstance(size, str):
            limit = size_in_bytes(size)
            if limit is None or limit < 1:
                raise UsageError(f"the step '{size}' is no size such as '100 MB'")
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
                f"a step is a number of entries, or a size such as '100 MB', not {size!r}"
            ) from None
        if entries < 1:
            raise UsageError(f"a step of {entries} entries leads nowhere")
        return entries

    def _fitting_keys(
        self, names: list[str] | None, filter_name: Filter, filter_typename: Filter
    ) -> list[str]:
        """Return the members of these names, None for all, that pass the filters."""
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
        """Return what arguments of `arrays` ask for."""
        if names is not None:
            try:
                names = [names] if isinstance(names, str) else list(names)
            except TypeError:
                where = self._core.name
                raise WrongTypeError(
                    f"{where}: columns are named by strings, not {names!r}"
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
        """Return stored members and what is computed in the order in which they were asked for."""
        if not computed or names is None:
            return [*keys, *computed]
        others, below = {*computed}, self._schema.keys_below
        wanted = (key for name in names for key in ([name] if name in others else below(name)))
        available = {*keys, *computed}
        return [key for key in dict.fromkeys(wanted) if key in available]


def _category_at(place: FilePlace, name: str) -> Category:
    """Open a category that another process had opened."""
    core = place.open()
    return Category(core.category(name), name, core, Models(core), place)
