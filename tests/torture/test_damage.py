"""Nearly all values of a file with one random damage are recovered, and none is wrong."""

import os
import random
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest

import kaon
from torture.damage import KINDS

ENTRIES = 50_000
CASES = int(os.environ.get("KAON_TORTURE_CASES", "100"))
SEED = int(os.environ.get("KAON_TORTURE_SEED", "1"))
FORMS: Mapping[str, Mapping[str, Any]] = {
    "split": {"tags": ["id"], "keys": ["id"], "codec": "zstd"},
    "row": {"layout": "row", "codec": "lz4"},
    "raw": {"codec": "none", "encodings": {"x": "raw"}},
    "unfinished": {"codec": "zstd"},
}
LEAST = 0.99
"""The least mean share of values to recover."""


def truth() -> ak.Array:
    """Return the entries; ``id`` and ``x`` identify each of them."""
    chance = np.random.default_rng(3)
    counts = chance.integers(0, 4, ENTRIES)
    muons = ak.zip(
        {
            "pt": chance.random(counts.sum(), dtype=np.float32),
            "charge": chance.integers(-1, 2, counts.sum(), dtype=np.int8),
        },
        depth_limit=1,
    )
    return ak.zip(
        {
            "id": np.arange(ENTRIES),
            "x": chance.random(ENTRIES),
            "n": chance.integers(0, 1000, ENTRIES, dtype=np.int32),
            "Muon": ak.unflatten(muons, counts),
            "label": np.array([f"entry {entry}" for entry in range(ENTRIES)]),
        },
        depth_limit=1,
    )


def columns_of(entries: ak.Array) -> dict[str, ak.Array]:
    """Return the columns with values."""
    muons = {f"Muon.{name}": entries.Muon[name] for name in ak.fields(entries.Muon)}
    return {name: entries[name] for name in ak.fields(entries) if name != "Muon"} | muons


def number_of(column: ak.Array) -> int:
    return (
        int(ak.count(column))
        if column.ndim > 1 and "string" not in str(column.type)
        else len(column)
    )


def write(path: Path, entries: ak.Array, form: str) -> None:
    """Write a file with many clusters, as large files have, or a part of it without index."""
    with kaon.create(path, cluster_entries=200, **FORMS[form]) as out:
        out.metadata["luminosity"] = 12.5
        for first in range(0, len(entries), 5000):
            out["events"].extend(entries[first : first + 5000])
        out["runs"].extend({"run": [1, 2, 3]})
        if form == "unfinished":
            out.flush()
            path.with_suffix(".copy").write_bytes(Path(f"{path}.part").read_bytes())
    if form == "unfinished":
        path.with_suffix(".copy").replace(path)


@pytest.fixture(scope="module")
def entries() -> ak.Array:
    return truth()


def damaged_files(path: Path, form: str) -> Iterator[tuple[str, Path]]:
    """Yield damaged copies of a file, with the kind of damage."""
    chance = random.Random(f"{SEED} {form}")
    good = path.read_bytes()
    damaged = path.with_name("damaged.kaon")
    for case in range(CASES // len(FORMS)):
        kind = KINDS[case % len(KINDS)]
        data = bytearray(good)
        kind(data, chance)
        damaged.write_bytes(data)
        yield f"{kind.__name__}, case {case}", damaged


def check_values(found: ak.Array, expected: ak.Array) -> int:
    """Check all values and return their number."""
    key = "id" if "id" in found.fields else "x"
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


@pytest.mark.parametrize("form", FORMS)
def test_nearly_all_values_are_recovered(tmp_path: Path, entries: ak.Array, form: str) -> None:
    path, sound = tmp_path / "good.kaon", tmp_path / "sound.kaon"
    write(path, entries, form)
    expected = sum(map(number_of, columns_of(entries).values()))
    shares = {}
    for case, damaged in damaged_files(path, form):
        report = kaon.recover(damaged, sound, overwrite=True)
        with kaon.open(sound) as file:
            assert file.is_complete, case
            found = file["events"].arrays()
            lost = {each.name: each.lost_entries for each in report.categories}
            assert len(found) <= ENTRIES
            if form != "unfinished" and "cut" not in case:  # else the last entries are unknown
                assert len(found) + lost["events"] == ENTRIES, case
            shares[case] = check_values(found, entries) / expected
    worst = sorted(shares.items(), key=lambda each: each[1])
    print(f"{form}: {np.mean([*shares.values()]):.3%} of the values, at worst {worst[:6]}")
    assert np.mean([*shares.values()]) >= LEAST, worst[:9]


def test_reading_skips_the_same_damage_as_recovering(tmp_path: Path, entries: ak.Array) -> None:
    path, sound = tmp_path / "good.kaon", tmp_path / "sound.kaon"
    write(path, entries[:3000], "split")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    report = kaon.recover(path, sound)
    assert 0 < report.categories[0].lost_entries <= 200
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        file = kaon.open(path, on_damage="skip")
    assert [each.category for each in told] == [kaon.errors.IncompleteFileWarning]
    assert file.recovery == report
    expected = kaon.open(sound)["events"].arrays()
    assert ak.array_equal(file["events"].arrays(), expected)
    pieces = list(file["events"].iterate(step_size=700))
    assert ak.array_equal(ak.concatenate(pieces), expected)
    assert [frame.parameters["n"] for frame in file["events"].frames()] == expected.n.to_list()
