"""A data model as the YAML file tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kaon.modelgen.mistakes import NOWHERE, Place
from kaon.modelgen.precision import Precision

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
        The type as written, or that of an array's elements.
    array_size
        The number of elements of a ``std::array``; None for other types.
    default
        What stands between the braces of the default; None without one.
    """

    type: str
    name: str
    array_size: int | None = None
    default: str | None = None
    unit: str = ""
    comment: str = ""
    type_place: Place = _place()
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            type=self.type,
            name=self.name,
            arraySize=self.array_size,
            default=self.default,
            unit=self.unit,
            comment=self.comment,
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Member:
        """Restore what `to_dict` returned."""
        return cls(
            entries["type"],
            entries["name"],
            entries.get("arraySize"),
            entries.get("default"),
            entries.get("unit", ""),
            entries.get("comment", ""),
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
class Component:
    """A plain struct that members and vector members can be of."""

    name: str
    members: tuple[Member, ...]
    description: str = ""
    author: str = ""
    name_place: Place = _place()

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return _told(
            name=self.name,
            description=self.description,
            author=self.author,
            members=[member.to_dict() for member in self.members],
        )

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> Component:
        """Restore what `to_dict` returned."""
        return cls(
            entries["name"],
            tuple(map(Member.from_dict, entries["members"])),
            entries.get("description", ""),
            entries.get("author", ""),
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
    name_place: Place = _place()

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
    """The options of a model; their names in YAML are those of podio."""

    get_syntax: bool = False
    expose_pod_members: bool = True
    include_subfolder: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "getSyntax": self.get_syntax,
            "exposePODMembers": self.expose_pod_members,
            "includeSubfolder": self.include_subfolder,
        }

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
class Model:
    """A data model."""

    name: str
    schema_version: int
    options: Options = Options()
    components: tuple[Component, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    storage: tuple[Storage, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    links: tuple[Link, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all that the YAML file said, in terms that JSON can hold."""
        return {
            "name": self.name,
            "schema_version": self.schema_version,
            "options": self.options.to_dict(),
            "components": [component.to_dict() for component in self.components],
            "datatypes": [datatype.to_dict() for datatype in self.datatypes],
            "interfaces": [interface.to_dict() for interface in self.interfaces],
            "links": [link.to_dict() for link in self.links],
            "storage": [storage.to_dict() for storage in self.storage],
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
        )
