"""What a category that is being written consists of, and how arrays become its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from awkward.contents import Content, EmptyArray

from kaon import _core
from kaon._core import TableKind
from kaon.conversion import (
    RecordCaster,
    is_list,
    is_string,
    lists,
    numbers,
    plain,
    present_and_content,
    record_fields,
    required,
    to_layout,
)
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.modelgen.scalars import STRING
from kaon.standard import standard_datatype
from kaon.structs import text_table

if TYPE_CHECKING:
    from kaon.modelgen.model import Datatype, Relation
    from kaon.options import WriterOptions
    from kaon.structs import Structs

_PARAMETERS = ("bool", "int32", "int64", "float32", "float64")
"""The types that numbers in parameters can have."""


@dataclass(frozen=True)
class Contents:
    """The tables of a category so far.

    Attributes
    ----------
    structs
        The data model; None without one.
    options
        What the writer was told of collections, tags and keys.
    tables
        All tables.
    """

    structs: Structs | None
    options: WriterOptions
    tables: tuple[_core.Table, ...] = ()
    _roots: Mapping[str, int] = field(default_factory=dict)  # numbers of tables by name
    _is_begun: bool = False

    @classmethod
    def of(
        cls,
        structs: Structs | None,
        options: WriterOptions,
        tables: Sequence[_core.Table],
        labels: Mapping[int, str],
    ) -> Contents:
        """Return the contents of a category that a file has already.

        Parameters
        ----------
        labels
            What its tables under the entries are called, by their numbers.
        """
        roots = {label: number for number, label in labels.items()}
        return cls(structs, options, tuple(tables), roots, True)

    def extended(self, data: Any) -> tuple[Contents, list[_core.TableArrays], int]:
        """Return the contents with what is new in some entries, and these as arrays.

        Returns
        -------
        contents : Contents
        arrays : list of TableArrays
            By the number of the table.
        entries : int
        """
        layouts = _layouts(data)
        entries = _common_length(layouts)
        contents = self
        for name, layout in layouts.items():
            if name not in contents._roots:
                contents = contents._with(name, layout)
        arrays = _Filler(contents, layouts, entries).arrays()
        return replace(contents, _is_begun=True), arrays, entries

    def kind(self, name: str) -> TableKind:
        """Return what is called so."""
        return self.tables[self._roots[name]].kind

    def number(self, name: str) -> int:
        """Return the number of the table that is called so."""
        return self._roots[name]

    def names(self) -> list[str]:
        """Return the names of the tables under the entries."""
        return list(self._roots)

    def below(self, name: str) -> list[int]:
        """Return the numbers of all tables that lie under the one that is called so."""
        return self._under.get(self._roots[name], [])

    @cached_property
    def _under(self) -> dict[int, list[int]]:
        roots: list[int] = []  # by table
        under: dict[int, list[int]] = {}
        for number, table in enumerate(self.tables):
            roots.append(number if table.parent is None else roots[table.parent])
            if table.parent is not None:
                under.setdefault(roots[number], []).append(number)
        return under

    def datatype(self, name: str) -> Datatype:
        """Return the datatype of a collection that there is.

        Raises
        ------
        UsageError
            If the model does not have it, or another version of it.
        """
        root = self._roots[name]
        type_ = self.tables[root].type
        datatype = self.structs.datatype(type_) if self.structs else None
        if datatype is None:
            raise UsageError(f"'{name}' is a collection of {type_}, which the model does not have")
        assert self.structs is not None
        made = self.structs.tables(datatype, name, root)
        there = [root, *self.below(name)]
        known = [self.tables[n] for n in there if self.tables[n].kind != TableKind.decoration]
        if [_shape(table) for table in made] != [_shape(table) for table in known]:
            raise UsageError(f"'{name}' was written with another version of {type_}")
        return datatype

    def targets(self, relation: Relation) -> list[str]:
        """Return the names of the collections that a relation can lead to."""
        assert self.structs is not None
        datatypes = self.structs.targets(relation)
        return [
            name
            for name, number in self._roots.items()
            if self.tables[number].kind == TableKind.collection
            and self.tables[number].type in datatypes
        ]

    def _with(self, name: str, layout: Content) -> Contents:
        _, content = present_and_content(layout)
        is_column = is_list(content)
        inner = present_and_content(lists(content, name)[1])[1] if is_column else content
        number = len(self.tables)
        if name in self.options.types or inner.is_record:
            if not is_column and not content.is_unknown:
                raise WrongTypeError(
                    f"'{name}' holds a record for each entry: a collection is lists of records"
                )
            datatype = self._datatype_of(name, inner)
            assert self.structs is not None
            tables = self.structs.tables(datatype, name, number)
        elif is_string(inner):
            tables = [
                _core.Table(name, TableKind.parameter, "string", [], 0),
                text_table(name, number),
            ]
        elif inner.is_unknown:
            raise UsageError(
                f"'{name}' is empty, so that its type cannot be told: "
                "for a collection, name it in `types`"
            )
        else:
            tables = [_number_table(name, content)]
        self._check_use(tables[0])
        tables = self.options.arrangement.arranged(tables)
        if tables[0].kind == TableKind.value and self._is_begun:
            raise UsageError(f"earlier entries have no value '{name}'")
        return replace(self, tables=(*self.tables, *tables), _roots={**self._roots, name: number})

    def _check_use(self, table: _core.Table) -> None:
        """Check that a tag is one number an event, and a key one whole number."""
        uses = {"tag": self.options.tags, "key": self.options.keys}
        for use in (use for use, names in uses.items() if table.name in names):
            members = table.members
            is_value = table.kind == TableKind.value and members[0].extent == 1
            if not is_value or (use == "key" and members[0].type.startswith("float")):
                what = "one whole number" if use == "key" else "one number"
                raise UsageError(f"'{table.name}' is to be a {use}, which is {what} an event")

    def _datatype_of(self, name: str, records: Content) -> Datatype:
        if self.structs is None:
            raise UsageError(
                f"'{name}' is a collection, which needs a data model: create the file with one"
            )
        datatypes = self.structs.datatypes
        if name in self.options.types:
            return datatypes[self.options.types[name]]
        record = records.parameter("__record__")
        if isinstance(record, str) and (standard := standard_datatype(record)):
            return standard
        named = [d for d in datatypes.values() if record in (d.name, d.name.rpartition("::")[2])]
        if len(named) == 1:
            return named[0]
        fields = set(records.fields)
        fitting = [d for d in datatypes.values() if fields and fields <= set(_fields(d))]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            found = f"{', '.join(d.name for d in fitting)} all have such members"
        elif not fields or not datatypes:
            found = "its records have no members" if datatypes else "the model has none"
        else:
            # The nearest one tells best what is wrong.
            nearest = max(datatypes.values(), key=lambda d: len(fields & set(_fields(d))))
            wrong = next(field for field in records.fields if field not in _fields(nearest))
            hint = _core.suggestion(wrong, _fields(nearest))
            found = f"no datatype has a member '{wrong}' beside the others{hint}"
        raise UsageError(f"the datatype of '{name}' cannot be told ({found}): use `types`")


def _shape(table: _core.Table) -> tuple[Any, ...]:
    """Return what the tables of two versions of a datatype differ in."""
    members = [(m.name, m.type, m.extent, m.offset) for m in table.members]
    return table.name, table.kind, table.type, table.row_size, members


def _fields(datatype: Datatype) -> list[str]:
    everything = (*datatype.members, *datatype.vector_members, *datatype.relations)
    return [part.name for part in everything]


def _layouts(data: Any) -> dict[str, Content]:
    if isinstance(data, Mapping):
        return {name: to_layout(values, name) for name, values in data.items()}
    layout = required(to_layout(data, "data"), "data")
    if not layout.is_record:
        raise WrongTypeError("give arrays by name, or an array of records")
    return {name: plain(layout.content(name)) for name in layout.fields}


def _common_length(layouts: Mapping[str, Content]) -> int:
    lengths = {name: layout.length for name, layout in layouts.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"'{name}' has {length}" for name, length in lengths.items())
        raise UsageError(f"the arrays differ in length: {told}")
    return next(iter(lengths.values()), 0)


def _number_table(name: str, content: Content) -> _core.Table:
    """Return the table of a value, or of a parameter where lists may differ in length."""
    extent = 1
    if content.is_regular or (content.is_numpy and content.purelist_depth > 1):
        regular = content.to_RegularArray() if content.is_numpy else content
        extent, values = regular.size, plain(regular.content)
        kind = TableKind.value
    elif content.is_list:
        values = required(lists(content, name)[1], name)
        kind = TableKind.parameter
    else:
        values, kind = content, TableKind.value
    if not values.is_numpy or values.purelist_depth > 1 or extent == 0:
        raise WrongTypeError(
            f"'{name}' is of type {content.form.type}: neither a collection, nor a "
            "number or string for each entry, nor lists of them"
        )
    dtype = values.data.dtype
    if kind == TableKind.parameter and dtype.kind in "iu":
        dtype = np.dtype(np.int32 if np.can_cast(dtype, np.int32, "safe") else np.int64)
    if kind == TableKind.parameter and dtype.name not in _PARAMETERS:
        raise WrongTypeError(f"no parameter holds {dtype} values, as '{name}' does")
    member = _core.Member("", dtype.name, extent)
    return _core.Table(name, kind, dtype.name, [member], member.size)


class _Filler:
    """Makes the arrays of all tables of a category."""

    def __init__(self, contents: Contents, layouts: Mapping[str, Content], entries: int) -> None:
        self.contents = contents
        self.layouts = layouts
        self.entries = entries
        self.present: dict[str, np.ndarray] = {}
        self.offsets: dict[str, np.ndarray] = {}  # of what is no value
        self.inner: dict[str, Content] = {}  # what is in the lists

    def arrays(self) -> list[_core.TableArrays]:
        names = self.contents.names()
        for name in names:  # relations need the sizes of all collections
            if self.contents.kind(name) != TableKind.value:
                self._open(name)
        fill = {
            TableKind.collection: self._collection,
            TableKind.parameter: self._parameter,
            TableKind.value: self._value,
        }
        found: dict[int, _core.TableArrays] = {}
        for name in names:
            if name in self.layouts or self.contents.kind(name) == TableKind.value:
                found |= fill[self.contents.kind(name)](name)
            else:
                found |= self._absent(name)
        return [found[number] for number in range(len(self.contents.tables))]

    def _absent(self, name: str) -> dict[int, _core.TableArrays]:
        """Return the arrays of a collection or parameter that no entry has."""
        root = self.contents.number(name)
        found = {root: _empty(self.contents.tables[root], self.offsets[name], self.present[name])}
        for number in self.contents.below(name):
            table = self.contents.tables[number]
            offsets = np.zeros(1, np.int64) if table.is_counted else None
            found[number] = _empty(table, offsets, None)
        return found

    def _open(self, name: str) -> None:
        """Find out where lists begin, nothing being an empty one."""
        if name not in self.layouts:
            self.present[name] = np.zeros(self.entries, dtype=bool)
            self.offsets[name] = np.zeros(self.entries + 1, dtype=np.int64)
            return
        layout = self.layouts[name]
        present, content = present_and_content(layout)
        if is_string(content):  # a single one is a list of one
            counts = np.ones(self.entries, np.int64) if present is None else present
            self.offsets[name], self.inner[name] = np.concatenate([[0], np.cumsum(counts)]), content
        else:
            self.offsets[name], self.inner[name] = lists(layout, name)
        self.present[name] = np.ones(self.entries, bool) if present is None else present

    def _value(self, name: str) -> dict[int, _core.TableArrays]:
        if name not in self.layouts:
            raise UsageError(f"the value '{name}' of earlier entries is missing")
        number = self.contents.number(name)
        (member,) = self.contents.tables[number].members
        values = numbers(self.layouts[name], np.dtype(member.type), member.extent, name)
        return {number: _core.TableArrays(None, None, {0: values})}

    def _parameter(self, name: str) -> dict[int, _core.TableArrays]:
        number = self.contents.number(name)
        type_ = self.contents.tables[number].type
        inner, offsets, present = self.inner[name], self.offsets[name], self.present[name]
        if type_ != "string":
            values = numbers(inner, np.dtype(type_), None, name)
            return {number: _core.TableArrays(offsets, present, {0: values})}
        (text,) = self.contents.below(name)
        return {number: _core.TableArrays(offsets, present, {}), text: _text(inner, name)}

    def _collection(self, name: str) -> dict[int, _core.TableArrays]:
        datatype = self.contents.datatype(name)
        assert self.contents.structs is not None
        caster = RecordCaster(self.contents.structs.components)
        offsets, inner = self.offsets[name], self.inner[name]
        rows = int(offsets[-1])
        plain = datatype.plain_members
        others = [one for one in _fields(datatype) if one not in [member.name for member in plain]]
        leaves = caster.struct(inner, plain, rows, name, others)
        found = [_core.TableArrays(offsets, self.present[name], dict(enumerate(leaves)))]
        fields = record_fields(inner, name)
        for member in datatype.strings:
            found.append(_strings(fields.get(member.name), rows, f"{name}.{member.name}"))
        for member in datatype.vector_members:
            where = f"{name}.{member.name}"
            ends, content = _sublists(fields.get(member.name), rows, where)
            if member.type == STRING:
                found += [_core.TableArrays(ends, None, {}), _text(content, where)]
                continue
            values = caster.elements(content, member, where)
            found.append(_core.TableArrays(ends, None, dict(enumerate(values))))
        objects = np.diff(offsets)
        for relation in datatype.one_to_one_relations:
            where = f"{name}.{relation.name}"
            references = _References(self, relation, where, objects)
            members = references.fill(fields.get(relation.name), rows)
            found.append(_core.TableArrays(None, None, members))
        for relation in datatype.one_to_many_relations:
            where = f"{name}.{relation.name}"
            ends, content = _sublists(fields.get(relation.name), rows, where)
            references = _References(self, relation, where, np.diff(ends[offsets]))
            members = references.fill(content, int(ends[-1]))
            found.append(_core.TableArrays(ends, None, members))
        return self._with_decorations(name, found, rows)

    def _with_decorations(
        self, name: str, found: Sequence[_core.TableArrays], rows: int
    ) -> dict[int, _core.TableArrays]:
        """Return the arrays of a collection by table; decorations have what is missing."""
        tables = self.contents.tables
        there = [self.contents.number(name), *self.contents.below(name)]
        own = [number for number in there if tables[number].kind != TableKind.decoration]
        made = dict(zip(own, found, strict=True))
        for number in there:
            if number not in made:
                members = [_missing(member, rows) for member in tables[number].members]
                made[number] = _core.TableArrays(None, None, dict(enumerate(members)))
        return made


def _empty(
    table: _core.Table, offsets: np.ndarray | None, present: np.ndarray | None
) -> _core.TableArrays:
    values = {index: _missing(member, 0) for index, member in enumerate(table.members)}
    return _core.TableArrays(offsets, present, values)


def _missing(member: _core.Member, rows: int) -> np.ndarray:
    """Return the values of a member that nobody has given."""
    dtype = np.dtype(member.type)
    value = np.frombuffer(member.missing.to_bytes(8, "little")[: dtype.itemsize], dtype)[0]
    return np.full(rows if member.extent == 1 else (rows, member.extent), value)


def _text(strings: Content, where: str) -> _core.TableArrays:
    """Return the characters of strings; none may be missing."""
    if strings.is_unknown:
        ends = np.zeros(strings.length + 1, np.int64)
        return _core.TableArrays(ends, None, {0: np.empty(0, np.uint8)})
    strings = required(strings, where)
    if not is_string(strings):
        raise WrongTypeError(f"'{where}' needs strings, not {strings.form.type}")
    ends, content = lists(strings, where)
    return _core.TableArrays(ends, None, {0: np.ascontiguousarray(content.data, np.uint8)})


def _strings(layout: Content | None, rows: int, where: str) -> _core.TableArrays:
    """Return the characters of a string a row; what is missing is empty."""
    if layout is None:
        return _core.TableArrays(np.zeros(rows + 1, np.int64), None, {0: np.empty(0, np.uint8)})
    present, content = present_and_content(layout)
    text = _text(content, where)
    if present is None:
        return text
    counts = np.zeros(rows, np.int64)
    counts[present] = np.diff(text.offsets)
    return _core.TableArrays(np.concatenate([[0], np.cumsum(counts)]), None, text.members)


def _sublists(layout: Content | None, rows: int, where: str) -> tuple[np.ndarray, Content]:
    if layout is None:
        return np.zeros(rows + 1, np.int64), EmptyArray()
    return lists(layout, where)


class _References:
    """Turns a relation into numbers of objects and of the tables that they are in.

    Parameters
    ----------
    counts
        How many references there are in each entry.
    """

    def __init__(self, filler: _Filler, relation: Relation, where: str, counts: np.ndarray) -> None:
        self.filler = filler
        self.relation = relation
        self.where = where
        self.counts = counts

    def fill(self, layout: Content | None, rows: int) -> dict[int, np.ndarray]:
        """Return the two members of the relation's rows."""
        index = np.full(rows, -1, dtype=np.int32)
        collection = np.zeros(rows, dtype=np.uint32)
        if layout is not None:
            present, content = present_and_content(layout)
            there = slice(None) if present is None else present
            if content.is_record:
                self._check_fields(content.fields)
                given = self._index(content.content("index"))
                numbers_given = np.zeros(len(given), dtype=np.uint32)
                names = content.content("collection")
                for name, chosen in _by_name(names, given >= 0, self.where):
                    numbers_given[chosen] = self._number(name)
                index[there], collection[there] = given, numbers_given
            else:
                index[there] = self._index(content)
                if (index >= 0).any():
                    collection[index >= 0] = self._number(self._only_collection())
        self._check(index, collection)
        return {0: index, 1: collection}

    def _index(self, layout: Content) -> np.ndarray:
        present, content = present_and_content(layout)
        values = numbers(content, np.dtype(np.int32), None, self.where)
        if present is None:
            return values
        index = np.full(len(present), -1, dtype=np.int32)
        index[present] = values
        return index

    def _check_fields(self, fields: Sequence[str]) -> None:
        if sorted({*fields} - {"entry"}) != ["collection", "index"]:
            raise UsageError(
                f"'{self.where}' needs indices, or records of index and "
                f"collection, not of {', '.join(fields)}"
            )

    def _only_collection(self) -> str:
        found = self.filler.contents.targets(self.relation)
        if len(found) == 1:
            return found[0]
        told = f"{', '.join(found)} are" if found else "none is"
        raise UsageError(
            f"'{self.where}' refers to a collection of {self.relation.type}, "
            f"but {told} written" + (": give records of index and collection" if found else "")
        )

    def _number(self, name: str) -> int:
        contents = self.filler.contents
        known = contents.targets(self.relation)
        if name not in known:
            hint = _core.suggestion(name, known)
            raise UnknownNameError(
                f"'{self.where}' refers to '{name}', which is no collection "
                f"of {self.relation.type} that is written{hint}"
            )
        return contents.number(name)

    def _check(self, index: np.ndarray, collection: np.ndarray) -> None:
        """Check that each index is that of an object in the same entry."""
        entry = np.repeat(np.arange(len(self.counts)), self.counts)
        for number in np.unique(collection[index >= 0]):
            name = self.filler.contents.tables[number].name
            sizes = np.diff(self.filler.offsets[name])
            wrong = (collection == number) & (index >= sizes[entry]) & (index >= 0)
            if wrong.any():
                first = int(np.argmax(wrong))
                raise UsageError(
                    f"'{self.where}' refers, in entry {entry[first]} of those "
                    f"given, to object {index[first]} of '{name}', "
                    f"which has {sizes[entry[first]]}"
                )
        if (index < -1).any():
            raise UsageError(f"'{self.where}' has an index less than -1")


def _by_name(layout: Content, wanted: np.ndarray, where: str) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each name in an array of strings and the places where it is, if they are wanted."""
    if layout.is_indexed and layout.parameter("__array__") == "categorical":
        names, codes = ak.to_list(layout.content), np.asarray(layout.index.data)
    else:
        values = ak.to_list(layout)
        names = list(dict.fromkeys(values))
        numbering = {name: code for code, name in enumerate(names)}
        codes = np.array([numbering[value] for value in values], dtype=np.int64)
    for code in np.unique(codes[wanted]):
        name = names[code] if code >= 0 else None
        if not isinstance(name, str):
            raise WrongTypeError(f"'{where}' needs the names of collections, not {name!r}")
        yield name, wanted & (codes == code)


def split(
    tables: Sequence[_core.Table],
    arrays: Sequence[_core.TableArrays],
    entries: int,
    most_bytes: int,
    most_entries: int = 0,
) -> Iterator[tuple[list[_core.TableArrays], int]]:
    """Yield the arrays of runs of entries, and the number of these.

    Parameters
    ----------
    most_bytes
        What a run takes in memory, unless a single entry takes more.
    most_entries
        How many entries it has; 0 for any number.
    """
    # Where the rows of each entry begin in each table, and so what the entries before it take.
    begins: list[np.ndarray] = []
    size = np.zeros(entries + 1, dtype=np.int64)
    for table, of_table in zip(tables, arrays, strict=True):
        begin = np.arange(entries + 1) if table.parent is None else begins[table.parent]
        if of_table.offsets is not None:
            size += 4 * begin  # a count for each row above
            begin = of_table.offsets[begin]
        begins.append(begin)
        size += table.row_size * begin
    first = 0
    while True:
        fitting = int(np.searchsorted(size, size[first] + most_bytes, "right")) - 1
        last = min(max(fitting, first + 1), first + (most_entries or entries), entries)
        yield (
            [
                _cut(table, of_table, begins, number, first, last)
                for number, (table, of_table) in enumerate(zip(tables, arrays, strict=True))
            ],
            last - first,
        )
        if last == entries:
            return
        first = last


def _cut(
    table: _core.Table,
    arrays: _core.TableArrays,
    begins: Sequence[np.ndarray],
    number: int,
    first: int,
    last: int,
) -> _core.TableArrays:
    offsets, present = arrays.offsets, arrays.present
    if offsets is not None:
        above = (
            slice(first, last)
            if table.parent is None
            else slice(*begins[table.parent][[first, last]])
        )
        offsets = offsets[above.start : above.stop + 1]
        offsets = offsets - offsets[0]
    rows = slice(*begins[number][[first, last]])
    return _core.TableArrays(
        offsets,
        None if present is None else present[first:last],
        {member: values[rows] for member, values in arrays.members.items()},
    )
