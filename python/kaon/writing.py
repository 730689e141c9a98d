"""Write files from arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import Error, UnknownNameError, UsageError

if TYPE_CHECKING:
    from kaon.contents import Contents
    from kaon.modelgen.model import Model

CLUSTER_BYTES = 16 * 1024 * 1024
"""The decoded bytes of a cluster, at most, unless a single entry has more."""


def create(
    path: str | os.PathLike[str],
    model: str | os.PathLike[str] | Mapping[str, Any] | Model | None = None,
    codec: str = "zstd",
    level: int = 1,
    layout: str | Mapping[str, str] = "split",
    types: Mapping[str, str] | None = None,
) -> WritableFile:
    """Create a file, best in a ``with`` statement.

    >>> with kaon.create("out.kaon", model="model.yaml") as out:
    ...     out["events"].extend({"MCParticles": particles, "weight": weights})

    The file appears at `path` when it is finished; until then, and if an exception ends the
    ``with`` statement, whatever lies there stays as it is.

    Parameters
    ----------
    path
        Where to.
    model
        The data model that collections need: a YAML file, what `File.model` returns, or a
        ``kaon.modelgen.Model``.
    codec, level
        "zstd", "lz4" or "none", and how hard it tries.
    layout
        "split", a column for each member, or "row", a column of whole structs; or one of them for
        collections by name, the others being split.
    types
        The datatypes of collections by name, where their members or record names do not tell.

    Raises
    ------
    ModelError
        If the YAML file has mistakes.
    UsageError
        If another model has.
    MissingFileError
        If there is no such folder; it is a FileNotFoundError.
    FileError
        If the file cannot be created, or another writer is at work on it; it is an OSError.
    UnknownNameError
        If there is no such codec, layout or datatype.
    """
    return WritableFile(path, _load(model), codec, level, layout, types or {})


def _load(model: str | os.PathLike[str] | Mapping[str, Any] | Model | None) -> Model | None:
    from kaon.modelgen import Model, load_model
    from kaon.modelgen.check import check

    if model is None:
        return None
    if not isinstance(model, (Mapping, Model)):
        return load_model(model)
    try:
        made = model if isinstance(model, Model) else Model.from_dict(model)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"this is no data model: {type(error).__name__}: {error}") from None
    mistakes: list[str] = []
    check(made, {}, lambda place, message: mistakes.append(message))
    if mistakes:
        raise UsageError(f"the data model '{made.name}' cannot be used: {'; '.join(mistakes)}")
    return made


class WritableFile:
    """A file that is being written: its categories by name, each made when it is first asked for.

    It is what `create` returns. Threads may take turns in using it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Model | None,
        codec: str,
        level: int,
        layout: str | Mapping[str, str],
        types: Mapping[str, str],
    ) -> None:
        from kaon.structs import Structs

        self.path = os.fspath(path)
        self._structs = Structs(model) if model else None
        self._layouts = {"": layout} if isinstance(layout, str) else dict(layout)
        for name in self._layouts.values():
            _core.Storage(layout=name)
        self._types = {name: self._datatype(of) for name, of in types.items()}
        self._categories: dict[str, WritableCategory] = {}
        self._core: _core.Writer | None = _core.Writer(Path(path), codec, level)
        if model:
            text = json.dumps(model.to_dict(), separators=(",", ":"))
            self._core.add_document(f"model:{model.name}", text)

    def _datatype(self, name: str) -> str:
        known = list(self._structs.datatypes) if self._structs else []
        if name not in known:
            hint = _core.suggestion(name, known)
            raise UnknownNameError(f"{self.path}: the model has no datatype '{name}'{hint}")
        return name

    def _layout(self, collection: str) -> str:
        return self._layouts.get(collection, self._layouts.get("", "split"))

    def _writer(self) -> _core.Writer:
        if self._core is None:
            raise UsageError(f"{self.path}: is finished; nothing can be written any more")
        return self._core

    def __getitem__(self, category: str) -> WritableCategory:
        return self._categories.setdefault(category, WritableCategory(self, category))

    def finish(self) -> None:
        """Complete the file and put it in its place. Leaving a ``with`` statement does it.

        Raises
        ------
        UsageError
            If that was done already.
        FileError
            If the system refuses; the file then does not take its place.
        """
        writer, self._core = self._writer(), None
        writer.finish()

    def __enter__(self) -> WritableFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._core is not None:
            self.finish()
        elif self._core is not None:
            self._core.discard()  # what was written stays beside the path, as a ".part"
            self._core = None

    def __repr__(self) -> str:
        state = (
            "finished" if self._core is None else ", ".join(map(repr, self._categories.values()))
        )
        return f"<WritableFile '{self.path}': {state or 'empty'}>"


class WritableCategory:
    """A category of a file that is being written."""

    def __init__(self, file: WritableFile, name: str) -> None:
        self._file = file
        self._contents: Contents | None = None
        self.name = name
        self.num_entries = 0

    def extend(self, data: Mapping[str, Any] | Any) -> None:
        """Append entries.

        Each call writes clusters of its own: give it many entries at a time.

        Parameters
        ----------
        data
            Arrays of one length by name, or an Awkward array of records, one an entry; anything
            that Awkward Array understands. By the type of its values, an array becomes

            - a collection: lists of records. Fields are the members of the datatype, records for
              components, and lists for vector members and relations to many. Members that are
              missing have the model's defaults. A relation is given as an index, -1 or None for
              none, if just one collection of its type is written, or else as a record of ``index``
              and ``collection``, a name. The datatype is the one that `create` was told, the one
              that the records are named after, or the only one with such members.
            - a value: a number, or an array of fixed length, for each entry.
            - a parameter: lists of numbers, a string, or lists of strings for each entry.

            What was there in earlier calls and is not now, is absent; so is a collection or
            parameter of an entry where it is None.

        Raises
        ------
        UnknownNameError
            If records have fields that are no members, or a relation names no collection.
        WrongTypeError
            If values are of another kind than the member: see `kaon.conversion.cast`.
        UsageError
            If lengths differ, values are missing or out of range, an index refers to no object, or
            the datatype cannot be told; and after `WritableFile.finish`.
        FileError
            If the system refuses to write. Only then the file cannot be completed any more; all
            other mistakes are found before anything is written.
        """
        from kaon.contents import Contents, split

        writer = self._file._writer()
        if self._contents is None:
            self._contents = Contents(self._file._structs, self._file._types, self._file._layout)
        try:
            contents, arrays, entries = self._contents.extended(data)
        except Error as error:
            error.args = (f"{self._file.path}:{self.name}: {error}",)
            raise
        for piece, count in split(contents.tables, arrays, entries, CLUSTER_BYTES):
            writer.write(self.name, contents.tables, piece, count)
        self._contents = contents
        self.num_entries += entries

    def __len__(self) -> int:
        return self.num_entries

    def __repr__(self) -> str:
        return f"<WritableCategory '{self.name}': {self.num_entries} entries>"
