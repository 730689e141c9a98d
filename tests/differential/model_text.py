"""Models as YAML files."""

from __future__ import annotations

from collections.abc import Iterator

from .member_types import Array, Enum, Fields, Model, Number, Optional, Relation, Type, Vector

TARGETS = ["A", "B"]  # datatypes that are targets of relations
INTERFACES = {"AorB": ["A", "B"], "OnlyA": ["A"]}
RENAMED = {"B": "Z"}  # the older model's datatype B is Z in the newer model
OLD_NAMES = {"L": "K"}  # of the possible link


def yaml(model: Model) -> str:
    """Return a model as a YAML file."""
    lines = [f"schema_version: {model.version}"]
    enums = {}
    for fields in [*model.components.values(), *model.datatypes.values()]:
        for member in fields.members.values():
            enums |= {enum.name: enum for enum in enums_of(member.type)}
    if enums:
        lines += ["enums:"]
        lines += [
            f"  {enum}: {{Type: {enum.number}, Values: [zero, one]}}" for enum in enums.values()
        ]
    if model.components:
        lines += ["components:"]
    for name, fields in model.components.items():
        lines += [f"  t::{name}:", "    Members:"]
        lines += [f"      - {line}" for line in member_lines(fields)]
    lines += ["datatypes:"]
    targets = {RENAMED.get(name, name) if model.old_types else name: None for name in TARGETS}
    for name in targets:
        lines += [f"  t::{name}:", '    Description: "."', '    Author: "."', "    Members:"]
        lines += ["      - int32_t id // ."]
    for name, fields in model.datatypes.items():
        if name in model.links:
            continue
        lines += [f"  t::{stored_name(model, name)}:", '    Description: "."', '    Author: "."']
        for kind in KINDS:
            if members := list(member_lines(fields, kind)):
                lines += [f"    {kind}:", *(f"      - {line}" for line in members)]
    lines += ["interfaces:"]
    for name, types in model.interfaces.items():
        types = [f"t::{type_}" for type_ in types]
        lines += [f"  t::{name}: {{Description: ., Author: ., Types: [{', '.join(types)}]}}"]
    lines += ["links:"] if model.links else []
    for name in model.links:
        ends = {inner: member.type for inner, member in model.datatypes[name].members.items()}
        described = f"Description: ., Author: ., From: {ends['from']}, To: {ends['to']}"
        lines += [f"  t::{stored_name(model, name)}: {{{described}}}"]
    return "\n".join([*lines, *migrations(model)]) + "\n"


def stored_name(model: Model, name: str) -> str:
    """Return the name of a datatype in a version of the model."""
    return name if model.old_types else OLD_NAMES.get(name, name)


KINDS = ["Members", "VectorMembers", "OneToOneRelations", "OneToManyRelations"]


def kind_of(type_: Type) -> str:
    match type_:
        case Vector():
            return "VectorMembers"
        case Relation(is_many=is_many):
            return "OneToManyRelations" if is_many else "OneToOneRelations"
    return "Members"


def member_lines(fields: Fields, kind: str = "Members") -> Iterator[str]:
    for name, member in fields.members.items():
        if kind_of(member.type) == kind:
            number = member.default if isinstance(member.type, Number) else None
            default = "" if number is None else f"{{{number}}}"
            if default and member.type == Number("bool"):
                default = "{true}"
            yield f'"{member.type} {name}{default} // ."'


def enums_of(type_: Type) -> Iterator[Enum]:
    match type_:
        case Enum():
            yield type_
        case Array(inner) | Optional(inner) | Vector(inner):
            yield from enums_of(inner)


def migrations(model: Model) -> list[str]:
    lines = []
    renamed = {**model.components, **model.datatypes}
    for name in dict.fromkeys([*model.old_types, *renamed]):
        steps = []
        if name in model.old_types:
            old = f"t::{model.old_types[name]}"
            steps += [f"{{from_version: 1, to_version: 2, rename_type: {{from: {old}}}}}"]
        for now, before in renamed[name].old_names.items() if name in renamed else []:
            names = [now, *before]
            for step, (later, earlier) in enumerate(zip(names, names[1:], strict=False)):
                versions = f"from_version: {2 - step}, to_version: {3 - step}"
                rename = f"rename_member: {{from: {earlier}, to: {later}}}"
                steps += [f"{{{versions}, {rename}}}"]
        if steps:
            lines += [f"  t::{name}:", *(f"    - {step}" for step in steps)]
    return ["migrations:", *lines] if lines else []
