"""What the members of a data model hold where nobody says otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kaon.errors import UsageError
from kaon.modelgen.scalars import SCALARS
from kaon.structs import scalar_name

if TYPE_CHECKING:
    from kaon.modelgen.model import Component, Member

# C++ initialisers: a literal, or a list of them in braces.
_Value: TypeAlias = "str | list[_Value]"
_TOKEN = re.compile(r"\s*([{},]|'(?:\\.|[^'\\])'|[^\s{},']+)")
_OCTAL = re.compile(r"([+-]?)0([0-7]+)")


def leaf_defaults(
    members: Sequence[Member], components: Mapping[str, Component]
) -> list[np.ndarray]:
    """Return the default of each leaf of a struct with these members.

    Returns
    -------
    list of ndarray
        In the order of the leaves, with their types; of shape () or (extent,).

    Raises
    ------
    UsageError
        If a default is C++ that only a compiler understands.
    """
    return [leaf for member in members for leaf in _of_member(member, member.default, components)]


def _of_member(
    member: Member, text: str | None, components: Mapping[str, Component]
) -> Iterator[np.ndarray]:
    try:
        yield from _initialised(member, _parse(text or ""), components)
    except (ValueError, SyntaxError, IndexError, OverflowError, TypeError):
        raise UsageError(
            f"the default {{{text}}} of '{member.name}' is for C++ only: give values"
        ) from None


def _initialised(
    member: Member, values: list[_Value], components: Mapping[str, Component]
) -> Iterator[np.ndarray]:
    """Yield the leaves of a member that C++ initialises with these values in braces."""
    count = member.array_size
    if len(values) > (count or 1) and (count or member.type in SCALARS):
        raise ValueError
    if count is not None and len(values) == 1 and isinstance(values[0], list):
        values = values[0]  # braces around all of an array may be doubled
    if member.type in SCALARS:
        dtype = np.dtype(scalar_name(member.type))
        literals = [_literal(value, dtype) for value in values]
        literals += [0] * ((count or 1) - len(literals))
        leaf = np.array(literals, dtype)
        yield leaf if (count or 1) > 1 else leaf[0, ...]
        return
    elements: Sequence[_Value] = [values] if count is None else values
    for i in range(count or 1):
        element = elements[i] if i < len(elements) else []
        parts = components[member.type].members
        if not isinstance(element, list) or len(element) > len(parts):
            raise ValueError  # C++ would look for what the braces, left out, might enclose
        for part, value in zip(parts, element, strict=False):
            yield from _initialised(part, value if isinstance(value, list) else [value], components)
        for part in parts[len(element) :]:
            yield from _of_member(part, part.default, components)


def _parse(text: str) -> list[_Value]:
    """Return the values of a list in braces, of which the text is the inside."""
    stack: list[list[_Value]] = [[]]
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            raise ValueError
        end = token.end()
        if token[1] == "{":
            inner: list[_Value] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif token[1] == "}":
            stack.pop()
        elif token[1] != ",":
            stack[-1].append(token[1])
    if text[end:].strip() or len(stack) != 1:
        raise ValueError
    return stack[0]


def _literal(value: _Value, dtype: np.dtype) -> bool | int | float:
    if not isinstance(value, str):
        (value,) = value or ["0"]
        return _literal(value, dtype)
    if dtype.kind == "b":
        return {"true": True, "false": False}[value] if value in ("true", "false") else _fail()
    if value.startswith("'"):
        return ord(ast.literal_eval(value))
    if dtype.kind == "f" and not re.match(r"[+-]?0[xX]", value):
        return float(value.rstrip("fFlLuU"))
    number = value.rstrip("uUlL")
    octal = _OCTAL.fullmatch(number)
    return int(f"{octal[1]}{octal[2]}", 8) if octal else int(number, 0)


def _fail() -> bool:
    raise ValueError
