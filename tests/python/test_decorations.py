"""Members of objects that their datatype does not have; numbers that belong to no object."""

import awkward as ak
import numpy as np
import pytest

import kaon


@pytest.fixture
def demo(model):
    return kaon.load_model(model)


@pytest.fixture
def write(tmp_path, model):
    """The function that writes frames and returns the category."""

    def write_frames(*frames, name="new.kaon"):
        with kaon.create(tmp_path / name, model=model, missing_members="default") as out:
            for frame in frames:
                out["events"].write(frame)
        return kaon.open(tmp_path / name)["events"]

    return write_frames


def frame_of(**collections):
    frame = kaon.Frame()
    frame.update(collections)
    return frame


# Decorations.


@pytest.fixture
def decorated(demo, write):
    """Three events: with decorations, without them, and without objects."""
    hits = kaon.Collection(demo.Hit, [demo.Hit(cell=1), demo.Hit(cell=2)])
    hits.decorate("fit", np.array([0.5, 0.25], np.float32), missing=-1)
    hits.decorate("good", [True, False])
    others = kaon.Collection(demo.Hit, [demo.Hit(cell=3)])
    return write(frame_of(Hits=hits), frame_of(Hits=others), frame_of())


def test_decorations_are_written_and_read(decorated):
    hits = decorated.arrays().Hits
    assert hits.fit.tolist() == [[0.5, 0.25], [-1], None]
    assert hits.good.tolist() == [[True, False], [False], None]
    assert decorated.typenames()["Hits.fit"] == "var * float32"
    first, second, _ = decorated.frames()
    assert first["Hits"].decorations == ("fit", "good")
    assert first["Hits"].fit.tolist() == [0.5, 0.25]
    assert second["Hits"].fit.tolist() == [-1]


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_decorations_stay_decorations_in_tables(
    decorated, tmp_path, demo, model, write, contents, ending
):
    table, back = tmp_path / f"a.{ending}", tmp_path / "back.kaon"
    kaon.convert(decorated.file_path, table)
    kaon.convert(table, back)
    for path in (table, back):
        events = kaon.open(path)["events"]
        assert contents(events) == contents(decorated)
        frames = list(events.frames())
        assert frames[0]["Hits"].decorations == ("fit", "good")
        assert frames[0]["Hits"].fit.tolist() == [0.5, 0.25]
        again = write(*frames[:2], name=f"{path.stem}-again.kaon")
        assert again.arrays().Hits.fit.tolist() == [[0.5, 0.25], [-1]]
    with kaon.append(back, model, missing_members="default") as out:
        frame = kaon.Frame()
        frame["Hits"] = [demo.Hit(cell=9)]
        out["events"].write(frame)
    assert kaon.open(back)["events"].arrays().Hits.fit.tolist()[-1] == [-1]  # the missing value


def test_objects_after_the_decoration_have_its_missing_value(demo, write):
    hits = kaon.Collection(demo.Hit, [demo.Hit()])
    hits.decorate("fit", np.array([7], np.int8), missing=-1)
    hits.create()
    assert hits.fit.tolist() == [7, -1]
    assert write(frame_of(Hits=hits)).arrays().Hits.fit.tolist() == [[7, -1]]


def test_read_objects_are_written_with_their_decorations(decorated, write, contents):
    again = write(*decorated.frames(), name="again.kaon")
    assert contents(again) == contents(decorated)
    assert [*again._schema.tables] == [*decorated._schema.tables]


def test_decorations_of_a_file_are_replaced_by_others(decorated, write):
    event = decorated.frames()[0]
    event["Hits"].decorate("fit", np.array([3, 4], np.float32))
    event["Hits"].decorate("more", np.array([5, 6]))
    assert event["Hits"].fit.tolist() == [3, 4]
    hits = write(event, name="again.kaon").arrays().Hits
    assert (hits.fit.tolist(), hits.more.tolist()) == ([[3, 4]], [[5, 6]])
    assert hits.good.tolist() == [[True, False]]


def test_subsets_have_decorations_of_their_own(demo, write):
    hits = [demo.Hit(cell=1), demo.Hit(cell=2)]
    best = kaon.Collection(demo.Hit, hits[1:], is_subset=True)
    best.decorate("rank", [1])
    events = write(frame_of(Hits=hits, Best=best))
    again = write(*events.frames(), name="again.kaon").frames()[0]
    assert again["Best"].rank.tolist() == [1]
    assert again["Best"][0] == again["Hits"][1]


def test_decorations_go_from_arrays_to_files(decorated, tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].extend(decorated.arrays()[:2])
        out["events"].extend(decorated.arrays("Hits.cell"))  # the decorations are missing
    hits = kaon.open(tmp_path / "a.kaon")["events"].arrays().Hits
    assert hits.fit.tolist() == [[0.5, 0.25], [-1], [-1, -1], [-1], None]


def test_arrays_of_objects_are_decorated(events, tmp_path, model):
    arrays = events.arrays(["Particles", "Hits"])
    momentum = arrays.Particles.momentum
    pt = np.hypot(momentum.x, momentum.y)
    arrays["Particles"] = kaon.decorate(arrays.Particles, "pt", pt, missing=np.nan)
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].extend(events.arrays("Particles.PDG"))
        out["events"].extend(arrays)
    pt = kaon.open(tmp_path / "a.kaon")["events"]["Particles.pt"].array()
    assert ak.all(np.isnan(pt[:3]))
    assert pt[3:].tolist() == [[5, 0, 0], [], [0]]


def test_fields_that_are_no_decorations_stay_mistakes(events, tmp_path, model):
    arrays = events.arrays("Hits")
    arrays["Hits", "quality"] = 1.0
    with (
        kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out,
        pytest.raises(KeyError, match="'Hits' has no member 'quality'"),
    ):
        out["events"].extend(arrays)


def test_files_get_decorations_later(demo, write, tmp_path):
    hits = kaon.Collection(demo.Hit, [demo.Hit()])
    write(frame_of(Hits=hits))
    hits.decorate("fit", [0.5], missing=9)
    with kaon.append(tmp_path / "new.kaon", missing_members="default") as out:
        out["events"].write(frame_of(Hits=hits))
        out["events"].extend({"Hits": [[{"fit": 0.25}, {"cell": 1}]]})
    fit = kaon.open(tmp_path / "new.kaon")["events"]["Hits.fit"].array()
    assert fit.tolist() == [[9], [0.5], [0.25, 9]]


def test_decorations_that_make_no_sense_are_refused(demo, events, write):
    hits = kaon.Collection(demo.Hit, [demo.Hit()])
    with pytest.raises(ValueError, match="a Hit has a 'cell' already: a decoration needs a name"):
        hits.decorate("cell", [1])
    with pytest.raises(ValueError, match="a Hit has a 'cell' already: a decoration needs a name"):
        kaon.decorate(events.arrays().Hits, "cell", 1)
    with pytest.raises(ValueError, match="'fit' has 2 values for 1 objects"):
        hits.decorate("fit", [1, 2])
    with pytest.raises(TypeError, match="'fit' needs numbers or truth values"):
        hits.decorate("fit", ["a"])
    with pytest.raises(TypeError, match="'fit' needs numbers"):
        kaon.decorate(events.arrays().Hits, "fit", "a")
    with pytest.raises(ValueError, match="'fit' holds int8 values, and 1000 does not fit"):
        hits.decorate("fit", np.array([1], np.int8), missing=1000)
    hits.decorate("fit", [1.5])
    others = kaon.Collection(demo.Hit, hits)
    others.decorate("fit", [1])
    with pytest.raises(TypeError, match="'fit' of 'Hits' was float64 before, not int64"):
        write(frame_of(Hits=hits), frame_of(Hits=others))


# Bare values.


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64"])
def test_bare_values_are_written_and_read(write, dtype):
    scores = np.array([0, 1, 1], dtype)
    events = write(frame_of(Scores=scores), frame_of(Scores=scores[:0]), frame_of())
    assert events.arrays().tolist() == [{"Scores": s} for s in ([0, 1, 1], [], None)]
    first, second, third = events.frames()
    assert first["Scores"].dtype == dtype and first["Scores"].tolist() == [0, 1, 1]
    assert len(second["Scores"]) == 0 and "Scores" not in third
    again = write(*events.frames(), name="again.kaon")
    assert [*again._schema.tables] == [*events._schema.tables]
    assert again.arrays().tolist() == events.arrays().tolist()


def test_bare_values_need_no_model(tmp_path):
    path = tmp_path / "a.kaon"
    with kaon.create(path, types={"Scores": "float32"}) as out:
        out["events"].write(frame_of(Scores=ak.values_astype(ak.Array([0.5]), np.float32)))
        out["events"].extend({"Scores": [[1.5, 2.5], []]})
    with kaon.append(path, missing_members="default") as out:
        out["events"].extend({"Scores": [[3]]})
    assert kaon.open(path)["events"].arrays().Scores.tolist() == [[0.5], [1.5, 2.5], [], [3]]


def test_arrays_in_frames_hold_numbers(demo, write):
    for wrong in (np.array(["a"]), np.zeros((1, 1)), ak.Array([[1], [2, 3]]), np.float16([1])):
        with pytest.raises(TypeError, match="'Scores' needs numbers or truth values, one after"):
            frame_of(Scores=wrong)
    with pytest.raises(TypeError, match="'A' was a collection of float64 before, not of demo::Hit"):
        write(frame_of(A=np.zeros(1)), frame_of(A=[demo.Hit()]))
