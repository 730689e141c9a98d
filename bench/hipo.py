#!/usr/bin/env python3
"""Measure how long kaon and packages of PyPI take to read a HIPO file in Python. Print JSON."""

import argparse
import importlib.util
import json
import statistics
import time
from collections.abc import Callable

import kaon

BANK = "REC::Particle"
COLUMNS = {"read 12 columns": [], "read 2 columns": ["px", "py"]}  # empty: all
LOOPED = 20_000  # events; few, because a loop in Python is slow


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="that bench/hipo.cpp left, its variant lz4")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement")
    options = parser.parse_args()
    rows = []
    for task, columns in COLUMNS.items():
        rows.append(row(task, "kaon, Python's arrays", "kaon", by_kaon, columns, options))
        if importlib.util.find_spec("oxihipo"):
            rows.append(row(task, "oxihipo, Python's arrays", "peer", by_oxihipo, columns, options))
        if importlib.util.find_spec("hipopybind"):
            rows.append(
                row(task, "hipopybind, loop over events", "peer", by_loop, columns, options)
            )
    print(json.dumps(rows))


def by_kaon(path: str, columns: list[str]) -> int:
    """Read columns into arrays with kaon; return the number of events."""
    events = kaon.open(path)["events"]
    names = [f"{BANK}.{name}" for name in columns] or [BANK]
    return len(events) if len(events.arrays(names, library="np")[f"{BANK}.px"]) else 0


def by_oxihipo(path: str, columns: list[str]) -> int:
    """Read columns into arrays with oxihipo; return the number of events."""
    import oxihipo

    file = oxihipo.open(path)
    [(_, offsets, _)] = file.read_columns([(BANK, columns)])
    return len(offsets) - 1


def by_loop(path: str, columns: list[str]) -> int:
    """Read columns of the first events value by value with HIPO's C++ library."""
    import hipopybind

    reader, dictionary = hipopybind.Reader(), hipopybind.Dictionary()
    reader.open(path)
    reader.readDictionary(dictionary)
    bank, event = hipopybind.Bank(dictionary.getSchema(BANK)), hipopybind.Event()
    read = [(bank.getFloat, name) for name in columns] or [
        (bank.getInt, "pid"),
        *((bank.getFloat, name) for name in ("px", "py", "pz", "vx", "vy", "vz", "vt")),
        (bank.getByte, "charge"),
        *((bank.getFloat, name) for name in ("beta", "chi2pid")),
        (bank.getShort, "status"),
    ]
    events = 0
    while events < LOOPED and reader.next():
        reader.read(event)
        event.getStructure(bank)
        for number in range(bank.getRows()):
            for get, name in read:
                get(name, number)
        events += 1
    return events


def row(
    task: str,
    program: str,
    role: str,
    read: Callable[[str, list[str]], int],
    columns: list[str],
    options: argparse.Namespace,
) -> dict:
    """Return the figures of one way of reading, in the form of the C++ programs."""
    events = read(options.file, columns)  # unmeasured, see Harness.h; also imports modules
    if events == 0:
        raise SystemExit("wrong result: there is nothing in the file")
    runs = []
    for _ in range(options.repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        read(options.file, columns)
        runs.append({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu})
    per_million = 1e6 / events
    cpu_times = [run["cpu"] * per_million for run in runs]
    return {
        "task": task,
        "program": program,
        "variant": "lz4",
        "role": role,
        "unit": "s/million events",
        "value": statistics.median(cpu_times),
        "best": min(cpu_times),
        "wall": statistics.median(run["wall"] * per_million for run in runs),
        "seconds": runs,
    }


if __name__ == "__main__":
    main()
