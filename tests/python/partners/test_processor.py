"""A function of events, applied to many files in this process and in others."""

import concurrent.futures
import multiprocessing

import awkward as ak
import hist
import numpy as np
import pytest

import kaon
from kaon.partners.addition import TOGETHER, added, total


def spectrum(events):
    pt = ak.flatten(events.Muon.pt)
    counts = hist.Hist(hist.axis.Regular(20, 0, 100, name="pt"), storage=hist.storage.Weight())
    counts.fill(pt, weight=pt)
    return {"events": len(events), "sum": float(ak.sum(pt)), "pt": counts, "runs": {*events.run}}


def hard(events):
    return [len(events), float(ak.sum(events["sum(Muon.pt)"])), events.fields]


def broken(events):
    raise RuntimeError(f"at {len(events)} events")


def first_run(events):
    return {int(events.run[0])}


def test_the_sum_of_parts_is_the_whole(runs, everything):
    result = kaon.processor(spectrum).run(runs, step_size=500)
    assert result["events"] == len(everything)
    assert result["sum"] == pytest.approx(ak.sum(ak.flatten(everything.Muon.pt)), rel=1e-5)
    assert result["runs"] == set(range(len(everything)))
    whole = spectrum(everything)["pt"]
    assert result["pt"].values() == pytest.approx(whole.values(), rel=1e-6)


def test_parts_without_events_are_passed_over(runs):
    assert kaon.processor(first_run).run(runs, step_size=1) == {*range(0, 8000, 500)}


def test_a_file_without_events_has_a_result(tmp_path):
    with kaon.create(tmp_path / "none.kaon") as out:
        out["events"].extend({"run": np.zeros(0, np.int32)})
    assert kaon.processor(len).run(f"{tmp_path}/none.kaon:events") == 0


def test_reads_only_the_columns_that_the_function_uses(runs, monkeypatch):
    names = set()
    read = kaon.Category.arrays

    def arrays(self, *arguments, **options):
        log = []
        array = read(self, *arguments, **options, access_log=log)
        ak.sum(array.MET)
        names.update(each.name for each in log)
        return array

    monkeypatch.setattr(kaon.Category, "arrays", arrays)
    assert kaon.processor(len).run(runs) == 8000
    assert names == {"MET"}


def test_columns_cuts_and_expressions(runs, everything):
    processor = kaon.processor(hard, ["MET", "sum(Muon.pt)"], "MET > 50")
    entries, total_pt, *_ = processor.run(runs)
    passed = everything[everything.MET > 50]
    assert processor.run(f"{runs.replace('*', 'c')}")[2] == ["MET", "sum(Muon.pt)"]
    assert 0 < entries <= len(passed)
    alone = kaon.processor(lambda events: len(events), "MET", "MET > 50")
    assert alone.run(runs, step_size=500) == len(passed)
    frames = kaon.processor(lambda frame: frame.shape[0], ["MET"], library="pl")
    pytest.importorskip("polars")
    assert frames.run(runs) == len(everything)


def test_samples_have_results_of_their_own(folder):
    samples = {"signal": f"{folder}/a.kaon:events", "rest": [f"{folder}/[bc].kaon:events"]}
    assert kaon.processor(len).run(samples, step_size=500) == {"signal": 2000, "rest": 6000}


def test_files_may_be_urls(folder):
    pytest.importorskip("fsspec")
    urls = [f"file://{folder}/{name}.kaon:events" for name in "abc"]
    assert kaon.processor(len).run(urls, step_size=500) == 8000
    assert kaon.processor(len, "MET").run([*urls, f"{folder}/a.kaon:events"]) == 10000


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_is_the_same_in_threads_and_processes(runs, kind):
    spawn = multiprocessing.get_context("spawn")
    pool = {
        "threads": lambda: concurrent.futures.ThreadPoolExecutor(2),
        "processes": lambda: concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn),
    }[kind]
    processor, progress = kaon.processor(spectrum), []
    with pool() as executor:
        there = processor.run(runs, executor, step_size=500, progress=progress.append)
    assert there == processor.run(runs, step_size=500)
    assert len(progress) >= 16 and progress[-1] == 1


def test_an_error_says_in_which_part(runs, folder):
    with pytest.raises(RuntimeError, match="at 2000 events") as caught:
        kaon.processor(broken).run(runs)
    if hasattr(caught.value, "__notes__"):
        assert caught.value.__notes__ == [f"in {folder}/a.kaon:events, part 1 of 1"]


def test_invalid_arguments_are_errors(runs):
    with pytest.raises(kaon.errors.UsageError, match="give only `schema`"):
        kaon.processor(len, "MET", schema=object)
    with pytest.raises(
        kaon.errors.WrongTypeError,
        match="dict is not a function; for a processor of coffea, give its method `process`",
    ):
        kaon.processor({})
    with pytest.raises(
        kaon.errors.UsageError, match="4 is not an executor: it lacks the method `map`"
    ):
        kaon.processor(len).run(runs, 4)
    with pytest.raises(kaon.errors.UsageError, match="ThreadPoolExecutor'> is not an executor"):
        kaon.processor(len).run(runs, concurrent.futures.ThreadPoolExecutor)
    with pytest.raises(kaon.errors.UsageError, match="no samples are given"):
        kaon.processor(len).run({})
    with pytest.raises(kaon.errors.WrongTypeError, match="object and object cannot be"):
        kaon.processor(lambda events: object()).run(runs)


@pytest.mark.parametrize("count", [1, 2, TOGETHER, TOGETHER + 1, TOGETHER**2, TOGETHER**2 + 5])
def test_sums_do_not_depend_on_the_order_of_additions(count):
    values = list(np.random.default_rng(3).uniform(-1, 1, count) * 10.0 ** np.arange(count))
    level = values
    while len(level) > 1:  # as tasks of a cluster add them
        level = [added(level[i : i + TOGETHER]) for i in range(0, len(level), TOGETHER)]
    assert total(iter(values)) == level[0]


def test_addition_of_dictionaries_sets_and_arrays():
    assert added([{"a": 1}, {"b": [2]}, {"a": 3, "b": [4]}]) == {"a": 4, "b": [2, 4]}
    assert added([None, {1}, {2}, None]) == {1, 2}
    assert added([np.array([1, 2]), np.array([3, 4])]).tolist() == [4, 6]
    assert total([]) is None


def test_integers_of_parts_are_added_exactly():
    most = np.iinfo(np.int64).max
    added = total([np.int64(most - 1), np.int32(1)])
    assert added == most and type(added) is np.int64
    assert total([np.uint64(2**63 + 1), np.int64(2)]) == 2**63 + 3
    assert total([{"n": np.uint64(2**63)}, {"n": 5}])["n"] == 2**63 + 5
    assert total([np.int16(30000)] * 5) == 150000
    assert total([2**64, np.int64(1)]) == 2**64 + 1
    for parts in (
        [np.int64(most), np.int64(1)],
        [np.array([most, 1]), np.array([1, 1])],
        [np.array([2**64 - 1], np.uint64), np.array([1], np.uint64)],
    ):
        with pytest.raises(kaon.errors.UsageError, match="beyond u?int64"):
            total(parts)
