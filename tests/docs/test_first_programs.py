"""Each page in Python begins with a program that runs as printed, in the project's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_readme import ROOT, blocks

PAGES = {
    "README.md": "80.",
    "docs/designing-a-model.md": "'momentum': 'GeV'",
    "docs/models.md": "24 GeV",
    "docs/python.md": "[-15, 16]",
    "docs/trains.md": "final.kaon 250",
}


@pytest.mark.parametrize("page", PAGES)
def test_the_first_program_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    program = blocks("python", page)[0]
    assert "examples/ttbar/" in program
    assert len(program.splitlines()) <= 10
    names: dict[str, Any] = {}
    exec(compile(program, page, "exec"), names)
    assert PAGES[page] in capsys.readouterr().out
