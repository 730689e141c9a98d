"""The way from the text of a model file to a `Model`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import yaml

from kaon.modelgen.check import check
from kaon.modelgen.defaults import check_default
from kaon.modelgen.document import Document, Entries, read_document
from kaon.modelgen.enums import parse_enum
from kaon.modelgen.extra_code import COMPONENT_KEYS, DATATYPE_KEYS, parse_extra_code
from kaon.modelgen.leaves import Types
from kaon.modelgen.members import LineMistake, MemberLine, parse_member
from kaon.modelgen.migrations import (
    all_datatypes,
    check_migrations,
    parse_migrations,
    with_migrations,
)
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
    TypeName,
)
from kaon.modelgen.storage import parse_storage

_TOP = (
    "schema_version",
    "options",
    "enums",
    "components",
    "datatypes",
    "interfaces",
    "links",
    "storage",
    "migrations",
)
_COMPONENT = ("Members", "Description", "Author", "ExtraCode")
_DATATYPE = (
    "Description",
    "Author",
    "Members",
    "VectorMembers",
    "OneToOneRelations",
    "OneToManyRelations",
    "ExtraCode",
    "MutableExtraCode",
)
_INTERFACE = ("Description", "Author", "Types", "Members")
_LINK = ("Description", "Author", "From", "To")
_OPTIONS = ("getSyntax", "exposePODMembers", "includeSubfolder")
_VERSION = re.compile(r"v?\d+[.-]\d+([.-]\d+)?", re.ASCII)
_MAX_SCHEMA_VERSION = 2**31 - 1

T = TypeVar("T")
_MakeLine = Callable[[MemberLine, Place, Place], T]


def load_model(
    path: str | os.PathLike[str],
    name: str | None = None,
    upstream: Iterable[str] = (),
    version: str = "",
    evolution: str | os.PathLike[str] | None = None,
    outside_files: bool = False,
    code_files: bool = True,
) -> Model:
    """Read a data model.

    Parameters
    ----------
    path
        The YAML file.
    name
        The name of the model; by default the name of the file without its suffix.
    upstream
        Models with types that this one uses, as ``NAME:FILE.yaml``; each can use those before it.
    version
        The version of the data model, ``v1.2.3`` or ``1.2``, which files store.
    evolution
        A YAML file with only ``migrations``, which are added to those of the model.
    outside_files
        Whether extra code may come from files outside the folders of the models.
    code_files
        Whether to read the files with extra code, which only generated classes need.

    Raises
    ------
    ModelError
        If one of the files has mistakes; the error lists all of them.
    ValueError
        If `upstream` or `version` has another form, or two models have the same name.
    """
    if version and not _VERSION.fullmatch(version):
        raise ValueError(f"'{version}' is not a version such as v1.2.3")
    path = Path(path)
    name = path.stem if name is None else name
    models: tuple[Model, ...] = ()
    for spelled in upstream:
        other, _, file = spelled.partition(":")
        if not other or not file:
            raise ValueError(f"'{spelled}' is not an upstream model such as NAME:FILE.yaml")
        if other in (name, *(model.name for model in models)):
            raise ValueError(f"two models have the name '{other}'")
        models += (_load(Path(file), other, models, "", outside_files, code_files),)
    model = _load(path, name, models, version, outside_files, code_files)
    return model if evolution is None else _evolved(model, Path(evolution))


def model_of_entries(entries: Mapping[str, Any], name: str = "model") -> Model:
    """Return the data model of dictionaries that have the content of a YAML file.

    Raises
    ------
    ModelError
        If it has mistakes; the error lists all of them, with their places in the YAML text.
    """
    text = yaml.safe_dump(dict(entries), sort_keys=False, width=1000)
    return _whole_model(Document(Path(name), text), name, (), "")


def _load(
    path: Path,
    name: str,
    upstream: tuple[Model, ...],
    version: str,
    outside_files: bool,
    code_files: bool,
) -> Model:
    document = read_document(path, outside_files, code_files)
    return _whole_model(document, name, upstream, version)


def _whole_model(document: Document, name: str, upstream: tuple[Model, ...], version: str) -> Model:
    root = document.root()
    model = replace(_model(document, root, name, upstream), version=version)
    check(model, document.note)
    if document.mistakes:
        raise ModelError(document.path, document.mistakes)
    # This model also has the upstream models of its upstream models.
    alone = tuple(replace(other, upstream=()) for other in upstream)
    return replace(model, upstream=alone)


def _evolved(model: Model, path: Path) -> Model:
    """Return the model with the migrations of another file."""
    document = read_document(path)
    top = document.mapping(document.root(), "", ("migrations",))
    if "migrations" in top:
        added = parse_migrations(document, top["migrations"][1])
        model = with_migrations(model, model.migrations + added)
        check_migrations(model, document.note)
    if document.mistakes:
        raise ModelError(path, document.mistakes)
    return replace(model, sources=(*model.sources, path))


def _model(document: Document, root: yaml.Node, name: str, upstream: tuple[Model, ...]) -> Model:
    top = document.mapping(root, "", _TOP)
    schema_version = None
    if "schema_version" in top:
        node = top["schema_version"][1]
        schema_version = document.whole_number(node, "schema_version: ", 1, _MAX_SCHEMA_VERSION)
    elif isinstance(root, yaml.MappingNode):
        document.note(root, "the key 'schema_version' is missing")
    enums = tuple(parse_enum(document, *nodes) for nodes in _named(document, top, "enums").values())
    types = {enum.name: enum for model in upstream for enum in model.enums}
    types |= {enum.name: enum for enum in enums}
    components = tuple(
        _component(document, types, *nodes)
        for nodes in _named(document, top, "components").values()
    )
    datatypes = tuple(
        _datatype(document, types, *nodes) for nodes in _named(document, top, "datatypes").values()
    )
    interfaces = tuple(
        _interface(document, types, *nodes)
        for nodes in _named(document, top, "interfaces").values()
    )
    links = tuple(_link(document, *nodes) for nodes in _named(document, top, "links").values())
    options = _options(document, top)
    model = Model(
        name,
        schema_version or 0,
        options,
        enums=enums,
        components=components,
        datatypes=datatypes,
        interfaces=interfaces,
        links=links,
        upstream=upstream,
    )
    if "storage" in top:
        inside, stored = model.whole().components, all_datatypes(model)
        model = replace(model, storage=parse_storage(document, top["storage"][1], inside, stored))
    if "migrations" in top:
        model = with_migrations(model, parse_migrations(document, top["migrations"][1]))
    sources = [source for other in upstream for source in other.sources] + document.sources
    return replace(model, sources=tuple(dict.fromkeys(sources)))


def _named(document: Document, top: Entries, key: str) -> Entries:
    return document.mapping(top[key][1], f"{key}: ") if key in top else {}


def _options(document: Document, top: Entries) -> Options:
    if "options" not in top:
        return Options()
    entries = document.mapping(top["options"][1], "options: ", _OPTIONS)
    values = {
        key: document.boolean(node, f"options: {key}: ") for key, (_, node) in entries.items()
    }
    return Options.from_dict({key: value for key, value in values.items() if value is not None})


def _component(
    document: Document, types: Types, key: yaml.ScalarNode, node: yaml.Node
) -> Component:
    name = key.value
    context = f"component '{name}': "
    entries = document.mapping(node, context, _COMPONENT)
    member = partial(_member, types)
    members = _lines(document, entries, "Members", context, member, needs_comment=False)
    if isinstance(node, yaml.MappingNode) and "Members" not in entries:
        document.note(key, f"{context}the key 'Members' is missing")
    elif "Members" in entries and entries["Members"][1].value == []:
        document.note(key, f"{context}a component needs at least one member")
    return Component(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        members,
        parse_extra_code(document, entries, "ExtraCode", context, COMPONENT_KEYS),
        document.place(key.start_mark.index),
    )


def _datatype(document: Document, types: Types, key: yaml.ScalarNode, node: yaml.Node) -> Datatype:
    name = key.value
    context = f"datatype '{name}': "
    entries = document.mapping(node, context, _DATATYPE)
    _check_mandatory(document, key, node, entries, context, ("Description", "Author"))
    return Datatype(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        _lines(document, entries, "Members", context, partial(_member, types)),
        _lines(document, entries, "VectorMembers", context, _vector_member),
        _lines(document, entries, "OneToOneRelations", context, _relation),
        _lines(document, entries, "OneToManyRelations", context, _relation),
        parse_extra_code(document, entries, "ExtraCode", context, DATATYPE_KEYS),
        parse_extra_code(document, entries, "MutableExtraCode", context, DATATYPE_KEYS),
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


def _interface(
    document: Document, types: Types, key: yaml.ScalarNode, node: yaml.Node
) -> Interface:
    name = key.value
    context = f"interface '{name}': "
    entries = document.mapping(node, context, _INTERFACE)
    _check_mandatory(document, key, node, entries, context, _INTERFACE[:3])
    names: list[tuple[str, Place]] = []
    if "Types" in entries:
        names = document.names(entries["Types"][1], f"{context}Types: ")
        if entries["Types"][1].value == []:
            document.note(key, f"{context}an interface needs at least one type")
    return Interface(
        name,
        _text(document, entries, "Description", context),
        _text(document, entries, "Author", context),
        _lines(document, entries, "Members", context, partial(_interface_member, types)),
        tuple(TypeName(*named) for named in names),
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
    """Return the results of `make` for the lines under a key; lines with mistakes are left out."""
    if key not in entries:
        return ()
    items = []
    for node in document.lines(entries[key][1], f"{context}{key}: "):
        indexes = document.indexes(node)
        try:
            line = parse_member(node.value)
            if needs_comment and line.comment is None:
                raise LineMistake(line.end, f"'{line.name}' needs a '// comment'")
            places = (document.place(indexes[at]) for at in (line.type_offset, line.name_offset))
            items.append(make(line, *places))
        except LineMistake as mistake:
            document.note(document.place(indexes[mistake.offset]), f"{context}{mistake}")
    return tuple(items)


def _member(types: Types, line: MemberLine, type_place: Place, name_place: Place) -> Member:
    if line.depth:
        wrong = "is a std::vector: it is an entry of 'VectorMembers'"
        raise LineMistake(line.type_offset, f"'{line.name}' {wrong}")
    check_default(line, types)
    return _member_of(line, type_place, name_place)


def _member_of(line: MemberLine, type_place: Place, name_place: Place) -> Member:
    return Member(
        line.type,
        line.name,
        line.shape,
        line.default,
        line.unit or "",
        line.comment or "",
        line.optional,
        line.depth,
        type_place,
        name_place,
    )


def _interface_member(
    types: Types, line: MemberLine, type_place: Place, name_place: Place
) -> Member:
    if line.default is not None:
        raise LineMistake(
            line.default_offset, f"'{line.name}' cannot have a default: the datatypes set it"
        )
    return _member(types, line, type_place, name_place)


def _vector_member(line: MemberLine, type_place: Place, name_place: Place) -> Member:
    if line.shape or line.optional:
        what = "a std::array" if line.shape else "std::optional"
        raise LineMistake(line.type_offset, f"the vector member '{line.name}' cannot hold {what}")
    if line.default is not None:
        raise LineMistake(
            line.default_offset, f"the vector member '{line.name}' has no default: it begins empty"
        )
    return _member_of(line, type_place, name_place)


def _relation(line: MemberLine, type_place: Place, name_place: Place) -> Relation:
    if line.depth:
        wrong = "cannot be a std::vector: 'OneToManyRelations' lead to any number of objects"
        raise LineMistake(line.type_offset, f"the relation '{line.name}' {wrong}")
    if line.shape:
        raise LineMistake(line.type_offset, f"the relation '{line.name}' cannot be a std::array")
    if line.optional:
        raise LineMistake(
            line.type_offset,
            f"the relation '{line.name}' is always optional: it can lead to no object",
        )
    if line.default is not None:
        raise LineMistake(line.default_offset, f"the relation '{line.name}' cannot have a default")
    if line.unit is not None:
        raise LineMistake(line.unit_offset, f"the relation '{line.name}' cannot have a unit")
    return Relation(line.type, line.name, line.comment or "", type_place, name_place)
