"""Parquet, Feather and Arrow's streams, which pyarrow reads and kaon converts to its own format."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import (
    CorruptFileError,
    Error,
    FileError,
    FormatError,
    UsageError,
    WrongTypeError,
)
from kaon.files.array_forms import package
from kaon.files.paths import StrPath

if TYPE_CHECKING:
    from kaon.files.category import Category

PREFIX = b"kaon:"
"""The prefix of kaon's keys in a table's metadata: the category, and documents."""

CATEGORY = "events"
"""The name of the category if the file does not store one."""


def use_copy(path: StrPath, use: Callable[[str], object]) -> str:
    """Convert a table's file to a temporary `.kaon` file, and call `use` with its path.

    Returns
    -------
    str
        A warning about columns that kaon's files cannot hold; empty if all columns are stored.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    CorruptFileError
        If the file is damaged.
    FormatError
        If pyarrow cannot read its columns.
    """
    with tempfile.TemporaryDirectory(prefix="kaon-") as folder:
        copy = os.path.join(folder, os.path.basename(os.fspath(path)))
        table = _Table(path)
        while not table.is_stored(copy):
            pass
        use(copy)
    if not table.left_out:
        return ""
    return f"{table.path}: left out columns that files cannot have: {table.reasons}"


class _Table:
    """The table of a file, column by column.

    Attributes
    ----------
    left_out
        The reasons for columns that are not read, by name.
    optionals
        The paths of the fields with missing values, which become optionals; None before an attempt
        has found missing values.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = os.fspath(path)
        self.left_out: dict[str, str] = {}
        self.optionals: list[list[int]] | None = None
        self._pyarrow = package("pyarrow", self.path)
        self._damage: BaseException | None = None

    @property
    def reasons(self) -> str:
        """The columns left out, with reasons."""
        return "; ".join(self.left_out.values())

    def is_stored(self, copy: str) -> bool:
        """Write the table to a `.kaon` file; return False if columns must be read otherwise."""
        writer = _core.Writer(copy, codec="lz4", format="kaon")
        try:
            self._write(writer)
            writer.finish()
        except Error as error:
            writer.discard()
            if self._damage:
                raise self._unreadable(self._damage) from error
            if isinstance(error, UsageError) and self.optionals is None:
                self.optionals = _core.fields_with_nulls(self._stream()[1])
                return False
            error.args = (f"{self.path}: {error}",)
            raise
        except (OSError, ValueError, self._pyarrow.ArrowException) as error:
            writer.discard()
            raise self._unreadable(error) from error
        except BaseException:
            writer.discard()
            raise
        return True

    def _unreadable(self, error: BaseException) -> FileError:
        if isinstance(error, self._pyarrow.ArrowNotImplementedError):
            return FormatError(f"{self.path}: pyarrow cannot read it: {error}")
        return CorruptFileError(f"{self.path}: {error}")

    def _write(self, writer: _core.Writer) -> None:
        documents, stream = self._stream()
        category = documents.pop("category", CATEGORY)
        writer.write_stream(category, stream, self.optionals or [])
        for name, text in documents.items():
            writer.add_document(name, text)

    def _stream(self) -> tuple[dict[str, str], Any]:
        """Return kaon's documents in the file, and the stream of the columns that can be stored."""
        schema, batches = _opened(self.path)
        own = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
        documents = {
            key.removeprefix(PREFIX.decode()): text
            for key, text in own.items()
            if key.startswith(PREFIX.decode())
        }
        batches = self._sound(batches)
        if not documents:
            schema = self._storable(schema)
            batches = (_columns(batch, schema) for batch in batches)
        return documents, self._pyarrow.RecordBatchReader.from_batches(schema, batches)

    def _sound(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield batches after checking that their parts agree, which pyarrow does not check."""
        try:
            for batch in batches:
                batch.validate(full=True)
                yield batch
        except GeneratorExit:
            raise
        except Exception as error:
            self._damage = error
            raise

    def _storable(self, schema: Any) -> Any:
        """Return the schema of the columns that can be stored."""
        self.left_out |= _core.refused_fields(schema)
        counts = Counter(schema.names)
        self.left_out |= {
            name: f"{count} columns are called '{name}'"
            for name, count in counts.items()
            if count > 1
        }
        fields = [field for field in schema if field.name not in self.left_out]
        if self.left_out and not fields:
            raise WrongTypeError(f"has no column that files can have: {self.reasons}")
        return self._pyarrow.schema(fields)


def _columns(batch: Any, schema: Any) -> Any:
    """Return the columns of a schema."""
    columns = [batch.column(name) for name in schema.names]
    return package("pyarrow").RecordBatch.from_arrays(columns, schema=schema)


def _opened(path: StrPath) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a table's file, and its entries, piece by piece."""
    with open(path, "rb") as file:
        first = file.read(6)
    if first.startswith(b"PAR1"):
        parquet = package("pyarrow.parquet").ParquetFile(path)
        return parquet.schema_arrow, parquet.iter_batches()
    pyarrow = package("pyarrow")
    if not first.startswith(b"ARROW1"):
        reader = pyarrow.ipc.open_stream(pyarrow.memory_map(os.fspath(path)))
        return reader.schema, iter(reader)
    reader = pyarrow.ipc.open_file(os.fspath(path))
    return reader.schema, (reader.get_batch(i) for i in range(reader.num_record_batches))


def write_table(
    category: Category,
    documents: Mapping[str, str],
    path: StrPath,
    format: str,
    progress: Callable[[float], object] | None = None,
) -> None:
    """Write a category to a file of Parquet or Feather.

    Parameters
    ----------
    documents
        The documents of the file, by name: models and metadata.
    progress
        A function that is called with the fraction done, from 0 to 1.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    UsageError
        If the category has arrays that pyarrow would not read back, or has no columns.
    FileError
        If the file cannot be written, or the category cannot be read.
    """
    pyarrow = package("pyarrow", os.fspath(path))
    reader = pyarrow.RecordBatchReader.from_stream(category)
    if not reader.schema.names:
        raise UsageError(f"{os.fspath(path)}: a {format} file needs at least one column")
    category._core.warn_of_unreadable()
    lost = [name for field in reader.schema for name in _optional_arrays(field, field.name)]
    if lost and format == "Parquet":
        raise UsageError(
            f"{os.fspath(path)}: pyarrow cannot read optional arrays of fixed length from Parquet: "
            f"{', '.join(lost)}; write a Feather file"
        )
    own = {PREFIX + name.encode(): text for name, text in documents.items()}
    schema = reader.schema.with_metadata({PREFIX + b"category": category.name, **own})
    part, done = f"{os.fspath(path)}.part", 0
    try:
        with _table_writer(schema, part, format) as writer:
            for batch in reader:
                writer.write_batch(batch.replace_schema_metadata(schema.metadata))
                done += batch.num_rows
                if progress:
                    progress(done / category.num_entries)
        os.replace(part, path)
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error}") from error
    finally:
        if os.path.exists(part):
            os.remove(part)


def _optional_arrays(field: Any, name: str, is_optional: bool = False) -> Iterator[str]:
    """Yield the names of arrays of fixed length that may be missing, alone or with their struct.

    Parameters
    ----------
    is_optional
        Whether one of the structs around the field may be missing.
    """
    is_list = hasattr(field.type, "value_field")
    is_array = is_list and hasattr(field.type, "list_size")
    may_miss = field.nullable or is_optional
    if is_array and may_miss:
        yield name
    elif is_list:
        yield from _optional_arrays(field.type.value_field, name)
    elif hasattr(field.type, "num_fields"):
        for inside in (field.type.field(i) for i in range(field.type.num_fields)):
            yield from _optional_arrays(inside, f"{name}.{inside.name}", may_miss)


def _table_writer(schema: Any, path: str, format: str) -> Any:
    if format == "Parquet":
        return package("pyarrow.parquet").ParquetWriter(path, schema)
    return package("pyarrow").ipc.new_file(path, schema)


def written_format(path: StrPath, format: str = "") -> str | None:
    """Return the table format of a path's suffix or a format's name; None for other formats."""
    suffix = format or os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
    return {"parquet": "Parquet", "feather": "Feather", "arrow": "Feather"}.get(suffix)
