"""The programs of the page about Java and C run as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
from built import BUILD, is_built
from test_readme import ROOT, blocks

import kaon

PAGE = "docs/java-and-c.md"
LIBRARY = "src/kaon-c/libkaon_c.so"
JAR = "java/kaon.jar"


def run_java(name: str, folder: Path) -> str:
    """Run the page's program of this name; return its output."""
    if not (is_built(LIBRARY) and is_built(JAR)):
        pytest.skip("the package for Java is not built: that takes a JDK of Java 22 or newer")
    cache = (BUILD / "CMakeCache.txt").read_text()
    (jdk,) = re.findall(r"^KAON_JAVA_HOME:PATH=(.*)$", cache, flags=re.M)
    (code,) = [code for code in blocks("java", PAGE) if f"class {name} " in code]
    (folder / f"{name}.java").write_text(code)
    java = [f"{jdk}/bin/java", "--enable-native-access=ALL-UNNAMED", "-cp", BUILD / JAR]
    return subprocess.run(
        [*java, f"{name}.java"],
        cwd=folder,
        env=os.environ | {"LD_LIBRARY_PATH": os.fspath((BUILD / LIBRARY).parent)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_java_counts_particles(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    counts = map(int, run_java("Particles", tmp_path).split())
    particles = kaon.open(ROOT / "examples/ttbar/sample.kaon")["events"].arrays("MCParticles.PDG")
    assert sum(counts) == ak.count(particles.MCParticles.PDG)


def test_java_reads_files_of_python(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    counts = random.integers(0, 9, 5000)
    px, py = random.normal(size=(2, counts.sum())).astype(np.float32)
    charge = random.integers(-1, 2, counts.sum()).astype(np.int8)
    members = {"px": px, "py": py, "charge": charge}
    particles = ak.zip({name: ak.unflatten(of, counts) for name, of in members.items()})
    with kaon.create(tmp_path / "run.hipo") as out:
        out["events"].extend({"REC::Particle": particles})
    said = run_java("Momenta", tmp_path)
    wanted = np.hypot(px.astype(float), py.astype(float))[charge != 0].sum()
    assert float(said) == pytest.approx(wanted, rel=1e-12)


def test_python_reads_files_of_java(tmp_path: Path) -> None:
    run_java("Muons", tmp_path)
    events = kaon.open(tmp_path / "muons.kaon")["events"].arrays()
    assert events.run.tolist() == [1, 1, 2]
    assert events.Muon.pt.tolist() == [[41.0, 12.5], [], [33.0]]
    assert events.Muon.charge.tolist() == [[1, -1], [], [1]]
    assert events.Muon.charge.type.content.content == ak.types.NumpyType("int8")


def muons(counts: list[int]) -> ak.Array:
    """Make muons with these numbers per event."""
    random = np.random.default_rng(5)
    members = {
        "pt": random.exponential(20, sum(counts)),
        "eta": random.normal(size=sum(counts)),
        "phi": random.uniform(-3, 3, sum(counts)),
        "mass": np.full(sum(counts), 0.1),
        "charge": random.choice([-1, 1], sum(counts)),
    }
    return ak.unflatten(ak.zip(members), counts)


def test_java_computes_the_results_of_python(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "nano.root") as out:
        out["Events"].extend({"Muon": muons([2, 3, 0, 2, 2, 1] * 500)})
    lines = [line.split() for line in run_java("Masses", tmp_path).splitlines()]
    events = kaon.open(tmp_path / "nano.root")["Events"].arrays(
        ["entry", "mass"],
        "count(Muon) == 2 and Muon.charge[0] != Muon.charge[1]",
        aliases={"mass": "(Muon[0] + Muon[1]).mass", "entry": "dataset.entry"},
    )
    assert 500 < len(lines) < 1500
    assert [int(entry) for entry, _ in lines] == events.entry.tolist()
    assert [float(mass) for _, mass in lines] == events.mass.tolist()


def test_java_skims_files(tmp_path: Path) -> None:
    pid = ak.unflatten(np.array([11, 211, 22, 211, 11, 11], np.int32), [2, 1, 1, 0, 2])
    for name in ("run1.hipo", "run2.hipo"):
        with kaon.create(tmp_path / name) as out:
            out["events"].extend({"REC::Particle": ak.zip({"pid": pid})})
            out.metadata["beam"] = "10.6"
    run_java("Skim", tmp_path)
    skimmed = kaon.open(tmp_path / "electrons.hipo")
    assert skimmed["events"].arrays()["REC::Particle"].pid.tolist() == [[11, 211], [11, 11]] * 2
    assert dict(skimmed.metadata) == {"beam": "10.6", "cut": "electrons"}


def test_c_reads_files_of_python(tmp_path: Path) -> None:
    if shutil.which("cc") is None or not is_built(LIBRARY):
        pytest.skip("kaon's library for C is not built: run `make test`")
    pyarrow = pytest.importorskip("pyarrow")
    pt = ak.unflatten(np.array([41, 12.5, 33], np.float32), [2, 0, 1])
    with kaon.create(tmp_path / "muons.kaon") as out:
        out["events"].extend({"Muon": ak.zip({"pt": pt})})
    path = tmp_path / "main.c"
    (code,) = blocks("c", PAGE)
    path.write_text(code)
    folders = [f"-I{pyarrow.get_include()}", f"-I{ROOT / 'include'}"]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    library = BUILD / LIBRARY
    program = [library, f"-Wl,-rpath,{library.parent}", "-o", tmp_path / "main.out"]
    subprocess.run(["cc", *flags, *folders, path, *program], check=True)
    said = subprocess.run([tmp_path / "main.out"], cwd=tmp_path, capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, "86.5\n"), said.stderr
    (tmp_path / "muons.kaon").unlink()
    said = subprocess.run([tmp_path / "main.out"], cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 1
    assert "muons.kaon: cannot open: No such file" in said.stderr
