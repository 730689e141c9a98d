"""Files of the build that the Python tests need."""

import os
from functools import cache
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("KAON_BUILD", Path(__file__).parents[1] / "build/release"))


@cache
def outputs() -> frozenset[str]:
    """Return the paths of all files that the build makes in its current configuration."""
    rules = BUILD / "build.ninja"
    if not rules.exists():
        return frozenset()
    lines = (line for line in rules.read_text().splitlines() if line.startswith("build "))
    return frozenset(path for line in lines for path in line.split(": ", 1)[0].split())


def is_built(name: str) -> bool:
    """Return whether the build has made a file, such as "src/libkaon.a".

    Files that an earlier configuration left in the build's folder do not count.
    """
    return name in outputs() and (BUILD / name).exists()


def needs_built(name: str) -> pytest.MarkDecorator:
    """Skip tests if the build does not make a file that they need."""
    return pytest.mark.skipif(not is_built(name), reason=f"{name} is not built: run `make test`")
