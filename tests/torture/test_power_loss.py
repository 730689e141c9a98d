"""Acknowledged data survive a loss of power, under each policy of durability."""

import os
import random
from pathlib import Path

import pytest
from built import needs_built

from torture.disk import Disk
from torture.kinds.power import POLICIES, PROGRAM, STEPS, lose_power, old_file, record

SEED = int(os.environ.get("KAON_TORTURE_SEED", "1"))

pytestmark = needs_built(PROGRAM)


@pytest.mark.parametrize(("policy", "mode"), POLICIES)
def test_acknowledged_entries_survive(tmp_path: Path, policy: str, mode: str) -> None:
    assert lose_power(random.Random(SEED), tmp_path, policy, mode) >= 2 * STEPS


def test_policy_never_leaves_durability_to_the_system(tmp_path: Path) -> None:
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    old_file(recorded / "f.kaon")
    log = record(recorded, "never", "create")
    disk = Disk(recorded)
    kinds = set(disk.replay(log))
    assert "rename" in kinds
    assert not kinds & {"sync", "folder"}
