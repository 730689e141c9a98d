"""Files of other projects that are too large for this one."""

import os
from pathlib import Path

import pytest

# CI repeats the tests that were skipped with this remedy on a machine that has the files.
REMEDY = "name the folder of shared files in KAON_SHARED"


def shared_file(name: str) -> Path:
    """Return the path of a file, such as "root/real/uproot-HZZ.root"; skip the test without it."""
    shared = Path(os.environ.get("KAON_SHARED", Path(__file__).parents[2] / "shared"))
    path = shared / "data" / name
    if not path.exists():
        pytest.skip(f"needs files that are not there: {REMEDY}")
    return path
