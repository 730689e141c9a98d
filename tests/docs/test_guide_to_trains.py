"""The programs of the guide to trains run as printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from test_batches import MET, MUONS, write_program
from test_readme import LIBRARY, blocks, compile_program, program_of

import kaon


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory where the page's programs have run."""
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    directory = tmp_path_factory.mktemp("trains")
    train, parents = blocks("cpp", "docs/trains.md")
    programs = f"{write_program()}double sum = 0;\n{train}{parents}std::cout << sum;"
    code = f"#include <kaon/kaon.h>\n{programs}"
    (directory / "main.cpp").write_text(program_of(code))
    compile_program([directory / "main.cpp"], directory / "main.out")
    done = subprocess.run([directory / "main.out"], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (directory / "printed").write_text(done.stdout)
    return directory


def test_the_train_writes_the_described_files(directory: Path) -> None:
    dimuons = [len(event) >= 2 for event in MUONS]
    central = [all(abs(eta) < 1 for _, eta, _ in event) for event in MUONS]
    hard = [met > 15 for met in MET]
    *printed, whole = (directory / "printed").read_text().splitlines()
    assert printed == [
        f"dimuons.kaon: {sum(dimuons)}",
        f"central.kaon: {sum(central)}",
        f"hard.kaon: {sum(hard)}",
        f"list.kaon: {sum(hard)}",
    ]
    assert float(whole) == sum(
        met for met, is_central in zip(MET, central, strict=True) if is_central
    )
    muons = kaon.open(directory / "hard.kaon")["events"].arrays()["Muon"]
    expected = [
        [pt for pt, _, _ in event if pt > 5]
        for event, is_hard in zip(MUONS, hard, strict=True)
        if is_hard
    ]
    assert sorted(muons.pt.tolist()) == sorted(expected)
    listed = kaon.open(directory / "list.kaon")["events"].arrays()
    assert listed.MET_pt.tolist() == [met for met in MET if met > 15]


def test_the_plan_runs(directory: Path, tmp_path: Path) -> None:
    (plan,) = blocks("yaml", "docs/trains.md")
    (tmp_path / "plan.yaml").write_text(plan)
    events = kaon.dataset(f"{directory}/events.kaon:events")
    report = kaon.train.read_plan(tmp_path / "plan.yaml").train(events, tmp_path).run()
    assert [output.entries for output in report.outputs] == [
        sum(sum(pt > 5 for pt, _, _ in event) >= 2 for event in MUONS),
        sum(met > 15 for met in MET),
        sum(met > 15 for met in MET),
    ]
    hard = kaon.open(tmp_path / "hard.kaon")["events"]
    assert {name.partition(".")[0] for name in hard} == {"Muon", "MET_pt", "provenance"}
