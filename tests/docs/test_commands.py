"""The examples on the page about the command line run, and the page lists all commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
from test_readme import ROOT, blocks

import kaon
from kaon.command.cli import main

PAGE = (ROOT / "docs/commands.md").read_text()
EXAMPLES = [line for block in blocks("sh", "docs/commands.md") for line in block.splitlines()]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the files that the examples use."""
    directory = tmp_path_factory.mktemp("commands")
    (directory / "examples").symlink_to(ROOT / "examples")
    random = np.random.default_rng(7)
    counts = random.integers(2, 4, 200)
    momenta = random.exponential(20, counts.sum()) + 1
    muons = ak.zip({"pt": ak.unflatten(momenta, counts), "eta": ak.unflatten(momenta, counts)})
    events = {"run": np.full(200, 7), "event": np.arange(200), "MET": random.uniform(0, 50, 200)}
    for name in ("run7", "run8", "data", "simulation", "a"):
        with kaon.create(directory / f"{name}.kaon") as out:
            out["events"].extend({**events, "Muon": muons, "Jet": muons})
    with kaon.create(directory / "b.root") as out:
        out["Events"].extend({name: values[:50] for name, values in events.items()})
    return directory


def test_every_command_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.findall(r"^    (\w+)(?: |$)", capsys.readouterr().out, flags=re.MULTILINE)
    assert len(commands) > 10
    listed = re.findall(r"^\| `kaon (\w+)", PAGE, flags=re.MULTILINE)
    assert sorted(listed) == sorted(set(commands))


def test_reads_are_recorded_as_it_says(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(directory)
    exec("\n".join(blocks("python", "docs/commands.md")), {})
    assert '["MET", "Muon.pt"]' in (directory / "reads.jsonl").read_text()


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples(
    example: str,
    directory: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(directory)
    if "--trace" in example:
        exec("\n".join(blocks("python", "docs/commands.md")), {})
    program, *arguments = shlex.split(example, comments=True)
    assert program == "kaon"
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    if "-o" in arguments:
        assert Path(arguments[arguments.index("-o") + 1]).stat().st_size > 1000
    elif "semi join" in example:
        assert printed.out.split()[-1] == "50"
    else:
        assert printed.out.strip()
