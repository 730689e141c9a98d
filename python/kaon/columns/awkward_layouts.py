"""Layouts of Awkward arrays: lists, numbers, records and missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import awkward as ak
import numpy as np
from awkward.contents import (
    Content,
    IndexedOptionArray,
    ListOffsetArray,
    NumpyArray,
    RecordArray,
    RegularArray,
    UnionArray,
)
from awkward.index import Index64

from kaon.columns.masks import is_masked
from kaon.errors import UsageError, WrongTypeError

# In all functions `where` names the values in messages, such as "MCParticles.momentum".

UNIT = "__unit__"
"""The parameter of arrays with the unit of their numbers."""

_UNITS_OF_TIME = {"D": "d", "s": "s", "ms": "ms", "us": "us", "ns": "ns"}


def to_layout(values: Any, where: str) -> Content:
    """Return the layout of a user's values, which can be anything that Awkward Array understands.

    Raises
    ------
    WrongTypeError
        If the values are not an array.
    """
    is_foreign = not isinstance(values, (ak.Array, ak.Record, Content, np.generic))
    if is_foreign and hasattr(values, "__array__") and not is_masked(values):
        values = _in_numpy(values)  # a Series or tensor, which Awkward would read value by value
    if isinstance(values, np.ndarray) and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if type(values) is np.ndarray and values.ndim == 1 and values.dtype.kind in "biuf":
        return NumpyArray(values)  # Awkward's result, but sooner; files may have many columns
    if isinstance(values, (bool, int, float, str, bytes, np.generic)) or (
        isinstance(values, np.ndarray) and values.ndim == 0
    ):
        shown = repr(values) if isinstance(values, (str, bytes)) else values
        raise WrongTypeError(f"'{where}' is one value, {shown}, not an array of one: [{shown}]")
    if values is None:
        raise WrongTypeError(f"'{where}' is None, not an array")
    if isinstance(values, np.ndarray) and values.dtype.kind in "OT":
        values = values.tolist()  # strings, and lists of different lengths
    if isinstance(values, np.ndarray) and values.dtype.names and not is_masked(values):
        return _records(values, where)
    if isinstance(values, (list, tuple)) and (lists_ := _lists_of_arrays(values)) is not None:
        return lists_
    try:
        if isinstance(values, ak.Array):
            layout = values.layout  # as in ak.to_layout, but sooner
        else:
            layout = ak.to_layout(
                values, primitive_policy="error", string_policy="error", regulararray=True
            )
    except (TypeError, ValueError, RuntimeError) as error:
        reason = _first_line(error)
        if "C++" in reason:  # its types cannot hold the value
            reason = (
                "it has a number beyond int64, for which np.array(..., np.uint64) may have room, "
                "or a text that is not valid Unicode"
            )
        if "unsupported dtype" in reason:
            reason = f"files have no values of the type {values.dtype}"
        if "unknown type" in reason:
            reason = f"kaon knows no values of the type {type(values).__name__}"
        raise WrongTypeError(f"'{where}' is not an array: {reason}") from None
    if not isinstance(layout, Content):
        raise WrongTypeError(f"'{where}' is a single record, not one for each entry")
    if _has_union(layout):
        layout = _united(layout)
    return plain(_without_times(layout, where) if _has_times(layout) else layout)


def _in_numpy(values: Any) -> Any:
    """Return values of another library as a NumPy array, or as a list if values are missing.

    Missing values are None in the list. In this case, NumPy would turn whole numbers into floats,
    and round large ones. Missing floats are NaN, and stay in an array.
    """
    dtype: Any = getattr(values, "dtype", getattr(values, "type", None))
    if getattr(dtype, "tz", None) is not None:  # from pandas; its array would have Python objects
        return np.asarray(values, f"M8[{dtype.unit}]")
    array = np.asarray(values)
    is_missing = getattr(values, "is_null", None) or getattr(values, "isna", None)
    is_float = str(dtype).lower().startswith(("float", "double", "halffloat"))
    if is_missing is None or is_float or array.dtype.kind not in "fO":
        return array
    missing = np.asarray(is_missing()).tolist()
    if not any(missing):
        return array
    names = ("to_list", "to_pylist", "tolist")
    each = next(getattr(values, name)() for name in names if hasattr(values, name))
    return [None if lacks else value for value, lacks in zip(each, missing, strict=True)]


def _records(values: np.ndarray, where: str) -> Content:
    """Return a structured array as records; members can be structured themselves."""
    if values.ndim > 1:
        rows = values.reshape(-1, *values.shape[2:])
        return RegularArray(to_layout(rows, where), values.shape[1], len(values))
    names = list(values.dtype.names or ())
    members = [to_layout(values[name], f"{where}.{name}") for name in names]
    return RecordArray(members, names, len(values))


def _lists_of_arrays(values: Sequence[Any]) -> Content | None:
    """Return NumPy arrays of one type as lists, or None for other values.

    Awkward would read their values one by one and lose the type.
    """
    if not values or not all(type(each) is np.ndarray and each.ndim == 1 for each in values):
        return None
    some = [each for each in values if each.size] or values
    if len({each.dtype for each in some}) > 1 or some[0].dtype.kind not in "biuf":
        return None
    offsets = np.cumsum([0, *map(len, values)])
    native = some[0].dtype.newbyteorder("=")
    return ListOffsetArray(Index64(offsets), NumpyArray(np.concatenate(some).astype(native)))


def _has_union(layout: Content) -> bool:
    if layout.is_record or layout.is_union:
        return bool(layout.is_union) or any(map(_has_union, layout.contents))
    return not (layout.is_numpy or layout.is_unknown) and _has_union(layout.content)


def _united(layout: Content) -> Content:
    """Return a layout with each union of equal records replaced by these records.

    Awkward makes unions of records that differ only in names and descriptions. This happens when
    arrays of two collections are joined. Records with different units are not equal.
    """

    def unite(content: Content, **_: Any) -> Content | None:
        if not content.is_union:
            return None
        records = [_element(each) for each in content.contents]
        first = records[0]
        if not all(
            each.is_record
            and _member_types(each) == _member_types(first)
            and each.parameter("units") == first.parameter("units")
            for each in records
        ):
            return None
        shared = {
            name: value
            for name, value in first.parameters.items()
            if all(each.parameter(name) == value for each in records)
        }
        equal = [_with_parameters(each, shared) for each in content.contents]
        united = UnionArray.simplified(content.tags, content.index, equal)
        return _united(united) if _has_union(united) and not united.is_union else united

    united: Content = ak.transform(unite, layout, highlevel=False)
    return united


def _element(layout: Content) -> Content:
    """Return the layout of the values inside indices and options."""
    while layout.is_indexed or layout.is_option:
        layout = layout.content
    return layout


def _with_parameters(layout: Content, parameters: dict[str, Any]) -> Content:
    """Return records, or optional records, with only these parameters."""
    if layout.is_record:
        return layout.copy(parameters=parameters)
    return layout.copy(content=_with_parameters(layout.content, parameters))


def _member_types(record: Content) -> dict[str, str]:
    return {name: str(record[name].form.type) for name in record.fields}


def unit_of(layout: Content) -> str:
    """Return the unit of numbers, or of numbers in lists; "" if they have none."""
    while (unit := layout.parameter(UNIT)) is None and hasattr(layout, "content"):
        if layout.is_record or layout.is_union:
            return ""
        layout = layout.content
    return unit or ""


def _has_times(layout: Content) -> bool:
    if layout.is_numpy:
        return layout.dtype.kind in "mM"
    if layout.is_record or layout.is_union:
        return any(map(_has_times, layout.contents))
    return not layout.is_unknown and _has_times(layout.content)


def _without_times(layout: Content, where: str) -> Content:
    """Return times and durations as whole numbers with a unit, as in tables.

    Raises
    ------
    WrongTypeError
        If the unit is one such as months.
    UsageError
        If a value is missing.
    """

    def number(content: Content, **_: Any) -> Content | None:
        if not content.is_numpy or content.dtype.kind not in "mM":
            return None
        name, count = np.datetime_data(content.dtype)
        if name not in _UNITS_OF_TIME or count != 1:
            kind = content.dtype.kind
            raise WrongTypeError(
                f"'{where}' has times of the type {content.dtype}, which files cannot hold: write "
                f"days, seconds, or parts of these, such as .astype('{kind}8[s]')"
            )
        if np.isnat(content.data).any():
            raise UsageError(
                f"'{where}' has missing values (NaT), which files cannot hold: fill them"
            )
        unit = {UNIT: _UNITS_OF_TIME[name]}
        return NumpyArray(np.asarray(content.data).view(np.int64), parameters=unit)

    converted: Content = ak.transform(number, layout, highlevel=False)
    return converted


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def plain(layout: Content) -> Content:
    """Return a layout without indices that only reorder it; optional values stay optional."""
    while layout.is_indexed and not layout.is_option:
        layout = layout.project()
    return layout


def optional(present: np.ndarray, content: Content) -> Content:
    """Return a layout with None where a value is not present.

    This is not a `ByteMaskedArray`, because `awkward.pad_none` (2.14) handles these wrongly: it
    moves values to other lists, or gives None for all. The content ends with the last present
    value, as in Awkward's own layouts. `awkward.where` looks at this value where one is missing.
    """
    is_there = present.view(bool)
    places = np.where(is_there, np.arange(len(is_there), dtype=np.int64), -1)
    return IndexedOptionArray(Index64(places), content[: int(places.max(initial=-1)) + 1])


def present_and_content(layout: Content) -> tuple[np.ndarray | None, Content]:
    """Return which values are present (None for all), and the present values."""
    layout = plain(layout)
    if not layout.is_option:
        return None, layout
    present = np.asarray(layout.mask_as_bool(valid_when=True))
    return (None if present.all() else present), plain(layout.project())


def required(layout: Content, where: str) -> Content:
    """Return the values of a layout; raise if one is missing.

    Raises
    ------
    UsageError
        If a value is missing.
    """
    present, content = present_and_content(layout)
    if present is not None:
        raise UsageError(f"'{where}' has missing values")
    return content


def is_string(layout: Content) -> bool:
    """Tell whether the values are strings."""
    return bool(layout.is_list and layout.parameter("__array__") == "string")


def is_list(layout: Content) -> bool:
    """Tell whether the values are lists, or rows of a multidimensional array; not strings."""
    if layout.is_list:
        return layout.parameter("__array__") is None
    return bool(layout.is_numpy and layout.purelist_depth > 1)


def lists(layout: Content, where: str) -> tuple[np.ndarray, Content]:
    """Return the offsets of lists, and their contents.

    Missing lists become empty lists.

    Returns
    -------
    offsets : ndarray of int64
    content : Content
        The first ``offsets[-1]`` values.

    Raises
    ------
    WrongTypeError
        If the values are not lists.
    """
    present, content = present_and_content(layout)
    if content.is_unknown:
        return np.zeros(layout.length + 1, dtype=np.int64), content
    if content.is_numpy and content.purelist_depth > 1:
        content = content.to_RegularArray()
    if not content.is_list:
        raise WrongTypeError(f"'{where}' needs lists, not values of type {content.form.type}")
    packed = content.to_ListOffsetArray64(True)
    offsets = np.asarray(packed.offsets.data)
    inside = plain(packed.content[: offsets[-1]])
    if present is not None:
        counts = np.zeros(len(present), dtype=np.int64)
        counts[present] = np.diff(offsets)
        offsets = np.concatenate([[0], np.cumsum(counts)])
    return offsets, inside


def record_fields(layout: Content | None, where: str) -> dict[str, Content]:
    """Return the fields of records by name; none if there are no values.

    Raises
    ------
    WrongTypeError
        If the values are not records.
    UsageError
        If a record is missing.
    """
    if layout is None or layout.is_unknown:
        return {}
    layout = required(layout, where)
    if not layout.is_record:
        raise WrongTypeError(f"'{where}' needs records, not values of type {layout.form.type}")
    return members_of(layout)


def members_of(record: Content) -> dict[str, Content]:
    """Return the members of records by name; the time is proportional to their number."""
    return {name: record.content(number) for number, name in enumerate(record.fields)}
