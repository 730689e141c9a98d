"""Data models inferred from arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from awkward.contents import Content

from kaon import modelgen
from kaon.columns.awkward_layouts import (
    is_list,
    is_string,
    lists,
    members_of,
    plain,
    present_and_content,
    record_fields,
    to_layout,
    unit_of,
)
from kaon.columns.records import DESCRIPTIONS
from kaon.columns.vectors import UNITS
from kaon.errors import UsageError, WrongTypeError
from kaon.model.datamodel import DataModel

_NUMBERS = {"bool": "bool", "float32": "float", "float64": "double"}
_NUMBERS |= {
    f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def infer_model(data: Mapping[str, Any] | Any, name: str = "inferred") -> DataModel:
    """Return a data model with a datatype for each array of lists of records.

    With this model, records are written as objects: collections for frames in Python and C++.

    >>> muons = ak.zip({"pt": pt, "charge": charge})
    >>> with kaon.create("muons.kaon", model=kaon.infer_model({"Muon": muons})) as out:
    ...     out["events"].extend({"Muon": muons})

    Members have the names and types of the fields. Records become components, lists become vector
    members, arrays of fixed length become arrays, and fields with missing values become optional.
    Datatypes have the names of the arrays. Units and descriptions are those that arrays have from
    files. The model has no relations: print it (``kaon model``), complete it, and use it instead.

    Parameters
    ----------
    data
        Arrays by name, or an array of records, as in `WritableCategory.extend`. Arrays other than
        lists of records are ignored.
    name
        The name of the model.

    Raises
    ------
    UsageError
        If there are no records, or a field is empty, so its type is unknown. Also if members cannot
        have a field's name, or names differ only by punctuation.
    WrongTypeError
        If members cannot hold a field's type.
    ModelError
        If members cannot have a field's name or type.
    """
    if not isinstance(data, Mapping):
        layout = to_layout(data, "the entries")
        data = record_fields(layout, "the entries")
    types = _Types(set(data))
    for collection, values in data.items():
        _, content = present_and_content(to_layout(values, collection))
        if is_list(content):
            _, records = present_and_content(lists(content, collection)[1])
            if records.is_record:
                types.add_datatype(collection, records)
    if not types.datatypes:
        raise UsageError("a model needs lists of records, but the data have none")
    entries = {"schema_version": 1, "components": types.components, "datatypes": types.datatypes}
    return DataModel(modelgen.model_of_entries(entries, name).to_dict())


class _Types:
    """The types of a model, in the form of its YAML."""

    def __init__(self, collections: set[str]) -> None:
        self._names = set(map(_type_name, collections))
        self.datatypes: dict[str, Any] = {}
        self.components: dict[str, Any] = {}

    def add_datatype(self, collection: str, records: Content) -> None:
        members, vectors, units = [], [], _units_of(records)
        descriptions = _descriptions_of(records)
        for field, values in _members(records, collection):
            where = f"{collection}.{field}"
            unit = f" [{units[field]}]" if units.get(field) else ""
            meaning = " ".join(descriptions.get(field, field).split())  # in one line
            content = plain(values.content) if values.is_option else values
            if is_list(content) and not _is_fixed(content):
                inner = lists(content, where)[1]
                vectors.append(f"{self._type(inner, where, field)} {field}{unit} // {meaning}")
            else:
                members.append(f"{self._type(values, where, field)} {field}{unit} // {meaning}")
        if _type_name(collection) in self.datatypes:
            raise UsageError(
                f"'{collection}' and another array would both get the name {_type_name(collection)}"
            )
        self.datatypes[_type_name(collection)] = {
            **{"Description": _doc_of(records) or collection, "Author": "kaon.infer_model"},
            **{"Members": members, "VectorMembers": vectors},
        }

    def _type(self, values: Content, where: str, field: str) -> str:
        """Return the type of a member, or of the elements of a list."""
        values = plain(values)
        if values.is_option:
            return f"std::optional<{self._type(values.content, where, field)}>"
        if values.is_unknown:
            raise UsageError(f"'{where}' is empty, so its type is unknown")
        if is_string(values):
            return "std::string"
        if values.is_record:
            return self._component(values, where, field)
        if _is_fixed(values):
            array = values.to_RegularArray() if values.is_numpy else values
            return f"std::array<{self._type(array.content, where, field)}, {array.size}>"
        if is_list(values):
            return f"std::vector<{self._type(lists(values, where)[1], where, field)}>"
        if values.is_numpy and values.dtype.name in _NUMBERS:
            return _NUMBERS[values.dtype.name]
        raise WrongTypeError(f"members cannot hold the type of '{where}', {values.form.type}")

    def _component(self, records: Content, where: str, field: str) -> str:
        members = [
            f"{self._type(values, f'{where}.{inner}', inner)} {inner}"
            for inner, values in _members(records, where)
        ]
        for name, component in self.components.items():
            if component["Members"] == members:
                return name
        name = self._free_name(field.capitalize())
        self.components[name] = {"Members": members}
        return name

    def _free_name(self, wanted: str) -> str:
        """Return a similar name that no type has."""
        numbered = (f"{wanted}{number}" for number in range(2, len(self._names) + 3))
        name = next(free for free in (wanted, *numbered) if free not in self._names)
        self._names.add(name)
        return name


def _members(records: Content, where: str) -> Iterator[tuple[str, Content]]:
    for field, values in record_fields(records, where).items():
        if not field.isidentifier():
            raise UsageError(f"the field '{field}' of '{where}' is not a valid name of a member")
        yield field, values


def _is_fixed(values: Content) -> bool:
    """Return whether the values are arrays of a fixed length."""
    return bool(values.is_regular or (values.is_numpy and np.ndim(values.data) > 1))


def _type_name(name: str) -> str:
    """Return a collection's name as a datatype can have it."""
    return re.sub(r"\W", "_", name)


def _units_of(records: Content) -> Mapping[str, str]:
    """Return the units of records' fields, "" if unknown, from the records or from files."""
    said = records.parameter(UNITS)
    while records.is_option or records.is_indexed:
        records = records.content
    members = members_of(records) if records.is_record else {}
    units = {name: unit_of(content) for name, content in members.items()}
    return {**units, **said} if isinstance(said, Mapping) else units


def _descriptions_of(records: Content) -> Mapping[str, str]:
    """Return the descriptions of records' fields, which records from files have."""
    descriptions = records.parameter(DESCRIPTIONS)
    return descriptions if isinstance(descriptions, Mapping) else {}


def _doc_of(content: Content) -> str:
    """Return the description of arrays; "" if they have none."""
    text = content.parameter("__doc__")
    return text if isinstance(text, str) else ""
