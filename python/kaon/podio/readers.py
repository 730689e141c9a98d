"""Readers and writers with podio's functions, for files of all formats."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kaon.errors import OutOfRangeError, UnknownNameError
from kaon.events.collection import Collection
from kaon.events.frames import Frame as Event
from kaon.files.file import File
from kaon.podio import version
from kaon.podio.frame import Frame
from kaon.writing.opening import create

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class FrameCategoryIterator:
    """The frames of a category in one or several files, in order or by number."""

    def __init__(self, files: list[File], category: str, coll_names: Iterable[str] = ()) -> None:
        self._parts = [file[category].frames() for file in files if category in file]
        self._names = set(coll_names)
        self._next = 0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        if self._next >= len(self):
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    def __getitem__(self, entry: int) -> Frame:
        at = entry + len(self) if entry < 0 else entry
        if at < 0:
            raise OutOfRangeError(f"there is no frame {entry}, only {len(self)}")
        for part in self._parts:
            if at < len(part):
                return Frame(self._chosen(part[at]))
            at -= len(part)
        raise OutOfRangeError(f"there is no frame {entry}, only {len(self)}")

    def _chosen(self, event: Event) -> Event:
        for name in list(event) if self._names else ():
            if name not in self._names:
                del event[name]
        return event


class Reader:
    """Files of any format, read as one.

    Parameters
    ----------
    filenames
        A path, or several.
    """

    is_legacy = False

    def __init__(self, filenames: Paths) -> None:
        paths = [filenames] if isinstance(filenames, (str, os.PathLike)) else list(filenames)
        if not paths:
            raise OutOfRangeError("a reader needs a file")
        self._files = [File(path) for path in paths]

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the categories of the first file."""
        return tuple(self._files[0])

    def get(self, category: str, coll_names: Iterable[str] | None = None) -> FrameCategoryIterator:
        """Return the frames of a category; with only these collections, if any are given."""
        return FrameCategoryIterator(self._files, category, coll_names or ())

    @property
    def datamodel_definitions(self) -> tuple[str, ...]:
        """The names of the models in the first file."""
        return tuple(self._files[0].models)

    def current_file_version(self, edm_name: str | None = None) -> version.Version:
        """Return the version of podio that wrote the file, or the version of a model.

        Raises
        ------
        KeyError
            If the file lacks the model, or its version.
        """
        if edm_name is None:
            text = self._files[0].metadata.get("podio")
            return version.build_version if text is None else version.parse(str(text))
        if found := self._files[0].models.description(edm_name).version:
            return version.parse(found)
        raise UnknownNameError(f"the file does not have the version of the model '{edm_name}'")

    def get_datamodel_definition(self, edm_name: str) -> str:
        """Return a model of the first file as JSON."""
        return json.dumps(self._files[0].model(edm_name))


def _model_of(event: Event) -> Any:
    """Return the model of the first collection with objects' classes, or None."""
    for collection in event.values():
        origin = collection.datatype._origin if isinstance(collection, Collection) else None
        if origin is not None:
            return origin[0]
    return None


class Writer:
    """A new file in podio's format. Its model is that of the first frame's objects.

    Parameters
    ----------
    filename
        The path. An existing file is replaced when this one is finished.
    format
        The format, see `kaon.create`.
    """

    def __init__(self, filename: str | os.PathLike[str], format: str = "podio") -> None:
        self._path, self._format = filename, format
        self._file: Any = None

    def write_frame(
        self, frame: Frame, category: str, collections: Iterable[str] | None = None
    ) -> None:
        """Append a frame, with all collections or these.

        Raises
        ------
        KeyError
            If the frame lacks a collection.
        """
        event = frame.event
        if collections is not None:
            chosen = Event()
            for name in collections:
                chosen[name] = event[name]
            chosen.parameters.update(event.parameters)
            event = chosen
        self._open(_model_of(event))[category].write(event)

    def finish(self) -> None:
        """Finish the file, which may be empty."""
        self._open(None).close()

    def _open(self, model: Any) -> Any:
        if self._file is None:
            self._file = create(self._path, model, overwrite=True, format=self._format)
        return self._file
