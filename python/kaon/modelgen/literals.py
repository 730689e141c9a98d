"""Literals of C++: their values, their fit to a type, and their spelling."""

from __future__ import annotations

import ast
import math
import re
import struct

from kaon.modelgen.scalars import Scalar

# The limits of length keep numbers from long texts cheap.
_INTEGER = re.compile(
    r"([+-]?)(0[xX][0-9a-fA-F]{1,32}|0[bB][01]{1,80}|[0-9]{1,40})"
    r"([uU]?(?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU])"
)
_FLOATING = re.compile(
    r"[+-]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?|[0-9]+[eE][+-]?[0-9]{1,9})"
    r"([fFlL]?)"
)
_CHARACTER = re.compile(r"'(?:\\[0abfnrtv\\'\"]|(?![\\'])[ -~])'")


def literal_value(text: str, scalar: Scalar) -> bool | int | float | None:
    """Return the value of a literal; None if the text is not a literal of the type."""
    if scalar.kind == "Bool":
        return {"true": True, "false": False}.get(text)
    if (integer := _integer(text)) is not None:
        return integer
    if scalar.mantissa:
        floating = _FLOATING.fullmatch(text)
        if floating is None:
            return None
        value = _rounded(float(text.rstrip("fFlL")), floating[1] in ("f", "F"))
        return value if math.isfinite(value) else None
    return ord(ast.literal_eval(text)) if _CHARACTER.fullmatch(text) else None


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


def literal_mistake(text: str, scalar: Scalar, type_: str) -> str:
    """Return the mistake in a literal as the default of a member of a type; "" if it is right."""
    shown = f"the default '{text}'"
    integer = _integer(text)
    if scalar.kind == "Bool":
        if text not in ("true", "false"):
            known = {"0": "false", "1": "true", "False": "false", "True": "true"}.get(text)
            hint = f" (did you mean '{known}'?)" if known else ""
            return f"{shown} is neither 'true' nor 'false'{hint}"
    elif bounds := scalar.bounds:
        if type_ == "char" and _CHARACTER.fullmatch(text):
            return ""
        if integer is None:
            return f"{shown} is not an integer, as the type '{type_}' needs"
        if not bounds[0] <= integer <= bounds[1]:
            return f"{shown} is out of the range of '{type_}', {bounds[0]} to {bounds[1]}"
    elif integer is not None:
        # C++ refuses to narrow an integer that the type cannot hold exactly.
        if not _is_exact(integer, scalar):
            return f"{shown} cannot be held exactly by the type '{type_}'"
    elif not (literal := _FLOATING.fullmatch(text)):
        return f"{shown} is not a number, as the type '{type_}' needs"
    elif not _fits(text.rstrip("fFlL"), scalar, literal[1]):
        return f"{shown} is out of the range of the type '{type_}'"
    return ""


def _rounded(value: float, narrow: bool) -> float:
    """Return a number rounded to float or double; infinity if it is too large."""
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


def cpp_literal(text: str, scalar: Scalar) -> str:
    """Return the spelling of a literal for which compilers do not warn."""
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
