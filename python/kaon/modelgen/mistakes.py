"""Mistakes in a model: where they are, what is wrong and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # all that can fail would wait for its import
    from pathlib import Path


class Place(NamedTuple):
    """A position in a text, both numbers counted from 1."""

    line: int
    column: int


NOWHERE = Place(0, 0)
"""The place of what concerns a file as a whole, or of what was never in a file."""


@dataclass(frozen=True, order=True)
class Mistake:
    """Something wrong at a place of a model file."""

    place: Place
    message: str


# What terminals obey: control characters, what separates lines or changes the direction of texts.
# Halves of characters they cannot show.
_OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Return a text as a part of a line: what terminals obey is written as `\n` or `\x1b`."""
    return _OBEYED.sub(lambda obeyed: repr(obeyed[0])[1:-1], text)


def printable_message(text: str) -> str:
    """Return a message likewise, with its lines, which are indented; other line ends are names'."""
    return "\n  ".join(map(printable, text.split("\n  ")))


def indented(text: str) -> str:
    """Return somebody else's text as a part of a message, whose lines `printable_message` keeps."""
    return text.replace("\n", "\n  ")


class Error(Exception):
    """The root of all exceptions that kaon raises itself."""

    def __str__(self) -> str:
        """Return the message, of one line or several; names in it can be those of any file."""
        return printable_message(Exception.__str__(self))


class ModelError(Error, ValueError):
    """A model that cannot be used, with all its mistakes in the order of the file.

    Parameters
    ----------
    path
        The model file, as the user named it.
    mistakes
        What is wrong with it.
    """

    def __init__(self, path: Path, mistakes: Iterable[Mistake]) -> None:
        self.path = path
        self.mistakes = sorted(set(mistakes))
        super().__init__(path, self.mistakes)

    def __str__(self) -> str:
        return "\n".join(map(self._line, self.mistakes))

    def _line(self, mistake: Mistake) -> str:
        place = "" if mistake.place == NOWHERE else f"{mistake.place.line}:{mistake.place.column}:"
        return f"{self.path}:{place} {printable(mistake.message)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'X'?)"`` with the known word most like `word`, or nothing.

    A forgotten namespace counts as alike, however long it is.
    """
    import difflib

    words = list(known)
    short = word.rpartition("::")[2]
    near = [other for other in words if other.rpartition("::")[2] == short and other != word]
    near = near or difflib.get_close_matches(word, words, n=1, cutoff=0.7)
    return f" (did you mean '{near[0]}'?)" if near else ""
