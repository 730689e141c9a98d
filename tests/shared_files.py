"""Files that others wrote, too large for the project."""

import os
from pathlib import Path

import pytest


def shared_file(name: str) -> Path:
    """Return the path of a file, such as "root/real/uproot-HZZ.root"; skip the test without it."""
    shared = Path(os.environ.get("KAON_SHARED", Path(__file__).parents[2] / "shared"))
    path = shared / "data" / name
    if not path.exists():
        pytest.skip("needs files that are not there: name their folder in KAON_SHARED")
    return path
