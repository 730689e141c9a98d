"""Losses of power."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
from built import BUILD, is_built

import kaon
from torture.disk import Disk

NAME = "power"
CASE = "a loss of power while a file is written: acknowledged entries survive, and none is wrong"
PROGRAM = "tests/libkaon_recorder.so"
POLICIES = [
    ("finish", "create"),
    ("cluster", "create"),
    ("flush", "create"),
    ("finish", "durable"),
    ("cluster", "append"),
    ("flush", "append"),
]
"""Policies of durability, and how the file is written."""

STEP = 300  # entries that are written and then acknowledged together
STEPS = 6

WRITER = """
import os, sys
import numpy as np
import kaon

path, policy, mode, step, steps = *sys.argv[1:4], *map(int, sys.argv[4:])
acknowledged = os.open(os.path.dirname(path) + "/acknowledged", os.O_WRONLY | os.O_CREAT)
options = {"sync": policy, "codec": "none", "cluster_entries": 100}
if mode == "append":
    out = kaon.append(path, **options)
else:
    out = kaon.create(path, overwrite=True, **options)
for first in range(0, step * steps, step):
    out["events"].extend({"x": np.arange(first, first + step)})
    if policy == "finish" and mode == "durable":
        out.flush(durable=True)
    else:
        out.flush()
    if policy in ("cluster", "flush") or mode == "durable":
        os.write(acknowledged, str(first + step).encode())
out.close()
os.write(acknowledged, b"finished")
"""


def record(folder: Path, policy: str, mode: str) -> Path:
    """Run the writer and return the log of its steps."""
    log = folder.parent / "log"
    subprocess.run(
        [sys.executable, "-c", WRITER, folder / "f.kaon", policy, mode, str(STEP), str(STEPS)],
        env={
            **os.environ,
            "LD_PRELOAD": str(BUILD / PROGRAM),
            "KAON_RECORD_FOLDER": str(folder),
            "KAON_RECORD_LOG": str(log),
        },
        check=True,
    )
    return log


def old_file(path: Path) -> None:
    with kaon.create(path) as out:
        out["events"].extend({"x": np.full(50, -1)})


def values_in(path: Path, acknowledged: int = 0) -> np.ndarray:
    """Return all values of a file, or the acknowledged ones if later pages are lost."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        with kaon.open(path) as file:
            if "events" not in file:
                return np.array([])
            try:
                return file["events"].arrays().x.to_numpy()
            except kaon.errors.CorruptFileError:
                return file["events"].arrays(entry_stop=acknowledged).x.to_numpy()


def check(folder: Path, acknowledged: str, is_appended: bool) -> None:
    """Check the files that are left after a loss of power."""
    path = folder / "f.kaon"
    old = np.full(50, -1)
    new = np.arange(STEP * STEPS)
    promised = len(new) if acknowledged == "finished" else int(acknowledged or 0)
    final = values_in(path, len(old) + promised if is_appended else 0)
    if is_appended:
        assert np.array_equal(final[:50], old)
        assert np.array_equal(final[50:], new[: len(final) - 50])
        kept = len(final) - 50
    elif np.array_equal(final, old):
        parts = list(folder.glob("*.part"))
        part = values_in(parts[0], promised) if promised else np.array([])
        assert np.array_equal(part, new[: len(part)])
        kept = len(part)
    else:
        assert np.array_equal(final, new)
        kept = len(new)
    assert kept >= promised


def lose_power(chance: random.Random, folder: Path, policy: str, mode: str) -> int:
    """Lose power after each step of a writer, and return the number of cases."""
    recorded = folder / "recorded"
    recorded.mkdir()
    old_file(recorded / "f.kaon")
    disk = Disk(recorded)
    disk.add_durable(recorded / "f.kaon")
    log = record(recorded, policy, mode)
    cases = 0
    for step, _ in enumerate(disk.replay(log)):
        for case in range(2):
            after = folder / f"{step}-{case}"
            after.mkdir()
            disk.lose_power(chance, after)
            check(after, disk.acknowledged, mode == "append")
            cases += 1
    assert disk.acknowledged == "finished"
    return cases


def run(chance: random.Random, folder: Path) -> int:
    return lose_power(chance, folder, *chance.choice(POLICIES)) if is_built(PROGRAM) else 0
