"""The programs of the page about other libraries run as printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
from test_readme import LIBRARY, ROOT, blocks, compile_program, program_of

import kaon

PAGE = "docs/tables.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with files of events with muons."""
    random = np.random.default_rng(7)
    counts = random.integers(0, 4, 1000)
    muons = {
        name: ak.unflatten(random.uniform(0, 100, counts.sum()).astype(np.float32), counts)
        for name in ("pt", "eta")
    }
    data = {"Muon": ak.zip(muons), "MET": random.uniform(0, 100, 1000).astype(np.float32)}
    for name in ("events", "run1", "run2"):
        with kaon.create(tmp_path / f"{name}.kaon", cluster_entries=200) as out:
            out["events"].extend(data)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for program in blocks("python", PAGE):
        exec(compile(program, PAGE, "exec"), names)
    events = kaon.open("events.kaon")["events"].arrays()
    assert len(names["together"]) == 2000
    assert {read.name for read in names["log"]} == {"Muon", "Muon.pt", "MET"}
    assert len(names["hard"]) == ak.sum((ak.num(events.Muon) == 2) & (events.MET > 30))
    assert len(names["boosted"].collect()) == 2 * ak.sum(events.MET > 90)
    for written in ("tables.kaon:events", "tables.kaon:copies", "again.kaon:events"):
        pt = kaon.open(written)["Muon.pt"].array()
        assert pt.tolist() == events.Muon.pt.tolist()
    assert "run2.kaon 0 1000" in capsys.readouterr().out


def test_cpp(folder: Path) -> None:
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    (folder / "page.cpp").write_text(program_of("\n".join(blocks("cpp", PAGE))))
    compile_program([folder / "page.cpp"], folder / "page.out")
    subprocess.run([folder / "page.out"], check=True)
    events, selected = (
        kaon.open(f"{name}.kaon")["events"].arrays(["Muon.pt", "MET"])
        for name in ("events", "selected")
    )
    assert selected.tolist() == events.tolist()
