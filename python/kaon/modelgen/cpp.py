"""C++ code of a model's parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from kaon.modelgen.defaults import cpp_default
from kaon.modelgen.leaves import Leaf, Types, scalar_of
from kaon.modelgen.line_breaks import WIDTH, comment, doc, fill
from kaon.modelgen.literals import cpp_literal
from kaon.modelgen.model import EnumValue, Member, Relation, Storage
from kaon.modelgen.names import split_type
from kaon.modelgen.precision import Precision
from kaon.modelgen.scalars import SCALARS, STRING


def type_name(type_: str) -> str:
    """Return the name of a type of a model in C++, valid in any namespace."""
    if type_ in SCALARS:
        return SCALARS[type_].cpp
    return type_ if split_type(type_)[0] else f"::{type_}"


def model_symbol(name: str) -> str:
    """Return the symbol that makes the linker take a model's library; CMake uses it, too."""
    return "kaonModel_" + re.sub(r"\W", "_", name, flags=re.ASCII)


def value_type(member: Member) -> str:
    """Return the type of a member's value in structs."""
    value = _plain_type(member)
    return f"kaon::Optional<{value}>" if member.optional else value


def is_referable(member: Member) -> bool:
    """Return whether mutable handles refer to a member of their struct."""
    return member.type != STRING and not member.optional


def element_type(member: Member) -> str:
    """Return the type of a vector member's elements, as functions return them."""
    return list_element_type(member, member.depth)


def list_element_type(member: Member, depth: int) -> str:
    """Return the type of the elements of a vector member that contain `depth` nested lists."""
    innermost = "std::string_view" if member.type == STRING else type_name(member.type)
    return "kaon::VectorView<" * depth + innermost + ">" * depth


def element_result_type(member: Member, types: Types) -> str:
    """Return the type of an element of a vector member, as functions return it."""
    return element_type(member) if member.depth else result_type(member, types)


def element_literals(member: Member) -> str:
    """Return the type of a braced initialiser for an element that is a list."""
    innermost = "std::string_view" if member.type == STRING else type_name(member.type)
    return "std::initializer_list<" * member.depth + innermost + ">" * member.depth


def result_type(member: Member, types: Types) -> str:
    """Return the type of a member's value, as functions return it.

    A class is constant, because its functions would change only a copy.
    """
    is_plain = member.type == STRING or _is_number(member, types) and not member.optional
    return _passed_type(member) if is_plain else f"const {_passed_type(member)}"


def _passed_type(member: Member) -> str:
    if member.type == STRING:
        return "std::string_view"
    value = _plain_type(member)
    return f"std::optional<{value}>" if member.optional else value


def _is_number(member: Member, types: Types) -> bool:
    return not member.shape and scalar_of(member.type, types) is not None


def _plain_type(member: Member) -> str:
    type_ = type_name(member.type)
    for size in reversed(member.shape):
        type_ = f"std::array<{type_}, {size}>"
    return type_


def parameter(member: Member, types: Types) -> str:
    """Return the type of a member's value as a parameter of functions."""
    by_value = _is_number(member, types) or member.type == STRING
    return _passed_type(member) if by_value else f"const {_passed_type(member)}&"


def get_value(member: Member, access: str, path: str) -> str:
    """Return the call that reads a member at a path in the struct.

    For a string, `access` and the path are its number.
    """
    if member.type == STRING:
        return f"stringMember<{access}>()"
    return f"get<{access}>(offsetof(DataType, {path}))"


def set_value(member: Member, path: str, value: str) -> str:
    """Return the call that sets a member, at a path in the struct, to the value of an expression.

    For a string, the path is its number.
    """
    if member.type == STRING:
        return f"setStringMember<{path}>({value})"
    stored = f"<{value_type(member)}>" if member.optional else ""
    return f"set{stored}(offsetof(DataType, {path}), {value})"


def element(member: Member) -> Member:
    """Return the member of an array's elements, without the outermost dimension."""
    return replace(member, shape=member.shape[1:])


def string(text: str) -> str:
    """Return a string literal."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    escaped = "".join(escapes.get(character, character) for character in text)
    return '"' + escaped.replace("??", "?\\?") + '"'  # avoids trigraphs


def raw_strings(text: str, most: int = 15000) -> str:
    """Return ASCII JSON as adjacent raw string literals of a length that all compilers accept."""
    # Text in the JSON must neither end the literal nor form a trigraph. Escapes in JSON strings
    # replace these characters.
    safe = text.replace(')json"', '\\u0029json"').replace("??", "?\\u003f")
    parts = [safe[begin : begin + most] for begin in range(0, len(safe), most)]
    return "\n".join(f'    R"json({part})json"' for part in parts)


def constructor(name: str, members: Sequence[tuple[Member, str]], types: Types) -> str:
    """Return the constructor that takes all members, each with its path."""
    # Prevents implicit conversions of a single value.
    begin = f"  explicit {name}(" if len(members) == 1 else f"  {name}("
    return _taking_all(begin, f" : {name}()", members, types)


def assignment(members: Sequence[tuple[Member, str]], types: Types) -> str:
    """Return the function that sets all members, each with its path."""
    return _taking_all("  void assign(", "", members, types)


def _taking_all(begin: str, init: str, members: Sequence[tuple[Member, str]], types: Types) -> str:
    head = fill(begin, [f"{parameter(m, types)} {m.name}" for m, _ in members], ")")
    # A parameter may have the same name as the function.
    body = [f"this->{set_value(m, path, m.name)};" for m, path in members]
    if len(body) == 1 and len(line := f"{head}{init} {{ {body[0]} }}") <= WIDTH:
        return line
    init += " {"
    if init != " {" and ("\n" in head or len(head + init) > WIDTH):
        init = f"\n     {init}"
    return "\n".join((head + init, *(f"    {statement}" for statement in body), "  }"))


def struct_members(members: Iterable[Member], types: Types) -> str:
    """Return the members of a struct with comments: behind them if all fit, else above them."""
    declared = [
        (f"  {value_type(member)} {member.name}{{{_initialiser(member, types)}}};", member)
        for member in members
    ]
    lines = []
    for described, run in groupby(declared, lambda pair: bool(pair[1].comment or pair[1].unit)):
        pairs = list(run)
        width = max(len(declaration) for declaration, _ in pairs)
        for declaration, member in pairs:
            behind = f" ///< {comment(member.comment, member.unit)}" if described else ""
            lines.append(f"{declaration:{width}}{behind}" if behind else declaration)
    if all(len(line) <= WIDTH for line in lines):
        return "\n".join(lines)
    return "\n".join(
        doc(member.comment, member.unit, indent=2) + declaration for declaration, member in declared
    )


def _initialiser(member: Member, types: Types) -> str:
    default = cpp_default(member, types)
    return f"{_plain_type(member)}{{{default}}}" if member.optional and default else default


def range_row(list_: str, struct: str) -> str:
    """Return the row of ``kaon::detail::ListRanges`` for a list of a struct."""
    offsets = [f"offsetof(::{struct}, {list_}_{end})" for end in ("begin", "end")]
    return fill("      {", [string(list_), *offsets], "},")


def leaf_offset(leaf: Leaf, struct: str, root: str = "") -> str:
    """Return the expression of a leaf's offset in a struct.

    Parameters
    ----------
    struct
        The outermost struct's name.
    root
        The prefix of names that begin with a namespace.
    """

    def name(type_: str) -> str:
        spelled = type_name(type_)
        return spelled if spelled.startswith("::") else f"{root}{spelled}"

    terms = []
    for number, step in enumerate(leaf.steps):
        terms.append(f"offsetof({name(step.struct) if number else struct}, {step.member.name})")
        if step.index:
            terms.append(f"{step.index} * sizeof({name(step.member.type)})")
    if leaf.is_presence:
        terms.append(f"kaon::detail::hasValueOffset<{_plain_type(leaf.steps[-1].member)}>")
    return " + ".join(terms) or "0"


def leaf_row(leaf: Leaf, struct: str, root: str = "") -> str:
    """Return the initialiser of a ``kaon::Leaf`` of a struct; see ``leaf_offset``."""
    kind, offset = f"kaon::Scalar::{leaf.scalar.kind}", leaf_offset(leaf, struct, root)
    words = [string(leaf.name), kind, str(leaf.extent), offset]
    words += [string(leaf.unit), string(leaf.comment)]
    words += [string(leaf.structure)] if leaf.structure else []
    return fill("      {", words, "},")


def string_row(member: Member) -> str:
    """Return the initialiser of the ``kaon::VectorMember`` of a member that is a string."""
    words = (
        string(member.name),
        '"string"',
        "1",
        "1",
        "std::span(&kaon::detail::characterLeaf, 1)",
    )
    return fill("      {", [*words, string(member.unit), string(member.comment)], "},")


def vector_row(member: Member, types: Types) -> str:
    """Return the initialiser of a ``kaon::VectorMember``, whose leaves are defined before it."""
    last = [string(member.unit), string(member.comment)]
    last += [str(member.depth)] if member.depth else []
    if member.type == STRING:
        of_strings = (string(member.name), '"string"', "0", "1", "{}")
        return fill("      {", [*of_strings, *last], "},")
    element = type_name(member.type)
    scalar = scalar_of(member.type, types)
    stored = scalar.cpp if scalar else element.removeprefix("::")
    words = (string(member.name), string(stored), f"sizeof({element})")
    if not scalar:
        last += [] if member.depth else ["0"]
        last += [f"&kaon::detail::defaultElement<{element}>"]
    more = (f"alignof({element})", f"{member.name}Leaves", *last)
    return fill("      {", [*words, *more], "},")


def relation_row(relation: Relation, many: bool) -> str:
    """Return the initialiser of a ``kaon::Relation``."""
    words = (
        string(relation.name),
        "true" if many else "false",
        string(relation.type),
        f"kaon::detail::datatypesOf<{type_name(relation.type)}>",
    )
    return fill("      {", [*words, string(relation.comment)], "},")


def precision_row(name: str, precision: Precision) -> str:
    """Return the initialiser of a ``kaon::detail::MemberPrecision``."""
    steps = precision.steps()
    if steps is None:
        value = f"{{kaon::Precision::Kind::mantissa, {precision.bits}, 0.0, 0.0, 0}}"
    else:
        low, step, last = steps  # the shortest digits that are read as just these numbers
        value = f"{{kaon::Precision::Kind::range, 0, {low!r}, {step!r}, {last}}}"
    words = (string(name), value)
    return fill("      {", words, "},")


def storage_entry(storage: Storage) -> str:
    """Return the line that gives a datatype its storage, whose precision is defined before it."""
    layout = "{}" if storage.layout is None else f"kaon::Layout::{storage.layout}"
    words = (
        f".layout = {layout}",
        f".group = {string(storage.group)}",
        f".precision = {'precision' if storage.precision else '{}'}",
    )
    return fill("      .storage = {", words, "},")


def enumerator(value: EnumValue) -> str:
    """Return the declaration of a value of an enum."""
    number = cpp_literal(str(value.value), SCALARS["int64_t"])
    behind = f" ///< {comment(value.comment)}" if value.comment else ""
    return f"  {value.name} = {number},{behind}"
