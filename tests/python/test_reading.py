import io
import pickle
import re
import resource
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon import _core
from kaon.files.paths import split_path


def test_a_file_is_a_mapping_of_its_categories(path):
    with kaon.open(path) as file:
        assert list(file) == ["events", "runs"]
        assert len(file) == 2
        assert "runs" in file
        assert "run" not in file
        assert file["runs"].num_entries == 2
        assert repr(file) == f"<File '{path}': events (3), runs (2)>"


def test_a_colon_names_a_category(path):
    assert kaon.open(f"{path}:runs").keys() == ["number"]


def test_a_category_is_opened_by_its_path(path):
    assert kaon.open({path: "runs"}).keys() == ["number"]
    with pytest.raises(kaon.errors.UsageError, match="give one file, not 2"):
        kaon.open({path: "runs", "b.kaon": "runs"})


def test_a_file_with_a_colon_in_its_name_is_a_file(path):
    renamed = path.rename(path.with_name("run:events"))
    assert list(kaon.open(str(renamed))) == ["events", "runs"]
    assert kaon.open(f"{renamed}:runs").name == "runs"


@pytest.mark.parametrize(
    ("path", "file", "category"),
    [
        ("f.kaon", "f.kaon", None),
        ("f.kaon:events", "f.kaon", "events"),
        ("dir/f.root:dir/tree", "dir/f.root", "dir/tree"),
        ("run:1/f.kaon", "run:1/f.kaon", None),
        ("run:1/f.root:dir/tree", "run:1/f.root", "dir/tree"),
        ("https://host/f.kaon", "https://host/f.kaon", None),
        ("https://host/f.kaon:events", "https://host/f.kaon", "events"),
        ("root://host.org:1094//data/f.root", "root://host.org:1094//data/f.root", None),
        ("root://host.org:1094//f.root:dir/tree", "root://host.org:1094//f.root", "dir/tree"),
    ],
)
def test_a_path_names_a_file_and_a_category(path, file, category):
    assert split_path(path) == (file, category)


def test_no_path_is_empty(command, tmp_path):
    copy = tmp_path / "copy.kaon"
    for arguments in (["head", ""], ["size", ""], ["model", ""], ["convert", "", copy]):
        assert command(*arguments) == (1, "", "kaon: the path of a file is empty\n")
    for use in (kaon.open, kaon.create, kaon.append, kaon.dataset):
        with pytest.raises(kaon.errors.UsageError, match="the path of a file is empty"):
            use("")


def test_a_category_may_have_slashes(path):
    with pytest.raises(KeyError, match="'dir/tree'"):
        kaon.open(f"{path}:dir/tree")
    bare = path.rename(path.with_name("bare"))
    with pytest.raises(KeyError, match="'dir/tree'"):
        kaon.open(f"{bare}:dir/tree")


def test_indexing_is_by_name(path, events):
    with pytest.raises(
        kaon.errors.WrongTypeError,
        match="by name, such as .* not 0; for single entries use `frames",
    ):
        events[0]
    with pytest.raises(
        kaon.errors.WrongTypeError, match="select a collection of the event by name, not 0"
    ):
        events.frames()[0][0]
    with pytest.raises(kaon.errors.WrongTypeError, match="select a category by name, not 0"):
        kaon.open(path)[0]


def test_a_closed_file_says_so_but_its_categories_live_on(path):
    with kaon.open(path) as file:
        runs = file["runs"]
    with pytest.raises(ValueError, match="is closed"):
        file["runs"]
    assert runs.arrays().number.tolist() == [7, 8]


def test_an_unknown_category_gets_a_suggestion(path):
    with pytest.raises(KeyError) as caught:
        kaon.open(path)["event"]
    assert isinstance(caught.value, kaon.errors.UnknownNameError)
    assert str(caught.value) == f"{path}: has no category 'event' (did you mean 'events'?)"


def test_the_model_comes_back_as_the_yaml_said(path, model):
    from kaon.modelgen import Model, load_model

    file = kaon.open(path)
    assert Model.from_dict(file.model()) == load_model(model)
    assert list(file.models) == ["detector"]
    assert file.model("detector") == file.model()
    with pytest.raises(KeyError, match=r"no model 'detecto' \(did you mean 'detector'\?\)"):
        file.model("detecto")


def test_a_file_without_a_model_says_so(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": [1.0]})
    with pytest.raises(kaon.errors.UnknownNameError, match="has no data model"):
        kaon.open(tmp_path / "a.kaon").model()


def test_keys_are_the_names_of_all_members(events):
    keys = events.keys()
    assert keys[:6] == [
        "Particles.PDG",
        "Particles.mass",
        "Particles.momentum.x",
        "Particles.momentum.y",
        "Particles.momentum.z",
        "Particles.vertex.x",
    ]
    assert {"Particles.weights", "Particles.qualities.chi2", "Hits.particle.index"} <= {*keys}
    assert {"weight", "beam", "title", "scales"} <= {*keys}
    assert list(events) == keys
    assert "Particles.momentum" in events
    assert "Particles.moment" not in events


def test_typenames_are_those_of_the_arrays(events):
    types = events.typenames()
    assert [*types] == events.keys()
    assert types["Particles.spin"] == "var * 3 * float64"
    assert types["Particles.weights"] == "var * var * float32"
    assert types["beam"] == "2 * int16"
    assert types["title"] == "var * string"
    for name in ("Particles.spin", "Particles.weights", "beam", "title", "Hits.cell"):
        array = events[name].array(entry_stop=2)
        assert str(array.type) == f"2 * {types[name]}"


def test_names_with_dots_become_records_in_records(events):
    arrays = events.arrays(["Particles.momentum.x", "Particles.PDG", "weight"])
    assert arrays.fields == ["Particles", "weight"]
    assert arrays.Particles.fields == ["PDG", "momentum"]
    assert arrays.Particles.momentum.x.tolist() == [[3, 0, 0], [], [0]]
    assert arrays.weight.tolist() == [0.5, 1.5, 2.5]


def test_everything_comes_back_with_defaults_for_omitted_members(events):
    arrays = events.arrays()
    (file,) = set(ak.flatten(arrays.Particles._self.file).tolist())
    assert arrays.Hits.particle.file.tolist() == [[file, file], [], None]
    for name in ("Particles", "Hits"):
        arrays[name] = ak.without_field(arrays[name], "_self")
    for path in (("Particles", "mother"), ("Particles", "daughters"), ("Hits", "particle")):
        arrays[path] = arrays[path][["entry", "index", "collection"]]
    first, second, third = arrays.tolist()
    z, electron, positron = first["Particles"]
    assert z["PDG"] == 23
    assert z["mass"] == pytest.approx(91.2)
    assert z["vertex"] == {"x": 1, "y": 2, "z": 3}
    assert z["stable"] is True
    assert z["mother"] == {"entry": 0, "index": -1, "collection": None}
    assert z["daughters"] == [
        {"entry": 0, "index": 1, "collection": "Particles"},
        {"entry": 0, "index": 2, "collection": "Particles"},
    ]
    assert electron["weights"] == [1.5, 2.5]
    assert electron["qualities"] == [{"flag": 3, "chi2": [1, 2]}]
    assert electron["mother"] == {"entry": 0, "index": 0, "collection": "Particles"}
    assert positron["stable"] is False
    assert positron["spin"] == [0, 0, 1]
    assert first["Hits"][0] == {
        "cell": 2**40,
        "energy": 1.5,
        "particle": {"entry": 0, "index": 1, "collection": "Particles"},
    }
    assert (first["beam"], first["title"], first["triggers"]) == (
        [0, 7],
        ["the first one"],
        ["electron", "muon"],
    )
    assert second["Particles"] == second["Hits"] == second["triggers"] == []
    assert third["Particles"][0]["ends"] == [{"x": 1, "y": 2, "z": 3}, {"x": 4, "y": 5, "z": 6}]
    assert third["title"] == ["größte"]


def test_only_columns_with_absent_entries_are_optional(events):
    arrays = events.arrays(["Particles", "Hits", "scales"])
    assert arrays.Hits.tolist()[1:] == [[], None]
    assert arrays.scales.tolist() == [[1, 2], None, []]
    assert "option" not in str(arrays.Particles.type)
    assert "option" not in str(events.arrays("Hits", entry_stop=2).Hits.type)


def test_records_carry_names_and_descriptions(events):
    particles = events.arrays("Particles").Particles
    units = {"mass": "GeV", "momentum": "GeV", "vertex": "mm", "ends": "mm"}
    parameters = ak.parameters(particles.layout.content)
    descriptions = parameters.pop("descriptions")
    assert parameters == {"__record__": "Particle", "__doc__": "A particle", "units": units}
    assert descriptions == {
        name: meaning
        for name in particles.fields
        if name != "_self" and (meaning := events[f"Particles.{name}"].description)
    }
    doubled = ak.with_field(particles, particles.mass * 2, "twice")
    assert ak.parameters(doubled.layout.content)["units"] == units
    assert ak.parameters(particles.mass.layout.content) == {}  # or `mass ** 2` would have the units
    assert particles.qualities.layout.content.content.parameter("__record__") == "Quality"


def test_components_behave_as_vectors(events):
    behavior = pytest.importorskip("vector.backends.awkward").behavior
    particles = ak.Array(events.arrays("Particles").Particles, behavior=behavior)
    assert particles.momentum.pt.tolist() == [[5, 0, 0], [], [0]]
    assert particles.vertex.rho[0, 0] == pytest.approx(5**0.5)


def test_parts_of_a_component_are_plain_records(events):
    momentum = events.arrays(["Particles.momentum.x", "Particles.momentum.y"]).Particles.momentum
    assert ak.parameters(momentum.layout.content) == {"__record__": "Momentum2D"}
    only = events.arrays("Particles.momentum.z").Particles.momentum
    assert ak.parameters(only.layout.content) == {}


@pytest.mark.parametrize(
    ("start", "stop", "expected"),
    [
        (None, None, [0.5, 1.5, 2.5]),
        (1, None, [1.5, 2.5]),
        (None, -1, [0.5, 1.5]),
        (-2, -1, [1.5]),
        (0, 100, [0.5, 1.5, 2.5]),
        (100, None, []),
        (2, 2, []),
        (np.int32(1), np.int64(2), [1.5]),
    ],
)
def test_ranges_are_those_of_slices(events, start, stop, expected):
    assert events.arrays("weight", entry_start=start, entry_stop=stop).weight.tolist() == expected
    assert events["weight"].array(start, stop, library="np").tolist() == expected


def test_any_range_gives_the_same_as_a_slice_of_everything(tmp_path, model):
    counts = np.arange(200) % 7
    particles = [
        [{"PDG": 100 * i + j, "weights": [float(j)] * (j % 3)} for j in range(n)]
        for i, n in enumerate(counts)
    ]
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        for first in (0, 30, 120):  # clusters of different sizes
            last = {0: 30, 30: 120, 120: 200}[first]
            out["events"].extend({"Particles": particles[first:last]})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    everything = events.arrays().tolist()
    for first, last in [(0, 200), (0, 1), (29, 31), (30, 120), (31, 119), (119, 200), (199, 200)]:
        assert (
            events.arrays(None, entry_start=first, entry_stop=last).tolist()
            == everything[first:last]
        )


def test_wrong_arguments_are_refused(events):
    with pytest.raises(ValueError, match=r"entry_start \(2\) must not exceed entry_stop \(1\)"):
        events.arrays("weight", entry_start=2, entry_stop=1)
    with pytest.raises(TypeError):
        events.arrays("weight", entry_start=0.5)
    with pytest.raises(ValueError, match="the library 'pandsa' is unknown .did you mean 'pandas'"):
        events.arrays("weight", library="pandsa")
    with pytest.raises(KeyError) as caught:
        events.arrays(["weight", "Particles.pdg"])
    assert str(caught.value).endswith("there is no 'Particles.pdg' (did you mean 'Particles.PDG'?)")
    with pytest.raises(kaon.errors.UnknownNameError):
        events["Tracks"]


def test_numpy_arrays_are_flat_with_offsets(events):
    arrays = events.arrays(
        ["Particles.PDG", "Particles.weights", "Hits.cell", "title", "beam"], library="np"
    )
    assert arrays["Particles.PDG"].tolist() == [23, 11, -11, 22]
    assert arrays["Particles.PDG"].dtype == np.int32
    assert arrays.offsets("Particles").tolist() == [0, 3, 3, 4]
    assert arrays.offsets("Particles.PDG").tolist() == [0, 3, 3, 4]
    assert arrays["Particles.weights"].tolist() == [1.5, 2.5, 0.5]
    assert arrays.offsets("Particles.weights").tolist() == [0, 0, 2, 3, 3]
    assert arrays.present("Hits").tolist() == [True, True, False]
    assert arrays["title"].tolist() == ["the first one", "", "größte"]
    assert arrays["beam"].shape == (3, 2)
    with pytest.raises(ValueError, match="no offsets"):
        arrays.offsets("beam")
    with pytest.raises(KeyError, match="no 'weight' was read"):
        arrays.offsets("weight")


def test_numpy_arrays_belong_to_the_caller(path):
    values = kaon.open(path)["events"]["weight"].array(library="np")
    values[:] = 0  # the file is closed now, and never owned the array
    assert values.flags.owndata
    assert values.flags.c_contiguous
    assert kaon.open(path)["events"]["weight"].array().tolist() == [0.5, 1.5, 2.5]


def test_one_name_is_a_column(events):
    column = events["Particles.mass"]
    assert (column.name, column.typename) == ("Particles.mass", "var * float32")
    assert (column.unit, column.description) == ("GeV", "rest mass")
    assert column.array().tolist()[1:] == [[], [0.5]]
    assert column.array(library="np")[1:].tolist() == [0.5] * 3
    assert events["Particles"].description == "A particle"
    assert events["Particles.momentum"].unit == "GeV"
    assert events["Particles.momentum"].array(0, 1).x.tolist() == [[3, 0, 0]]
    assert events["title"].array().tolist() == [["the first one"], [""], ["größte"]]


def test_a_column_has_those_in_it_by_their_names(events):
    momentum = events["Particles"]["momentum"]
    assert momentum.keys() == list(momentum) == ["x", "y", "z"]
    assert {name: column.name for name, column in momentum.items()} == {
        name: column.name for name, column in dict(momentum).items()
    }
    assert [column.name for column in momentum.values()] == [
        f"Particles.momentum.{x}" for x in "xyz"
    ]
    assert events["Particles"].keys()[:2] == ["PDG", "mass"]
    assert events["Particles"]["momentum.x"].name == "Particles.momentum.x"
    assert events["weight"].keys() == events["Particles_mass"].keys() == []


def test_a_name_that_nothing_has_can_stand_for_something_else(events):
    assert events.get("weight").name == "weight"
    assert events.get("weigth") is None and events.get("weigth", 0) == 0


def test_iterating_by_entries(events):
    pieces = [piece.weight.tolist() for piece in events.iterate("weight", step_size=2)]
    assert pieces == [[0.5, 1.5], [2.5]]


def test_iterating_by_bytes(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": np.arange(10_000.0)})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    lengths = [len(piece) for piece in events.iterate("x", step_size="20 kB")]
    assert lengths == [2500] * 4
    assert [len(piece) for piece in events.iterate(step_size="1 B", entry_stop=3)] == [1] * 3
    for size in ("1GiB", "1 TB", "2.5 pib", "100 mb", "1000000 B"):
        assert [len(piece) for piece in events.iterate(step_size=size, library="np")] == [1]


@pytest.mark.parametrize("step", [0, -1, "100", "many", "0.1 parsec", ""])
def test_a_step_that_leads_nowhere_is_refused_at_once(events, step):
    with pytest.raises(ValueError, match="step"):
        events.iterate("weight", step_size=step)


def test_iterating_over_files(path):
    other = path.with_name("more.kaon")
    other.write_bytes(path.read_bytes())
    both = [path, other]
    numbers = [p.number.tolist() for p in kaon.iterate([f"{p}:runs" for p in both], step_size=1)]
    assert numbers == [[7], [8]] * 2
    pattern = f"{path.parent}/*.kaon:runs"
    assert [p["number"].tolist() for p in kaon.iterate(pattern, library="np")] == [[7, 8]] * 2
    with pytest.raises(FileNotFoundError, match=r"nothing\*.kaon: no file matches"):
        next(kaon.iterate("nothing*.kaon:runs"))
    pieces = kaon.iterate(both, "Particles.PDG")  # "events" is read, as no category is named
    assert [len(piece) for piece in pieces] == [3, 3]


def test_show_prints_a_table(events):
    text = io.StringIO()
    events.show(file=text)
    lines = {tuple(line.split()[:2]): line.split() for line in text.getvalue().splitlines() if line}
    assert "3 entries" in text.getvalue()
    assert lines["mass", "float32"][2] == "[GeV]"
    assert lines["Hits", "demo::Hit"][2].startswith("row")
    assert lines["spin", "float64[3]"]
    assert ("title", "string[]") in lines
    assert lines["Particles", "demo::Particle"][2].startswith("split")


def test_threads_read_the_same_category(events):
    expected = events.arrays().tolist()
    barrier = threading.Barrier(4)

    def read(_):
        barrier.wait()
        return [events.arrays().tolist() for _ in range(20)]

    with ThreadPoolExecutor(4) as pool:
        assert all(one == expected for many in pool.map(read, range(4)) for one in many)


def test_parameters_of_one_name_are_told_apart_by_type(tmp_path):
    # Only the frames of C++ write files like this one; the test makes it by hand.
    from kaon import _core

    writer = _core.Writer(tmp_path / "a.kaon")
    kind = _core.TableKind.parameter
    tables = [
        _core.Table("x", kind, name, [_core.Member("", name)], 8) for name in ("int64", "float64")
    ]
    offsets = np.array([0, 1])
    arrays = [
        _core.TableArrays(offsets, None, {0: np.array([7])}),
        _core.TableArrays(offsets, None, {0: np.array([0.5])}),
    ]
    writer.write("events", tables, dict(enumerate(arrays)), 1)
    writer.finish()
    events = kaon.open(tmp_path / "a.kaon")["events"]
    assert events.arrays().tolist() == [{"x": [7], "x:float64": [0.5]}]
    assert events["x:float64"].array().tolist() == [[0.5]]


def test_a_value_that_may_be_missing_is_an_option(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(
        "schema_version: 1\n"
        "datatypes:\n"
        "  A: {Description: d, Author: a, Members: ['std::optional<float> x // y']}\n"
    )
    with kaon.create(tmp_path / "a.kaon", model=path) as out:
        out["events"].extend({"As": [[{"x": 3}, {"x": None}]]})
    arrays = kaon.open(tmp_path / "a.kaon")["events"].arrays()
    assert arrays.As.x.tolist() == [[3, None]]


@pytest.mark.parametrize("copy", ["a.kaon", "b.parquet", "b.feather", "b.root", "b.h5"])
def test_a_component_with_the_names_of_an_optional_is_a_component(tmp_path, copy):
    path = tmp_path / "model.yaml"
    path.write_text(
        "schema_version: 1\n"
        "components:\n  Reading: {Members: [double value, bool has_value]}\n"
        "datatypes:\n  A: {Description: d, Author: a, Members: [Reading x // y]}\n"
    )
    readings = [{"value": 1.5, "has_value": False}, {"value": 2.5, "has_value": True}]
    with kaon.create(tmp_path / "a.kaon", model=path) as out:
        out["events"].extend({"As": [[{"x": reading} for reading in readings]]})
    if copy != "a.kaon":
        kaon.convert(tmp_path / "a.kaon", tmp_path / copy)
    events = kaon.open(tmp_path / copy)["events"]
    assert events.arrays().As.x.tolist() == [readings]
    assert events.arrays(virtual=True).As.x.tolist() == [readings]
    assert [each.x.to_dict() for each in events.frames()[0]["As"]] == readings


# Memory


def test_arrays_take_no_more_memory_than_is_allowed(events):
    assert len(events.arrays(memory_limit="1 MB")) == 3
    message = (
        r"events.kaon:events: entries 0 to 3 would take [0-9]+ bytes as arrays, but 100 bytes "
        r"are allowed: read fewer columns \(the largest are '.*', .* bytes; '.*'"
    )
    for library in ("ak", "np"):
        with pytest.raises(MemoryError, match=message) as caught:
            events.arrays(library=library, memory_limit=100)
        with pytest.raises(kaon.errors.MemoryLimitError):
            events["Particles"].array(library=library, memory_limit="0.1 kB")
    assert isinstance(caught.value, kaon.Error)
    assert events["weight"].array(library="np", memory_limit=24).tolist() == [0.5, 1.5, 2.5]
    with pytest.raises(MemoryError):
        events["weight"].array(library="np", memory_limit=23)
    for limit in (0, -1, "much", "0 MB"):
        with pytest.raises(ValueError, match="is not a size such as '2 GB'"):
            events.arrays(memory_limit=limit)


def test_small_files_do_not_make_arrays_larger_than_the_memory(tmp_path):
    """A few bytes can say that a value is always the same."""
    path = tmp_path / "constant.kaon"
    table = _core.Table(
        "x", _core.TableKind.value, "float64", [_core.Member("", "float64", 1000)], 8000
    )
    writer = _core.Writer(path, page_bytes=8000 * 8000)
    arrays = _core.TableArrays(None, None, {0: np.zeros((8000, 1000))})
    for _ in range(3):
        writer.write("events", [table], {0: arrays}, 8000)
    writer.finish()
    assert path.stat().st_size < 20_000
    events = kaon.open(path)["events"]
    with pytest.raises(
        MemoryError, match="would take 192.0 MB as arrays, but 100.0 MB are allowed"
    ):
        events.arrays(memory_limit="100 MB")
    assert sum(map(len, events.iterate(step_size=1000))) == 24000


def test_entries_of_which_nothing_is_stored_take_no_time(tmp_path):
    """A hundred bytes can say that any number of entries is older than all tables."""
    kind, member = _core.TableKind.collection, _core.Member("e", "float32")
    hits = _core.TableArrays(np.array([0, 2]), None, {0: np.ones(2, np.float32)})
    writer = _core.Writer(tmp_path / "many.kaon")
    writer.write("events", [], {}, 2**32 - 2)
    writer.write("events", [_core.Table("Hits", kind, "Hit", [member], 4)], {0: hits}, 1)
    writer.finish()
    events = kaon.open(tmp_path / "many.kaon")["events"]
    begin = time.process_time()
    with pytest.raises(MemoryError, match=r"entries 0 to 4294967295 would take 38654.7 MB"):
        events.arrays(memory_limit="1 GB")
    assert events.arrays(entry_start=-2).Hits.e.tolist() == [None, [1, 1]]
    assert time.process_time() - begin < 1


def test_names_are_found_step_by_step(path):
    events = kaon.open(path)["events"]
    assert events["Particles"]["momentum"]["x"].name == "Particles.momentum.x"
    assert ak.array_equal(events["Particles"]["PDG"].array(), events["Particles.PDG"].array())
    with pytest.raises(kaon.errors.UnknownNameError, match=r"did you mean 'Particles\.PDG'"):
        events["Particles"]["PDF"]
    with pytest.raises(kaon.errors.WrongTypeError, match="by name, not 0"):
        events["Particles"][0]


def test_categories_are_as_mappings(path):
    events = kaon.open(path)["events"]
    assert [name for name, _ in events.items()] == events.keys()
    assert [column.name for column in events.values()] == events.keys()
    assert dict(events.items())["Particles.PDG"].typename == "var * int32"


def test_names_are_completed(path):
    file = kaon.open(path)
    assert file._ipython_key_completions_() == file.keys()
    names = file["events"]._ipython_key_completions_()
    assert {"Particles", "Particles.PDG"} <= set(names)
    inner = file["events"]["Particles"]._ipython_key_completions_()
    assert {"PDG", "momentum", "momentum.x"} <= set(inner) and "Particles.PDG" not in inner


def test_plain_arrays_can_be_pickled(events):
    arrays = events.arrays(library="np")
    sent = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(arrays))))
    assert list(sent) == list(arrays)
    for name, values in arrays.items():
        np.testing.assert_array_equal(sent[name], values)
        assert len(sent.levels(name)) == len(arrays.levels(name))
        assert all(map(np.array_equal, sent.levels(name), arrays.levels(name)))
        assert np.array_equal(sent.present(name), arrays.present(name))
    assert sent.offsets("Particles").tolist() == arrays.offsets("Particles").tolist()
    with pytest.raises(
        kaon.errors.UnknownNameError, match=r"no 'Particle' was read \(did you mean"
    ):
        sent.offsets("Particle")
    with pytest.raises(kaon.errors.UsageError, match="one value for each entry"):
        pickle.loads(pickle.dumps(events.arrays("1 + 1", library="np"))).offsets("1 + 1")


def test_frames_of_files_can_be_pickled(events):
    frames = events.frames()
    assert len(pickle.loads(pickle.dumps(frames[1:]))) == 2
    frame = frames[0]
    mass = frame["Particles"][0].mass  # values that were read before can be read again
    frame["Scores"] = np.array([0.5])
    del frame["Hits"]
    sent = pickle.loads(pickle.dumps(frame))
    assert sent["Particles"][0].mass == mass
    assert sent["Scores"].tolist() == [0.5] and "Hits" not in sent
    assert dict(sent.parameters) == dict(frame.parameters)


def test_objects_of_files_are_pickled_by_their_places(events):
    frame = events.frames()[0]
    particles = frame["Particles"]
    sent = pickle.loads(pickle.dumps([particles, particles[1], particles.PDG]))
    assert sent[0][1] == sent[1] and sent[1].mother == sent[0][0]
    assert sent[1].to_dict()["PDG"] == particles[1].PDG and sent[2].tolist() == sent[0].PDG.tolist()
    assert pickle.loads(pickle.dumps(particles[1].momentum)) == particles[1].momentum
    particles.decorate("heavy", np.array([1, 0, 0], np.int8))
    for again in (
        pickle.loads(pickle.dumps(frame))["Particles"],
        pickle.loads(pickle.dumps(particles)),
    ):
        assert again.heavy.tolist() == [1, 0, 0] and again[1].PDG == particles[1].PDG


def test_files_and_categories_can_be_pickled(path, model, tmp_path, monkeypatch):
    monkeypatch.chdir(path.parent)
    file = kaon.open(path.name, model)
    sent = pickle.dumps([file, file["events"], file["events"]["weight"]])
    monkeypatch.chdir("/")
    again, events, weight = pickle.loads(sent)
    assert again.path == str(path)
    assert again["runs"].arrays().tolist() == file["runs"].arrays().tolist()
    assert events.arrays().tolist() == file["events"].arrays().tolist()
    assert weight.array().tolist() == [0.5, 1.5, 2.5]
    plain = kaon.open({path: "events"}, group=False)
    assert pickle.loads(pickle.dumps(plain)).keys() == plain.keys()


def test_files_without_paths_cannot_be_pickled(path):
    with path.open("rb") as opened:
        file = kaon.open(opened)
        for each in (file, file["events"]):
            with pytest.raises(TypeError, match="other processes need the path of a file"):
                pickle.dumps(each)
    file.close()
    with pytest.raises(ValueError, match="is closed"):
        pickle.dumps(file)


def test_large_arrays_take_memory_of_those_that_are_gone(tmp_path):
    names, numbers = ["a", "b"], np.arange(5_000_000)
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({name: numbers for name in names})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    kept = events.arrays(library="np")
    events.arrays(library="np")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        arrays = events.arrays(library="np")
        assert arrays["b"].flags.writeable and arrays["b"].flags.c_contiguous
        assert not any(np.shares_memory(arrays[name], kept[name]) for name in names)
        arrays["b"][:] = -1
        del arrays
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    assert faults < 100, "fresh memory is cleared by the system first, a page at a time"
    assert all((kept[name] == numbers).all() for name in names)
    arrays = events.arrays(entry_stop=700_000)
    assert ak.all(arrays.b == numbers[:700_000])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda events: events.arrays(5), "names of columns must be strings, not 5"),
        (
            lambda events: events.arrays(entry_start=1.5),
            "entry numbers must be integers, not 1.5 to None",
        ),
        (lambda events: events.keys(filter_name=5), "a filter must be a pattern, .* not 5"),
    ],
)
def test_arguments_of_other_types_are_errors_of_kaon(events, call, message):
    with pytest.raises(kaon.errors.WrongTypeError, match=message):
        call(events)
    with pytest.raises(kaon.errors.UsageError, match="'0 MB' is not a size"):
        events.iterate(step_size="0 MB")


@pytest.mark.parametrize(
    "filter_name",
    [
        "Muon_*",
        "/^muon_p/i",
        "/MUON.(pt|phi)$/i",
        ["Muon_pt", "Muon.phi"],
        ["MET", lambda name: name.startswith("Muon.p")],
    ],
)
def test_filters_know_the_names_of_nanoaod_and_flags(tmp_path, filter_name):
    muons = ak.Array([[{"pt": 1.0, "phi": 2.0}], []])
    with kaon.create(tmp_path / "muons.kaon") as out:
        out["events"].extend({"Muon": muons, "Muons": [1, 2]})
    events = kaon.open(tmp_path / "muons.kaon:events")
    assert events.keys(filter_name) == ["Muon.pt", "Muon.phi"]
    assert events.arrays(filter_name=filter_name).tolist() == [
        {"Muon": each} for each in muons.tolist()
    ]


def test_regular_expressions_match_from_the_start_of_a_name(tmp_path):
    with kaon.create(tmp_path / "x.kaon") as out:
        out["events"].extend({"i4": [1], "i8": [2], "Ai4": [3], "i48": [4]})
    events = kaon.open(tmp_path / "x.kaon")["events"]
    assert events.keys(filter_name="/i[48]/") == ["i4", "i8", "i48"]
    assert events.keys(filter_name="/i[48]$/") == ["i4", "i8"]
    assert events.keys(filter_name="/.*i4$/") == ["i4", "Ai4"]


def test_columns_become_numpy_arrays(events):
    weight = np.asarray(events["weight"])
    assert weight.tolist() == [0.5, 1.5, 2.5] and weight.dtype == np.float64
    assert np.asarray(events["weight"], np.float32).dtype == np.float32
    for name in ("Particles.mass", "Particles"):
        with pytest.raises(TypeError, match="which is not a NumPy array; `array..` returns"):
            np.asarray(events[name])
    with pytest.raises(
        TypeError, match="'weight' has no columns inside; `array..` returns the values"
    ):
        list(events["weight"])
    with pytest.raises(ValueError, match="cannot convert <Column 'weight'"):
        ak.Array(events["weight"])


def test_names_of_other_conventions_are_suggested(events):
    with pytest.raises(KeyError, match=r"did you mean 'Particles.mass'"):
        events.arrays("Particles/Particles.mass")
    with pytest.raises(KeyError, match=r"did you mean 'Particles.mother'"):
        events.arrays("_Particles_mother")


def test_members_of_single_values_are_found_with_a_dot(tmp_path):
    with kaon.create(tmp_path / "nano.root", format="ttree") as out:
        out["Events"].extend({"MET_pt": np.arange(3.0), "MET_phi": np.zeros(3), "run": np.ones(3)})
    events = kaon.open(tmp_path / "nano.root:Events")
    assert events["MET.pt"].array().tolist() == events.arrays("MET.pt").MET_pt.tolist() == [0, 1, 2]
    assert events.arrays(["MET.pt"], how=dict)["MET.pt"].tolist() == [0, 1, 2]
    with pytest.raises(
        KeyError, match=r"no 'MET'; 'MET_pt', 'MET_phi' begin so: filter_name='MET_"
    ):
        events.arrays(["MET", "run"])


def test_show_selects_columns(events, capsys):
    events.show("Particles.m*")
    shown = capsys.readouterr().out
    assert "mass" in shown and "mother" in shown and "weight" not in shown and "Hits" not in shown
    events.show(["weight", "Hits.*"], bounds=True)
    shown = capsys.readouterr().out
    assert "weight" in shown and "Hits.cell" in shown and "Particles" not in shown


def test_tables_of_columns_need_no_rich(events, capsys, monkeypatch):
    events.show("Particles.*")
    with_rich = capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "rich", None)
    events.show("Particles.*")
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert lines[1].split() == ["name", "type", "storage", "bytes", "ratio"]
    assert len({line.find("int32") for line in lines if " int32 " in line}) == 1
    numbers = re.findall(r"[\d,]{3,}", with_rich)
    assert numbers == re.findall(r"[\d,]{3,}", "\n".join(lines))
    events.show("weight", bounds=True)
    assert "least" in capsys.readouterr().out
