"""Optional members in expressions give None, and never the 0 that files store there."""

import json

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon.command.cli import main

MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  opt::Vector:
    Members:
      - float x
      - std::optional<float> z // if known
      - std::array<int16_t, 2> cells
      - std::array<float, 1> one
datatypes:
  opt::Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - float energy // deposited
      - std::optional<float> time // when
      - std::optional<int64_t> id // of what
      - std::optional<bool> good // or bad
      - std::optional<opt::Vector> at // where
      - std::optional<std::array<int16_t, 2>> range // of layers
      - std::array<float, 1> single // an array of one
      - std::optional<std::array<float, 1>> lone // the same, if any
"""

HITS = [
    [
        {
            "energy": 1.0,
            "time": 1.5,
            "id": 2**53 + 1,
            "good": True,
            "at": {"x": 1.0},
            "lone": [7.0],
        },
        {"energy": 2.0},
        {
            "energy": 3.0,
            "time": 4.0,
            "good": False,
            "at": {"x": 3.0, "z": 7.0, "cells": [4, 5], "one": [6]},
            "range": [1, 2],
        },
    ],
    [],
    [{"energy": 4.0}, {"energy": 5.0, "time": 0.0, "id": 7, "good": True}],
]

VALUES = {
    "H.time": [[1.5, None, 4.0], [], [None, 0.0]],
    "H.time.value": [[1.5, None, 4.0], [], [None, 0.0]],  # the stored name of the column
    "H.at.z.has_value": [[False, False, True], [], [False, False]],
    "H.time.value + 1": [[2.5, None, 5.0], [], [None, 1.0]],
    "H.time + 0": [[1.5, None, 4.0], [], [None, 0.0]],
    "H.at.x": [[1.0, None, 3.0], [], [None, None]],
    "H.at.value.x": [[1.0, None, 3.0], [], [None, None]],  # the stored name of the column
    "H.at.value.x + 0": [[1.0, None, 3.0], [], [None, None]],
    "H.at.value.z.value": [[None, None, 7.0], [], [None, None]],
    "H.at.z": [[None, None, 7.0], [], [None, None]],
    "H.at.x * H.at.z": [[None, None, 21.0], [], [None, None]],
    "H.range": [[None, None, [1, 2]], [], [None, None]],
    "column('H.range.value')": [[None, None, [1, 2]], [], [None, None]],
    "column('H.time.value')": [[1.5, None, 4.0], [], [None, 0.0]],
    "H.range + 1": [[None, None, [2, 3]], [], [None, None]],
    "H.range > 1": [[[False] * 2, [False] * 2, [False, True]], [], [[False] * 2] * 2],
    "H.range * H.time": [[None, None, [4.0, 8.0]], [], [None, None]],
    "H.range * H.at.z": [[None, None, [7.0, 14.0]], [], [None, None]],
    "H.at.cells": [[[0, 0], None, [4, 5]], [], [None, None]],
    "H.at.cells * H.at.z": [[[None, None], None, [28.0, 35.0]], [], [None, None]],
    "H.single": [[[0.0], [0.0], [0.0]], [], [[0.0], [0.0]]],
    "H.at.one": [[[0.0], None, [6.0]], [], [None, None]],
    "H.lone": [[[7.0], None, None], [], [None, None]],
    "first(H.single)": [[0.0, 0.0, 0.0], [], [0.0, 0.0]],
    "has(H.range)": [[False, False, True], [], [False, False]],
    "count(H.range)": [[None, None, 2], [], [None, None]],
    "sum(H.range)": [[None, None, 3], [], [None, None]],
    "any(H.range > 0)": [[False, False, True], [], [False, False]],
    "default(H.range, 9)": [[[9, 9], [9, 9], [1, 2]], [], [[9, 9], [9, 9]]],
    "first(H.range, 9)": [[None, None, 1], [], [None, None]],
    "get(H.lone, 1, 9)": [[9.0, None, None], [], [None, None]],
    "H.range[H.range > 1]": [[None, None, [2]], [], [None, None]],
    "H[sum(H.range) > 0].energy": [[3.0], [], []],
    "H.range[0] if count(H) > 2 else 5": [None, [], [5, 5]],
    "H.time > 3": [[False, False, True], [], [False, False]],
    "not (H.time > 3)": [[True, True, False], [], [True, True]],
    "isnan(H.time)": [[False] * 3, [], [False] * 2],
    "has(H.time)": [[True, False, True], [], [False, True]],
    "has(H.at)": [[True, False, True], [], [False, False]],
    "has(H.at.z)": [[False, False, True], [], [False, False]],
    "default(H.time, -1)": [[1.5, -1.0, 4.0], [], [-1.0, 0.0]],
    "count(H.time)": [2, 0, 1],
    "sum(H.time)": [5.5, 0.0, 0.0],
    "sum(H.id)": [2**53 + 1, 0, 7],
    "max(H.time)": [4.0, -np.inf, 0.0],
    "H[H.good].energy": [[1.0], [], [5.0]],
    "H[not H.good].energy": [[2.0, 3.0], [], [4.0]],
    "first(H.time, 9)": [1.5, 9.0, None],
}


@pytest.fixture(scope="module", params=["hits.kaon", "hits.root"])
def path(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("optionals")
    (folder / "opt.yaml").write_text(MODEL)
    opt = kaon.load_model(folder / "opt.yaml")
    with kaon.create(folder / request.param, model=opt) as out:
        for hits in HITS:
            event = kaon.Frame()
            event["H"] = kaon.Collection(opt.Hit, [opt.Hit(**hit) for hit in hits])
            out["events"].write(event)
    return folder / request.param


@pytest.fixture
def frame(path):
    return kaon.dataset(f"{path}:events")


@pytest.mark.parametrize("text", VALUES)
def test_missing_values_stay_missing_in_arrays_and_dataframes(path, frame, text):
    arrays = kaon.open(path)["events"].arrays([text], how=list)[0]
    assert ak.to_list(arrays) == VALUES[text]
    assert ak.to_list(frame.take(text).value) == VALUES[text]
    assert ak.to_list(frame.define("x", text).take("x").value) == VALUES[text]


def test_flat_arrays_mask_missing_values(path, tmp_path):
    arrays = kaon.open(path)["events"].arrays(["H.time * 2"], library="np")
    assert arrays["H.time * 2"].tolist() == [3.0, None, 8.0, None, 0.0]
    joined = kaon.concatenate([f"{path}:events"] * 2, ["H.time * 2"], library="np")
    assert joined["H.time * 2"].tolist() == [3.0, None, 8.0, None, 0.0] * 2
    table = pytest.importorskip("pyarrow") and kaon.open(path)["events"].arrays(
        ["H.time * 2"], library="pa"
    )
    assert table["H.time * 2"].to_pylist() == [[3.0, None, 8.0], [], [None, 0.0]]


def test_stored_columns_mask_missing_values(path):
    arrays = kaon.open(path)["events"].arrays(library="np")
    assert arrays["H.time.value"].tolist() == [1.5, None, 4.0, None, 0.0]
    assert arrays["H.at.value.z.value"].tolist() == [None, None, 7.0, None, None]
    assert arrays["H.range.value"].tolist() == [[None, None]] * 2 + [[1, 2]] + [[None, None]] * 2
    assert not isinstance(arrays["H.energy"], np.ma.MaskedArray)
    joined = kaon.concatenate([f"{path}:events"] * 2, library="np")
    assert joined["H.time.value"].tolist() == [1.5, None, 4.0, None, 0.0] * 2


def test_missing_arrays_are_masked_or_none(path, tmp_path):
    events = kaon.open(path)["events"]
    flat = events.arrays(["H.range * 2"], library="np")
    assert flat["H.range * 2"].tolist() == [None] * 4 + [2, 4] + [None] * 4
    assert flat.levels("H.range * 2")[1].tolist() == [0, 2, 4, 6, 8, 10]
    assert type(flat.levels("H.range * 2")[1]) is np.ndarray
    pytest.importorskip("pyarrow")
    table = events.arrays(["H.range * 2"], library="pa")["H.range * 2"]
    assert table.to_pylist() == [[None, None, [2, 4]], [], [None, None]]
    some = events.arrays(["H.range * 2"], "count(H) > 2", library="pa")["H.range * 2"]
    assert some.to_pylist() == [[None, None, [2, 4]]]
    pytest.importorskip("pandas")
    frame = events.arrays(["H.range * 2"], library="pd")
    assert [list(hits)[:2] for hits in frame["H.range * 2"]] == [[None, None], [], [None, None]]


def test_objects_as_entries_may_lack_arrays(frame):
    hits = frame.explode("H")
    for text, values in {
        "H.range": [None, None, [1, 2], None, None],
        "H.range[0]": [None, None, 1, None, None],
        "H.range[H.range > 1][0]": [None, None, 2, None, None],  # no error for missing members
        "count(H.range)": [None, None, 2, None, None],
        "H.range if has(H.range) else 7": [[7, 7], [7, 7], [1, 2], [7, 7], [7, 7]],
    }.items():
        assert hits.take(text).value.tolist() == values, text
        assert hits.define("x", text).take("x").value.tolist() == values, text
    assert hits.filter("H.range[0] < 9").count().value == 1
    again = hits.define("H.late", "H.range + H.time").implode().take("H.late").value
    assert again.tolist() == [[None, None, [5.0, 6.0]], [], [None, None]]


def test_results_leave_out_missing_arrays(frame):
    assert frame.sum("H.range").value == 3
    assert frame.define("r", "H.range + 0").mean("r").value == 1.5
    assert frame.histogram((3, 0, 3), "H.range").value.values().tolist() == [0, 1, 1]
    assert frame.display(["H.range"]).value.splitlines()[1] == "[None, None, [1, 2]]"


def test_the_commands_show_no_value_where_it_is_missing(path, capsys):
    assert main(["dump", "--json", str(path)]) == 0
    hits = json.loads(capsys.readouterr().out)["H"]
    assert [hit["time"]["value"] for hit in hits] == [1.5, None, 4.0]
    assert main(["head", str(path), "H.time.value"]) == 0
    assert "[1.5, None, 4]" in capsys.readouterr().out
    assert main(["head", str(path), "H.range.value"]) == 0
    assert "[None, None, [1, 2]]" in capsys.readouterr().out
    assert main(["head", str(path), "H.range * 2"]) == 0
    assert "[None, None, [2, 4]]" in capsys.readouterr().out


def test_a_missing_array_becomes_python_none(path):
    arrays = kaon.open(path)["events"].arrays("H.range").H.range.tolist()
    assert arrays == [[None, None, [1, 2]], [], [None, None]]


def test_results_leave_out_missing_values(frame):
    results = {
        "sum": (frame.sum("H.time"), 5.5),
        "ids": (frame.max("H.id"), 2**53 + 1),
        "min": (frame.min("H.time"), 0.0),
        "mean": (frame.mean("H.time"), 5.5 / 3),
        "of one an event": (frame.sum("first(H.time, 9)"), 10.5),
        "of none": (frame.filter("count(H) == 0").min("H.time"), None),
        "filtered": (frame.filter("any(H.time > 3)").count(), 1),
        "inverted": (frame.filter("any(not (H.time > 3))").count(), 2),
        "by a missing one": (frame.filter("first(H.good, False)").count(), 1),
    }
    kaon.run(*(result for result, _ in results.values()))
    assert {name: result.value for name, (result, _) in results.items()} == {
        name: expected for name, (_, expected) in results.items()
    }
    assert frame.stats("H.time").value.count == 3
    counts = frame.histogram((5, 0, 5), "H.time").value.values()
    assert counts.tolist() == [1, 1, 0, 0, 1]
    both = frame.histogram([(2, 0, 5), (2, 0, 4)], ["H.time", "H.at.x"]).value.values()
    assert both.tolist() == [[1, 0], [0, 1]]
    weighted = frame.histogram((1, 0, 5), "H.time", "H.energy").value.values()
    assert weighted.tolist() == [9.0]
    assert (
        frame.display(["H.time", "H.at.x"]).value.splitlines()[1] == "[1.5, None, 4]  [1, None, 3]"
    )


def test_missing_values_stay_missing_in_defined_columns(frame):
    later = frame.define("late", "H.time * 2").define("later", "late + H.energy")
    assert later.take("later").value.tolist() == [[4.0, None, 11.0], [], [None, 5.0]]
    assert later.sum("later").value == 20
    assert later.redefine("late", "default(late, 0)").take("late").value.tolist()[0] == [3, 0, 8]
    assert later.alias("again", "late").take("again").value.tolist()[2] == [None, 0.0]
    assert "late?" not in later.columns and "H.time" in frame.columns
    named = frame.define("good", "H[H.energy > 1]").take("good.time").value
    assert named.tolist() == [[None, 4.0], [], [None, 0.0]]


def test_objects_as_entries_may_lack_values(frame):
    hits = frame.define("H.late", "H.time * 2").explode("H")
    assert hits.take("H.late").value.tolist() == [3.0, None, 8.0, None, 0.0]
    assert hits.take("H.at.x").value.tolist() == [1.0, None, 3.0, None, None]
    assert hits.filter("H.good").take("H.energy").value.tolist() == [1.0, 5.0]
    assert hits.filter("not (H.time > 3)").count().value == 4
    again = hits.filter("H.energy < 5").define("H.twice", "H.late + H.late").implode()
    assert again.take("H.twice").value.tolist() == [[6.0, None, 16.0], [], [None]]
    assert again.take("H.at.x").value.tolist() == [[1.0, None, 3.0], [], [None]]


def test_missing_values_are_refused_where_not_allowed(frame):
    for use in (
        lambda: frame.define("x", lambda time: time, "H.time"),
        lambda: frame.take("H.energy[H.id]"),
        lambda: frame.take("sort(H.time)"),
        lambda: frame.histogram((1, 0, 5), "H.energy", "H.time"),
        lambda: frame.define("x", lambda x: x, "H.at.value.x"),
    ):
        with pytest.raises(kaon.errors.WrongTypeError, match=r"m(ay|ay not|ust not) be missing"):
            use()
    x = frame.define("x", lambda time: time, "default(H.time, -1)").take("x").value
    assert x.tolist() == VALUES["default(H.time, -1)"]


def test_an_alias_of_a_stored_name_is_the_optional(frame):
    assert frame.alias("late", "H.time.value").take("late").value.tolist() == VALUES["H.time"]


@pytest.mark.parametrize("name", ["H.time", "H.at.x"])
def test_an_optional_has_no_fallback(frame, name):
    with pytest.raises(kaon.errors.UsageError, match=f"'{name}' has values"):
        frame.fallback(name, 7)


def test_copies_and_cuts_of_commands_keep_missing_values(path, tmp_path, capsys):
    out = tmp_path / "skim.kaon"
    assert main(["skim", f"{path}:events", str(out), "--cut", "any(not has(H.time))"]) == 0
    assert kaon.open(out)["events"].arrays("count(H.time)", how=list)[0].tolist() == [2, 1]
    assert main(["plot", f"{path}:events", "H.time"]) == 0
    assert "3" in capsys.readouterr().out


def test_clusters_are_skipped_only_where_no_value_can_pass(tmp_path, path):
    opt = kaon.load_model(path.parent / "opt.yaml")
    with kaon.create(tmp_path / "a.kaon", model=opt, cluster_entries=2) as out:
        for time in (1.0, 2.0, None, None, 5.0, None, 6.0, 7.0):
            event = kaon.Frame()
            event["H"] = [opt.Hit(energy=1, time=time)]
            out["events"].write(event)
    frame = kaon.dataset(tmp_path / "a.kaon:events")
    for cut, count in {
        "H.time > 3": 3,
        "not (H.time > 3)": 5,
        "H.time < 3": 2,
        "not has(H.time)": 3,
        "default(H.time, 9) > 8": 3,
        "not (H.time != 5)": 4,
        "isnan(H.time)": 0,
    }.items():
        assert frame.filter(f"any({cut})").count().value == count, cut
