"""Files of Parquet and Feather, which pyarrow reads: as files of kaon."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import CorruptFileError, Error, FileError, UsageError
from kaon.files.array_forms import package
from kaon.files.paths import StrPath

if TYPE_CHECKING:
    from kaon.files.category import Category

PREFIX = b"kaon:"
"""What the keys of metadata begin with that are of kaon: its category, and its documents."""

CATEGORY = "events"
"""What the entries of a file are called that does not say it."""

_MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Feather"}


def table_format(path: StrPath) -> str | None:
    """Return "Parquet" or "Feather", as the first bytes of a file say; None if it is neither."""
    if not os.path.isfile(path):
        return None  # whoever opens it says what is wrong; a pipe would be waited for
    try:
        with open(path, "rb") as file:
            begin = file.read(6)
    except OSError:
        return None
    return next((name for magic, name in _MAGIC.items() if begin.startswith(magic)), None)


@contextmanager
def stored_as_kaon(path: StrPath) -> Iterator[str]:
    """Write the entries of a table's file to a temporary one, which may be opened, and then goes.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    CorruptFileError
        If the file is damaged.
    WrongTypeError, UsageError
        If its columns are of types that files do not have.
    """
    name = os.path.basename(os.fspath(path))
    with tempfile.TemporaryDirectory(prefix="kaon-") as folder:
        copy = os.path.join(folder, name)
        writer = _core.Writer(copy, codec="lz4", format="kaon")
        try:
            _store(path, writer)
            writer.finish()
        except BaseException:
            writer.discard()
            raise
        yield copy


def _store(path: StrPath, writer: _core.Writer) -> None:
    pyarrow = package("pyarrow", os.fspath(path))
    damage: list[BaseException] = []

    def sound(batches: Iterator[Any]) -> Iterator[Any]:
        """Yield batches whose parts fit each other, which pyarrow itself does not look at."""
        try:
            for batch in batches:
                batch.validate(full=True)
                yield batch
        except Exception as error:
            damage.append(error)
            raise

    try:
        schema, batches = _opened(path)
        own = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
        documents = {
            key.removeprefix(PREFIX.decode()): text
            for key, text in own.items()
            if key.startswith(PREFIX.decode())
        }
        stream = pyarrow.RecordBatchReader.from_batches(schema, sound(batches))
        writer.write_stream(documents.pop("category", CATEGORY), stream)
        for name, text in documents.items():
            writer.add_document(name, text)
    except Error as error:
        if damage:
            raise CorruptFileError(f"{os.fspath(path)}: {damage[0]}") from error
        error.args = (f"{os.fspath(path)}: {error}",)
        raise
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise CorruptFileError(f"{os.fspath(path)}: {error}") from error


def _opened(path: StrPath) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a table's file, and its entries, piece by piece."""
    if table_format(path) == "Parquet":
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
        What the file carries, by name: models and metadata.
    progress
        Is called with how much is done, from 0 to 1.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    UsageError
        If it has arrays that pyarrow would not read from the file, or no columns at all.
    FileError
        If the file cannot be written, or the category cannot be read.
    """
    pyarrow = package("pyarrow", os.fspath(path))
    reader = pyarrow.RecordBatchReader.from_stream(category)
    if not reader.schema.names:
        raise UsageError(f"{os.fspath(path)}: a file of {format} has columns, and there are none")
    category._core.warn_of_unreadable()
    lost = [name for field in reader.schema for name in _optional_arrays(field, field.name)]
    if lost and format == "Parquet":
        raise UsageError(
            f"{os.fspath(path)}: pyarrow does not read arrays of a fixed length that may be "
            f"missing from Parquet: {', '.join(lost)}; write a file of Feather"
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
    """Yield the names of arrays of fixed length that are missing where they, or what has them, are.

    Parameters
    ----------
    is_optional
        Whether one of the structs that the field lies in may be missing.
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
    """Return the format of a table that a path to write to, or a name, says; None for others."""
    suffix = format or os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
    return {"parquet": "Parquet", "feather": "Feather", "arrow": "Feather"}.get(suffix)
