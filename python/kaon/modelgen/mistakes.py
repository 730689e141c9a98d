"""Mistakes in a model, with their places and suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # its import would slow down every module
    from pathlib import Path


class Place(NamedTuple):
    """A position in a text, both numbers counted from 1."""

    line: int
    column: int


NOWHERE = Place(0, 0)
"""The place of mistakes that concern a whole file, or no file."""


class Mistake(NamedTuple):
    """A mistake at a place of a model file."""

    place: Place
    message: str


OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that change a terminal's output: control characters, line separators, and marks of the
direction of text; and halves of characters, which terminals cannot show."""


def printable(text: str) -> str:
    r"""Return a text for one line, with control characters written as `\n` or `\x1b`."""
    return OBEYED.sub(lambda obeyed: repr(obeyed[0])[1:-1], text)


def printable_message(text: str) -> str:
    """Return a message in this form; its further lines are indented, other line ends escaped."""
    return "\n  ".join(map(printable, text.split("\n  ")))


def indented(text: str) -> str:
    """Return another program's text with indented lines, which `printable_message` keeps."""
    return text.replace("\n", "\n  ")


class Error(Exception):
    """The base of all exceptions that kaon raises."""

    def __str__(self) -> str:
        """Return the message, of one line or several; it may have names from any file."""
        return printable_message(Exception.__str__(self))


_MOST_SHOWN = 1000
"""The number of characters shown of a mistake, which may have long names."""


class ModelError(Error, ValueError):
    """A model that cannot be used, with all its mistakes in the order of the file.

    Parameters
    ----------
    path
        The model file, as the user named it.
    mistakes
        The mistakes in the model.
    """

    def __init__(self, path: Path, mistakes: Iterable[Mistake]) -> None:
        self.path = path
        self.mistakes = sorted(set(mistakes))
        super().__init__(path, self.mistakes)

    def __str__(self) -> str:
        return "\n".join(map(self._line, self.mistakes))

    def _line(self, mistake: Mistake) -> str:
        place = "" if mistake.place == NOWHERE else f"{mistake.place.line}:{mistake.place.column}:"
        text = mistake.message
        shown = text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
        return f"{printable(str(self.path))}:{place} {printable(shown)}"


_LONGEST_COMPARED = 200
"""The length of the longest words that are compared; it takes the product of two lengths."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'X'?)"`` with the known word nearest to `word`, or nothing.

    The answers are those of C++'s `suggestion`, which the generator does without.
    """
    most = max(2, len(word.encode()) // 3)
    longest = _LONGEST_COMPARED
    if len(word) > longest:
        return ""
    distances = ((_distance(word, other), other) for other in known if len(other) <= longest)
    least, nearest = min(distances, key=itemgetter(0), default=(inf, ""))
    return f" (did you mean '{nearest}'?)" if least <= most else ""


def _distance(word: str, known: str) -> float:
    if word != known and word.rpartition("::")[2] == known.rpartition("::")[2]:
        return 0
    mistakes = _mistakes_in(word.encode().lower(), known.encode().lower())
    if word and known.startswith(word):
        return min(mistakes, 1.5)
    return mistakes if mistakes < len(word.encode()) else inf


def _mistakes_in(a: bytes, b: bytes) -> int:
    """Return Levenshtein's distance; two swapped neighbours count once."""
    two_above: list[int] = []
    above = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            least = min(above[j] + (a[i] != b[j]), row[j] + 1, above[j + 1] + 1)
            if i and j and a[i] == b[j - 1] and a[i - 1] == b[j]:
                least = min(least, two_above[j - 1] + 1)
            row.append(least)
        two_above, above = above, row
    return above[-1]
