"""The names of what is generated: files, classes and their functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kaon.modelgen.model import Component, Datatype, Interface, Link

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
    CollectionType DataType MutableType addRelated addToVector clone cloneHandle datatype get
    keepLoose makeEmpty place relateOne related relatedOne set vectorMember
    """.split()
)
"""What generated classes, or the library with them, need: no accessor can have such a name."""

INTERFACE_NAMES = frozenset(
    "as canBe datatypes interfaceName isA keepLoose makeEmpty member place visit".split()
)
"""The same of the classes of interfaces."""


def split_type(name: str) -> tuple[str, str]:
    """Split the name of a type into its namespace, ``""`` for the global one, and the rest."""
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
    found = {name: {getter(name, get_syntax), setter(name, get_syntax)} for name in single}
    for name in multiple:
        found[name] = {getter(name, get_syntax), adder(name, get_syntax)}
        found[name] |= {f"{name}_size", f"{name}_begin", f"{name}_end"}
    return found


def interface_accessors(interface: Interface, get_syntax: bool) -> dict[str, set[str]]:
    """Return the names of the functions that each member of an interface gets."""
    return {member.name: {getter(member.name, get_syntax)} for member in interface.members}


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
