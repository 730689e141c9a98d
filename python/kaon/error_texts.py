"""Errors in plain words: with notes on their place, and with Python's names of types."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast

from kaon.errors import WrongTypeError


def add_note(error: Exception, note: str) -> None:
    """Add a note to an error, such as the place where it arose."""
    if hasattr(error, "add_note"):  # since Python 3.11
        error.add_note(note)


_REFUSED = re.compile(
    r"(\w+)\(\): incompatible function arguments.*?\n    1\. \w+\((?:self(?:, )?)?(.*?)\) -> .*?"
    r"\n\nInvoked with types: (?:kaon\._core\.\w+(?:, )?)?(.*)",
    re.DOTALL,
)

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_plain_types(kind: _Class) -> _Class:
    """Let the errors of a class's methods name argument types as Python does, not as C++."""
    for name, method in vars(kind).items():
        if isinstance(method, FunctionType) and (not name.startswith("_") or name == "__getitem__"):
            setattr(kind, name, with_plain_type_errors(method))
    return kind


def with_plain_type_errors(function: _Function) -> _Function:
    """Let a function report arguments that C++ refuses with the names of Python's types."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError as error:
            refused = _REFUSED.match(str(error))
            if refused is None:
                raise
            message = "{}() takes ({}), not ({})".format(*refused.groups())
        wrong = next(_strange([*arguments, *options.values()]), message)
        raise WrongTypeError(wrong.replace("kaon._core.", ""))

    return cast("_Function", call)


def _strange(value: Any) -> Iterator[str]:
    """Yield a message for each value that C++ cannot hold: large numbers, invalid Unicode."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        yield f"{value} is beyond 64 bits"
    elif isinstance(value, str) and "\0" in value:
        yield f"{value!r} has a null character, which no path can have"
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            yield f"{value!r} is not valid Unicode"
    elif isinstance(value, Mapping):
        yield from _strange([*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _strange(each)
