"""The checks of a model as a whole, beyond the grammar of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from kaon.modelgen.cpp import value_type
from kaon.modelgen.migrations import check_migrations
from kaon.modelgen.mistakes import Place, did_you_mean
from kaon.modelgen.model import (
    Component,
    Datatype,
    Enum,
    Interface,
    Link,
    Member,
    Model,
    Options,
    Relation,
    TypeName,
)
from kaon.modelgen.names import (
    CPP_KEYWORDS,
    HANDLE_NAMES,
    INTERFACE_NAMES,
    accessors,
    component_classes,
    datatype_classes,
    enum_classes,
    further_getters,
    getter,
    inner_members,
    interface_accessors,
    interface_classes,
    link_classes,
    setter,
    split_type,
)
from kaon.modelgen.scalars import SCALARS, STRING
from kaon.modelgen.struct_sizes import check_sizes

_Type = Enum | Component | Datatype | Interface | Link
_Note = Callable[[Place, str], None]
_RESERVED_NAMESPACES = ("kaon", "std")


def check(model: Model, note: _Note) -> None:
    """Check a model and note mistakes of its data and of the classes made from it.

    Parameters
    ----------
    note
        A function that takes the place and the message of a mistake.
    """
    check_data(model, note)
    _check_headers(model, note)
    whole = model.whole()
    components = {component.name: component for component in whole.components}
    datatypes = {datatype.name: datatype for datatype in whole.datatypes}
    for datatype in model.datatypes:
        _check_accessors(datatype, components, model.options, note)
    for interface in model.interfaces:
        functions = interface_accessors(interface, model.options.get_syntax)
        context = f"interface '{interface.name}': "
        _check_functions(interface.members, functions, INTERFACE_NAMES, context, note)
        _check_common_members(interface, components, datatypes, model.options, note)


def check_data(model: Model, note: _Note) -> None:
    """Check the parts of a model that describe data, and note the mistakes.

    Names of C++ classes are not checked here, because they differ between versions of kaon. Each
    version must be able to write further data with the models of all files.
    """
    whole = model.whole()
    kinds = {link.name: "link" for link in whole.links}
    kinds |= {interface.name: "interface" for interface in whole.interfaces}
    kinds |= {datatype.name: "datatype" for datatype in whole.datatypes}
    kinds |= {component.name: "component" for component in whole.components}
    kinds |= {enum.name: "enum" for enum in whole.enums}
    kinds |= dict.fromkeys((*SCALARS, STRING), "builtin type")

    _check_type_names(model, note)
    for component in model.components:
        context = f"component '{component.name}': "
        (struct,) = component_classes(component)
        _check_names(component.members, struct, context, note)
        _check_members(component.members, context, kinds, note)
        _check_no_strings(component.members, context, note)
    for datatype in model.datatypes:
        context = f"datatype '{datatype.name}': "
        struct, *_ = datatype_classes(datatype)
        members = datatype.members + datatype.vector_members
        items: list[Member | Relation] = [*members, *datatype.relations]
        _check_names(items, struct, context, note)
        _check_members(members, context, kinds, note)
        _check_relations(datatype.relations, context, kinds, note)
    for interface in model.interfaces:
        _check_interface(interface, kinds, note)
    for link in model.links:
        context = f"link '{link.name}': "
        _check_relations((end for end in (link.from_, link.to) if end.type), context, kinds, note)
    _check_pairs(whole.links, note)
    _check_cycles(model.components, note)
    check_sizes(model, note)
    check_migrations(model, note)


def _check_accessors(
    datatype: Datatype, components: Mapping[str, Component], options: Options, note: _Note
) -> None:
    """Check that the functions of a datatype's classes have unused names."""
    context = f"datatype '{datatype.name}': "
    functions = accessors(datatype, options.get_syntax)
    taken = {*HANDLE_NAMES, *datatype_classes(datatype)[1:]}
    members = datatype.members + datatype.vector_members
    items: list[Member | Relation] = [*members, *datatype.relations]
    _check_functions(items, functions, taken, context, note)
    if options.expose_pod_members:  # if the model asks for it
        taken = taken.union(*functions.values())
        _check_exposed(datatype, components, options.get_syntax, taken, context, note)


def _types(model: Model) -> Iterable[tuple[str, _Type]]:
    for enum in model.enums:
        yield f"enum '{enum.name}'", enum
    for component in model.components:
        yield f"component '{component.name}'", component
    for datatype in model.datatypes:
        yield f"datatype '{datatype.name}'", datatype
    for interface in model.interfaces:
        yield f"interface '{interface.name}'", interface
    for link in model.links:
        yield f"link '{link.name}'", link


def _classes(type_: _Type) -> list[str]:
    if isinstance(type_, Enum):
        return enum_classes(type_)
    if isinstance(type_, Component):
        return component_classes(type_)
    if isinstance(type_, Interface):
        return interface_classes(type_)
    return datatype_classes(type_) if isinstance(type_, Datatype) else link_classes(type_)


def _check_type_names(model: Model, note: _Note) -> None:
    namespaces = {split_type(type_.name)[0] for _, type_ in _types(model.whole())}
    parts = {part for namespace in namespaces for part in namespace.split("::")}
    outermost = {namespace.partition("::")[0] for namespace in namespaces}
    owners = {type_.name: other.name for other in model.upstream for _, type_ in _types(other)}
    for what, type_ in _types(model):
        words = type_.name.split("::")
        *spaces, short = words
        keywords = [word for word in words if word in CPP_KEYWORDS]
        reserved = [word for word in spaces if word in _RESERVED_NAMESPACES]
        # Inside it, C++ would look for names of the outer namespace in the inner one.
        hiding = [word for word in spaces[1:] if word in outermost]
        if not all(re.fullmatch(r"[A-Za-z_]\w*", word, re.ASCII) for word in words):
            wrong = "this is not a name of a type; expected NAME or NAMESPACE::NAME"
        elif keywords:
            wrong = f"'{keywords[0]}' is a keyword of C++ and cannot be a name"
        elif reserved:
            wrong = f"the namespace '{reserved[0]}' is reserved; choose another one"
        elif short in SCALARS or type_.name == "string":
            wrong = f"'{short}' is a builtin type"
        elif short in parts or short in _RESERVED_NAMESPACES:
            wrong = f"'{short}' is also the name of a namespace"
        elif hiding:
            wrong = f"its namespace '{hiding[0]}' would hide the outer namespace of that name"
        elif type_.name in owners:
            wrong = f"the upstream model '{owners[type_.name]}' has a type of this name"
        else:
            continue
        note(type_.name_place, f"{what}: {wrong}")


def _check_headers(model: Model, note: _Note) -> None:
    """Check that no two classes have the same header name, which is the name of the class."""
    owners = {model.name: ("the model as a whole", "")}
    for what, type_ in _types(model):
        taken = [
            name
            for name in _classes(type_)
            if owners.setdefault(name, (what, type_.name))[0] != what
        ]
        if not taken:
            continue
        owner, full = owners[taken[0]]
        if full == type_.name:
            kind = owner.partition(" ")[0]
            note(type_.name_place, f"{what}: {_a(kind)} has this name already")
        else:
            note(type_.name_place, f"{what}: its header '{taken[0]}.h' is the header of {owner}")


def _check_names(
    items: Iterable[Member | Relation], struct: str, context: str, note: _Note
) -> None:
    """Check that names appear once, and that none is the name of the struct around it."""
    places: dict[str, Place] = {}
    for item in sorted(items, key=lambda item: item.name_place):
        first = places.setdefault(item.name, item.name_place)
        if first != item.name_place:
            note(
                item.name_place,
                f"{context}the name '{item.name}' appears twice (first in line {first.line})",
            )
        elif item.name == struct:
            note(item.name_place, f"{context}'{item.name}' is also the name of its struct")


def _check_functions(
    items: Iterable[Member | Relation],
    functions: Mapping[str, set[str]],
    taken: Iterable[str],
    context: str,
    note: _Note,
) -> None:
    """Check that no two members get functions of the same name, and that no name is in use."""
    owners = dict.fromkeys(taken, "")
    for item in sorted(items, key=lambda item: item.name_place):
        for name in sorted(functions[item.name]):
            owner = owners.setdefault(name, item.name)
            if owner != item.name:
                other = f"'{owner}' has one" if owner else "kaon uses this name itself"
                message = f"'{item.name}' needs a function '{name}', but {other}"
                note(item.name_place, f"{context}{message}")
                break


def _check_exposed(
    datatype: Datatype,
    components: Mapping[str, Component],
    get_syntax: bool,
    taken: Iterable[str],
    context: str,
    note: _Note,
) -> None:
    """Check that functions for members of components have unused names."""
    owners = dict.fromkeys(taken, "")
    for member, inner in inner_members(datatype.members, components):
        for name in sorted({getter(inner.name, get_syntax), setter(inner.name, get_syntax)}):
            path = f"{member.name}.{inner.name}"
            owner = owners.setdefault(name, path)
            if owner != path:
                other = f"'{owner}' has one" if owner else "there is one"
                leave = "the option 'exposePODMembers: false' omits it"
                message = f"'{path}' needs a function '{name}', but {other} ({leave})"
                note(member.name_place, context + message)
                break


def _check_members(
    members: Iterable[Member], context: str, kinds: Mapping[str, str], note: _Note
) -> None:
    fitting = ("component", "enum", "builtin type")
    for member in members:
        kind = kinds.get(member.type)
        if member.type == STRING and (member.shape or member.optional):
            wrong = f"a {'std::array' if member.shape else 'std::optional'} cannot hold {STRING}"
        elif kind in fitting:
            continue
        elif kind is None:
            usable = (name for name, kind in kinds.items() if kind in fitting)
            wrong = f"undeclared type '{member.type}'{did_you_mean(member.type, usable)}"
        else:
            hint = "" if kind == "link" else " (did you mean a relation?)"
            wrong = f"'{member.type}' is {_a(kind)}, not a component{hint}"
        note(member.type_place, context + wrong)


def _check_no_strings(members: Iterable[Member], context: str, note: _Note) -> None:
    for member in members:
        if member.type == STRING and not member.shape and not member.optional:
            wrong = f"a component cannot hold {STRING}, only a datatype can"
            note(member.type_place, context + wrong)


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _check_relations(
    relations: Iterable[Relation | TypeName], context: str, kinds: Mapping[str, str], note: _Note
) -> None:
    fitting = ("datatype", "interface")
    for relation in relations:
        kind = kinds.get(relation.type)
        if kind in fitting:
            continue
        if kind is None:
            usable = (name for name, kind in kinds.items() if kind in fitting)
            wrong = f"undeclared datatype '{relation.type}'{did_you_mean(relation.type, usable)}"
        else:
            is_member = isinstance(relation, Relation) and kind != "link"
            hint = " (did you mean a member?)" if is_member else ""
            wrong = f"'{relation.type}' is {_a(kind)}, not a datatype{hint}"
        note(relation.type_place, context + wrong)


def _check_interface(interface: Interface, kinds: Mapping[str, str], note: _Note) -> None:
    """Check that an interface's types are datatypes."""
    context = f"interface '{interface.name}': "
    _check_names(interface.members, split_type(interface.name)[1], context, note)
    _check_members(interface.members, context, kinds, note)
    seen: set[str] = set()
    for named in interface.types:
        if named.type in seen:
            note(named.type_place, f"{context}'{named.type}' appears twice")
        elif named.type not in kinds:
            datatypes = (name for name, kind in kinds.items() if kind == "datatype")
            hint = did_you_mean(named.type, datatypes)
            note(named.type_place, f"{context}undeclared datatype '{named.type}'{hint}")
        elif kinds[named.type] != "datatype":
            kind = _a(kinds[named.type])
            note(named.type_place, f"{context}'{named.type}' is {kind}, not a datatype")
        seen.add(named.type)


def _check_common_members(
    interface: Interface,
    components: Mapping[str, Component],
    datatypes: Mapping[str, Datatype],
    options: Options,
    note: _Note,
) -> None:
    """Check that an interface's types have its members, or functions that return them.

    A string must be a member. Another function could return a string that no longer exists when it
    is read.
    """
    context = f"interface '{interface.name}': "
    for datatype in (datatypes[name.type] for name in interface.types if name.type in datatypes):
        own = {member.name: member for member in datatype.members}
        others = further_getters(datatype, components, options)
        for member in interface.members:
            if member.name in own:
                if value_type(own[member.name]) != value_type(member):
                    type_ = value_type(own[member.name])
                    wrong = f"'{member.name}' is of type {type_} in '{datatype.name}'"
                    note(member.type_place, context + wrong)
            elif member.type == STRING or getter(member.name, options.get_syntax) not in others:
                hint = did_you_mean(member.name, own)
                wrong = f"'{datatype.name}' has no member '{member.name}'{hint}"
                note(member.name_place, context + wrong)


def _check_pairs(links: Iterable[Link], note: _Note) -> None:
    """Check that no two links have the same ends; in C++ they would be one type."""
    first: dict[tuple[str, str], str] = {}
    for link in links:
        other = first.setdefault((link.from_.type, link.to.type), link.name)
        if other != link.name and link.from_.type and link.to.type:
            wrong = (
                f"'{other}' links the same types: use it for these links, too, in a collection of "
                "another name"
            )
            note(link.name_place, f"link '{link.name}': {wrong}")


def _check_cycles(components: Iterable[Component], note: _Note) -> None:
    by_name = {component.name: component for component in components}
    order = list(by_name)
    # Lists instead of sets, so that the mistakes are the same in each run.
    inside = {
        name: [held for held in dict.fromkeys(m.type for m in component.members) if held in by_name]
        for name, component in by_name.items()
    }
    while True:
        try:
            TopologicalSorter(inside).prepare()
            return
        except CycleError as error:
            cycle = error.args[1][:0:-1]  # each holds the next; the repeated end is left out
        first = cycle.index(min(cycle, key=order.index))
        cycle = [*cycle[first:], *cycle[: first + 1]]
        holder, held = cycle[:2]
        place = next(m.type_place for m in by_name[holder].members if m.type == held)
        way = " -> ".join(cycle)
        note(place, f"component '{holder}': a component cannot contain itself ({way})")
        inside[holder].remove(held)
