"""From a model back to the text of a YAML file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from kaon.modelgen.mistakes import OBEYED, printable
from kaon.modelgen.model import Model

_TYPES = ("enums", "components", "datatypes", "interfaces", "links")
_MANDATORY: dict[str, dict[str, Any]] = {
    "enums": {},
    "components": {},
    "datatypes": {"description": "", "author": ""},
    "interfaces": {"description": "", "author": "", "types": []},
    "links": {"description": "", "author": "", "from": "", "to": ""},
}
"""Entries that are written even if they are empty."""
_OUTSIDE = ("name", "version", "upstream")
"""Entries that do not come from a model's YAML file, but from options or other files."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Write texts of several lines, such as code, as they are, unless terminals would obey them."""
    is_obeyed = OBEYED.search(text.replace("\n", "")) is not None
    style = '"' if is_obeyed else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _text)


def to_yaml(model: Model) -> str:
    """Return the text of a YAML file that says the same as a model.

    The name of a model, its version, and its upstream models are not in its file; comments
    have them.
    """
    comments = [f"# version {model.version}\n"] if model.version else []
    comments += [f"# uses the upstream model {other.name}\n" for other in model.upstream]
    top: dict[str, Any] = {}
    for key, value in model.to_dict().items():
        if key in _OUTSIDE or value in ([], {}):
            continue
        if key in _TYPES:
            value = {entry["name"]: _type(key, entry) for entry in value}
        elif key == "storage":
            value = {entry["datatype"]: _without(entry, "datatype") for entry in value}
        elif key == "migrations":
            value = _migrations(value)
        top[key] = value
    text = yaml.dump(top, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return "".join((*map(_comment, comments), OBEYED.sub(_escaped, text)))


def _comment(line: str) -> str:
    return f"{printable(line.removesuffix(chr(10)))}\n"


def _escaped(obeyed: re.Match[str]) -> str:
    """Return a character in the form of YAML's texts in double quotes, which have all of them."""
    return obeyed[0] if obeyed[0] == "\n" else f"\\u{ord(obeyed[0]):04x}"


def _type(kind: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return a type's entries with the keys and lines of YAML."""
    lines = {}
    needs_comment = kind not in ("enums", "components")
    for key, value in _without({**_MANDATORY[kind], **entries}, "name").items():
        is_lines = isinstance(value, list) and all(isinstance(item, dict) for item in value)
        name = "Type" if key == "underlying" else key[0].upper() + key[1:]
        lines[name] = [_line(item, needs_comment) for item in value] if is_lines else value
    return lines


def _line(entries: Mapping[str, Any], needs_comment: bool) -> str:
    """Return the line of a member, a relation or a value of an enum."""
    is_told = needs_comment or "comment" in entries
    comment = f" // {entries.get('comment', '')}".rstrip() if is_told else ""
    if "value" in entries:
        return f"{entries['name']} = {entries['value']}{comment}"
    default = f"{{{entries['default']}}}" if "default" in entries else ""
    unit = f" [{entries['unit']}]" if "unit" in entries else ""
    return f"{_type_of(entries)} {entries['name']}{default}{unit}{comment}"


def _type_of(entries: Mapping[str, Any]) -> str:
    type_ = str(entries["type"])
    sizes = entries.get("arraySize", [])
    for size in reversed([sizes] if isinstance(sizes, int) else sizes):
        type_ = f"std::array<{type_}, {size}>"
    if "optional" in entries:
        return f"std::optional<{type_}>"
    depth = int(entries.get("depth", 0))
    return "std::vector<" * depth + type_ + ">" * depth


def _migrations(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    steps: dict[str, list[dict[str, Any]]] = {}
    names = {"fromVersion": "from_version", "toVersion": "to_version"}
    names |= {"renameMember": "rename_member", "renameType": "rename_type"}
    for entry in entries:
        step = {names[key]: value for key, value in _without(entry, "type").items()}
        steps.setdefault(entry["type"], []).append(step)
    return steps


def _without(entries: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in entries.items() if key not in keys}
