"""The block ``enums``: numbers with names."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

from kaon.modelgen.document import Document
from kaon.modelgen.members import LineMistake
from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import Enum, EnumValue
from kaon.modelgen.names import CPP_KEYWORDS
from kaon.modelgen.scalars import SCALARS

_ENUM = ("Description", "Author", "Type", "Values")
_VALUE = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*"
    r"(?:=\s*(?P<number>[+-]?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}))\s*)?"
    r"(?://(?P<comment>.*))?",
    re.ASCII | re.DOTALL,
)
_INTEGERS = [name for name, scalar in SCALARS.items() if scalar.bounds]


def parse_enum(document: Document, key: yaml.ScalarNode, node: yaml.Node) -> Enum:
    """Read one enum. A value without a number has the next one, as in C++."""
    context = f"enum '{key.value}': "
    entries = document.mapping(node, context, _ENUM)
    texts = {
        name: (document.text_of(entries[name][1], f"{context}{name}: ") or "").strip()
        for name in ("Description", "Author", "Type")
        if name in entries
    }
    type_ = texts.get("Type", "int32_t")
    if type_ not in _INTEGERS:
        hint = did_you_mean(type_, _INTEGERS)
        document.note(entries["Type"][1], f"{context}'{type_}' is not a type of integers{hint}")
        type_ = "int32_t"
    if isinstance(node, yaml.MappingNode) and "Values" not in entries:
        document.note(key, f"{context}the key 'Values' is missing")
    elif "Values" in entries and entries["Values"][1].value == []:
        document.note(key, f"{context}an enum needs at least one value")
    return Enum(
        key.value,
        texts.get("Description", ""),
        texts.get("Author", ""),
        type_,
        _values(document, entries["Values"][1], type_, context) if "Values" in entries else (),
        document.place(key.start_mark.index),
    )


def _values(document: Document, node: yaml.Node, type_: str, context: str) -> tuple[EnumValue, ...]:
    values: dict[str, EnumValue] = {}
    names: dict[int, str] = {}
    next_ = 0
    for line in document.lines(node, f"{context}Values: ", "NAME = NUMBER // comment"):
        indexes = document.indexes(line)
        try:
            value = _value(line.value, next_, type_, values, names)
        except LineMistake as mistake:
            document.note(document.place(indexes[mistake.offset]), f"{context}{mistake}")
            continue
        values[value.name] = value
        names[value.value] = value.name
        next_ = value.value + 1
    return tuple(values.values())


def _value(
    text: str, next_: int, type_: str, before: Mapping[str, EnumValue], names: Mapping[int, str]
) -> EnumValue:
    match = _VALUE.fullmatch(text)
    if not match:
        begin = len(text) - len(text.lstrip())
        raise LineMistake(begin, f"expected 'NAME', '= NUMBER', '// comment', found '{text}'")
    name, number = match["name"], match["number"]
    at = match.start("name")
    value = next_ if number is None else _number(number)
    bounds = SCALARS[type_].bounds
    assert bounds is not None
    if name in CPP_KEYWORDS:
        raise LineMistake(at, f"'{name}' is a keyword of C++ and cannot be a name")
    if name in before:
        raise LineMistake(at, f"the value '{name}' appears twice")
    if not bounds[0] <= value <= bounds[1]:
        raise LineMistake(
            at, f"'{name}', {value}, is out of the range of '{type_}', {bounds[0]} to {bounds[1]}"
        )
    if value in names:
        raise LineMistake(at, f"'{name}' has the same number as '{names[value]}', {value}")
    return EnumValue(name, value, (match["comment"] or "").strip())


def _number(text: str) -> int:
    return int(text, 16 if "x" in text.lower() else 10)
