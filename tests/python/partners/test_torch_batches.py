"""Batches of PyTorch tensors, with several workers of DataLoader and several processes."""

import sys

import pytest

import kaon

torch = pytest.importorskip("torch")
DataLoader = torch.utils.data.DataLoader


def runs_of(loader):
    return torch.cat([batch["run"] for batch in loader]).tolist()


def loader(dataset, workers=0, **options):
    return DataLoader(dataset, batch_size=None, num_workers=workers, **options)


@pytest.fixture
def shuffled(runs):
    return kaon.batches(runs, ["run"], 256, shuffle=True, step_size=500).torch()


def test_batches_are_tensors(runs, everything):
    dataset = kaon.batches(runs, ["Muon.pt", "MET"], 500, lengths={"Muon": 3}).torch()
    batch = next(iter(loader(dataset)))
    assert batch["Muon.pt"].shape == (500, 3) and batch["Muon.pt"].dtype == torch.float32
    assert batch["MET"].tolist() == everything.MET[:500].tolist()
    batch["MET"] += 1  # the caller owns the tensors


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_workers_have_all_events_once_in_another_order_each_epoch(shuffled, workers):
    first, second = runs_of(loader(shuffled, workers)), runs_of(loader(shuffled, workers))
    assert sorted(first) == sorted(second) == [*range(8000)]
    assert first != second and first != sorted(first)


@pytest.mark.skipif(sys.platform == "win32", reason="has no fork")
def test_workers_that_are_forked_read_after_their_parent_did(shuffled, everything):
    for _ in range(5):
        assert len(runs_of(loader(shuffled, 2, multiprocessing_context="fork"))) == 8000


def test_workers_that_stay_have_another_order_each_epoch(shuffled):
    kept = loader(shuffled, 2, persistent_workers=True)
    first, second = runs_of(kept), runs_of(kept)
    assert sorted(first) == sorted(second) == [*range(8000)] and first != second


def test_spawned_workers_have_all_events(shuffled):
    spawned = loader(shuffled, 2, multiprocessing_context="spawn")
    assert sorted(runs_of(spawned)) == [*range(8000)]


@pytest.mark.parametrize("workers", [0, 2])
def test_orders_follow_from_the_seed_of_pytorch(shuffled, workers):
    orders = []
    for _ in range(2):
        torch.manual_seed(7)
        orders.append(runs_of(loader(shuffled, workers)))
    assert orders[0] == orders[1]


@pytest.mark.parametrize("workers", [0, 2])
def test_orders_follow_from_a_seed_and_the_epoch(runs, workers):
    dataset = kaon.batches(runs, "run", 256, shuffle=True, seed=1, step_size=500).torch()
    orders = []
    for epoch in (0, 1, 0):
        dataset.set_epoch(epoch)
        orders.append(runs_of(loader(dataset, workers)))
    assert orders[0] == orders[2] != orders[1]


def test_processes_have_other_events(runs, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 2)
    found = []
    for rank in range(2):
        monkeypatch.setattr(torch.distributed, "get_rank", lambda rank=rank: rank)
        batches = kaon.batches(runs, "run", 256, shuffle=True, seed=1, step_size=500)
        found += runs_of(loader(batches.torch(), 2))
    assert sorted(found) == [*range(8000)]


def test_a_network_learns(runs):
    """The target is a function of the inputs, so training must reduce the loss."""
    torch.manual_seed(1)
    names = ["Muon.pt", "MET"]
    dataset = kaon.batches(runs, names, 500, lengths={"Muon": 4}, shuffle=True).torch()
    network = torch.nn.Linear(4, 1)
    optimizer = torch.optim.Adam(network.parameters(), 0.05)
    losses = []
    for _ in range(5):
        for batch in loader(dataset):
            pt = batch["Muon.pt"] / 100
            loss = torch.mean((network(pt)[:, 0] - pt.sum(dim=1)) ** 2)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0] / 5
