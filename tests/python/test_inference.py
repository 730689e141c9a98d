"""Models that kaon makes from arrays."""

import awkward as ak
import numpy as np
import pytest

import kaon

MUONS = ak.zip(
    {
        "pt": ak.Array([[1.5, 2.5], []]),
        "charge": ak.values_astype(ak.Array([[1, -1], []]), np.int8),
        "momentum": ak.zip({"x": ak.Array([[1.0, 2.0], []]), "y": ak.Array([[3.0, 4.0], []])}),
        "name": ak.Array([["a", "b"], []]),
        "chi2": ak.Array([[None, 3.0], []]),
        "covariance": ak.to_regular(ak.Array([[[1, 2], [3, 4]], []]), axis=2),
        "times": ak.Array([[[1.0], []], []]),
        "samples": ak.Array([[[[1], [2, 3]], []], []]),
    },
    depth_limit=2,
)


def test_records_become_objects_of_a_datatype_with_their_fields(tmp_path):
    data = {"Muon": MUONS, "met": np.array([0.5, 1.5]), "counts": [[1], [2, 3]]}
    model = kaon.infer_model(data)
    assert sorted(model) == ["Momentum", "Muon"]
    with kaon.create(tmp_path / "a.kaon", model=model) as out:
        out["events"].extend(data)
    file = kaon.open(tmp_path / "a.kaon")
    assert list(file.models) == ["inferred"]
    events = file["events"]
    assert events.typenames("Muon.charge") == {"Muon.charge": "var * int8"}
    written = events.arrays()
    for field in MUONS.fields:
        assert written.Muon[field].to_list() == MUONS[field].to_list(), field
    assert written[["met", "counts"]].to_list() == [
        {"met": 0.5, "counts": [1]},
        {"met": 1.5, "counts": [2, 3]},
    ]
    first, second = events.frames()[0]["Muon"]
    assert (first.pt, first.momentum.y, first.name, first.chi2) == (1.5, 3.0, "a", None)
    assert (second.charge, second.chi2, list(first.covariance)) == (-1, 3.0, [1, 2])


@pytest.mark.parametrize("has_model", [False, True])
def test_units_and_meanings_that_arrays_have_are_kept(path, tmp_path, has_model):
    names = ["PDG", "mass", "momentum", "weights"]
    particles = kaon.open(path)["events"].arrays([f"Particles.{name}" for name in names]).Particles
    data = {"Light": particles[particles.mass < 50]}
    model = kaon.infer_model(data) if has_model else None
    with kaon.create(tmp_path / "a.kaon", model=model) as out:
        out["events"].extend(data)
    light = kaon.open(tmp_path / "a.kaon")["events"]
    units = {name: light["Light"][name].unit for name in names}
    assert units == {"PDG": "", "mass": "GeV", "momentum": "GeV", "weights": ""}
    meanings = {name: light["Light"][name].description for name in names}
    weights = "of its variations"
    assert list(meanings.values()) == ["PDG code", "rest mass", "at its vertex", weights]
    assert light["Light"].description == "A particle"
    assert light.arrays().tolist() == ak.zip(data, depth_limit=1).tolist()


def test_an_array_of_records_is_taken_whole(tmp_path):
    entries = ak.zip({"Jet": ak.zip({"pt": [[1.0], [2.0, 3.0]]}), "run": [7, 8]}, depth_limit=1)
    assert list(kaon.infer_model(entries, "jets")) == ["Jet"]
    assert kaon.infer_model(entries, "jets").name == "jets"


def test_datatypes_are_called_as_the_arrays(tmp_path):
    jets = ak.zip({"pt": [[1.0], [2.0]]})
    muons = ak.zip({"pt": [[1.0], []], "charge": [[1], []]})
    data = {"Jet": jets, "FatJet": jets, "Muon": muons, "HLT.Muon": muons}
    model = kaon.infer_model(data)
    assert list(model) == ["Jet", "FatJet", "Muon", "HLT_Muon"]
    with kaon.create(tmp_path / "a.kaon", model=model) as out:
        out["events"].extend(data)  # although jets have members of muons
    frame = kaon.open(tmp_path / "a.kaon")["events"].frames()[0]
    assert [type(frame[name][0]).__name__ for name in data] == list(model)


def test_components_of_the_same_members_are_one(tmp_path):
    point = ak.zip({"x": [[1.0]], "y": [[2.0]]})
    model = kaon.infer_model(
        {"Hit": ak.zip({"begin": point, "end": point, "hit": ak.zip({"z": [[1]]})}, depth_limit=2)}
    )
    assert sorted(model) == ["Begin", "Hit", "Hit2"]
    assert [member.name for member in model.description.datatypes[0].members][0] == "begin"
    with kaon.create(tmp_path / "a.kaon", model=model):
        pass


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (
            {"a.b": [[{"x": 1}]], "a_b": [[{"x": 1}]]},
            kaon.errors.UsageError,
            "'a_b' and another array would both get the name a_b",
        ),
        ({"met": [1.0]}, kaon.errors.UsageError, "a model needs lists of records"),
        (
            {"Muon": ak.zip({"w": [[[]]]}, depth_limit=2)},
            kaon.errors.UsageError,
            "'Muon.w' is empty",
        ),
        (
            {"Muon": ak.zip({"t": [np.array([1j])]}, depth_limit=2)},
            kaon.errors.WrongTypeError,
            "members cannot hold the type of 'Muon.t'",
        ),
        ({"Muon": ak.zip({"a // b": [[1]]})}, kaon.errors.UsageError, "the field 'a // b' of"),
        ({"Muon": ak.zip({"class": [[1]]})}, kaon.errors.ModelError, "class"),
    ],
)
def test_mistakes(data, error, message):
    with pytest.raises(error, match=message):
        kaon.infer_model(data)
