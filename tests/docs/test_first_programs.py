"""Each page begins with a program that runs as printed, in the project's folder."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from test_readme import LIBRARY, ROOT, blocks, compile_program

from kaon.modelgen import generate

# The output of each page's first program.
IN_PYTHON = {
    "README.md": "80.",
    "docs/coming-from-coffea.md": "{'sample': {'events': 250, 'tops': 1000}}",
    "docs/coming-from-hipo.md": "0.000511",
    "docs/coming-from-lcio.md": "13 1.5",
    "docs/coming-from-uproot.md": "[2212, 2212]",
    "docs/corrections.md": "252.5",
    "docs/cut-flows.md": "61.5 ± 5.5",
    "docs/dataframe.md": "many particles           250            46   18.40 %",
    "docs/designing-a-model.md": "'momentum': 'GeV'",
    "docs/event-displays.md": "sample.kaon, entry 7",
    "docs/evolution.md": "?float64",
    "docs/expressions.md": "[3, 4, 4",
    "docs/format.md": "cluster  at     1344: 7561 meta bytes",
    "docs/hipo-files.md": "{pid: 11, px: 1.5}",
    "docs/index.md": "[-15, 16]",
    "docs/lcio-files.md": "13 -1",
    "docs/machine-learning.md": "(18, 4)",
    "docs/models.md": "24 GeV",
    "docs/more-machines.md": "{'events': 250, 'tops': 1000}",
    "docs/python.md": "[-15, 16]",
    "docs/root-files.md": "PDG: 2212, mass: 0.938",
    "docs/plots.md": "['Entries / 60', 'Data / sum']",
    "docs/storage.md": "row ",
    "docs/tables.md": "mean           787.044000",
    "docs/trains.md": "final.kaon 250",
    "docs/tutorial-clas12.md": "20000 entries",
    "docs/tutorial-nanoaod.md": "12500 entries",
    "docs/trust.md": "sound: 6 records",
}
IN_CPP = {
    "docs/batches.md": "GeV per event",
    "docs/coming-from-podio.md": "80.",
    "docs/event-loop.md": "",
    "docs/models-at-run-time.md": "-15 ",
}
NEEDED = {"docs/tables.md": ["pandas", "pyarrow"]}


def first_program(page: str, language: str) -> str:
    """Return the first block of code of a page, which must have this language."""
    text = (ROOT / page).read_text()
    ((told, program), *_) = re.findall(r"^```(.*?)\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert told == language
    assert len(program.splitlines()) <= 10
    return str(program)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", IN_PYTHON)
def test_the_first_program_in_python_runs(
    page: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if any(find_spec(package) is None for package in NEEDED.get(page, [])):
        pytest.skip(f"needs {NEEDED[page]}")
    names: dict[str, Any] = {"__name__": page}
    exec(compile(first_program(page, "python"), page, "exec"), names)
    assert IN_PYTHON[page] in capsys.readouterr().out


def test_the_start_page_has_a_program_in_cpp(folder: Path) -> None:
    (program,) = blocks("c\\+\\+", "docs/index.md")
    printed = output_of(program, folder).split()
    assert len(printed) > 250
    assert all(float(mass) > 170 for mass in printed)


@pytest.mark.parametrize("page", IN_CPP)
def test_the_first_program_in_cpp_runs(page: str, folder: Path) -> None:
    assert IN_CPP[page] in output_of(first_program(page, "c++"), folder)


def output_of(program: str, folder: Path) -> str:
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    (folder / "main.cpp").write_text(program)
    sources = [folder / "main.cpp"]
    if "ttbar/ttbar.h" in sources[0].read_text():
        generate(ROOT / "examples/ttbar/ttbar.yaml", folder)
        sources.append(folder / "ttbar/ttbar.cc")
    compile_program(sources, folder / "main.out")
    return subprocess.run([folder / "main.out"], check=True, capture_output=True, text=True).stdout


def test_every_page_with_programs_begins_with_one() -> None:
    others = {"architecture", "benchmarks", "policies", "style"}  # these show no programs
    # Other tests run these.
    others |= {"card", "commands", "frameworks", "hdf5-files", "java-and-c", "rdataframe"}
    others |= {"tutorial-edm4hep"}
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - others
    assert pages == {Path(page).stem for page in {**IN_PYTHON, **IN_CPP}} - {"README"}
