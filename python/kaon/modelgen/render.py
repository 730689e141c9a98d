"""The way from a model to the texts of its C++ files."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kaon.modelgen import cpp, line_breaks, names
from kaon.modelgen.leaves import Leaf, Types, element_leaves, leaves
from kaon.modelgen.migrations import all_datatypes, old_paths, old_type_names
from kaon.modelgen.model import (
    Component,
    Datatype,
    Enum,
    Interface,
    Link,
    Member,
    Model,
    Storage,
)
from kaon.modelgen.names import split_type
from kaon.modelgen.precision import Precision
from kaon.modelgen.scalars import SCALARS, STRING
from kaon.modelgen.storage import leaf_precisions


def render(model: Model, list_ranges: bool = False) -> dict[str, str]:
    """Return the texts of all files of a model, without their first line, by file name."""
    return _Renderer(model, list_ranges).texts()


class _Renderer:
    def __init__(self, model: Model, list_ranges: bool) -> None:
        self.model = model
        self.list_ranges = list_ranges
        whole = model.whole()
        self.components = {component.name: component for component in whole.components}
        self.datatypes = {datatype.name: datatype for datatype in whole.datatypes}
        self.types: Types = model.types()
        self.folders = {
            type_.name: other.name
            for other in (*model.upstream, model)
            for types in (
                other.enums,
                other.components,
                other.datatypes,
                other.interfaces,
                other.links,
            )
            for type_ in types
        }
        # C++ is full of braces, but has no `${`.
        self.templates = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            undefined=StrictUndefined,
            variable_start_string="${",
            variable_end_string="}",
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        get_syntax = model.options.get_syntax
        self.templates.globals.update(
            cpp=cpp,
            doc=line_breaks.doc,
            fill=line_breaks.fill,
            model=model,
            types=self.types,
            verbatim=line_breaks.verbatim,
            getter=partial(names.getter, get_syntax=get_syntax),
            setter=partial(names.setter, get_syntax=get_syntax),
            adder=partial(names.adder, get_syntax=get_syntax),
        )

    def texts(self) -> dict[str, str]:
        texts = {}
        for enum in self.model.enums:
            (name,) = names.enum_classes(enum)
            texts[f"{name}.h"] = self.enum(name, enum)
        for component in self.model.components:
            (name,) = names.component_classes(component)
            texts[f"{name}.h"] = self.component(name, component)
        for datatype in self.model.datatypes:
            classes = names.datatype_classes(datatype)
            context = self.datatype(datatype)
            files = ("data.h", "handle.h", "mutable.h", "collection.h")
            for name, file in zip(classes, files, strict=True):
                texts[f"{name}.h"] = line_breaks.wrap_functions(self.fill(file, **context))
            for name in names.implemented_classes(datatype):
                texts[f"{name}.cc"] = self.implementation(name, datatype)
        for interface in self.model.interfaces:
            (name,) = names.interface_classes(interface)
            texts[f"{name}.h"] = line_breaks.wrap_functions(self.interface(interface))
        for link in self.model.links:
            name, *others = names.link_classes(link)
            texts[f"{name}.h"] = self.link(link)
            for other in others:
                texts[f"{other}.h"] = self.fill("mutable.h", name=name)
        texts[f"{self.model.name}.h"] = self.umbrella()
        texts[f"{self.model.name}.cc"] = self.descriptions()
        return texts

    def fill(self, template: str, **context: Any) -> str:
        return self.templates.get_template(f"{template}.jinja2").render(context)

    def enum(self, name: str, enum: Enum) -> str:
        return self.fill(
            "enum.h",
            name=name,
            enum=enum,
            namespace=split_type(enum.name)[0],
            underlying=SCALARS[enum.underlying],
        )

    def component(self, name: str, component: Component) -> str:
        headers = self.headers(component.members)
        system = _system_headers(component.members, "array", "concepts", "cstddef")
        library = [*_library_headers(component.members), "kaon/detail/model/StructLeaves.h"]
        text = self.fill(
            "component.h",
            name=name,
            component=component,
            namespace=split_type(component.name)[0],
            includes=_includes(headers, library, system),
            compares=re.search(r"operator\s*==", component.extra_code.declaration) is None,
            prints=re.search(r"operator\s*<<", component.extra_code.declaration) is None,
            leaf_rows=self.leaf_rows(component.name, component.members),
        )
        return text.replace(line_breaks.MARK, "")

    def leaf_rows(self, struct: str, members: Iterable[Member]) -> list[str]:
        """Return the rows of ``kaon::detail::StructLeaves`` for a struct."""
        # The code is in the namespace `kaon`, which may contain a namespace of the model's name.
        return [
            cpp.leaf_row(leaf, f"::{struct}", root="::") for leaf in leaves(members, self.types)
        ]

    def interface(self, interface: Interface) -> str:
        namespace, name = split_type(interface.name)
        types = [named.type for named in interface.types]
        classes = {split_type(type_) for type_ in types}
        headers = sorted(self.header(type_) for type_ in types)
        return self.fill(
            "interface.h",
            name=name,
            namespace=namespace,
            interface=interface,
            includes=_includes(
                self.headers(interface.members),
                ["kaon/object/Interface.h", *_library_headers(interface.members)],
                _system_headers(interface.members, "cstddef", "string_view"),
            ),
            forward=_by_namespace(classes, namespace),
            alternatives=[cpp.type_name(type_) for type_ in types],
            headers=headers,
            members=list(self.common_members(interface)),
        )

    def common_members(self, interface: Interface) -> Iterable[tuple[Member, str]]:
        """Yield an interface's members, each with the call that reads it."""
        types = [self.datatypes[named.type] for named in interface.types]
        firsts = [self.first_leaves(type_.members) for type_ in types]
        strings = [[string.name for string in type_.strings] for type_ in types]
        for member in interface.members:
            if not all(member.name in {own.name for own in type_.members} for type_ in types):
                get = names.getter(member.name, self.model.options.get_syntax)
                result = cpp.result_type(member, self.types)
                yield member, f"visit([](const auto& o) -> {result} {{ return o.{get}(); }})"
                continue
            if member.type == STRING:
                numbers = ", ".join(str(names.index(member.name)) for names in strings)
                yield member, f"stringMember<{numbers}>()"
                continue
            leaves = ", ".join(str(first[member.name]) for first in firsts)
            yield member, f"member<{cpp.value_type(member)}, {leaves}>()"

    def link(self, link: Link) -> str:
        namespace, name = split_type(link.name)
        ends = (link.from_.type, link.to.type)
        return self.fill(
            "link.h",
            name=name,
            namespace=namespace,
            link=link,
            includes=_includes(
                sorted({self.header(end) for end in ends}), ["kaon/object/Link.h"], []
            ),
            ends=[cpp.type_name(end) for end in ends],
        )

    def datatype(self, datatype: Datatype) -> dict[str, Any]:
        """Return the arguments of a datatype's templates."""
        namespace, name = split_type(datatype.name)
        headers = {self.header(relation.type) for relation in datatype.relations}
        data_headers = self.headers(datatype.plain_members)
        handle_headers = self.headers(datatype.vector_members)
        held = (*datatype.members, *datatype.vector_members)
        return {
            "datatype": datatype,
            "name": name,
            "namespace": namespace,
            "forward": self.forward(datatype),
            "related_headers": sorted(headers - {self.header(datatype.name)}),
            "data_includes": _includes(
                data_headers,
                [*_library_headers(datatype.members), "kaon/detail/model/StructLeaves.h"],
                _system_headers(
                    datatype.plain_members,
                    *("array", "cstddef"),
                    *(["cstdint"] if self.list_ranges else []),
                ),
            ),
            "leaf_rows": self.leaf_rows(f"{datatype.name}Data", datatype.plain_members),
            "ranges": self.ranges(datatype) if self.list_ranges else [],
            "handle_includes": _includes(
                sorted([f"{self.stem(datatype.name)}Data.h", *handle_headers]),
                ["kaon/object/Handle.h"],
                _system_headers(held, "cstddef", "cstdint", *_list_headers(datatype)),
            ),
            "members": list(self.members(datatype)),
            "constructed": [(member, path) for member, _, path in self.members(datatype)],
            "exposed": list(self.exposed(datatype)),
            "columns": [
                member
                for member in datatype.members
                if cpp.is_referable(member) and self.getter(member) not in names.COLLECTION_NAMES
            ],
            "mutable_code": names.mutable_code(datatype),
            "overloaded": self.overloaded(datatype),
            "leaf_accessors": list(self.leaf_accessors(datatype)),
            "relation_accessors": list(self.relation_accessors(datatype)),
        }

    def implementation(self, name: str, datatype: Datatype) -> str:
        """Return the source file of a class, with the extra code that is to be compiled."""
        namespace, short = split_type(datatype.name)
        codes = [datatype.extra_code] if name == short else names.mutable_code(datatype)
        text = self.fill(
            "extra.cc",
            header=f"{self.stem(datatype.name)}Collection.h",
            name=name,
            namespace=namespace,
            codes=[code.implementation for code in codes if code.implementation],
        )
        return text.replace(line_breaks.MARK, "")

    def ranges(self, datatype: Datatype) -> list[str]:
        """Return the names of the lists whose ranges podio's struct has."""
        lists = [relation.name for relation in datatype.one_to_many_relations]
        lists += [m.name for m in datatype.vector_members if m.type != STRING and not m.depth]
        ends = {f"{name}_{end}" for name in lists for end in ("begin", "end")}
        for member in datatype.plain_members:
            if member.name in ends:
                raise ValueError(
                    f"{datatype.name}: the member '{member.name}' has the name of a list's range: "
                    "generate the classes without --list-ranges"
                )
        return lists

    def getter(self, member: Member) -> str:
        return names.getter(member.name, self.model.options.get_syntax)

    def overloaded(self, datatype: Datatype) -> list[str]:
        """Return the accessors that functions of the mutable class's extra code may hide."""
        get_syntax = self.model.options.get_syntax
        single = [member.name for member in datatype.members]
        single += [relation.name for relation in datatype.one_to_one_relations]
        single += [member.name for member, *_ in self.exposed(datatype)]
        lists = [member.name for member in datatype.vector_members]
        lists += [relation.name for relation in datatype.one_to_many_relations]
        getters = {names.getter(name, get_syntax) for name in (*single, *lists)}
        # The mutable class has a `using` for these anyway.
        getters -= {names.setter(name, get_syntax) for name in single}
        held = (*datatype.members, *(member for member, *_ in self.exposed(datatype)))
        getters -= {self.getter(member) for member in held if cpp.is_referable(member)}
        declared = "".join(code.declaration for code in names.mutable_code(datatype))
        return sorted(getters & names.called(declared))

    def forward(self, datatype: Datatype) -> list[tuple[str, list[str]]]:
        """Return the classes to declare first, by namespace; that of the datatype comes last."""
        namespace, name = split_type(datatype.name)
        classes = {split_type(relation.type) for relation in datatype.relations}
        classes |= {(namespace, f"Mutable{name}"), (namespace, f"{name}Collection")}
        classes -= {(namespace, name)}
        return _by_namespace(classes, namespace)

    def members(self, datatype: Datatype) -> Iterable[tuple[Member, str, str]]:
        """Yield the members, each with the arguments of the reading template, and its path.

        For a string, both are its number.
        """
        strings = [member.name for member in datatype.strings]
        for member, leaf, path in self.places(datatype.members):
            if member.type == STRING:
                number = str(strings.index(member.name))
                yield member, number, number
            else:
                yield member, _access(member, leaf), path

    def exposed(self, datatype: Datatype) -> Iterable[tuple[Member, str, str]]:
        """Yield the same for members of components that have their own functions."""
        for member, leaf, path in self.exposed_places(datatype):
            yield member, _access(member, leaf), path

    def exposed_places(self, datatype: Datatype) -> Iterable[tuple[Member, int, str]]:
        pairs = names.exposed(datatype, self.components, self.model.options)
        firsts = self.first_leaves(datatype.members)
        for member in datatype.members:
            wanted = {inner.name for holder, inner in pairs if holder.name == member.name}
            if wanted:
                inside = self.components[member.type].members
                places = self.places(inside, firsts[member.name], f"{member.name}.")
                yield from (place for place in places if place[0].name in wanted)

    def places(
        self, members: Sequence[Member], first: int = 0, path: str = ""
    ) -> Iterable[tuple[Member, int, str]]:
        """Yield members, each with the number of its first leaf and its path in the struct."""
        firsts = self.first_leaves(members)
        for member in members:
            yield member, first + firsts[member.name], path + member.name

    def leaf_accessors(self, datatype: Datatype) -> Iterable[str]:
        """Yield accessors that return a member unchanged, with the number of its first leaf."""
        for member, leaf, _ in (*self.places(datatype.members), *self.exposed_places(datatype)):
            if member.type != STRING and not member.optional:
                result = cpp.result_type(member, self.types)
                yield self.accessor(datatype, member.name, result, leaf)

    def relation_accessors(self, datatype: Datatype) -> Iterable[str]:
        """Yield the accessors of relations, each with the number of its relation."""
        for number, relation in enumerate(datatype.relations):
            target = cpp.type_name(relation.type)
            is_many = relation in datatype.one_to_many_relations
            result = f"kaon::RelationRange<{target}>" if is_many else target
            yield self.accessor(datatype, relation.name, result, number)

    def accessor(self, datatype: Datatype, name: str, result: str, number: int) -> str:
        """Return an additional argument of the type ``kaon::detail::Accessor``."""
        class_ = split_type(datatype.name)[1]
        getter = names.getter(name, self.model.options.get_syntax)
        accessor = f"kaon::detail::Accessor<{class_}, {result}>"
        return f",\n        {accessor}{{&{class_}::{getter}, {number}}}"

    def first_leaves(self, members: Sequence[Member]) -> dict[str, int]:
        """Return the number of each member's first leaf."""
        counts = (sum(1 for _ in leaves([member], self.types)) for member in members)
        return dict(zip((m.name for m in members), accumulate(counts, initial=0), strict=False))

    def umbrella(self) -> str:
        headers = [self.header(component.name) for component in self.model.components]
        headers += [self.header(enum.name) for enum in self.model.enums]
        headers += [f"{self.stem(type_.name)}Collection.h" for type_ in self.model.datatypes]
        headers += [self.header(interface.name) for interface in self.model.interfaces]
        headers += [f"{self.stem(link.name)}Collection.h" for link in self.model.links]
        kinds = {
            "DataTypes": [each.name for each in self.model.datatypes],
            "DataCollectionTypes": [f"{each.name}Collection" for each in self.model.datatypes],
            "LinkTypes": [each.name for each in self.model.links],
            "LinkCollectionTypes": [f"{each.name}Collection" for each in self.model.links],
            "InterfaceTypes": [each.name for each in self.model.interfaces],
        }
        lists = {
            f"{self.model.name}{kind}": [cpp.type_name(name) for name in types] or [""]
            for kind, types in kinds.items()
        }
        return self.fill(
            "umbrella.h",
            includes=_includes(sorted(headers), ["kaon/model/Datatype.h"], []),
            lists=lists if self.can_be_namespace(self.model.name) else {},
        )

    def can_be_namespace(self, name: str) -> bool:
        """Return whether a model's name can be a namespace beside the types of all models."""
        return name.isidentifier() and name not in names.CPP_KEYWORDS | self.folders.keys()

    def descriptions(self) -> str:
        def leaves_of(datatype: Datatype) -> list[Leaf]:
            return list(leaves(datatype.members, self.types))

        def leaves_of_element(member: Member) -> list[Leaf]:
            return element_leaves(member, self.types)

        def precisions(datatype: Datatype, storage: Storage) -> dict[str, Precision]:
            return leaf_precisions(storage, datatype, self.types)

        def renames(datatype: Datatype) -> list[tuple[str, str]]:
            paths = [leaf.name for leaf in leaves_of(datatype)]
            paths += [member.name for member in datatype.strings]
            for member in datatype.vector_members:
                inside = [leaf.name for leaf in leaves_of_element(member) if leaf.name]
                paths += [member.name, *(f"{member.name}.{name}" for name in inside)]
            paths += [relation.name for relation in datatype.relations]
            return list(old_paths(self.model, datatype, paths))

        def old_names(type_: Datatype | Link) -> list[str]:
            return [cpp.string(name) for name in old_type_names(self.model, type_.name)]

        storages: dict[str, Storage | None]
        storages = {datatype.name: None for datatype in all_datatypes(self.model)}
        storages |= {storage.datatype: storage for storage in self.model.storage}
        text = json.dumps(self.model.to_dict(), separators=(",", ":"))
        collections = [f"{cpp.type_name(name)}Collection" for name in storages]
        return self.fill(
            "descriptions.cc",
            symbol=cpp.model_symbol(self.model.name),
            collections=collections or [""],
            json=cpp.raw_strings(text),
            leaves_of=leaves_of,
            leaves_of_element=leaves_of_element,
            storages=storages,
            precisions=precisions,
            renames=renames,
            old_names=old_names,
        )

    def stem(self, type_: str) -> str:
        return f"{self.folders[type_]}/{split_type(type_)[1]}"

    def header(self, type_: str) -> str:
        return f"{self.stem(type_)}.h"

    def headers(self, members: Iterable[Member]) -> list[str]:
        return sorted({self.header(m.type) for m in members if m.type not in (*SCALARS, STRING)})


def _access(member: Member, leaf: int) -> str:
    """Return the arguments of the template that reads a member with this first leaf."""
    return f"{cpp.value_type(member)}, {leaf}"


def _by_namespace(classes: Collection[tuple[str, str]], last: str) -> list[tuple[str, list[str]]]:
    """Return classes by namespace, given as pairs; the namespace `last` comes last."""
    spaces = sorted({where for where, _ in classes} - {last})
    return [
        (space, sorted(short for where, short in classes if where == space))
        for space in (*spaces, last)
    ]


def _includes(own: Sequence[str], library: Sequence[str], system: Sequence[str]) -> str:
    """Return the lines that include headers, with a blank line before each kind."""
    blocks = (
        [f'#include "{header}"\n' for header in own],
        [f"#include <{header}>\n" for header in library],
        [f"#include <{header}>\n" for header in system],
    )
    return "".join("\n" + "".join(block) for block in blocks if block)


def _system_headers(members: Iterable[Member], *others: str) -> list[str]:
    headers = set(others)
    for member in members:
        if member.shape:
            headers.add("array")
        if member.type == STRING:
            headers.add("string_view")
        elif cpp.type_name(member.type).startswith("std::"):
            headers.add("cstdint")
    return sorted(headers)


def _list_headers(datatype: Datatype) -> list[str]:
    return ["initializer_list"] if any(m.depth for m in datatype.vector_members) else []


def _library_headers(members: Iterable[Member]) -> list[str]:
    return ["kaon/model/MemberTypes.h"] if any(member.optional for member in members) else []
