"""Objects of files that are not categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from kaon import _core
from kaon.files.filters import is_wanted_key
from kaon.objects.members import Members
from kaon.terminal import say


@dataclass(frozen=True)
class FileObject:
    """An object of a file that is not a category, such as a histogram.

    Attributes
    ----------
    name
        Its name with folders: "folder/h". Older versions have their cycle behind: "h;1".
    type
        Its class, such as "TH1D".
    bytes
        Its size in the file.
    """

    name: str
    type: str
    title: str
    bytes: int
    _core: _core.File = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about the object as values for JSON."""
        return {"type": self.type, "title": self.title, "bytes": self.bytes}

    def members(self) -> Members:
        """Return the members of the object as its class describes them.

        Raises
        ------
        FormatError
            If the file does not describe the class.
        CorruptFileError
            If the object is damaged.
        """
        read = self._core.read_object(self.name, Members)
        if isinstance(read, Members):
            return read
        members = Members(self.type)  # a text or list of the standard library
        members["items"] = read
        return members

    def read(self) -> Any:
        """Return the object as a value of hist, NumPy or Python; see `File.__getitem__`.

        Raises
        ------
        FormatError
            If the file does not describe the class.
        CorruptFileError
            If the object is damaged.
        """
        from kaon.objects.values import value_of

        read = self._core.read_object(self.name, Members)
        return value_of(read, f"{self._core.name}: '{self.name}'")


def objects_of(core: _core.File) -> dict[str, FileObject]:
    """Return the objects of a file by name."""
    return {
        name: FileObject(name, type, title, size, core) for name, type, title, size in core.objects
    }


def matching_objects(objects: Mapping[str, FileObject], names: Sequence[str]) -> list[FileObject]:
    """Return the objects whose names match; all without names."""
    return [each for name, each in objects.items() if is_wanted_key(names or None, name)]


def print_objects(objects: Iterable[FileObject], file: TextIO | None = None) -> None:
    """Print a table of objects, as wide as the terminal."""
    from kaon.files.overview import narrow_table, print_table

    rows = [(each.name, each.type, each.title, f"{each.bytes:,}") for each in objects]
    say("objects", file=file)
    table = narrow_table(("name", "class", "title", "bytes"), rows, words=3)
    print_table(table, file, is_narrow=True)
