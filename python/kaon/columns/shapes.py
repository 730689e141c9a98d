"""How members nest: the steps of their structures, and the shapes of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kaon.model.file_models import Models


OPTIONAL = "?"
"""The step of a structure for an optional member."""


def step_at(structure: str, depth: int) -> str:
    """Return the step of a structure for one part of a member's name."""
    steps = structure.split(".")
    return steps[depth] if depth < len(steps) else ""


def shape_of(step: str) -> tuple[int, ...] | None:
    """Return the shape in a step; None if it has no shape."""
    if not step.startswith("[") or step.startswith("[~"):
        return None
    return tuple(int(size) for size in step[1:-1].split("]["))


def shape_text(shape: Sequence[int]) -> str:
    """Return the step of an array of this shape."""
    return "".join(f"[{size}]" for size in shape)


def shape_in_row(models: Models, type_: str, path: Sequence[str], size: int) -> tuple[int, ...]:
    """Return the shape of an array from the models, for files that do not store it.

    Parameters
    ----------
    type_
        The datatype or component of the rows.
    path
        The names that lead to the array. In arrays of components, the number of the element is a
        name.

    Returns
    -------
    tuple of int
        The shape, or ``(size,)`` if no model has this array. Warns if the model has another shape.
    """
    outer, rest = type_, path
    while rest:
        known = models.stored_members(type_)
        member = next((member for member in known if member.name == rest[0]), None)
        if member is None and not known:
            return (size,)
        if member is None:
            break
        if len(rest) == 1:
            sizes = member.shape
            if _are_sizes(sizes) and prod(sizes) == size:
                return sizes
            break
        type_, rest = member.type, rest[2 if member.shape else 1 :]
    models.warn(
        f"{models.file_name}: the model does not fit the data, which have {size} values in "
        f"'{'.'.join(path)}' of {outer}: it is of another version, or damaged; they are read flat"
    )
    return (size,)


def _are_sizes(shape: Sequence[object]) -> bool:
    """Tell whether a shape in a file is valid."""
    return all(isinstance(size, int) and size > 0 for size in shape)
