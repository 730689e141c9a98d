"""Arrays of several columns and objects of a dataframe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kaon import _core
from kaon.columns.column_arrays import to_array, with_strings
from kaon.errors import Error
from kaon.files.array_forms import ArrayForm, with_columns


class Objects(NamedTuple):
    """Objects that a name or expression stands for.

    Attributes
    ----------
    members
        The names of their members.
    depth
        The number of lists around them.
    """

    members: list[str]
    depth: int


def objects_of(core: _core.Dataframe, name: str) -> Objects | None:
    """Return the objects that a name stands for; None for a column with values."""
    if name in core.columns():
        return None
    try:
        found = core.members_of(name)
    except Error:  # reading the values reports the mistake
        return None
    return found and Objects(*found)


def to_records(objects: Objects, members: Mapping[str, Any]) -> Any:
    """Return objects as records of Awkward; with four-momenta, as vectors.

    Parameters
    ----------
    members
        Their members by name, such as "pt" or "momentum.x".
    """
    import awkward as ak

    from kaon.columns.vectors import PARTICLE, behavior, has_momentum, vector_name

    tree: dict[str, Any] = {}
    for name, values in members.items():
        *parents, last = name.split(".")
        branch = tree
        for parent in parents:
            branch = branch.setdefault(parent, {})
        branch[last] = values

    def zipped(branch: dict[str, Any], label: str) -> Any:
        parts = {
            name: zipped(part, name) if isinstance(part, dict) else ak.Array(part)
            for name, part in branch.items()
        }
        plain = [name for name, part in branch.items() if not isinstance(part, dict)]
        name = vector_name(plain, label) if len(plain) == len(parts) else ""
        return ak.zip(parts, depth_limit=objects.depth + 1, with_name=name or None)

    records = zipped(tree, "")
    if not vector_name(list(tree), "") and has_momentum("", members):
        records = ak.with_name(records, PARTICLE)
        records = ak.Array(records.layout, behavior=behavior([PARTICLE]))
    return records


def to_form(
    form: ArrayForm,
    names: Sequence[str],
    objects: Mapping[str, Objects],
    columns: Mapping[str, list[np.ndarray]],
) -> Any:
    """Return columns in the form of a library.

    Parameters
    ----------
    names
        The names of columns and objects in the order of the result.
    objects
        The objects among the names.
    columns
        The values and offsets of all columns and members, by name.
    """
    if form.short == "np":
        from kaon.columns.flat import FlatArrays

        flat = FlatArrays.of_columns({n: with_strings(parts) for n, parts in columns.items()})
        return form.finished(flat, None, list(flat))
    arrays = {name: to_array(parts) for name, parts in columns.items()}
    if not (form.is_table and form.is_flat):
        arrays = {
            name: to_records(objects[name], _members(name, objects[name], arrays))
            if name in objects
            else arrays[name]
            for name in names
        }
    if form.is_table:
        return form.finished(with_columns(None, arrays), None, list(arrays))
    import awkward as ak

    return form.finished(ak.zip(arrays, depth_limit=1), list(names), list(arrays))


def _members(name: str, objects: Objects, arrays: Mapping[str, Any]) -> dict[str, Any]:
    return {member: arrays[f"{name}.{member}"] for member in objects.members}
