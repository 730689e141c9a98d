"""Data models, and the tables of collections of their types."""

import json
from dataclasses import dataclass, replace
from math import prod

from .cursor import check
from .schema import Kind

BUILTIN = {
    "bool": "bool",
    "float": "float32",
    "double": "float64",
    **dict.fromkeys(["char", "signed char"], "int8"),
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    **dict.fromkeys(["unsigned", "unsigned int"], "uint32"),
    **dict.fromkeys(["long", "long long"], "int64"),
    **dict.fromkeys(["unsigned long", "unsigned long long"], "uint64"),
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
STRING = "string"


@dataclass(frozen=True)
class Leaf:
    name: str
    type: str
    extent: int
    unit: str
    structure: str = ""


@dataclass(frozen=True)
class ModelTable:
    """A table as a model describes it; the file's schema states more."""

    name: str
    kind: Kind
    type: str | None  # None if the model does not state it
    parent: str | None
    leaves: tuple


class Model:
    """The document `model:NAME`, with its upstream models."""

    def __init__(self, text):
        self.json = json.loads(text)
        self.name = self.json["name"]
        parts = [*self.json.get("upstream", []), self.json]
        self.enums, self.components, self.datatypes, self.interfaces = (
            {one["name"]: one for part in parts for one in part.get(key, [])}
            for key in ("enums", "components", "datatypes", "interfaces")
        )
        for link in (one for part in parts for one in part.get("links", [])):
            self.datatypes[link["name"]] = _datatype_of(link)

    def scalar(self, type_):
        """Return the type in files of a builtin type or an enum; None for other types."""
        if type_ in self.enums:
            type_ = self.enums[type_].get("underlying", "int32_t")
        return BUILTIN.get(type_.removeprefix("std::"))

    def leaves(self, members):
        found = []
        for member in members:
            name = member["name"]
            if member.get("optional"):
                found += self._value(f"{name}.value", "?.", member)
                found.append(Leaf(f"{name}.has_value", "bool", 1, "", "?"))
            else:
                found += self._value(name, "", member)
        return tuple(found)

    def _value(self, name, steps, member):
        size, unit = member.get("arraySize"), member.get("unit", "")
        count = prod(size) if isinstance(size, list) else size or 1
        sizes = size if isinstance(size, list) else [] if size is None else [size]
        steps += "".join(f"[{one}]" for one in sizes)
        if scalar := self.scalar(member["type"]):
            return [Leaf(name, scalar, count, unit, steps.rstrip("."))]
        steps += "." if sizes else ""
        prefixes = [name] if size is None else [f"{name}.{number}" for number in range(count)]
        return [
            replace(
                leaf,
                name=f"{prefix}.{leaf.name}",
                unit=leaf.unit or unit,
                structure=f"{steps}.{leaf.structure}".rstrip("."),
            )
            for prefix in prefixes
            for leaf in self._component(member["type"])
        ]

    def _component(self, name):
        check(name in self.components, f"there is no type {name}")
        return self.leaves(self.components[name]["members"])

    def tables(self, collection, type_):
        """Return the tables of a collection of a datatype or link."""
        datatype = self.datatypes[type_]
        members = datatype.get("members", [])
        strings = [member for member in members if _is_string(member)]
        plain = [member for member in members if not _is_string(member)]
        tables = [ModelTable(collection, Kind.COLLECTION, type_, None, self.leaves(plain))]
        for member in strings:
            characters = (Leaf("", "uint8", 1, member.get("unit", "")),)
            name = f"{collection}.{member['name']}"
            tables.append(ModelTable(name, Kind.VECTOR_MEMBER, STRING, collection, characters))
        for member in datatype.get("vectorMembers", []):
            tables += self._vector_tables(collection, member)
        for key, kind in (
            ("oneToOneRelations", Kind.ONE_RELATION),
            ("oneToManyRelations", Kind.MANY_RELATION),
        ):
            reference = Leaf("index", "int32", 1, ""), Leaf("collection", "uint32", 1, "")
            tables += [
                ModelTable(f"{collection}.{one['name']}", kind, one["type"], collection, reference)
                for one in datatype.get(key, [])
            ]
        return tables

    def _vector_tables(self, collection, member):
        name, parent, tables = f"{collection}.{member['name']}", collection, []
        for _ in range(member.get("depth", 0)):
            tables.append(ModelTable(name, Kind.VECTOR_MEMBER, "", parent, ()))
            name, parent = f"{name}.", name
        unit = member.get("unit", "")
        characters = (Leaf("", "uint8", 1, unit),)
        if _is_string(member):
            tables.append(ModelTable(name, Kind.VECTOR_MEMBER, STRING, parent, ()))
            tables.append(ModelTable(f"{name}.text", Kind.TEXT, "uint8", name, characters))
        elif scalar := self.scalar(member["type"]):
            leaves = (Leaf("", scalar, 1, unit),)
            tables.append(ModelTable(name, Kind.VECTOR_MEMBER, None, parent, leaves))
        else:
            inside = self._component(member["type"])
            leaves = tuple(replace(leaf, unit=leaf.unit or unit) for leaf in inside)
            tables.append(ModelTable(name, Kind.VECTOR_MEMBER, member["type"], parent, leaves))
        return tables


def _is_string(member):
    return member["type"].removeprefix("std::") == STRING


def _datatype_of(link):
    """Return the datatype of a link's collections."""
    ends = [{"name": "from", "type": link["from"]}, {"name": "to", "type": link["to"]}]
    weight = {"name": "weight", "type": "float"}
    return {"name": link["name"], "members": [weight], "oneToOneRelations": ends}
