"""Forged bytes whose checksums are right, as a hostile writer makes them."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

from built import BUILD, is_built

NAME = "sealed"
CASE = "a forged file with right checksums: reading it in C++ ends, with values or one error"
PROGRAM = "tests/kaon_fuzz_tests"
FORGERIES = 62
"""The least number of forgeries in one test of the program."""


def run(chance: random.Random, folder: Path) -> int:
    if not is_built(PROGRAM):
        return 0
    listed = subprocess.run(
        [BUILD / PROGRAM, "--gtest_list_tests", "--gtest_filter=Fuzz/*"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    tests = [line.split()[0] for line in listed.splitlines() if line.startswith("  ")]
    test = f"Fuzz/Mutation.{chance.choice(tests)}"
    done = subprocess.run(
        [BUILD / PROGRAM, f"--gtest_filter={test}", "--gtest_brief=1"],
        cwd=folder,
        env={**os.environ, "KAON_TEST_SEED": str(chance.randrange(2**31))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{test}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return FORGERIES
