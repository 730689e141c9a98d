"""Parquet and Feather files, which pyarrow reads and kaon converts to its own format."""

from __future__ import annotations

import os
import tempfile
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
    UsageError
        If columns have equal names, or names that files cannot have.
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
    """

    def __init__(self, path: StrPath) -> None:
        self.path = os.fspath(path)
        self.left_out: dict[str, str] = {}
        self._pyarrow = package("pyarrow", self.path)
        self._damage: BaseException | None = None

    @property
    def reasons(self) -> str:
        """The columns left out, with reasons."""
        return "; ".join(self.left_out.values())

    def is_stored(self, copy: str) -> bool:
        """Write the table to a `.kaon` file; return False if further columns must be left out."""
        writer = _core.Writer(copy, codec="lz4", format="kaon")
        known = len(self.left_out)
        try:
            self._write(writer)
            writer.finish()
        except Error as error:
            writer.discard()
            if self._damage:
                raise self._unreadable(self._damage) from error
            if len(self.left_out) > known:
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
            batches = self._without_gaps(batches, schema)
        stream = self._pyarrow.RecordBatchReader.from_batches(schema, batches)
        writer.write_stream(documents.pop("category", CATEGORY), stream)
        for name, text in documents.items():
            writer.add_document(name, text)

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
        fields = [field for field in schema if field.name not in self.left_out]
        if self.left_out and not fields:
            raise WrongTypeError(f"has no column that files can have: {self.reasons}")
        return self._pyarrow.schema(fields)

    def _without_gaps(self, batches: Iterator[Any], schema: Any) -> Iterator[Any]:
        """Yield the columns of a schema.

        Raises
        ------
        UsageError
            If columns have gaps; the next attempt leaves them out.
        """
        for batch in batches:
            columns = [batch.column(name) for name in schema.names]
            gaps = [
                name for name, values in zip(schema.names, columns, strict=True) if has_gaps(values)
            ]
            if gaps:
                why = "has missing values that are not floats, lists or strings"
                self.left_out |= {name: f"'{name}' {why}" for name in gaps}
                raise UsageError(f"missing values in {', '.join(gaps)}")
            yield self._pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def has_gaps(array: Any) -> bool:
    """Return whether a value is null and has no replacement.

    Missing lists stay absent, missing strings become empty, missing floats and decimals NaN.
    Integers, booleans, dates, times and structs must not be missing.
    """
    types, type = package("pyarrow").types, array.type
    if types.is_struct(type):
        return array.null_count > 0 or any(has_gaps(inside) for inside in array.flatten())
    if types.is_map(type):
        return has_gaps(array.items)
    if types.is_run_end_encoded(type):
        return has_gaps(array.values)
    if types.is_dictionary(type):
        return has_gaps(array.dictionary_decode())
    if hasattr(type, "value_field"):
        is_fixed = types.is_fixed_size_list(type)
        return (is_fixed and array.null_count > 0) or has_gaps(array.flatten())
    may_lack = types.is_floating(type) or types.is_decimal(type) or "string" in str(type)
    may_lack = may_lack or "binary" in str(type)
    return not may_lack and array.null_count > 0


def _opened(path: StrPath) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a table's file, and its entries, piece by piece."""
    with open(path, "rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    if is_parquet:
        parquet = package("pyarrow.parquet").ParquetFile(path)
        return parquet.schema_arrow, parquet.iter_batches()
    reader = package("pyarrow").ipc.open_file(os.fspath(path))
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
