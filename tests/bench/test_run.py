"""The compiler options that benchmarks report."""

import runpy
from argparse import Namespace
from pathlib import Path

import pytest
from built import BUILD, outputs

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif("bench/bank" not in outputs(), reason="CMake has not configured benchmarks")
def test_the_environment_says_how_library_and_programs_were_compiled() -> None:
    environment = runpy.run_path(str(ROOT / "bench/run.py"))["environment"]
    facts = environment(Namespace(build=BUILD, root=None))
    assert "-O3" in facts["flags of the library"]
    assert "-O3" in facts["flags of the programs"]
    assert facts["compiler"] != "unknown"
