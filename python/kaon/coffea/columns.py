"""Columns with the names that coffea's schemas expect: NanoAOD's or podio's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import awkward as ak
import numpy as np
from awkward.contents import Content, ListOffsetArray, NumpyArray

from kaon import _core
from kaon._core import TableKind
from kaon.columns.reading import column_in
from kaon.columns.references import names_and_codes
from kaon.columns.schema import RELATIONS, Schema, is_text

Columns: TypeAlias = "dict[str, Callable[[ak.Array], ak.Array]]"
"""Functions, by name of the column, from a category's arrays to the column."""

_SUBSET = "kaon::Subset<"


def nano_columns(schema: Schema) -> Columns:
    """Return columns with NanoAOD's names: ``nMuon``, ``Muon_pt``, ``MET_pt``."""
    columns: Columns = {}
    for number, label in schema.labels.items():
        if schema.tables[number].is_counted and not is_text(schema.tables[number]):
            columns[f"n{label}"] = _counts(label)
    for key in schema.members:
        columns.setdefault(key.replace(".", "_"), _column(key))
    return columns


def podio_columns(schema: Schema, is_old: bool = False) -> tuple[Columns, dict[str, str]]:
    """Return columns with the names of podio's branches, and the types of collections.

    The numbers of collections are numbers of tables, not podio's numbers.

    Parameters
    ----------
    is_old
        Whether to use the names of podio before 0.17, in which relations and other lists have
        numbers: "Particle#0" for "_Particle_parents".
    """
    columns: Columns = {}
    types = {}
    for number, label in schema.labels.items():
        table = schema.tables[number]
        if table.kind != TableKind.collection:
            continue
        if table.type.startswith(_SUBSET):
            name = f"{label}#0" if is_old else f"{label}_objIdx"
            columns |= _reference_columns(schema, f"{label}.object", name, is_many=False)
            types[name] = "vector<podio::ObjectID>"
        elif [member.name for member in table.members] == [""]:
            columns[label] = _column(label)
        else:
            columns |= _collection_columns(schema, number, is_old)
            types[label] = f"vector<{table.type}Data>"
    return columns, types


def _collection_columns(schema: Schema, number: int, is_old: bool) -> Columns:
    label = schema.labels[number]
    columns: Columns = {}
    for member in schema.tables[number].members:
        name = f"{label}/{label}.{member.name}{_extent(member)}"
        columns[name] = _column(f"{label}.{member.name}")
    branches = _numbered_branches(schema, number) if is_old else {}
    for child in schema.below(number):
        key, table = schema.label(child), schema.tables[child]
        branch = branches.get(child, f"_{label}_{schema.tail(child)}")
        is_many = table.is_counted
        if is_many:
            columns[f"{label}/{key}_begin"] = _ends(key, 0)
            columns[f"{label}/{key}_end"] = _ends(key, 1)
        if table.kind in RELATIONS:
            columns |= _reference_columns(schema, key, branch, is_many)
        elif [member.name for member in table.members] == [""]:
            columns[branch] = _column(key, is_many)
        else:
            for member in table.members:
                name = f"{branch}/{branch}.{member.name}{_extent(member)}"
                columns[name] = _column(f"{key}.{member.name}", is_many)
    return columns


def _numbered_branches(schema: Schema, number: int) -> dict[int, str]:
    """Return the names of a collection's lists in old versions of podio: relations first.

    Relations to many have lower numbers than relations to one.
    """
    label, below = schema.labels[number], schema.below(number)
    branches: dict[int, str] = {}
    for mark, kinds in (
        ("#", (TableKind.manyRelation, TableKind.oneRelation)),
        ("_", (TableKind.vectorMember,)),
    ):
        tables = [child for kind in kinds for child in below if schema.tables[child].kind == kind]
        branches |= {child: f"{label}{mark}{place}" for place, child in enumerate(tables)}
    return branches


def _extent(member: _core.Member) -> str:
    return f"[{member.extent}]" if member.extent > 1 else ""


def _reference_columns(schema: Schema, key: str, branch: str, is_many: bool) -> Columns:
    numbers = {table.name: number for number, table in enumerate(schema.tables)}
    names = _column(f"{key}.collection", is_many)
    return {
        f"{branch}/{branch}.index": _column(f"{key}.index", is_many),
        f"{branch}/{branch}.collectionID": lambda arrays: _numbered(names(arrays), numbers),
    }


def _column(key: str, is_joined: bool = False) -> Callable[[ak.Array], ak.Array]:
    """Return the function for a column; `is_joined` joins the lists of an event's objects."""

    def column(arrays: ak.Array) -> ak.Array:
        values = _present(column_in(arrays, key))
        return ak.flatten(values, axis=2) if is_joined else values

    return column


def _counts(label: str) -> Callable[[ak.Array], ak.Array]:
    return lambda arrays: ak.values_astype(ak.num(_present(arrays[label])), np.int32)


def _ends(key: str, which: int) -> Callable[[ak.Array], ak.Array]:
    """Return the begin (0) or end (1) of each object's list among the lists of its event."""

    def ends(arrays: ak.Array) -> ak.Array:
        counts = ak.to_layout(ak.num(_present(column_in(arrays, key)), axis=2))
        counts = counts.to_ListOffsetArray64(True)
        offsets = np.asarray(counts.offsets)
        total = np.concatenate([[0], np.cumsum(np.asarray(counts.content.data))])
        first = np.repeat(total[offsets[:-1]], np.diff(offsets))
        values = (total[which : len(total) - 1 + which] - first).astype(np.uint32)
        return ak.Array(ListOffsetArray(counts.offsets, NumpyArray(values)))

    return ends


def _present(values: ak.Array) -> ak.Array:
    """Return values with an empty list for events that lack the collection."""
    return ak.fill_none(values, [], axis=0) if ak.to_layout(values).is_option else values


def _numbered(names: ak.Array, numbers: dict[str, int]) -> ak.Array:
    """Return the numbers of collections for their names; 0 for empty references."""

    def replace(layout: Content, **_: Any) -> Content | None:
        if not layout.is_option:
            return None
        known, codes = names_and_codes(layout)
        table = np.array([*(numbers[name] for name in known), 0], np.uint32)
        return NumpyArray(table[codes])

    return ak.transform(replace, names)
