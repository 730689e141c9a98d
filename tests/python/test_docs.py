"""The programs of the guides, as they stand there."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import awkward as ak
import matplotlib
import numpy as np
import pytest

import kaon

DOCS = Path(__file__).parents[2] / "docs"
TOUR = Path(os.environ.get("KAON_BUILD", DOCS.parent / "build/release"))
TOUR /= "examples/dataframe/dataframe_tour"


def programs(page, language):
    """The blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.fixture
def run7(tmp_path, monkeypatch):
    """What the programs read: two files of events with muons."""
    random = np.random.default_rng(7)
    (tmp_path / "run7").mkdir()
    for name in ("a", "b"):
        counts = random.integers(0, 5, 1000)
        members = {
            member: ak.unflatten(random.uniform(*of, counts.sum()).astype(np.float32), counts)
            for member, of in {"pt": (5, 100), "eta": (-3, 3), "phi": (-3, 3)}.items()
        }
        charges = random.choice(np.array([-1, 1], np.int32), counts.sum())
        members["charge"] = ak.unflatten(charges, counts)
        with kaon.create(tmp_path / f"run7/{name}.kaon") as out:
            out["events"].extend(
                {
                    "Muon": ak.zip(members),
                    "MET_pt": random.uniform(0, 100, 1000).astype(np.float32),
                }
            )
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")


@pytest.mark.filterwarnings("ignore:Integer weights")  # mplhep would like to have SciPy
def test_the_dataframe_page_runs(run7):
    names = {}
    for program in programs("dataframe.md", "python"):
        exec(compile(program, "dataframe.md", "exec"), names)
    spectrum = names["spectrum"].value
    assert spectrum.sum(flow=True).value == names["cuts"].cuts[0].passed > 100
    assert len(names["pt"]) == names["cuts"].cuts[0].passed


@pytest.mark.skipif(not TOUR.exists(), reason="examples/dataframe is not built")
def test_the_program_of_the_dataframe_page_runs(run7):
    shutil.copy("run7/a.kaon", "events.kaon")
    kaon.convert("run7/b.kaon", "more.root")
    pairs, cuts, *_, written = subprocess.run(
        [TOUR], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    a, b = (kaon.open(f"run7/{name}.kaon")["events"].arrays() for name in ("a", "b"))
    charge = a.Muon.charge[ak.num(a.Muon) == 2]
    assert pairs.startswith(f"{ak.sum(charge[:, 0] != charge[:, 1])} pairs, ")
    passed = sum(ak.sum(ak.sum(events.Muon.pt > 20, axis=1) == 2) for events in (a, b, b))
    assert cuts.split()[:4] == ["two", "muons", "3000", str(passed)]
    assert int(written) == passed


@pytest.mark.parametrize("block", programs("dataframe.md", "cpp"))
def test_what_the_dataframe_page_shows_is_in_a_program(block):
    """Programs that are compiled and run have these very lines."""
    sources = (DOCS.parent / "examples").rglob("*.cpp")
    texts = [" ".join(source.read_text().split()) for source in sources]
    for line in (re.sub(r"\s*//.*", "", line) for line in block.splitlines()):
        wanted = " ".join(line.split())
        assert any(wanted in text for text in texts), line
