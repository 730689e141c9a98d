"""Options whose values are a few texts."""

from __future__ import annotations

from kaon import _core
from kaon.errors import UsageError


def checked_option(name: str, value: object, known: tuple[str, ...]) -> None:
    """Check the value of an option.

    Raises
    ------
    UsageError
        If the value is unknown.
    """
    if value not in known:
        hint = _core.suggestion(str(value), list(known))
        choices = " or ".join(f"'{each}'" for each in known)
        raise UsageError(f"{name}={value!r} is unknown{hint}; use {choices}")
