"""Defaults of members: whether they fit the type, and how C++ is told."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from kaon.modelgen.members import LineMistake, MemberLine
from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import Component, Enum, Member
from kaon.modelgen.scalars import SCALARS, STRING, Scalar

# The lengths are bounded so that no text, however long, becomes a number of unbounded cost.
_INTEGER = re.compile(
    r"([+-]?)(0[xX][0-9a-fA-F]{1,32}|0[bB][01]{1,80}|[0-9]{1,40})"
    r"([uU]?(?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU])"
)
_FLOATING = re.compile(
    r"[+-]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?|[0-9]+[eE][+-]?[0-9]{1,9})"
    r"([fFlL]?)"
)
_CHARACTER = re.compile(r"'(?:\\[0abfnrtv\\'\"]|(?![\\'])[ -~])'")
_SEPARATOR = re.compile(r"'(?:\\.|[^'\\])'|[{},]")  # a comma in a character literal is none

Types = Mapping[str, Component | Enum]
"""The types that a model declares, by name."""


def check_default(line: MemberLine, types: Types) -> None:
    """Check that the default of a member of builtin type or an enum, if it has one, fits.

    Raises
    ------
    LineMistake
        If it does not. The default of a component is up to the C++ compiler.
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
            _check_literal(entry, kind, line.type, line.default_offset + offset)


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
        return _cpp_literal(text, kind)
    name = text.rpartition("::")[2]
    return f"{kind.name}::{name}" if "::" in kind.name else f"::{kind.name}::{name}"


def _braced(entries: Sequence[str], shape: Sequence[int]) -> str:
    """Write the elements of an array, row by row, each row in its braces."""
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
    """Return the offset and text of the elements of an array, row by row.

    Braces around all of them may be doubled.
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
            entries[is_row.index(False)][0], "this is no row in braces, as others are"
        )
    _check_count(entries, shape[0], "rows", f"an array of {shape[0]}")
    found = []
    for offset, entry in entries:
        row = _flat(offset + 1, entry[1:-1], shape[1:])
        if len(row) != prod(shape[1:]):
            raise LineMistake(offset, f"this row has {len(row)} entries, not {prod(shape[1:])}")
        found += row
    return found


def _check_count(entries: Sequence[tuple[int, str]], most: int, what: str, where: str) -> None:
    if len(entries) > most:
        raise LineMistake(entries[most][0], f"the default has {len(entries)} {what} for {where}")


def _check_enumerator(text: str, enum: Enum, offset: int) -> None:
    scope, _, name = text.rpartition("::")
    names = [value.name for value in enum.values]
    if name not in names or scope not in ("", enum.name, enum.name.rpartition("::")[2]):
        hint = did_you_mean(name, names)
        raise LineMistake(offset, f"the default '{text}' is no value of '{enum.name}'{hint}")


def _integer(text: str) -> int | None:
    """Return the value of an integer literal; None for any other text."""
    match = _INTEGER.fullmatch(text)
    if not match:
        return None
    sign, digits, suffix = match.groups()
    if sign == "-" and "u" in suffix.lower():
        return None  # C++ would wrap it around
    octal = digits.isdigit() and digits.startswith("0")
    try:
        value = int(digits, 8 if octal else 0)
    except ValueError:  # 08
        return None
    return -value if sign == "-" else value


def _check_literal(text: str, scalar: Scalar, type_: str, offset: int) -> None:
    shown = f"the default '{text}'"
    integer = _integer(text)
    if scalar.kind == "Bool":
        if text not in ("true", "false"):
            known = {"0": "false", "1": "true", "False": "false", "True": "true"}.get(text)
            hint = f" (did you mean '{known}'?)" if known else ""
            raise LineMistake(offset, f"{shown} is neither 'true' nor 'false'{hint}")
    elif bounds := scalar.bounds:
        if type_ == "char" and _CHARACTER.fullmatch(text):
            return
        if integer is None:
            raise LineMistake(offset, f"{shown} is not an integer, as the type '{type_}' needs")
        if not bounds[0] <= integer <= bounds[1]:
            raise LineMistake(
                offset, f"{shown} is out of the range of '{type_}', {bounds[0]} to {bounds[1]}"
            )
    elif integer is not None:
        # C++ refuses to narrow an integer that the type cannot hold exactly.
        if not _is_exact(integer, scalar):
            raise LineMistake(offset, f"{shown} cannot be held exactly by the type '{type_}'")
    elif not (literal := _FLOATING.fullmatch(text)):
        raise LineMistake(offset, f"{shown} is not a number, as the type '{type_}' needs")
    elif not _fits(text.rstrip("fFlL"), scalar, literal[1]):
        raise LineMistake(offset, f"{shown} is out of the range of the type '{type_}'")


def _rounded(value: float, narrow: bool) -> float:
    """Return what a float or double makes of a number; infinity if it is too large."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0] if narrow else float(value)
    except OverflowError:
        return math.inf
    return rounded


def _is_exact(value: int, scalar: Scalar) -> bool:
    rounded = _rounded(value, scalar.kind == "Float32")
    return math.isfinite(rounded) and int(rounded) == value


def _fits(digits: str, scalar: Scalar, suffix: str) -> bool:
    rounded = _rounded(float(digits), scalar.kind == "Float32" or suffix in ("f", "F"))
    is_zero = not re.search("[1-9]", re.split("[eE]", digits)[0])
    return math.isfinite(rounded) and (rounded != 0 or is_zero)


def _cpp_literal(text: str, scalar: Scalar) -> str:
    """Spell a literal so that the compiler has no reason to warn."""
    integer = _integer(text)
    floating = _FLOATING.fullmatch(text)
    if scalar.mantissa and floating:
        digits, suffix = text.rstrip("fFlL"), floating[1].lower()
        return f"{digits}f" if scalar.kind == "Float32" or suffix == "f" else digits
    if integer is None or -(2**63) < integer < 2**63:
        return text
    if scalar.mantissa:
        return f"{integer}.{'f' if scalar.kind == 'Float32' else '0'}"
    # No literal is negative: 2**63 would be too large for its type before it is negated.
    return "-9223372036854775807 - 1" if integer < 0 else f"{integer}u"
