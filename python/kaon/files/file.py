"""Open files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from kaon import _core
from kaon.columns.reading import sendable
from kaon.errors import (
    UnknownNameError,
    UsageError,
    WrongTypeError,
    with_plain_type_errors,
    with_plain_types,
)
from kaon.files.category import Category
from kaon.files.distant import file_of_object
from kaon.files.metadata import Metadata, read_metadata
from kaon.files.paths import StrPath, split_path, system_path
from kaon.files.places import Place
from kaon.model.file_models import Models
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    from kaon.files.sizes import FileSize
    from kaon.model.datamodel import AnyModel


@with_plain_type_errors
def open(
    path: StrPath | IO[bytes] | Mapping[StrPath, str],
    model: AnyModel | None = None,
    *,
    group: bool = True,
    tags: Iterable[int] = (),
) -> File | Category:
    """Open a file for reading.

    >>> kaon.open("run1.kaon:events", model="edm4hep.yaml").arrays("MCParticles.momentum.x")

    Parameters
    ----------
    path
        A path, or a path and a category, such as "events.kaon:events" or "events.root:dir/tree". A
        URL, such as "https://host/events.kaon:events", of any protocol that fsspec knows: only the
        bytes that are wanted are transferred. A file that was opened for reading bytes.
        The category may also be the value of the path: ``{"events.kaon": "events"}``.
        Files of Parquet and Feather have one, "events" unless kaon wrote it by another name. They
        are written to a temporary file first, all of their columns; this needs pyarrow.
    model
        The data model that the file is to be read with, in any of the ways that `create` takes it,
        if it is of another version of it: arrays and frames then have the names and types of this
        model, and its defaults for what the file lacks; what the model gave other names is found by
        its migrations. None reads what the file has as it is there.
    group
        Whether arrays of a ROOT tree that have the same counter, such as ``Muon_pt[nMuon]``, are
        one collection, or lists of their own.
    tags
        Of a HIPO file, read only the records of events with one of these tags; the others are
        passed over unread. Empty: all events are read.

    Returns
    -------
    File
        A mapping of the file's categories by name.
    Category
        If `path` names one.

    Raises
    ------
    MissingFileError
        If there is no such file; it is a FileNotFoundError.
    FileError
        If it cannot be read; it is an OSError, as all that follow.
    FormatError
        If it is no file that kaon reads.
    CorruptFileError
        If it is damaged.
    UnknownNameError
        If it does not have the category; it is a KeyError.
    ModelError
        If the YAML file of the model has mistakes.
    UsageError
        If another model has.
    WrongTypeError
        If it is no path and no open file.

    Warns
    -----
    UnreadMemberWarning
        If the file is of a newer version of the model, and has members that it does not know; or if
        a list or relation seems to have got another name, of which no migration tells.
    IncompleteFileWarning
        If it was cut or not finished; what is whole of it is read.
    """
    if isinstance(path, Mapping) and not isinstance(path, File):
        if len(path) != 1:
            raise UsageError(f"one file is opened, not {len(path)}: `kaon.iterate` reads several")
        ((place, name),) = path.items()
        return File(place, model, group=group, tags=tags)[name]
    if not isinstance(path, (str, os.PathLike)):
        return File(path, model, group=group, tags=tags)
    where, category = split_path(path)
    file = File(where, model, group=group, tags=tags)
    return file if category is None else file[category]


@with_plain_types
class File(Mapping[str, Category]):
    """An open file: its categories by name.

    It is what `kaon.open` returns, and can be used in a ``with`` statement. Any number of threads
    may use it at the same time.

    Attributes
    ----------
    path
        Where it is.
    id
        A number that tells it from other files; 0 for formats that have none.
    is_complete
        Whether its writer finished it; if not, what is whole of it is read.
    """

    def __init__(
        self,
        path: StrPath | IO[bytes],
        model: AnyModel | None = None,
        *,
        group: bool = True,
        tags: Iterable[int] = (),
    ) -> None:
        models = {}
        if model is not None:
            from kaon.model.datamodel import model_documents

            models = model_documents(model)
        place = None
        if isinstance(path, (str, os.PathLike)):
            path = system_path(path)
            place = Place.of(path, models, group, tags)
            core = place.open(path)
        elif hasattr(path, "seek"):
            core = _core.File(*file_of_object(path), models, group, list(tags))
        else:
            raise WrongTypeError(
                f"a file is a path, a URL, or one that was opened to read bytes, not {path!r}; "
                "`kaon.iterate` and `kaon.concatenate` read several"
            )
        for warning in core.warnings:
            warnings.warn(warning, stacklevel=4)  # whoever called open()
        self._begin(core, place)

    def _begin(self, core: _core.File, place: Place | None) -> None:
        self._core: _core.File | None = core
        self._place = place
        self._categories: dict[str, Category] = {}
        self._metadata: Metadata | None = None
        self._models = Models(core)
        self.path: str = core.name
        self.id: int = core.id
        self.is_complete: bool = core.is_complete

    def _open(self) -> _core.File:
        if self._core is None:
            raise UsageError(f"{self.path}: is closed")
        return self._core

    def __getitem__(self, name: str) -> Category:
        """Return a category.

        Raises
        ------
        UnknownNameError
            If there is none of that name.
        WrongTypeError
            If it is no name.
        """
        core = self._open()
        if not isinstance(name, str):
            raise WrongTypeError(f"{self.path}: a file has categories by name, not {name!r}")
        if name not in self._categories:
            self._categories[name] = Category(
                core.category(name), name, core, self._models, self._place
            )
        return self._categories[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._open().categories)

    def __len__(self) -> int:
        return len(self._open().categories)

    def keys(self) -> list[str]:  # type: ignore[override]  # names rather than a view of them
        """Return the names of the categories."""
        return list(self)

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def __reduce__(self) -> tuple[Any, ...]:
        self._open()  # or say that it is closed
        return _file_at, (sendable(self._place, self.path),)

    def __arrow_c_schema__(self) -> object:
        return self._table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the entries of the only category, or of ``events``, as `Category` does."""
        return self._table().__arrow_c_stream__(requested_schema)

    def _table(self) -> Category:
        return self[main_category(self, "file['CATEGORY']")]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def metadata(self) -> Metadata:
        """Keys and values about the file; those of a category are in `Category.metadata`.

        Raises
        ------
        CorruptFileError
            If they are none.
        """
        if self._metadata is None:
            self._metadata = read_metadata(self._open())
        return self._metadata

    @property
    def models(self) -> Models:
        """The data models that the file carries, by name: their classes.

        ``kaon.open("events.kaon").models["edm4hep"].MCParticle`` is a class.
        """
        self._open()  # or say that it is closed
        return self._models

    def model(self, name: str | None = None) -> dict[str, Any]:
        """Return what a data model that the file carries says; its classes are in `models`.

        Parameters
        ----------
        name
            Its name; it can be left out if there is just one.

        Returns
        -------
        dict
            What the model's YAML file said; ``kaon.modelgen.Model.from_dict`` takes it.

        Raises
        ------
        UnknownNameError
            If there is no such model, or no model at all.
        UsageError
            If there are several and no name is given.
        """
        models = list(self.models)
        if name is None:
            if len(models) > 1:
                raise UsageError(f"{self.path}: has the models {', '.join(models)}; which one?")
            if not models:
                raise UnknownNameError(f"{self.path}: carries no data model")
            (name,) = models
        return self._models.entries(name)

    def documents(self) -> dict[str, str]:
        """Return the texts that the file carries, by name: models and metadata, in JSON."""
        core = self._open()
        return {name: core.document(name) for name in core.documents}

    def size(self, precision: bool = False) -> FileSize:
        """Return what takes the bytes of the file: columns, collections, what describes them.

        Parameters
        ----------
        precision
            Whether to try what rounding floating-point numbers would save.

        Raises
        ------
        UsageError
            If the file is not in the file system.
        """
        from kaon.files.sizes import size_of

        self._open()  # or say that it is closed
        if not os.path.exists(self.path):
            raise UsageError(f"{self.path}: sizes are told of files that are here, by their paths")
        return size_of(self.path, precision)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._core is None

    def close(self) -> None:
        """Close the file; categories that someone still holds keep it open."""
        self._core = None
        self._categories.clear()

    def __enter__(self) -> File:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._core is None:
            return printable(f"<File '{self.path}', closed>")
        inside = ", ".join(f"{name} ({len(self[name])})" for name in self) or "empty"
        return printable(f"<File '{self.path}': {inside}>")

    def _repr_html_(self) -> str:
        from kaon.cards import card, fold

        if self._core is None:
            return card(self.path, ["closed"])
        facts = ["" if self.is_complete else "not complete"]
        facts += [f"model {name}" for name in self.models]
        parts = [
            fold(
                name, " · ".join(filter(None, category._facts())), category._html(), len(self) == 1
            )
            for name, category in self.items()
        ]
        return card(self.path, facts, *parts)


def _file_at(place: Place) -> File:
    """Open a file that another process had opened."""
    file = File.__new__(File)
    file._begin(place.open(), place)
    return file


def main_category(file: File, form: str = "FILE:CATEGORY") -> str:
    """Return the name of the only category, or ``events``.

    Parameters
    ----------
    form
        How one is named, for the message.

    Raises
    ------
    UsageError
        If there is neither.
    """
    if "events" in file:
        return "events"
    if not file:
        raise UsageError(f"{file.path}: has no categories")
    if len(file) > 1:
        raise UsageError(f"{file.path}: which category? There are {', '.join(file)}: {form}")
    return next(iter(file))
