"""Runs random tests for some minutes."""

from __future__ import annotations

import argparse
import random
import time

from . import (
    compiled,
    cuts,
    expressions,
    missing,
    models,
    optionals,
    pipelines,
    relations,
    schemas,
)
from .harness import Part, run_round

PARTS: list[Part] = [
    module.PART
    for module in (
        models,
        schemas,
        expressions,
        optionals,
        pipelines,
        compiled,
        missing,
        relations,
        cuts,
    )
]
MOST_FAILURES = 3  # of a part; then it stops


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("differential", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="how long, for all parts together")
    parser.add_argument("--only", choices=[part.name for part in PARTS], action="append")
    parser.add_argument("--seed", type=int, help="repeat only the round of this seed")
    options = parser.parse_args(arguments)
    parts = [part for part in PARTS if not options.only or part.name in options.only]
    begin = options.seed if options.seed is not None else random.randrange(10**9)
    has_failed = False
    for part in parts:
        has_failed |= run_part(part, begin, options.minutes * 60 / len(parts), options.seed)
    return int(has_failed)


def run_part(part: Part, seed: int, seconds: float, only_seed: int | None) -> bool:
    """Run rounds of a part until the time is over or there are too many failures."""
    cases = rounds = failures = 0
    end = time.monotonic() + seconds
    while rounds == 0 or (only_seed is None and time.monotonic() < end):
        result = run_round(part, seed)
        cases += result.cases
        rounds += 1
        if result.failure:
            failures += 1
            command = f"python -m differential --only {part.name} --seed {seed}"
            print(f"== {part.name}: seed {seed} fails; to repeat it: {command}\n{result.failure}")
            if failures == MOST_FAILURES:
                break
        seed += 1
    print(f"{part.name}: {cases} cases, {failures} failures, last seed {seed - 1}", flush=True)
    print(f"  a case is {part.case}", flush=True)
    return failures > 0
