"""The C++ programs of these guides are in the examples, and run."""

import re
import shlex
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import awkward as ak
import matplotlib
import numpy as np
import pytest
from built import BUILD, needs_built

import kaon
from kaon.command.cli import main

DOCS = Path(__file__).parents[2] / "docs"
TOUR = "examples/dataframe/dataframe_tour"
CLAS12 = "examples/clas12/clas12_electrons"
RECONSTRUCTION = "examples/reconstruction/reconstruction_example"
LCIO = "examples/lcio/lcio_migration"


def programs(page, language):
    """Return the blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.fixture
def run7(tmp_path, monkeypatch):
    """Make the files that the programs read: two files of events with muons."""
    random = np.random.default_rng(7)
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
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


@pytest.mark.filterwarnings("ignore:Integer weights")  # mplhep prefers SciPy
def test_the_dataframe_page_runs(run7):
    names = run("dataframe.md")
    spectrum = names["spectrum"].value
    assert spectrum.sum(flow=True).value == names["cuts"].cuts[0].passed > 100
    assert len(names["pt"]) == names["cuts"].cuts[0].passed
    assert names["counts"].sum(flow=True).value == 2000


def test_the_page_of_expressions_runs(run7):
    events = kaon.open("run7/a.kaon")["events"].arrays()
    two = ak.num(events.Muon[events.Muon.pt > 20]) >= 2
    names = run("expressions.md")
    assert names["leading"].pt.to_list() == events.Muon.pt[two][:, 0].to_list()
    assert len(names["mass"].value) == len(names["pairs"].take("MET_pt").value) > 100
    for line in programs("expressions.md", "console")[0].splitlines():
        assert main(shlex.split(line.removeprefix("$ kaon "))) == 0
    assert len(kaon.open("pairs.kaon")["events"]) == ak.sum(two)
    assert Path("leading.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_of_cut_flows_runs(monkeypatch, capsys):
    monkeypatch.chdir(DOCS.parent)
    names = run("cut-flows.md")
    assert "signal & background" in capsys.readouterr().out
    assert names["cuts"].samples()["background"].cuts[0].entries == 250
    assert [spectrum.value.sum(flow=True).value for spectrum in names["spectra"].values()] == [
        sum(names["selected"].without_filter(label).take("n").value > 0) for label in names["plots"]
    ]


def test_the_page_of_plots_runs(tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names = run("plots.md")
    assert len(names["figure"].axes) == 2
    (line,) = programs("plots.md", "console")
    assert main(shlex.split(line.removeprefix("$ kaon "))) == 0
    for picture in ("particles.png", "stack.png"):
        assert Path(picture).read_bytes().startswith(b"\x89PNG")


@needs_built(TOUR)
def test_the_program_of_the_dataframe_page_runs(run7):
    shutil.copy("run7/a.kaon", "events.kaon")
    kaon.convert("run7/b.kaon", "more.root")
    pairs, cuts, *_, written = subprocess.run(
        [BUILD / TOUR], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    a, b = (kaon.open(f"run7/{name}.kaon")["events"].arrays() for name in ("a", "b"))
    charge = a.Muon.charge[ak.num(a.Muon) == 2]
    assert pairs.startswith(f"{ak.sum(charge[:, 0] != charge[:, 1])} pairs, ")
    passed = sum(ak.sum(ak.sum(events.Muon.pt > 20, axis=1) == 2) for events in (a, b, b))
    assert cuts.split()[:4] == ["two", "muons", "3000", str(passed)]
    assert int(written) == passed


def run(page, language="python"):
    """Run the blocks of a page one after another; return the names that they define."""
    names = {}
    for program in programs(page, language):
        if "import numba" in program and find_spec("numba") is None:
            continue
        exec(compile(program, page, "exec"), names)
    return names


@pytest.fixture
def rec(tmp_path, monkeypatch):
    """Make a HIPO file like CLAS12's, with electrons, pions and their hits."""
    random = np.random.default_rng(3)
    counts, hits = random.integers(1, 6, 300), random.integers(0, 8, 300)
    particles, calorimeter = counts.sum(), hits.sum()
    pids = random.choice(np.array([11, -211], np.int32), particles)
    owners = (random.random(calorimeter) * np.repeat(counts, hits)).astype(np.int16)
    columns = {"pid": pids} | {
        member: random.normal(size=particles).astype(np.float32) for member in ("px", "py", "pz")
    }
    energies = random.exponential(size=calorimeter).astype(np.float32)
    with kaon.create(tmp_path / "rec.hipo") as out:
        out["events"].extend(
            {
                "REC::Particle": ak.unflatten(ak.zip(columns), counts),
                "REC::Calorimeter": ak.unflatten(
                    ak.zip({"pindex": owners, "energy": energies}), hits
                ),
                "tag": np.arange(300, dtype=np.uint32) % 2,
            }
        )
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)
    electrons = ak.unflatten(pids == 11, counts)
    shares = ak.unflatten(energies, hits)[electrons[ak.unflatten(owners, hits)]]
    # A HIPO file groups the events of each tag.
    return electrons[np.argsort(np.arange(300) % 2, kind="stable")], ak.sum(shares)


@needs_built(CLAS12)
def test_the_page_for_users_of_hipo_runs(rec):
    electrons, energy = rec
    names = run("coming-from-hipo.md")
    assert ak.sum(names["energy"]) == pytest.approx(energy, rel=1e-4)
    mine = kaon.open("mine.hipo")["events"]["MY::Electron.px"].array()
    assert ak.fill_none(ak.num(mine), 0).to_list() == ak.sum(electrons, axis=1).to_list()

    counted, shared, first, second = subprocess.run(
        [BUILD / CLAS12, "rec.hipo"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert counted.startswith(f"{ak.sum(electrons)} electrons")
    assert float(shared.split()[0]) == pytest.approx(energy, rel=1e-4)
    some, pairs = (int(ak.sum(ak.sum(electrons, axis=1) >= least)) for least in (1, 2))
    assert (first, second) == (f"electrons.hipo: {some} events", f"pairs.kaon: {pairs} events")

    (plan,) = programs("coming-from-hipo.md", "yaml")
    Path("plan.yaml").write_text(plan)
    train = kaon.train.read_plan("plan.yaml").train(kaon.dataset("rec.hipo:events"), "skims")
    report = train.estimate()
    assert [output.entries for output in report.outputs] == [some, pairs]


@needs_built(LCIO)
def test_the_page_for_users_of_lcio_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    told = subprocess.run(
        [BUILD / LCIO, "events.slcio"], check=True, capture_output=True, text=True
    ).stdout
    assert told.splitlines() == [
        "10 stable particles, sum of pz 22.5 GeV",
        "PDG 13 by 0.9",
        "a hit of PDG 13, cell 99 of layer:5,module:16",
        "10 muons",
    ]
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    names = run("coming-from-lcio.md")
    assert capsys.readouterr().out == "13 1.5\n"
    assert ak.to_list(names["energies"])[3] == pytest.approx((1 + 4 + 1.5**2) ** 0.5)


@needs_built(RECONSTRUCTION)
@pytest.mark.filterwarnings("ignore:Integer weights")
def test_the_page_of_event_loops_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    subprocess.run([BUILD / RECONSTRUCTION], check=True, capture_output=True)
    (command,) = programs("event-loop.md", "console")
    assert main(shlex.split(command.removeprefix("$ kaon "))) == 0
    assert Path("cluster-energies.png").read_bytes().startswith(b"\x89PNG")


@needs_built(RECONSTRUCTION)
@pytest.mark.filterwarnings("ignore:Integer weights")
def test_the_tutorial_of_reconstruction_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    subprocess.run([BUILD / RECONSTRUCTION], check=True, capture_output=True)
    names = run("tutorial-edm4hep.md")
    assert ak.mean(names["response"]) == pytest.approx(1, abs=0.02)
    for line in programs("tutorial-edm4hep.md", "console")[0].splitlines():
        assert main(shlex.split(line.removeprefix("$ kaon "))) == 0
    assert Path("energies.png").read_bytes().startswith(b"\x89PNG")


@needs_built(RECONSTRUCTION)
def test_the_page_of_event_displays_runs(tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)
    subprocess.run([BUILD / RECONSTRUCTION], check=True, capture_output=True)
    names = run("event-displays.md")
    tracks = names["simulated"].arrays("Tracks")[7].Tracks
    assert f"Tracks ({len(tracks)})" in [trace.name for trace in names["figure"].data]
    decays = Path("decays.dot").read_text()
    assert decays == str(names["graph"]) and "tau+" in decays
    for line in programs("event-displays.md", "console")[0].splitlines():
        assert main(shlex.split(line.removeprefix("$ kaon "))) == 0


PAGES = ["dataframe.md", "expressions.md", "event-loop.md", "tutorial-edm4hep.md"]
PAGES += ["coming-from-hipo.md", "coming-from-lcio.md"]
SHOWN = [
    block
    for page in PAGES
    for block in programs(page, "cpp")
    if not block.startswith(("// hipo", "// LCIO"))
]


@pytest.mark.parametrize("block", SHOWN)
def test_the_code_of_the_pages_is_in_a_program(block):
    """Compiled and tested programs contain each line of the pages."""
    sources = (DOCS.parent / "examples").rglob("*.*")
    texts = [
        " ".join(source.read_text().split())
        for source in sources
        if source.suffix in (".h", ".cpp")
    ]
    for line in (re.sub(r"\s*//.*", "", line) for line in block.splitlines()):
        wanted = " ".join(line.split())
        assert any(wanted in text for text in texts), line


@pytest.mark.parametrize("page", [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))], ids=str)
def test_blocks_of_code_are_told_as_the_site_knows_them(page):
    """The site renders a block with more than a language as text, and the text after it as code."""
    fences = re.findall(r"^ *```(.*)$", page.read_text(), re.MULTILINE)
    assert [told for told in fences[::2] if not re.fullmatch("[a-z+]*", told)] == []
    assert set(fences[1::2]) <= {""} and len(fences) % 2 == 0
