"""The tables of a category that is being written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from awkward.contents import Content

from kaon import _core
from kaon._core import TableKind
from kaon.columns.awkward_layouts import (
    is_list,
    is_string,
    lists,
    plain,
    present_and_content,
    record_fields,
    required,
    unit_of,
)
from kaon.columns.decorated_arrays import MARKS, decoration_table
from kaon.columns.decorations import check_name
from kaon.columns.shapes import shape_text
from kaon.errors import UsageError, WrongTypeError
from kaon.writing.nested_tables import check_number_type, nested_tables
from kaon.writing.options import RECORD
from kaon.writing.structs import text_table

if TYPE_CHECKING:
    from kaon.modelgen.model import Datatype, Relation
    from kaon.writing.options import WriterOptions
    from kaon.writing.structs import Structs


@dataclass(frozen=True)
class CategoryTables:
    """The tables of a category so far.

    Attributes
    ----------
    structs
        The structs of the data model.
    options
        The options of the writer, about collections, tags and keys.
    tables
        All tables.
    """

    structs: Structs
    options: WriterOptions
    tables: tuple[_core.Table, ...] = ()
    _roots: Mapping[str, int] = field(default_factory=dict)  # numbers of tables by name
    _is_begun: bool = False

    @classmethod
    def of(
        cls,
        structs: Structs,
        options: WriterOptions,
        tables: Sequence[_core.Table],
        labels: Mapping[int, str],
    ) -> CategoryTables:
        """Return the tables of a category that a file has already.

        Parameters
        ----------
        labels
            The names of the tables under the entries, by number.
        """
        roots = {label: number for number, label in labels.items()}
        return cls(structs, options, tuple(tables), roots, True)

    def extended(self, layouts: Mapping[str, Content]) -> CategoryTables:
        """Return the tables, extended by tables for new arrays."""
        tables, roots = list(self.tables), dict(self._roots)
        for name, layout in layouts.items():
            if name not in roots:
                self._check_is_no_member(name, layouts)
                roots[name] = len(tables)
                tables += self._new_tables(name, layout, len(tables))
            else:
                tables += self._late_tables(name, len(tables))
            tables += self._new_decorations(name, layout, tables, roots[name])
        return replace(self, tables=tuple(tables), _roots=roots, _is_begun=True)

    def kind(self, name: str) -> TableKind:
        """Return the kind of the table of this name."""
        return self.tables[self._roots[name]].kind

    def number(self, name: str) -> int:
        """Return the number of the table of this name."""
        return self._roots[name]

    def names(self) -> list[str]:
        """Return the names of the tables under the entries."""
        return list(self._roots)

    def below(self, name: str) -> list[int]:
        """Return the numbers of all tables that lie under the table of this name."""
        return self._under.get(self._roots[name], [])

    def decorations(self, name: str) -> dict[str, int]:
        """Return the numbers of the tables of a collection's decorations, by name."""
        prefix = f"{self.tables[self._roots[name]].name}."
        below = {number: self.tables[number] for number in self.below(name)}
        return {
            table.name.removeprefix(prefix): number
            for number, table in below.items()
            if table.kind == TableKind.decoration
        }

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
        """Return the datatype of a collection.

        Raises
        ------
        UsageError
            If the model does not have it.
        """
        return self._datatype(name, self.tables[self._roots[name]].type)

    def _datatype(self, name: str, type_: str) -> Datatype:
        datatype = self.structs.datatype(type_)
        if datatype is None:
            raise UsageError(f"'{name}' is a collection of {type_}, which the model does not have")
        return datatype

    def leaf_places(self, name: str) -> list[tuple[int, int]]:
        """Return the table and member of each leaf of a collection's datatype.

        Members that an earlier version of the datatype did not have are decorations.
        """
        root = self._roots[name]
        places = {member.name: (root, i) for i, member in enumerate(self.tables[root].members)}
        late = {member: (number, 0) for member, number in self.decorations(name).items()}
        leaves = self.structs.members(self.datatype(name))
        return [places.get(leaf.name) or late[leaf.name] for leaf in leaves]

    def numbers_below(self, name: str) -> dict[str, int]:
        """Return the numbers of all tables that lie under the table of this name, by name."""
        return {self.tables[number].name: number for number in self.below(name)}

    def targets(self, relation: Relation) -> list[str]:
        """Return the names of the collections that a relation can lead to."""
        datatypes = self.structs.targets(relation)
        return [
            name
            for name, number in self._roots.items()
            if self.tables[number].kind == TableKind.collection
            and self.tables[number].type in datatypes
        ]

    def _check_is_no_member(self, name: str, layouts: Mapping[str, Content]) -> None:
        """Check that a new name is not that of a member, such as "MCParticles.PDG"."""
        if not isinstance(name, str):
            raise WrongTypeError(f"the name of an array must be a string, not {name!r}")
        collection, dot, member = name.partition(".")
        if not dot:
            return
        is_there = collection in self._roots or collection in layouts
        first = member.partition(".")[0]
        datatypes = self.structs.datatypes.values()
        if is_there or any(first in member_names(datatype) for datatype in datatypes):
            raise UsageError(
                f"'{name}' is the name of a collection's member: give the whole collection as "
                f"lists of records, such as {{'{collection}': ak.zip({{'{first}': ..., ...}})}}"
            )

    def _new_tables(self, name: str, layout: Content, number: int) -> list[_core.Table]:
        """Return the tables of a new array; the first gets this number."""
        present, content = present_and_content(layout)
        tables = self._tables_of(name, content, present is not None, number)
        self._check_use(tables[0])
        tables = self.options.arrangement.arranged(tables)
        if tables[0].kind == TableKind.value and present is not None:
            raise UsageError(
                f"'{name}' has missing values, the first in entry {present.argmin()}: give each "
                "entry a number, or a list, which may be empty; ak.singletons makes lists"
            )
        if tables[0].kind == TableKind.value and self._is_begun:
            raise UsageError(f"earlier entries have no value '{name}'")
        return tables

    def _tables_of(
        self, name: str, content: Content, can_be_absent: bool, number: int
    ) -> list[_core.Table]:
        """Return the tables that arrays of this form want."""
        is_column = is_list(content)
        inner = present_and_content(lists(content, name)[1])[1] if is_column else content
        if self._is_free(name, inner):
            kind = TableKind.parameter if is_column else TableKind.value
            rows = lists(content, name)[1] if is_column else content
            return nested_tables(name, kind, rows, number)
        if name in self.options.types or inner.is_record:
            if not is_column and not content.is_unknown:
                raise WrongTypeError(
                    f"'{name}' has one record for each entry: give lists of records for a "
                    'collection; for records without a datatype, set "record" in `types`'
                )
            return self.structs.tables(self._datatype_of(name, inner), name, number)
        if is_string(inner) and not is_column and not can_be_absent:
            return nested_tables(name, TableKind.value, content, number)
        if is_string(inner):
            strings = _core.Table(name, TableKind.parameter, "string", [], 0)
            return [strings, text_table(name, number)]
        if inner.is_unknown:
            raise UsageError(
                f"'{name}' is empty, so its type is unknown: set it with `types`, such as "
                f"types={{'{name}': 'float32'}}, or the datatype of a collection"
            )
        if is_column and (not inner.is_numpy or is_list(inner)):
            return nested_tables(name, TableKind.parameter, lists(content, name)[1], number)
        return [_number_table(name, content)]

    def _late_tables(self, name: str, number: int) -> list[_core.Table]:
        """Return the tables that a later version of a collection's datatype adds.

        The first of these tables gets the number.

        Raises
        ------
        UsageError
            If there are other differences, or the model lacks the datatype.
        """
        root = self._roots[name]
        if self.tables[root].kind != TableKind.collection:
            return []
        datatype = self.datatype(name)
        expected = self.structs.tables(datatype, name, root)
        known = [self.tables[number] for number in (root, *self.below(name))]
        own = [table for table in known if table.kind != TableKind.decoration]
        if [_shape(table) for table in expected] == [_shape(table) for table in own]:
            return []
        expected = self.options.arrangement.arranged(expected)
        defaults = self.structs.default_row(datatype)
        numbers = {name: root, **self.numbers_below(name)}
        tables: list[_core.Table] = []
        for table in _core.late_tables(expected, known, defaults):
            if table.name in numbers:
                continue
            above = expected[(table.parent or root) - root].name
            is_member = table.kind == TableKind.decoration
            numbers[table.name] = number + len(tables)
            tables.append(table.with_parent(root if is_member else numbers[above]))
        return tables

    def _new_decorations(
        self, name: str, layout: Content, tables: Sequence[_core.Table], root: int
    ) -> list[_core.Table]:
        """Return the tables of the decorations that objects have for the first time."""
        marks = layout.purelist_parameter(MARKS)
        collection = tables[root]
        if not marks or collection.kind != TableKind.collection:
            return []
        fields = record_fields(lists(layout, name)[1], name)
        known = {table.name for table in tables}
        decorations = []
        for decoration, of_decoration in marks.items():
            label = f"{collection.name}.{decoration}"
            if decoration in fields and label not in known:
                members = member_names(self._datatype(name, collection.type))
                check_name(decoration, members, collection.type)
                decorations.append(decoration_table(label, fields[decoration], of_decoration, root))
        if not decorations:
            return []
        return _core.Storage(collection.layout).arranged(decorations)

    def _check_use(self, table: _core.Table) -> None:
        """Check that a tag has one number an event, and a key one integer."""
        uses = {"tag": self.options.tags, "key": self.options.keys}
        for use in (use for use, names in uses.items() if table.name in names):
            members = table.members
            is_value = table.kind == TableKind.value and [m.extent for m in members] == [1]
            if not is_value or (use == "key" and members[0].type.startswith("float")):
                what = "one whole number" if use == "key" else "one number"
                raise UsageError(f"'{table.name}' cannot be a {use}: it needs {what} an event")

    def _is_free(self, name: str, rows: Content) -> bool:
        """Return whether rows are records without a datatype, as all records without a model."""
        type_ = self.options.types.get(name)
        if self.structs.model is not None or type_ is not None:
            return type_ == RECORD
        record = rows.parameter("__record__")
        return bool(rows.is_record and not (record and self.structs.datatype(record)))

    def _datatype_of(self, name: str, records: Content) -> Datatype:
        datatypes = self.structs.datatypes
        record = self.options.types.get(name) or records.parameter("__record__")
        if isinstance(record, str) and (datatype := self.structs.datatype(record)):
            return datatype
        named = [d for d in datatypes.values() if record == d.name.rpartition("::")[2]]
        if len(named) == 1:
            return named[0]
        fields = set(records.fields)
        fitting = [d for d in datatypes.values() if fields and fields <= set(member_names(d))]
        called = [d for d in fitting if d.name.rpartition("::")[2] == type_name(name)]
        for only in (fitting, called):
            if len(only) == 1:
                return only[0]
        if fitting:
            reason = f"{', '.join(d.name for d in fitting)} all have these members"
        elif not fields or not datatypes:
            reason = "its records have no members" if datatypes else "the model has no datatypes"
        else:
            # The nearest datatype makes the best message.
            nearest = max(datatypes.values(), key=lambda d: len(fields & set(member_names(d))))
            wrong = next(field for field in records.fields if field not in member_names(nearest))
            hint = _core.suggestion(wrong, member_names(nearest))
            reason = f"no datatype has the member '{wrong}' and the others{hint}"
        raise UsageError(f"the datatype of '{name}' is unclear ({reason}): set it with `types`")


def _shape(table: _core.Table) -> tuple[Any, ...]:
    """Return the difference between the tables of two versions of a datatype."""
    members = [(m.name, m.type, m.extent, m.offset, m.structure) for m in table.members]
    return table.name, table.kind, table.type, table.row_size, members


def type_name(name: str) -> str:
    """Return a collection's name as a datatype can have it."""
    return re.sub(r"\W", "_", name)


def member_names(datatype: Datatype) -> list[str]:
    """Return the names of all members and relations."""
    members = [member.name for member in (*datatype.members, *datatype.vector_members)]
    return [*members, *(relation.name for relation in datatype.relations)]


def _number_table(name: str, content: Content) -> _core.Table:
    """Return the table of a value; for lists of any length, of a parameter."""
    shape: tuple[int, ...] = ()
    values, kind = content, TableKind.value
    while values.is_regular or (values.is_numpy and values.purelist_depth > 1):
        regular = values.to_RegularArray() if values.is_numpy else values
        shape, values = (*shape, regular.size), plain(regular.content)
    if values.is_list and not shape:
        values = required(lists(content, name)[1], name)
        kind = TableKind.parameter
    if not values.is_numpy or values.purelist_depth > 1 or 0 in shape:
        raise WrongTypeError(
            f"'{name}' is of type {content.form.type}: neither a collection, nor a "
            "number or string for each entry, nor lists of them"
        )
    dtype = values.data.dtype
    check_number_type(dtype, name)
    member = _core.Member(
        "", dtype.name, prod(shape), 0, unit_of(content), structure=shape_text(shape)
    )
    return _core.Table(name, kind, dtype.name, [member], member.size)
