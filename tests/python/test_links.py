"""Links, interfaces and subsets: relations to several datatypes, or outside the objects."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import kaon

MODEL = Path(__file__).parents[1] / "models/linkmodel.yaml"


@pytest.fixture
def linked():
    return kaon.load_model(MODEL)


@pytest.fixture
def event(linked):
    """An event with two tracks through a pixel and a strip, links between them, and a subset."""
    event = kaon.Frame()
    pixels, strips, tracks = (
        kaon.Collection(datatype) for datatype in (linked.Pixel, linked.Strip, linked.Track)
    )
    pixel, strip = pixels.create(time=1), strips.create(time=2, length=3)
    first = tracks.create(momentum=5, hits=[strip, pixel], first=strip)
    second = tracks.create(momentum=6, hits=[pixel], parent=first)
    links = kaon.Collection(linked.TrackPixelLink)
    links.create(from_=first, to=pixel, weight=0.5)
    links.create(from_=second, to=pixel)
    best = kaon.Collection(linked.Track, [second], is_subset=True)
    event.update({"Pixels": pixels, "Strips": strips, "Tracks": tracks, "Links": links})
    event["Best"] = best
    return event


@pytest.fixture
def events(event, linked, tmp_path):
    with kaon.create(tmp_path / "a.kaon", model=linked) as out:
        out["events"].write(event)
        out["events"].write(event)
    return kaon.open(tmp_path / "a.kaon")["events"]


def test_interfaces_are_any_of_their_types(linked):
    track = linked.Track(first=linked.Pixel())
    track.hits.append(linked.Strip())
    with pytest.raises(TypeError, match="'Track.first' needs a Hit, not Track"):
        track.first = linked.Track()


def test_links_are_objects(linked):
    track = linked.Track()
    link = linked.TrackPixelLink(from_=track)
    assert link.from_ is link["from"] is getattr(link, "from") is track
    assert link.weight == 1
    link["to"] = linked.Pixel(time=7)
    assert link.to.time == 7


def test_objects_of_all_are_read(events):
    event = events.frames()[1]
    first, second = event["Tracks"]
    assert [type(hit).__name__ for hit in first.hits] == ["Strip", "Pixel"]
    assert first.first.length == 3
    assert [(link.from_ == first, link.weight) for link in event["Links"]] == [
        (True, 0.5),
        (False, 1.0),
    ]
    assert second.parent == event["Links"][0].from_


def test_subsets_have_objects_of_other_collections(events):
    event = events.frames()[0]
    (best,) = event["Best"]
    assert event["Best"].is_subset
    assert repr(event["Best"]) == "<Collection of other collections: 1 Track>"
    assert best == event["Tracks"][1]
    assert event["Best"].momentum.tolist() == [6]
    with pytest.raises(ValueError, match="a subset has objects of other collections"):
        event["Best"].create()


def test_columns_are_followed(events):
    arrays = events.arrays()
    assert arrays.Tracks.hits.time.tolist() == [[[2, 1], [1]]] * 2
    assert arrays.Links["from"].momentum.tolist() == [[5, 6]] * 2
    assert arrays.Links.to.time.tolist() == [[1, 1]] * 2
    assert arrays.Best.object.hits.time.tolist() == [[[1]]] * 2
    everything = kaon.follow(arrays.Tracks.hits)
    assert "union" in str(everything.type)
    assert everything.tolist()[0][0][0]["length"] == 3
    with pytest.raises(AttributeError, match="no 'Pixels.length'"):
        arrays.Tracks.hits.length  # noqa: B018


def test_all_are_written_as_they_were_read(events, linked, tmp_path, contents):
    with kaon.create(tmp_path / "b.kaon", model=linked) as out:
        out["events"].extend(events.arrays())
        for event in events.frames():
            out["events"].write(event)
    written = kaon.open(tmp_path / "b.kaon")["events"]
    assert contents(written) == contents(events) * 2
    assert written._schema.tables[-2] == events._schema.tables[-2]


def test_links_without_a_name(linked, tmp_path):
    link = linked["kaon::Link<linked::Track,linked::Strip>"]
    tracks, strips = [linked.Track(momentum=1)], [linked.Strip()]
    event = kaon.Frame()
    event.update({"Tracks": tracks, "Strips": strips})
    event["Links"] = [link(from_=tracks[0], to=strips[0], weight=2)]
    with kaon.create(tmp_path / "a.kaon", model=linked) as out:
        out["events"].write(event)
    (read,) = kaon.open(tmp_path / "a.kaon")["events"].frames()[0]["Links"]
    assert (read.weight, read.from_.momentum) == (2, 1)


def test_objects_of_subsets_must_be_in_the_frame(event, linked, tmp_path):
    event["Others"] = kaon.Collection(linked.Track, [linked.Track()], is_subset=True)
    with kaon.create(tmp_path / "a.kaon", model=linked) as out:
        with pytest.raises(ValueError, match=r"Others\[0\] refers to a Track that is in no"):
            out["events"].write(event)


def test_new_events_are_pickled_by_value(event, linked):
    event["Pixels"].decorate("noise", np.array([0.5], np.float32))
    event.parameters["run"] = 7
    sent = pickle.loads(pickle.dumps(event))
    assert sent["Tracks"].datatype is linked.Track and sent.parameters["run"] == 7
    first, second = sent["Tracks"]
    assert second.parent is first and list(first.hits) == [sent["Strips"][0], sent["Pixels"][0]]
    assert list(sent["Best"]) == [second] and sent["Best"].is_subset
    assert sent["Links"][0].to is sent["Pixels"][0] and sent["Links"][0].weight == 0.5
    assert sent["Pixels"].noise.tolist() == [0.5]
    second.momentum = 8
    assert event["Tracks"][1].momentum == 6


def test_events_of_files_are_pickled_with_added_collections(events, linked):
    frame = events.frames()[1]
    best = frame["Best"]  # its objects are those of the file
    tracks = kaon.Collection(linked.Track)
    tracks.create(parent=frame["Tracks"][0], hits=[frame["Pixels"][0]])
    frame["More"] = tracks
    sent = pickle.loads(pickle.dumps(frame))
    assert list(sent["Best"]) == [sent["Tracks"][1]] and len(best) == 1
    assert sent["More"][0].parent == sent["Tracks"][0]
    assert sent["More"][0].hits[0].time == 1
    assert list(pickle.loads(pickle.dumps(best)))[0].momentum == 6


def test_collections_are_pickled_with_relations_to_themselves(event, linked):
    tracks = kaon.Collection(linked.Track)
    for _ in range(3000):
        tracks.create(parent=tracks[-1] if len(tracks) else None, momentum=len(tracks))
    sent = pickle.loads(pickle.dumps(tracks))
    assert sent[2999].parent is sent[2998] and sent[2999].momentum == 2999
    with pytest.raises(kaon.errors.UsageError, match="pickle the frame with all of them"):
        pickle.dumps(event["Tracks"])


def test_single_objects_are_pickled_if_they_lead_nowhere(event, linked):
    pixel = pickle.loads(pickle.dumps(event["Pixels"][0]))
    assert pixel.time == 1 and type(pixel) is linked.Pixel
    with pytest.raises(kaon.errors.UsageError, match="a Track with the relation 'hits'"):
        pickle.dumps(event["Tracks"][1])
    copied = copy.copy(event["Tracks"][1])
    assert copied.hits[0] is event["Pixels"][0] and copied != event["Tracks"][1]
    shallow = copy.copy(event)
    del shallow["Best"]
    assert shallow["Tracks"] is event["Tracks"] and "Best" in event


def test_models_and_their_classes_are_pickled(linked, tmp_path, run_python):
    for what in (linked, linked.Track, [linked.Pixel]):
        assert pickle.loads(pickle.dumps(what)) == what
    (tmp_path / "sent").write_bytes(pickle.dumps([linked, linked.Pixel]))
    program = (
        "import pickle, sys; model, Pixel = pickle.load(open(sys.argv[1], 'rb'));"
        "assert model.Pixel is Pixel; print(Pixel(time=3).time, model)"
    )
    run = run_python("-c", program, tmp_path / "sent")
    assert run.stdout.split() == ["3.0", *repr(linked).split()], run.stderr
