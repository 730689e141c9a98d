"""The exceptions of kaon.

Each is an `Error`, and also the exception of Python that fits, so that code that knows nothing of
kaon handles it as well.
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
    """There is no such file or folder."""


class ExistingFileError(FileError, FileExistsError):
    """There is a file already, which was not to be overwritten."""


class CorruptFileError(FileError):
    """A file is damaged: its bytes contradict each other or their checksums."""


class FormatError(FileError):
    """A file is of a format, or of a version of it, that this kaon does not read."""


class UnknownNameError(Error, KeyError):
    """Nothing has this name; the message tells the nearest one that exists."""


class UnknownMemberError(UnknownNameError, AttributeError):
    """Nothing of an object has this name, which was used as an attribute."""


class WrongTypeError(Error, TypeError):
    """Values are of another type than what they are used for."""


class UsageError(Error, ValueError):
    """The call does not make sense, whatever the data."""


class OutOfRangeError(Error, IndexError):
    """There is no entry, or no object, of this number."""


class MemoryLimitError(Error, MemoryError):
    """It would take more memory than there is, or than is allowed."""


class IncompleteFileWarning(UserWarning):
    """A file was cut, or is not finished: what is whole of it is read. Or nobody finished it."""


class DamagedModelWarning(UserWarning):
    """A model in a file cannot be read, or does not fit its data: arrays of arrays are flat."""


class UnreadMemberWarning(UserWarning):
    """A file has what is not read: the classes of the program do not know it, or kaon cannot."""


class UnusedOptionWarning(UserWarning):
    """A name in the options of a writer is that of nothing that was written."""


class LostMetadataWarning(UserWarning):
    """What files say about themselves cannot be read or merged, and is left out."""


class SeveralTypesWarning(UserWarning):
    """A parameter was written with values of several types, each of which is a column."""


class UnwrittenFileWarning(UserWarning):
    """A snapshot was asked for and nobody looked at its value: there is no file."""


def add_note(error: Exception, note: str) -> None:
    """Say where an error arose."""
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
    """Let a class's methods tell in Python's words which types their arguments must have."""
    for name, method in vars(kind).items():
        if isinstance(method, FunctionType) and (not name.startswith("_") or name == "__getitem__"):
            setattr(kind, name, with_plain_type_errors(method))
    return kind


def with_plain_type_errors(function: _Function) -> _Function:
    """Let a function tell in Python's words what is wrong with its arguments, which C++ refuses."""

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
    """Yield what C++ has no type for: large numbers, and texts that are not Unicode."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        yield f"{value} is beyond 64 bits"
    elif isinstance(value, str) and "\0" in value:
        yield f"{value!r} has a null character, which no path can have"
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            yield f"{value!r} is no valid Unicode"
    elif isinstance(value, Mapping):
        yield from _strange([*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _strange(each)
