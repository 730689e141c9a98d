"""A data model as the YAML file tells it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

from kaon.modelgen.mistakes import NOWHERE, Place
from kaon.modelgen.precision import Precision
from kaon.modelgen.scalars import SCALARS, STRING

# Places are for messages only: models that say the same are equal.


def _place() -> Any:
    return field(default=NOWHERE, compare=False, repr=False)


def _told(**entries: object) -> dict[str, Any]:
    """Keep the entries that say something."""
    return {key: value for key, value in entries.items() if value not in (None, "", [], {})}


@dataclass(frozen=True)
class Member:
    """A member of a component or datatype, or a vector member.

    Attributes
    ----------
    type
        The type as written, or that of an array's elements or of an optional member's value.
    shape
        The sizes of a ``std::array``, the outermost first; () for other types.
    default
        What stands between the braces of the default; None without one.
    optional
        Whether it is a ``std::optional``.
    """

    type: str
    name: str
    shape: tuple[int, ...] = ()
    default: str | None = None
    unit: str = ""
    comment: str = ""
    optional: bool = False
    type_place: Place = _place()
    name_place: Place = _place()

    @property
    def array_size(self) -> int | None:
        """The number of elements of a ``std::array``, of all dimensions; None for other types."""
        return prod(self.shape) if self.shape else None

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            type=self.type,
            name=self.name,
            arraySize=list(self.shape) if len(self.shape) > 1 else self.array_size,
            default=self.default,
            unit=self.unit,
            comment=self.comment,
            optional=self.optional or None,
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Member:
        """Restore what `to_dict` returned."""
        size = entries.get("arraySize", [])
        return cls(
            entries["type"],
            entries["name"],
            (size,) if isinstance(size, int) else tuple(size),
            entries.get("default"),
            entries.get("unit", ""),
            entries.get("comment", ""),
            entries.get("optional", False),
        )


@dataclass(frozen=True)
class Relation:
    """A reference to objects of a datatype."""

    type: str
    name: str
    comment: str = ""
    type_place: Place = _place()
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(type=self.type, name=self.name, comment=self.comment)

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Relation:
        """Restore what `to_dict` returned."""
        return cls(entries["type"], entries["name"], entries.get("comment", ""))


@dataclass(frozen=True)
class ExtraCode:
    """C++ that is written into a generated class; ``{name}`` in it stands for the class.

    Attributes
    ----------
    includes
        Lines above the class.
    declaration
        What stands in the class.
    implementation
        What stands in a source file; components have none.
    """

    includes: str = ""
    declaration: str = ""
    implementation: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            includes=self.includes,
            declaration=self.declaration,
            implementation=self.implementation,
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> ExtraCode:
        """Restore what `to_dict` returned."""
        parts = ("includes", "declaration", "implementation")
        return cls(*(entries.get(part, "") for part in parts))


@dataclass(frozen=True)
class EnumValue:
    """A name for a number."""

    name: str
    value: int
    comment: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(name=self.name, value=self.value, comment=self.comment)

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> EnumValue:
        """Restore what `to_dict` returned."""
        return cls(entries["name"], entries["value"], entries.get("comment", ""))


@dataclass(frozen=True)
class Enum:
    """Numbers with names.

    Attributes
    ----------
    underlying
        The integer type that its values are kept as.
    """

    name: str
    underlying: str
    values: tuple[EnumValue, ...]
    description: str = ""
    author: str = ""
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            underlying=self.underlying,
            values=[value.to_dict() for value in self.values],
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Enum:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            entries["underlying"],
            tuple(map(EnumValue.from_dict, entries["values"])),
            entries.get("description", ""),
            entries.get("author", ""),
        )


@dataclass(frozen=True)
class Component:
    """A plain struct that members and vector members can be of."""

    name: str
    members: tuple[Member, ...]
    description: str = ""
    author: str = ""
    extra_code: ExtraCode = ExtraCode()
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            members=[member.to_dict() for member in self.members],
            extraCode=self.extra_code.to_dict(),
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Component:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            tuple(map(Member.from_dict, entries["members"])),
            entries.get("description", ""),
            entries.get("author", ""),
            ExtraCode.from_dict(entries.get("extraCode", {})),
        )


@dataclass(frozen=True)
class Datatype:
    """A type whose objects live in collections and can refer to each other."""

    name: str
    description: str
    author: str
    members: tuple[Member, ...] = ()
    vector_members: tuple[Member, ...] = ()
    one_to_one_relations: tuple[Relation, ...] = ()
    one_to_many_relations: tuple[Relation, ...] = ()
    extra_code: ExtraCode = ExtraCode()
    mutable_extra_code: ExtraCode = ExtraCode()
    name_place: Place = _place()

    @property
    def plain_members(self) -> tuple[Member, ...]:
        """The members of its struct: all but strings."""
        return tuple(member for member in self.members if member.type != STRING)

    @property
    def strings(self) -> tuple[Member, ...]:
        """The members that are strings."""
        return tuple(member for member in self.members if member.type == STRING)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """All relations, those to one object first."""
        return self.one_to_one_relations + self.one_to_many_relations

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            members=[member.to_dict() for member in self.members],
            vectorMembers=[member.to_dict() for member in self.vector_members],
            oneToOneRelations=[relation.to_dict() for relation in self.one_to_one_relations],
            oneToManyRelations=[relation.to_dict() for relation in self.one_to_many_relations],
            extraCode=self.extra_code.to_dict(),
            mutableExtraCode=self.mutable_extra_code.to_dict(),
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Datatype:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            entries.get("description", ""),
            entries.get("author", ""),
            tuple(map(Member.from_dict, entries.get("members", ()))),
            tuple(map(Member.from_dict, entries.get("vectorMembers", ()))),
            tuple(map(Relation.from_dict, entries.get("oneToOneRelations", ()))),
            tuple(map(Relation.from_dict, entries.get("oneToManyRelations", ()))),
            ExtraCode.from_dict(entries.get("extraCode", {})),
            ExtraCode.from_dict(entries.get("mutableExtraCode", {})),
        )


@dataclass(frozen=True)
class TypeName:
    """The name of a type where a model uses it."""

    type: str
    type_place: Place = _place()


@dataclass(frozen=True)
class Interface:
    """What several datatypes have in common, so that relations can lead to any of them."""

    name: str
    description: str
    author: str
    members: tuple[Member, ...] = ()
    types: tuple[TypeName, ...] = ()
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            members=[member.to_dict() for member in self.members],
            types=[named.type for named in self.types],
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Interface:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            entries.get("description", ""),
            entries.get("author", ""),
            tuple(map(Member.from_dict, entries.get("members", ()))),
            tuple(map(TypeName, entries.get("types", ()))),
        )


@dataclass(frozen=True)
class Link:
    """A weighted relation between two objects that neither of their types knows of."""

    name: str
    description: str
    author: str
    from_: TypeName
    to: TypeName
    name_place: Place = _place()

    def datatype(self) -> Datatype:
        """Return what its objects are in files."""
        return Datatype(
            self.name,
            self.description,
            self.author,
            (Member("float", "weight", default="1", comment="of the link"),),
            one_to_one_relations=(
                Relation(self.from_.type, "from", "where it begins"),
                Relation(self.to.type, "to", "where it ends"),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            **{"from": self.from_.type, "to": self.to.type},
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Link:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            entries.get("description", ""),
            entries.get("author", ""),
            TypeName(entries["from"]),
            TypeName(entries["to"]),
        )


@dataclass(frozen=True)
class Options:
    """The options of a model; their names in YAML are those of podio.

    Attributes
    ----------
    expose_pod_members
        Whether members of components have functions in the datatypes that hold these; None: those
        that are the only ones of their name.
    """

    get_syntax: bool = False
    expose_pod_members: bool | None = None
    include_subfolder: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            getSyntax=self.get_syntax,
            exposePODMembers=self.expose_pod_members,
            includeSubfolder=self.include_subfolder,
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, bool]) -> Options:
        """Restore what `to_dict` returned; what is missing has its default."""
        return cls(
            entries.get("getSyntax", cls.get_syntax),
            entries.get("exposePODMembers", cls.expose_pod_members),
            entries.get("includeSubfolder", cls.include_subfolder),
        )


@dataclass(frozen=True)
class Storage:
    """How the objects of a datatype are kept on disk, unless a writer is told otherwise.

    Attributes
    ----------
    layout
        One of ``split``, ``member`` and ``row``; None leaves it to the writer.
    group
        Collections of the same group lie together event by event; "" for none.
    precision
        What is kept of floating-point numbers, by member; a component's name stands for all in it.
        Others are lossless.
    """

    datatype: str
    layout: str | None = None
    group: str = ""
    precision: Mapping[str, Precision] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            datatype=self.datatype,
            layout=self.layout,
            group=self.group,
            precision={name: precision.to_dict() for name, precision in self.precision.items()},
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Storage:
        """Restore what `to_dict` returned."""
        precision = entries.get("precision", {})
        return cls(
            entries["datatype"],
            entries.get("layout"),
            entries.get("group", ""),
            {name: Precision.from_dict(told) for name, told in precision.items()},
        )


@dataclass(frozen=True)
class Migration:
    """What a member of a type, or the type itself, was called in an earlier version of the model.

    Attributes
    ----------
    type
        The datatype or component, by its present name.
    before
        The name in `from_version`.
    after
        That of the member in `to_version`; "" if it is the type that has got its name.
    """

    type: str
    from_version: int
    to_version: int
    before: str
    after: str = ""
    type_place: Place = _place()
    place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        change = "renameMember" if self.after else "renameType"
        names = _told(**{"from": self.before, "to": self.after})
        return {
            "type": self.type,
            "fromVersion": self.from_version,
            "toVersion": self.to_version,
            change: names,
        }

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Migration:
        """Restore what `to_dict` returned."""
        names = entries["renameMember" if "renameMember" in entries else "renameType"]
        versions = (entries["fromVersion"], entries["toVersion"])
        return cls(entries["type"], *versions, names["from"], names.get("to", ""))


@dataclass(frozen=True)
class Model:
    """A data model.

    Attributes
    ----------
    version
        The version of the data model as its makers count it: "v1.2.3"; "" for none.
    upstream
        The models whose types it uses; each can use those before it and has none of its own here.
    sources
        The files that it was read from, those of upstream models among them.
    """

    name: str
    schema_version: int
    options: Options = Options()
    components: tuple[Component, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    storage: tuple[Storage, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    links: tuple[Link, ...] = ()
    migrations: tuple[Migration, ...] = ()
    enums: tuple[Enum, ...] = ()
    version: str = ""
    upstream: tuple[Model, ...] = ()
    sources: tuple[Path, ...] = field(default=(), compare=False, repr=False)

    def whole(self) -> Model:
        """Return the model with the types of those upstream of it, which come first."""
        models = (*self.upstream, self)
        return replace(
            self,
            enums=tuple(enum for model in models for enum in model.enums),
            components=tuple(component for model in models for component in model.components),
            datatypes=tuple(datatype for model in models for datatype in model.datatypes),
            interfaces=tuple(interface for model in models for interface in model.interfaces),
            links=tuple(link for model in models for link in model.links),
            storage=tuple(storage for model in models for storage in model.storage),
        )

    def types(self) -> dict[str, Component | Enum]:
        """Return the types that members can be of, those of upstream models among them."""
        whole = self.whole()
        return {type_.name: type_ for type_ in (*whole.components, *whole.enums)}

    def stored(self) -> Model:
        """Return the whole model in the terms of files.

        Enums are the integers that they are kept as, defaults of arrays are in one row; an optional
        member is a component, of a value and of whether it is there.
        """
        whole = self.whole()
        enums = {enum.name: enum for enum in whole.enums}
        optionals: dict[str, Component] = {}

        def lowered(members: tuple[Member, ...]) -> tuple[Member, ...]:
            plain = (_in_one_row(_without_enum(member, enums)) for member in members)
            return tuple(_without_optional(member, optionals) for member in plain)

        components = tuple(replace(c, members=lowered(c.members)) for c in whole.components)
        datatypes = tuple(
            replace(d, members=lowered(d.members), vector_members=lowered(d.vector_members))
            for d in whole.datatypes
        )
        components += tuple(optionals.values())
        return replace(whole, enums=(), components=components, datatypes=datatypes)

    def to_dict(self) -> dict[str, Any]:
        """Return all that the YAML file said, in terms that JSON can hold."""
        return {
            "name": self.name,
            "schema_version": self.schema_version,
            "options": self.options.to_dict(),
            **_told(enums=[enum.to_dict() for enum in self.enums]),
            "components": [component.to_dict() for component in self.components],
            "datatypes": [datatype.to_dict() for datatype in self.datatypes],
            "interfaces": [interface.to_dict() for interface in self.interfaces],
            "links": [link.to_dict() for link in self.links],
            "storage": [storage.to_dict() for storage in self.storage],
            **_told(
                migrations=[migration.to_dict() for migration in self.migrations],
                version=self.version,
                upstream=[model.to_dict() for model in self.upstream],
            ),
        }

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Model:
        """Restore a model from what `to_dict` returned.

        Raises
        ------
        KeyError
            If something is missing that every model has.
        """
        return cls(
            entries["name"],
            entries["schema_version"],
            Options.from_dict(entries["options"]),
            tuple(map(Component.from_dict, entries["components"])),
            tuple(map(Datatype.from_dict, entries["datatypes"])),
            tuple(map(Storage.from_dict, entries["storage"])),
            tuple(map(Interface.from_dict, entries.get("interfaces", ()))),
            tuple(map(Link.from_dict, entries.get("links", ()))),
            tuple(map(Migration.from_dict, entries.get("migrations", ()))),
            tuple(map(Enum.from_dict, entries.get("enums", ()))),
            entries.get("version", ""),
            tuple(map(Model.from_dict, entries.get("upstream", ()))),
        )


OPTIONAL = "std::optional<"
"""How names of components begin that optional members are in files."""


def _without_enum(member: Member, enums: Mapping[str, Enum]) -> Member:
    if member.type not in enums:
        return member
    enum = enums[member.type]
    numbers = {value.name: str(value.value) for value in enum.values}

    def number(match: re.Match[str]) -> str:
        return numbers.get(match[1], match[0])

    default = member.default
    if default is not None:
        default = re.sub(r"(?:\w+::)*([A-Za-z_]\w*)", number, default)
    return replace(member, type=enum.underlying, default=default)


def _in_one_row(member: Member) -> Member:
    default = member.default
    if len(member.shape) < 2 or default is None or member.type not in SCALARS:
        return member
    # Its rows are complete.
    return replace(member, default=re.sub(r"('(?:\\.|[^'\\])')|[{}]", r"\1", default))


def _without_optional(member: Member, components: dict[str, Component]) -> Member:
    """Return a member of plain type; the component that it is of is added to `components`."""
    if not member.optional:
        return member
    name = f"{OPTIONAL}{member.type}{list(member.shape) if member.shape else ''}>"
    value = Member(member.type, "value", member.shape)
    components[name] = Component(name, (value, Member("bool", "has_value")))
    default = None if member.default is None else f"{{{member.default}}}, true"
    return replace(member, type=name, shape=(), default=default, optional=False)
