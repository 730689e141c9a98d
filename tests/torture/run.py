"""Attacks kaon for some minutes, as docs/trust.md describes."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from .kinds import ALL

MOST_SECONDS = 300
"""A round that takes longer hangs."""
MOST_FAILURES = 3  # of a kind; then it stops


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="how long, for all kinds together")
    parser.add_argument("--only", choices=list(ALL), action="append")
    parser.add_argument("--seed", type=int, help="repeat only the round of this seed")
    options = parser.parse_args(arguments)
    names = options.only or list(ALL)
    if options.seed is not None:
        return int(any([not run_round(name, options.seed) for name in names]))
    seed = random.randrange(10**9)
    seconds = options.minutes * 60 / len(names)
    return int(any([attack(name, seed, seconds) for name in names]))


def run_round(name: str, seed: int) -> bool:
    """Run one round in this process, and return whether kaon kept its promises."""
    with tempfile.TemporaryDirectory(prefix="kaon-") as folder:
        try:
            cases = ALL[name].run(random.Random(f"{name} {seed}"), Path(folder))
        except Exception:
            traceback.print_exc()
            return False
    print(cases)
    return True


def attack(name: str, seed: int, seconds: float) -> bool:
    """Run rounds, each in its own process, which may crash. Return whether one failed."""
    cases = failures = 0
    end = time.monotonic() + seconds
    while failures < MOST_FAILURES:
        command = [sys.executable, "-m", "torture", "--only", name, "--seed", str(seed)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
            failure = "" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stderr}"
        except subprocess.TimeoutExpired:
            failure = f"takes longer than {MOST_SECONDS} s"
        if failure:
            failures += 1
            repeat = " ".join(["python", *command[1:]])
            print(f"== {name}: seed {seed} fails; to repeat it: {repeat}\n{failure[-5000:]}")
        else:
            cases += int(done.stdout)
        seed += 1
        if time.monotonic() > end:
            break
    print(f"{name}: {cases} cases, {failures} failures, last seed {seed - 1}", flush=True)
    print(f"  a case is {ALL[name].CASE}", flush=True)
    return failures > 0
