"""The exceptions of kaon.

Each is an `Error`, and also the Python exception that fits, so that code without knowledge of
kaon handles it, too.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast

from kaon.modelgen.mistakes import Error, ModelError

__all__ = [
    "CorruptFileError",
    "DamagedModelWarning",
    "Error",
    "ExistingFileError",
    "FileError",
    "FormatError",
    "IncompleteFileWarning",
    "LostMetadataWarning",
    "MemoryLimitError",
    "MissingFileError",
    "ModelError",
    "SeveralTypesWarning",
    "UnknownMemberError",
    "UnknownNameError",
    "UnreadMemberWarning",
    "UnusedOptionWarning",
    "UnwrittenFileWarning",
    "UsageError",
    "WrongTypeError",
]


class FileError(Error, OSError):
    """The system refuses to read or write a file."""


class MissingFileError(FileError, FileNotFoundError):
    """The file or folder does not exist."""


class ExistingFileError(FileError, FileExistsError):
    """The file already exists, and overwriting was not allowed."""


class CorruptFileError(FileError):
    """A file is damaged: its bytes contradict each other or their checksums."""


class FormatError(FileError):
    """A file has a format, or a version of it, that this kaon does not read."""


class UnknownNameError(Error, KeyError):
    """The name does not exist; the message suggests the nearest name."""


class UnknownMemberError(UnknownNameError, AttributeError):
    """An object has no attribute of this name; the message suggests the nearest name."""


class WrongTypeError(Error, TypeError):
    """A value has the wrong type for its use."""


class UsageError(Error, ValueError):
    """The arguments of a call are wrong, independently of the data."""


class OutOfRangeError(Error, IndexError):
    """No entry or object has this number."""


class MemoryLimitError(Error, MemoryError):
    """The call needs more memory than is available or allowed."""


class IncompleteFileWarning(UserWarning):
    """A file is unfinished or was cut, or a program did not finish its writer.

    Only the complete part of the file is read.
    """


class DamagedModelWarning(UserWarning):
    """A model in a file is unreadable, or does not fit the data: arrays of arrays become flat."""


class UnreadMemberWarning(UserWarning):
    """Data of a file are skipped: the program's classes lack them, or kaon cannot read them."""


class UnusedOptionWarning(UserWarning):
    """A name in a writer's options was not among the written data."""


class LostMetadataWarning(UserWarning):
    """Metadata of files cannot be read or merged, and are left out."""


class SeveralTypesWarning(UserWarning):
    """A parameter was written with values of several types; each type becomes a column."""


class UnwrittenFileWarning(UserWarning):
    """A snapshot was never written, because the program did not use its value."""


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
