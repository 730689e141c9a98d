"""Columns as arrays of values and offsets, exchanged between C++ and Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kaon.columns.masks import is_masked
from kaon.errors import UsageError, WrongTypeError
from kaon.modelgen.mistakes import indented

if TYPE_CHECKING:
    from awkward.contents import Content

#: The type of characters of texts.
CHARACTER = np.dtype("S1")


def to_array(parts: Sequence[np.ndarray]) -> Any:
    """Return a column: a NumPy array for numbers, an Awkward array for lists and texts.

    Parameters
    ----------
    parts
        All values, and for each level of lists, the outermost first, the offsets of the lists. If
        the values are characters (``S1``), the innermost lists are texts. Masked values, and lists
        with masked begins, become None in an Awkward array.
    """
    values, *offsets = parts
    is_masked_array = isinstance(values, np.ma.MaskedArray)
    if not offsets and not is_masked_array:
        return values
    import awkward as ak

    if is_masked_array:
        from kaon.columns.awkward_layouts import optional

        content = ak.contents.NumpyArray(np.ma.getdata(values))
        return ak.Array(_nested(optional(~np.ma.getmaskarray(values), content), offsets))
    if values.dtype != CHARACTER:
        return ak.Array(_nested(ak.contents.NumpyArray(values), offsets))
    characters = ak.contents.NumpyArray(values.view(np.uint8), parameters={"__array__": "char"})
    texts = _nested(characters, [offsets.pop()], {"__array__": "string"})
    return ak.Array(_nested(texts, offsets))


def with_strings(parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the parts of a column; texts become an array of Python strings."""
    values, *offsets = parts
    if values.dtype == CHARACTER:
        begins = offsets.pop()
        values = to_strings(np.ma.getdata(values), np.ma.getdata(begins))
        if isinstance(begins, np.ma.MaskedArray):
            values = np.ma.array(values, mask=np.ma.getmaskarray(begins)[:-1])
    return [values, *offsets]


def with_masked_values(parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the parts of a column, with all values in missing lists masked."""
    values, *offsets = parts
    for level, begins in enumerate(offsets):
        if isinstance(begins, np.ma.MaskedArray):
            missing = np.ma.getmaskarray(begins)[:-1]
            for inner in offsets[level:]:
                missing = np.repeat(missing, np.diff(np.ma.getdata(inner)))
            values = np.ma.array(values, mask=missing | np.ma.getmaskarray(values))
    return [values, *map(np.ma.getdata, offsets)]


def to_strings(characters: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return texts as an array of Python strings."""
    strings = np.empty(len(offsets) - 1, dtype=object)
    text = characters.tobytes()
    for i, (begin, end) in enumerate(pairwise(offsets.tolist())):
        strings[i] = text[begin:end].decode(errors="replace")
    return strings


def to_parts(array: Any, where: str) -> list[np.ndarray]:
    """Return the parts of any array: its values, and the offsets of lists, the outermost first.

    Raises
    ------
    WrongTypeError
        If the array has other values than numbers, texts, and lists of these.
    UsageError
        If a value is None.
    """
    if isinstance(array, np.ndarray) and array.ndim == 1 and not is_masked(array):
        if array.dtype.kind not in "UOT":
            return [_numbers(array, where)]
        if len(array) == 0 and array.dtype.kind != "O":
            return [np.zeros(0, CHARACTER), np.zeros(1, np.uint32)]
        array = array.tolist()
    import awkward as ak

    from kaon.columns.awkward_layouts import is_string

    try:
        layout = ak.to_layout(array, primitive_policy="error", string_policy="error")
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"{where} is not an array: {indented(str(error))}") from None
    offsets = []
    layout = _required(layout, where)
    while layout.is_list:
        layout = layout.to_ListOffsetArray64(True)
        offsets.append(np.asarray(layout.offsets).astype(np.uint32))
        if is_string(layout):
            characters = np.asarray(layout.content.data)[: layout.offsets[-1]]
            return [np.ascontiguousarray(characters).view(CHARACTER), *offsets]
        layout = _required(layout.content[: layout.offsets[-1]], where)
    if layout.is_numpy and layout.purelist_depth > 1:
        regular = layout.to_RegularArray()
        return to_parts(ak.Array(_nested(regular, offsets)), where)
    if not layout.is_numpy:
        kind = "records" if layout.is_record else layout.form.type
        raise WrongTypeError(f"{where} has {kind}, not numbers or texts")
    return [_numbers(np.asarray(layout.data), where), *offsets]


def _nested(
    layout: Content, offsets: Sequence[np.ndarray], parameters: dict[str, str] | None = None
) -> Content:
    from awkward.contents import ListOffsetArray
    from awkward.index import Index

    for begins in reversed(offsets):
        layout = ListOffsetArray(Index(np.ma.getdata(begins)), layout, parameters=parameters)
        if isinstance(begins, np.ma.MaskedArray):
            from kaon.columns.awkward_layouts import optional

            layout = optional(~np.ma.getmaskarray(begins)[:-1], layout)
    return layout


def _required(layout: Content, where: str) -> Content:
    """Return a layout without indices; no value may be missing."""
    while layout.is_indexed or layout.is_option:
        if layout.is_option and not np.all(np.asarray(layout.mask_as_bool(valid_when=True))):
            raise UsageError(f"{where} has None: replace it with ak.fill_none, or mask it")
        layout = layout.project()
    if layout.is_unknown:
        from awkward.contents import NumpyArray

        layout = NumpyArray(np.zeros(0))
    return layout


def _numbers(values: np.ndarray, where: str) -> np.ndarray:
    if values.dtype.kind not in "biuf" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        raise WrongTypeError(f"{where} has values of the type {values.dtype}")
    return np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
