"""coffea's Runner on files that kaon reads."""

import warnings

import awkward as ak
import pytest

import kaon

with warnings.catch_warnings():  # from packages that coffea imports
    warnings.simplefilter("ignore")
    nanoevents = pytest.importorskip("coffea.nanoevents")
    coffea_processor = pytest.importorskip("coffea.processor")

pytestmark = pytest.mark.filterwarnings("ignore::Warning")  # coffea's warnings

QUIET = coffea_processor.IterativeExecutor(status=False)


class Counts(coffea_processor.ProcessorABC):
    def process(self, events):
        of = events.metadata
        where = {(of["filename"], of["treename"], of["entrystart"], of["entrystop"])}
        muons = int(ak.sum(ak.num(events.Muon)))
        return {of["dataset"]: {"events": len(events), "muons": muons, "chunks": where}}

    def postprocess(self, accumulator):
        return {"after": accumulator}


@pytest.fixture
def samples(folder):
    return {
        "signal": [f"{folder}/a.kaon"],
        "rest": {"files": [f"{folder}/{name}.kaon" for name in "bc"], "metadata": {"year": 2026}},
    }


@pytest.fixture(params=["iterative", "processes", "dask"])
def executor(request):
    if request.param == "iterative":
        yield QUIET
    elif request.param == "processes":
        yield coffea_processor.FuturesExecutor(workers=2, status=False)
    else:
        distributed = pytest.importorskip("distributed")
        options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            yield coffea_processor.DaskExecutor(client=client, status=False)


def test_processors_run_with_each_executor(samples, executor, everything):
    run = kaon.coffea.runner(executor, chunksize=500, metadata_cache={})
    result = run(samples, Counts(), treename="events")["after"]
    muons = ak.num(everything.Muon)
    for name, of in {"signal": slice(2000), "rest": slice(2000, None)}.items():
        assert result[name]["events"] == len(muons[of])
        assert result[name]["muons"] == ak.sum(muons[of])
        assert len(result[name]["chunks"]) == len(muons[of]) / 500
    again = kaon.processor(len).run(samples["rest"]["files"], executor)  # a Runner used it before
    assert again == len(muons) - 2000


def test_files_may_be_of_any_format(folder, tmp_path):
    kaon.convert(f"{folder}/c.kaon", tmp_path / "c.root", format="ttree")
    paths = [f"{folder}/c.kaon", str(tmp_path / "c.root")]
    ours = [
        kaon.coffea.runner(QUIET, metadata_cache={})({"data": [path]}, Counts(), treename="events")
        for path in paths
    ]
    theirs = coffea_processor.Runner(QUIET, metadata_cache={})
    expected = theirs({"data": paths[1:]}, Counts(), treename="events")["after"]["data"]
    for result in ours:
        result["after"]["data"].pop("chunks")
    assert expected.pop("chunks") == {(paths[1], "events", 0, 1000)}
    assert [result["after"]["data"] for result in ours] == [expected, expected]


def test_chunks_are_planned_and_run_later(samples):
    run = kaon.coffea.runner(
        QUIET, chunksize=700, maxchunks=2, align_clusters=True, metadata_cache={}
    )
    chunks = list(run.preprocess(samples, treename="events"))
    borders = [(chunk.dataset, chunk.entrystart, chunk.entrystop) for chunk in chunks]
    assert borders == [(name, *at) for name in samples for at in ((0, 1000), (1000, 2000))]
    assert {chunk.dataset: chunk.usermeta for chunk in chunks} == {
        "signal": {},
        "rest": {"year": 2026},
    }
    assert run.run(chunks, Counts())["out"]["after"]["rest"]["events"] == 2000


def test_metrics_checkpoints_and_caches(samples, tmp_path):
    kept, cache = coffea_processor.SimpleCheckpointer(str(tmp_path)), {}
    options = {"checkpointer": kept, "savemetrics": True, "cachestrategy": lambda: cache}

    def muons(events):
        return {"sum": float(ak.sum(events.Muon.pt))}

    run = kaon.coffea.runner(QUIET, metadata_cache={}, **options)
    first, metrics = run(samples, muons, treename="events")
    assert metrics["entries"] == 8000 and metrics["chunks"] == 3
    assert {*metrics["columns"]} == {"Muon_pt-data", "nMuon-offsets"}
    assert len(cache) == 2 * metrics["chunks"]
    cache.clear()
    assert run(samples, muons, treename="events")[0] == first
    assert not cache  # nothing was read again


def test_files_that_cannot_be_read_are_passed_over(samples, everything):
    samples["signal"].append("/there/is/none.kaon")
    with pytest.raises(kaon.errors.MissingFileError):
        kaon.coffea.runner(QUIET, metadata_cache={})(samples, Counts(), treename="events")
    run = kaon.coffea.runner(QUIET, skipbadfiles=True, metadata_cache={})
    assert run(samples, Counts(), treename="events")["after"]["signal"]["events"] == 2000


@pytest.mark.parametrize("policy", ["skip", "report"])
def test_bad_files_are_left_out(samples, everything, tmp_path, policy):
    with kaon.create(tmp_path / "runs.kaon") as out:
        out["runs"].extend({"n": [1]})
    (tmp_path / "empty.kaon").touch()
    bad = [*map(str, (tmp_path / "none.kaon", tmp_path / "runs.kaon", tmp_path / "empty.kaon"))]
    samples["signal"] = [bad[0], *samples["signal"], *bad[1:]]
    with pytest.raises(kaon.Error):
        kaon.coffea.runner(QUIET, metadata_cache={})(samples, Counts(), treename="events")
    run = kaon.coffea.runner(QUIET, on_bad_file=policy, metadata_cache={})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run(samples, Counts(), treename="events")["after"]
    assert result["signal"]["events"] == 2000
    assert result["rest"]["events"] == len(everything) - 2000
    assert [file.path for file in run.bad_files] == bad
    told = [each for each in caught if issubclass(each.category, kaon.errors.BadFileWarning)]
    assert len(told) == (3 if policy == "skip" else 0)
    with pytest.raises(kaon.errors.UsageError, match="either coffea's `skipbadfiles` or kaon's"):
        kaon.coffea.runner(QUIET, on_bad_file=policy, skipbadfiles=True)


def test_errors_say_where(folder):
    def broken(events):
        raise RuntimeError("no")

    run = kaon.coffea.runner(QUIET, chunksize=500, metadata_cache={})
    with pytest.raises(RuntimeError, match="no") as caught:
        run({"data": [f"{folder}/a.kaon"]}, broken, treename="events")
    if hasattr(caught.value, "__notes__"):
        assert caught.value.__notes__ == [f"in {folder}/a.kaon:events, entries 0 to 500"]
    with pytest.raises(kaon.errors.UsageError, match="returned None"):
        run({"data": [f"{folder}/a.kaon"]}, lambda events: None, treename="events")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'events'"):
        run({"data": [f"{folder}/a.kaon"]}, Counts(), treename="event")
    with pytest.raises(
        kaon.errors.UsageError, match="leave out timeout: these are options of uproot"
    ):
        options = {"treename": "events", "uproot_options": {"timeout": 3}}
        run({"data": [f"{folder}/b.kaon"]}, Counts(), **options)
    with pytest.raises(kaon.errors.UsageError, match="leave out `format=`"):
        kaon.coffea.runner(QUIET, format="parquet")
