"""Columns between C++ and Python: values and offsets of lists, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon.errors import UsageError, WrongTypeError

if TYPE_CHECKING:
    from awkward.contents import Content


def to_array(parts: Sequence[np.ndarray]) -> Any:
    """Return a column: a NumPy array of numbers, an Awkward array of lists.

    Parameters
    ----------
    parts
        All values, and for each level of lists, the outermost first, where they begin and end.
    """
    values, *offsets = parts
    if not offsets:
        return values
    import awkward as ak

    return ak.Array(_nested(ak.contents.NumpyArray(values), offsets))


def to_parts(array: Any, where: str) -> list[np.ndarray]:
    """Return the values and the offsets of lists, the outermost first, of any array.

    Raises
    ------
    WrongTypeError
        If it is no array of numbers, or of lists of them.
    UsageError
        If something is None.
    """
    if isinstance(array, np.ndarray) and array.ndim == 1:
        return [_numbers(array, where)]
    import awkward as ak

    try:
        layout = ak.to_layout(array, primitive_policy="error", string_policy="error")
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"{where} is no array: {error}") from None
    offsets = []
    layout = _required(layout, where)
    while layout.is_list:
        layout = layout.to_ListOffsetArray64(True)
        offsets.append(np.asarray(layout.offsets).astype(np.uint32))
        layout = _required(layout.content[: layout.offsets[-1]], where)
    if layout.is_numpy and layout.purelist_depth > 1:
        regular = layout.to_RegularArray()
        return to_parts(ak.Array(_nested(regular, offsets)), where)
    if not layout.is_numpy:
        kind = "records" if layout.is_record else layout.form.type
        raise WrongTypeError(f"{where} has {kind}, not numbers")
    return [_numbers(np.asarray(layout.data), where), *offsets]


def _nested(layout: Content, offsets: Sequence[np.ndarray]) -> Content:
    from awkward.contents import ListOffsetArray
    from awkward.index import Index

    for level in reversed(offsets):
        layout = ListOffsetArray(Index(level), layout)
    return layout


def _required(layout: Content, where: str) -> Content:
    """Return a layout without indices, in which nothing may be missing."""
    while layout.is_indexed or layout.is_option:
        if layout.is_option and not np.all(np.asarray(layout.mask_as_bool(valid_when=True))):
            raise UsageError(f"{where} has None; ak.fill_none or a mask says what to do with it")
        layout = layout.project()
    if layout.is_unknown:
        from awkward.contents import NumpyArray

        layout = NumpyArray(np.zeros(0))
    return layout


def _numbers(values: np.ndarray, where: str) -> np.ndarray:
    if values.dtype.kind not in "biuf" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        raise WrongTypeError(f"{where} has values of the type {values.dtype}")
    return np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
