"""Files read with ROOT's RDataFrame in a Python that has ROOT; this Python compares values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from built import is_built

import kaon

PROJECT = Path(__file__).parents[2]
PACKAGE = Path(kaon.__file__).parent
ROOT_FILES = PROJECT / "tests/data/root"

OPTIONALS = """
schema_version: 1
options: { getSyntax: true }
datatypes:
  Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - std::optional<float> time // when
      - std::optional<std::array<int16_t, 2>> range // of layers
      - std::array<float, 1> single{7} // an array of one
"""


@pytest.fixture(scope="module")
def with_root() -> Callable[[str], Any]:
    """The function that runs a script in a Python that has ROOT; it returns `result`."""
    python = os.environ.get("KAON_ROOT_PYTHON", PROJECT / "build/root-venv/bin/python")
    if not Path(python).exists():
        pytest.skip("needs ROOT: `make root` installs its wheel, KAON_ROOT_PYTHON names another")
    if not is_built(os.fspath(PACKAGE / "libkaon_root.so")):
        pytest.skip("needs kaon's library for ROOT, which CMake builds where it finds ROOT")
    version = "import sys; print(sys.version_info[:2])"
    if subprocess.check_output([python, "-c", version], text=True).strip() != str(
        sys.version_info[:2]
    ):
        pytest.skip(f"kaon was built for another version of Python than {python}")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "PYTHONWARNINGS": "ignore"}

    def run(script: str) -> Any:
        script = f"import json\nimport kaon\n{script}\nprint('\\n' + json.dumps(result))"
        done = subprocess.run(
            [python, "-c", script], env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


@pytest.fixture
def muons(tmp_path: Path) -> Path:
    """Write 1000 events with muons, in several clusters."""
    random = np.random.default_rng(1)
    counts = random.poisson(2, 1000)
    path = tmp_path / "muons.kaon"
    with kaon.create(path, cluster_entries=100) as out:
        pt = ak.unflatten(random.exponential(30, counts.sum()).astype(np.float32), counts)
        out["events"].extend({"Muon": ak.zip({"pt": pt, "hard": pt > 50}), "run": counts % 7})
    return path


def test_filters_definitions_and_histograms(with_root: Callable[[str], Any], muons: Path) -> None:
    events = kaon.open(muons)["events"].arrays()
    found = with_root(
        f"""
import ROOT
def graph():
    df = kaon.root_dataframe("{muons}:events")
    two = df.Filter("#Muon > 1 && run != 3").Define("leading", "Max(Muon.pt)")
    return [
        df.Count().GetValue(),
        two.Count().GetValue(),
        two.Max("leading").GetValue(),
        df.Histo1D("Muon.pt").GetEntries(),
        df.Define("hard", "Sum(Muon.hard)").Sum("hard").GetValue(),
        df.AsNumpy(["run"])["run"].tolist(),
    ]
result = [graph()]
ROOT.EnableImplicitMT(2)
result.append(graph())
result[1][5].sort(key=lambda run: 0)
"""
    )
    two = events[(ak.num(events.Muon) > 1) & (events.run != 3)]
    expected = [
        len(events),
        len(two),
        ak.max(two.Muon.pt),
        ak.count(events.Muon.pt),
        ak.sum(events.Muon.hard),
    ]
    for each in found:
        assert each[:5] == expected
    assert found[0][5] == events.run.tolist()
    assert sorted(found[1][5]) == sorted(events.run.tolist())  # threads end in any order


def test_trees_and_ntuples(with_root: Callable[[str], Any]) -> None:
    for name in ("ttree_two_cycles", "rntuple_extended"):
        path = ROOT_FILES / f"{name}.root"
        category = next(iter(kaon.open(path).values()))
        arrays = category.arrays()
        numbers = [
            key for key, kind in category.typenames().items() if kind in ("int32", "float32")
        ]
        assert numbers
        found = with_root(
            f"""
import ROOT
def columns():
    df = kaon.root_dataframe("{path}:{category.name}")
    return {{name: values.tolist() for name, values in df.AsNumpy({numbers}).items()}}
result = [columns()]
ROOT.EnableImplicitMT(2)
result.append(columns())
"""
        )
        for key in numbers:
            np.testing.assert_array_equal(found[0][key], arrays[key].tolist())
            in_any_order = np.sort(np.array(found[1][key]))  # threads end in any order
            np.testing.assert_array_equal(in_any_order, np.sort(ak.to_numpy(arrays[key])))


def test_missing_values_are_optionals(with_root: Callable[[str], Any], tmp_path: Path) -> None:
    (tmp_path / "opt.yaml").write_text(OPTIONALS)
    opt = kaon.load_model(tmp_path / "opt.yaml")
    with kaon.create(tmp_path / "hits.kaon", model=opt) as out:
        for hits in [[{"time": 1.5, "range": [1, 2]}, {}], [], [{"time": 0.0}]]:
            event = kaon.Frame()
            event["H"] = kaon.Collection(opt.Hit, [opt.Hit(**hit) for hit in hits])
            out["events"].write(event)
    found = with_root(
        f"""
import ROOT
df = kaon.root_dataframe("{tmp_path}/hits.kaon:events")
known = "return Map(H.time, [](const std::optional<float>& time) {{ return time.value_or(-1); }})"
both = "return Map(H.range, [](const auto& range) {{ return range ? Sum(*range) : -1; }})"
df = df.Define("known", known).Define("both", both).Define("there", "Sum(H.time.has_value)")
df = df.Define("last", "H.single.empty() ? 0 : H.single[0][0]")
result = {{name: [list(map(float, row)) for row in df.Take["ROOT::RVec<%s>" % kind](name)]
          for name, kind in (("known", "float"), ("both", "int"))}}
result["there"] = [int(number) for number in df.AsNumpy(["there"])["there"]]
result["last"] = [float(number) for number in df.AsNumpy(["last"])["last"]]
"""
    )
    assert found == {
        "known": [[1.5, -1], [], [0]],
        "both": [[3, -1], [], [-1]],
        "there": [1, 0, 1],
        "last": [7, 0, 7],
    }


def test_several_files(with_root: Callable[[str], Any], muons: Path, tmp_path: Path) -> None:
    (tmp_path / "more.kaon").write_bytes(muons.read_bytes())
    found = with_root(
        f'result = kaon.root_dataframe("{tmp_path}/*.kaon:events").Count().GetValue()'
    )
    assert found == 2000


def test_samples_with_metadata_and_friends(
    with_root: Callable[[str], Any], muons: Path, tmp_path: Path
) -> None:
    kaon.convert(muons, tmp_path / "more.root")
    found = with_root(
        f"""
import ROOT
names = ROOT.RDF.Experimental
def sample(name, path, weight):
    data = names.RMetaData()
    data.Add("weight", weight)
    return names.RSample(name, "events", path, data)
def graph():
    some = names.RDatasetSpec()
    some.AddSample(sample("a", "{muons}", 0.5)).AddSample(sample("b", "{tmp_path}/more.root", 3.0))
    some.WithGlobalFriends("events", ["{tmp_path}/more.root", "{muons}"], "other")
    df = kaon.root_dataframe(some).DefinePerSample("w", 'rdfsampleinfo_.GetD("weight")')
    df = df.DefinePerSample("isA", 'rdfsampleinfo_.GetSampleName() == "a"')
    same = df.Filter("run == other.run && Sum(Muon.pt) == Sum(other.Muon.pt)")
    return [df.Sum("w").GetValue(), df.Filter("isA").Count().GetValue(), same.Count().GetValue()]
result = [graph()]
ROOT.EnableImplicitMT(2)
result.append(graph())
"""
    )
    assert found == [[3500, 1000, 2000]] * 2


def test_mistakes(with_root: Callable[[str], Any], muons: Path) -> None:
    found = with_root(
        f"""
result = []
several = "{ROOT_FILES}/ttree_dirs.root"
for files in ("{muons}:event", several, ["{muons}:events", several + ":empty"]):
    try:
        kaon.root_dataframe(files)
    except kaon.Error as error:
        result.append([type(error).__name__, str(error)])
try:
    kaon.root_dataframe("{muons}:events").Histo1D("Muon.p").GetEntries()
except Exception as error:
    result.append(["", str(error)])
"""
    )
    kinds, messages = zip(*found, strict=True)
    assert kinds == ("UnknownNameError", "UsageError", "UsageError", "")
    assert "did you mean 'events'" in messages[0]
    assert "name one of the categories" in messages[1]
    assert "with the same category, not 'events', 'empty'" in messages[2]
    assert 'Unknown column: "Muon.p"' in messages[3]


def test_errors_of_loops_report_mistakes(
    with_root: Callable[[str], Any], muons: Path, tmp_path: Path
) -> None:
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"run": np.arange(10)})
    found = with_root(
        f"""
import ROOT
result = []
df = kaon.root_dataframe(["{muons}:events", "{tmp_path}/other.kaon:events"])
names = ROOT.RDF.Experimental
misspelt = names.RDatasetSpec().AddSample(names.RSample("a", "event", "{muons}"))
for wrong in (lambda: df.Max("Muon.pt").GetValue(), lambda: kaon.root_dataframe(misspelt)):
    try:
        wrong()
    except Exception as error:
        result.append(str(error))
result.append(df.FilterAvailable("Muon.pt").Count().GetValue())
"""
    )
    assert "other.kaon:events: has no column 'Muon.pt', which another file has" in found[0]
    assert "did you mean 'events'" in found[1]
    assert found[2] == 1000


def test_without_root(muons: Path) -> None:
    script = f"""
import sys
sys.modules["ROOT"] = None  # as where it is not installed
import kaon
kaon.root_dataframe("{muons}:events")
"""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1].startswith("ImportError: an RDataFrame needs ROOT")


@pytest.mark.parametrize("is_before", [True, False])
def test_the_class_of_errors_may_be_known(with_root, muons, is_before):
    """Programs of the interpreter may include kaon's header, before kaon does or after it."""
    result = with_root(f"""
import ROOT
ROOT.gInterpreter.AddIncludePath({str(PROJECT / "include")!r})
include = "#include <kaon/base/Error.h>"
result = [ROOT.gInterpreter.Declare(include)] if {is_before} else []
kaon.root_dataframe({f"{muons}:events"!r})
result.append(ROOT.gInterpreter.Declare(include))
try:
    ROOT.kaon.root.dataFrame(ROOT.std.vector["std::string"](["none.kaon"]), "events")
except ROOT.kaon.Error as error:
    result.append("none.kaon: cannot open" in str(error))
""")
    assert all(result) and len(result) == 2 + is_before


def test_the_first_program_of_the_page_runs(with_root, monkeypatch):
    page = (PROJECT / "docs/rdataframe.md").read_text()
    program = page.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(PROJECT)
    result = with_root(
        f"import ROOT\nROOT.gROOT.SetBatch(True)\n{program}\nresult = large.Count().GetValue()"
    )
    counts = kaon.open("examples/ttbar/sample.kaon:events").arrays(["count(MCParticles)"])
    assert result == ak.sum(counts["count(MCParticles)"] > 500)
