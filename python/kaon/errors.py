"""The exceptions of kaon.

Each is an `Error`, and also the Python exception that fits, so that code without knowledge of
kaon handles it, too.
"""

from kaon.modelgen.mistakes import Error as Error
from kaon.modelgen.mistakes import ModelError as ModelError


class FileError(Error, OSError):
    """The system refuses to read or write a file."""


class MissingFileError(FileError, FileNotFoundError):
    """The file or folder does not exist."""


class ExistingFileError(FileError, FileExistsError):
    """The file already exists, and overwriting was not allowed."""


class CorruptFileError(FileError):
    """A file is damaged: its bytes contradict each other or their checksums."""


class FormatError(FileError):
    """A file has a format, or a version of it, that this kaon does not read.

    Attributes
    ----------
    columns
        Names of columns, if only their values cannot be read; otherwise empty.
    """

    columns: tuple[str, ...] = ()


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


class BadFileWarning(UserWarning):
    """A file that cannot be used is left out, as ``on_bad_file="skip"`` asks."""
