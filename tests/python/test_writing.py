import copy
import gc
import os
import pickle
import resource

import awkward as ak
import numpy as np
import pytest
from awkward.contents import NumpyArray, RecordArray, RegularArray

import kaon


@pytest.fixture
def writer_options(model):
    return {"model": model, "missing_members": "default"}


def test_bools_are_true_for_any_nonzero_byte(tmp_path):
    good = np.array([0, 2, 255], np.uint8).view(bool)
    with kaon.create(tmp_path / "bools.kaon") as out:
        out["events"].extend({"good": good, "lists": ak.unflatten(good, [1, 0, 2])})
    read = kaon.open(tmp_path / "bools.kaon")["events"].arrays()
    assert read.good.tolist() == [False, True, True]
    assert read.lists.tolist() == [[False], [], [True, True]]


# Links and interfaces


LINKED = """
interfaces:
  demo::Any:
    Description: "Whatever there is"
    Author: "kaon"
    Members: []
    Types: [demo::Particle, demo::Hit]
links:
  demo::HitLink:
    Description: "Where a hit comes from"
    Author: "kaon"
    From: demo::Hit
    To: demo::Any
"""


@pytest.fixture
def linked(tmp_path, model):
    path = tmp_path / "linked.yaml"
    path.write_text(model.read_text() + LINKED)
    return path


def test_links_are_written_like_other_collections(write, linked):
    to = [{"index": 0, "collection": "Hits"}, {"index": 1, "collection": "Particles"}]
    links = [[{"from": 0, "to": to[0]}, {"from": 0, "to": to[1], "weight": 0.5}]]
    data = {"Links": links, "Hits": [[{"cell": 1}]], "Particles": [[{"PDG": 1}, {"PDG": 2}]]}
    events = write(data, model=linked, types={"Links": "demo::HitLink"})
    read = events.arrays().Links[0]
    assert read["to"][["index", "collection"]].tolist() == to
    assert read["from"].index.tolist() == [0, 0]
    assert read["weight"].tolist() == [1.0, 0.5]


def test_links_lead_only_to_types_of_their_ends(write, linked):
    data = {"Links": [[{"from": 0, "to": {"index": 0, "collection": "Links"}}]]}
    with pytest.raises(KeyError, match="'Links', which is not a written collection of demo::Any"):
        write(data | {"Hits": [[{"cell": 1}]]}, model=linked, types={"Links": "demo::HitLink"})


# The types of collections


def test_a_collection_is_known_by_its_record_name(write):
    hits = ak.Array([[{"energy": 1.0}]], with_name="Hit")
    assert write({"Anything": hits}).keys()[0] == "Anything.cell"


def test_a_collection_is_known_by_its_members(write):
    assert write({"A": [[{"cell": 1}]], "B": [[{"PDG": 1}]]}).keys()[0] == "A.cell"


def test_a_collection_is_known_by_its_type(write):
    events = write({"Hits": [[], []]}, types={"Hits": "demo::Hit"})
    assert events.arrays().Hits.tolist() == [[], []]


def test_ambiguous_types_are_refused(write):
    with pytest.raises(ValueError, match="'A' is empty, so its type is unknown"):
        write({"A": [[], []]})
    with pytest.raises(
        ValueError, match=r"no datatype has the member 'enrgy'.*did you mean 'energy'"
    ):
        write({"A": [[{"cell": 1, "enrgy": 1.0}]]})
    with pytest.raises(KeyError, match=r"no datatype 'demo::Hits' \(did you mean 'demo::Hit'\?\)"):
        write({}, types={"A": "demo::Hits"})
    with pytest.raises(TypeError, match='lists of records for a collection.*"record" in `types`'):
        write({"A": [{"cell": 1}]})


def test_several_matching_datatypes_are_reported(write, model, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(
        f"""{model.read_text()}
  demo::OtherHit:
    Description: "Another one"
    Author: "kaon"
    Members:
      - uint64_t cell // where
"""
    )
    with pytest.raises(ValueError, match=r"demo::Hit, demo::OtherHit all have these members"):
        write({"A": [[{"cell": 1}]]}, model=other)


# Members


def test_omitted_members_have_their_default(write):
    a, b = write({"P": [[{"PDG": 1, "mass": None}, {"vertex": {"y": 5}}]]}).arrays().P[0].tolist()
    assert (a["mass"], b["PDG"], a["stable"]) == (0.5, 0, True)
    assert a["vertex"] == {"x": 1, "y": 2, "z": 3}
    assert b["vertex"] == {"x": 0, "y": 5, "z": 0}
    assert write({"P": [[{"qualities": [{}, {"flag": 2}]}]]}).arrays().P[
        0, 0
    ].qualities.tolist() == [{"flag": -1, "chi2": [0, 0]}, {"flag": 2, "chi2": [0, 0]}]


def test_members_without_a_default_must_be_given(tmp_path, model):
    hits = {"Hits": [[{"energy": 1.0}], []]}
    particle = {"PDG": 1, "momentum": {"x": 1, "y": 2, "z": 3}, "spin": [0, 0, 1]}
    whole = {**particle, "ends": [{"x": 0, "y": 0, "z": 0}] * 2}
    with kaon.create(tmp_path / "a.kaon", model=model) as out:
        events = out["events"]
        with pytest.raises(
            ValueError, match="'Hits' lacks 'cell', which has no default in the mod"
        ):
            events.extend(hits)
        with pytest.raises(ValueError, match="'P' lacks 'momentum', 'spin', 'ends', which have no"):
            events.extend({"P": [[{"PDG": 1}]]})
        with pytest.raises(
            ValueError, match="'P.PDG' has missing values, and no default in the mo"
        ):
            events.extend({"P": [[{**whole, "PDG": None}, whole]]})
        with pytest.raises(ValueError, match="'P.momentum' lacks 'z', which has no default"):
            events.extend({"P": [[{**whole, "momentum": {"x": 1, "y": 2}}]]})
        with pytest.raises(ValueError, match="'P.qualities' lacks 'chi2', which has no default"):
            events.extend({"P": [[{**whole, "qualities": [{"flag": 1}]}]]})
        events.extend({"P": [[{**whole, "mass": None}], []]})
        assert len(events) == 2
    (written,) = kaon.open(tmp_path / "a.kaon")["events"].arrays().P[0]
    assert (written.mass, written.vertex.x, written.stable) == (0.5, 1, True)
    with pytest.raises(ValueError, match="`missing_members` must be error or default, not 'zero'"):
        kaon.create(tmp_path / "b.kaon", missing_members="zero")


def test_members_are_not_given_by_names_with_dots(write):
    with pytest.raises(ValueError, match=r"'P.PDG' is the name of a collection's member: give"):
        write({"P.PDG": [[1]]})
    with pytest.raises(ValueError, match=r"such as {'Hits': ak.zip\({'fit': ..., ...}\)}"):
        write({"Hits": [[{"cell": 1}]], "Hits.fit": [[0.5]]})
    assert write({"jets.n": [1, 2]}).arrays()["jets.n"].tolist() == [1, 2]


def test_unknown_members_get_a_suggestion(write):
    types = {"P": "demo::Particle"}
    with pytest.raises(KeyError) as caught:
        write({"P": [[{"PDG": 1, "Mass": 1.0}]]}, types=types)
    assert str(caught.value).endswith(
        "0.kaon:events: 'P' has no member 'Mass' (did you mean 'mass'?)"
    )
    with pytest.raises(KeyError, match=r"'P.momentum' has no member 'px'"):
        write({"P": [[{"momentum": {"px": 1.0}}]]}, types=types)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("mass", 1),  # an integer is a number
        ("mass", np.float64(0.1)),  # only precision is lost
        ("mass", float("inf")),
        ("mass", float("nan")),
        ("PDG", np.uint8(200)),
        ("PDG", -(2**31)),
        ("spin", [1, 2, 3]),
        ("weights", []),
        ("weights", [1, 2.5]),
    ],
)
def test_values_that_fit(write, member, value):
    stored = write({"P": [[{member: value}]]}).arrays().P[0, 0].tolist()[member]
    assert stored == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("member", "value", "error", "message"),
    [
        ("PDG", 1.0, TypeError, "'P.PDG' holds int32 values, which float64 ones cannot become"),
        ("PDG", 2**31, ValueError, "'P.PDG' holds int32 values, and 2147483648 does not fit"),
        ("PDG", "e", TypeError, "'P.PDG' needs numbers, not values of type string"),
        ("PDG", [1], TypeError, "'P.PDG' needs numbers"),
        ("stable", 1, TypeError, "'P.stable' holds bool values"),
        ("mass", 1e300, ValueError, "'P.mass' holds float32 values, and 1e.300 does not fit"),
        ("mass", 2**24 + 1, ValueError, "'P.mass' holds float32 values, and 16777217 does not fit"),
        ("mass", {"x": 1}, TypeError, "'P.mass' needs numbers"),
        ("spin", [1, 2], ValueError, "'P.spin' needs 3 values each"),
        ("spin", 1, TypeError, "'P.spin' needs lists"),
        ("momentum", 1, TypeError, "'P.momentum' needs records"),
        ("ends", [{"x": 1}], ValueError, "'P.ends' needs 2 records each"),
        ("weights", 1.0, TypeError, "'P.weights' needs lists"),
        ("weights", [1.0, None], ValueError, "'P.weights' has missing values"),
        ("qualities", [1], TypeError, "'P.qualities' needs records"),
        ("mother", 0.5, TypeError, "'P.mother' holds int32 values"),
    ],
)
def test_values_that_do_not_fit(write, member, value, error, message):
    with pytest.raises(error, match=message) as caught:
        write({"P": [[{member: value}]]}, types={"P": "demo::Particle"})
    assert isinstance(caught.value, kaon.Error)


def test_numpy_arrays_make_collections(write):
    energy = np.array([0.5, 1.5, 2.5])
    hits = ak.unflatten(ak.zip({"energy": energy, "cell": np.arange(3)}), [1, 0, 2])
    assert write({"Hits": hits}).arrays().Hits.energy.tolist() == [[0.5], [], [1.5, 2.5]]


def test_views_of_any_kind_are_written(write, events, contents):
    everything = events.arrays()
    chosen = everything[::-1][[True, False, True]][ak.argsort([1, 0])]
    assert contents(write(chosen)) == [contents(events)[i] for i in (0, 2)]


# Relations


def test_indices_refer_to_the_only_collection_of_the_type(write):
    events = write({"H": [[{"particle": 1}, {"particle": -1}]], "P": [[{"PDG": 1}, {"PDG": 2}]]})
    particle = events.arrays().H.particle
    assert particle[["entry", "index", "collection"]].tolist() == [
        [
            {"entry": 0, "index": 1, "collection": "P"},
            {"entry": 0, "index": -1, "collection": None},
        ]
    ]


def test_records_tell_the_collection(write):
    particles = {"P": [[{"PDG": 1}]], "Q": [[{"PDG": 2}]]}
    hits = [[{"particle": {"index": 0, "collection": "Q"}}, {"particle": None}]]
    events = write({**particles, "H": hits})
    assert events.arrays().H.particle.collection.tolist() == [["Q", None]]
    with pytest.raises(ValueError, match="but P, Q are written: give records"):
        write({**particles, "H": [[{"particle": 0}]]})
    wrong = [[{"particle": {"index": 0, "collection": "R"}}]]
    with pytest.raises(
        KeyError, match="refers to 'R', which is not a written collection of demo::Particle"
    ):
        write({**particles, "H": wrong})


def test_relations_lead_to_objects_or_nowhere(write):
    types = {"H": "demo::Hit"}
    assert write({"H": [[{"particle": None}, {"particle": -1}]]}, types=types)
    with pytest.raises(ValueError, match="demo::Particle, but none is written"):
        write({"H": [[{"particle": 0}]]}, types=types)
    with pytest.raises(
        ValueError, match="in entry 1 of those given, to object 2 of 'P', which has 1"
    ):
        write({"P": [[], [{"daughters": [0, 2]}]]})
    with pytest.raises(ValueError, match="an index less than -1"):
        write({"P": [[{"mother": -2}]]})


# Values and parameters


def test_arrays_of_numbers_and_strings(write):
    data = {
        "flag": np.array([True, False]),
        "bytes": np.array([[1, 2], [3, 4]], dtype=np.uint8),
        "single": np.array([[0.5], [1.5]]),
        "small": ak.values_astype(ak.Array([[1], []]), np.int8),
        "large": ak.values_astype(ak.Array([[2**62], []]), np.uint64) * np.uint64(3),
        "words": ak.Array([["a"], None]),
    }
    events = write(data)
    assert events.typenames() == {
        "flag": "bool",
        "bytes": "2 * uint8",
        "single": "1 * float64",
        "small": "var * int8",
        "large": "var * uint64",
        "words": "var * string",
    }
    numbers = {"flag": True, "bytes": [1, 2], "single": [0.5], "small": [1], "large": [3 * 2**62]}
    others = {"flag": False, "bytes": [3, 4], "single": [1.5], "small": [], "large": []}
    assert events.arrays().tolist() == [{**numbers, "words": ["a"]}, {**others, "words": None}]


@pytest.mark.parametrize(
    "values",
    [
        np.array([1j]),
        np.array(["2020-01"], dtype="datetime64[M]"),
        np.array([1.0], dtype=np.float16),
        [2**64],
        ak.Array([1, "a"]),
        [None],
        np.array([[]]),
        "text",
        3,
    ],
)
def test_values_that_files_cannot_hold(write, values):
    with pytest.raises((TypeError, ValueError)) as caught:
        write({"x": values})
    assert isinstance(caught.value, kaon.Error)


def test_arrays_have_one_length(write):
    with pytest.raises(ValueError, match="differ in length: 'x' has 2, 'y' has 1"):
        write({"x": [1, 2], "y": [1]})


# Several calls


def test_calls_append(tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].extend({"x": [1.0, 2.0], "P": [[{"PDG": 1}], []]})
        out["events"].extend({"x": [3], "n": [[1, 2]], "H": [[{"cell": 5}]]})
        out["events"].extend({"x": [], "P": []})
        out["runs"].extend({"number": [1]})
        assert len(out["events"]) == 3
    arrays = kaon.open(tmp_path / "a.kaon:events").arrays(["x", "P.PDG", "n", "H.cell"])
    assert arrays.x.tolist() == [1, 2, 3]
    assert arrays.P.PDG.tolist() == [[1], [], None]
    assert arrays.n.tolist() == [None, None, [1, 2]]
    assert arrays.H.cell.tolist() == [None, None, [5]]


def test_entries_may_lack_columns_of_earlier_entries(tmp_path, model, events_data):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].extend(events_data)
        values = {"weight": [3.5, 4.5], "beam": np.zeros((2, 2), np.int16)}
        out["events"].extend(values | {"words": [[["a"], []], []]})  # the empty lists are new
        with pytest.raises(
            kaon.errors.UsageError, match="in entry 0 .* object 0 of 'Particles', which"
        ):
            out["events"].extend(values | {"Hits": [[{"particle": 0}], []]})
        with pytest.raises(
            kaon.errors.UsageError, match="the value 'beam' of earlier entries is missing"
        ):
            out["events"].extend({"weight": [5.5], "late": [[1]]})
        out["events"].extend(events_data | {"other": [["x"], [], ["y"]]})  # replaces 'late'
    events = kaon.open(tmp_path / "a.kaon")["events"]
    assert kaon.verify(tmp_path / "a.kaon").is_sound
    names = ["Particles.PDG", "Particles.weights", "title", "weight", "words", "other"]
    arrays = events.arrays(names)
    first, second = arrays[:3], arrays[5:]
    assert first.Particles.tolist() == second.Particles.tolist()
    assert first.title.tolist() == second.title.tolist() == events_data["title"]
    assert arrays.Particles[3:5].tolist() == arrays.title[3:5].tolist() == [None, None]
    assert arrays.weight.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 0.5, 1.5, 2.5]
    assert arrays.words.tolist() == [None] * 3 + [[["a"], []], []] + [None] * 3
    assert arrays.other.tolist() == [None] * 5 + [["x"], [], ["y"]]


def test_values_are_in_every_entry_or_none(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": [1.0]})
        with pytest.raises(ValueError, match="the value 'x' of earlier entries is missing"):
            out["events"].extend({"n": [[1]]})
        with pytest.raises(ValueError, match="earlier entries have no value 'y'"):
            out["events"].extend({"x": [1.0], "y": [1.0]})
        with pytest.raises(TypeError, match="'x' needs numbers"):
            out["events"].extend({"x": ["a"]})
    assert kaon.open(tmp_path / "a.kaon:events").arrays().tolist() == [{"x": 1}]


def test_single_values_are_added_to_parameters(tmp_path):
    """Frames have parameters as lists, even if extend() gets single values."""
    with kaon.create(tmp_path / "x.kaon") as out:
        frame = kaon.Frame()
        frame.parameters.update({"n": 1, "name": "a", "is_good": True})
        out["events"].write(frame)
        out["events"].extend({"n": [2, 3], "name": ["b", "c"], "is_good": [False, True]})
        out["events"].extend({"n": [None, 4], "name": ["d", None]})
        with pytest.raises(TypeError, match="'n' holds int32 values, which float64 ones cannot"):
            out["events"].extend({"n": [0.5]})
    events = kaon.open(tmp_path / "x.kaon")["events"]
    arrays = events.arrays()
    assert arrays.n.tolist() == [[1], [2], [3], None, [4]]
    assert arrays.name.tolist() == [["a"], ["b"], ["c"], ["d"], None]
    assert arrays.is_good.tolist() == [[True], [False], [True], None, None]
    assert [frame.parameters.get("n") for frame in events.frames()] == [1, 2, 3, None, 4]


def test_members_may_be_called_as_attributes_of_arrays(tmp_path):
    hits = ak.Array([[{"shape": [1, 2], "dtype": 3, "layout": 4, "fields": 5}], []])
    for entries in (hits, hits[:0]):
        path = tmp_path / f"{len(entries)}.kaon"
        with kaon.create(path) as out:
            out["events"].extend({"Hits": entries})
        if len(entries):
            stored = kaon.open(path)["events"].arrays().Hits
            assert all(stored[name].tolist() == hits[name].tolist() for name in hits.fields)


def test_single_values_that_are_no_column_are_refused(write):
    for one in (1, 2.5, True, np.float32(1), np.array(1)):
        with pytest.raises(TypeError, match=rf"'n' is one value, {one}, not an array of one"):
            write({"n": one})
    with pytest.raises(TypeError, match=r"'n' is one value, 'ab', not an array of one: \['ab'\]"):
        write({"n": "ab"})
    with pytest.raises(TypeError, match="'n' is None, not an array"):
        write({"n": None})
    assert write({"n": [1, None, None]}).arrays().n.tolist() == [1, None, None]
    assert write({"n": ak.singletons([1, None])}).arrays().n.tolist() == [[1], []]


def test_arrays_of_objects_have_the_type_of_their_elements(write):
    lists = np.empty(2, dtype=object)
    lists[:] = [np.array([1.5, 2.5]), np.array([])]  # as uproot returns them with library="np"
    events = write({"words": np.array(["a", "bc"], dtype=object), "lists": lists}).arrays()
    assert events.words.tolist() == ["a", "bc"]
    assert events.lists.tolist() == [[1.5, 2.5], []]


def test_structured_arrays_are_records(write):
    place = np.dtype([("x", ">f4"), ("name", "U2")])
    hits = np.array([((1.5, "a"), 1), ((2.5, "bc"), 2)], [("place", place), ("n", "i2")])
    expected = [
        {"place": {"x": 1.5, "name": "a"}, "n": 1},
        {"place": {"x": 2.5, "name": "bc"}, "n": 2},
    ]
    assert write({"hit": hits}, model=None).arrays().hit.tolist() == expected
    assert write({"hits": np.stack([hits, hits[::-1]])}, model=None).arrays().hits.tolist() == [
        expected,
        expected[::-1],
    ]
    assert write(hits, model=None).arrays().tolist() == expected
    with pytest.raises(kaon.errors.WrongTypeError, match="'hit.place.z' has the type complex"):
        write({"hit": np.zeros(2, [("place", [("z", "c16")])])}, model=None)


def test_strings_of_numpy_may_be_of_any_length(write):
    texts = ["", "größte", "a" * 100]
    assert write({"x": np.array(texts, np.dtypes.StringDType())}).arrays().x.tolist() == texts


@pytest.mark.parametrize("dtype", ["f4", ">f4", "i1", "u8", "?"])
def test_lists_of_arrays_keep_their_type(write, dtype):
    made = [np.array([], dtype), np.array([1, 0], dtype), np.array([])]  # np.array([]) has doubles
    type_ = np.dtype(dtype).name
    assert write({"x": made}).typenames() == {"x": f"var * {type_}"}
    assert write({"x": made[:1]}).typenames() == {"x": f"var * {type_}"}
    assert write({"x": made}).arrays().x.tolist() == [[], [1, 0], []]
    mixed = [np.array([1], np.int8), np.array([1.5])]
    assert write({"x": mixed}).arrays().x.tolist() == [[1], [1.5]]


def test_empty_lists_have_the_type_that_is_said(write):
    with pytest.raises(kaon.errors.UsageError, match=r"types={'x': 'float32'}"):
        write({"x": [[], []]})
    empty = write({"x": [[], []]}, types={"x": "float32"})
    assert empty.typenames() == {"x": "var * float32"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            [2**63],
            r"'x' is not an array: it has a number beyond int64, .* np.uint64\) may have room, or",
        ),
        (
            ["\udcff"],
            "'x' is not an array: it has a number beyond int64, .* or a text that is not valid",
        ),
        (np.zeros(1, "V3"), r"'x' is not an array: files have no values of the type \|V3$"),
        (np.array([1], np.float16), "'x' has the type float16, .*: write ak.values_as"),
        ([[1j]], "'x' has the type complex128, .*: write their .real and .imag"),
        (np.array(["2020"], "M8[Y]"), r"'x' has times of the type datetime64\[Y\], .*'M8\[s\]'"),
    ],
)
def test_values_of_types_that_files_lack_are_named(write, values, message):
    with pytest.raises(kaon.errors.WrongTypeError, match=message):
        write({"x": values})


def test_much_data_is_cut_into_clusters(write):
    particles = [[{"PDG": i, "daughters": [0] * (i % 5)}] * (i % 4) for i in range(100)]
    events = write({"P": particles, "x": np.arange(100)}, cluster_bytes=2000)
    assert len(events.clusters()) > 5
    arrays = events.arrays()
    assert arrays.P.PDG.tolist() == [[p["PDG"] for p in event] for event in particles]
    assert ak.num(arrays.P.daughters, axis=2).tolist() == [[i % 5] * (i % 4) for i in range(100)]


# Files


@pytest.mark.parametrize("codec", ["none", "lz4", "zstd", "zlib", "lzma"])
@pytest.mark.parametrize("layout", ["split", "member", "row"])
def test_every_codec_and_layout(write, events, events_data, codec, layout, contents):
    written = write(events_data, codec=codec, layout=layout)
    assert contents(written) == contents(events)


def test_unknown_codecs_and_layouts(tmp_path):
    with pytest.raises(
        KeyError, match=r"'zst' is not a value of 'codec' \(did you mean 'zstd'\?\)"
    ):
        kaon.create(tmp_path / "a.kaon", codec="zst")
    with pytest.raises(
        KeyError, match=r"'rows' is not a value of 'layout' \(did you mean 'row'\?\)"
    ):
        kaon.create(tmp_path / "a.kaon", storage={"Hits": {"layout": "rows"}})
    assert not list(tmp_path.iterdir())


def test_a_model_can_come_from_anywhere(write, model, events):
    from kaon.modelgen import load_model

    data = {"H": [[{"cell": 1}]]}
    for one in (model, os.fspath(model), load_model(model), load_model(model).to_dict()):
        assert write(data, model=one).arrays().H.cell.tolist() == [[1]]
    with pytest.raises(ValueError, match="the entry 'schema_version' is missing"):
        write(data, model={"name": "detector"})
    wrong = load_model(model).to_dict()
    wrong["datatypes"][0]["members"][0]["type"] = "integer"
    with pytest.raises(ValueError, match="the data model 'detector' cannot be used: .*'integer'"):
        write(data, model=wrong)


def test_an_empty_file_is_a_file(tmp_path):
    with kaon.create(tmp_path / "a.kaon"):
        pass
    assert list(kaon.open(tmp_path / "a.kaon")) == []


def test_a_category_without_entries_is_one(write):
    events = write({"x": np.array([])})
    assert len(events) == 0
    assert events.arrays().tolist() == []
    assert events.arrays(library="np")["x"].tolist() == []


def test_nothing_is_written_after_finish(tmp_path):
    out = kaon.create(tmp_path / "a.kaon")
    out["events"].extend({"x": [1]})
    out.finish()
    with pytest.raises(ValueError, match="is finished; it accepts no more data"):
        out["events"].extend({"x": [1]})
    with pytest.raises(ValueError, match="is finished"):
        out.finish()
    assert kaon.open(tmp_path / "a.kaon:events").arrays().x.tolist() == [1]


def test_an_exception_leaves_the_old_file(path):
    before = path.read_bytes()
    with pytest.raises(RuntimeError), kaon.create(path, overwrite=True) as out:
        out["events"].extend({"x": [1]})
        raise RuntimeError
    assert path.read_bytes() == before


def test_files_are_overwritten_only_if_they_may_be(path):
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="exists already; `overwrite=True`") as caught:
        kaon.create(path)
    assert isinstance(caught.value, kaon.errors.FileError)
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]
    with kaon.create(path, overwrite=True) as out:
        out["events"].extend({"x": [1]})
    assert kaon.open(path)["events"].keys() == ["x"]


def test_a_second_writer_is_refused(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": [1]})
        with pytest.raises(OSError, match="another writer is at work on this file"):
            kaon.create(tmp_path / "a.kaon")
    assert len(kaon.open(tmp_path / "a.kaon:events")) == 1


def test_masked_values_are_missing_ones(tmp_path):
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": np.ma.array([[1, 2], [3, 4]])})  # no value is masked
        out["masked"].extend({"x": masked})
        with pytest.raises(kaon.errors.WrongTypeError):
            out["others"].extend(np.ma.array([(1, 2.5)], mask=True, dtype="i4,f8"))
        with pytest.raises(kaon.errors.WrongTypeError, match="masked values"):
            kaon.Frame()["x"] = masked
    assert kaon.open(tmp_path / "a.kaon:events").arrays().x.tolist() == [[1, 2], [3, 4]]
    assert kaon.open(tmp_path / "a.kaon:masked").arrays().x.tolist() == [1, None, 3]
    frame = kaon.dataset(tmp_path / "a.kaon:events").define("n", "sum(x)")
    with pytest.raises(kaon.errors.UsageError, match="'y' has None"):
        frame.define("y", lambda n: np.ma.masked_less(n, 5), ["n"]).sum("y").value  # noqa: B018


def test_a_writer_that_was_dropped_is_no_other_writer(tmp_path):
    gc.disable()  # writer and categories refer to each other
    try:
        kaon.create(tmp_path / "a.kaon")["events"].extend({"x": [1]})
        with (
            pytest.warns(kaon.errors.IncompleteFileWarning, match="a.kaon: was never finished"),
            kaon.create(tmp_path / "a.kaon") as out,
        ):
            out["events"].extend({"x": [2, 3]})
    finally:
        gc.enable()
    assert kaon.open(tmp_path / "a.kaon:events").arrays().x.tolist() == [2, 3]


def test_places_where_no_file_can_be(tmp_path):
    with pytest.raises(FileNotFoundError):
        kaon.create(tmp_path / "nowhere" / "a.kaon")
    with pytest.raises(OSError, match="is not a file"):
        kaon.create(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="cannot create: Not a directory"):
        kaon.create(tmp_path / "file" / "a.kaon")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_one_may_not_write_to(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OSError, match="Permission denied"):
        kaon.create(tmp_path / "a.kaon")


def test_a_full_disk_leaves_the_old_file(path):
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(OSError, match="cannot write: File too large") as caught:
            with kaon.create(path, codec="none", overwrite=True) as out:
                out["events"].extend({"x": np.arange(100_000)})
            out.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert isinstance(caught.value, kaon.errors.FileError)
    assert path.read_bytes() == before


def test_after_a_failed_write_nothing_follows(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    out = kaon.create(path, codec="none", overwrite=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(kaon.errors.FileError):
            out["events"].extend({"x": np.arange(100_000)})
            out.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with pytest.raises(kaon.errors.UsageError, match="an earlier write failed"):
        out["events"].extend({"x": [1]})
    with pytest.raises(kaon.errors.UsageError, match="an earlier write failed"):
        out.finish()


def test_a_forked_process_cannot_write_to_the_file(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": [1]})
        for write in (lambda: out["events"].extend({"x": [2]}), out.finish):
            child = os.fork()
            if child == 0:
                try:
                    write()
                except kaon.errors.UsageError as error:
                    os._exit(0 if "forked from" in str(error) else 1)
                os._exit(2)
            assert os.waitpid(child, 0)[1] == 0
        out["events"].extend({"x": [3]})
    assert kaon.verify(tmp_path / "a.kaon").is_sound
    assert kaon.open(tmp_path / "a.kaon:events").arrays().x.tolist() == [1, 3]


def test_entries_are_written_by_assigning_them(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"] = {"x": [1, 2]}
        with pytest.raises(kaon.errors.UsageError, match="events: has 2 entries already; `extend`"):
            out["events"] = {"x": [3]}
        out["events"].extend({"x": [3]})
    assert kaon.open(tmp_path / "a.kaon")["events"].arrays().x.tolist() == [1, 2, 3]


def test_numbers_may_be_in_the_other_byte_order(tmp_path):
    swapped = np.dtype(np.float32).newbyteorder()
    with kaon.create(tmp_path / "a.kaon") as out:
        values = np.array([[0.5, 1], [2, 3]], swapped)
        out["events"].extend({"x": values[0], "y": values})
    arrays = kaon.open(tmp_path / "a.kaon")["events"].arrays()
    assert arrays.x.tolist() == [0.5, 1]
    assert arrays.y.tolist() == [[0.5, 1], [2, 3]]


def test_the_models_of_a_file_are_a_model_if_there_is_one(tmp_path, path, events_data):
    models = kaon.open(path).models
    options = {"missing_members": "default", "overwrite": True}
    with kaon.create(tmp_path / "a.kaon", models, **options) as out:
        out["events"].extend(events_data)
    assert [*kaon.open(tmp_path / "a.kaon").models] == [*models]
    with pytest.raises(kaon.errors.UsageError, match="several models are given, choose one: a, b"):
        kaon.create(tmp_path / "b.kaon", dict.fromkeys("ab", models["detector"]))


def test_files_are_closed_by_hand(tmp_path):
    out = kaon.create(tmp_path / "a.kaon")
    out["events"].extend({"x": [1, 2]})
    assert not out.closed
    out.close()
    out.close()  # close() may be called again
    assert out.closed
    file = kaon.open(tmp_path / "a.kaon")
    assert file["events"].arrays().x.tolist() == [1, 2] and not file.closed
    file.close()
    assert file.closed
    with kaon.create(tmp_path / "b.kaon") as out:
        out["events"].extend({"x": [1]})
        out.close()
    assert len(kaon.open(tmp_path / "b.kaon")["events"]) == 1


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("a.rot", ".root"),
        ("a.ROOT", ".root"),
        ("a.kaom", ".kaon"),
        ("a.hdf", ".hdf5"),
        ("a.parqet", ".parquet"),
        ("a.slico", ".slcio"),
        ("a.H5", ".h5"),
    ],
)
def test_suffixes_that_are_misspelt(tmp_path, name, meant):
    with pytest.raises(
        kaon.errors.UsageError, match=rf"no format has the suffix.*did you mean '\{meant}'"
    ):
        kaon.create(tmp_path / name)
    assert not list(tmp_path.iterdir())
    kaon.create(tmp_path / name, format="kaon").close()
    assert len(kaon.open(tmp_path / name)) == 0


@pytest.mark.parametrize(
    "name", ["a.xyz", "a", "a.kaon1", "a.sim", "scan_0.5", "run.v5", "a.b/c", "a.tmp"]
)
def test_other_suffixes_are_those_of_kaon_files(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    kaon.create(tmp_path / name).close()
    assert len(kaon.open(tmp_path / name)) == 0


@pytest.mark.parametrize(
    ("mother", "message"),
    [
        ({"index": 0}, "needs indices, records of index and collection, .* not records of index"),
        (
            {"index": 0, "collection": None},
            "has a reference to an object whose collection is not named",
        ),
        (
            {"index": 0, "collection": "Hits"},
            "refers to 'Hits', which is not a written collection of demo::P",
        ),
        (1, "refers, in entry 0 of those given, to object 1 of 'Particles', which has 1"),
    ],
)
def test_references_that_lead_to_no_object_are_refused(write, mother, message):
    data = {"Particles": [[{"PDG": 1, "mother": mother}]], "Hits": [[{"cell": 1}]]}
    with pytest.raises(kaon.Error, match=f"0.kaon:events: 'Particles.mother' {message}"):
        write(data)


def test_references_may_be_missing(write):
    mothers = [None, {"index": None, "collection": "Particles"}]
    data = {"Particles": [[{"PDG": 1, "mother": mother} for mother in mothers]]}
    assert write(data).arrays().Particles.mother.index.tolist() == [[-1, -1]]


def test_extend_needs_names(write):
    for data in (np.arange(3), ak.Array([[1], [2]])):
        with pytest.raises(TypeError, match="give arrays by name, or an array of records"):
            write(data)


def test_files_that_are_being_written_stay_in_their_process(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        for take_along in (pickle.dumps, copy.copy, lambda file: pickle.dumps(file["events"])):
            with pytest.raises(TypeError, match="a.kaon': .* cannot be .*`kaon.merge` joins"):
                take_along(out)
        out["events"].extend({"MET": [1.0]})
    assert kaon.open(tmp_path / "a.kaon")["events"].arrays().MET.tolist() == [1]


def test_equal_records_of_two_collections_are_written_together(tmp_path):
    path = tmp_path / "lab.yaml"
    datatype = """
  lab::{0}:
    Description: {0}
    Author: kaon
    Members:
      - float pt [{1}] // of the {0}
"""
    path.write_text(
        "schema_version: 1\ndatatypes:"
        + datatype.format("Muon", "GeV")
        + datatype.format("Electron", "GeV")
        + datatype.format("Tau", "MeV")
    )
    source = tmp_path / "source.kaon"
    types = {"muons": "lab::Muon", "electrons": "lab::Electron", "taus": "lab::Tau"}
    with kaon.create(source, model=path, types=types) as out:
        out["events"].extend({name: [[{"pt": 1.5}], []] for name in types})
    a = kaon.open(source)["events"].arrays()
    leptons = ak.concatenate([a.muons, a.electrons], axis=1)
    assert "union" in str(leptons.type)
    with kaon.create(tmp_path / "leptons.kaon") as out:
        out["events"].extend({"leptons": leptons})
    events = kaon.open(tmp_path / "leptons.kaon")["events"]
    assert events.arrays().tolist() == [{"leptons": [{"pt": 1.5}, {"pt": 1.5}]}, {"leptons": []}]
    assert events["leptons.pt"].unit == "GeV"
    # Numbers in other units are not the same.
    with (
        kaon.create(tmp_path / "mixed.kaon") as out,
        pytest.raises(kaon.errors.WrongTypeError, match="'mixed' is of type union"),
    ):
        out["events"].extend({"mixed": ak.concatenate([a.muons, a.taus], axis=1)})


def test_arrays_of_no_elements_are_empty_lists(write):
    records = RecordArray([NumpyArray(np.zeros(0, np.float32))], ["a"])
    empty = ak.Array(RegularArray(records, 0, 2))
    assert write({"x": empty}, types={"x": "record"}).arrays().x.tolist() == [[], []]
