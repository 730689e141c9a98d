"""From Awkward arrays to the values of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from awkward.contents import Content, RegularArray

from kaon import _core
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.model.defaults import leaf_defaults
from kaon.modelgen.model import OPTIONAL
from kaon.modelgen.scalars import SCALARS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kaon.modelgen.model import Component, Member

# In all functions `where` names the values in messages, such as "MCParticles.momentum".


def to_layout(values: Any, where: str) -> Content:
    """Return what a user gave, anything that Awkward Array understands, as its layout.

    Raises
    ------
    WrongTypeError
        If it is no array.
    """
    try:
        layout = ak.to_layout(
            values, primitive_policy="error", string_policy="error", regulararray=True
        )
    except (TypeError, ValueError, RuntimeError) as error:
        raise WrongTypeError(f"'{where}' is no array: {_first_line(error)}") from None
    if not isinstance(layout, Content):
        raise WrongTypeError(f"'{where}' is a single record, not one for each entry")
    return plain(layout)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def plain(layout: Content) -> Content:
    """Return the same values without an index in between, if there is no missing one."""
    while layout.is_indexed and not layout.is_option:
        layout = layout.project()
    return layout


def present_and_content(layout: Content) -> tuple[np.ndarray | None, Content]:
    """Return which values are there, None standing for all, and just these."""
    layout = plain(layout)
    if not layout.is_option:
        return None, layout
    present = np.asarray(layout.mask_as_bool(valid_when=True))
    return (None if present.all() else present), plain(layout.project())


def required(layout: Content, where: str) -> Content:
    """Return the values, all of which must be there.

    Raises
    ------
    UsageError
        If one is missing.
    """
    present, content = present_and_content(layout)
    if present is not None:
        raise UsageError(f"'{where}' has missing values")
    return content


def is_string(layout: Content) -> bool:
    """Tell whether the values are strings."""
    return layout.is_list and layout.parameter("__array__") == "string"


def is_list(layout: Content) -> bool:
    """Tell whether the values are lists, or rows of an array of more dimensions; not strings."""
    if layout.is_list:
        return layout.parameter("__array__") is None
    return layout.is_numpy and layout.purelist_depth > 1


def lists(layout: Content, where: str) -> tuple[np.ndarray, Content]:
    """Return where lists begin, and at last where they end, and what is in them.

    A missing list is an empty one.

    Returns
    -------
    offsets : ndarray of int64
    content : Content
        Of offsets[-1] values.

    Raises
    ------
    WrongTypeError
        If the values are no lists.
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


def numbers(layout: Content, dtype: np.dtype, extent: int | None, where: str) -> np.ndarray:
    """Return numbers as values of a type.

    Parameters
    ----------
    extent
        How many there are in each row, as lists; None for single numbers.

    Returns
    -------
    ndarray
        C-contiguous, of shape (rows,), or (rows, extent) if the extent is more than 1.

    Raises
    ------
    WrongTypeError
        If the values are no numbers, or of a kind that the type cannot hold.
    UsageError
        If one is missing or out of the type's range, or if there are not `extent` of them a row.
    """
    layout = required(layout, where)
    if extent is not None and (extent > 1 or is_list(layout)):
        rows = layout.length
        offsets, layout = lists(layout, where)
        if (np.diff(offsets) != extent).any():
            raise UsageError(f"'{where}' needs {extent} values each")
        values = numbers(layout, dtype, None, where)
        return values.reshape(rows, extent) if extent > 1 else values
    if layout.is_unknown:
        return np.empty(layout.length, dtype)
    if not layout.is_numpy or is_list(layout):
        raise WrongTypeError(f"'{where}' needs numbers, not values of type {layout.form.type}")
    return cast(np.asarray(layout.data), dtype, where)


def cast(values: np.ndarray, dtype: np.dtype, where: str) -> np.ndarray:
    """Return values as another type, if it keeps them: only double precision may get lost.

    Raises
    ------
    WrongTypeError
        If the type is for values of another kind: fractions cannot become integers, nor numbers
        truth values.
    UsageError
        If a value is out of the type's range.
    """
    source = values.dtype
    if values.size == 0 or np.can_cast(source, dtype, "safe"):
        return np.ascontiguousarray(values, dtype)
    kinds = "biuf"
    integers = source.kind in "iu" and dtype.kind in "iu"
    if not integers and (
        source.kind not in kinds
        or dtype.kind == "b"
        or kinds.find(source.kind) > kinds.find(dtype.kind)
    ):
        raise WrongTypeError(f"'{where}' holds {dtype} values, which {source} ones cannot become")
    with np.errstate(over="ignore", invalid="ignore"):
        converted = np.ascontiguousarray(values, dtype)
        if source.kind == "f":
            is_kept = np.isfinite(converted) | ~np.isfinite(values)
        elif integers:
            is_kept = (converted == values) & ((converted < 0) == (values < 0))
        else:
            is_kept = converted.astype(source) == values
    if not is_kept.all():
        wrong = values[~is_kept].flat[0]
        raise UsageError(f"'{where}' holds {dtype} values, and {wrong} is none")
    return converted


class RecordCaster:
    """Turns records into the values of the leaves of structs; what is missing has its default.

    Parameters
    ----------
    components
        The components of the model, by name.
    """

    def __init__(self, components: Mapping[str, Component]) -> None:
        self.components = components

    def struct(
        self,
        layout: Content | None,
        members: Iterable[Member],
        rows: int,
        where: str,
        also: Iterable[str] = (),
    ) -> list[np.ndarray]:
        """Return the values of all leaves of a struct with these members.

        Parameters
        ----------
        layout
            Records with the members as fields, any of which may be missing; None for none at all.
        also
            Fields that records may have beside the members.

        Returns
        -------
        list of ndarray
            In the order of the leaves; of shape (rows,) or (rows, extent).

        Raises
        ------
        UnknownNameError
            If the records have a field that is no member.
        WrongTypeError, UsageError
            If values do not fit; see `numbers`.
        """
        members = tuple(members)
        known = [*(member.name for member in members), *also]
        fields = record_fields(layout, where)
        for name in fields:
            if name not in known:
                hint = _core.suggestion(name, known)
                raise UnknownNameError(f"'{where}' has no member '{name}'{hint}")
        return [
            leaf
            for member in members
            for leaf in self._member(
                fields.get(member.name), member, rows, f"{where}.{member.name}"
            )
        ]

    def elements(self, layout: Content, member: Member, where: str) -> list[np.ndarray]:
        """Return the values of all leaves of a vector member's elements; none may be missing."""
        return self._given(required(layout, where), member, where)

    def _member(
        self, layout: Content | None, member: Member, rows: int, where: str
    ) -> list[np.ndarray]:
        if layout is None:
            return self._defaults(member, rows)
        present, layout = present_and_content(layout)
        if member.type.startswith(OPTIONAL):
            return self._optional(present, layout, member, rows, where)
        given = self._given(layout, member, where)
        if present is None:
            return given
        leaves = self._defaults(member, rows)
        for leaf, values in zip(leaves, given, strict=True):
            leaf[present] = values
        return leaves

    def _optional(
        self, present: np.ndarray | None, layout: Content, member: Member, rows: int, where: str
    ) -> list[np.ndarray]:
        """Return an optional member: its value, where it is present, and whether it is."""
        value, _ = self.components[member.type].members
        has_value = np.ones(rows, dtype=bool) if present is None else present
        leaves = self._defaults(value, rows)
        for leaf, values in zip(leaves, self._given(layout, value, where), strict=True):
            leaf[has_value] = values
        return [*leaves, has_value]

    def _defaults(self, member: Member, rows: int) -> list[np.ndarray]:
        values = leaf_defaults([member], self.components)
        return [np.full((rows, *value.shape), value) for value in values]

    def _given(self, layout: Content, member: Member, where: str) -> list[np.ndarray]:
        layout = _in_one_row(layout, member.shape, where)
        if member.type in SCALARS:
            dtype = np.dtype(SCALARS[member.type].dtype)
            return [numbers(layout, dtype, member.array_size, where)]
        members = self.components[member.type].members
        elements = [layout]
        if member.array_size is not None:
            elements = _elements(layout, member.array_size, where)
        return [
            leaf
            for element in elements
            for leaf in self.struct(element, members, element.length, where)
        ]


def record_fields(layout: Content | None, where: str) -> dict[str, Content]:
    """Return the fields of records by name; no value at all has none.

    Raises
    ------
    WrongTypeError
        If the values are no records.
    UsageError
        If one is missing.
    """
    if layout is None or layout.is_unknown:
        return {}
    layout = required(layout, where)
    if not layout.is_record:
        raise WrongTypeError(f"'{where}' needs records, not values of type {layout.form.type}")
    return {name: layout.content(name) for name in layout.fields}


def _in_one_row(layout: Content, shape: Sequence[int], where: str) -> Content:
    """Return arrays of arrays as arrays of one dimension, as which they may be given, too."""
    if len(shape) < 2:
        return layout
    offsets, rows = lists(layout, where)
    if not is_list(rows):
        return layout
    ends, content = lists(_in_one_row(rows, shape[1:], where), where)
    if (np.diff(offsets) != shape[0]).any() or (np.diff(ends) != prod(shape[1:])).any():
        raise UsageError(f"'{where}' needs {' x '.join(map(str, shape))} values each")
    return RegularArray(content, prod(shape), layout.length)


def _elements(layout: Content, size: int, where: str) -> list[Content]:
    """Return the elements of arrays of components: the first ones, the second ones, ..."""
    if layout.is_record and layout.fields == [str(i) for i in range(size)]:
        return [layout.content(name) for name in layout.fields]
    offsets, content = lists(layout, where)
    if (np.diff(offsets) != size).any():
        raise UsageError(f"'{where}' needs {size} records each")
    return [ak.to_layout(ak.Array(content)[i::size]) for i in range(size)]
