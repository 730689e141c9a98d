"""Contents of a category as plain NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from kaon import _core
from kaon.columns.column_arrays import to_strings, with_masked_values
from kaon.columns.joined_numbers import in_one_type
from kaon.columns.schema import RELATIONS, Schema, Selection, is_text
from kaon.errors import UnknownNameError, UsageError

T = TypeVar("T")


class FlatArrays(dict[str, np.ndarray]):
    """The values of all entries in one array for each name, and the offsets of lists.

    ``arrays(library="np")`` returns this dictionary. Its arrays are C-contiguous and belong to you.
    Their shape is (rows,), (rows, size) for arrays of fixed length, or (rows, size, size) for
    nested arrays of the file's model. Strings are arrays of objects. In a relation, ``index`` is
    the position in the collection or -1, and ``collection`` is a number that `Category.tables`
    explains. The values of an optional member, such as "Hits.time.value", are a masked array if
    some are missing. If an array is missing, all its values are masked.
    """

    def __init__(
        self,
        schema: Schema,
        selection: Selection,
        data: dict[int, _core.TableArrays],
        computed: Mapping[str, Sequence[np.ndarray]] | None = None,
    ) -> None:
        super().__init__()
        self._schema = schema
        self._selection = selection
        self._data = data
        self._computed = computed or {}
        order = {root: place for place, root in enumerate(selection.roots)}
        for number in sorted(selection.members, key=lambda n: order[schema.root(n)]):
            table = schema.tables[number]
            infos = table.members
            for member in selection.members[number]:
                values, info = data[number].members[member], infos[member]
                if is_text(table):
                    values = to_strings(values, data[number].offsets)
                elif shape := schema.member_shape(number, info):
                    values = values.reshape(len(values), *shape)
                if presences := schema.presences(number, member):
                    values = self._masked(values, number, presences)
                self[schema.key(number, info.name)] = values
        for name, (values, *_) in self._computed.items():
            self[name] = values

    def _masked(
        self, values: np.ndarray, number: int, presences: Iterable[tuple[int, int]]
    ) -> np.ndarray:
        """Mask the values of a table in missing optionals; files store 0 for these, or nothing."""
        missing = np.zeros(values.shape, dtype=bool)
        for table, member in presences:
            absent = self._spread(~self._data[table].members[member].astype(bool), table, number)
            missing |= absent.reshape(absent.shape + (1,) * (values.ndim - absent.ndim))
        return np.ma.array(values, mask=missing) if missing.any() else values

    def _spread(self, of_rows: np.ndarray, table: int, number: int) -> np.ndarray:
        """Return values of a table's rows for the values of a table below it; texts are values."""
        if number == table:
            return of_rows
        info = self._schema.tables[number]
        if info.parent is None or info.parent == self._schema.tables[table].parent:
            return of_rows  # members that were added later
        above = self._spread(of_rows, table, info.parent)
        is_list = info.is_counted and not is_text(info)
        return np.repeat(above, np.diff(self._data[number].offsets)) if is_list else above

    def __missing__(self, name: object) -> np.ndarray:
        """Return "Muon.pt" for NanoAOD's "Muon_pt", a name that `arrays` takes as well."""
        dotted = next((key for key in self if "." in key and key.replace(".", "_") == name), None)
        if dotted is None:
            hint = _core.suggestion(str(name), list(self))
            raise UnknownNameError(f"{self.where}: no '{name}' was read{hint}")
        return self[dotted]

    @property
    def where(self) -> str:
        """The file and category, for messages."""
        return self._schema.where

    def __reduce__(self) -> tuple[Any, ...]:
        names = [*self, *map(self._schema.label, self._data)]
        levels = {name: self.levels(name) for name in names}
        present: dict[str, np.ndarray] = {}
        full: dict[int, np.ndarray] = {}  # by length; one array for all names that every entry has
        for name in names:
            of_name = self.present(name)
            present[name] = full.setdefault(len(of_name), of_name) if of_name.all() else of_name
        return _SentArrays, (self.where, dict(self), levels, present)

    def offsets(self, name: str) -> np.ndarray:
        """Return the begins of rows, and the end of the last row.

        Parameters
        ----------
        name
            A collection, such as "MCParticles", or a parameter: entry ``i`` has the rows
            ``offsets[i]`` to ``offsets[i + 1]``. Or a vector member or relation to many, such as
            "MCParticles.parents": the rows are those of object ``i``. The name of any member inside
            works, too. For nested lists, the offsets are those of the innermost lists.

        Returns
        -------
        ndarray of int64
            An array of shape (entries + 1,) or (objects + 1,).

        Raises
        ------
        UnknownNameError
            If nothing with this name was read.
        UsageError
            If each entry has one value.
        """
        levels = self.levels(name)
        if not levels:
            raise UsageError(f"'{name}' has one value for each entry, and therefore no offsets")
        return levels[-1]

    def levels(self, name: str) -> list[np.ndarray]:
        """Return the offsets of nested lists, from those of the entries to the innermost.

        Parameters
        ----------
        name
            As in `offsets`.

        Returns
        -------
        list of ndarray of int64
            Empty if each entry has one value.

        Raises
        ------
        UnknownNameError
            If nothing with this name was read.
        """
        if name in self._computed:
            return [offsets.astype(np.int64) for offsets in self._computed[name][1:]]
        return self.levels_of_table(self._find(name))

    def inner_levels(self, name: str) -> list[np.ndarray]:
        """Return the offsets from `levels` that belong to lists of a table of this name."""
        numbers = [n for n in sorted(self._data) if self._schema.label(n) == name]
        tables = self._schema.tables
        lists = [n for n in numbers if tables[n].is_counted and not is_text(tables[n])]
        return [self._data[number].offsets for number in lists]

    def levels_of_table(self, number: int) -> list[np.ndarray]:
        """Return the offsets of a table's rows, preceded by those of the tables above."""
        table = self._schema.tables[number]
        above = [] if table.parent is None else self.levels_of_table(table.parent)
        is_list = table.is_counted and not is_text(table)
        return [*above, self._data[number].offsets] if is_list else above

    def present(self, name: str) -> np.ndarray:
        """Return for each entry whether it has the collection or parameter.

        Returns
        -------
        ndarray of bool
            An array of shape (entries,).

        Raises
        ------
        UnknownNameError
            If nothing with this name was read.
        """
        if name in self._computed:
            values, *levels = self._computed[name]
            return np.ones(len(levels[0]) - 1 if levels else len(values), dtype=bool)
        number = self._schema.root(self._find(name))
        root = self._data[number]
        if root.present is not None:
            return root.present
        if root.members:
            return np.ones(len(next(iter(root.members.values()))), dtype=bool)
        # A value of each entry that consists only of lists.
        lists = next(self._data[n] for n in self._schema.below(number) if n in self._data)
        return np.ones(len(lists.offsets) - 1, dtype=bool)

    def taken(self, entries: np.ndarray) -> FlatArrays:
        """Return the arrays for some of the entries, given by their positions in these arrays."""
        rows: dict[int | None, np.ndarray] = {None: entries}  # by table
        data = {}
        for number in sorted(self._data):  # a table comes after the one above it
            arrays = self._data[number]
            above = rows[self._schema.tables[number].parent]
            offsets, rows[number] = None, above
            if arrays.offsets is not None:
                counts = np.diff(arrays.offsets)[above]
                offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
                begins = arrays.offsets[:-1][above] - offsets[:-1]
                rows[number] = np.repeat(begins, counts) + np.arange(offsets[-1])
            present = None if arrays.present is None else arrays.present[above]
            members = {at: values[rows[number]] for at, values in arrays.members.items()}
            data[number] = _core.TableArrays(offsets, present, members)
        return FlatArrays(self._schema, self._selection, data, self._computed)

    def with_computed(self, computed: Mapping[str, Sequence[np.ndarray]]) -> FlatArrays:
        """Return the arrays with computed columns: values, and offsets, the outermost first."""
        parts = {name: with_masked_values(column) for name, column in computed.items()}
        return FlatArrays(self._schema, self._selection, self._data, parts)

    @staticmethod
    def of_columns(columns: Mapping[str, Sequence[np.ndarray]]) -> FlatArrays:
        """Return the arrays of computed columns alone: values, and offsets, the outermost first."""
        parts = {name: with_masked_values(column) for name, column in columns.items()}
        return _SentArrays(
            "the dataframe",
            {name: values for name, (values, *_) in parts.items()},
            {
                name: [each.astype(np.int64) for each in levels]
                for name, (_, *levels) in parts.items()
            },
            {},
        )

    def _find(self, name: str) -> int:
        tables = {self._schema.label(number): number for number in reversed(self._data)}
        if name in self:
            return self._schema.members[name][0]
        if name not in tables:
            hint = _core.suggestion(name, [*self, *tables])
            raise UnknownNameError(f"{self.where}: no '{name}' was read{hint}")
        return tables[name]


class _SentArrays(FlatArrays):
    """Arrays that came from another process; they have no access to the file."""

    def __init__(
        self,
        where: str,
        arrays: Mapping[str, np.ndarray],
        levels: Mapping[str, list[np.ndarray]],
        present: Mapping[str, np.ndarray],
    ) -> None:
        dict.__init__(self, arrays)
        self._parts = (where, levels, present)

    def __reduce__(self) -> tuple[Any, ...]:
        where, levels, present = self._parts
        return _SentArrays, (where, dict(self), levels, present)

    @property
    def where(self) -> str:
        """The file and category, for messages."""
        return self._parts[0]

    def levels(self, name: str) -> list[np.ndarray]:
        """Return the same as `FlatArrays.levels`."""
        return self._of(name, self._parts[1])

    def present(self, name: str) -> np.ndarray:
        """Return the same as `FlatArrays.present`."""
        return self._of(name, self._parts[2])

    def _of(self, name: str, known: Mapping[str, T]) -> T:
        if name not in known:
            hint = _core.suggestion(name, list(known))
            raise UnknownNameError(f"{self.where}: no '{name}' was read{hint}")
        return known[name]


def joined(parts: Sequence[FlatArrays]) -> FlatArrays:
    """Return the arrays of several files, or of several ranges of entries, as one.

    Collections have the numbers of the first file.

    Raises
    ------
    UsageError
        If a file lacks data that were read from another file.
    WrongTypeError
        If numbers have no type in common.
    """
    first, *others = parts
    schema = first._schema
    data = {number: [arrays] for number, arrays in first._data.items()}
    for other in others:
        for number, arrays in _arranged(other, first).items():
            data[number].append(arrays)
    tables = {number: _joined_table(arrays, schema, number) for number, arrays in data.items()}
    computed = {
        name: _joined_lists([part._computed[name] for part in parts], name)
        for name in first._computed
    }
    return FlatArrays(schema, first._selection, tables, computed)


def _arranged(part: FlatArrays, first: FlatArrays) -> dict[int, _core.TableArrays]:
    """Return the tables of a file by their numbers in the first file."""
    numbers = {_identity(part._schema, number): number for number in part._data}
    if numbers.keys() != {_identity(first._schema, number) for number in first._data}:
        raise _other_tables(part, first)
    arranged = {}
    for number, arrays in first._data.items():
        table = first._schema.tables[number]
        own = numbers[_identity(first._schema, number)]
        columns = part._data[own]
        infos = part._schema.tables[own].members
        values = {infos[member].name: each for member, each in columns.members.items()}
        names = {table.members[member].name: member for member in arrays.members}
        if values.keys() != names.keys():
            raise _other_tables(part, first)
        if table.kind in RELATIONS and "collection" in values:
            values["collection"] = _renumbered(values["collection"], part, first)
        members = {member: values[name] for name, member in names.items()}
        arranged[number] = _core.TableArrays(columns.offsets, columns.present, members)
    return arranged


def _identity(schema: Schema, number: int) -> tuple[str, str, bool]:
    """Return an identity of a table that is the same in all files."""
    table = schema.tables[number]
    return schema.labels[schema.root(number)], table.name, table.is_counted


def _renumbered(collections: np.ndarray, part: FlatArrays, first: FlatArrays) -> np.ndarray:
    """Return the collections of references, as numbers of the first file."""
    known = {name: number for number, name in first._schema.labels.items()}
    none = np.iinfo(collections.dtype).max
    names = part._schema.labels
    numbers = {number: known.get(names.get(number, ""), none) for number in np.unique(collections)}
    if any(number in names and of_first == none for number, of_first in numbers.items()):
        raise _other_tables(part, first)
    order = np.array(sorted(numbers), collections.dtype)
    return np.array([numbers[number] for number in order], collections.dtype)[
        np.searchsorted(order, collections)
    ]


def _other_tables(part: FlatArrays, first: FlatArrays) -> UsageError:
    return UsageError(f"{part.where}: has other tables than {first.where}; library='ak' joins them")


def _joined_lists(parts: Sequence[Sequence[np.ndarray]], name: str) -> list[np.ndarray]:
    values, *levels = (list(level) for level in zip(*parts, strict=True))
    numbers = in_one_type(values, name)
    is_masked = any(isinstance(part, np.ma.MaskedArray) for part in numbers)
    together = (np.ma.concatenate if is_masked else np.concatenate)(numbers)  # np.* drops masks
    return [together, *map(_joined_offsets, levels)]


def _joined_offsets(parts: Sequence[np.ndarray]) -> np.ndarray:
    counts = np.concatenate([np.diff(offsets) for offsets in parts])
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def _joined_table(
    parts: Sequence[_core.TableArrays], schema: Schema, number: int
) -> _core.TableArrays:
    offsets = present = None
    if parts[0].offsets is not None:
        offsets = _joined_offsets([part.offsets for part in parts])
    if parts[0].present is not None:
        present = np.concatenate([part.present for part in parts])
    infos = schema.tables[number].members
    members = {}
    for member in parts[0].members:
        name = schema.key(number, infos[member].name)
        values = in_one_type([part.members[member] for part in parts], name)
        members[member] = np.concatenate(values)
    return _core.TableArrays(offsets, present, members)
