"""Files that are cut or overwritten while they are open end in an error, never in other values."""

import os
from collections.abc import Callable
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon

ENTRIES = 20_000
PER_CLUSTER = 4_000
EDGE = 4_096

FORMATS = {
    "raw.kaon": {"codec": "none", "cluster_entries": PER_CLUSTER},
    "zstd.kaon": {"codec": "zstd", "cluster_entries": PER_CLUSTER},
    "rntuple.root": {"codec": "zstd", "format": "rntuple", "cluster_entries": PER_CLUSTER},
    "raw-rntuple.root": {"codec": "none", "format": "rntuple", "cluster_entries": PER_CLUSTER},
    "ttree.root": {"codec": "zstd", "format": "ttree", "cluster_entries": PER_CLUSTER},
    "raw-ttree.root": {"codec": "none", "format": "ttree", "cluster_entries": PER_CLUSTER},
    "lz4.hipo": {"codec": "lz4"},
    "raw.h5": {"codec": "none"},
    "zlib.h5": {"codec": "zlib"},
}


def values(seed: int) -> ak.Array:
    chance = np.random.default_rng(seed)
    counts = chance.integers(0, 4, ENTRIES)
    hits = ak.unflatten(ak.zip({"x": chance.random(counts.sum())}), counts)
    return ak.zip({"hits": hits, "t": chance.random(ENTRIES)}, depth_limit=1)


def write(path: Path, name: str, seed: int = 1) -> None:
    """Write a file that was changed last an hour ago: the system's clock for files is coarse."""
    with kaon.create(path, overwrite=True, **FORMATS[name]) as out:
        out["events"].extend(values(seed))
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 3_600_000_000_000))


def cut_to_nothing(path: Path, name: str) -> None:
    os.truncate(path, 0)


def cut_in_half(path: Path, name: str) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path, name: str) -> None:
    other = path.with_name("other-" + name)
    write(other, name, seed=2)
    path.write_bytes(other.read_bytes())


def overwrite_bytes(path: Path, name: str) -> None:
    with path.open("r+b") as file:
        for place in range(EDGE, path.stat().st_size - EDGE, 1000):
            file.seek(place)
            file.write(b"\xff" * 16)


CHANGES = [cut_to_nothing, cut_in_half, overwrite, overwrite_bytes]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("use", ["auto", "never"])
def test_changed_file_is_an_error(
    tmp_path: Path, name: str, change: Callable[[Path, str], None], use: str
) -> None:
    path = tmp_path / name
    write(path, name)
    events = kaon.open(path, map=use)["events"]
    used = kaon.open(path, map=use)["events"]
    expected = used.arrays().tolist()
    parts = used.iterate(step_size=100)
    kept = next(parts)
    change(path, name)
    for _ in range(2):  # the second time shows that nothing of the other bytes was kept
        with pytest.raises(kaon.errors.FileError, match="while open"):
            events.arrays()
    assert kept.tolist() == expected[:100]
    try:
        for part in parts:  # may be in memory already
            kept = ak.concatenate([kept, part])
    except kaon.errors.FileError as error:
        assert "while open" in str(error)
    assert kept.tolist() == expected[: len(kept)]


@pytest.mark.parametrize("name", ["raw.kaon", "zstd.kaon"])
def test_file_is_read_while_others_append(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(path, name)
    events = kaon.open(path)["events"]
    with kaon.append(path) as out:
        out["events"].extend(values(2))
        out.flush()
        assert events.arrays().tolist() == values(1).tolist()
    assert events.arrays().tolist() == values(1).tolist()
    assert len(kaon.open(path)["events"].arrays()) == 2 * ENTRIES


@pytest.mark.parametrize("name", FORMATS)
def test_file_that_was_replaced_is_read_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(path, name)
    events = kaon.open(path)["events"]
    expected = kaon.open(path)["events"].arrays().tolist()
    write(path, name, seed=2)
    assert events.arrays().tolist() == expected


def test_unknown_use_of_maps_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "raw.kaon", "raw.kaon")
    with pytest.raises(kaon.errors.UnknownNameError, match="'sometimes' is not a value of 'map'"):
        kaon.open(tmp_path / "raw.kaon", map="sometimes")
