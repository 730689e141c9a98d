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


@pytest.fixture
def corrected(tmp_path, monkeypatch):
    """Make the files of the page on corrections: events, scale factors, runs and a network."""
    for name in ("correctionlib", "fastjet", "onnx", "onnxruntime", "vector"):
        pytest.importorskip(name)
    random = np.random.default_rng(7)
    counts, particles = random.integers(0, 4, 200), random.integers(0, 30, 200)
    muons = {"pt": random.exponential(30, counts.sum()) + 5}
    muons |= {"eta": random.uniform(-2.4, 2.4, counts.sum())}
    momenta = {f"p{axis}": random.normal(0, 20, particles.sum()) for axis in "xyz"}
    numbers = {"pid": random.choice([211, -211, 22, 130], particles.sum())}
    columns = {
        "Muon": ak.unflatten(ak.zip(muons), counts),
        "Particle": ak.unflatten(ak.zip({**momenta, **numbers}), particles),
        "MET_pt": random.exponential(40, 200),
        "Pileup_nTrueInt": random.poisson(5, 200).astype(np.float32),
        "run": random.integers(1, 4, 200),
        "luminosityBlock": random.integers(1, 40, 200),
    }
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    (tmp_path / "run7").mkdir()
    with kaon.create(tmp_path / "run7" / "a.kaon") as out:
        out["Events"].extend(columns)
    (tmp_path / "golden.json").write_text('{"1": [[1, 20]], "3": [[5, 5], [10, 39]]}')
    np.save(tmp_path / "pileup.npy", [[0.2, 0.3, 0.5, 0.0], [0.4, 0.3, 0.2, 0.1]])
    write_factors(tmp_path / "factors.json")
    write_network(tmp_path / "model.onnx")
    monkeypatch.chdir(tmp_path)
    return columns


def write_factors(path):
    """Write factors of 0.9 below and 1.1 above 30 GeV, with variations of 2 %."""
    from correctionlib import schemav2

    def binned(scale):
        return schemav2.MultiBinning(
            nodetype="multibinning",
            inputs=["eta", "pt"],
            edges=[[0.0, 2.5], [0.0, 30.0, 1000.0]],
            content=[0.9 * scale, 1.1 * scale],
            flow="clamp",
        )

    factors = schemav2.Correction(
        name="muons",
        version=1,
        inputs=[
            schemav2.Variable(name="eta", type="real"),
            schemav2.Variable(name="pt", type="real"),
            schemav2.Variable(name="variation", type="string"),
        ],
        output=schemav2.Variable(name="factor", type="real"),
        data=schemav2.Category(
            nodetype="category",
            input="variation",
            content=[
                schemav2.CategoryItem(key=key, value=binned(scale))
                for key, scale in (("nominal", 1.0), ("up", 1.02), ("down", 0.98))
            ],
        ),
    )
    whole = schemav2.CorrectionSet(schema_version=2, corrections=[factors])
    path.write_text(whole.model_dump_json(exclude_unset=True))


def write_network(path):
    """Write a network with the score sigmoid(0.01 * first - 0.02 * second)."""
    import onnx
    from onnx import TensorProto, helper

    weights = helper.make_tensor("w", TensorProto.FLOAT, [2, 1], [0.01, -0.02])
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("Sigmoid", ["y"], ["s"])],
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("s", TensorProto.FLOAT, [None, 1])],
        [weights],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.save(model, path)


def test_the_page_on_corrections_runs(corrected):
    pt, met = corrected["Muon"].pt, corrected["MET_pt"]
    names = run("corrections.md")
    factors = ak.prod(ak.where(pt < 30, 0.9, 1.1), axis=1)
    is_inside = met < 200
    assert names["spectrum"].value.sum().value == pytest.approx(ak.sum(factors[is_inside]))
    up = ak.prod(ak.where(pt < 30, 0.9, 1.1) * 1.02, axis=1)
    assert names["up"].value.sum().value == pytest.approx(ak.sum(up[is_inside]))
    runs, sections = corrected["run"], corrected["luminosityBlock"]
    good = ((runs == 1) & (sections <= 20)) | ((runs == 3) & ((sections == 5) | (sections >= 10)))
    assert names["good"].take("run").value.tolist() == runs[good].tolist()
    ratio = np.array([0.5, 1, 2.5, 0])[np.minimum(corrected["Pileup_nTrueInt"].astype(int), 3)]
    assert names["reweighted"].take("total").value.tolist() == pytest.approx(factors * ratio)
    jets = names["jets"].take("jets").value
    assert 0 < len(jets) < 200 and ak.all(ak.num(jets) > 0) and ak.all(jets >= 20)
    score = 1 / (1 + np.exp(-(0.01 * ak.sum(pt, axis=1) - 0.02 * met)))
    assert names["scored"].take("score").value.tolist() == pytest.approx(score, rel=1e-5)


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
