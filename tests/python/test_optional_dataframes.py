"""Optional columns of dataframes: written, varied and under other names."""

import awkward as ak
import numpy as np
import pytest

import kaon

MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  opt::Vector:
    Members: [float x, "std::optional<float> z // if known"]
datatypes:
  opt::Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - int32_t number // of the hit
      - std::optional<float> time [ns] // when
      - std::optional<opt::Vector> at // where
      - std::optional<std::array<int16_t, 2>> range // of layers
      - std::optional<std::array<int16_t, 1>> single // an array of one
      - std::array<int16_t, 2> layers // of all hits
      - std::array<opt::Vector, 2> ends // of the track in it
      - std::array<float, 3> momentum // at the hit
"""

FORMATS = {
    "kaon": ("some.kaon", {}),
    "rows": ("some.kaon", {"layout": "row"}),
    "rntuple": ("some.root", {}),
    "ttree": ("some.root", {"format": "ttree"}),
    "hdf5": ("some.h5", {}),
}


def hit(entry, number):
    """Return the members of a hit; some of them are missing."""
    members = {"number": 10 * entry + number, "momentum": [entry, number, 1], "layers": [5, entry]}
    if (entry + number) % 3:
        members["time"] = entry + 0.25 * number
    if (entry + number) % 2:
        members["at"] = {"x": entry, "z": None if number == 1 else number}
    if (entry + number) % 3 != 1:
        members["range"] = [entry, number]
        members["single"] = [number]
    if entry % 2:
        members["ends"] = [{"x": 1, "z": number}, {"x": 2, "z": None}]
    return members


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("optionals")
    (folder / "opt.yaml").write_text(MODEL)
    opt = kaon.load_model(folder / "opt.yaml")
    with kaon.create(folder / "hits.kaon", model=opt, cluster_entries=4) as out:
        for entry in range(11):
            event = kaon.Frame()
            hits = [opt.Hit(**hit(entry, number)) for number in range(entry % 4)]
            event["H"] = kaon.Collection(opt.Hit, hits)
            event.parameters["weight"] = 0.5 * entry
            out["events"].write(event)
    return folder / "hits.kaon"


@pytest.fixture
def events(path):
    return kaon.dataset(f"{path}:events")


def taken(frame, column):
    return frame.take(column).value.tolist()


WRITTEN = {
    "named members": (lambda events: events, ["H.time", "H.at.x", "H.range"]),
    "a member in an optional": (lambda events: events, ["H.at.z"]),
    "as stored": (lambda events: events, ["H.time.value", "H.at.value.x"]),
    "a list": (lambda events: events.define("late", "H.time + 1"), ["late"]),
    "one an event": (
        lambda events: events.filter("count(H) > 0").define("first", "H[0].time"),
        ["first", "weight"],
    ),
    "of rows": (
        lambda events: events.define("Late.time", "H.time").define("Late.n", "H.number"),
        ["Late.time", "Late.n"],
    ),
    "other values": (lambda events: events.redefine("H.time", "H.time * 2"), ["H"]),
    "other arrays": (lambda events: events.redefine("H.range", "sort(H.range)"), ["H"]),
    "other arrays by themselves": (
        lambda events: events.redefine("H.range", "sort(H.range)"),
        ["H.range", "H.single"],
    ),
    "other arrays, all there": (
        lambda events: events.redefine("H.range", "default(H.range, H.layers)"),
        ["H"],
    ),
    "nominal arrays": (lambda events: events.vary("H.range", {"up": "sort(H.range)"}), []),
    "other values in all": (lambda events: events.redefine("H.time", "H.time * 2"), []),
    "other values, all there": (
        lambda events: events.redefine("H.time", "default(H.time, -1)"),
        ["H"],
    ),
    "an alias": (lambda events: events.alias("x", "H.at.x"), ["x"]),
    "objects": (lambda events: events.explode("H"), []),
    "defined of objects": (
        lambda events: (
            events.explode("H").define("late", "H.time + 1").redefine("H.range", "H.number")
        ),
        ["late", "H.range", "H.at.x"],
    ),
    "objects in events": (
        lambda events: events.explode("H").filter("H.time > 1").implode(),
        [],
    ),
    "further members of objects in events": (
        lambda events: events.explode("H").define("H.late", "H.time + 1").implode(),
        ["H", "weight"],
    ),
    "nominal values": (lambda events: events.vary("H.time", {"up": "H.time * 2"}), []),
}
NOT_IN_TREES = {
    "a further member": (
        lambda events: events.define("H.late", "H.time + 1"),
        ["H", "H.late"],
    ),
    "lists of lists": (lambda events: events.define("all", "pairs(H, H).second.time"), ["all"]),
    "lists of objects": (
        lambda events: events.define("H.all", "pairs(H, H).second.time"),
        ["H", "H.all"],
    ),
}


def check_columns(frame, written, names):
    assert sorted(name for name in written.columns if not name.startswith("n")) == sorted(names)
    for name in names:
        assert taken(written, name) == taken(frame, name), name


def columns_of(frame, names):
    """Return the columns that a snapshot of these names has."""
    stored = {"H.time.value": "H.time", "H.at.value.x": "H.at.x"}
    names = [stored.get(name, name) for name in names]
    if not names:
        return frame.columns
    whole = [name for name in frame.columns if name.startswith("H.")]
    return {column for name in names for column in (whole if name == "H" else [name])}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("case", WRITTEN)
def test_snapshots_keep_values_that_are_missing(events, tmp_path, case, form):
    make, names = WRITTEN[case]
    name, options = FORMATS[form]
    frame = make(events)
    written = frame.snapshot(tmp_path / name, names, **options).value
    check_columns(frame, written, columns_of(frame, names))


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "ttree"])
@pytest.mark.parametrize("case", NOT_IN_TREES)
def test_snapshots_keep_further_values_that_are_missing(events, tmp_path, case, form):
    make, names = NOT_IN_TREES[case]
    name, options = FORMATS[form]
    frame = make(events)
    written = frame.snapshot(tmp_path / name, names, **options).value
    check_columns(frame, written, columns_of(frame, names))


@pytest.mark.parametrize("form", FORMATS)
def test_snapshots_of_objects_keep_their_structure(events, path, tmp_path, form):
    name, options = FORMATS[form]
    objects = events.explode("H").snapshot(tmp_path / name, **options).value
    again = events.explode("H").implode().snapshot(tmp_path / f"2{name}", **options).value
    for column in ("has(H.at)", "has(H.time)", "H.at.z", "H.range", "H.momentum"):
        assert taken(objects, column) == ak.flatten(events.take(column).value, axis=1).tolist()
        assert taken(again, column) == taken(events, column)
    hits = kaon.open(tmp_path / f"2{name}")["events"].arrays().H
    stored = kaon.open(path)["events"].arrays().H
    assert hits.at.tolist() == stored.at.tolist()
    assert hits.ends.tolist() == stored.ends.tolist()
    assert str(ak.type(hits.momentum)) == "11 * var * 3 * float32"


@pytest.mark.parametrize("name", ["some.kaon", "some.root", "some.h5"])
def test_missing_values_without_names_are_missing_in_arrays(events, tmp_path, name):
    frame = events.define("late", "H.time + 1").define("best", "first(H.time, 0)")
    _ = frame.snapshot(tmp_path / name, ["late", "best"]).value
    arrays = kaon.open(tmp_path / name)["events"].arrays()
    assert arrays.late.tolist() == taken(frame, "late")
    assert arrays.best.tolist() == taken(frame, "best")
    for table in ("some.parquet", "some.feather"):
        kaon.convert(f"{tmp_path / name}:events", tmp_path / table)
        back = kaon.open(tmp_path / table)["events"].arrays()
        assert back.late.tolist() == arrays.late.tolist()
        assert back.best.tolist() == arrays.best.tolist()


@pytest.mark.parametrize("name", ["some.hipo", "some.sio", "some.slcio"])
def test_other_formats_refuse_missing_values(events, tmp_path, name):
    late = events.define("late", "H.time + 1")
    with pytest.raises(kaon.errors.UsageError, match="cannot hold 'late"):
        late.snapshot(tmp_path / name, ["late"])
    assert list(tmp_path.iterdir()) == []


def test_values_that_may_be_missing_do_not_replace_those_that_are_there(events, tmp_path):
    frame = events.redefine("H.number", "int(H.time)")
    with pytest.raises(kaon.errors.WrongTypeError, match="give it another name"):
        frame.snapshot(tmp_path / "some.kaon")


@pytest.mark.parametrize("name", ["late", "H.late"])
def test_snapshots_refuse_lists_that_may_be_missing(events, tmp_path, name):
    frame = events.define(name, "H.range * 2")
    with pytest.raises(kaon.errors.WrongTypeError, match=f"'{name}' may lack whole lists.*default"):
        frame.snapshot(tmp_path / "some.kaon", [name])
    longer = events.redefine("H.range", "H.range[H.range > 1]")
    with pytest.raises(kaon.errors.WrongTypeError, match="an array of . values"):
        _ = longer.snapshot(tmp_path / "some.kaon").value
    assert list(tmp_path.iterdir()) == []


def test_snapshots_keep_which_arrays_are_missing(events, tmp_path):
    flipped = events.redefine("H.range", "sort(H.range)")
    written = flipped.snapshot(tmp_path / "some.kaon", []).value
    assert taken(written, "has(H.range)") == taken(events, "has(H.range)")
    assert taken(written, "count(H.range)") == taken(events, "count(H.range)")
    assert None in ak.flatten(written.take("count(H.range)").value).tolist()


def test_stored_names_are_those_of_the_optional(events):
    doubled = events.redefine("H.time.value", "H.time * 2")
    assert taken(doubled, "H[H.number >= 0].time") == taken(events, "H.time * 2")
    some = events.redefine("H.time", "H.at.x")
    assert taken(some, "H.time.has_value") == taken(events, "has(H.at)")
    with pytest.raises(
        kaon.errors.WrongTypeError, match=r"'H.time.has_value' is part of an optional"
    ):
        events.redefine("H.time.has_value", "H.number > 3")
    with pytest.raises(kaon.errors.WrongTypeError, match=r"'H.at.x' is part of an optional"):
        events.redefine("H.at.x", "1.0 * H.number")
    with pytest.raises(kaon.errors.UnknownNameError, match=r"a column 'H.at.x' already"):
        events.define("H.at.x", "1.0 * H.number")


def test_aliases_name_columns_that_may_be_missing(events):
    for name in ("H.at.x", "H.at.value.x", "H.at.z", "H.time", "H.range"):
        frame = events.alias("a", name)
        assert taken(frame, "a") == taken(events, name)
        assert taken(frame, "has(a)") == taken(events, f"has({name})")
    assert taken(events.alias("a", "H.at"), "a.x") == taken(events, "H.at.x")
    with pytest.raises(kaon.errors.UnknownNameError, match="H.at.q"):
        events.alias("a", "H.at.q")


@pytest.mark.parametrize("column", ["H.time", "H.number"])
def test_aliases_keep_their_meaning(events, column):
    frame = events.alias("a", column).redefine(column, f"{column} + 100")
    assert taken(frame, "a") == taken(events, column)
    assert taken(frame, "a + 0") == taken(events, f"{column} + 0")


def test_lists_of_values_that_may_be_missing_are_exploded(events):
    late = events.define("late", "H.time + 1").explode("late")
    assert taken(late, "late") == ak.flatten(events.take("H.time + 1").value).tolist()
    assert late.filter("late > 3").count().value == events.sum("sum(H.time > 2)").value


# Variations.

UP = {"up": "H.time * 2 if H.number % 2 == 0 else H.at.x", "zero": "0 * H.time"}


def varied_times(events, name):
    return events.take(UP[name] if name else "H.time").value


def known(values):
    return [value for value in ak.flatten(values).tolist() if value is not None]


@pytest.mark.parametrize("stage", ["stored", "defined"])
def test_variations_may_be_missing_where_the_column_is_not(events, stage):
    column = "H.time" if stage == "stored" else "late"
    frame = events if stage == "stored" else events.define("late", "H.time")
    frame = frame.vary(column, UP)
    results = {
        "take": frame.take(column),
        "count": frame.sum(f"count({column})"),
        "sum": frame.sum(column),
        "mean": frame.mean(column),
        "least": frame.min(column),
        "bins": frame.histogram((4, 0, 21), column),
        "weighted": frame.histogram((4, 0, 21), column, weight="H.number"),
        "cut": frame.filter(f"any({column} > 4)").count(),
        "not": frame.filter(f"any(not ({column} > 4))").count(),
        "objects": frame.explode("H").filter("H.time > 4").count(),
    }
    kaon.run(*results.values())
    for name in ("", "up", "zero"):
        found = {
            key: result.variations()[name] if name else result
            for key, result in results.items()
            if not name or name in result.variations()
        }
        times = varied_times(events, name)
        there = known(times)
        assert found["take"].value.tolist() == times.tolist()
        assert found["count"].value == len(there)
        assert found["sum"].value == pytest.approx(sum(there))
        assert found["mean"].value == pytest.approx(np.mean(there))
        assert found["least"].value == min(there)
        bins, _ = np.histogram(there, 4, (0, 21))
        assert found["bins"].value.values().tolist() == bins.tolist()
        late = ak.fill_none(times > 4, False)
        assert found["cut"].value == ak.sum(ak.any(late, axis=1))
        assert found["not"].value == ak.sum(ak.any(~late, axis=1))
        weights = ak.drop_none(ak.mask(events.take("H.number").value, ~ak.is_none(times, axis=1)))
        sums, _ = np.histogram(there, 4, (0, 21), weights=ak.flatten(weights))
        assert found["weighted"].value.values().tolist() == sums.tolist()
        if stage == "stored":
            assert found["objects"].value == ak.sum(late)


def doubled(numbers):
    return ak.values_astype(numbers * 2, np.float32)


LACKING = {
    "all are there": "default(H.range + 0, 7)",
    "others": "H.layers + 0 if has(H.time) else H.range + 0",
    "elements": "H.layers + int(H.time)",
    "arrays and elements": "H.range + int(H.time)",
}


@pytest.mark.parametrize("nominal", ["H.range + 0", "H.layers + 0", *LACKING.values()])
@pytest.mark.parametrize("name", LACKING)
def test_variations_lack_other_arrays(events, nominal, name):
    text = LACKING[name]
    frame = events.define("r", nominal).vary("r", {name: text})
    arrays = frame.take("r")
    assert arrays.value.tolist() == taken(events, nominal)
    assert arrays.variations()[name].value.tolist() == taken(events, text)
    counts = frame.take("count(r)")
    assert counts.variations()[name].value.tolist() == taken(events, f"count({text})")
    total = frame.sum("r")
    assert total.value == events.sum(nominal).value
    assert total.variations()[name].value == events.sum(text).value


def test_functions_vary_arrays_that_may_be_missing(events):
    frame = events.vary("H.range", {"same": lambda ranges: ranges}, "default(H.range, H.layers)")
    varied = frame.take("H.range + 0").variations()["same"]
    assert varied.value.tolist() == taken(events, "default(H.range, H.layers) + 0")
    assert taken(frame, "H.range") == taken(events, "H.range")


def test_functions_vary_columns_that_may_be_missing(events):
    frame = events.vary("H.time", {"up": doubled}, "H.number")
    varied = frame.take("H.time + 1").variations()["up"]
    assert varied.value.tolist() == taken(events, "2.0 * H.number + 1")
    assert taken(frame, "H.time") == taken(events, "H.time")


def test_a_column_that_is_there_may_be_missing_in_a_variation(events):
    frame = events.define("x", "float(H.number)").vary("x", {"lost": "float(H.at.x)"})
    assert taken(frame, "x") == taken(events, "float(H.number)")
    assert frame.sum("x").variations()["lost"].value == events.sum("H.at.x").value
    assert frame.take("x").variations()["lost"].value.tolist() == taken(events, "H.at.x")


def test_variations_of_the_wrong_type_are_refused(events):
    with pytest.raises(kaon.errors.WrongTypeError, match="in the variation 'up'"):
        events.vary("H.time", {"up": "first(H.time, 0)"})
    with pytest.raises(kaon.errors.WrongTypeError, match="part of an optional"):
        events.vary("H.at.x", {"up": "H.at.x * 2"})
