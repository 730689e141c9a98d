"""The block ``storage``: layout, group and precision of datatypes in files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import yaml

from kaon.modelgen.document import Document
from kaon.modelgen.leaves import Types, element_leaves, leaves
from kaon.modelgen.mistakes import did_you_mean
from kaon.modelgen.model import Component, Datatype, Member, Storage
from kaon.modelgen.precision import MOST_BITS, Precision
from kaon.modelgen.scalars import SCALARS

LAYOUTS = ("split", "member", "row")
_STORAGE = ("layout", "group", "precision")
_RANGE = ("low", "high", "step", "bits")


def parse_storage(
    document: Document,
    node: yaml.Node,
    components: Sequence[Component],
    datatypes: Sequence[Datatype],
) -> tuple[Storage, ...]:
    """Read the block and check that its names exist."""
    by_name = {datatype.name: datatype for datatype in datatypes}
    inside = {component.name: component.members for component in components}
    storages = []
    for name, (key, value) in document.mapping(node, "storage: ").items():
        if name not in by_name:
            hint = did_you_mean(name, by_name)
            document.note(key, f"storage: there is no datatype '{name}'{hint}")
            continue
        context = f"storage of '{name}': "
        entries = document.mapping(value, context, _STORAGE)
        layout, group, precision = None, "", {}
        if "layout" in entries:
            layout = _layout(document, entries["layout"][1], context)
        if "group" in entries:
            group = _group(document, entries["group"][1], context)
        if "precision" in entries:
            block = entries["precision"][1]
            precision = _precisions(document, block, context, by_name[name], inside)
        storages.append(Storage(name, layout, group, precision))
    return tuple(storages)


def _layout(document: Document, node: yaml.Node, context: str) -> str | None:
    layout = document.text_of(node, f"{context}layout: ")
    if layout is None or layout in LAYOUTS:
        return layout
    hint = did_you_mean(layout, LAYOUTS)
    wrong = f"unknown layout '{layout}'{hint}; use one of {', '.join(LAYOUTS)}"
    document.note(node, context + wrong)
    return None


def _group(document: Document, node: yaml.Node, context: str) -> str:
    group = document.text_of(node, f"{context}group: ")
    if group == "":
        document.note(node, f"{context}the group has no name")
    return group or ""


def _precisions(
    document: Document,
    node: yaml.Node,
    context: str,
    datatype: Datatype,
    inside: Mapping[str, Sequence[Member]],
) -> dict[str, Precision]:
    members = (*datatype.members, *datatype.vector_members)
    precisions = {}
    for name, (key, value) in document.mapping(node, f"{context}precision: ").items():
        try:
            mantissas = _mantissas(name, members, inside)
        except LookupError as error:
            document.note(key, f"{context}{error.args[0]}")
            continue
        if not mantissas:
            document.note(key, f"{context}'{name}' holds no floating-point numbers")
            continue
        precision = _precision(document, value, f"{context}precision of '{name}': ", mantissas)
        if precision:
            precisions[name] = precision
    return precisions


def _mantissas(
    path: str, members: Iterable[Member], inside: Mapping[str, Sequence[Member]]
) -> set[int]:
    """Return the lengths of the mantissas of all floating-point numbers below a name.

    Raises
    ------
    LookupError
        If the member does not exist.
    """
    names = iter(path.split("."))
    type_ = ""
    for name in names:
        by_name = {member.name: member for member in members}
        if name not in by_name:
            raise LookupError(f"there is no member '{name}'{did_you_mean(name, by_name)}")
        type_, size = by_name[name].type, by_name[name].array_size
        members = inside.get(type_, ())
        if by_name[name].optional and (part := next(names, "value")) != "value":
            raise LookupError(f"'{name}' is optional: its number is '{name}.value', not '{part}'")
        if members and size is not None:
            index = next(names, "0")
            if not _is_index(index, size):
                raise LookupError(f"'{name}' has no element '{index}', only 0 to {size - 1}")
    return _mantissas_of(type_, inside)


def _is_index(text: str, size: int) -> bool:
    is_number = re.fullmatch("0|[1-9][0-9]{,15}", text) is not None
    return is_number and int(text) < size


def _mantissas_of(type_: str, inside: Mapping[str, Iterable[Member]]) -> set[int]:
    seen, waiting, mantissas = {type_}, [type_], set()
    while waiting:  # components that contain themselves are a mistake, but possible
        name = waiting.pop()
        if name in SCALARS:
            mantissas.add(SCALARS[name].mantissa)
        held = {member.type for member in inside.get(name, ())} - seen
        seen |= held
        waiting += held
    return mantissas - {0}


def _precision(
    document: Document, node: yaml.Node, context: str, mantissas: Iterable[int]
) -> Precision | None:
    if not isinstance(node, yaml.MappingNode):
        bits = document.whole_number(node, context, 1, min(mantissas) - 1)
        return Precision(bits) if bits else None
    precision = _range(document, node, context)
    if precision is None:
        return None
    mistake = precision.mistake_in_range() or next(
        filter(None, map(precision.mistake, sorted(mantissas))), ""
    )
    if mistake:
        document.note(node, context + mistake)
        return None
    return precision


def _range(document: Document, node: yaml.Node, context: str) -> Precision | None:
    entries = document.mapping(node, context, _RANGE)
    numbers: dict[str, float | None] = {
        key: document.number(entries[key][1], f"{context}{key}: ")
        for key in ("low", "high", "step")
        if key in entries
    }
    bits = None
    if "bits" in entries:
        bits = document.whole_number(entries["bits"][1], f"{context}bits: ", 1, MOST_BITS)
    missing = [key for key in ("low", "high") if key not in entries]
    for key in missing:
        document.note(node, f"{context}the key '{key}' is missing")
    if ("step" in entries) == ("bits" in entries):
        document.note(node, f"{context}a range needs either 'step' or 'bits'")
        return None
    if missing or None in numbers.values() or ("bits" in entries and bits is None):
        return None
    return Precision(bits, **numbers)


def leaf_precisions(storage: Storage, datatype: Datatype, types: Types) -> dict[str, Precision]:
    """Return the precision of floating-point leaves in a storage, by name.

    The precision of a component's member takes precedence over that of the component.
    """
    named = list(leaves(datatype.members, types))
    for member in datatype.vector_members:
        named += [
            replace(leaf, name=f"{member.name}.{leaf.name}" if leaf.name else member.name)
            for leaf in element_leaves(member, types)
        ]
    floats = [leaf.name for leaf in named if leaf.scalar.mantissa]
    precisions = {}
    for name in sorted(storage.precision, key=lambda name: name.count(".")):
        for leaf in floats:
            if leaf == name or leaf.startswith(f"{name}."):
                precisions[leaf] = storage.precision[name]
    return precisions
