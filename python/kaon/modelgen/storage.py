"""The block ``storage``: how datatypes are kept on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml

from kaon.modelgen.document import Document
from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import Component, Datatype, Member, Storage
from kaon.modelgen.scalars import SCALARS

LAYOUTS = ("split", "member", "row")


def parse_storage(
    document: Document,
    node: yaml.Node,
    components: Sequence[Component],
    datatypes: Sequence[Datatype],
) -> tuple[Storage, ...]:
    """Read the block and check that what it names exists."""
    by_name = {datatype.name: datatype for datatype in datatypes}
    members_of = {component.name: component.members for component in components}
    found = []
    for name, (key, value) in document.mapping(node, "storage: ").items():
        if name not in by_name:
            hint = did_you_mean(name, by_name)
            document.note(key, f"storage: there is no datatype '{name}'{hint}")
            continue
        context = f"storage of '{name}': "
        entries = document.mapping(value, context, ("layout", "precision"))
        layout, precision = None, {}
        if "layout" in entries:
            layout = _layout(document, entries["layout"][1], context)
        if "precision" in entries:
            bits = entries["precision"][1]
            precision = _precision(document, bits, context, by_name[name], members_of)
        found.append(Storage(name, layout, precision))
    return tuple(found)


def _layout(document: Document, node: yaml.Node, context: str) -> str | None:
    layout = document.text_of(node, f"{context}layout: ")
    if layout is None or layout in LAYOUTS:
        return layout
    hint = did_you_mean(layout, LAYOUTS)
    document.note(node, f"{context}the layout '{layout}' is none of {', '.join(LAYOUTS)}{hint}")
    return None


def _precision(
    document: Document,
    node: yaml.Node,
    context: str,
    datatype: Datatype,
    members_of: Mapping[str, Iterable[Member]],
) -> dict[str, int]:
    types = {member.name: member.type for member in (*datatype.members, *datatype.vector_members)}
    precision = {}
    for name, (key, value) in document.mapping(node, f"{context}precision: ").items():
        if name not in types:
            document.note(key, f"{context}there is no member '{name}'{did_you_mean(name, types)}")
        elif not (mantissa := _mantissa(types[name], members_of)):
            document.note(key, f"{context}'{name}' holds no floating-point numbers")
        elif bits := document.whole_number(value, f"{context}precision of '{name}': ", 1, mantissa):
            precision[name] = bits
    return precision


def _mantissa(type_: str, members_of: Mapping[str, Iterable[Member]]) -> int:
    """Return the bits of the longest mantissa among the scalars of a type."""
    seen, waiting, longest = {type_}, [type_], 0
    while waiting:
        name = waiting.pop()
        if name in SCALARS:
            longest = max(longest, SCALARS[name].mantissa)
        inside = {member.type for member in members_of.get(name, ())} - seen
        seen |= inside
        waiting += inside
    return longest
