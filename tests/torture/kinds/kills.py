"""Writers that are killed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import kaon

NAME = "kills"
CASE = "a killed writer: the old file is whole, and all entries that were flushed can be read"

WRITER = """
import sys
import numpy as np
import kaon

path, mode, layout, codec = sys.argv[1:]
options = {"layout": layout, "codec": codec, "cluster_entries": 300}
make = kaon.append if mode == "append" else kaon.create
out = make(path, **options) if mode == "append" else make(path, overwrite=True, **options)
print("ready", flush=True)
first = 0
while True:
    out["events"].extend({"x": np.arange(first, first + 100)})
    first += 100
    if first % 500 == 0:
        out.flush()
        print(first, flush=True)
"""
OLD = 50


def run(chance: random.Random, folder: Path) -> int:
    cases = 4
    for case in range(cases):
        path = folder / f"{case}.kaon"
        with kaon.create(path) as out:
            out["events"].extend({"x": np.full(OLD, -1)})
        mode = chance.choice(("create", "append"))
        layout, codec = chance.choice(("split", "row")), chance.choice(("none", "lz4", "zstd"))
        flushed = killed_after(chance.random() * 0.2, [str(path), mode, layout, codec])
        check(path, mode, flushed)
    return cases


def killed_after(seconds: float, arguments: list[str]) -> int:
    """Run the writer, kill it, and return the number of entries that it flushed."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, *arguments], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(seconds)
        writer.kill()
        lines = writer.stdout.read().split("\n")
    return int(lines[-2]) if len(lines) > 1 else 0  # the last line may be cut


def check(path: Path, mode: str, flushed: int) -> None:
    final = values_in(path)
    assert (final[:OLD] == -1).all()
    new = final[OLD:]
    if mode == "create":
        assert len(new) == 0, "the old file was replaced by an unfinished one"
        parts = list(path.parent.glob(f"{path.name}.part*"))
        new = values_in(parts[0]) if flushed else np.array([], np.int64)
    assert np.array_equal(new, np.arange(len(new)))
    assert len(new) >= flushed, f"{flushed} entries were flushed, but {len(new)} can be read"
    if mode == "append":  # the file can be continued
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with kaon.append(path) as out:
                out["events"].extend({"x": np.arange(len(new), len(new) + 10)})
        assert np.array_equal(values_in(path)[OLD:], np.arange(len(new) + 10))


def values_in(path: Path) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        with kaon.open(path) as file:
            return file["events"].arrays().x.to_numpy() if "events" in file else np.array([])
