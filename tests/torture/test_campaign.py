"""One round of each kind of torture; `make torture` runs more for some minutes."""

import os
import random
from pathlib import Path

import pytest

from torture.kinds import ALL

SEED = int(os.environ.get("KAON_TORTURE_SEED", "1"))


@pytest.mark.parametrize("name", ALL)
def test_kaon_keeps_its_promises(tmp_path: Path, name: str) -> None:
    cases = ALL[name].run(random.Random(f"{name} {SEED}"), tmp_path)
    if cases == 0:
        pytest.skip(f"{ALL[name].PROGRAM} is not built: run `make test`")
    assert cases >= 4
