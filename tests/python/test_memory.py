"""Memory of reading and writing, measured in child processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon
import kaon.errors

MIB = 1 << 20
SIZE = 48 * MIB  # of a huge event

PREAMBLE = """
import os, sys
import awkward as ak
import numpy as np
import kaon
import kaon.errors

def event(size, columns):
    values = []
    for i in range(columns):
        values.append(np.random.default_rng(i).random(size // 4 // columns, np.float32))
        np.multiply(values[-1], 1000, out=values[-1])
        np.floor(values[-1], out=values[-1])
    records = ak.zip({f"m{i}": each for i, each in enumerate(values)})
    return ak.unflatten(records, [len(records)])
"""
RUN = """
for code, arguments in eval(sys.argv[1]):
    child = os.fork()
    if child == 0:
        sys.argv = ["", *arguments]
        path = arguments[0]
        exec(code)
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    assert status == 0
    print(1024 * usage.ru_maxrss)
"""


def peaks(*runs: tuple[object, ...]) -> list[int]:
    """Return the most bytes of processes that run code on a path with further arguments."""
    wanted = [(code, [str(each) for each in arguments]) for code, *arguments in runs]
    result = subprocess.run(
        [sys.executable, "-c", PREAMBLE + RUN, repr(wanted)],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert result.returncode == 0, result.stderr
    return [int(line) for line in result.stdout.split()]


WRITE = """
size, columns, codec = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with kaon.create(path, overwrite=True, codec=codec) as out:
    out["events"].extend({"Hits": event(size, columns)})
"""
READ = """kaon.open(path)["events"].arrays()"""
ITERATE = """
for piece in kaon.open(path)["events"].iterate(step_size="10 MB"):
    assert len(piece) == 1
"""


@pytest.mark.parametrize("codec", ["none", "lz4", "zstd"])
def test_a_huge_event_takes_at_most_one_and_a_half_times_its_size(
    tmp_path: Path, codec: str
) -> None:
    huge, tiny = tmp_path / "huge.kaon", tmp_path / "tiny.kaon"
    for columns in 1, 8:
        most = peaks(
            (WRITE, tiny, 320, columns, codec),
            (WRITE, huge, SIZE, columns, codec),
            (READ, tiny),
            (READ, huge),
            (ITERATE, tiny),
            (ITERATE, huge),
        )
        for base, peak in zip(most[::2], most[1::2], strict=True):
            assert peak - base <= 1.5 * SIZE


def test_a_huge_event_is_read_as_it_was_written(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    small = ak.Array([[1, 2], []])
    count = 40 * MIB // 4
    for values in (
        np.arange(count, dtype=np.int32),
        np.full(count, 7, np.int32),
        generator.integers(0, 1 << 31, count, dtype=np.int32),
        np.where(np.arange(count) // 100_000 % 2, generator.integers(0, 99, count), 5).astype("i4"),
    ):
        for codec in "none", "lz4", "zstd", "zlib":
            path = tmp_path / "f.kaon"
            with kaon.create(path, overwrite=True, codec=codec) as out:
                for events in small, ak.unflatten(values, [count]), small:
                    out["events"].extend({"Hits": ak.values_astype(events, np.int32)})
            with kaon.open(path) as file:
                hits = file["events"].arrays().Hits
                assert ak.to_list(hits[[0, 1, 3, 4]]) == [[1, 2], [], [1, 2], []]
                assert np.array_equal(hits[2], values)
            assert kaon.verify(path).is_sound


def test_a_damaged_huge_page_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "f.kaon"
    values = np.random.default_rng(1).integers(0, 4096, 40 * MIB // 4, dtype=np.int32)
    for codec in "none", "lz4":
        with kaon.create(path, overwrite=True, codec=codec) as out:
            out["events"].extend({"Hits": ak.unflatten(values, [len(values)])})
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        with kaon.open(path) as file, pytest.raises(kaon.errors.CorruptFileError, match="checksum"):
            file["events"].arrays()


def test_a_page_of_several_huge_events_is_refused_if_the_step_is_smaller(tmp_path: Path) -> None:
    path = tmp_path / "bomb.kaon"
    count = 40_000_000
    with kaon.create(path, page_bytes=1 << 31, cluster_bytes=1 << 32, memory_budget="10 GB") as out:
        for _ in range(3):
            out["events"].extend({"H": ak.unflatten(np.zeros(count, np.int8), [count])})
    assert path.stat().st_size < MIB
    code = """
try:
    for _ in kaon.open(path)["events"].iterate(step_size="10 MB"):
        pass
except kaon.errors.MemoryLimitError as error:
    assert "bomb.kaon" in str(error) and "'H'" in str(error) and "120.0 MB" in str(error), error
else:
    raise AssertionError
"""
    tiny = tmp_path / "tiny.kaon"
    kaon.convert("examples/ttbar/sample.kaon", tiny)
    most, base = peaks((code, path), ("kaon.open(path)", tiny))
    assert most - base < 32 * MIB
    with kaon.open(path) as file:
        lengths = [ak.num(piece.H) for piece in file["events"].iterate(step_size="120 MB")]
        assert ak.to_list(ak.concatenate(lengths)) == [count] * 3
        with pytest.raises(kaon.errors.MemoryLimitError, match="'H'"):
            file["events"].arrays(entry_stop=1, memory_limit="50 MB")


MANY_SMALL = """
generator = np.random.default_rng(2)
counts = generator.poisson(5, 3000)
muons = ak.zip({name: generator.random(counts.sum(), np.float32) for name in "abcdefgh"})
events = {"Muon": ak.unflatten(muons, counts), "run": np.arange(3000)}
"""
WIDE = """
events = {f"c{i}": np.random.default_rng(i).random(250, np.float32) for i in range(1000)}
"""
WRITE_MANY = """
times, budget = int(sys.argv[2]), int(sys.argv[3])
with kaon.create(path, overwrite=True, memory_budget=budget) as out:
    for _ in range(times):
        out["events"].extend(events)
"""
ITERATE_MANY = """
for piece in kaon.open(path)["events"].iterate(step_size=sys.argv[2]):
    del piece  # else the next piece is read while the loop keeps this one
"""
CONVERT = """
kaon.convert(path, path + ".copy.kaon", memory_budget=int(sys.argv[2]), layout="split", codec="lz4",
             overwrite=True)
"""


@pytest.mark.parametrize("events", [MANY_SMALL, WIDE], ids=["small", "wide"])
def test_memory_stays_near_the_budget(tmp_path: Path, events: str) -> None:
    path, tiny = tmp_path / "f.kaon", tmp_path / "tiny.kaon"
    further_threads = len(os.sched_getaffinity(0)) - 1
    for budget in 8_000_000, 64_000_000:
        excess = 16_000_000 + (8 * MIB * further_threads if budget > 8_000_000 else 0)
        times, step = 3 * budget // 500_000, f"{budget // 1_000_000} MB"
        most = peaks(
            (events + WRITE_MANY, tiny, 1, budget),
            (events + WRITE_MANY, path, times, budget),
            (ITERATE_MANY, tiny, step),
            (ITERATE_MANY, path, step),
            (CONVERT, tiny, budget),
            (CONVERT, path, budget),
        )
        over = [peak - base - budget for base, peak in zip(most[::2], most[1::2], strict=True)]
        writing, iterating, converting = over
        mapped = path.stat().st_size  # counts as memory while it is used
        assert writing <= excess
        assert converting <= excess + mapped
        assert iterating <= 16_000_000 + budget + mapped


def test_a_file_has_ten_thousand_categories(tmp_path: Path) -> None:
    path, few = tmp_path / "f.kaon", tmp_path / "few.kaon"
    write = """
with kaon.create(path) as out:
    for i in range(int(sys.argv[2])):
        out[f"run{i}"].extend({"x": np.arange(3) + i})
"""
    read = """
file = kaon.open(path)
assert len(file.keys()) == int(sys.argv[2])
for i, name in enumerate(file.keys()):
    assert file[name].arrays("x", library="np")["x"].tolist() == [i, i + 1, i + 2]
"""
    most = peaks((write, few, 10), (write, path, 10_000), (read, few, 10), (read, path, 10_000))
    assert most[1] - most[0] < 160 * MIB
    assert most[3] - most[2] < 160 * MIB
    assert os.path.getsize(path) < 20 * MIB
