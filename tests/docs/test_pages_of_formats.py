"""Pages of formats and storage begin with a program that runs in the project's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_readme import ROOT, blocks

# The output of the program of each page.
PAGES = {
    "docs/evolution.md": "?float64",
    "docs/format.md": "cluster  at     1344: 7561 meta bytes",
    "docs/hipo-files.md": "{pid: 11, px: 1.5}",
    "docs/lcio-files.md": "13 -1",
    "docs/root-files.md": "PDG: 2212, mass: 0.938",
    "docs/storage.md": "row ",
}


@pytest.mark.parametrize("page", PAGES)
def test_the_first_program_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    program = blocks("python", page)[0]
    assert len(program.splitlines()) <= 10
    names: dict[str, Any] = {}
    exec(compile(program, page, "exec"), names)
    assert PAGES[page] in capsys.readouterr().out
