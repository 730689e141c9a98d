"""The names of generated files, classes and functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kaon.modelgen.model import (
        Component,
        Datatype,
        Enum,
        ExtraCode,
        Interface,
        Link,
        Member,
        Options,
    )

CPP_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
    char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq
    """.split()
)

HANDLE_NAMES = frozenset(
    """
    CollectionType DataType MutableType addListToVector addRelated addToVector assign clone
    cloneHandle collection_type datatype get inPlace keepLoose leafOf makeEmpty markStruct
    mutable_type object_type place relateOne related relatedOne relationOf set setStringMember
    stringMember typeName vectorMember
    """.split()
)
"""Names that generated classes or the library use. Accessors cannot have these names."""

COLLECTION_NAMES = frozenset(
    """
    append at back begin cbegin cend className clear clone collectionType column copiesOf crbegin
    create crend data dataClassName dataTypeName datatype decorate decoration empty end erase
    eraseIf filter from front getDataTypeName getID getSchemaVersion getTypeName getValueTypeName
    hasID insert isSubsetCollection isValid makeEmptyLike max_size objects ownObjects pop_back
    prepareForWrite print promote push_back rbegin rend reserve resize setID setSubsetCollection
    size slice sort sortBy subsetDatatype swap swapBase toCollection typeName valueTypeName
    """.split()
)
"""Names of a collection's functions, which its functions for members do not have."""

INTERFACE_NAMES = frozenset(
    """
    as canBe datatypes interfaced_types isA isInitializableFrom keepLoose makeEmpty member place
    stringMember typeName visit
    """.split()
)
"""The same for classes of interfaces."""


def split_type(name: str) -> tuple[str, str]:
    """Split the name of a type into its namespace (``""`` for the global one) and the rest."""
    namespace, _, short = name.rpartition("::")
    return namespace, short


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def getter(name: str, get_syntax: bool) -> str:
    """Return the name of the function that reads a member or relation."""
    return f"get{_capital(name)}" if get_syntax else name


def setter(name: str, get_syntax: bool) -> str:
    """Return the name of the function that writes a member or a relation to one object."""
    return f"set{_capital(name)}" if get_syntax else name


def adder(name: str, get_syntax: bool) -> str:
    """Return the name of the function that appends to a vector member or relation."""
    return f"addTo{_capital(name)}" if get_syntax else f"add{name}"


def accessors(datatype: Datatype, get_syntax: bool) -> dict[str, set[str]]:
    """Return the names of the functions that each member and relation gets."""
    single = [member.name for member in datatype.members]
    single += [relation.name for relation in datatype.one_to_one_relations]
    multiple = [member.name for member in datatype.vector_members]
    multiple += [relation.name for relation in datatype.one_to_many_relations]
    functions = {name: {getter(name, get_syntax), setter(name, get_syntax)} for name in single}
    for name in multiple:
        functions[name] = {getter(name, get_syntax), adder(name, get_syntax)}
        functions[name] |= {f"{name}_size", f"{name}_begin", f"{name}_end"}
    return functions


def interface_accessors(interface: Interface, get_syntax: bool) -> dict[str, set[str]]:
    """Return the names of the functions that each member of an interface gets."""
    return {member.name: {getter(member.name, get_syntax)} for member in interface.members}


def inner_members(
    members: Iterable[Member], components: Mapping[str, Component]
) -> list[tuple[Member, Member]]:
    """Return the members of components, each with the member that contains it before it."""
    return [
        (member, inner)
        for member in members
        if member.type in components and not member.shape and not member.optional
        for inner in components[member.type].members
    ]


def exposed(
    datatype: Datatype, components: Mapping[str, Component], options: Options
) -> list[tuple[Member, Member]]:
    """Return the inner members that get functions of their own.

    Unless the model requests all, members whose function has no unique name are left out.
    """
    if options.expose_pod_members is False:
        return []
    syntax = options.get_syntax
    pairs = inner_members(datatype.members, components)
    names = Counter(getter(inner.name, syntax) for _, inner in pairs)
    taken = {*HANDLE_NAMES, *datatype_classes(datatype)}
    taken = taken.union(*accessors(datatype, syntax).values())
    return [
        (member, inner)
        for member, inner in pairs
        if names[getter(inner.name, syntax)] == 1
        and not {getter(inner.name, syntax), setter(inner.name, syntax)} & taken
    ]


def further_getters(
    datatype: Datatype, components: Mapping[str, Component], options: Options
) -> set[str]:
    """Return the names of functions that return values, without members; extra code has some."""
    inner = exposed(datatype, components, options)
    declared = re.findall(r"\b(\w+)\s*\(", datatype.extra_code.declaration)
    return {getter(member.name, options.get_syntax) for _, member in inner}.union(declared)


def enum_classes(enum: Enum) -> list[str]:
    """Return the names, without namespace, of the classes of an enum; each has its header."""
    return [split_type(enum.name)[1]]


def component_classes(component: Component) -> list[str]:
    """Return the names, without namespace, of the classes of a component; each has its header."""
    return [split_type(component.name)[1]]


def datatype_classes(datatype: Datatype) -> list[str]:
    """Return the names, without namespace, of the classes of a datatype; each has its header."""
    short = split_type(datatype.name)[1]
    return [f"{short}Data", short, f"Mutable{short}", f"{short}Collection"]


def interface_classes(interface: Interface) -> list[str]:
    """Return the names, without namespace, of the classes of an interface; each has its header."""
    return [split_type(interface.name)[1]]


def link_classes(link: Link) -> list[str]:
    """Return the names, without namespace, of the classes of a link; each has its header."""
    short = split_type(link.name)[1]
    return [short, f"Mutable{short}", f"{short}Collection"]


def implemented_classes(datatype: Datatype) -> list[str]:
    """Return the classes of a datatype that have extra code to compile; each has its source."""
    _, name, mutable, _ = datatype_classes(datatype)
    return [
        class_
        for class_, codes in (
            (name, [datatype.extra_code]),
            (mutable, mutable_code(datatype)),
        )
        if any(code.implementation for code in codes)
    ]


def mutable_code(datatype: Datatype) -> list[ExtraCode]:
    """Return the extra code of the mutable class, including code that it cannot inherit."""
    shared, own = datatype.extra_code, datatype.mutable_extra_code
    # It has its own constructors and result types, and its functions hide inherited ones.
    again = "{name}" in shared.declaration or called(shared.declaration) & called(own.declaration)
    return [shared, own] if again else [own]


def called(code: str) -> set[str]:
    """Return all words of C++ code that may be names of functions."""
    return set(re.findall(r"\w+(?=\s*\()", code))
