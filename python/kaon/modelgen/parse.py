"""From the text of a model file to a `Model`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import yaml

from kaon.modelgen.check import check
from kaon.modelgen.defaults import check_default
from kaon.modelgen.document import Document, Entries, read_document
from kaon.modelgen.members import LineMistake, MemberLine, parse_member
from kaon.modelgen.mistakes import ModelError, Place
from kaon.modelgen.model import (
    Component,
    Datatype,
    Interface,
    Link,
    Member,
    Model,
    Options,
    Relation,
    Storage,
    TypeName,
)
from kaon.modelgen.storage import parse_storage

_TOP = (
    "schema_version",
    "options",
    "components",
    "datatypes",
    "interfaces",
    "links",
    "storage",
)
_COMPONENT = ("Members", "Description", "Author")
_DATATYPE = (
    "Description",
    "Author",
    "Members",
    "VectorMembers",
    "OneToOneRelations",
    "OneToManyRelations",
)
_INTERFACE = ("Description", "Author", "Members", "Types")
_LINK = ("Description", "Author", "From", "To")
_DATATYPE_LATER = ("ExtraCode", "MutableExtraCode")
_MAX_SCHEMA_VERSION = 2**31 - 1

T = TypeVar("T")
_MakeLine = Callable[[MemberLine, Place, Place], T]


def load_model(path: str | os.PathLike[str], name: str | None = None) -> Model:
    """Read a data model.

    Parameters
    ----------
    path
        The YAML file.
    name
        The name of the model; by default that of the file without its suffix.

    Raises
    ------
    ModelError
        If anything is wrong with the file; it tells all mistakes.
    """
    path = Path(path)
    document = read_document(path)
    root = document.root()
    model = _model(document, root, path.stem if name is None else name)
    check(model, document.note)
    if document.mistakes:
        raise ModelError(path, document.mistakes)
    return model


def _model(document: Document, root: yaml.Node, name: str) -> Model:
    top = document.mapping(root, "", _TOP)
    version = None
    if "schema_version" in top:
        node = top["schema_version"][1]
        version = document.whole_number(node, "schema_version: ", 1, _MAX_SCHEMA_VERSION)
    elif isinstance(root, yaml.MappingNode):
        document.note(root, "the key 'schema_version' is missing")
    components = tuple(
        _component(document, *nodes) for nodes in _named(document, top, "components").values()
    )
    datatypes = tuple(
        _datatype(document, *nodes) for nodes in _named(document, top, "datatypes").values()
    )
    interfaces = tuple(
        _interface(document, *nodes) for nodes in _named(document, top, "interfaces").values()
    )
    links = tuple(_link(document, *nodes) for nodes in _named(document, top, "links").values())
    storage: tuple[Storage, ...] = ()
    if "storage" in top:
        storage = parse_storage(document, top["storage"][1], components, datatypes)
    options = _options(document, top)
    return Model(name, version or 0, options, components, datatypes, storage, interfaces, links)


def _named(document: Document, top: Entries, key: str) -> Entries:
    return document.mapping(top[key][1], f"{key}: ") if key in top else {}


def _options(document: Document, top: Entries) -> Options:
    if "options" not in top:
        return Options()
    entries = document.mapping(top["options"][1], "options: ", Options().to_dict())
    values = {
        key: document.boolean(node, f"options: {key}: ") for key, (_, node) in entries.items()
    }
    return Options.from_dict({key: value for key, value in values.items() if value is not None})


def _component(document: Document, key: yaml.ScalarNode, node: yaml.Node) -> Component:
    name = key.value
    context = f"component '{name}': "
    entries = document.mapping(node, context, _COMPONENT, ("ExtraCode",))
    members = _lines(document, entries, "Members", context, _member, needs_comment=False)
    if isinstance(node, yaml.MappingNode) and "Members" not in entries:
        document.note(key, f"{context}the key 'Members' is missing")
    elif "Members" in entries and entries["Members"][1].value == []:
        document.note(key, f"{context}a component has one member at least")
    return Component(
        name,
        members,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        document.place(key.start_mark.index),
    )


def _datatype(document: Document, key: yaml.ScalarNode, node: yaml.Node) -> Datatype:
    name = key.value
    context = f"datatype '{name}': "
    entries = document.mapping(node, context, _DATATYPE, _DATATYPE_LATER)
    _check_mandatory(document, key, node, entries, context, ("Description", "Author"))
    return Datatype(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        _lines(document, entries, "Members", context, _member),
        _lines(document, entries, "VectorMembers", context, _vector_member),
        _lines(document, entries, "OneToOneRelations", context, _relation),
        _lines(document, entries, "OneToManyRelations", context, _relation),
        document.place(key.start_mark.index),
    )


def _check_mandatory(
    document: Document,
    key: yaml.ScalarNode,
    node: yaml.Node,
    entries: Entries,
    context: str,
    mandatory: Iterable[str],
) -> None:
    if not isinstance(node, yaml.MappingNode):
        return
    for name in mandatory:
        if name not in entries:
            document.note(key, f"{context}the key '{name}' is missing")


def _interface(document: Document, key: yaml.ScalarNode, node: yaml.Node) -> Interface:
    name = key.value
    context = f"interface '{name}': "
    entries = document.mapping(node, context, _INTERFACE)
    _check_mandatory(document, key, node, entries, context, _INTERFACE)
    types: list[tuple[str, Place]] = []
    if "Types" in entries:
        types = document.names(entries["Types"][1], f"{context}Types: ")
        if entries["Types"][1].value == []:
            document.note(key, f"{context}an interface stands for one type at least")
    return Interface(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        _lines(document, entries, "Members", context, _interface_member),
        tuple(TypeName(*named) for named in types),
        document.place(key.start_mark.index),
    )


def _link(document: Document, key: yaml.ScalarNode, node: yaml.Node) -> Link:
    name = key.value
    context = f"link '{name}': "
    entries = document.mapping(node, context, _LINK)
    _check_mandatory(document, key, node, entries, context, _LINK)
    return Link(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        _type_name(document, entries, "From", context),
        _type_name(document, entries, "To", context),
        document.place(key.start_mark.index),
    )


def _type_name(document: Document, entries: Entries, key: str, context: str) -> TypeName:
    if key not in entries:
        return TypeName("")
    place = document.place(entries[key][1].start_mark.index)
    return TypeName(_text(document, entries, key, context), place)


def _text(document: Document, entries: Entries, key: str, context: str) -> str:
    if key not in entries:
        return ""
    return (document.text_of(entries[key][1], f"{context}{key}: ") or "").strip()


def _lines(
    document: Document,
    entries: Entries,
    key: str,
    context: str,
    make: _MakeLine[T],
    needs_comment: bool = True,
) -> tuple[T, ...]:
    """Return what `make` makes of the lines under a key, without those that have a mistake."""
    if key not in entries:
        return ()
    found = []
    for node in document.lines(entries[key][1], f"{context}{key}: "):
        indexes = document.indexes(node)
        try:
            line = parse_member(node.value)
            if needs_comment and line.comment is None:
                raise LineMistake(line.end, f"'{line.name}' needs a '// comment'")
            places = (document.place(indexes[at]) for at in (line.type_offset, line.name_offset))
            found.append(make(line, *places))
        except LineMistake as mistake:
            document.note(document.place(indexes[mistake.offset]), f"{context}{mistake}")
    return tuple(found)


def _member(line: MemberLine, type_place: Place, name_place: Place) -> Member:
    check_default(line)
    return Member(
        *(line.type, line.name, line.array_size, line.default),
        *(line.unit or "", line.comment or "", type_place, name_place),
    )


def _interface_member(line: MemberLine, type_place: Place, name_place: Place) -> Member:
    if line.default is not None:
        raise LineMistake(
            line.default_offset, f"'{line.name}' has no default here: the datatypes have theirs"
        )
    return _member(line, type_place, name_place)


def _vector_member(line: MemberLine, type_place: Place, name_place: Place) -> Member:
    if line.array_size is not None:
        raise LineMistake(
            line.type_offset, f"the vector member '{line.name}' cannot hold a std::array"
        )
    if line.default is not None:
        raise LineMistake(
            line.default_offset, f"the vector member '{line.name}' has no default: it begins empty"
        )
    return _member(line, type_place, name_place)


def _relation(line: MemberLine, type_place: Place, name_place: Place) -> Relation:
    if line.array_size is not None:
        raise LineMistake(line.type_offset, f"the relation '{line.name}' cannot be a std::array")
    if line.default is not None:
        raise LineMistake(line.default_offset, f"the relation '{line.name}' cannot have a default")
    if line.unit is not None:
        raise LineMistake(line.unit_offset, f"the relation '{line.name}' cannot have a unit")
    return Relation(line.type, line.name, line.comment or "", type_place, name_place)
