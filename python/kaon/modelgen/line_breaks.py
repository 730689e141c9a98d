"""Line breaks of generated C++, similar to those of clang-format."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 100
_ONE_LINER = re.compile(r"( *)([^/ ].*?) \{ (.+) \}")
_QUALIFIED_NAME = re.compile(r" (\w+::\w+\()")
_CONSTRUCTOR = re.compile(r"( *)([^/ ].*?) (: .+ \{\})")


def comment(text: str, unit: str = "") -> str:
    """Return a text and unit as one line for a comment."""
    words = [*text.split(), *([f"[{' '.join(unit.split())}]"] if unit else [])]
    line = " ".join(words)
    return f"{line}." if line.endswith(("\\", "??/")) else line  # so the next line stays code


def doc(text: str, unit: str = "", indent: int = 0) -> str:
    """Return a documentation comment; nothing if there is no text."""
    start = " " * indent + "/// "
    lines: list[str] = []
    *paragraphs, last = text.strip().split("\n")
    for paragraph in (*(comment(line) for line in paragraphs), comment(last, unit)):
        lines += textwrap.wrap(
            paragraph, WIDTH - len(start), break_long_words=False, break_on_hyphens=False
        ) or [""]
    if lines == [""]:
        return ""
    return "".join(f"{start}{comment(line)}".rstrip() + "\n" for line in lines)


def fill(begin: str, items: Sequence[str], end: str) -> str:
    """Join items with commas, in lines that are aligned with the end of `begin`."""
    margin = " " * len(begin)
    lines, line = [], begin
    for item, mark in zip(items, [","] * (len(items) - 1) + [end], strict=True):
        blank = "" if line in (begin, margin) else " "
        if blank and len(line + blank + item + mark) > WIDTH:
            lines.append(line)
            line, blank = margin, ""
        *broken, last = _break(item, WIDTH - len(line + mark))
        lines += [f"{line if i == 0 else margin}{part}" for i, part in enumerate(broken)]
        line = f"{margin if broken else line}{blank}{last}{mark}"
        if broken and item is not items[-1]:
            lines.append(line)
            line = margin
    return "\n".join((*lines, line))


def _break(item: str, room: int) -> list[str]:
    """Break a sum or a string literal into lines."""
    if len(item) <= room:
        return [item]
    if item.startswith('"'):
        return [f'"{line}"' for line in _gather(re.findall(r"[^ ]* ?", item[1:-1]), room - 2)]
    first, *others = _gather(re.findall(r".+?(?: \+ |$)", item), room - 4)
    return [first.rstrip(), *(f"    {line.rstrip()}" for line in others)]


def _gather(words: Iterable[str], room: int) -> list[str]:
    """Join words to lines."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1] + word) > room:
            lines.append("")
        lines[-1] += word
    return lines


MARK = "\0"  # begins lines of the user; their text cannot have it


def verbatim(code: str) -> str:
    """Mark the user's lines of code, so that `wrap_functions` does not change them."""
    return "".join(f"{MARK}{line.rstrip()}\n" for line in code.split("\n"))


def wrap_functions(text: str) -> str:
    """Break functions that do not fit on one line."""
    return "\n".join(
        line.removeprefix(MARK)
        if line.startswith(MARK) or len(line) <= WIDTH
        else _wrap_function(line)
        for line in text.split("\n")
    )


def _wrap_function(line: str) -> str:
    if match := _ONE_LINER.fullmatch(line):
        margin, signature, body = match.groups()
        if len(f"{margin}{signature} {{") > WIDTH:
            signature = _QUALIFIED_NAME.sub(r"\n\1", signature, count=1)
        return f"{margin}{signature} {{\n{margin}  {body}\n{margin}}}"
    if match := _CONSTRUCTOR.fullmatch(line):
        margin, signature, init = match.groups()
        return f"{margin}{signature}\n{margin}    {init}"
    return line
