"""A data model, as its YAML file describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

from kaon.modelgen.json_values import JsonValue, WrongJson, json_field, outside_json
from kaon.modelgen.mistakes import NOWHERE, Place
from kaon.modelgen.precision import Precision
from kaon.modelgen.scalars import SCALARS, STRING

MOST_ELEMENTS = 10**9 - 1
"""The limit of the elements of a ``std::array``."""

MOST_DIMENSIONS = 32
"""The limit of the dimensions of a ``std::array``."""

MOST_MIGRATIONS = 1000
"""The limit of the migrations of a model."""

MOST_LISTS = 8
"""The limit of nested lists. Files could have more, but users could not distinguish them."""


def _place() -> Any:
    """Return the field of a place. Places are for messages; they do not make models differ."""
    return outside_json(NOWHERE)


@dataclass(frozen=True)
class Member(JsonValue):
    """A member of a component or datatype, or a vector member.

    Attributes
    ----------
    type
        The type as written; of an array, its element type; of an optional, its value type.
    shape
        The sizes of a ``std::array``, the outermost first; () for other types.
    default
        The text between the braces of the default; None without a default.
    optional
        Whether it is a ``std::optional``.
    depth
        For a vector member: the number of nested ``std::vector`` in each element; `type` is the
        innermost type.
    """

    type: str
    name: str
    shape: tuple[int, ...] = json_field("arraySize", default=())
    default: str | None = None
    unit: str = ""
    comment: str = ""
    optional: bool = False
    depth: int = 0
    type_place: Place = _place()
    name_place: Place = _place()

    @property
    def array_size(self) -> int | None:
        """The number of elements of a ``std::array``, of all dimensions; None for other types."""
        return prod(self.shape) if self.shape else None

    def to_dict(self) -> Any:
        """Return values that JSON can hold; for one dimension, the shape is a number."""
        entries = super().to_dict()
        if len(self.shape) == 1:
            entries["arraySize"] = self.shape[0]
        if not self.optional:
            del entries["optional"]
        if not self.depth:
            del entries["depth"]
        return entries

    @classmethod
    def from_dict(cls, entries: Any) -> Member:
        """Restore a member from the result of `to_dict`; raise as other values."""
        if isinstance(entries, Mapping) and isinstance(size := entries.get("arraySize"), int):
            entries = {**entries, "arraySize": [size]}
        member = super().from_dict(entries)
        if len(member.shape) > MOST_DIMENSIONS or not all(size > 0 for size in member.shape):
            wrong = f"expected at most {MOST_DIMENSIONS} whole numbers above 0"
            raise WrongJson("arraySize", wrong)
        if prod(member.shape) > MOST_ELEMENTS:
            raise WrongJson("arraySize", f"an array of more than {MOST_ELEMENTS:,} elements")
        if not 0 <= member.depth <= MOST_LISTS:
            raise WrongJson("depth", f"expected a whole number from 1 to {MOST_LISTS}")
        return member


@dataclass(frozen=True)
class Relation(JsonValue):
    """A reference to objects of a datatype."""

    type: str
    name: str
    comment: str = ""
    type_place: Place = _place()
    name_place: Place = _place()


@dataclass(frozen=True)
class ExtraCode(JsonValue):
    """C++ code that is written into a generated class; ``{name}`` in it stands for the class.

    Attributes
    ----------
    includes
        Lines above the class.
    declaration
        Code inside the class.
    implementation
        Code for a source file; empty for components.
    """

    includes: str = ""
    declaration: str = ""
    implementation: str = ""


@dataclass(frozen=True)
class EnumValue(JsonValue):
    """A name for a number."""

    name: str
    value: int
    comment: str = ""


@dataclass(frozen=True)
class Enum(JsonValue):
    """Numbers with names.

    Attributes
    ----------
    underlying
        The integer type of its values.
    """

    name: str
    description: str = ""
    author: str = ""
    underlying: str = "int32_t"
    values: tuple[EnumValue, ...] = ()
    name_place: Place = _place()


@dataclass(frozen=True)
class Component(JsonValue):
    """A plain struct, as the type of members and vector members."""

    name: str
    description: str = ""
    author: str = ""
    members: tuple[Member, ...] = ()
    extra_code: ExtraCode = ExtraCode()
    name_place: Place = _place()


@dataclass(frozen=True)
class Datatype(JsonValue):
    """A type whose objects live in collections and can refer to each other."""

    name: str
    description: str = ""
    author: str = ""
    members: tuple[Member, ...] = ()
    vector_members: tuple[Member, ...] = ()
    one_to_one_relations: tuple[Relation, ...] = ()
    one_to_many_relations: tuple[Relation, ...] = ()
    extra_code: ExtraCode = ExtraCode()
    mutable_extra_code: ExtraCode = ExtraCode()
    name_place: Place = _place()

    @property
    def plain_members(self) -> tuple[Member, ...]:
        """The members of its struct; strings are not in it."""
        return tuple(member for member in self.members if member.type != STRING)

    @property
    def strings(self) -> tuple[Member, ...]:
        """The members that are strings."""
        return tuple(member for member in self.members if member.type == STRING)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """All relations; those to one object come first."""
        return self.one_to_one_relations + self.one_to_many_relations


@dataclass(frozen=True)
class TypeName(JsonValue):
    """The name of a type where a model uses it."""

    type: str
    type_place: Place = _place()

    def to_dict(self) -> Any:
        """Return the name, as JSON has only this."""
        return self.type

    @classmethod
    def from_dict(cls, entries: Any) -> TypeName:
        """Restore a type name from the result of `to_dict`; raise as other values."""
        if not isinstance(entries, str):
            raise WrongJson("", "expected a text")
        return cls(entries)


@dataclass(frozen=True)
class Interface(JsonValue):
    """Members that several datatypes share, so that relations can lead to any of them."""

    name: str
    description: str = ""
    author: str = ""
    members: tuple[Member, ...] = ()
    types: tuple[TypeName, ...] = ()
    name_place: Place = _place()


@dataclass(frozen=True)
class Link(JsonValue):
    """A weighted relation between two objects; their datatypes do not have it."""

    name: str
    description: str = ""
    author: str = ""
    from_: TypeName = json_field("from", default=TypeName(""))
    to: TypeName = TypeName("")
    name_place: Place = _place()

    def datatype(self) -> Datatype:
        """Return the datatype of its objects in files."""
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


@dataclass(frozen=True)
class Options(JsonValue):
    """The options of a model; their names in YAML are those of podio.

    Attributes
    ----------
    expose_pod_members
        Whether members of components get functions in the datatypes with these components. None:
        only members with a unique name get functions.
    """

    get_syntax: bool = False
    expose_pod_members: bool | None = json_field("exposePODMembers", default=None)
    include_subfolder: bool = False


@dataclass(frozen=True)
class Storage(JsonValue):
    """The storage of a datatype's objects in files, unless a writer has other options.

    Attributes
    ----------
    layout
        One of ``split``, ``member`` and ``row``; None leaves the choice to the writer.
    group
        Collections of the same group are stored together event by event; "" for no group.
    precision
        The precision of floating-point numbers, by member; a component's name stands for all its
        members. Other members are lossless.
    """

    datatype: str
    layout: str | None = None
    group: str = ""
    precision: Mapping[str, Precision] = field(default_factory=dict)


@dataclass(frozen=True)
class Migration(JsonValue):
    """The name of a type, or of its member, in an earlier version of the model.

    Attributes
    ----------
    type
        The datatype or component, by its present name.
    before
        The name in `from_version`.
    after
        The name of the member in `to_version`; "" for the name of a type.
    """

    type: str
    from_version: int
    to_version: int
    before: str
    after: str = ""
    type_place: Place = _place()
    place: Place = _place()

    def to_dict(self) -> Any:
        """Return values that JSON can hold; the kind of change is a key."""
        entries = super().to_dict()
        names = {"from": entries.pop("before")}
        if self.after:
            names["to"] = entries.pop("after")
        return {**entries, "renameMember" if self.after else "renameType": names}

    @classmethod
    def from_dict(cls, entries: Any) -> Migration:
        """Restore a migration from the result of `to_dict`; raise as other values."""
        if not isinstance(entries, Mapping):
            raise WrongJson("", "expected entries by name")
        names = entries.get("renameMember", entries.get("renameType"))
        if not isinstance(names, Mapping) or "from" not in names:
            raise WrongJson("", "expected the names of 'renameMember' or 'renameType'")
        return super().from_dict({**entries, "before": names["from"], "after": names.get("to", "")})


@dataclass(frozen=True)
class Model(JsonValue):
    """A data model.

    Attributes
    ----------
    version
        The version of the data model in the counting of its authors, "v1.2.3"; "" without one.
    upstream
        The models whose types it uses. Each can use those before it; their own `upstream` is empty.
    sources
        The files that it was read from, including files of upstream models.
    """

    always_in_json = ("components", "datatypes", "interfaces", "links", "storage")

    name: str
    schema_version: int = json_field("schema_version")
    options: Options = Options()
    enums: tuple[Enum, ...] = ()
    components: tuple[Component, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    links: tuple[Link, ...] = ()
    storage: tuple[Storage, ...] = ()
    migrations: tuple[Migration, ...] = ()
    version: str = ""
    upstream: tuple[Model, ...] = ()
    sources: tuple[Path, ...] = outside_json(())

    def whole(self) -> Model:
        """Return the model with the types of its upstream models, which come first."""
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
        """Return the types that members can have, including types of upstream models."""
        whole = self.whole()
        types: list[Component | Enum] = [*whole.components, *whole.enums]
        return {type_.name: type_ for type_ in types}

    def stored(self) -> Model:
        """Return the whole model in the form of files.

        Enums become the integers that files store, and defaults of arrays one row. An optional
        member becomes a component of a value and a bool that tells whether it is present.
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

    def members(self) -> dict[str, tuple[Member, ...]]:
        """Return the members of each component and datatype by its name."""
        types: tuple[Component | Datatype, ...] = (*self.components, *self.datatypes)
        return {type_.name: type_.members for type_ in types}


OPTIONAL = "std::optional<"
"""The begin of the names of components for optional members in files."""


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
    # All its rows are complete.
    return replace(member, default=re.sub(r"('(?:\\.|[^'\\])')|[{}]", r"\1", default))


def _without_optional(member: Member, components: dict[str, Component]) -> Member:
    """Return a member without std::optional; `components` gets the component of its type."""
    if not member.optional:
        return member
    name = f"{OPTIONAL}{member.type}{list(member.shape) if member.shape else ''}>"
    value = Member(member.type, "value", member.shape)
    components[name] = Component(name, members=(value, Member("bool", "has_value")))
    default = None if member.default is None else f"{{{member.default}}}, true"
    return replace(member, type=name, shape=(), default=default, optional=False)
