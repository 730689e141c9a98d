"""The programs of the guide to designing a model run as printed, with both of its versions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_readme import LIBRARY, blocks, compile_program, program_of

from kaon.model.comparison import Effect, diff
from kaon.modelgen import generate, load_model

PAGE = "docs/designing-a-model.md"


def changed(text: str, difference: str) -> str:
    """Apply the hunks of a diff; each must match exactly one place."""
    for piece in difference.split("@@\n"):
        lines = piece.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the files of both versions of the page's model, in separate directories."""
    directory = tmp_path_factory.mktemp("telescope")
    (first,) = blocks("yaml", PAGE)
    (difference,) = blocks("diff", PAGE)
    paths = [directory / version / "telescope.yaml" for version in ("1", "2")]
    for path, text in zip(paths, (first, changed(first, difference)), strict=True):
        path.parent.mkdir()
        path.write_text(text)
    return paths


def run(model: Path, code: str) -> str:
    """Compile code with the classes of a model; return its output."""
    generate(model, model.parent)
    (model.parent / "main.cpp").write_text(program_of(code))
    program = model.parent / "main.out"
    compile_program([model.parent / "main.cpp", model.parent / "telescope/telescope.cc"], program)
    directory = model.parent.parent
    result = subprocess.run([program], cwd=directory, check=True, capture_output=True, text=True)
    return result.stdout


def test_version_2_reads_all_of_version_1(versions: list[Path]) -> None:
    changes = diff(*map(load_model, versions))
    assert {change.effect for change in changes} == {Effect.READ}


def test_programs(
    versions: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    writing, reading = blocks("cpp", PAGE)
    assert run(versions[0], writing) == ""
    assert run(versions[1], reading) == "no time, 0, good, 22500 e\n"
    monkeypatch.chdir(versions[0].parent.parent)
    scope: dict[str, Any] = {}
    exec(blocks("python", PAGE)[1], scope)
    assert "step 0.0001" in capsys.readouterr().out
    assert scope["run"]["runs"].arrays()["run"].tolist() == [[7]]
    assert abs(scope["a"].Tracks.clusters.u[999, 0, 5] - 0.25) < 0.1
