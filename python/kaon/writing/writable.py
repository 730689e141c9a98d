"""Files that are being written, and their categories."""

from __future__ import annotations

import gc
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from kaon import _core
from kaon.errors import (
    Error,
    FileError,
    IncompleteFileWarning,
    UnknownNameError,
    UnusedOptionWarning,
    UsageError,
    WrongTypeError,
    with_plain_types,
)
from kaon.files.metadata import DOCUMENT, Metadata, to_text
from kaon.writing.options import RECORD, WriterOptions
from kaon.writing.structs import Structs

if TYPE_CHECKING:
    from kaon.events.frames import Frame
    from kaon.files.category import Category
    from kaon.modelgen.model import Model
    from kaon.writing.category_tables import CategoryTables
    from kaon.writing.frame_buffer import FrameBuffer

_NAMING = ("storage", "tags", "keys", "types")
"""The options that are told by the names of what will be written, but for `encodings`."""


class WritableFile:
    """A file that is being written: its categories by name, each made when it is first asked for.

    It is what `create` and `append` return. Threads may take turns in using it.

    Attributes
    ----------
    metadata
        Keys and values about the file, which are written when it is finished. What `merge_metadata`
        returns can be put in their place.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Model | None,
        options: WriterOptions,
        append: bool = False,
    ) -> None:
        self.path = os.fspath(path)
        self._options = options
        self._categories: dict[str, WritableCategory] = {}
        self._structs = Structs(None)
        self.metadata = Metadata()
        self._written_metadata = to_text(self.metadata)
        self._has_entries = False
        if not append:  # the model of an old file is read under the writer's lock
            self._set_model(model)
        self._core: _core.Writer | None
        try:
            self._core = _writer(path, options, append)
        except FileError:
            gc.collect()  # a writer of this file may have been dropped, and not be gone
            self._core = _writer(path, options, append)
        try:
            if append:
                self._continue(model)
            if description := self._structs.model:
                text = json.dumps(description.to_dict(), separators=(",", ":"))
                self._core.add_document(f"model:{description.name}", text)
        except BaseException:
            self._core.discard()
            self._core = None
            raise

    def _set_model(self, model: Model | None) -> None:
        self._structs = Structs(model)
        for datatype in self._options.types.values():
            self._check_datatype(datatype)

    def _continue(self, model: Model | None) -> None:
        """Take over the model, the metadata and the categories of the file."""
        from kaon.files.file import File
        from kaon.model.datamodel import model_description

        with File(self.path) as file:
            self.metadata = file.metadata
            self._written_metadata = to_text(self.metadata)
            if model is None and file.models:
                model = model_description(file.model())
            self._set_model(model)
            for name, category in file.items():
                self._categories[name] = WritableCategory(self, name, category)

    def _check_datatype(self, name: str) -> None:
        if name != RECORD and self._structs.datatype(name) is None:
            hint = _core.suggestion(name, list(self._structs.datatypes))
            raise UnknownNameError(f"{self.path}: the model has no datatype '{name}'{hint}")

    def _writer(self) -> _core.Writer:
        if self._core is None:
            raise UsageError(f"{self.path}: is finished; nothing can be written any more")
        return self._core

    def __getitem__(self, category: str) -> WritableCategory:
        if not isinstance(category, str):
            raise WrongTypeError(f"{self.path}: categories have names, and {category!r} is none")
        return self._categories.setdefault(category, WritableCategory(self, category))

    def __setitem__(self, category: str, data: Mapping[str, Any] | Any) -> None:
        """Write the entries of a category, all at once, as `WritableCategory.extend` takes them.

        Raises
        ------
        UsageError
            If there are some already; and as `extend`.
        """
        entries = self[category].num_entries
        if entries:
            raise UsageError(
                f"{self.path}:{category}: has {entries} entries already; `extend` appends to them"
            )
        self[category].extend(data)

    def _make_room(self) -> None:
        """Write the frames of the category that has most objects, if there are too many in all."""
        from kaon.writing.frame_buffer import MOST_OBJECTS

        objects = {category: category._num_objects for category in self._categories.values()}
        if sum(objects.values()) >= MOST_OBJECTS:
            max(objects, key=lambda category: objects[category])._write_buffer()

    def flush(self) -> None:
        """Write the entries that do not fill a cluster yet: after a crash they are there.

        Raises
        ------
        UsageError
            After `finish`.
        FileError
            If the system refuses to write.
        """
        writer = self._writer()
        for category in self._categories.values():
            category._write_buffer()
        writer.flush()

    def finish(self) -> None:
        """Complete the file and put it in its place. Leaving a ``with`` statement does it.

        Raises
        ------
        UsageError
            If that was done already.
        FileError
            If the system refuses; the file then does not take its place.
        """
        self._complete()

    @property
    def closed(self) -> bool:
        """Whether it is finished, or was given up."""
        return self._core is None

    def close(self) -> None:
        """Complete the file as `finish` does, if that was not done yet.

        Raises
        ------
        FileError
            If the system refuses; the file then does not take its place.
        """
        if self._core is not None:
            self._complete()

    def _complete(self) -> None:
        self._writer()  # or say that it is finished
        for category in self._categories.values():
            category._write_buffer()
        writer, self._core = self._writer(), None
        self._put_metadata(writer)
        messages: Iterable[Any] = writer.finish()
        for message in (*messages, *self._unused_names()):
            warnings.warn(message, stacklevel=3)  # the user

    def _put_metadata(self, writer: _core.Writer) -> None:
        if (text := to_text(self.metadata)) != self._written_metadata:
            writer.add_document(DOCUMENT, text)
            self._written_metadata = text

    def _unused_names(self) -> Iterator[UnusedOptionWarning]:
        """Yield warnings of names in the options that nothing written has: they may be misspelt."""
        named = {name: list(getattr(self._options, name)) for name in _NAMING}
        if not any(named.values()):
            return
        written = [table for category in self._categories.values() for table in category.tables]
        tables = {table.name for table in written if not table.name.endswith(".")}  # of inner lists
        members = {
            f"{table.name}.{member.name}": table.name
            for table in written
            for member in table.members
            if member.name
        }
        collections = {table.name for table in written if table.kind == _core.TableKind.collection}
        for name, storage in self._options.storage.items():
            if name in tables - collections and {"layout", "group"} & storage.keys():
                yield UnusedOptionWarning(
                    f"{self.path}: '{name}' has no layout or group, as in `storage`, which "
                    "collections of a model's datatypes have; kaon.infer_model() makes a model"
                )
        for name in named["keys"]:
            if name in members and members[name] not in collections:
                yield UnusedOptionWarning(
                    f"{self.path}: '{name}' is not sorted, as in `keys`, as it is of no collection "
                    "of a model's datatype; kaon.infer_model() makes a model"
                )
        for option, names in named.items():
            known = tables | members.keys() if option == "keys" else tables
            for name in names:
                if name not in known:
                    hint = _core.suggestion(name, sorted(known))
                    message = f"{self.path}: nothing called '{name}', as in `{option}`, was written"
                    yield UnusedOptionWarning(message + hint)

    def __enter__(self) -> WritableFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None and self._core is not None:
                self._complete()
        finally:
            if self._core is not None:
                self._core.discard()  # what was written stays beside the path, as a ".part"
                self._core = None

    def __del__(self) -> None:
        if getattr(self, "_core", None) is not None:
            message = f"{self.path}: was never finished, by `close` or a `with` statement"
            warnings.warn(message, IncompleteFileWarning, stacklevel=2)

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError(
            f"{self!r} cannot be pickled or copied, as one process writes a file: let the others "
            "return arrays, or each write a file of its own, which `kaon.merge` joins"
        )

    def __repr__(self) -> str:
        state = (
            "finished" if self._core is None else ", ".join(map(repr, self._categories.values()))
        )
        return f"<WritableFile '{self.path}': {state or 'empty'}>"


def _writer(path: str | os.PathLike[str], options: WriterOptions, append: bool) -> _core.Writer:
    return _core.Writer(
        path,
        *options.compression,
        options.page_bytes,
        dict(options.encodings),
        options.favour,
        options.cluster_bytes,
        options.cluster_entries,
        options.memory_bytes,
        append,
        list(options.keys),
        options.format,
    )


@with_plain_types
class WritableCategory:
    """A category of a file that is being written."""

    def __init__(self, file: WritableFile, name: str, written: Category | None = None) -> None:
        self._file = file
        self._written = written  # in the file that is appended to
        self._category_tables: CategoryTables | None = None
        self._buffer: FrameBuffer | None = None  # frames that were not written yet
        self._num_written = len(written) if written else 0
        self.name = name

    @property
    def num_entries(self) -> int:
        """The entries so far."""
        return self._num_written + (self._buffer.entries if self._buffer else 0)

    @property
    def _num_objects(self) -> int:
        return self._buffer.objects if self._buffer else 0

    @property
    def metadata(self) -> Metadata:
        """Keys and values about the category, which are written when the file is finished."""
        return self._file.metadata.part(self.name)

    def metadata_of(self, collection: str) -> Metadata:
        """Return keys and values about a collection, which are written as those of the category."""
        return self.metadata.part(collection)

    @property
    def tables(self) -> tuple[_core.Table, ...]:
        """The tables so far."""
        return self._category_tables.tables if self._category_tables else ()

    def _tables_so_far(self) -> CategoryTables:
        from kaon.writing.category_tables import CategoryTables

        if self._category_tables is None:
            structs, options = self._file._structs, self._file._options
            self._category_tables = CategoryTables(structs, options)
            if self._written is not None:
                schema = self._written._schema
                self._category_tables = CategoryTables.of(
                    structs, options, schema.tables, schema.labels
                )
        return self._category_tables

    def extend(self, data: Mapping[str, Any] | Any) -> None:
        """Append entries.

        Entries of several calls are joined to clusters; give it many at a time all the same.

        Parameters
        ----------
        data
            Arrays of one length by name, or an Awkward array of records, one an entry; anything
            that Awkward Array understands. Or a table: of pyarrow, polars, pandas, or whatever
            else gives a stream of Arrow, a category for one; its entries go through a temporary
            file.
            By the type of its values, an array becomes

            - a collection: lists of records. Fields are the members of the datatype, records for
              components, and lists for vector members and relations to many; further ones are
              decorations, if `kaon.decorate` made them or they were read as such. Members that are
              missing, or None, have the model's defaults; vector members and relations are empty. A
              relation is given as an index, -1 or None for
              none, if just one collection of its type is written, or else as a record of ``index``
              and ``collection``, a name. One that was read leads to the same object as before,
              wherever that is written now: among others, in another order or collection. The
              datatype is the one that `create` was told, the one that the records are named after,
              the only one with such members, or of these the one that is called as the array. Lists
              of numbers are one if `create` was told their type, such as "float32".
            - a value: a number, or an array of fixed length, for each entry.
            - a parameter: lists of numbers, a string, or lists of strings for each entry; numbers,
              too, if frames before had it.
            - lists in lists, to any depth, of numbers, strings and records. Records of no datatype,
              as all are in a file without a model, can be single ones too, and hold lists of
              records. With a model, give `create` their type as "record". Lists that are missing
              in lists become empty; arrays of fixed length of other than numbers become lists, and
              so do those of one number.

            What was there in earlier calls and is not now, is absent; so is a collection or
            parameter of an entry where it is None.

        Raises
        ------
        UnknownNameError
            If records have fields that are no members, or a relation names no collection.
        WrongTypeError
            If values are of another kind than the member: see `kaon.columns.awkward_layouts.cast`.
        UsageError
            If lengths differ, values are missing or out of range, a reference leads to no object
            that is written, or the datatype cannot be told; and after `WritableFile.finish`.
        FileError
            If the system refuses to write. Only then the file cannot be completed any more; all
            other mistakes are found before anything is written, of a stream before its piece is.
        """
        self._file._writer()  # or say that it is finished
        self._write_buffer()
        from kaon.writing.arrow_entries import entries_of_stream, is_stream

        if not is_stream(data):
            return self._extend(data)
        for entries in entries_of_stream(data, f"{self._file.path}:{self.name}"):
            self._extend(entries)

    def write(self, frame: Frame) -> None:
        """Append an event.

        Events are gathered and written many at a time, as they are at this moment.

        Parameters
        ----------
        frame
            New or of a file. Relations of its objects lead to objects that are in it, too. What
            decorates its collections is written with them.

        Raises
        ------
        UsageError
            If a relation leads to an object that is in no collection of the frame, or an object is
            in several; and as `extend`.
        WrongTypeError, UnknownNameError
            As `extend`, of this or of events before, which have not been written.
        FileError
            If the system refuses to write.
        """
        from kaon.events.frames import Frame
        from kaon.writing.frame_buffer import FrameBuffer

        self._file._writer()  # or say that it is finished
        if not isinstance(frame, Frame):
            raise WrongTypeError(f"an event is a kaon.Frame, not {frame!r}; arrays go to extend()")
        if self._buffer is None:
            self._buffer = FrameBuffer()
        try:
            self._buffer.add(frame)
        except Error as error:
            error.args = (f"{self._file.path}:{self.name}: {error}",)
            raise
        if self._buffer.is_full:
            self._write_buffer()
        self._file._make_room()

    def _write_buffer(self) -> None:
        buffer, self._buffer = self._buffer, None
        if buffer is not None:
            self._extend(buffer.arrays(self._kind))

    def _kind(self, name: str) -> _core.TableKind | None:
        """Return the kind of a parameter's table, None if it is new; tags and keys are values."""
        options, tables = self._file._options, self._tables_so_far()
        if name in tables.names():
            return tables.kind(name)
        return _core.TableKind.value if name in {*options.tags, *options.keys} else None

    def _extend(self, data: Mapping[str, Any] | Any) -> None:
        from kaon.writing.table_arrays import table_arrays

        writer = self._file._writer()
        try:
            tables, arrays, entries = table_arrays(self._tables_so_far(), data)
            if not self._file._has_entries:
                self._file._put_metadata(writer)  # for which HIPO files have room before the events
                self._file._has_entries = True
            writer.write(self.name, tables.tables, arrays, entries)
        except Error as error:
            if not str(error).startswith(self._file.path):
                error.args = (f"{self._file.path}:{self.name}: {error}",)
            raise
        self._category_tables = tables
        self._num_written += entries

    def __len__(self) -> int:
        return self.num_entries

    def __repr__(self) -> str:
        return f"<WritableCategory '{self.name}': {self.num_entries} entries>"
