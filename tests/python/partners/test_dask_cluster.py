"""An analysis on a Dask cluster of several processes; some are killed."""

import os
import signal
import threading
import time

import awkward as ak
import hist
import pytest

import kaon

distributed = pytest.importorskip("distributed")


def spectrum(events):
    pt = ak.flatten(events.Muon.pt)
    counts = hist.Hist(hist.axis.Regular(20, 0, 100, name="pt"), storage=hist.storage.Weight())
    counts.fill(pt, weight=pt)
    return {"events": len(events), "sum": float(ak.sum(pt)), "pt": counts}


def slow_spectrum(events):
    time.sleep(0.3)
    return {**spectrum(events), "processes": {os.getpid()}}


def broken(events):
    raise RuntimeError(f"at {len(events)} events")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_results_are_those_of_one_process(client, runs):
    processor, progress = kaon.processor(spectrum), []
    there = processor.run(runs, client, step_size=500, progress=progress.append)
    assert there == processor.run(runs, step_size=500)  # equal to the last bit
    assert progress[-1] == 1
    samples = {"one": runs, "other": runs}
    assert processor.run(samples, client, step_size=500) == processor.run(samples, step_size=500)


def test_a_worker_that_is_killed_is_made_up_for(client, runs):
    processes = [*client.run(os.getpid).values()]
    killed = processes[0]
    timer = threading.Timer(1, os.kill, (killed, signal.SIGKILL))
    timer.start()
    there = kaon.processor(slow_spectrum).run(runs, client, step_size=500)
    timer.join()
    assert killed not in there.pop("processes")  # its work was repeated
    assert there == kaon.processor(spectrum).run(runs, step_size=500)


def test_arrays_are_computed_there(client, runs, everything):
    dask_awkward = pytest.importorskip("dask_awkward")
    events = kaon.dask.arrays(runs, step_size=500)
    assert dask_awkward.sum(dask_awkward.num(events.Muon)).compute() == ak.sum(
        ak.num(everything.Muon)
    )
    muons = events[events.MET > 50].persist()  # moves between processes
    assert muons.Muon.pt.compute().tolist() == everything[everything.MET > 50].Muon.pt.tolist()


def test_errors_come_back(client, runs, folder):
    with pytest.raises(RuntimeError, match="at .* events"):
        kaon.processor(broken).run(runs, client)
    with pytest.raises(kaon.errors.UnknownNameError, match="MTE"):
        kaon.processor(len, "MTE").run(f"{folder}/a.kaon:events", client)
