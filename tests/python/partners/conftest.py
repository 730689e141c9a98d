"""Three files of events with muons, of different sizes."""

import awkward as ak
import numpy as np
import pytest

import kaon

try:
    import dask
except ImportError:
    pass
else:  # processes on a busy machine answer later than Dask's default allows
    dask.config.set({f"distributed.comm.timeouts.{what}": "300s" for what in ("connect", "tcp")})

CLUSTER = 500
EVENTS = {"a": 2_000, "b": 5_000, "c": 1_000}


def muon_events(random, count, first):
    counts = random.integers(0, 5, count)
    members = {
        member: ak.unflatten(random.uniform(*of, counts.sum()).astype(np.float32), counts)
        for member, of in {"pt": (5, 100), "eta": (-3, 3), "phi": (-3, 3), "mass": (0, 1)}.items()
    }
    charges = random.choice(np.array([-1, 1], np.int32), counts.sum())
    members["charge"] = ak.unflatten(charges, counts)
    return {
        "Muon": ak.zip(members),
        "MET": random.uniform(0, 100, count).astype(np.float32),
        "run": np.arange(first, first + count, dtype=np.int64),
        "luminosityBlock": np.full(count, 1, np.int32),
        "event": np.arange(count, dtype=np.int64),
    }


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    random = np.random.default_rng(7)
    first = 0
    for name, entries in EVENTS.items():
        with kaon.create(folder / f"{name}.kaon", cluster_entries=CLUSTER) as out:
            for _ in range(entries // CLUSTER):
                out["events"].extend(muon_events(random, CLUSTER, first))
                first += CLUSTER
    return folder


@pytest.fixture(scope="session")
def runs(folder):
    """Return the files in the form that kaon takes."""
    return f"{folder}/*.kaon:events"


@pytest.fixture(scope="session")
def everything(runs):
    """Return the contents of all files."""
    return kaon.concatenate(runs)
