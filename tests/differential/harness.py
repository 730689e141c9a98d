"""Runs random tests in rounds; the seed of a round repeats it."""

from __future__ import annotations

import math
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, reporting, settings
from hypothesis.internal.conjecture import engine

engine.MAX_SHRINKING_SECONDS = 20  # instead of five minutes for each failure


class Disagreement(AssertionError):
    """A result of kaon differs from the documented one."""


class BeyondRangeError(Exception):
    """The documentation says that kaon raises an error: integers exceed 64 bits."""


@dataclass(frozen=True)
class Part:
    """Tests of one subject.

    Attributes
    ----------
    case
        The name of one case in reports.
    strategy
        Draws inputs.
    check
        Compares all results of kaon for an input, in an empty folder, with the documentation.
        Raises Disagreement; returns the number of cases.
    examples
        The number of inputs in a round.
    """

    name: str
    case: str
    strategy: hypothesis.strategies.SearchStrategy[Any]
    check: Callable[[Any, Path], int]
    examples: int = 20


@dataclass
class Round:
    """The results of a round of inputs."""

    cases: int = 0
    failure: str = ""


def run_round(part: Part, seed: int, examples: int | None = None) -> Round:
    """Check the inputs of a seed; a failing input is made smaller within a time limit."""
    result = Round()
    has_failed = False

    @hypothesis.seed(seed)
    @settings(
        max_examples=examples or part.examples,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(part.strategy)
    def test(example: Any) -> None:
        nonlocal has_failed
        with tempfile.TemporaryDirectory(prefix="kaon-") as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                cases = part.check(example, Path(folder))
            except BeyondRangeError:
                hypothesis.reject()
            except Exception as failure:
                has_failed = True  # later inputs only shrink this one, and are not counted
                if isinstance(failure, Disagreement):
                    raise
                raise Disagreement(f"{traceback.format_exc(limit=-4)}\n{example}") from None
        if not has_failed:
            result.cases += cases

    try:
        with reporting.with_reporter(lambda *_: None):  # failures describe themselves
            test()
    except Disagreement as failure:
        result.failure = str(failure)
    return result


def same(one: Any, other: Any) -> bool:
    """Return whether values are equal to the last bit; NaN equals NaN, but 0 does not equal -0."""
    if isinstance(one, float) and isinstance(other, float):
        return (math.isnan(one) and math.isnan(other)) or (
            one == other and math.copysign(1, one) == math.copysign(1, other)
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


class Comparison:
    """Compares the results of an example, and counts the correct ones."""

    def __init__(self, example: Any) -> None:
        self.example = example
        self.cases = 0

    def expect(self, what: str, is_right: bool, found: Any, expected: Any) -> None:
        if not is_right:
            raise Disagreement(
                f"{what}\n  is        {found}\n  should be {expected}\n{self.example}"
            )
        self.cases += 1


def shares(events: list[Any], files: int) -> list[list[Any]]:
    """Return the events of each file."""
    size = -(-len(events) // files)
    return [events[begin : begin + size] for begin in range(0, len(events), size)]


def expect_same(what: str, found: Any, expected: Any, context: Any = "") -> None:
    if not same(found, expected):
        raise Disagreement(f"{what}\n  is        {found}\n  should be {expected}\n{context}")
