"""Streams of Arrow, whose entries C++ writes: from pyarrow, polars, pandas and other sources."""

from __future__ import annotations

from typing import Any

from kaon.errors import WrongTypeError

_IN_MEMORY = {
    *("pandas.DataFrame", "polars.DataFrame", "polars.Series"),
    *("pyarrow.Table", "pyarrow.RecordBatch", "pyarrow.StructArray", "pyarrow.ChunkedArray"),
}


def is_stream(data: Any) -> bool:
    """Return whether an object gives its entries as a stream of Arrow."""
    return hasattr(data, "__arrow_c_stream__")


def is_in_memory(data: Any) -> bool:
    """Return whether all entries of a source are in memory, so that its pieces can be kept."""
    names = {
        f"{type_.__module__.partition('.')[0]}.{type_.__name__}" for type_ in type(data).__mro__
    }
    return bool(names & _IN_MEMORY)


def entry_stream(data: Any, where: str) -> object:
    """Return the capsule of a stream of entries.

    Parameters
    ----------
    data
        The source of the stream.
    where
        The beginning of error messages.

    Raises
    ------
    WrongTypeError
        If the table gives no stream.
    """
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":  # whose index would become a column
        data = data.reset_index(drop=True)
    if library == "polars":  # which gives the addresses of objects, as bytes
        for name, dtype in getattr(data, "schema", {}).items():  # a Series has none
            if str(dtype) == "Object":
                raise WrongTypeError(f"{where}: '{name}' has Python objects instead of values")
    try:
        stream: object = data.__arrow_c_stream__()
    except (TypeError, ValueError, NotImplementedError) as error:  # raised by the producer
        reason = "; ".join(map(str, error.args))
        raise WrongTypeError(
            f"{where}: the table cannot be read as a stream of Arrow: {reason}"
        ) from error
    return stream
