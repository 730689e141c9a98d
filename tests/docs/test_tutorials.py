"""The programs and commands of the tutorials run; the card has names that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import awkward as ak
import matplotlib
import numpy as np
import pytest
from test_readme import ROOT, blocks

import kaon
from kaon.command.cli import _parser, main


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    return tmp_path


def run(page: str) -> dict[str, Any]:
    """Run the programs of a page, then its commands; return the names of the programs."""
    names: dict[str, Any] = {}
    for program in blocks("python", page):
        exec(compile(program, page, "exec"), names)
    for commands in blocks("console", page):
        for line in commands.splitlines():
            assert main(shlex.split(line.removeprefix("$ kaon "))) == 0, line
    return names


@pytest.mark.filterwarnings("ignore:Integer weights")  # mplhep prefers SciPy
def test_from_nanoaod_to_a_plot(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = run("docs/tutorial-nanoaod.md")
    muons = kaon.open("data.root")["Events"].arrays("Muon").Muon
    good = muons[(muons.pt > 20) & (muons.pfRelIso04_all < 0.15)]
    pairs = good[(ak.num(good) == 2) & (ak.sum(good.charge, axis=1) == 0)]
    mass = np.asarray((pairs[:, 0] + pairs[:, 1]).mass)
    counts, _ = np.histogram(mass, 30, (60, 120))
    assert names["spectrum"].value["data", :].values().tolist() == counts.tolist()
    assert len(kaon.open("pairs.root")["Events"]) == len(mass) > 5000
    ratio = counts.sum() / sum(names["spectrum"].value[of, :].values().sum() for of in ("Z", "tt"))
    assert ratio == pytest.approx(1, abs=0.03)
    assert Path("dimuons.png").read_bytes().startswith(b"\x89PNG")
    assert "two muons" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:Integer weights")
def test_from_hipo_to_a_missing_mass(here: Path) -> None:
    names = run("docs/tutorial-clas12.md")
    spectrum = names["spectrum"].value
    peak = spectrum.axes[0].centers[np.argmax(spectrum.values())]
    assert peak == pytest.approx(0.9396, abs=0.016)
    passed = names["cuts"].cuts[-1].passed
    assert spectrum.sum(flow=True).value <= passed < 20_000
    kept = len(kaon.open("neutrons.hipo")["events"])
    assert 0.45 * passed < kept < 0.65 * passed


def test_the_card_has_names_that_exist() -> None:
    text = (ROOT / "docs/card.md").read_text()
    for name in re.findall(r"\bkaon\.([a-z]\w+)\(", text):
        assert hasattr(kaon, name), name
    for name in re.findall(r"\bdf\.([a-z]\w+)\(", text):
        assert hasattr(kaon.Dataframe, name), name
    for name in re.findall(r"\bevents\.([a-z]\w+)\(", text):
        assert hasattr(kaon.Category, name), name
    commands = re.findall(r"^kaon (\w+) ", text, re.MULTILINE)
    assert len(commands) == 8 and all(f" {name} " in _parser().format_help() for name in commands)
