"""The programs of pages that need other libraries run as printed."""

import re
import warnings
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon

DOCS = Path(__file__).parents[3] / "docs"

pytestmark = pytest.mark.filterwarnings("ignore::Warning")  # warnings of the libraries


def programs(page):
    """Return the Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.fixture
def files(folder, tmp_path, monkeypatch):
    """Make the files that the programs read."""
    for number, name in enumerate("abc", start=1):
        (tmp_path / f"run{number}.kaon").symlink_to(folder / f"{name}.kaon")
    with kaon.create(tmp_path / "nano.kaon") as out:
        out["Events"].extend(kaon.open(folder / "a.kaon")["events"].arrays())
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)


def run(page):
    names = {"__name__": page}
    for program in programs(page):
        exec(compile(program, page, "exec"), names)
    return names


def test_the_page_on_more_machines_runs(files, everything):
    for name in ("dask_awkward", "dask.dataframe", "distributed"):
        pytest.importorskip(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("coffea.nanoevents")
    names = run("more-machines.md")
    names["client"].close()
    names["cluster"].close()
    result = names["result"]
    assert result["events"] == len(everything)
    assert result["muons"] == ak.sum(everything.Muon.pt > 20) == result["pt"].sum().value
    assert names["by_sample"]["signal"]["events"] == 2000
    expected = ak.sum(everything.Muon.pt[everything.MET > 50])
    assert names["total"].compute(scheduler="sync") == pytest.approx(expected, rel=1e-4)
    assert len(names["frame"]) == ak.sum(everything.MET > 50)
    assert names["again"] == {
        "data": {"events": 2000, "muons": ak.sum(ak.num(everything.Muon[:2000]))}
    }


def test_clusters_of_batch_systems_are_made_as_the_page_says():
    """Checks the job script that would be submitted, because there is no batch system."""
    dask_jobqueue = pytest.importorskip("dask_jobqueue")
    page = (DOCS / "more-machines.md").read_text()
    (call,) = re.findall(r"^cluster = (HTCondorCluster\(.*\))$", page, re.MULTILINE)
    with eval(call, vars(dask_jobqueue)) as cluster:
        assert "DaskWorkerMemory = 4000000000" in cluster.job_script()


def test_the_page_on_training_runs(files):
    pytest.importorskip("torch")
    names = run("machine-learning.md")
    assert np.isfinite(names["loss"].item())
    assert names["batch"]["Muon.pt"].shape[1] == 4


def test_the_page_for_users_of_coffea_runs(files):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("coffea.nanoevents")
    with kaon.create("nano.root", format="ttree") as out:
        out["Events"].extend(kaon.open("nano.kaon:Events").arrays())
    first, theirs, ours, same, *others = programs("coming-from-coffea.md")
    expected, names = {}, {}
    exec(theirs, expected)
    exec("\n".join([first, ours, *others]), names)
    assert expected["result"]["data"]["mass"] == names["result"]["data"]["mass"]
    assert expected["result"]["data"]["events"] == len(kaon.open("nano.root:Events"))
    assert expected["result"]["data"]["mass"].sum().value > 50
    both = {**names, **expected}
    exec(same, both)
    assert both["same"]["data"]["data"]["mass"] == names["result"]["data"]["mass"]


def test_the_compiled_function_of_the_dataframe_page_runs(folder, everything):
    pytest.importorskip("numba")
    (program,) = re.findall(
        r"```python\n(import math\nimport numba\n.*?)```",
        (DOCS / "dataframe.md").read_text(),
        re.DOTALL,
    )
    names = {"events": kaon.dataset(f"{folder}/a.kaon:events")}
    exec(program, names)
    assert len(names["masses"]) == 2000
    pairs = ak.num(everything.Muon[:2000]) == 2
    assert ((names["masses"] > 0) == ak.to_numpy(pairs)).all()
