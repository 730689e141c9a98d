"""The leaves of structs: their scalars, including those of components inside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kaon.modelgen.model import Component, Enum, Member
from kaon.modelgen.scalars import SCALARS, STRING, Scalar

Types = Mapping[str, Component | Enum]
"""The types that a model declares, by name."""


@dataclass(frozen=True)
class Step:
    """A member on the path from a struct to one of its leaves.

    Attributes
    ----------
    struct
        The type that has the member; "" for the outermost struct.
    index
        The number of the element, if the member is an array of components.
    """

    struct: str
    member: Member
    index: int = 0


@dataclass(frozen=True)
class Leaf:
    """A scalar, or an array of scalars, at any depth in a struct.

    Attributes
    ----------
    steps
        The path to it, from the outermost struct.
    is_presence
        Whether it tells if the optional member at the end of the steps is present.
    structure
        The nesting of the parts of its name, as in ``kaon/model/Structure.h``.
    """

    name: str
    scalar: Scalar
    extent: int
    unit: str
    comment: str
    steps: tuple[Step, ...]
    is_presence: bool = False
    structure: str = ""


def scalar_of(type_: str, types: Types) -> Scalar | None:
    """Return the type of a builtin type or an enum in files; None for a component."""
    declared = types.get(type_)
    return SCALARS.get(declared.underlying if isinstance(declared, Enum) else type_)


def leaves(members: Iterable[Member], types: Types, struct: str = "") -> Iterator[Leaf]:
    """Yield the leaves of a struct with these members, in order.

    A component adds its own leaves, and an array of components the leaves of each element, row by
    row. An optional member has an additional leaf that tells whether it is present. Leaves without
    a unit get the unit of the member.

    Parameters
    ----------
    struct
        The name of the struct in the steps.
    """
    for member in members:
        step = Step(struct, member)
        if not member.optional:
            yield from _value_leaves(member.name, step, types)
            continue
        yield from _value_leaves(f"{member.name}.value", step, types)
        name = f"{member.name}.has_value"
        yield Leaf(name, SCALARS["bool"], 1, "", member.comment, (step,), True, _OPTIONAL)


_OPTIONAL = "?"


def _value_leaves(name: str, step: Step, types: Types) -> Iterator[Leaf]:
    """Yield the leaves of a member's value."""
    member = step.member
    extent = member.array_size or 1
    shape = "".join(f"[{size}]" for size in member.shape)
    structure = f"{_OPTIONAL}.{shape}" if member.optional else shape
    component = types.get(member.type)
    if isinstance(component, Component):
        for index in range(extent):
            prefix = f"{name}.{index}" if member.shape else name
            for leaf in leaves(component.members, types, component.name):
                above = f"{structure}." if member.shape else structure
                yield _inside(leaf, prefix, above, replace(step, index=index))
    elif scalar := scalar_of(member.type, types):
        structure = structure.rstrip(".")
        yield Leaf(name, scalar, extent, member.unit, member.comment, (step,), structure=structure)


def _inside(leaf: Leaf, prefix: str, structure: str, step: Step) -> Leaf:
    """Return a leaf of a component as a leaf of the struct around the component."""
    member = step.member
    return replace(
        leaf,
        name=f"{prefix}.{leaf.name}",
        unit=leaf.unit or member.unit,
        comment=": ".join(part for part in (member.comment, leaf.comment) if part),
        steps=(step, *leaf.steps),
        structure=f"{structure}.{leaf.structure}".rstrip("."),
    )


def element_leaves(member: Member, types: Types) -> list[Leaf]:
    """Return the leaves of an element of a vector member; strings have none."""
    if member.type == STRING:
        return []
    if scalar := scalar_of(member.type, types):
        return [Leaf("", scalar, 1, member.unit, "", ())]
    component = types[member.type]
    assert isinstance(component, Component)
    inside = leaves(component.members, types, component.name)
    return [replace(leaf, unit=leaf.unit or member.unit) for leaf in inside]
