"""Open files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from kaon import _core
from kaon.columns.reading import sendable
from kaon.error_texts import with_plain_type_errors, with_plain_types
from kaon.errors import IncompleteFileWarning, UnknownNameError, UsageError, WrongTypeError
from kaon.files.category import Category
from kaon.files.choices import checked_option
from kaon.files.distant import file_of_object
from kaon.files.metadata import Metadata, read_metadata
from kaon.files.paths import StrPath, split_path, system_path
from kaon.files.places import Place
from kaon.model.file_models import Models
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    from kaon.files.recovery import Recovery
    from kaon.files.sizes import FileSize
    from kaon.files.stored_objects import FileObject
    from kaon.model.datamodel import AnyModel

OnDamage: TypeAlias = Literal["raise", "skip"]
"""The treatment of damaged data: raise an error when they are read, or leave them out."""


@with_plain_type_errors
def open(
    path: StrPath | IO[bytes] | Mapping[StrPath, str],
    model: AnyModel | None = None,
    *,
    group: bool = True,
    tags: Iterable[int] = (),
    map: str = "auto",
    on_damage: OnDamage = "raise",
) -> File | Category:
    """Open a file for reading.

    >>> kaon.open("run1.kaon:events", model="edm4hep.yaml").arrays("MCParticles.momentum.x")

    Parameters
    ----------
    path
        - A path, or a path and a category: "events.kaon:events", "events.root:dir/tree". The
          category may also be the value of the path: ``{"events.kaon": "events"}``.
        - A URL of any protocol that fsspec knows, such as "https://host/events.kaon:events". Only
          requested bytes are transferred.
        - A file that was opened for reading bytes.

        A Parquet or Feather file has one category, "events" unless kaon wrote it with another
        name. All its columns are first converted to a temporary file; this needs pyarrow.
    model
        The data model to read the file with, in any form that `create` takes, if the file has
        another version of it. Arrays and frames then have the names and types of this model, and
        its defaults for members that the file lacks. Renamed members are found by the model's
        migrations. None reads columns as they are in the file.
    group
        Whether arrays of a ROOT tree with the same counter, such as ``Muon_pt[nMuon]``, and
        projections of one collection of an RNTuple form one collection. Otherwise each is a list
        of its own.
    tags
        For HIPO files: read only records of events with one of these tags, and skip the others.
        Empty: all events are read.
    map
        Whether to map the file into memory, which is faster than copying its bytes: "auto" for
        files that are not on a network file system, "always", or "never". Either way, reading a
        file that was cut or overwritten since it was opened raises FileError.
    on_damage
        The treatment of damage in ``.kaon`` files. "raise" raises an error when damaged data are
        read. "skip" checks all pages first, and warns. It leaves out entries with damaged data, or
        a collection, parameter or value as a whole if fewer values are lost that way. Other entries
        are numbered from 0. `File.recovery` has the report.

    Returns
    -------
    File
        A mapping of the file's categories by name.
    Category
        If `path` names one. A path that names another object, such as a histogram, returns its
        value: see `File`.

    Raises
    ------
    MissingFileError
        If the file does not exist; it is a FileNotFoundError.
    FileError
        If the file cannot be read; it is an OSError.
    FormatError
        If kaon does not read this format; it is an OSError.
    CorruptFileError
        If the file is damaged; it is an OSError.
    UnknownNameError
        If the file lacks the category; it is a KeyError.
    ModelError
        If the YAML file of the model has mistakes.
    UsageError
        If a model in another form has mistakes.
    WrongTypeError
        If `path` is neither a path nor an open file.

    Warns
    -----
    UnreadMemberWarning
        If the file has members that the model does not know, as of a newer version. Also if a list
        or relation seems to be renamed without a migration.
    IncompleteFileWarning
        If the file was cut or is unfinished; its complete part is read. Also if damage is skipped.
    """
    if isinstance(path, Mapping) and not isinstance(path, File):
        if len(path) != 1:
            raise UsageError(f"give one file, not {len(path)}: `kaon.iterate` reads several")
        ((place, name),) = path.items()
        file = File(place, model, group=group, tags=tags, map=map, on_damage=on_damage)
        named: Category = file[name]
        return named
    if not isinstance(path, (str, os.PathLike)):
        return File(path, model, group=group, tags=tags, map=map, on_damage=on_damage)
    where, category = split_path(path)
    file = File(where, model, group=group, tags=tags, map=map, on_damage=on_damage)
    if category is None:
        return file
    chosen: Category = file[category]
    return chosen


@with_plain_types
class File(Mapping[str, Category]):
    """An open file: its categories by name.

    `kaon.open` returns one; it can be used in a ``with`` statement. Any number of threads may use
    it at the same time.

    Attributes
    ----------
    path
        The path of the file.
    id
        A number that identifies the file; 0 for formats without these numbers.
    is_complete
        Whether its writer finished it; if not, the complete part is read.
    recovery
        The report about damage that was skipped, a `kaon.results.Recovery`; None if the file was
        opened without ``on_damage="skip"``.
    """

    def __init__(
        self,
        path: StrPath | IO[bytes],
        model: AnyModel | None = None,
        *,
        group: bool = True,
        tags: Iterable[int] = (),
        map: str = "auto",
        on_damage: OnDamage = "raise",
    ) -> None:
        checked_option("on_damage", on_damage, get_args(OnDamage))
        skips = on_damage == "skip"
        models = {}
        if model is not None:
            from kaon.model.datamodel import model_documents

            models = model_documents(model)
        place = None
        if isinstance(path, (str, os.PathLike)):
            path = system_path(path)
            place = Place.of(path, models, group, tags, map, skips)
            core = place.open(path)
        elif hasattr(path, "seek"):
            core = _core.File(*file_of_object(path), models, group, list(tags), skips)
        else:
            raise WrongTypeError(
                f"give a path, a URL or a file opened for reading bytes, not {path!r}; "
                "`kaon.iterate` and `kaon.concatenate` read several"
            )
        for warning in core.warnings:
            warnings.warn(warning, stacklevel=4)  # at the line that called open()
        if core.recovery is not None and not core.recovery.is_sound:
            warnings.warn(IncompleteFileWarning(core.recovery.text), stacklevel=4)
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
        self.recovery: Recovery | None = None
        if core.recovery is not None:
            from kaon.files.recovery import recovery_of

            self.recovery = recovery_of(core.recovery)

    def _open(self) -> _core.File:
        if self._core is None:
            raise UsageError(f"{self.path}: is closed")
        return self._core

    def __getitem__(self, name: str) -> Any:
        """Return a category, or read an object of a ROOT or .kaon file.

        Histograms and profiles become histograms of hist; graphs, efficiencies and sparse
        histograms become `kaon.results.Graph`, `Efficiency` and `SparseHistogram`. Vectors and
        matrices become NumPy arrays. Parameters, strings and lists become Python values. All other
        objects become `kaon.results.Members`. `objects` lists them.

        Raises
        ------
        UnknownNameError
            If the file has neither a category nor an object of this name.
        WrongTypeError
            If `name` is not a string.
        FormatError
            If the file does not describe the class of the object.
        CorruptFileError
            If the category or object is damaged.
        """
        if not isinstance(name, str):
            raise WrongTypeError(f"{self.path}: select a category by name, not {name!r}")
        try:
            return self._category(name)
        except UnknownNameError:
            if not self._open().objects:
                raise
        return self._object(name)

    def _category(self, name: str) -> Category:
        """Return a category; unlike `__getitem__`, never another object."""
        core = self._open()
        if name not in self._categories:
            self._categories[name] = Category(
                core.category(name), name, core, self._models, self._place
            )
        return self._categories[name]

    def _object(self, name: str) -> Any:
        """Read an object that is not a category."""
        from dataclasses import replace

        objects = self.objects
        plain, _, cycle = name.rpartition(";")
        found = objects.get(name) or (objects.get(plain) if cycle.isdigit() else None)
        if found is None:
            hint = _core.suggestion(name, [*self, *objects])
            raise UnknownNameError(
                f"{self.path}: has neither a category nor an object '{name}'{hint}"
            )
        return found.read() if found.name == name else replace(found, name=name).read()

    def __contains__(self, name: object) -> bool:
        """Whether the file has a category of this name; `objects` has the other objects."""
        if not isinstance(name, str):
            return False
        try:
            self._open().category(name)
        except UnknownNameError:
            return False
        return True

    @property
    def objects(self) -> dict[str, FileObject]:
        """The objects of the file that are not categories, by name: histograms and others.

        ``{name: each.type for name, each in file.objects.items()}`` lists their classes.
        """
        from kaon.files.stored_objects import objects_of

        return objects_of(self._open())

    def __iter__(self) -> Iterator[str]:
        return iter(self._open().categories)

    def __len__(self) -> int:
        return len(self._open().categories)

    def keys(self) -> list[str]:  # type: ignore[override]  # a list instead of a view
        """Return the names of the categories."""
        return list(self)

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def __reduce__(self) -> tuple[Any, ...]:
        self._open()  # raises if the file is closed
        return _file_at, (sendable(self._place, self.path),)

    def __arrow_c_schema__(self) -> object:
        return self._table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the entries of the only category, or of ``events``, as `Category` does."""
        return self._table().__arrow_c_stream__(requested_schema)

    def _table(self) -> Category:
        return self._category(main_category(self, "file['CATEGORY']"))

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def metadata(self) -> Metadata:
        """Keys and values about the file; those of a category are in `Category.metadata`.

        Raises
        ------
        CorruptFileError
            If the metadata are invalid.
        """
        if self._metadata is None:
            self._metadata = read_metadata(self._open())
        return self._metadata

    @property
    def models(self) -> Models:
        """The classes of the file's data models, by name of the model.

        ``kaon.open("events.kaon").models["edm4hep"].MCParticle`` is a class.
        """
        self._open()  # raises if the file is closed
        return self._models

    def model(self, name: str | None = None) -> dict[str, Any]:
        """Return the description of a data model of the file; its classes are in `models`.

        Parameters
        ----------
        name
            The name of the model. You can omit it if the file has only one.

        Returns
        -------
        dict
            The content of the model's YAML file; ``kaon.modelgen.Model.from_dict`` takes it.

        Raises
        ------
        UnknownNameError
            If the file lacks the model, or has no model.
        UsageError
            If the file has several models and no name is given.
        """
        models = list(self.models)
        if name is None:
            if len(models) > 1:
                raise UsageError(f"{self.path}: name one of the models {', '.join(models)}")
            if not models:
                raise UnknownNameError(f"{self.path}: has no data model")
            (name,) = models
        return self._models.entries(name)

    def documents(self) -> dict[str, str]:
        """Return the documents of the file by name: models and metadata, in JSON."""
        core = self._open()
        return {name: core.document(name) for name in core.documents}

    def size(self, precision: bool = False) -> FileSize:
        """Return the sizes of the file's parts: columns, collections, descriptions.

        Parameters
        ----------
        precision
            Whether to measure the savings of rounding floating-point numbers.

        Raises
        ------
        UsageError
            If the file is not in the file system.
        """
        from kaon.files.sizes import size_of

        self._open()  # raises if the file is closed
        if not os.path.exists(self.path):
            raise UsageError(f"{self.path}: sizes are known only for local files, opened by path")
        return size_of(self.path, precision)

    @property
    def closed(self) -> bool:
        """Whether the file was closed."""
        return self._core is None

    def close(self) -> None:
        """Close the file; existing categories keep it open until they are gone."""
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
    """Open a file that was pickled in another process."""
    file = File.__new__(File)
    file._begin(place.open(), place)
    return file


def main_category(file: File, form: str = "FILE:CATEGORY") -> str:
    """Return the name of the only category, or ``events``.

    Parameters
    ----------
    form
        The syntax for naming a category, for the message.

    Raises
    ------
    UnknownNameError
        If the file has no categories.
    UsageError
        If the file has several categories without ``events``.
    """
    if "events" in file:
        return "events"
    if not file:
        raise UnknownNameError(f"{file.path}: has no categories")
    if len(file) > 1:
        raise UsageError(f"{file.path}: name one of the categories {', '.join(file)}: {form}")
    return next(iter(file))
