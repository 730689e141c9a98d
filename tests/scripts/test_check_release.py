"""Sources whose version, changelog and golden files disagree do not become a release."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/check-release.py"
SPEC = importlib.util.spec_from_file_location("check_release", SCRIPT)
assert SPEC and SPEC.loader
check_release = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_release)

CHANGELOG = """# Changelog

## 0.2.0 (2027-03-01)

### Upgrade

Nothing.

## 0.1.0 (2026-12-24)

The first release.
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a checkout that is ready for the release of 0.2.0."""
    (tmp_path / "CMakeLists.txt").write_text("project(kaon VERSION 0.2.0 LANGUAGES CXX)\n")
    (tmp_path / "CITATION.cff").write_text("title: kaon\nversion: 0.2.0\n")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "pyproject.toml").write_text('dependencies = ["awkward>=2.8", "numpy"]\n')
    recipe = "context:\n  version: 0.2.0\n  run:\n    - awkward >=2.8\n    - numpy\n\ntests:\n"
    write(tmp_path / "packaging/conda/recipe.yaml", recipe)
    package = 'depends_on("py-awkward@2.8:")\ndepends_on("py-numpy")\n'
    write(tmp_path / "packaging/spack/packages/py_kaon/package.py", package)
    golden = tmp_path / "tests/format/golden"
    golden.mkdir(parents=True)
    (golden / "bounds.kaon").write_bytes(b"events")
    assert check_release.main(["--freeze"], tmp_path) == 0
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_release_that_is_ready_has_no_faults(sources: Path) -> None:
    assert check_release.main(["v0.2.0"], sources) == 0


def test_notes_are_the_part_of_the_version(
    sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    check_release.main(["v0.2.0", "--notes"], sources)
    assert capsys.readouterr().out == "### Upgrade\n\nNothing.\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("CITATION.cff", "0.2.0", "0.1.0", "CITATION.cff: version is 0.1.0, but"),
        ("CMakeLists.txt", "0.2.0", "0.3.0", "the first heading must be '## 0.3.0 (unreleased)'"),
        ("packaging/conda/recipe.yaml", "0.2.0", "0.1.0", "recipe.yaml: version differs"),
        ("packaging/conda/recipe.yaml", "- numpy", "- numba", "recipe.yaml: lacks numpy"),
        ("pyproject.toml", "numpy", "hist", "py_kaon/package.py: lacks hist"),
        ("CHANGELOG.md", "### Upgrade", "### Other", "0.2.0 lacks '### Upgrade'"),
        ("CHANGELOG.md", "2026-12-24", "unreleased", "0.1.0 is unreleased, but a later version"),
        ("CHANGELOG.md", "0.1.0", "0.2.1", "versions must be in descending order"),
        ("tests/format/golden/bounds.kaon", "events", "runs", "bounds.kaon: changed, but kaon 0.2"),
    ],
)
def test_contradictions_are_reported(
    sources: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    old: str,
    new: str,
    message: str,
) -> None:
    replace(sources / file, old, new)
    assert check_release.main([], sources) == 1
    assert message in capsys.readouterr().err


def test_golden_files_of_a_release_may_not_vanish(
    sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sources / "tests/format/golden/bounds.kaon").unlink()
    assert check_release.main([], sources) == 1
    assert "bounds.kaon: missing, but kaon 0.2.0 has released it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tag", "file", "old", "new", "message"),
    [
        ("v0.2.1", "CHANGELOG.md", "Nothing", "None", "the tag is v0.2.1, but"),
        ("v0.2.0", "CHANGELOG.md", "2027-03-01", "unreleased", "needs the date of the release"),
        ("v0.2.0", "tests/format/released.json", "0.2.0", "0.1.0", "--freeze"),
    ],
)
def test_a_release_that_is_not_ready_is_reported(
    sources: Path,
    capsys: pytest.CaptureFixture[str],
    tag: str,
    file: str,
    old: str,
    new: str,
    message: str,
) -> None:
    replace(sources / file, old, new)
    assert check_release.main([tag], sources) == 1
    assert message in capsys.readouterr().err
