"""Files that are being written, and their categories."""

from __future__ import annotations

import gc
import itertools
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from kaon import _core
from kaon.error_texts import with_plain_types
from kaon.errors import (
    Error,
    FileError,
    IncompleteFileWarning,
    UnusedOptionWarning,
    UsageError,
    WrongTypeError,
)
from kaon.files.metadata import DOCUMENT, Metadata, to_text
from kaon.objects.hist_histograms import is_histogram
from kaon.objects.values import members_of
from kaon.writing.options import WriterOptions

if TYPE_CHECKING:
    from kaon.events.frames import Frame
    from kaon.files.category import Category
    from kaon.modelgen.model import Model
    from kaon.writing.frame_buffer import FrameBuffer

_NEEDS_MODEL = "; collections need a model, and kaon.infer_model() makes one"


class WritableFile:
    """A file that is being written: its categories by name, each made on first use.

    `create` and `append` return one. Threads may use it in turns.

    Attributes
    ----------
    metadata
        Keys and values about the file, which are written when it is finished. You may assign the
        result of `merge_metadata`.
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
        self._num_objects = 0  # that wait in the buffers of categories
        self._old_names: frozenset[str] = frozenset()  # that new categories cannot have
        self.metadata = Metadata()
        self._written_metadata = to_text(self.metadata)
        self._has_entries = False
        if not append:  # the model of an old file is read under the writer's lock
            rules = self._rules(model)
        self._core: _core.Writer | None
        try:
            self._core = _writer(path, options, append)
        except FileError:
            gc.collect()  # a dropped writer of this file may still exist
            self._core = _writer(path, options, append)
        self._tables_of = self._core.tables  # which there still are when the file is finished
        try:
            given = model
            if append:
                model = self._continue(model)
                rules = self._rules(model)
            self._core.set_rules(rules)
            for category in self._categories.values():
                category._add_written()
            if given is not None:
                self._core.add_document(f"model:{given.name}", _json(given))
        except BaseException:
            self._core.discard()
            self._core = None
            raise

    def _rules(self, model: Model | None) -> _core.EntryRules:
        options = self._options
        try:
            return _core.EntryRules(
                None if model is None else _json(model),
                dict(options.types),
                options.arrangement,
                options.missing_members == "default",
                options.lost_references == "none",
            )
        except Error as error:
            error.args = (f"{self.path}: {error}",)
            raise

    def _continue(self, model: Model | None) -> Model | None:
        """Take over the metadata and the categories of the existing file; return its model."""
        from kaon.files.file import File
        from kaon.model.datamodel import model_description

        with File(self.path) as file:
            self.metadata = file.metadata
            self._written_metadata = to_text(self.metadata)
            if model is None and file.models:
                model = model_description(file.model())
            if file._open().format == "root":  # its categories get no entries
                self._old_names = frozenset((*file, *file.objects))
            else:
                for name in file:
                    self._categories[name] = WritableCategory(self, name, file._category(name))
        return model

    def _writer(self) -> _core.Writer:
        if self._core is None:
            raise UsageError(f"{self.path}: is finished; it accepts no more data")
        return self._core

    def __getitem__(self, category: str) -> WritableCategory:
        if not isinstance(category, str):
            raise WrongTypeError(
                f"{self.path}: the name of a category must be a string, not {category!r}"
            )
        return self._categories.setdefault(category, WritableCategory(self, category))

    def __setitem__(self, category: str, data: Mapping[str, Any] | Any) -> None:
        """Write all entries of a category at once, or an object such as a histogram.

        Files of ROOT and kaon hold objects. If the file that you append to has one of this name, a
        ROOT file keeps it as an older version, and a .kaon file replaces it.

        Objects are histograms of hist and boost_histogram, results of dataframes,
        ``(counts, edges)`` of NumPy, `kaon.results.Graph`, and strings. Histograms become TH1D,
        TH2D or TH3D, with means TProfile, TProfile2D or TProfile3D.

        Parameters
        ----------
        data
            Entries as in `WritableCategory.extend`, or an object.

        Raises
        ------
        UsageError
            If the category has entries already; if the format or ROOT cannot hold the object, or
            its name is used already; and in the cases of `extend`.
        """
        if (members := members_of(data, category)) is not None:
            self._writer().add_object(category, members)
            return
        entries = self[category].num_entries
        if entries:
            raise UsageError(
                f"{self.path}:{category}: has {entries} entries already; `extend` appends to them"
            )
        self[category].extend(data)

    def _free_name(self, name: str) -> str:
        """Return a name that no category or object has: this one, or with a number behind."""
        used = self._old_names.union(self._categories)
        others = (f"{name}_{number}" for number in itertools.count(2))
        return next(each for each in itertools.chain([name], others) if each not in used)

    def _old_entries(self, category: str) -> int:
        """Return the number of entries of a category of the file that is appended to."""
        from kaon.files.file import File

        with File(self.path) as file:
            return len(file._category(category))

    def _make_room(self) -> None:
        """If too many objects are gathered, write the frames of the category with most objects."""
        from kaon.writing.frame_buffer import MOST_OBJECTS

        if self._num_objects >= MOST_OBJECTS:
            max(self._categories.values(), key=lambda each: each._num_objects)._write_buffer()

    def flush(self, *, durable: bool = False) -> None:
        """Write entries that do not fill a cluster yet, so that they survive a crash.

        Parameters
        ----------
        durable
            Whether to make all entries survive a loss of power, too. The policy ``sync="flush"``
            does this at each call.

        Raises
        ------
        UsageError
            After `finish`; with `durable`, for formats whose files cannot be read before they are
            finished.
        FileError
            If the system refuses to write.
        """
        writer = self._writer()
        for category in self._categories.values():
            category._write_buffer()
        writer.flush(durable)

    def finish(self) -> None:
        """Complete the file and move it to its path. Leaving a ``with`` statement calls this.

        Raises
        ------
        UsageError
            If the file is finished already.
        FileError
            If the system refuses; the file then does not appear at its path.
        """
        self._complete()

    @property
    def closed(self) -> bool:
        """Whether the file is finished, or was abandoned."""
        return self._core is None

    def close(self) -> None:
        """Complete the file like `finish`, unless it is finished already.

        Raises
        ------
        FileError
            If the system refuses; the file then does not appear at its path.
        """
        if self._core is not None:
            self._complete()

    def _complete(self) -> None:
        self._writer()  # raises if the file is finished
        for category in self._categories.values():
            category._write_buffer()
        writer, self._core = self._writer(), None
        self._put_metadata(writer)
        messages: Iterable[Any] = writer.finish()
        for message in (*messages, *self._unused_names()):
            warnings.warn(message, stacklevel=3)  # at the user's line

    def _put_metadata(self, writer: _core.Writer) -> None:
        if (text := to_text(self.metadata)) != self._written_metadata:
            writer.add_document(DOCUMENT, text)
            self._written_metadata = text

    def _unused_names(self) -> Iterator[UnusedOptionWarning]:
        """Yield warnings about names in the options that were not written, as if misspelt."""
        written = [category.tables for category in self._categories.values()]
        names = {
            table.name: table.kind
            for tables in written
            for table in tables
            if not table.name.endswith(".")  # of inner lists
        }
        for name, message in _core.unused_names(self._options.core, written):
            kind = names.get(name.partition(".")[0], _core.TableKind.collection)
            advice = "" if kind == _core.TableKind.collection else _NEEDS_MODEL
            yield UnusedOptionWarning(f"{self.path}: {message}{advice}")
        for name in self._options.types:
            if name not in names:
                hint = _core.suggestion(name, list(names))
                yield UnusedOptionWarning(f"{self.path}: '{name}' in `types` was not written{hint}")

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
                self._core.discard()  # written data stay beside the path, as a ".part"
                self._core = None

    def __del__(self) -> None:
        if getattr(self, "_core", None) is not None:
            message = f"{self.path}: was never finished; call `close` or use a `with` statement"
            warnings.warn(message, IncompleteFileWarning, stacklevel=2)

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError(
            f"{self!r} cannot be pickled or copied, as only one process can write a file: let "
            "others return arrays, or write files of their own, which `kaon.merge` joins"
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
        options.goal,
        options.cluster_bytes,
        options.cluster_entries,
        options.memory_bytes,
        append,
        list(options.keys),
        options.format,
        options.sync,
    )


def _json(model: Model) -> str:
    return json.dumps(model.to_dict(), separators=(",", ":"))


@with_plain_types
class WritableCategory:
    """A category of a file that is being written."""

    def __init__(self, file: WritableFile, name: str, written: Category | None = None) -> None:
        self._file = file
        self._written = written  # in the existing file, when appending
        self._buffer: FrameBuffer | None = None  # frames not yet written
        self._num_written = len(written) if written else 0
        self.name = name

    @property
    def num_entries(self) -> int:
        """The number of entries so far."""
        return self._num_written + (self._buffer.entries if self._buffer else 0)

    @property
    def _num_objects(self) -> int:
        return self._buffer.objects if self._buffer else 0

    @property
    def metadata(self) -> Metadata:
        """Keys and values about the category, which are written when the file is finished."""
        return self._file.metadata.part(self.name)

    def metadata_of(self, collection: str) -> Metadata:
        """Return keys and values about a collection, written when the file is finished."""
        return self.metadata.part(collection)

    @property
    def tables(self) -> tuple[_core.Table, ...]:
        """The tables so far."""
        return tuple(self._file._tables_of(self.name))

    def _add_written(self) -> None:
        """Tell the writer what the existing file has."""
        if self._written is not None:
            self._file._writer().add_written(self.name, self._written._core)

    def extend(self, data: Mapping[str, Any] | Any) -> None:
        """Append entries.

        Entries of several calls are joined to clusters. Many entries in each call are still faster.

        Parameters
        ----------
        data
            Arrays of equal length by name, or an Awkward array of records, one an entry; anything
            that Awkward Array understands. Or a table of pyarrow, polars, pandas or another source
            of Arrow's streams, such as a category, which is written piece by piece.
            The type of an array determines its form in the file:

            - Lists of records become a collection. Fields are the members of the datatype: records
              for components, lists for vector members and relations to many. Further fields are
              decorations, if `kaon.decorate` made them or they were read as decorations. Members
              that are missing or None get the model's defaults; vector members and relations
              become empty.
            - A relation is an index (-1 or None if empty), if only one collection of its type is
              written. Otherwise it is a record of ``index`` and ``collection``, a name. Relations
              that were read keep their objects, even if these are written in another order or
              collection.
            - The datatype of a collection is its type in `create`, or else the name of the
              records, or else the only datatype with these members. Among several with these
              members, it is the one with the name of the array. Lists of numbers become a
              collection if `create` has their type, such as "float32".
            - A number, or an array of fixed length, for each entry becomes a value.
            - Lists of numbers, a string, or lists of strings for each entry become a parameter; so
              do numbers, if earlier frames had this parameter.
            - Nested lists can have any depth, and hold numbers, strings and records. Records
              without a datatype, as in a file without a model, can also be single, and hold lists
              of records. With a model, give their type in `create` as "record". Arrays of fixed
              length of other types than numbers become lists, and so do arrays of one number.
            - Other values that are None in the first call become optionals, also in lists and
              records without a datatype. In tables of other libraries, floats become NaN instead.

            Collections and parameters of earlier calls that are missing in this call are absent.
            They are also absent in entries where they are None.

        Raises
        ------
        UnknownNameError
            If a field is not a member, or a relation names an unknown collection.
        WrongTypeError
            If values do not fit the member's type: fractions do not become integers, nor numbers
            truth values.
        UsageError
            If lengths differ, values are out of range, or missing though the file has no optionals
            for them, or a reference leads to an object that is not written. Also if the datatype is
            ambiguous; and after `WritableFile.finish`.
        FileError
            If the system refuses to write. The file then cannot be completed. All other mistakes
            are found before data are written; in a stream, before the piece is written.
        """
        self._file._writer()  # raises if the file is finished
        if is_histogram(data):
            raise UsageError(
                f"{self._file.path}: a histogram is not entries; write it with "
                f"out[{self.name!r}] = histogram"
            )
        self._write_buffer()
        from kaon.writing.entry_streams import entry_stream, is_in_memory, is_stream

        if is_stream(data):
            stream = entry_stream(data, f"{self._file.path}:{self.name}")
            is_kept = is_in_memory(data)
            self._append(lambda writer: writer.extend_by_stream(self.name, stream, is_kept))
        else:
            self._extend(data)

    def add_columns(self, data: Mapping[str, Any] | Any, *, name: str | None = None) -> None:
        """Add columns to a tree of a ROOT file that was opened by `append`.

        The columns are a tree of their own, and the friend of this one (``TTree::AddFriend``).
        kaon and ROOT show them with the tree's own columns, also ``RDataFrame(tree)``; uproot shows
        two trees. Only the description of the tree is written again, not its entries.

        Parameters
        ----------
        data
            One value for each entry of the tree, as in `extend`.
        name
            The name of the new tree; by default that of this one with ``_columns`` behind.

        Raises
        ------
        UnknownNameError
            If the file has no tree of this name.
        UsageError
            If the numbers of entries differ: before anything is written, or at the end for a
            stream of Arrow. If the tree has a branch of the same name; if the file is not a ROOT
            file, or the category not a tree; and in the cases of `extend`.
        """
        file = self._file
        writer = file._writer()
        if name is None:
            name = file._free_name(f"{self.name}_columns")
        from kaon.writing.entry_streams import is_stream

        if not is_stream(data):
            from kaon.writing.entry_arrays import entry_array

            entries, given = file._old_entries(self.name), len(entry_array(data))
            if given != entries:
                raise UsageError(
                    f"{file.path}:{self.name}: has {entries} entries, but the new columns have "
                    f"{given}; give one value for each entry"
                )
        writer.add_columns(self.name, name)
        file[name].extend(data)

    def write(self, frame: Frame) -> None:
        """Append an event.

        Events are copied now, and written later, many at a time.

        Parameters
        ----------
        frame
            A frame, new or from a file. Relations of its objects must lead to objects in the frame.
            Decorations of its collections are written, too.

        Raises
        ------
        UsageError
            If a relation leads to an object outside the frame's collections, or an object is in
            several collections; and in the cases of `extend`.
        WrongTypeError, UnknownNameError
            In the cases of `extend`, for this event or earlier ones not yet written.
        FileError
            If the system refuses to write.
        """
        from kaon.events.frames import Frame
        from kaon.writing.frame_buffer import FrameBuffer

        self._file._writer()  # raises if the file is finished
        if not isinstance(frame, Frame):
            raise WrongTypeError(
                f"an event must be a kaon.Frame, not {frame!r}; use extend() for arrays"
            )
        if self._buffer is None:
            self._buffer = FrameBuffer()
        before = self._num_objects
        try:
            self._buffer.add(frame)
        except Error as error:
            error.args = (f"{self._file.path}:{self.name}: {error}",)
            raise
        finally:
            self._file._num_objects += self._num_objects - before
        if self._buffer.is_full:
            self._write_buffer()
        self._file._make_room()

    def _write_buffer(self) -> None:
        self._file._num_objects -= self._num_objects
        buffer, self._buffer = self._buffer, None
        if buffer is not None:
            self._extend(buffer.arrays(self._kind))

    def _kind(self, name: str) -> _core.TableKind | None:
        """Return the kind of a parameter's table, None if it is new; tags and keys are values."""
        options = self._file._options
        for table in self.tables:
            if table.parent is None and table.name == name:
                return table.kind
        return _core.TableKind.value if name in {*options.tags, *options.keys} else None

    def _extend(self, data: Mapping[str, Any] | Any) -> None:
        from kaon.writing.entry_arrays import entry_array

        self._append(lambda writer: writer.extend(self.name, entry_array(data)))

    def _append(self, write: Callable[[_core.Writer], int]) -> None:
        writer = self._file._writer()
        if not self._file._has_entries:
            self._file._put_metadata(writer)  # HIPO files store them before the events
        try:
            self._num_written += write(writer)
        except Error as error:
            if not str(error).startswith(self._file.path):
                error.args = (f"{self._file.path}:{self.name}: {error}",)
            raise
        self._file._has_entries = True

    def __len__(self) -> int:
        return self.num_entries

    def __repr__(self) -> str:
        return f"<WritableCategory '{self.name}': {self.num_entries} entries>"
