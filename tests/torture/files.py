"""Files with known contents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np

import kaon

FORMS: Mapping[str, Mapping[str, Any]] = {
    "split": {"tags": ["id"], "keys": ["id"], "codec": "zstd"},
    "row": {"layout": "row", "codec": "lz4"},
    "raw": {"codec": "none", "encodings": {"x": "raw"}},
    "unfinished": {"codec": "zstd"},
}
"""The options of the files, by name; an unfinished file has no index."""


def truth(entries: int, seed: int = 3) -> ak.Array:
    """Return the entries of a file; ``id`` and ``x`` identify each of them."""
    chance = np.random.default_rng(seed)
    counts = chance.integers(0, 4, entries)
    muons = ak.zip(
        {
            "pt": chance.random(counts.sum(), dtype=np.float32),
            "charge": chance.integers(-1, 2, counts.sum(), dtype=np.int8),
        },
        depth_limit=1,
    )
    return ak.zip(
        {
            "id": np.arange(entries),
            "x": chance.random(entries),
            "n": chance.integers(0, 1000, entries, dtype=np.int32),
            "Muon": ak.unflatten(muons, counts),
            "label": np.array([f"entry {entry}" for entry in range(entries)]),
        },
        depth_limit=1,
    )


def columns_of(entries: ak.Array) -> dict[str, ak.Array]:
    """Return the columns with values."""
    muons = {}
    if "Muon" in entries.fields:
        muons = {f"Muon.{name}": entries.Muon[name] for name in ak.fields(entries.Muon)}
    return {name: entries[name] for name in ak.fields(entries) if name != "Muon"} | muons


def number_of(column: ak.Array) -> int:
    """Return the number of values."""
    return (
        int(ak.count(column))
        if column.ndim > 1 and "string" not in str(column.type)
        else len(column)
    )


def write(path: Path, entries: ak.Array, form: str, cluster_entries: int = 200) -> None:
    """Write a file with many clusters, as large files have, or a part of it without index."""
    with kaon.create(path, cluster_entries=cluster_entries, **FORMS[form]) as out:
        out.metadata["luminosity"] = 12.5
        for first in range(0, len(entries), 5000):
            out["events"].extend(entries[first : first + 5000])
        out["runs"].extend({"run": [1, 2, 3]})
        if form == "unfinished":
            out.flush()
            path.with_suffix(".copy").write_bytes(Path(f"{path}.part").read_bytes())
    if form == "unfinished":
        path.with_suffix(".copy").replace(path)


def check_values(found: ak.Array, expected: ak.Array) -> int:
    """Check all values of recovered entries, and return their number."""
    key = next((name for name in ("id", "x") if name in found.fields), None)
    if key is None:
        return 0  # the columns that identify entries are lost
    keys = ak.to_numpy(expected[key])
    order = np.argsort(keys)
    places = order[np.searchsorted(keys[order], ak.to_numpy(found[key]))]
    assert (np.diff(places) > 0).all(), "the order of the entries is another"
    known = columns_of(expected)
    number = 0
    for name, values in columns_of(found).items():
        assert ak.array_equal(ak.drop_none(values), known[name][places]), name
        number += number_of(values)
    return number


def check_prefix(found: ak.Array, expected: ak.Array) -> None:
    """Check that the entries are the first ones of those expected."""
    assert len(found) <= len(expected)
    for name, values in columns_of(found).items():
        assert ak.array_equal(values, columns_of(expected)[name][: len(found)]), name
