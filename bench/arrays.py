#!/usr/bin/env python3
"""Measure W2 in Python: read a bank's columns into arrays. Print the figures as JSON."""

import argparse
import json
import statistics
import time

import kaon

PROGRAMS = {
    "kaon, all columns": None,
    "kaon, 2 columns": ["bank.px", "bank.py"],
    "kaon, an expression of 2 columns": ["bank.px * bank.px + bank.py * bank.py"],
}


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="that bench/bank.cpp left, its variant split/lz4")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement")
    options = parser.parse_args()
    events = kaon.open(options.file)["events"]
    rows = [row(program, events, names, options) for program, names in PROGRAMS.items()]
    print(json.dumps(rows))


def row(
    program: str, events: kaon.Category, names: list[str] | None, options: argparse.Namespace
) -> dict:
    """Return the figures of one way of reading, in the form of the C++ programs."""
    events.arrays(names, library="np")  # unmeasured, see Harness.h; also imports modules
    runs = []
    for _ in range(options.repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        arrays = events.arrays(names, library="np")
        runs.append({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu})
        if len(arrays[names[0] if names else "bank.px"]) == 0:
            raise SystemExit("wrong result: there is nothing in the file")
    per_million = 1e6 / len(events)
    cpu_times = [run["cpu"] * per_million for run in runs]
    return {
        "task": "read into Python's arrays",
        "program": program,
        "variant": "split/lz4",
        "role": "kaon",
        "unit": "s/million events",
        "value": statistics.median(cpu_times),
        "best": min(cpu_times),
        "wall": statistics.median(run["wall"] * per_million for run in runs),
        "seconds": runs,
    }


if __name__ == "__main__":
    main()
