"""Scripts that were written for podio's Python package, with only the import changed."""

from pathlib import Path

import pytest

import kaon
import kaon.podio as podio
from kaon.errors import OutOfRangeError

MODEL = Path(__file__).parents[1] / "podio/shower.yaml"


def make_frame(model, number=1):
    frame = podio.Frame()
    cells, showers = kaon.Collection(model.Cell), kaon.Collection(model.Shower)
    cell = cells.create()
    cell.setEnergy(2.0 * number)
    shower = showers.create()
    shower.addToCells(cell)
    shower.addToWeights(0.5)
    frame.put(cells, "Cells")
    frame.put(showers, "Showers")
    frame.put_parameter("number", number)
    frame.put_parameter("floats", [1.5, 2.5], as_type="float")
    frame.put_parameter("names", ["a", "b"])
    return frame


@pytest.fixture
def model():
    return kaon.load_model(MODEL)


def write(path, model, count=3, module=podio.root_io):
    writer = module.Writer(path)
    for number in range(count):
        writer.write_frame(make_frame(model, number), "events")
    writer.finish()
    return path


@pytest.mark.parametrize(
    ("name", "module"), [("events.root", podio.root_io), ("events.sio", podio.sio_io)]
)
def test_frames_are_read_as_written(tmp_path, model, name, module):
    reader = podio.reading.get_reader(write(tmp_path / name, model, module=module))
    assert reader.categories == ("events",)
    assert reader.datamodel_definitions == ("shower",)
    assert '"shower::Cell"' in reader.get_datamodel_definition("shower")
    assert reader.current_file_version() == podio.version.build_version
    assert not reader.is_legacy
    for number, event in enumerate(reader.get("events")):
        assert event.getAvailableCollections() == ("Cells", "Showers")
        assert set(event.parameters) == {"number", "floats", "names"}
        assert event.get_parameter("number") == number
        assert event.get_parameter("floats", as_type="float") == [1.5, 2.5]
        assert event.get_parameter("names") == ["a", "b"]
        shower = event.get("Showers")[0]
        assert shower.getCells(0).getEnergy() == 2 * number
        assert list(shower.getWeights()) == [0.5]
        assert shower.getSeed().index == 0
        assert event.getName(event.get("Cells")) == "Cells"


def test_frames_have_numbers_across_files(tmp_path, model):
    paths = [write(tmp_path / f"{i}.root", model, count) for i, count in enumerate((1, 2))]
    events = podio.root_io.Reader(paths).get("events", ["Cells"])
    assert len(events) == 3
    assert [each.get_parameter("number") for each in events] == [0, 0, 1]
    assert events[-1].get_parameter("number") == 1
    assert events[1].getAvailableCollections() == ("Cells",)
    for entry in (3, -4):
        with pytest.raises(IndexError):
            events[entry]
    with pytest.raises(OutOfRangeError):
        podio.root_io.Reader([])
    with pytest.raises(KeyError):
        podio.root_io.Reader(paths).current_file_version("other")


def test_a_writer_can_leave_out_collections(tmp_path, model):
    writer = podio.root_io.RNTupleWriter(tmp_path / "few.root")
    writer.write_frame(make_frame(model), "events", ["Cells"])
    writer.finish()
    (event,) = podio.root_io.RNTupleReader(tmp_path / "few.root").get("events")
    assert event.getAvailableCollections() == ("Cells",)
    assert event.get_parameter("number") == 1


def test_mistakes_raise_as_in_podio(model):
    frame = make_frame(model)
    for missing in (frame.get, frame.get_parameter):
        with pytest.raises(KeyError):
            missing("Cell")
    for wrong in ([1, 2], kaon.Collection(model.Cell)):
        with pytest.raises(ValueError, match="Cells"):
            frame.put(wrong, "Cells")
    with pytest.raises(KeyError):
        frame.getName(kaon.Collection(model.Cell))
    with pytest.raises(ValueError, match="no type 'bool'"):
        frame.put_parameter("flag", 1, as_type="bool")
    with pytest.raises(ValueError, match="is not of the type 'str'"):
        frame.get_parameter("number", as_type="str")


def test_functions_stand_beside_attributes(model):
    cell = model.Cell()
    cell.setEnergy(3)
    cell.getAt().x = 4
    assert (cell.energy, cell.getEnergy(), cell.at.x) == (3, 3, 4)
    with pytest.raises(AttributeError, match="has no 'getEnergie'"):
        cell.getEnergie()


def test_versions_compare():
    version = podio.version
    assert version.parse("1.2.3") == version.parse(1, 2, 3) < version.build_version
    assert str(version.parse(2)) == "2.0.0"


def test_a_writer_without_frames_makes_an_empty_file(tmp_path: Path) -> None:
    podio.root_io.Writer(tmp_path / "empty.root").finish()
    assert podio.root_io.Reader(tmp_path / "empty.root").categories == ()
