"""The sizes of structs, which have limits: a few lines can describe any number of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kaon.modelgen.mistakes import Place
from kaon.modelgen.model import Component, Datatype, Member, Model
from kaon.modelgen.scalars import SCALARS, STRING

MOST_LEAVES = 1 << 20
"""The limit of the numbers in all structs of a model; this and the others are those of C++."""

MOST_BYTES = 1 << 28
"""The limit of the bytes of all structs of a model, with the names of their numbers."""

DEEPEST = 100
"""The limit of components inside each other."""


@dataclass(frozen=True)
class _Size:
    """The size of a struct.

    Attributes
    ----------
    leaves
        Its numbers and arrays of numbers, including those of components inside.
    bytes
        Its bytes without padding.
    texts
        The characters of the names of its leaves.
    depth
        The number of structs inside each other.
    """

    leaves: int = 0
    bytes: int = 0
    texts: int = 0
    depth: int = 1


def check_sizes(model: Model, note: Callable[[Place, str], None]) -> None:
    """Check that the structs of a model are not too large, and note the first one that is.

    Components that contain themselves are left out, because they are another mistake.
    """
    whole = model.whole()
    enums = {enum.name: SCALARS.get(enum.underlying) for enum in whole.enums}
    sizes = {
        name: _Size(1, scalar.bytes, 0, 0)
        for name, scalar in {**SCALARS, **enums}.items()
        if scalar
    }
    components = {c.name: c for c in whole.components if c.name not in sizes}
    leaves = bytes_ = 0
    structs: list[Component | Datatype] = [components[name] for name in _inner_first(components)]
    for struct in (*structs, *whole.datatypes):
        size = _struct(struct.members, sizes)
        leaves += size.leaves
        bytes_ += size.bytes + size.texts
        wrong = ""
        if size.depth > DEEPEST + isinstance(struct, Datatype):
            wrong = f"more than {DEEPEST} components are inside each other"
        elif leaves > MOST_LEAVES or bytes_ > MOST_BYTES:
            limits = f"{MOST_LEAVES:,} members or {MOST_BYTES:,} bytes"
            wrong = f"with it, the structs of the model have more than {limits}"
        if wrong:
            kind = "datatype" if isinstance(struct, Datatype) else "component"
            note(struct.name_place, f"{kind} '{struct.name}': {wrong}")
            return
        if isinstance(struct, Component):
            sizes[struct.name] = size


def _struct(members: tuple[Member, ...], sizes: Mapping[str, _Size]) -> _Size:
    """Return the size of a struct whose members have known sizes; others count nothing."""
    leaves = bytes_ = texts = depth = 0
    for member in members:
        if member.type == STRING or member.type not in sizes:
            continue
        inside, count = sizes[member.type], member.array_size or 1
        is_number = inside.depth == 0
        elements = 1 if is_number else count
        leaves += inside.leaves * elements + member.optional
        bytes_ += inside.bytes * count + member.optional
        texts += (inside.texts + inside.leaves * len(member.name)) * elements
        depth = max(depth, inside.depth)
    return _Size(leaves, bytes_, texts, depth + 1)


def _inner_first(components: Mapping[str, Component]) -> list[str]:
    """Return the names of components, each after those inside it, without those in a circle."""
    waiting = {
        name: {member.type for member in component.members} & components.keys()
        for name, component in components.items()
    }
    around: dict[str, list[str]] = {}
    for name, inside in waiting.items():
        for inner in inside:
            around.setdefault(inner, []).append(name)
    ready = [name for name, inside in waiting.items() if not inside]
    for name in ready:  # grows meanwhile
        for outer in around.get(name, ()):
            waiting[outer].discard(name)
            if not waiting[outer]:
                ready.append(outer)
    return ready
