"""Nearly all values of a file with one random damage are recovered, and none is wrong."""

import os
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon
from torture.damage import KINDS
from torture.files import FORMS, check_values, columns_of, number_of, truth, write

ENTRIES = 50_000
CASES = int(os.environ.get("KAON_TORTURE_CASES", "100"))
SEED = int(os.environ.get("KAON_TORTURE_SEED", "1"))
LEAST = 0.99
"""The least mean share of values to recover."""


@pytest.fixture(scope="module")
def entries() -> ak.Array:
    return truth(ENTRIES)


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
