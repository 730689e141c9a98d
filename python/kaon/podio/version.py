"""Versions of podio and of models."""

from __future__ import annotations

from typing import NamedTuple

__version__ = "1.7.0"


class Version(NamedTuple):
    """A version, which compares by number."""

    major: int = 0
    minor: int = 0
    patch: int = 0

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse(*parts: int | str) -> Version:
    """Return a version, from a text such as "1.7.0", or from one to three numbers.

    Raises
    ------
    ValueError
        If the text has other parts than numbers.
    """
    if len(parts) == 1 and isinstance(parts[0], str):
        return Version(*(int(number) for number in parts[0].removeprefix("v").split(".")))
    return Version(*(int(number) for number in parts))


build_version = parse(__version__)
"""The version of podio whose format kaon writes."""
