"""The grammar of one member line: ``TYPE NAME [{DEFAULT}] [[UNIT]] [// COMMENT]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import MOST_DIMENSIONS, MOST_ELEMENTS, MOST_LISTS
from kaon.modelgen.names import CPP_KEYWORDS
from kaon.modelgen.scalars import INSTEAD, SCALARS, STRING, TYPE_WORDS
from kaon.modelgen.units import EXAMPLE, is_unit


class LineMistake(Exception):
    """A mistake in a line, at an offset from its begin."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True)
class MemberLine:
    """The parts of a member line; the offsets are positions in the line.

    Attributes
    ----------
    shape
        The sizes of a ``std::array``, the outermost first.
    optional
        Whether the type is a ``std::optional``.
    depth
        The number of ``std::vector`` around the type.
    comment
        None if the line has no ``//``.
    end
        The offset behind the last character of the line.
    """

    type: str
    shape: tuple[int, ...]
    optional: bool
    depth: int
    name: str
    default: str | None
    unit: str | None
    comment: str | None
    type_offset: int
    name_offset: int
    default_offset: int
    unit_offset: int
    end: int


_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUALIFIED = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*", re.ASCII)
_ARRAY = re.compile(r"(std::)?array\s*<")
_OPTIONAL = re.compile(r"(std::)?optional\s*<")
_VECTOR = re.compile(r"(std::)?vector\s*<")
_ARRAY_SIZE = re.compile(r"[1-9][0-9]{0,8}(?!\w)")
_SHOWN = re.compile(r"\w+|//|\S")
_CHARACTER = re.compile(r"'(?:\\.|[^'\\])'")

_FOREIGN = {
    ",": "each member has a line of its own",
    "=": "a default is written in braces",
    ";": "a line has no end mark",
    "/": "a comment begins with '//'",
    "#": "a comment begins with '//'",
}


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.skip_blanks()

    def skip_blanks(self) -> None:
        while self.offset < len(self.text) and self.text[self.offset].isspace():
            self.offset += 1

    def take(self, pattern: re.Pattern[str]) -> str | None:
        """Take text that matches, and the blanks behind it."""
        match = pattern.match(self.text, self.offset)
        if not match:
            return None
        self.offset = match.end()
        self.skip_blanks()
        return match.group()

    def starts_with(self, text: str) -> bool:
        return self.text.startswith(text, self.offset)

    def upcoming(self) -> str:
        """Return the next word, for messages."""
        match = _SHOWN.match(self.text, self.offset)
        return f"'{match.group()}'" if match else "the end of the line"

    def mistake(self, message: str) -> LineMistake:
        return LineMistake(self.offset, message)


def parse_member(text: str) -> MemberLine:
    """Split a member line into its parts.

    Raises
    ------
    LineMistake
        At the first text that does not follow the grammar.
    """
    line = _Scanner(text)
    type_offset = line.offset
    depth = 0
    while _wraps(line, _VECTOR, "vector"):
        depth += 1
    if depth > MOST_LISTS:
        raise LineMistake(type_offset, f"there are more than {MOST_LISTS} std::vector in a row")
    optional = _wraps(line, _OPTIONAL, "optional")
    type_, shape = _type(line)
    if optional:
        _expect(line, ">", "after the type of the std::optional")
    for _ in range(depth):
        _expect(line, ">", "after the type of the std::vector")
    name_offset = line.offset
    name = _name(line, type_)

    default = unit = comment = None
    default_offset = unit_offset = line.offset
    if line.starts_with("{"):
        default, default_offset = _default(line)
    if line.starts_with("["):
        unit_offset = line.offset + 1
        unit = _unit(line, type_, name)
    if line.starts_with("//"):
        comment = text[line.offset + 2 :].strip()
    elif line.offset < len(text):
        raise _unexpected(line, name, default, unit)
    end = len(text.rstrip())
    return MemberLine(
        *(type_, shape, optional, depth, name, default, unit, comment),
        *(type_offset, name_offset, default_offset, unit_offset, end),
    )


def _wraps(line: _Scanner, pattern: re.Pattern[str], name: str) -> bool:
    """Take the begin of a template of the standard library, if it comes next."""
    match = pattern.match(line.text, line.offset)
    if match and not match[1]:
        raise line.mistake(f"'{name}' is not a type (did you mean 'std::{name}'?)")
    return line.take(pattern) is not None


def _type(line: _Scanner) -> tuple[str, tuple[int, ...]]:
    """Take a type, which may be an array or a nested array."""
    offset, depth = line.offset, 0
    while _wraps(line, _ARRAY, "array"):
        depth += 1
    if depth > MOST_DIMENSIONS:
        raise LineMistake(offset, f"the std::array has more than {MOST_DIMENSIONS} dimensions")
    if depth and _OPTIONAL.match(line.text, line.offset):
        raise line.mistake("an array cannot hold std::optional (did you mean it the other way?)")
    element = _element_type(line)
    sizes = [_array_size(line) for _ in range(depth)]
    if prod(sizes) > MOST_ELEMENTS:
        raise LineMistake(offset, f"the std::array has more than {MOST_ELEMENTS:,} elements")
    return element, tuple(reversed(sizes))


def _array_size(line: _Scanner) -> int:
    _expect(line, ",", "between the type and the size of the std::array")
    size = line.take(_ARRAY_SIZE)
    if size is None:
        raise line.mistake(
            f"expected the size of the std::array, a whole number above 0, found {line.upcoming()}"
        )
    _expect(line, ">", "after the size of the std::array")
    return int(size)


def _expect(line: _Scanner, mark: str, where: str) -> None:
    if line.take(re.compile(mark)) is None:
        raise line.mistake(f"expected '{mark}' {where}, found {line.upcoming()}")


def _element_type(line: _Scanner) -> str:
    offset = line.offset
    words: list[str] = []
    while (match := _WORD.match(line.text, line.offset)) and match.group() in TYPE_WORDS:
        words.append(match.group())
        line.take(_WORD)
    if words:
        spelled = " ".join(words)
        if spelled not in SCALARS:
            raise LineMistake(offset, f"'{spelled}' is not a type of kaon" + _instead(spelled))
        return spelled

    name = line.take(_QUALIFIED)
    if name is None:
        raise line.mistake(f"expected a type, found {line.upcoming()}")
    if name in CPP_KEYWORDS:
        raise LineMistake(offset, f"'{name}' is a keyword of C++, not a type")
    if line.starts_with("<"):
        if _OPTIONAL.match(f"{name}<"):
            raise LineMistake(offset, "a std::optional cannot hold another")
        if _VECTOR.match(f"{name}<"):
            raise LineMistake(offset, "a std::vector can only be in another std::vector")
        raise LineMistake(offset, f"'{name}<...>' is not a type of kaon")
    known = (*SCALARS, STRING)
    if name.startswith("std::") and name not in known:
        raise LineMistake(offset, f"'{name}' is not a type of kaon" + did_you_mean(name, known))
    if name.startswith("::"):
        raise LineMistake(offset, f"'{name}' begins with '::' (did you mean '{name[2:]}'?)")
    return name


def _instead(spelled: str) -> str:
    other = INSTEAD.get(spelled)
    return f" (did you mean '{other}'?)" if other else ""


def _name(line: _Scanner, type_: str) -> str:
    offset = line.offset
    name = line.take(_WORD)
    if name is None:
        hint = ""
        if match := re.compile(r"\[\s*(\d+)\s*\]").match(line.text, offset):
            hint = f" (did you mean 'std::array<{type_}, {match[1]}>'?)"
        raise line.mistake(
            f"expected a name after the type '{type_}', found {line.upcoming()}{hint}"
        )
    if name in CPP_KEYWORDS:
        swapped = name in SCALARS and type_ not in SCALARS
        hint = f" (did you mean '{name} {type_}'?)" if swapped else ""
        raise LineMistake(offset, f"'{name}' is a keyword of C++ and cannot be a name{hint}")
    return name


def _default(line: _Scanner) -> tuple[str, int]:
    """Take the text between balanced braces; braces in character literals do not count."""
    begin = offset = line.offset
    depth = 0
    while offset < len(line.text):
        if character := _CHARACTER.match(line.text, offset):
            offset = character.end()
            continue
        depth += {"{": 1, "}": -1}.get(line.text[offset], 0)
        offset += 1
        if depth == 0:
            break
    if depth:
        raise line.mistake("the '}' that ends the default is missing")
    inner = line.text[begin + 1 : offset - 1]
    if not inner.strip():
        raise line.mistake("the default is empty; without one, a member begins as zero")
    line.offset = offset
    line.skip_blanks()
    return inner.strip(), begin + 1 + len(inner) - len(inner.lstrip())


def _unit(line: _Scanner, type_: str, name: str) -> str:
    begin = line.offset
    match = re.compile(r"[^][]*").match(line.text, begin + 1)
    assert match is not None  # it can match nothing, so it always matches
    end = match.end()
    if end == len(line.text):
        raise line.mistake("the ']' that ends the unit is missing")
    if line.text[end] == "[":
        raise LineMistake(end, "a unit cannot contain brackets")
    unit = match.group().strip().replace("**", "^")
    if not unit:
        raise line.mistake("the unit is empty")
    if re.fullmatch(r"0|[2-9]|[1-9][0-9]+", unit):
        # This would otherwise turn a C array into a single value. [1] is the unit "dimensionless".
        raise line.mistake(
            f"'[{unit}]' is not a unit (did you mean 'std::array<{type_}, {unit}> {name}'?)"
        )
    if not is_unit(unit):
        expected = f"expected names and powers joined by '*' and '/', such as '{EXAMPLE}'"
        raise LineMistake(begin + 1, f"'[{unit}]' is not a unit: {expected}")
    line.offset = end + 1
    line.skip_blanks()
    return unit


def _unexpected(line: _Scanner, name: str, default: str | None, unit: str | None) -> LineMistake:
    mark = line.text[line.offset]
    if mark == "{":
        wrong = "a second default" if default is not None else "the default comes before the unit"
        return line.mistake(wrong)
    if mark == "[":
        return line.mistake("a second unit")
    if hint := _FOREIGN.get(mark):
        return line.mistake(f"unexpected {line.upcoming()}: {hint}")
    if unit is not None:
        before, expected = "the unit", "'// comment'"
    elif default is not None:
        before, expected = "the default", "'[unit]' or '// comment'"
    else:
        before, expected = f"'{name}'", "'{default}', '[unit]' or '// comment'"
    return line.mistake(f"unexpected {line.upcoming()} after {before}; expected {expected}")
