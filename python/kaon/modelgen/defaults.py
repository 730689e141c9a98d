"""Defaults of members: whether they fit the type, and how C++ is told."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator

from kaon.modelgen.members import LineMistake, MemberLine
from kaon.modelgen.scalars import SCALARS, Scalar

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
_SEPARATOR = re.compile(r"'(?:\\.|[^'\\])'|,")  # a comma in a character literal is none


def check_default(line: MemberLine) -> None:
    """Check that the default of a member of builtin type, if it has one, fits.

    Raises
    ------
    LineMistake
        If it does not. The default of a component is up to the C++ compiler.
    """
    if line.default is None:
        return
    scalar = SCALARS.get(line.type)
    if line.array_size is None:
        if scalar:
            _check_literal(line.default, scalar, line.type, line.default_offset)
        return
    if not scalar:
        return
    entries = list(_entries(line.default))
    if len(entries) > line.array_size:
        raise LineMistake(
            line.default_offset + entries[line.array_size][0],
            f"the default has {len(entries)} entries for an array of {line.array_size}",
        )
    for offset, entry in entries:
        _check_literal(entry, scalar, line.type, line.default_offset + offset)


def cpp_default(type_: str, array_size: int | None, default: str | None) -> str:
    """Return the text between the braces of a C++ initialiser for a checked default."""
    scalar = SCALARS.get(type_)
    if default is None or scalar is None:
        return default or ""
    if array_size is None:
        return _cpp_literal(default, scalar)
    return ", ".join(_cpp_literal(entry, scalar) for _, entry in _entries(default))


def _entries(default: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and text of each entry of a list; braces around all of it may be doubled."""
    begin, end = 0, len(default)
    if default.startswith("{") and default.endswith("}"):
        begin, end = 1, end - 1
    found = _SEPARATOR.finditer(default, begin, end)
    commas = [match.start() for match in found if match.group() == ","]
    for first, last in zip((begin, *(comma + 1 for comma in commas)), (*commas, end), strict=True):
        entry = default[first:last]
        yield first + len(entry) - len(entry.lstrip()), entry.strip()


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
