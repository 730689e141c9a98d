"""Cuts, computed columns and filters of names, in the way of uproot."""

import awkward as ak
import numpy as np
import pytest

import kaon

EVENTS = 3000


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    counts = random.integers(0, 5, EVENTS)
    muons = {
        "pt": random.uniform(0, 100, counts.sum()).astype(np.float32),
        "charge": random.choice(np.array([-1, 1], np.int32), counts.sum()),
    }
    return {
        "Muon": ak.zip({name: ak.unflatten(of, counts) for name, of in muons.items()}),
        "met": random.uniform(0, 100, EVENTS).astype(np.float32),
        "run": np.arange(EVENTS, dtype=np.int32) // 100,
    }


@pytest.fixture(scope="module", params=["events.kaon", "events.root"])
def events(data, request, tmp_path_factory):
    path = tmp_path_factory.mktemp("expressions") / "events.kaon"
    with kaon.create(path, cluster_entries=500) as out:
        out["events"].extend(data)
    if request.param != path.name:
        kaon.convert(path, path.with_name(request.param))
    return kaon.open(path.with_name(request.param))["events"]


def test_members_that_follow_from_others_are_computed(tmp_path):
    muon = {"pt": [[2.0, 3.0], []], "eta": [[0.0, 1.0], []], "phi": [[0.5, 2.0], []]}
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"Muon": ak.zip(muon)})
    events = kaon.open(tmp_path / "a.kaon:events")
    expected = (2 * np.cos(0.5), 3 * np.cos(2.0))
    assert events.arrays("Muon.px")["Muon.px"][0].tolist() == pytest.approx(expected)
    assert events.arrays(["Muon.pt", "Muon.pz"])["Muon.pz"].tolist()[1] == []
    assert kaon.dataset(f"{tmp_path}/a.kaon:events").sum("Muon.px").value == pytest.approx(
        sum(expected)
    )
    with pytest.raises(kaon.errors.UnknownNameError, match="'Muon' has no 'E'"):
        events.arrays("Muon.E")


def test_a_cut_chooses_entries(events, data):
    cut = "count(Muon[Muon.pt > 20]) == 2 and met > 30"
    mask = (ak.sum(data["Muon"].pt > 20, axis=1) == 2) & (data["met"] > 30)
    some = events.arrays(["Muon", "run"], cut)
    assert ak.fields(some) == ["Muon", "run"]
    assert ak.array_equal(some.Muon.pt, data["Muon"].pt[mask])
    assert ak.array_equal(some.run, data["run"][mask])
    part = events.arrays("run", cut, entry_start=1000, entry_stop=1500)
    assert ak.array_equal(part.run, data["run"][1000:1500][mask[1000:1500]])
    assert len(events.arrays(cut="met < 0")) == 0
    pieces = [piece.run for piece in events.iterate("run", cut, step_size=700)]
    assert len(pieces) == 5
    assert ak.array_equal(ak.concatenate(pieces), data["run"][mask])


@pytest.mark.parametrize("cut", [None, "count(Muon) > 1 and met > 30", "met < 0"])
def test_flat_arrays_have_cuts_and_expressions(events, cut):
    names = ["2 * met", "Muon", "Muon.pt[Muon.pt > 20]", "run"]
    asked = {"expressions": names, "cut": cut, "entry_start": 700, "entry_stop": 2500}
    some, expected = events.arrays(**asked, library="np"), events.arrays(**asked)
    place = f"{events.file_path}:events"
    both = kaon.concatenate([place, place], names, cut, library="np")
    again = events.arrays(names, cut)
    for flat, arrays in ((some, expected), (both, ak.concatenate([again, again]))):
        lists = {
            "Muon.pt": arrays.Muon.pt,
            "Muon.charge": arrays.Muon.charge,
            names[2]: arrays[names[2]],
        }
        for name, values in lists.items():
            assert flat[name].tolist() == ak.flatten(values).tolist()
            assert np.diff(flat.offsets(name)).tolist() == ak.num(values).tolist()
            assert flat.present(name).tolist() == [True] * len(arrays)
        for name in ("2 * met", "run"):
            assert flat[name].tolist() == arrays[name].tolist()
    assert events.arrays("2 * met", "met > 90", library="np").keys() == {"2 * met"}


def test_expressions_become_fields(events, data):
    some = events.arrays(
        ["met", "2 * met", "leading"],
        "leading > 50",
        aliases={"leading": "where(count(Muon) > 0, max(Muon.pt), 0)"},
    )
    leading = ak.fill_none(ak.max(data["Muon"].pt, axis=1), 0)
    assert ak.fields(some) == ["met", "2 * met", "leading"]
    assert ak.array_equal(some["2 * met"], 2 * data["met"][leading > 50])
    assert ak.all(some.leading == leading[leading > 50])
    twice = events.arrays(["2 * met", "run", "2 * met", "run"])
    assert ak.fields(twice) == ["run", "2 * met"]
    hard = events.arrays("Muon.pt[Muon.pt > 50]")
    assert ak.array_equal(hard["Muon.pt[Muon.pt > 50]"], data["Muon"].pt[data["Muon"].pt > 50])


def test_names_and_types_are_filtered(events):
    assert events.keys("Muon.*") == ["Muon.pt", "Muon.charge"]
    assert events.keys("/.*t$/") == ["Muon.pt", "met"]
    assert events.keys(["met", "run"]) == ["met", "run"]
    assert events.keys(lambda name: name.startswith("r")) == ["run"]
    assert events.keys(filter_typename="*float32") == ["Muon.pt", "met"]
    assert events.typenames("m*") == {"met": "float32"}
    assert ak.fields(events.arrays(filter_name="Muon.pt")) == ["Muon"]
    assert ak.fields(events.arrays(filter_name="Muon.pt").Muon) == ["pt"]
    assert ak.fields(events.arrays(["met", "run"], filter_typename="int*")) == ["run"]


def test_reports_mistakes(events):
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean 'met'"):
        events.arrays(cut="mett > 5")
    with pytest.raises(kaon.errors.UnknownNameError, match="did you mean"):
        events.arrays("Muon.ptt")
    with pytest.raises(kaon.errors.WrongTypeError, match="a filter wants a bool"):
        events.arrays("run", "Muon.pt > 5")
    with pytest.raises(kaon.errors.WrongTypeError, match="entry_start="):
        events.arrays("met", 10)
    with pytest.raises(kaon.errors.UsageError):
        events.arrays("met +")
    for step in (1.5, None):
        with pytest.raises(
            kaon.errors.WrongTypeError, match=f"the step must be a number of entries.*{step}"
        ):
            next(events.iterate("met", step_size=step))
    with pytest.raises(kaon.errors.WrongTypeError, match="columns are named by strings, not 5"):
        events.arrays(["met", 5])
    with pytest.raises(
        kaon.errors.UsageError, match="alias 'met' has the name of an existing column"
    ):
        events.arrays("met", aliases={"met": "2 * met"})
    with pytest.raises(
        kaon.errors.UsageError, match=r"'/\(/' is not a regular expression: missing"
    ):
        events.keys("/(/")
    with pytest.raises(kaon.errors.UsageError, match="the size of a piece 'small' is not a size"):
        events.arrow(piece_size="small")


def test_entries_that_pass_are_counted_without_columns(events, data):
    passed = events.arrays([], "met > 50")
    assert len(passed) == (data["met"] > 50).sum() and passed.fields == []


def test_missing_values_stay_missing_after_a_cut(tmp_path):
    data = {"x": [1, 2, 3, 4], "words": [["a"], None, ["b", "c"], None], "Hits": None}
    data["Hits"] = [[{"e": 1.0}], [], None, [{"e": 2.0}, {"e": 3.0}]]
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({name: ak.Array(values) for name, values in data.items()})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    passed = [1, 2, 3]
    for columns in (["x", "words", "Hits.e"], ["x", "words", "Hits.e", "2 * x", "Hits.e + 1"]):
        some = events.arrays(columns, "x > 1")
        assert some.x.tolist() == [data["x"][entry] for entry in passed]
        assert some.words.tolist() == [data["words"][entry] for entry in passed]
        assert some.Hits.tolist() == [data["Hits"][entry] for entry in passed]
    assert some["2 * x"].tolist() == [4, 6, 8]
    assert some["Hits.e + 1"].tolist() == [[], [], [3.0, 4.0]]
    nothing = events.arrays(["words", "2 * x", "Hits.e + 1"], "x > 4")
    assert len(nothing) == 0 and nothing.fields == ["words", "2 * x", "Hits.e + 1"]


def test_relations_are_followed_after_a_cut(tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text(
        "schema_version: 1\n"
        "datatypes:\n"
        "  Particle:\n"
        "    Description: a particle\n"
        "    Author: me\n"
        "    Members: ['int32_t PDG // code']\n"
        "    OneToManyRelations: ['Particle parents // mothers']\n"
    )
    with kaon.create(tmp_path / "events.kaon", model=model) as out:
        for event in range(20):
            particles = ak.zip(
                {
                    "PDG": [[event, 100 + event]],
                    "parents": [[[], [0]]],
                },
                depth_limit=2,
            )
            out["events"].extend({"Particles": particles})
    events = kaon.open(tmp_path / "events.kaon")["events"]
    some = events.arrays("Particles", "any(Particles.PDG == 113)")
    assert some.Particles.parents.PDG.tolist() == [[[], [13]]]


def test_names_go_on_behind_relations(path):
    events = kaon.open(path)["events"]
    arrays = events.arrays(["Hits.particle.PDG", "Hits.cell"])
    assert arrays.fields == ["Hits", "Hits.particle.PDG"]
    assert arrays["Hits.particle.PDG"].tolist() == [[11, 0], [], []]  # 0: to no particle
    assert events.arrays("Hits.particle.index").Hits.fields == ["particle"]
    with pytest.raises(
        kaon.errors.UnknownNameError, match="'Hits.particle' has no 'PGD'.*mean 'PDG'"
    ):
        events.arrays("Hits.particle.PGD")
