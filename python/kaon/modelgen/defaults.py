"""Defaults of members: check against the type, their values, and their spelling in C++."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TypeAlias

from kaon.modelgen.leaves import Types
from kaon.modelgen.literals import cpp_literal, literal_mistake, literal_value
from kaon.modelgen.members import LineMistake, MemberLine
from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import OPTIONAL, Component, Enum, Member
from kaon.modelgen.scalars import SCALARS, STRING, Scalar

_SEPARATOR = re.compile(r"'(?:\\.|[^'\\])'|[{},]")  # skips commas in character literals
_BRACED = re.compile(r"\{.*\}", re.DOTALL)


def check_default(line: MemberLine, types: Types) -> None:
    """Check that the default of a member with a builtin type or enum fits; it may have none.

    Raises
    ------
    LineMistake
        If the default does not fit. The C++ compiler checks defaults of components.
    """
    if line.default is not None and line.type == STRING:
        wrong = f"the string '{line.name}' has no default: it begins empty"
        raise LineMistake(line.default_offset, wrong)
    kind = types.get(line.type) or SCALARS.get(line.type)
    if line.default is None or kind is None or isinstance(kind, Component):
        return
    entries = [(0, line.default)]
    if line.shape:
        try:
            entries = _flat(0, line.default, line.shape)
        except LineMistake as mistake:
            raise LineMistake(line.default_offset + mistake.offset, str(mistake)) from None
    for offset, entry in entries:
        if isinstance(kind, Enum):
            _check_enumerator(entry, kind, line.default_offset + offset)
        else:
            wrong = literal_mistake(entry, kind, line.type)
            if wrong:
                raise LineMistake(line.default_offset + offset, wrong)


def cpp_default(member: Member, types: Types) -> str:
    """Return the text between the braces of a C++ initialiser for a checked default."""
    default = member.default
    if default is None:
        return ""
    kind = types.get(member.type) or SCALARS.get(member.type)
    if kind is not None and not isinstance(kind, Component):
        entries = [(0, default)] if not member.shape else _flat(0, default, member.shape)
        return _braced([_cpp_entry(entry, kind) for _, entry in entries], member.shape)
    return default


def _cpp_entry(text: str, kind: Scalar | Enum) -> str:
    if isinstance(kind, Scalar):
        return cpp_literal(text, kind)
    name = text.rpartition("::")[2]
    return f"{kind.name}::{name}" if "::" in kind.name else f"::{kind.name}::{name}"


def _braced(entries: Sequence[str], shape: Sequence[int]) -> str:
    """Return the elements of an array in braces, with braces around each row."""
    if len(shape) < 2:
        return ", ".join(entries)
    size = prod(shape[1:])
    rows = [entries[begin : begin + size] for begin in range(0, len(entries), size)]
    return f"{{{', '.join(f'{{{_braced(row, shape[1:])}}}' for row in rows)}}}"


def _entries(begin: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and text of each entry of a list."""
    depth, first = 0, 0
    for mark in (*_SEPARATOR.finditer(text), None):
        depth += {"{": 1, "}": -1}.get(mark.group(), 0) if mark else 0
        if mark is None or (mark.group() == "," and depth == 0):
            entry = text[first : mark.start() if mark else len(text)]
            yield begin + first + len(entry) - len(entry.lstrip()), entry.strip()
            first = mark.end() if mark else 0


def _flat(
    begin: int, text: str, shape: Sequence[int], doubled: bool = False
) -> list[tuple[int, str]]:
    """Return the offset and text of each element of an array, row by row.

    The braces around all elements may be doubled.
    """
    entries = list(_entries(begin, text))
    offset, entry = entries[0]
    pattern = r"\{" if len(shape) == 1 else r"\{\s*\{"
    if len(entries) == 1 and not doubled and re.match(pattern, entry):
        return _flat(offset + 1, entry[1:-1], shape, doubled=True)
    is_row = [entry.startswith("{") for _, entry in entries]
    if len(shape) == 1 or not any(is_row):
        _check_count(entries, prod(shape), "entries", f"an array of {prod(shape)}")
        return entries
    if not all(is_row):
        raise LineMistake(
            entries[is_row.index(False)][0], "expected a row in braces, like the other rows"
        )
    _check_count(entries, shape[0], "rows", f"an array of {shape[0]}")
    elements = []
    for offset, entry in entries:
        row = _flat(offset + 1, entry[1:-1], shape[1:])
        if len(row) != prod(shape[1:]):
            raise LineMistake(offset, f"this row has {len(row)} entries, not {prod(shape[1:])}")
        elements += row
    return elements


def _check_count(entries: Sequence[tuple[int, str]], most: int, what: str, where: str) -> None:
    if len(entries) > most:
        raise LineMistake(entries[most][0], f"the default has {len(entries)} {what} for {where}")


def _check_enumerator(text: str, enum: Enum, offset: int) -> None:
    scope, _, name = text.rpartition("::")
    names = [value.name for value in enum.values]
    if name not in names or scope not in ("", enum.name, enum.name.rpartition("::")[2]):
        hint = did_you_mean(name, names)
        raise LineMistake(offset, f"the default '{text}' is not a value of '{enum.name}'{hint}")


_Nested: TypeAlias = "str | list[_Nested]"
"""An initialiser of C++: a literal, or a list of initialisers in braces."""


def leaf_defaults(
    members: Sequence[Member], components: Mapping[str, Component]
) -> Iterator[tuple[Scalar, list[bool | int | float]]]:
    """Yield the default of each leaf of a struct with these members, which have no enums.

    A default is the type of the leaf and the list of its values.

    Raises
    ------
    ValueError
        If a default is C++ that only a compiler understands.
    """
    for member in members:
        text = member.default or ""
        try:
            yield from _initialised(member, _nested(text), components)
        except (ValueError, RecursionError):
            raise ValueError(f"the default {{{text}}} of '{member.name}' is for C++ only") from None


def _initialised(
    member: Member, values: list[_Nested], components: Mapping[str, Component]
) -> Iterator[tuple[Scalar, list[bool | int | float]]]:
    """Yield the leaves of a member that C++ initialises with these braced values."""
    count = member.array_size
    scalar = SCALARS.get(member.type)
    if count is not None and len(values) == 1 and isinstance(values[0], list):
        values = values[0]  # the braces around an array may be doubled
    if len(values) > (count or 1) and (count or scalar):
        raise ValueError
    if scalar:
        numbers = [_number(value, scalar) for value in values]
        yield scalar, numbers + [0] * ((count or 1) - len(numbers))
        return
    elements: Sequence[_Nested] = [values] if count is None else values
    for i in range(count or 1):
        element = elements[i] if i < len(elements) else []
        parts = components[member.type].members
        if not isinstance(element, list) or len(element) > len(parts):
            raise ValueError  # C++ would guess the missing braces
        for part, value in zip(parts, element, strict=False):
            is_optional = part.type.startswith(OPTIONAL)
            held = components[part.type].members[0] if is_optional else part
            is_plain = held.type in SCALARS and held.array_size is None
            if not is_plain and not isinstance(value, list):
                raise ValueError  # C++ would give it the values that it needs
            given: list[_Nested] = value if isinstance(value, list) else [value]
            if is_optional and given:
                given = [given, "true"]
            yield from _initialised(part, given, components)
        yield from leaf_defaults(parts[len(element) :], components)


def _nested(text: str) -> list[_Nested]:
    """Return the values of a list, given the text between its braces."""
    entries = [entry for _, entry in _entries(0, text)]
    if not entries[-1]:
        entries.pop()  # an empty list, or a comma at the end
    return [_nested(entry[1:-1]) if _BRACED.fullmatch(entry) else entry for entry in entries]


def _number(value: _Nested, scalar: Scalar) -> bool | int | float:
    if isinstance(value, list):
        (value,) = value or ["false" if scalar.kind == "Bool" else "0"]
        return _number(value, scalar)
    number = literal_value(value, scalar)
    if number is None or (scalar.bounds and not scalar.bounds[0] <= number <= scalar.bounds[1]):
        raise ValueError
    return number
