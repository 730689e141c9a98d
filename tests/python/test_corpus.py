"""The comparison of kaon with other readers on many files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def compared(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", ROOT / "scripts/corpus.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


def count(output: str, what: str) -> int:
    line = next(line for line in output.splitlines() if line.strip().startswith(what))
    return int(line.strip().removeprefix(what).split()[0].rstrip(",;"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("ttree_uncompressed", "ttree_counted"):
        shutil.copy(ROOT / f"tests/data/root/{name}.root", tmp_path)
    (tmp_path / "broken.root").write_bytes(b"root" + bytes(100))
    (tmp_path / "notes.txt").write_text("not data")
    return tmp_path


def test_files_are_compared_and_refusals_are_counted(corpus: Path) -> None:
    run = compared(corpus)
    assert run.returncode == 0, run.stdout + run.stderr
    assert count(run.stdout, "files") == 3
    assert count(run.stdout, "equal") > 6
    assert count(run.stdout, "different") == 0
    assert count(run.stdout, "refused") == 1
    assert "others read 0 of them" in run.stdout


def test_a_reader_that_hangs_is_a_failure(corpus: Path) -> None:
    run = compared(corpus / "ttree_counted.root", "--seconds", "0.01")
    assert run.returncode == 1
    assert "timeout: more than 0.01 s" in run.stdout


def test_results_of_other_readers_are_kept(corpus: Path) -> None:
    arguments = (corpus / "ttree_counted.root", "--keep", corpus / "kept")
    assert compared(*arguments).returncode == 0
    kept = (corpus / "kept").read_text()
    assert "uproot" in kept and "kaon" not in kept
    (corpus / "kept").write_text(kept.replace(r"\"exact\": \"", r"\"exact\": \"x"))
    run = compared(*arguments)
    assert run.returncode == 1
    assert count(run.stdout, "equal") == 0


def test_columns_with_the_values_of_another_one_are_a_failure(corpus: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from corpus import Comparison, Reading
        from corpus_readers import digest
    finally:
        sys.path.pop(0)
    one, two = digest([1, 2]), digest([3, 4])
    ours = Reading(columns={("t", "hits.x"): one, ("t", "hits.y"): two})
    theirs = Reading(columns={("t", "hits/hits.x"): two, ("t", "hits_y"): one})
    comparison = Comparison(corpus / "a.root", ours, theirs)
    comparison.run()
    assert comparison.equal == 0
    assert comparison.different == list(theirs.columns)


def test_values_that_differ_are_a_failure(corpus: Path) -> None:
    """A file that changes between two readers stands for a wrong reader."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from corpus import Comparison, Reading
        from corpus_readers import digest
    finally:
        sys.path.pop(0)
    key = ("t", "x")
    ours, theirs = Reading(columns={key: digest([1, 2])}), Reading(columns={key: digest([1, 3])})
    comparison = Comparison(corpus / "a.root", ours, theirs)
    comparison.run()
    assert (comparison.equal, comparison.different) == (0, [key])
    comparison.judge(Reading(columns={key: digest([1.0, 2.0])}))  # ROOT has kaon's values
    assert (comparison.equal, comparison.different) == (1, [])
    comparison.judge(Reading(columns={key: digest([1.0, 3.0])}))
    assert (comparison.equal, comparison.different) == (0, [key])
