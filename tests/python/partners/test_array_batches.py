"""Batches of NumPy arrays, in the order of the files or shuffled, for one process of several."""

import pickle

import awkward as ak
import numpy as np
import pytest

import kaon


def runs_of(batches):
    return np.concatenate([batch["run"] for batch in batches])


def test_batches_have_all_events_in_order(runs, everything):
    batches = kaon.batches(runs, ["MET", "run"], 300)
    assert repr(batches) == "<Batches of 300 events: MET, run>"
    batches = list(batches)
    assert [len(batch["run"]) for batch in batches] == [300] * 26 + [200]
    assert runs_of(batches).tolist() == [*range(8000)]
    assert batches[3]["MET"].tolist() == everything.MET[900:1200].tolist()
    assert batches[3]["MET"].dtype == np.float32


def test_lists_have_as_many_numbers_as_is_said(runs, everything):
    (batch,) = kaon.batches(runs, ["Muon", "run"], 8000, lengths={"Muon": 2})
    assert batch["Muon.pt"].shape == (8000, 2) and batch["Muon.pt"].dtype == np.float32
    assert batch["#Muon"].tolist() == np.minimum(ak.num(everything.Muon), 2).tolist()
    expected = ak.fill_none(ak.pad_none(everything.Muon.pt, 2, clip=True), 0)
    assert batch["Muon.pt"].tolist() == expected.tolist()


def test_components_have_the_length_of_their_collection(tmp_path):
    momenta = ak.zip({"x": [[1, 2], [3]], "y": [[4, 5], [6]]})
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"Hits": ak.zip({"at": momenta, "n": [[7, 8], [9]]}, depth_limit=2)})
    (batch,) = kaon.batches(tmp_path / "a.kaon", "Hits", lengths={"Hits": 2})
    assert batch["Hits.at.y"].tolist() == [[4, 5], [6, 0]]
    assert sorted(batch) == ["#Hits", "Hits.at.x", "Hits.at.y", "Hits.n"]
    with pytest.raises(
        kaon.errors.UsageError, match=r"'Hits.at.x' has lists.*lengths=\{'Hits': 8\}"
    ):
        kaon.batches(tmp_path / "a.kaon", "Hits.at")


def test_cuts_expressions_and_aliases(runs, everything):
    names = ["n", "sum(Muon.pt)", "Muon.pt[Muon.pt > 50]"]
    lengths = {"Muon.pt[Muon.pt > 50]": 1}
    (batch,) = kaon.batches(
        runs, names, 8000, "MET > 50", aliases={"n": "count(Muon)"}, lengths=lengths
    )
    muons = everything[everything.MET > 50].Muon
    assert batch["n"].tolist() == ak.num(muons).tolist()
    assert batch["sum(Muon.pt)"] == pytest.approx(ak.to_numpy(ak.sum(muons.pt, axis=1)), rel=1e-4)
    first = ak.fill_none(ak.firsts(muons.pt[muons.pt > 50]), 0)
    assert batch["Muon.pt[Muon.pt > 50]"][:, 0].tolist() == first.tolist()
    assert not list(kaon.batches(runs, "run", 10, "MET > 1000"))


def test_shuffled_events_are_all_there_in_other_orders(runs):
    batches = kaon.batches(runs, "run", 256, shuffle=True, seed=3, step_size=500, mixed=4)
    first, second = runs_of(batches), runs_of(batches)
    assert sorted(first) == sorted(second) == [*range(8000)]
    assert (first != second).any() and (first[:256] != sorted(first[:256])).any()
    assert len({*(first[:256] // 500)}) >= 3  # parts are mixed
    again = kaon.batches(runs, "run", 256, shuffle=True, seed=3, step_size=500, mixed=4)
    assert runs_of(again).tolist() == first.tolist()
    again.epoch = 1
    assert runs_of(pickle.loads(pickle.dumps(again))).tolist() == second.tolist()
    unseeded = kaon.batches(runs, "run", 256, shuffle=True, step_size=500)
    assert runs_of(unseeded).tolist() != runs_of(unseeded).tolist()


@pytest.mark.parametrize("shuffle", [False, True])
def test_shares_have_all_events_once(runs, shuffle):
    batches = kaon.batches(runs, "run", 256, shuffle=shuffle, seed=3, step_size=500)
    for epoch in range(2):
        shares = [batches.share(number, 3) for number in range(3)]
        for share in shares:
            share.epoch = epoch
        found = [runs_of(share) for share in shares]
        assert sorted(np.concatenate(found)) == [*range(8000)]
        assert min(map(len, found)) > 1500


def test_strings_make_no_batches(tmp_path):
    with kaon.create(tmp_path / "names.kaon") as out:
        out["events"].extend({"name": ["a", "b"]})
    for lengths in ({}, {"name": 1}):
        with pytest.raises(kaon.errors.WrongTypeError, match="'name' has strings"):
            kaon.batches(f"{tmp_path}/names.kaon:events", "name", lengths=lengths)


@pytest.mark.parametrize("dtype", ["u8", "i8", "u1", "?", "f4"])
def test_numbers_of_lists_keep_their_type_and_value(tmp_path, dtype):
    largest = np.array(2**64 - 1, "u8").astype(dtype)
    with kaon.create(tmp_path / "lists.kaon") as out:
        for made in ([largest] * 3, [], [largest]):
            out["events"].extend({"x": [np.array(made, dtype)]})
    (batch,) = kaon.batches(f"{tmp_path}/lists.kaon:events", "x", lengths={"x": 2})
    assert batch["x"].dtype == dtype
    assert batch["x"].tolist() == [[largest] * 2, [0, 0], [largest, 0]]
    assert batch["#x"].tolist() == [2, 0, 1]


def test_lists_in_lists_make_no_batches(tmp_path):
    with kaon.create(tmp_path / "nested.kaon") as out:
        out["events"].extend({"x": [[[1, 2], [3]]], "y": np.arange(6).reshape(1, 2, 3)})
    path = f"{tmp_path}/nested.kaon:events"
    with pytest.raises(kaon.errors.WrongTypeError, match="'x' has nested lists"):
        kaon.batches(path, "x", lengths={"x": 2})
    (batch,) = kaon.batches(path, "y", lengths={"y": 1})
    assert batch["y"].tolist() == [[[0, 1, 2]]]


def test_invalid_arguments_are_errors(runs):
    with pytest.raises(kaon.errors.UsageError, match=r"'Muon.pt' has lists.*lengths=\{'Muon': 8\}"):
        kaon.batches(runs, ["MET", "Muon.pt"])
    with pytest.raises(kaon.errors.UnknownNameError, match="MTE.*MET"):
        kaon.batches(runs, "MTE")
    with pytest.raises(kaon.errors.UsageError, match=r"a size \(0\)"):
        kaon.batches(runs, "MET", 0)
    with pytest.raises(kaon.errors.UsageError, match=r"columns \(\[\]\)"):
        kaon.batches(runs, [])
    with pytest.raises(
        kaon.errors.UsageError, match="the length of 'Muon' must be at least 0, not -1"
    ):
        kaon.batches(runs, "Muon", lengths={"Muon": -1})
    with pytest.raises(kaon.errors.UnknownNameError, match="no lists 'Moun' .did you mean 'Muon'"):
        kaon.batches(runs, "MET", lengths={"Moun": 1})
    for wrong in (
        {"size": 2.5},
        {"size": "64"},
        {"mixed": None},
        {"lengths": {"Muon": 2.5}},
        {"lengths": 2},
    ):
        with pytest.raises(
            kaon.errors.WrongTypeError, match="an integer, not|numbers by name, such as"
        ):
            kaon.batches(runs, "Muon", **{"lengths": {"Muon": 1}, **wrong})
    unseeded = kaon.batches(runs, "run", shuffle=True)
    with pytest.raises(kaon.errors.UsageError, match="need a seed"):
        next(iter(unseeded.share(0, 2)))
    with pytest.raises(kaon.errors.UsageError, match="from 0 to 1, not 2"):
        unseeded.share(2, 2)
