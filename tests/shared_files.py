"""Files that others wrote, too large for the project."""

import os
from pathlib import Path

import pytest

NAMED = os.environ.get("KAON_SHARED")
SHARED = Path(NAMED or Path(__file__).parents[2] / "shared")
# CI runs tests that were skipped with this remedy once more, where the files are.
REMEDY = "name the folder of shared files in KAON_SHARED"


def shared_file(name: str) -> Path:
    """Return the path of a file, such as "root/real/uproot-HZZ.root"; skip the test without it.

    A file that is absent from a folder that was named is an error.
    """
    path = SHARED / "data" / name
    if not path.exists():
        if NAMED and SHARED.exists():
            pytest.fail(f"KAON_SHARED names {SHARED}, which lacks data/{name}")
        pytest.skip(f"needs files that are not there: {REMEDY}")
    return path
