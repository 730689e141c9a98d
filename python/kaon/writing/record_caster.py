"""Conversion of records to the values of structs' leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import awkward as ak
import numpy as np
from awkward.contents import Content

from kaon import _core
from kaon.columns.awkward_layouts import (
    in_one_row,
    lists,
    members_of,
    numbers,
    present_and_content,
    record_fields,
    required,
)
from kaon.errors import UnknownNameError, UsageError
from kaon.model.defaults import leaf_defaults
from kaon.modelgen.model import OPTIONAL
from kaon.modelgen.scalars import SCALARS

if TYPE_CHECKING:
    from kaon.modelgen.model import Component, Member
    from kaon.writing.options import MissingMembers

# In all functions `where` names the values in messages, such as "MCParticles.momentum".

_HINT = 'give values, or make missing ones zero with `missing_members="default"`'


class RecordCaster:
    """Turns records into the values of structs' leaves; missing members get their defaults.

    Parameters
    ----------
    components
        The components of the model, by name.
    missing_members
        The treatment of missing values without a default in the model; "default" makes them zero.
    """

    def __init__(
        self, components: Mapping[str, Component], missing_members: MissingMembers
    ) -> None:
        self.components = components
        self.missing_members = missing_members

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
            Records with the members as fields. Any field may be missing; None if all are missing.
        also
            Fields that records may have in addition.

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
        missing = [member for member in members if member.name not in fields]
        self._check_missing(missing, rows, where)
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
        present_leaves = self._given(layout, member, where)
        if present is None:
            return present_leaves
        if self.missing_members == "error" and not self._has_default(member):
            raise UsageError(f"'{where}' has missing values, and no default in the model: {_HINT}")
        leaves = self._defaults(member, rows)
        for leaf, values in zip(leaves, present_leaves, strict=True):
            leaf[present] = values
        return leaves

    def _optional(
        self, present: np.ndarray | None, layout: Content, member: Member, rows: int, where: str
    ) -> list[np.ndarray]:
        """Return an optional member: its values, and whether each is present."""
        value, _ = self.components[member.type].members
        has_value = np.ones(rows, dtype=bool) if present is None else present
        leaves = self._defaults(value, rows)
        for leaf, values in zip(leaves, self._given(layout, value, where), strict=True):
            leaf[has_value] = values
        return [*leaves, has_value]

    def _check_missing(self, members: Iterable[Member], rows: int, where: str) -> None:
        """Check that the missing members may be missing."""
        if rows == 0 or self.missing_members == "default":
            return
        names = [member.name for member in members if not self._has_default(member)]
        if names:
            which = "which has no default" if len(names) == 1 else "which have no defaults"
            listed = ", ".join(f"'{name}'" for name in names)
            raise UsageError(f"'{where}' lacks {listed}, {which} in the model: {_HINT}")

    def _has_default(self, member: Member) -> bool:
        """Return whether the model has a default for a member."""
        if member.default is not None or member.type.startswith(OPTIONAL):
            return True
        component = self.components.get(member.type)
        return component is not None and all(map(self._has_default, component.members))

    def _defaults(self, member: Member, rows: int) -> list[np.ndarray]:
        values = leaf_defaults([member], self.components)
        return [np.full((rows, *value.shape), value) for value in values]

    def _given(self, layout: Content, member: Member, where: str) -> list[np.ndarray]:
        layout = in_one_row(layout, member.shape, where)
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


def _elements(layout: Content, size: int, where: str) -> list[Content]:
    """Return the elements of arrays of components: the first ones, the second ones, ..."""
    if layout.is_record and layout.fields == [str(i) for i in range(size)]:
        return list(members_of(layout).values())
    offsets, content = lists(layout, where)
    if (np.diff(offsets) != size).any():
        raise UsageError(f"'{where}' needs {size} records each")
    return [ak.to_layout(ak.Array(content)[i::size]) for i in range(size)]
