"""Entries from streams of Arrow: from pyarrow, polars, pandas and other sources."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import Any

import awkward as ak

from kaon import _core
from kaon.columns.awkward_layouts import UNIT
from kaon.errors import Error, FileError, UsageError, WrongTypeError
from kaon.files.chain import open_category

_CATEGORY = "entries"


def is_stream(data: Any) -> bool:
    """Return whether an object gives its entries as a stream of Arrow."""
    return hasattr(data, "__arrow_c_stream__")


def entries_of_stream(data: Any, where: str) -> Iterator[ak.Array]:
    """Return the entries of a stream, piece by piece, as arrays of records.

    They go through a temporary file: C++ reads the stream, without another package.

    Parameters
    ----------
    data
        The source of the stream.
    where
        The beginning of error messages.

    Raises
    ------
    If a column has a type that files do not have, or the table does not give a stream.
        If a column is of a type that files do not have, or the table gives no stream.
    UsageError
        If numbers are missing, or the stream breaks off.
    """
    with tempfile.TemporaryDirectory(prefix="kaon-") as folder:
        path = os.path.join(folder, "stream.kaon")
        _store(data, path, where)
        entries = open_category(f"{path}:{_CATEGORY}")
        units = {name: column.unit for name, column in entries.items() if column.unit}
        for first, last in entries.clusters() or [(0, 0)]:
            arrays = entries.arrays(entry_start=first, entry_stop=last)
            for name in units.keys() & set(arrays.fields):  # records have the units already
                arrays[name] = ak.with_parameter(arrays[name], UNIT, units[name])
            yield arrays


def _store(data: Any, path: str, where: str) -> None:
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":  # its index would become a column
        data = data.reset_index(drop=True)
    if library == "polars":  # its bytes would be addresses of objects
        for name, dtype in getattr(data, "schema", {}).items():  # a Series has no schema
            if str(dtype) == "Object":
                raise WrongTypeError(f"{where}: '{name}' has Python objects instead of values")
    writer = _core.Writer(path, codec="none", format="kaon")
    try:
        writer.write_stream(_CATEGORY, data)
        writer.finish()
    except FileError as error:
        reason = str(error).removeprefix("a stream breaks off: ")
        raise UsageError(f"{where}: the stream of entries failed: {reason}") from error
    except Error as error:
        error.args = (f"{where}: {str(error).removeprefix(f'{path}: ')}",)
        raise
    except (TypeError, ValueError, NotImplementedError) as error:  # raised by the producer
        reason = "; ".join(map(str, error.args))
        raise WrongTypeError(
            f"{where}: the table cannot be read as a stream of Arrow: {reason}"
        ) from error
    finally:
        writer.discard()
