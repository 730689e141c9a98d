#!/usr/bin/env python3
"""Measure W8: open a wide tree and read ten of its branches. Print the figures as JSON."""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

COLUMNS = ["Muon_pt", "Muon_eta", "Muon_charge", "Jet_pt", "Jet_eta", "Electron_pt"]
COLUMNS += ["GenPart_pt", "MET_pt", "HLT_path7", "event"]


def main() -> None:
    """Run the script with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="that bench/root/nano.cpp left")
    parser.add_argument("--program", choices=["kaon", "uproot"], required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--variant", required=True, help="the name of the file in the results")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement")
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, processors[: options.threads])
    opened, arrays = programs(options)
    if len(arrays(opened())) == 0:
        raise SystemExit("wrong result: there is nothing in the file")
    variant = f"{options.variant}, {options.threads} thread" + "s" * (options.threads > 1)
    rows = [row(options, "read 10 branches", variant, "s", 1, lambda: arrays(opened()))]
    if options.threads == 1:
        rows.append(row(options, "open", options.variant, "ms", 1e3, opened))
    print(json.dumps(rows))


def programs(options: argparse.Namespace) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """Return two functions: one opens the tree, the other reads its branches."""
    if options.program == "kaon":
        import kaon

        return lambda: kaon.open(options.file)["Events"], lambda tree: tree.arrays(COLUMNS)
    import uproot

    pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None
    executors = {"decompression_executor": pool, "interpretation_executor": pool} if pool else {}
    return (
        lambda: uproot.open(options.file)["Events"],
        lambda tree: tree.arrays(COLUMNS, **executors),
    )


def row(
    options: argparse.Namespace,
    task: str,
    variant: str,
    unit: str,
    per_second: float,
    run: Callable[[], object],
) -> dict:
    """Return the wall-clock figures of one task, in the form of the C++ programs."""
    runs = []
    for _ in range(options.repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        runs.append({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu})
    figures = [each["wall"] * per_second for each in runs]
    return {
        "task": task,
        "program": options.program,
        "variant": variant,
        "role": "kaon" if options.program == "kaon" else "peer",
        "unit": unit + " by the clock",
        "value": statistics.median(figures),
        "best": min(figures),
        "wall": statistics.median(figures),
        "seconds": runs,
    }


if __name__ == "__main__":
    main()
