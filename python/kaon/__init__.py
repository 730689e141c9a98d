"""Event data of particle physics: read and write ``.kaon`` files as arrays.

>>> import kaon
>>> events = kaon.open("events.kaon")["events"]
>>> events.arrays(["MCParticles.PDG", "MCParticles.momentum"], entry_stop=1000)

What is heavy is imported when it is first needed, so that ``import kaon`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kaon.category import Category, Column
    from kaon.collection import Collection
    from kaon.copying import relayout
    from kaon.datamodel import DataModel, load_model
    from kaon.decorated import decorate
    from kaon.errors import (
        CorruptFileError,
        Error,
        FileError,
        FormatError,
        IncompleteFileWarning,
        MissingFileError,
        UnknownMemberError,
        UnknownNameError,
        UnusedOptionWarning,
        UsageError,
        WrongTypeError,
    )
    from kaon.file import File, iterate, open
    from kaon.flat import FlatArrays
    from kaon.frames import Frame, Frames
    from kaon.metadata import Metadata, merge_metadata
    from kaon.references import follow
    from kaon.sizes import CategorySize, ColumnSize, FileSize
    from kaon.verification import Finding, Verification, verify
    from kaon.writable import WritableCategory, WritableFile
    from kaon.writing import append, create

    __version__: str

__all__ = [
    "Category",
    "CategorySize",
    "Collection",
    "Column",
    "ColumnSize",
    "CorruptFileError",
    "DataModel",
    "Error",
    "File",
    "FileError",
    "FileSize",
    "Finding",
    "FlatArrays",
    "FormatError",
    "Frame",
    "Frames",
    "IncompleteFileWarning",
    "Metadata",
    "MissingFileError",
    "UnknownMemberError",
    "UnknownNameError",
    "UnusedOptionWarning",
    "UsageError",
    "Verification",
    "WritableCategory",
    "WritableFile",
    "WrongTypeError",
    "__version__",
    "append",
    "create",
    "decorate",
    "follow",
    "iterate",
    "load_model",
    "merge_metadata",
    "open",
    "relayout",
    "verify",
]

_HOMES = {
    "Category": "category",
    "CategorySize": "sizes",
    "Collection": "collection",
    "Column": "category",
    "ColumnSize": "sizes",
    "DataModel": "datamodel",
    "File": "file",
    "FileSize": "sizes",
    "Finding": "verification",
    "FlatArrays": "flat",
    "Frame": "frames",
    "Frames": "frames",
    "Metadata": "metadata",
    "Verification": "verification",
    "WritableCategory": "writable",
    "WritableFile": "writable",
    "append": "writing",
    "create": "writing",
    "decorate": "decorated",
    "follow": "references",
    "iterate": "file",
    "load_model": "datamodel",
    "merge_metadata": "metadata",
    "open": "file",
    "relayout": "copying",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value = import_module("kaon._core").version
    elif name in __all__:
        value = getattr(import_module(f"kaon.{_HOMES.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module 'kaon' has no attribute '{name}'")
    globals()[name] = value  # the next time it is found without this function
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
