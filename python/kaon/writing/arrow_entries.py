"""Entries that come as Arrow's streams: of pyarrow, polars, pandas, or whoever else gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import awkward as ak
from awkward.contents import Content

from kaon.columns.awkward_layouts import present_and_content
from kaon.errors import UsageError, WrongTypeError
from kaon.files.array_forms import package


def is_stream(data: Any) -> bool:
    """Tell whether something gives its entries as a stream of Arrow."""
    return hasattr(data, "__arrow_c_stream__")


def entries_of_stream(data: Any) -> Iterator[ak.Array]:
    """Return the entries of a stream, piece by piece, as arrays of records.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    WrongTypeError
        If a column is of a type that arrays do not have.
    UsageError
        If the stream breaks off.
    """
    pyarrow = package("pyarrow", "a table of Arrow")
    try:
        reader = pyarrow.RecordBatchReader.from_stream(data)
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"this is no stream of entries: {error}") from error
    viewless = _casted(reader.schema, _without_views)
    plain = _casted(viewless, _without_dictionaries)
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except (OSError, ValueError) as error:
            raise UsageError(f"the stream of entries breaks off: {error}") from error
        # Not at once: Arrow does not take values out of dictionaries of views.
        yield _to_records(batch.cast(viewless).cast(plain))


def _without_views(type_: Any) -> Any:
    """Return the type of a value with plain strings, which all functions of Arrow know."""
    pyarrow = package("pyarrow")
    if pyarrow.types.is_string_view(type_):
        return pyarrow.large_string()
    if pyarrow.types.is_dictionary(type_):
        return pyarrow.dictionary(type_.index_type, _without_views(type_.value_type), type_.ordered)
    return type_


def _without_dictionaries(type_: Any) -> Any:
    """Return the type of a value, be it in a dictionary or not."""
    return type_.value_type if package("pyarrow").types.is_dictionary(type_) else type_


def _casted(schema: Any, change: Callable[[Any], Any]) -> Any:
    """Return the schema with other types of values, at any depth."""
    return package("pyarrow").schema([_casted_field(field, change) for field in schema])


def _casted_field(field: Any, change: Callable[[Any], Any]) -> Any:
    pyarrow, type_ = package("pyarrow"), field.type
    types = pyarrow.types
    if types.is_struct(type_):
        casted = pyarrow.struct([_casted_field(inner, change) for inner in type_])
    elif types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_):
        element = _casted_field(type_.value_field, change)
        if types.is_fixed_size_list(type_):
            casted = pyarrow.list_(element, type_.list_size)
        else:
            casted = (pyarrow.list_ if types.is_list(type_) else pyarrow.large_list)(element)
    else:
        casted = change(type_)
    return field.with_type(casted)


def _to_records(batch: Any) -> ak.Array:
    """Return entries as records, those of collections named after their datatype."""
    columns = {}
    for field, column in zip(batch.schema, batch.columns, strict=True):
        try:
            values = ak.from_arrow(column)
        except (TypeError, ValueError, RuntimeError, AssertionError) as error:  # Awkward's
            raise WrongTypeError(f"'{field.name}' has values of {field.type}: {error}") from error
        datatype = (field.metadata or {}).get(b"datatype", b"").decode()
        if datatype:
            values = ak.with_name(values, datatype.rpartition("::")[2])
        columns[field.name] = ak.transform(_without_needless_option, values)
    if not columns:
        raise UsageError("the stream has no columns")
    return ak.zip(columns, depth_limit=1)


def _without_needless_option(layout: Content, **kwargs: Any) -> Content | None:
    """Return values of which some may be None, but none is, as what can never be None."""
    present, content = present_and_content(layout) if layout.is_option else (None, None)
    if content is None or present is not None:
        return None  # go on with what is inside
    return ak.to_layout(ak.transform(_without_needless_option, content))
