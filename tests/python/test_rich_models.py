"""Enums, optional members and arrays of arrays, alone and exchanged by Python and C++."""

import io
import subprocess
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
from built import BUILD, is_built

import kaon
from kaon import _core

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "tests/models"
PROGRAM = "tests/python/kaon_rich_exchange"


@pytest.fixture
def rich():
    return kaon.load_model(MODELS / "richmodel.yaml")


@pytest.fixture(params=["split", "row"])
def layout(request):
    return request.param


@pytest.fixture
def writer_options(rich, layout):
    types = {"Particles": "rich::inner::Particle"}
    return {"model": rich, "missing_members": "default", "layout": layout, "types": types}


# Objects.


def test_objects_start_with_the_defaults(rich):
    particle = rich.Particle()
    assert particle.origin is rich.Origin.generator
    assert particle.time is None
    assert particle.mass == 0.5
    assert particle.range == [1, 2]
    assert particle.ends == [[1, 2, 3], [4, 5, 6]]
    assert particle.origins == [rich.Origin.unknown, rich.Origin.simulation]
    assert particle.corners[1][1].to_dict() == {"x": 0, "y": 0, "z": 0}
    assert rich.Hints().big is rich.Big.least


def test_objects_are_written_and_read(rich, layout, tmp_path):
    particle = rich.Particle(time=2.5, mass=None, origins=[rich.Origin.unknown, 99])
    particle.ends[1][0] = 7
    particle.corners[0][1].x = 3
    particle.hints.append(rich.Hints(at=(1, 2, 3), origin=rich.Origin.generator))
    particle.history.append(rich.Origin.simulation)
    particles = kaon.Collection(rich.Particle, [particle, rich.Particle()])
    with kaon.create(
        tmp_path / "a.kaon", model=rich, missing_members="default", layout=layout
    ) as out:
        event = kaon.Frame()
        event["Particles"] = particles
        out["events"].write(event)
    (event,) = kaon.open(tmp_path / "a.kaon")["events"].frames()
    read = event["Particles"]
    assert [one.to_dict() for one in read] == [one.to_dict() for one in particles]
    assert read[0].origins[0].name == "unknown"


# Arrays.


def test_missing_values_are_those_of_optional_members(write):
    events = write(
        {"Particles": [[{"time": 1.5, "mass": None}, {"time": None, "mass": 2}], [], [{}]]}
    )
    particles = events.arrays()["Particles"]
    assert particles["time"].tolist() == [[1.5, None], [], [None]]
    assert particles["mass"].tolist() == [[None, 2], [], [None]]
    assert events.arrays()["Particles", "range"].tolist() == [[[1, 2]] * 2, [], [[1, 2]]]


def test_members_that_no_record_has_get_the_defaults(write):
    (particle,) = write({"Particles": [[{"status": 3}]]}).arrays()["Particles"][0].tolist()
    assert (particle["mass"], particle["time"], particle["origin"]) == (0.5, None, 5)
    assert particle["ends"] == [[1, 2, 3], [4, 5, 6]]
    assert (particle["byte"], particle["offset"], particle["word"]) == (255, -1, 65535)


def test_arrays_of_arrays_are_given_in_rows_or_one(write):
    rows = ak.zip({"ends": ak.Array([[[[1, 2, 3], [4, 5, 6]]]])}, depth_limit=2)
    in_one = [[{"ends": [1, 2, 3, 4, 5, 6]}]]
    regular = ak.from_regular(ak.Array({"ends": np.arange(1.0, 7).reshape(1, 1, 2, 3)}), axis=1)
    regular = ak.Array([[{"ends": one} for one in event] for event in regular["ends"]])
    for given in (rows, in_one, regular):
        assert write({"Particles": given}).arrays()["Particles", "ends"].tolist() == [
            [[[1, 2, 3], [4, 5, 6]]]
        ]
    with pytest.raises(ValueError, match=r"'Particles.ends' needs 2 x 3 values each"):
        write({"Particles": [[{"ends": [[1, 2], [3, 4], [5, 6]]}]]})


def test_arrays_of_arrays_of_records(write):
    corner = [{"x": x, "y": 0, "z": 0} for x in range(4)]
    read = write({"Particles": [[{"corners": [corner[:2], corner[2:]]}]]}).arrays()["Particles"]
    assert read["corners", "x"].tolist() == [[[[0, 1], [2, 3]]]]


def test_arrays_of_arrays_have_their_shape(write):
    corner = [{"x": x, "y": 0, "z": 0} for x in range(4)]
    particles = [[{"corners": [corner[:2], corner[2:]]}, {}], []]
    events = write({"Particles": particles})
    assert events.typenames()["Particles.ends"] == "var * 2 * 3 * float32"
    assert str(events["Particles.ends"].array().type) == "2 * var * 2 * 3 * float32"
    flat = events.arrays(library="np")
    assert flat["Particles.ends"].shape == (2, 2, 3)
    assert flat["Particles.ends"][1].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert str(events.arrays().Particles.corners.x.type) == "2 * var * 2 * 2 * float32"
    text = io.StringIO()
    events.show(file=text)
    assert "float32[2][3]" in text.getvalue()


def test_arrays_of_arrays_have_their_shape_for_any_model(write):
    path = write({"Particles": [[{}]]}).file_path
    other = kaon.open(path).model()
    (ends,) = (m for m in other["datatypes"][0]["members"] if m["name"] == "ends")
    ends["arraySize"] = [3, 3]
    ends.pop("default", None)
    with kaon.append(path, other) as out:
        out._core.add_document("model:broken", "{")
    events = kaon.open(path)["events"]
    assert events.typenames()["Particles.ends"] == "var * 2 * 3 * float32"
    assert events.arrays()["Particles", "ends"].tolist() == [[[[1, 2, 3], [4, 5, 6]]]]


def test_the_model_tells_shapes_that_the_file_does_not_state(write, tmp_path):
    stated = write({"Particles": [[{}]]})
    core = stated._core
    tables = [core.table(number) for number in range(core.num_tables)]
    unstated = [
        _core.Table(
            table.name,
            table.kind,
            table.type,
            [_core.Member(m.name, m.type, m.extent, m.offset) for m in table.members],
            table.row_size,
            table.parent,
        )
        for table in tables
    ]
    wanted = {number: list(range(len(table.members))) for number, table in enumerate(tables)}
    writer = _core.Writer(tmp_path / "old.kaon")
    writer.write("events", unstated, core.read(wanted, 0, 1), 1)
    (name,) = (f"model:{name}" for name in kaon.open(stated.file_path).models)
    writer.add_document(name, kaon.open(stated.file_path)._core.document(name))
    writer.finish()
    events = kaon.open(tmp_path / "old.kaon")["events"]
    assert events.arrays()["Particles", "ends"].tolist() == [[[[1, 2, 3], [4, 5, 6]]]]


# To and fro.


@pytest.fixture
def exchange():
    if not is_built(PROGRAM):
        pytest.skip(f"{PROGRAM} is not built: run `make test`")

    def run(*arguments):
        command = [BUILD / PROGRAM, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    return run


def tables(path):
    category = _core.File(path).category("events")
    return [category.table(number) for number in range(category.num_tables)]


@pytest.mark.parametrize("way", ["arrays", "objects"])
def test_cpp_reads_files_of_python(exchange, rich, layout, tmp_path, way):
    theirs, ours = tmp_path / "cpp.kaon", tmp_path / "python.kaon"
    exchange("write", theirs, layout)
    events = kaon.open(theirs)["events"]
    with kaon.create(ours, model=rich, missing_members="default", layout=layout) as out:
        if way == "arrays":
            out["events"].extend(events.arrays())
        for event in events.frames() if way == "objects" else ():
            out["events"].write(event)
    assert tables(ours) == tables(theirs)
    assert _core.File(ours).document("model:richmodel") == _core.File(theirs).document(
        "model:richmodel"
    )
    assert exchange("print", ours) == exchange("print", theirs)


def test_python_reads_files_of_cpp(exchange, layout, tmp_path):
    exchange("write", tmp_path / "a.kaon", layout)
    (event,) = kaon.open(tmp_path / "a.kaon")["events"].frames()
    first, second = event["Particles"]
    assert (first.mass, first.time, second.mass, second.time) == (0.5, None, None, 2.5)
    assert second.ends == [[0, 1, 2], [3, 4, 5]]
    assert [[corner.x for corner in row] for row in second.corners] == [[1, 2], [3, 4]]
    assert second.origin.name == "simulation"
    assert second.origins == [6, 99]
    assert [hints.at and hints.at.z for hints in second.hints] == [9, None]
    assert second.daughters == [first]


# Upstream models.

UPSTREAM = [
    f"richmodel:{MODELS / 'richmodel.yaml'}",
    f"middle:{MODELS / 'chain/middle.yaml'}",
    f"othermodel:{MODELS / 'othermodel.yaml'}",
]


def test_types_of_upstream_models(tmp_path):
    last = kaon.load_model(MODELS / "chain/last.yaml", UPSTREAM)
    Segment = last["middle::Segment"]  # several models have a Segment
    segment = Segment(helix={"point": (1, 2, 3), "origin": last.Origin.simulation})
    particle = last.Particle(time=4)
    track = last.Track(source=segment, segments=[segment], particle=particle)
    link = last.SourceAnyLink(from_=particle, to=track)
    event = kaon.Frame()
    event["Tracks"] = kaon.Collection(last.Track, [track])
    event["Segments"] = kaon.Collection(Segment, [segment])
    event["Particles"] = kaon.Collection(last.Particle, [particle])
    event["Links"] = kaon.Collection(last.SourceAnyLink, [link])
    with kaon.create(tmp_path / "a.kaon", model=last, missing_members="default") as out:
        out["events"].write(event)
    (event,) = kaon.open(tmp_path / "a.kaon")["events"].frames()
    assert event["Tracks"][0].source.helix.origin.name == "simulation"
    assert event["Tracks"][0].helix.origin is None
    assert event["Links"][0].from_.time == 4
    assert event["Links"][0].to == event["Tracks"][0]


def test_files_are_created_with_upstream_models(tmp_path):
    path = tmp_path / "a.kaon"
    with kaon.create(
        path, MODELS / "chain/last.yaml", upstream=UPSTREAM, missing_members="default"
    ) as out:
        out["events"].extend({"Particles": ak.Array([[{"time": 4}]], with_name="Particle")})
    options = {"upstream": UPSTREAM, "missing_members": "default"}
    with kaon.append(path, MODELS / "chain/last.yaml", **options) as out:
        out["events"].extend({"Particles": [[{"time": 5}]]})
    assert kaon.open(path)["events"]["Particles.time"].array().tolist() == [[4], [5]]


def test_upstream_models_are_those_of_a_yaml_file(tmp_path, rich):
    for model in (None, rich):
        with pytest.raises(
            ValueError, match="`upstream` (needs the YAML file of a model|is for YAML files)"
        ):
            kaon.create(tmp_path / "a.kaon", model, upstream=UPSTREAM)
