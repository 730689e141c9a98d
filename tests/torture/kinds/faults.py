"""Allocations and system calls that fail."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from built import BUILD, is_built

NAME = "faults"
CASE = "a job in C++ while one allocation or system call fails: it ends in one error, or is right"
PROGRAM = "tests/kaon_faults"
MOST = 5  # failing calls of each kind and job


def run(chance: random.Random, folder: Path) -> int:
    if not is_built(PROGRAM):
        return 0
    done = subprocess.run(
        [BUILD / PROGRAM, "--most", str(MOST), "--seed", str(chance.randrange(2**31))],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return MOST * int(done.stdout.rsplit("\n", 2)[-2].split()[0])
