"""The types of a data model as structs in memory, laid out as a C++ compiler does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaon import _core
from kaon._core import TableKind
from kaon.errors import UsageError
from kaon.model.defaults import leaf_defaults
from kaon.model.standard import bare_datatype, standard_datatype
from kaon.modelgen.leaves import Leaf, element_leaves, leaves, scalar_of
from kaon.modelgen.model import Component, Model
from kaon.modelgen.scalars import STRING
from kaon.modelgen.storage import leaf_precisions
from kaon.writing.options import core_precision

if TYPE_CHECKING:
    from kaon.modelgen.model import Datatype, Member, Relation

_REFERENCE = [
    _core.Member(
        "index",
        "int32",
        offset=0,
        description="position in the collection; -1: none",
        missing=2**32 - 1,
    ),
    _core.Member("collection", "uint32", offset=4, description="number of the collection"),
]
"""The members of relations, which are not part of the model."""


@dataclass(frozen=True)
class MemoryLayout:
    """The layout of a struct's members, in bytes."""

    offsets: Mapping[str, int]
    size: int
    alignment: int


class Structs:
    """The structs of a model, and the tables that collections of its datatypes become.

    Names, order, offsets, units and descriptions are those of the generated C++ classes, which can
    therefore read the data. The model must have passed the generator's checks. Without a model,
    there are only the datatypes that all models have.
    """

    def __init__(self, model: Model | None) -> None:
        self.model = model
        stored = (model or Model("", 1)).stored()
        self.components: dict[str, Component] = {c.name: c for c in stored.components}
        self.datatypes: dict[str, Datatype] = {d.name: d for d in stored.datatypes}
        self.datatypes |= {link.name: link.datatype() for link in stored.links}
        self._interfaces = {i.name: [named.type for named in i.types] for i in stored.interfaces}
        self._storages = {storage.datatype: storage for storage in stored.storage}
        self._described = {d.name: d for d in model.whole().datatypes} if model else {}
        self._types = model.types() if model else {}
        self._structs: dict[str, tuple[list[_core.Member], int]] = {}  # made when first needed
        self._layouts: dict[str, MemoryLayout] = {}  # of components, made when first needed

    def datatype(self, name: str) -> Datatype | None:
        """Return a datatype of the model or of all models; None if the name is unknown."""
        return self.datatypes.get(name) or standard_datatype(name) or bare_datatype(name)

    def targets(self, relation: Relation) -> Sequence[str]:
        """Return the names of the datatypes that a relation can lead to."""
        return self._interfaces.get(relation.type, [relation.type])

    def tables(self, datatype: Datatype, collection: str, root: int) -> list[_core.Table]:
        """Return the tables of a collection: its own, and those of vector members and relations.

        Their layout is that of the model.

        Parameters
        ----------
        root
            The number of the first table.

        Raises
        ------
        UsageError, UnknownNameError
            If the model's storage is invalid; kaon has checked this only for YAML files.
        """
        datatype = self._described.get(datatype.name, datatype)
        members, size = self._struct(datatype)
        root_table = _core.Table(
            collection,
            TableKind.collection,
            datatype.name,
            members,
            size,
            description=datatype.description,
        )
        strings = (_string_table(member, collection, root) for member in datatype.strings)
        first = root + 1 + len(datatype.strings)
        vectors: list[_core.Table] = []
        for member in datatype.vector_members:
            number = first + len(vectors)
            vectors += self._vector_tables(member, collection, root, number)
        relations = (
            _core.Table(
                f"{collection}.{relation.name}",
                kind,
                relation.type,
                _REFERENCE,
                8,
                parent=root,
                description=relation.comment,
            )
            for kind, group in (
                (TableKind.oneRelation, datatype.one_to_one_relations),
                (TableKind.manyRelation, datatype.one_to_many_relations),
            )
            for relation in group
        )
        return self._storage(datatype).arranged([root_table, *strings, *vectors, *relations])

    def members(self, datatype: Datatype) -> Sequence[_core.Member]:
        """Return the members of a collection's own table."""
        return self._struct(self._described.get(datatype.name, datatype))[0]

    def default_row(self, datatype: Datatype) -> bytes:
        """Return a row of a collection's own table with the defaults.

        Raises
        ------
        UsageError
            If a default is C++ that only a compiler understands.
        """
        members, size = self._struct(self._described.get(datatype.name, datatype))
        row = bytearray(size)
        values = leaf_defaults(datatype.plain_members, self.components)
        for member, value in zip(members, values, strict=True):
            row[member.offset : member.offset + member.size] = value.tobytes()
        return bytes(row)

    def _struct(self, datatype: Datatype) -> tuple[list[_core.Member], int]:
        """Return the members of a collection's table, and the size of its rows."""
        if datatype.name not in self._structs:
            layout = self._layout(datatype.plain_members)
            inside = leaves(datatype.plain_members, self._types)
            members = [self._member(leaf, layout) for leaf in inside]
            self._structs[datatype.name] = members, layout.size
        return self._structs[datatype.name]

    def _storage(self, datatype: Datatype) -> _core.Storage:
        storage = self._storages.get(datatype.name)
        if storage is None:
            return _core.Storage()
        try:
            precisions = leaf_precisions(storage, datatype, self._types)
            precision = {leaf: core_precision(value) for leaf, value in precisions.items()}
            return _core.Storage(storage.layout, storage.group or None, precision)
        except (TypeError, ValueError, ArithmeticError) as error:
            message = f"the model's storage of '{datatype.name}' is invalid: {error}"
            raise UsageError(message) from None

    def _vector_tables(
        self, member: Member, collection: str, root: int, number: int
    ) -> list[_core.Table]:
        """Return the tables of a vector member; the first gets this number."""
        tables: list[_core.Table] = []
        name, parent = f"{collection}.{member.name}", root
        for _ in range(member.depth):  # rows of these tables are only lists
            tables.append(_vector_table(member, name, parent, "", [], 0))
            name, parent = f"{name}.", number + len(tables) - 1
        if member.type == STRING:
            strings = _vector_table(member, name, parent, "string", [], 0)
            text = text_table(name, number + len(tables), member.unit)
            return [*tables, strings, text]
        size, _ = self._extent(member.type)
        layout = self._layout_of(member.type)
        scalar = scalar_of(member.type, self._types)
        members = [self._member(leaf, layout) for leaf in element_leaves(member, self._types)]
        type_ = scalar.cpp if scalar else member.type
        return [*tables, _vector_table(member, name, parent, type_, members, size)]

    def _member(self, leaf: Leaf, layout: MemoryLayout) -> _core.Member:
        """Return the member of a table for a leaf of a struct."""
        offset = 0
        for step in leaf.steps:
            size, _ = self._extent(step.member.type)
            offset += layout.offsets[step.member.name] + step.index * size
            if leaf.is_presence and step is leaf.steps[-1]:
                offset += size * (step.member.array_size or 1)
            layout = self._layout_of(step.member.type)
        return _core.Member(
            leaf.name,
            leaf.scalar.dtype,
            leaf.extent,
            offset,
            leaf.unit,
            leaf.comment,
            structure=leaf.structure,
        )

    def _layout(self, members: Iterable[Member]) -> MemoryLayout:
        """Return the layout of a struct with these members."""
        offsets = {}
        end, alignment = 0, 1
        for member in members:
            size, own_alignment = self._extent(member.type)
            size *= member.array_size or 1
            if member.optional:  # the value, and a bool that tells whether it is present
                size = _aligned(size + 1, own_alignment)
            offsets[member.name] = _aligned(end, own_alignment)
            end = offsets[member.name] + size
            alignment = max(alignment, own_alignment)
        return MemoryLayout(offsets, _aligned(end, alignment), alignment)

    def _layout_of(self, type_: str) -> MemoryLayout:
        """Return the layout of a component; a scalar has no members."""
        if type_ not in self._layouts:
            component = self._types.get(type_)
            members = component.members if isinstance(component, Component) else ()
            self._layouts[type_] = self._layout(members)
        return self._layouts[type_]

    def _extent(self, type_: str) -> tuple[int, int]:
        """Return the size and the alignment of a type."""
        if scalar := scalar_of(type_, self._types):
            size = _core.Member("", scalar.dtype).size
            return size, size
        layout = self._layout_of(type_)
        return layout.size, layout.alignment


def _vector_table(
    member: Member, name: str, parent: int, type_: str, members: list[_core.Member], size: int
) -> _core.Table:
    kind = TableKind.vectorMember
    # A nested list has the description of the outer list.
    description = "" if name.endswith(".") else member.comment
    return _core.Table(name, kind, type_, members, size, parent=parent, description=description)


def _string_table(member: Member, collection: str, root: int) -> _core.Table:
    name = f"{collection}.{member.name}"
    return _vector_table(member, name, root, "string", [characters(member.unit)], 1)


def text_table(strings: str, number: int, unit: str = "") -> _core.Table:
    """Return the table of the characters of strings; the strings are in table `number`."""
    return _core.Table(
        f"{strings}.text", TableKind.text, "uint8", [characters(unit)], 1, parent=number
    )


def characters(unit: str) -> _core.Member:
    """Return the member for the characters of strings, with the strings' unit."""
    return _core.Member("", "uint8", unit=unit)


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment
