"""The fuzz targets for YAML keep their promises on the inputs that fuzzing begins with."""

from pathlib import Path

import pytest

from fuzz.yaml_targets import TARGETS, seeds

FAULTS = Path(__file__).with_name("faults")


@pytest.mark.parametrize("name", TARGETS)
def test_kaon_keeps_its_promises(name: str) -> None:
    found = [path.read_bytes() for path in sorted((FAULTS / name).glob("*"))]
    for data in [*seeds(name), *found]:
        TARGETS[name](data)
        TARGETS[name](data[: len(data) // 2])
