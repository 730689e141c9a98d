"""Vector members whose elements are lists: in arrays, objects and frames."""

from pathlib import Path

import pytest

import kaon
from kaon.modelgen import load_model
from kaon.modelgen.yaml_text import to_yaml

MODEL = Path(__file__).parents[1] / "models" / "nestedmodel.yaml"

CHANNELS = [
    [
        {
            "number": 1,
            "name": "a",
            "waveforms": [[1.5, 2], [], [3]],
            "pulses": [[{"time": 0.5, "charge": 1}], []],
            "labels": [["rising", ""], [], ["fällt"]],
            "windows": [[[1, 2], []], [], [[3]]],
            "qualities": [[0, 1]],
            "isKept": [[True, False], []],
        },
        {"number": 2},
    ],
    [],
    [{"number": 3, "waveforms": [[]], "windows": [[]], "neighbours": [0]}],
]


@pytest.fixture
def writer_options():
    return {"model": MODEL}


def lists(channels, name):
    return [[channel.get(name, []) for channel in event] for event in channels]


@pytest.mark.parametrize("layout", ["split", "member", "row"])
def test_arrays_have_lists_in_lists(write, layout):
    events = write({"Channels": CHANNELS}, {"Channels": CHANNELS[::-1]}, layout=layout)
    channels = events.arrays().Channels
    for name in ("waveforms", "pulses", "labels", "windows", "qualities", "isKept"):
        expected = lists(CHANNELS + CHANNELS[::-1], name)
        assert channels[name].tolist() == expected, name
    types = events.typenames()
    assert types["Channels.waveforms"] == "var * var * var * float32"
    assert types["Channels.pulses.time"] == "var * var * var * float32"
    assert types["Channels.labels"] == "var * var * var * string"
    assert types["Channels.windows"] == "var * var * var * var * int16"
    assert events["Channels.windows"].array().tolist() == lists(
        CHANNELS + CHANNELS[::-1], "windows"
    )


def test_read_values_are_written_again(write, tmp_path, contents):
    read = write({"Channels": CHANNELS})
    with kaon.create(tmp_path / "again.kaon", model=MODEL) as out:
        out["events"].extend(read.arrays())
    assert contents(kaon.open(tmp_path / "again.kaon")["events"]) == contents(read)


def test_values_that_are_not_nested_lists_are_refused(write):
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Channels.waveforms' needs lists, not values"
    ):
        write({"Channels": [[{"number": 1, "waveforms": [1.5]}]]})
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Channels.labels' needs nested lists, not"
    ):
        write({"Channels": [[{"number": 1, "labels": ["a"]}]]})
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Channels.labels' needs strings, not int64"
    ):
        write({"Channels": [[{"number": 1, "labels": [[1]]}]]})


def test_objects_have_and_take_lists_in_lists(tmp_path):
    models = kaon.load_model(MODEL)
    channel = models["nested::Channel"](number=7, waveforms=[[1.5], []])
    channel.waveforms.append([2.5, 3.5])
    channel.waveforms[1].append(4.5)
    channel.pulses = [[], [(0.25, 3)]]
    channel.windows.append([[1], [2, 3]])
    channel.labels = [["a"], []]
    assert channel.waveforms == [[1.5], [4.5], [2.5, 3.5]]
    assert channel.qualities == []
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Channel.waveforms' needs a list of float32"
    ):
        channel.waveforms.append(2.5)
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'Channel.windows' needs a number, not 'a'"
    ):
        channel.windows = [[["a"]]]
    assert "list of list of float32 [mV]" in type(channel).__doc__
    frame = kaon.Frame()
    frame["Channels"] = [channel, channel.clone(number=8, neighbours=[channel])]
    assert frame["Channels"][1].waveforms == channel.waveforms
    with kaon.create(tmp_path / "nested.kaon", model=MODEL) as out:
        out["events"].write(frame)
    (read,) = kaon.open(tmp_path / "nested.kaon")["events"].frames()
    first, second = read["Channels"]
    assert first.waveforms == [[1.5], [4.5], [2.5, 3.5]]
    assert [[p.charge for p in pulses] for pulses in first.pulses] == [[], [3]]
    assert first.labels == [["a"], []]
    assert second.windows == [[[1], [2, 3]]]
    assert (second.number, second.neighbours) == (8, [first])
    assert read["Channels"].waveforms.tolist() == [first.waveforms, second.waveforms]
    with pytest.raises(kaon.errors.UsageError, match="belongs to a file"):
        first.waveforms[0].append(1)


def test_the_yaml_of_a_model_has_them(tmp_path):
    model = load_model(MODEL)
    path = tmp_path / "nestedmodel.yaml"
    path.write_text(to_yaml(model))
    assert "std::vector<std::vector<int16_t>> windows" in path.read_text()
    assert load_model(path).to_dict() == model.to_dict()


def test_a_model_of_another_depth_does_not_append(write, tmp_path):
    path = write({"Channels": CHANNELS}).file_path
    other = tmp_path / "nestedmodel.yaml"
    other.write_text(MODEL.read_text().replace("std::vector<float> waveforms", "float waveforms"))
    with pytest.raises(
        kaon.errors.UsageError, match="was written with another version of nested::Chann"
    ):
        with kaon.append(path, model=other) as out:
            out["events"].extend({"Channels": CHANNELS[:1]})
