"""The types of a data model as structs in memory, laid out as a C++ compiler does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaon import _core
from kaon._core import TableKind
from kaon.errors import UsageError
from kaon.modelgen.model import OPTIONAL, Model
from kaon.modelgen.scalars import SCALARS, STRING
from kaon.modelgen.storage import leaf_precisions
from kaon.options import core_precision
from kaon.standard import bare_datatype, standard_datatype

if TYPE_CHECKING:
    from kaon.modelgen.model import Component, Datatype, Member, Relation

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
"""The members of relations, which are no part of the model."""


@dataclass(frozen=True)
class Struct:
    """A struct broken down to its scalars: a component contributes each of its own."""

    leaves: tuple[_core.Member, ...]
    size: int
    alignment: int


def scalar_name(type_: str) -> str:
    """Return NumPy's name of a builtin type of a model."""
    return SCALARS[type_].kind.lower()


class Structs:
    """The structs of a model, and the tables that collections of its datatypes become.

    Names, order, offsets, units and descriptions are those of the generated C++ classes, which
    read what is written with them. The model must have passed the generator's checks; without one
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
        self._elements: dict[str, Struct] = {}  # of components, as far as they were needed

    def datatype(self, name: str) -> Datatype | None:
        """Return a datatype, of the model or of all models; None if there is none of that name."""
        return self.datatypes.get(name) or standard_datatype(name) or bare_datatype(name)

    def targets(self, relation: Relation) -> Sequence[str]:
        """Return the names of the datatypes that a relation can lead to."""
        return self._interfaces.get(relation.type, [relation.type])

    def of(self, members: Sequence[Member]) -> Struct:
        """Return the struct that has these members."""
        leaves: list[_core.Member] = []
        end, alignment = 0, 1
        for member in members:
            inside = self._element(member.type)
            begin = _aligned(end, inside.alignment)
            leaves += self._leaves(member, inside, begin)
            end = begin + inside.size * (member.array_size or 1)
            alignment = max(alignment, inside.alignment)
        return Struct(tuple(leaves), _aligned(end, alignment), alignment)

    def tables(self, datatype: Datatype, collection: str, root: int) -> list[_core.Table]:
        """Return the tables of a collection: its own, its vector members' and its relations'.

        They lie as the model says.

        Parameters
        ----------
        root
            The number that the first of them gets.

        Raises
        ------
        UsageError, UnknownNameError
            If what the model says of it makes no sense, which is told only of YAML files before.
        """
        struct = self.of(datatype.plain_members)
        root_table = _core.Table(
            collection,
            TableKind.collection,
            datatype.name,
            list(struct.leaves),
            struct.size,
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

    def _storage(self, datatype: Datatype) -> _core.Storage:
        told = self._storages.get(datatype.name)
        if told is None:
            return _core.Storage()
        try:
            leaves = leaf_precisions(told, datatype, self.components)
            precision = {name: core_precision(of) for name, of in leaves.items()}
            return _core.Storage(told.layout, told.group or None, precision)
        except (TypeError, ValueError, ArithmeticError) as error:
            message = f"the model's storage of '{datatype.name}' cannot be used: {error}"
            raise UsageError(message) from None

    def _vector_tables(
        self, member: Member, collection: str, root: int, number: int
    ) -> list[_core.Table]:
        if member.type == STRING:
            return _strings_tables(member, collection, root, number)
        element = self._element(member.type)
        scalar = SCALARS.get(member.type)
        leaves = [_inside(leaf, leaf.name, leaf.offset, member.unit, "") for leaf in element.leaves]
        type_ = scalar.cpp if scalar else member.type
        return [_vector_table(member, collection, root, type_, leaves, element.size)]

    def _element(self, type_: str) -> Struct:
        if type_ in SCALARS:
            leaf = _core.Member("", scalar_name(type_))
            return Struct((leaf,), leaf.size, leaf.size)
        if type_ not in self._elements:
            self._elements[type_] = self.of(self.components[type_].members)
        return self._elements[type_]

    @staticmethod
    def _leaves(member: Member, element: Struct, begin: int) -> Iterator[_core.Member]:
        if member.type in SCALARS:
            yield _core.Member(
                member.name,
                scalar_name(member.type),
                member.array_size or 1,
                begin,
                member.unit,
                member.comment,
            )
            return
        for index in range(member.array_size or 1):
            prefix = member.name if member.array_size is None else f"{member.name}.{index}"
            for leaf in element.leaves:
                offset = begin + index * element.size + leaf.offset
                is_value = not (member.type.startswith(OPTIONAL) and leaf.name == "has_value")
                unit = member.unit if is_value else ""
                yield _inside(leaf, f"{prefix}.{leaf.name}", offset, unit, member.comment)


def _vector_table(
    member: Member, collection: str, root: int, type_: str, members: list[_core.Member], size: int
) -> _core.Table:
    return _core.Table(
        f"{collection}.{member.name}",
        TableKind.vectorMember,
        type_,
        members,
        size,
        parent=root,
        description=member.comment,
    )


def _string_table(member: Member, collection: str, root: int) -> _core.Table:
    return _vector_table(member, collection, root, "string", [_characters(member.unit)], 1)


def _strings_tables(member: Member, collection: str, root: int, number: int) -> list[_core.Table]:
    strings = _vector_table(member, collection, root, "string", [], 0)
    return [strings, text_table(strings.name, number, member.unit)]


def text_table(strings: str, number: int, unit: str = "") -> _core.Table:
    """Return the table of the characters of strings, which are in the table of that number."""
    return _core.Table(
        f"{strings}.text", TableKind.text, "uint8", [_characters(unit)], 1, parent=number
    )


def _characters(unit: str) -> _core.Member:
    """Return the member of strings' characters, which has the strings' unit."""
    return _core.Member("", "uint8", unit=unit)


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _inside(leaf: _core.Member, name: str, offset: int, unit: str, comment: str) -> _core.Member:
    """Return a leaf of a component as one of what the component is a part of."""
    description = ": ".join(part for part in (comment, leaf.description) if part)
    return _core.Member(name, leaf.type, leaf.extent, offset, leaf.unit or unit, description)
