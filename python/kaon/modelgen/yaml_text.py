"""From a model back to the text of a YAML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from kaon.modelgen.model import Model

_TYPES = ("components", "datatypes", "interfaces", "links")
_MANDATORY: dict[str, dict[str, Any]] = {
    "components": {},
    "datatypes": {"description": "", "author": ""},
    "interfaces": {"description": "", "author": "", "members": [], "types": []},
    "links": {"description": "", "author": "", "from": "", "to": ""},
}
"""What must be there even if it says nothing."""
_OUTSIDE = ("name", "upstream")
"""What a model is told besides its YAML file: by a file's name, by other models' files."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(model: Model) -> str:
    """Return the text of a YAML file that says the same as a model.

    The name of a model, and models that it builds on, are not in its file.
    """
    entries = model.to_dict()
    top: dict[str, Any] = {}
    for key, value in entries.items():
        if key in _OUTSIDE or value in ([], {}):
            continue
        if key in _TYPES:
            value = {entry["name"]: _type(key, entry) for entry in value}
        elif key == "storage":
            value = {entry["datatype"]: _without(entry, "datatype") for entry in value}
        elif key == "migrations":
            value = _migrations(value)
        top[key] = value
    return yaml.dump(top, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def _type(kind: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return a type's entries with the keys and lines of YAML."""
    found = {}
    for key, value in _without({**_MANDATORY[kind], **entries}, "name").items():
        is_lines = isinstance(value, list) and all(isinstance(item, dict) for item in value)
        found[key[0].upper() + key[1:]] = (
            [_line(item, kind != "components") for item in value] if is_lines else value
        )
    return found


def _line(entries: Mapping[str, Any], needs_comment: bool) -> str:
    """Return the line of a member or relation."""
    type_ = entries["type"]
    if "arraySize" in entries:
        type_ = f"std::array<{type_}, {entries['arraySize']}>"
    default = f"{{{entries['default']}}}" if "default" in entries else ""
    unit = f" [{entries['unit']}]" if "unit" in entries else ""
    comment = f" // {entries.get('comment', '')}".rstrip()
    is_told = needs_comment or "comment" in entries
    return f"{type_} {entries['name']}{default}{unit}{comment if is_told else ''}"


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
