"""The code of the page about models at run time runs as printed, without generated classes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from test_readme import LIBRARY, blocks, compile_program, program, program_of

import kaon
from kaon.modelgen import generate

PAGE = "docs/models-at-run-time.md"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Make a directory with the events.kaon of the README."""
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    (tmp_path / "demo.yaml").write_text(blocks("yaml")[0])
    generate(tmp_path / "demo.yaml", tmp_path)
    (tmp_path / "main.cpp").write_text(program())
    compile_program([tmp_path / "main.cpp", tmp_path / "demo/demo.cc"], tmp_path / "demo.out")
    subprocess.run([tmp_path / "demo.out"], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_cpp(directory: Path) -> None:
    (directory / "page.cpp").write_text(program_of("\n".join(blocks("cpp", PAGE))))
    compile_program([directory / "page.cpp"], directory / "page.out")
    result = subprocess.run(
        [directory / "page.out"], cwd=directory, check=True, capture_output=True, text=True
    )
    assert result.stdout == "80.4\nPDG []\nmass [GeV]\nmomentum [GeV]\n"
    made = kaon.open(directory / "made.kaon")["events"].arrays().MCParticles
    assert made.PDG.tolist() == [[6, 0]]
    assert made.daughters.momentum.x.tolist() == [[[2.5], []]]
