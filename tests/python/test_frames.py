"""Events as objects: read from files, made in Python, and written."""

import awkward as ak
import numpy as np
import pytest

import kaon


@pytest.fixture
def demo(path):
    return kaon.open(path).models["detector"]


@pytest.fixture
def write(tmp_path, model):
    """The function that writes frames and returns the category."""

    def write_frames(*frames, **options):
        with kaon.create(
            tmp_path / "new.kaon", model=model, missing_members="default", **options
        ) as out:
            for frame in frames:
                out["events"].write(frame)
        return kaon.open(tmp_path / "new.kaon")["events"]

    return write_frames


def frame_of(**collections):
    frame = kaon.Frame()
    frame.update(collections)
    return frame


# Reading


def test_frames_are_a_sequence(events):
    frames = events.frames()
    assert len(frames) == 3
    assert [len(event["Particles"]) for event in frames] == [3, 0, 1]
    assert [len(event["Particles"]) for event in frames[::-1]] == [1, 0, 3]
    assert [len(event["Particles"]) for event in frames[1:]] == [0, 1]
    assert frames[-1]["Particles"][0].PDG == 22
    particles = events.frames()[0]["Particles"]
    with pytest.raises(kaon.errors.OutOfRangeError, match="there is no demo::Particle 3, only 3"):
        particles[3]
    with pytest.raises(kaon.errors.WrongTypeError, match="select objects by number, not by 'PDG'"):
        particles["PDG"]
    assert particles[-1].PDG == -11 and [each.PDG for each in particles[1:]] == [11, -11]
    assert issubclass(kaon.errors.OutOfRangeError, IndexError)  # loops end with it
    with pytest.raises(kaon.errors.OutOfRangeError, match="events: has no entry 3, only 3"):
        frames[3]


def test_frames_have_collections_by_name(events):
    first, _, third = events.frames()
    assert list(first) == ["Particles", "Hits"]
    assert list(third) == ["Particles"]
    assert "Hits" in first and "Hits" not in third
    assert repr(first) == "<Frame 0: Particles (3), Hits (2), 7 parameters>"
    with pytest.raises(KeyError, match=r"has no collection 'Particle' \(did you mean 'Particles'"):
        first["Particle"]
    with pytest.raises(KeyError, match="has no collection 'Hits'"):
        third["Hits"]


def test_records_without_a_model_are_parameters(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"Muon": ak.Array([[{"pt": 1.5}]])})
    (event,) = kaon.open(tmp_path / "a.kaon")["events"].frames()
    assert event.parameters["Muon"].pt.tolist() == [1.5]
    with pytest.raises(KeyError, match=r"but a parameter: event\.parameters\['Muon'\]"):
        _ = event["Muon"]


def test_objects_have_the_members_that_arrays_have(events):
    arrays = events.arrays()
    for event, expected in zip(events.frames(), arrays.Particles.tolist(), strict=True):
        for particle, record in zip(event["Particles"], expected, strict=True):
            read = particle.to_dict()
            del read["mother"], read["daughters"]
            del record["mother"], record["daughters"], record["_self"]
            assert read == record


def test_relations_are_followed(events):
    event = events.frames()[0]
    z, electron, positron = event["Particles"]
    assert z.mother is None
    assert electron.mother == z and electron.mother != positron
    assert [daughter.PDG for daughter in z.daughters] == [11, -11]
    assert event["Hits"][0].particle.mother.mass == pytest.approx(91.2)
    assert z in {electron.mother}


def test_columns_of_an_event(events):
    event = events.frames()[0]
    assert event["Particles"].PDG.tolist() == [23, 11, -11]
    assert event["Particles"].momentum.x.tolist() == [3, 0, 0]
    assert event["Hits"].particle.PDG.tolist() == [11, None]
    with pytest.raises(AttributeError, match=r"no 'Particles.PGD' \(did you mean 'Particles.PDG'"):
        event["Particles"].PGD  # noqa: B018


def test_parameters(events):
    first, second, _ = events.frames()
    assert dict(first.parameters) == {
        "weight": 0.5,
        "beam": [0, 7],
        "title": "the first one",
        "triggers": ["electron", "muon"],
        "scales": [1.0, 2.0],
        "seeds": 1,
        "flags": True,
    }
    assert "scales" not in second.parameters
    with pytest.raises(KeyError, match=r"no parameter 'weigth' \(did you mean 'weight'\?\)"):
        first.parameters["weigth"]


def test_classes_are_those_of_the_file(events, path):
    file = kaon.open(path)
    particle = file["events"].frames()[0]["Particles"][0]
    assert isinstance(particle, file.models["detector"].Particle)


def test_objects_of_a_file_cannot_be_changed_but_cloned(events):
    particle = events.frames()[0]["Particles"][1]
    for change in (
        lambda: setattr(particle, "PDG", 13),
        lambda: setattr(particle.momentum, "x", 1),
        lambda: particle.weights.append(1),
        lambda: particle.daughters.append(particle),
    ):
        with pytest.raises(ValueError, match=r"belongs to a file: clone\(\) the object"):
            change()
    clone = particle.clone()
    clone.weights.append(3.5)
    assert clone.weights == [1.5, 2.5, 3.5] and particle.weights == [1.5, 2.5]
    assert clone.mother == particle.mother


def test_many_clusters_and_pieces(tmp_path, model):
    hits = [[{"cell": i, "particle": None}] for i in range(2500)]
    with kaon.create(
        tmp_path / "a.kaon", model=model, missing_members="default", cluster_entries=1200
    ) as out:
        out["events"].extend({"Hits": hits})
    frames = kaon.open(tmp_path / "a.kaon")["events"].frames()
    assert [event["Hits"][0].cell for event in frames] == [*range(2500)]
    assert [event["Hits"][0].cell for event in frames[2300:100:-700]] == [2300, 1600, 900, 200]


def test_frames_by_number_are_those_of_the_loop(tmp_path):
    entries = 3000
    with kaon.create(tmp_path / "f.kaon", cluster_entries=700) as out:
        out["events"].extend({"x": np.arange(entries), "y": 2.5 * np.arange(entries)})
    frames = kaon.open(tmp_path / "f.kaon")["events"].frames()
    steps = [*range(entries), *range(0, entries, 7), 12, 2999, 13, 14, 2998, *range(50, 0, -1)]
    for entry in steps:
        frame = frames[entry]
        assert frame.parameters["x"] == entry
        if entry % 3 == 0:
            assert frame.parameters["y"] == 2.5 * entry
    assert [frame.parameters["x"] for frame in frames[100:50:-10]] == [100, 90, 80, 70, 60]
    assert frames[5:][3].parameters["x"] == 8


def test_frames_by_number_read_neighbours_together(tmp_path, monkeypatch):
    with kaon.create(tmp_path / "f.kaon") as out:
        out["events"].extend({"x": np.arange(3000)})
    events = kaon.open(tmp_path / "f.kaon")["events"]
    read, reads = events._reader.column, []
    monkeypatch.setattr(
        events._reader, "column", lambda *wanted: reads.append(wanted[1:3]) or read(*wanted)
    )
    for entry in range(3000):
        assert events.frames()[entry].parameters["x"] == entry
    assert len(reads) == 4  # the first entry alone, then 1000 at once
    reads.clear()
    for entry in (2000, 500, 1500):
        assert events.frames()[entry].parameters["x"] == entry
    assert reads == [(500, 501), (1500, 1501)]


def test_files_whose_model_is_not_theirs_say_so(path):
    other = kaon.open(path).model()
    members = {member["name"]: member for member in other["datatypes"][0]["members"]}
    members["mass"]["type"] = "demo::Vector3f"
    members["mass"].pop("default", None)
    members["spin"]["arraySize"] = 4
    with kaon.append(path, other):
        pass  # the earlier entries do not change
    particle = kaon.open(path)["events"].frames()[0]["Particles"][0]
    with pytest.raises(
        kaon.errors.CorruptFileError, match="'Particles.mass.x' is missing, although the"
    ):
        particle.mass  # noqa: B018
    with pytest.raises(
        kaon.errors.CorruptFileError, match="'Particles.spin' has 3 values in a row"
    ):
        particle.spin  # noqa: B018


# Writing


def test_read_frames_are_written_unchanged(events, write, contents):
    written = write(*events.frames(), tags=["weight"])
    names = ["Particles", "Hits", "weight", "title", "triggers", "scales", "seeds", "flags"]
    assert [{name: event[name] for name in names} for event in contents(written)] == [
        {name: event[name] for name in names} for event in contents(events)
    ]


def test_objects_and_their_relations_are_written(demo, write):
    particles = kaon.Collection(demo.Particle)
    mother = particles.create(PDG=23, momentum=(3, 4, 0))
    daughter = particles.create(PDG=11, mother=mother, weights=[1.5])
    mother.daughters.append(daughter)
    hits = [demo.Hit(cell=2**64 - 1, particle=daughter), demo.Hit()]
    event = write(frame_of(Particles=particles, Hits=hits)).frames()[0]
    assert event["Hits"][0].cell == 2**64 - 1
    assert event["Hits"][0].particle.mother.momentum == demo.Vector3f(3, 4, 0)
    assert event["Particles"][0].daughters[0].weights == [1.5]
    assert event["Hits"][1].particle is None


def test_relations_lead_to_several_collections(demo, write):
    a, b = demo.Particle(PDG=1), demo.Particle(PDG=2)
    hits = [demo.Hit(particle=b), demo.Hit(particle=a)]
    event = write(frame_of(A=[a], B=[b], Hits=hits)).frames()[0]
    assert event["Hits"][0].particle == event["B"][0]
    assert event["Hits"][1].particle == event["A"][0]


def test_written_frames_equal_extended_arrays(demo, write, tmp_path, model, contents):
    frames = [
        frame_of(Particles=[demo.Particle(PDG=1)], Hits=[demo.Hit(cell=3)]),
        frame_of(Particles=kaon.Collection(demo.Particle)),
    ]
    with kaon.create(tmp_path / "arrays.kaon", model=model, missing_members="default") as out:
        hits = [[{"cell": 3, "particle": None}], None]
        out["events"].extend({"Particles": [[{"PDG": 1}], []], "Hits": hits})
    extended = kaon.open(tmp_path / "arrays.kaon")["events"]
    written = write(*frames)
    assert [table for table in written._schema.tables] == [*extended._schema.tables]
    assert contents(written) == contents(extended)


def test_frames_are_written_as_they_are_at_that_moment(demo, tmp_path, model):
    hit = demo.Hit(cell=1)
    event = frame_of(Hits=[hit])
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        for cell in range(3):
            hit.cell = cell
            out["events"].write(event)
        assert len(out["events"]) == 3
    frames = kaon.open(tmp_path / "a.kaon")["events"].frames()
    assert [event["Hits"][0].cell for event in frames] == [0, 1, 2]


def test_frames_and_arrays_follow_each_other(demo, tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].write(frame_of(Hits=[demo.Hit(cell=1)]))
        out["events"].extend({"Hits": [[{"cell": 2}]]})
        out["events"].write(frame_of(Hits=[demo.Hit(cell=3)]))
    with kaon.append(tmp_path / "a.kaon") as out:
        out["events"].write(frame_of(Hits=[demo.Hit(cell=4)]))
    cells = kaon.open(tmp_path / "a.kaon")["events"].arrays().Hits.cell
    assert cells.tolist() == [[1], [2], [3], [4]]


def test_frames_of_all_categories_are_gathered_up_to_one_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("kaon.writing.frame_buffer.MOST_OBJECTS", 30)
    with kaon.create(tmp_path / "new.kaon", cluster_entries=1, codec="none") as out:
        part = tmp_path / "new.kaon.part"
        empty = part.stat().st_size
        for number in range(10):  # each has six objects, in its own category
            out[f"category{number}"].write(frame_of(x=np.arange(6.0)))
            assert (part.stat().st_size > empty) == (number >= 4)
    with kaon.open(tmp_path / "new.kaon") as file:
        assert [len(category) for category in file.values()] == [1] * 10


def test_events_of_files_are_written_with_additions(events, write):
    event = events.frames()[0]
    heavy = [particle.clone() for particle in event["Particles"] if particle.mass > 1]
    event["Heavy"] = heavy
    del event["Hits"]
    event.parameters["weight"] = 2.0
    written = write(event).frames()[0]
    assert list(written) == ["Particles", "Heavy"]
    assert written["Heavy"][0].daughters[0] == written["Particles"][1]
    assert written.parameters["weight"] == 2
    assert events.frames()[0].parameters["weight"] == 0.5


def test_parameters_of_all_types(write):
    event = kaon.Frame()
    event.parameters.update({"i": 3, "l": 2**40, "f": 0.5, "b": True, "s": "größte"})
    event.parameters.update({"is": [1, 2], "ss": ["a", ""], "none": [], "least": -(2**63)})
    written = write(event)
    assert dict(written.frames()[0].parameters) == dict(event.parameters)
    types = written.typenames()
    assert (types["i"], types["l"], types["is"]) == ("var * int32", "var * int64", "var * int32")
    with pytest.raises(ValueError, match="'x' must be a number, boolean or string"):
        event.parameters["x"] = {"a": 1}
    with pytest.raises(ValueError, match="'x' must be a number, boolean or string"):
        event.parameters["x"] = ["a", 1]
    with pytest.raises(ValueError, match="'x' must fit into int64, not 9223372036854775808"):
        event.parameters["x"] = np.array([1, 2**63], np.uint64)


def test_relations_that_lead_out_of_the_frame_are_refused(demo, write):
    hit = demo.Hit(particle=demo.Particle())
    with pytest.raises(ValueError, match=r"Hits\[0\].particle refers to a Particle that is in no"):
        write(frame_of(Hits=[hit]))


def test_objects_in_two_places_are_refused(demo, write):
    hit = demo.Hit()
    with pytest.raises(ValueError, match=r"A\[0\] and B\[0\] are the same object: clone it"):
        write(frame_of(A=[hit], B=[hit]))


def test_collections_must_have_a_datatype(demo, write):
    with pytest.raises(ValueError, match="'Hits' is empty, so its datatype is unknown"):
        frame_of(Hits=[])
    with pytest.raises(TypeError, match="'Hits' needs objects, not 1"):
        frame_of(Hits=[1])
    with pytest.raises(TypeError, match="'A' was a collection of demo::Hit before, not of"):
        write(frame_of(A=[demo.Hit()]), frame_of(A=[demo.Particle()]))


def test_a_frame_that_cannot_be_written_leaves_the_others(demo, tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].write(frame_of(Hits=[demo.Hit(cell=1)]))
        with pytest.raises(ValueError, match=r"a.kaon:events: Hits\[0\].particle refers to"):
            out["events"].write(frame_of(Hits=[demo.Hit(particle=demo.Particle())]))
    assert kaon.open(tmp_path / "a.kaon")["events"].arrays().Hits.cell.tolist() == [[1]]


def test_models_of_python_create_files(demo, tmp_path):
    with kaon.create(tmp_path / "a.kaon", model=demo, missing_members="default") as out:
        out["events"].write(frame_of(Hits=[demo.Hit(cell=1)]))
    assert list(kaon.open(tmp_path / "a.kaon").models) == ["detector"]


def test_an_array_of_numpy_is_a_parameter(write):
    frame = kaon.Frame()
    frame.parameters["run"] = np.int32(7)
    frame.parameters["shifts"] = np.array([0.5, 1.5])
    with pytest.raises(
        kaon.errors.UsageError, match="'x' must be a number, .*, or an Awkward array, not"
    ):
        frame.parameters["x"] = np.zeros((2, 2))
    [read] = write(frame).frames()
    assert dict(read.parameters) == {"run": 7, "shifts": [0.5, 1.5]}


def test_a_parameter_has_the_type_of_its_first_values(tmp_path):
    def write_numbers(out, *numbers):
        for number in numbers:
            frame = kaon.Frame()
            frame.parameters["time"] = number
            out["events"].write(frame)

    narrow = (
        r"'time' holds int32 values, and 1099511627776 does not fit; .* np.array\(..., np.int64\)"
    )
    with kaon.create(tmp_path / "narrow.kaon") as out:
        write_numbers(out, *range(1000))
        with pytest.raises(ValueError, match=narrow):
            write_numbers(out, *[2**40] * 1000)
    with kaon.create(tmp_path / "wide.kaon") as out:
        out["events"].extend({"time": np.array([0], np.int64)})
        write_numbers(out, *range(1000), 2**40)
    assert kaon.open(tmp_path / "wide.kaon")["events"].frames()[-1].parameters["time"] == 2**40


def test_a_parameter_is_of_one_type(tmp_path):
    """Whole numbers become fractions where others are fractions; other types never change."""
    with kaon.create(tmp_path / "a.kaon") as out:
        for value in (1, [], 1.5):
            frame = kaon.Frame()
            frame.parameters["weight"] = value
            out["events"].write(frame)
        for value, type_ in (("heavy", "strings"), ([True], "truth values")):
            frame.parameters["weight"] = value
            with pytest.raises(TypeError, match=f"'weight' was numbers before, not {type_}"):
                out["events"].write(frame)
    arrays = kaon.open(tmp_path / "a.kaon")["events"].arrays()
    assert arrays.weight.tolist() == [[1], [], [1.5]]


def test_frames_of_nothing_are_entries_too(write):
    events = write(kaon.Frame(), kaon.Frame())
    assert events.num_entries == len(events.frames()) == 2
    assert len(events.arrays()) == 2
    mixed = write(kaon.Frame(), frame_of(Scores=np.ones(1)), kaon.Frame(), overwrite=True)
    assert mixed.num_entries == 3


def test_parameters_that_are_nested_are_awkward_arrays(write):
    frames = [kaon.Frame() for _ in range(3)]
    for number, frame in enumerate(frames):
        frame.parameters["beam"] = ak.Record({"x": number / 2})
    frames[0].parameters["waves"] = ak.Array([[1, 2], []])
    frames[2].parameters["waves"] = ak.Array([[3]])
    first, second, third = write(*frames, types={"beam": "record"}).frames()
    assert first.parameters["waves"].tolist() == [[1, 2], []]
    assert third.parameters["waves"].tolist() == [[3]]
    assert "waves" not in second.parameters
    assert second.parameters["beam"].tolist() == {"x": 0.5}
    frames[1].parameters["waves"] = ak.Record({"x": 0.5})
    with pytest.raises(TypeError, match="'waves' has different types in the frames"):
        write(*frames, types={"beam": "record"}, overwrite=True)


def test_deleted_entries_of_a_frame_are_gone(path):
    event = kaon.open(path)["events"].frames()[0]
    del event["Hits"], event.parameters["weight"]
    assert "Hits" not in event and "weight" not in event.parameters
    with pytest.raises(KeyError, match="'Hits' was deleted from the event"):
        event["Hits"]
    with pytest.raises(KeyError, match="the event has no parameter 'weight'"):
        event.parameters["weight"]
    with pytest.raises(
        ValueError, match="'Particles' belongs to a file, and cannot grow: make a new collection"
    ):
        event["Particles"].append(event["Particles"][0])
