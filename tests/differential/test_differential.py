"""A few random inputs of each part; `make differential` tries more for some minutes."""

import os

import pytest

from .compiled import PROGRAM
from .harness import Part, run_round
from .run import PARTS

SEED = int(os.environ.get("KAON_TEST_SEED", "0"))
# These numbers of inputs take a few seconds.
EXAMPLES = {
    "models": 10,
    "schemas": 5,
    "expressions": 40,
    "optionals": 30,
    "pipelines": 15,
    "compiled": 30,
    "missing": 20,
    "relations": 10,
    "cuts": 40,
}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_kaon_follows_its_documentation(part: Part) -> None:
    if part.name == "compiled" and not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built: run `make test`")
    result = run_round(part, SEED, EXAMPLES[part.name])
    assert not result.failure, result.failure
    assert result.cases > 100
