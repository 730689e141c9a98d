"""Metadata of files, categories and collections, and how metadata are merged."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kaon
from kaon import _core
from kaon.files.metadata import from_text, to_text


@pytest.fixture
def path(tmp_path, model):
    """A file with metadata about everything."""
    path = tmp_path / "a.kaon"
    with kaon.create(path, model=model, missing_members="default") as out:
        out.metadata["detector"] = "CLD"
        out.metadata.set("luminosity", 12.5, merge="sum")
        out["events"].extend({"Hits": [[{"cell": 1}]], "weight": [1.0]})
        out["events"].metadata["steps"] = ["digitise", "cluster"]
        out["events"].metadata_of("Hits").set("threshold", 0.5, merge="min")
        out["events"].metadata_of("weight")["kind"] = {"name": "cross section", "norm": None}
    return path


def test_written_metadata_are_read(path):
    with kaon.open(path) as file:
        assert file.metadata == {"detector": "CLD", "luminosity": 12.5}
        assert file.metadata.rule("luminosity") == "sum"
        assert file.metadata.rule("detector") == "same"
        events = file["events"]
    assert events.metadata == {"steps": ["digitise", "cluster"]}
    assert events.metadata_of("Hits") == {"threshold": 0.5}
    assert events.metadata_of("weight")["kind"]["norm"] is None
    with pytest.raises(KeyError, match=r"there is no 'Hit' \(did you mean 'Hits'\?\)"):
        events.metadata_of("Hit")


def test_the_document(path):
    assert json.loads(_core.File(path).document("metadata")) == {
        "file": {"detector": "CLD", "luminosity": 12.5},
        "categories": {"events": {"steps": ["digitise", "cluster"]}},
        "collections": {
            "events": {
                "Hits": {"threshold": 0.5},
                "weight": {"kind": {"name": "cross section", "norm": None}},
            }
        },
        "rules": {
            "file": {"luminosity": "sum"},
            "collections": {"events": {"Hits": {"threshold": "min"}}},
        },
    }


def test_a_file_may_say_nothing(tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"x": [1]})
        assert not out["events"].metadata  # reading metadata does not set them
    with kaon.open(tmp_path / "a.kaon") as file:
        assert file.metadata == file["events"].metadata == {}
        assert _core.File(tmp_path / "a.kaon").documents == []


def test_appending_goes_on(path):
    with kaon.append(path, missing_members="default") as out:
        assert out.metadata["luminosity"] == 12.5
        out.metadata["luminosity"] += 2.5  # keeps its rule
        del out.metadata["detector"]
    with kaon.open(path) as file:
        assert file.metadata == {"luminosity": 15}
        assert file.metadata.rule("luminosity") == "sum"
        assert file["events"].metadata_of("Hits") == {"threshold": 0.5}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(1.5), 1.5),
        (np.array([1, 2]), [1, 2]),
        ((1, "a"), [1, "a"]),
        (True, True),
        (2**70, 2**70),
        ("größte", "größte"),
        ([[[1]]], [[[1]]]),
    ],
)
def test_values_have_types_of_json(value, plain):
    metadata = kaon.Metadata()
    metadata["x"] = value
    assert metadata["x"] == plain
    assert from_text(to_text(metadata)) == {"x": plain}


def _nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        1j,
        object(),
        {1, 2},
        10**400,
        ["\ud800"],
        {"\ud800": 1},
        {1: "one", "1": "another"},
        _nested(91),
    ],
)
def test_values_that_json_does_not_hold(value):
    metadata = kaon.Metadata()
    with pytest.raises(
        kaon.errors.WrongTypeError, match="the metadata 'x' have a value that JSON cannot hold"
    ):
        metadata["x"] = value
    assert "x" not in metadata


def test_keys_that_json_does_not_hold():
    metadata = kaon.Metadata()
    with pytest.raises(kaon.errors.WrongTypeError, match="that JSON cannot hold"):
        metadata["\ud800"] = 1
    assert not metadata


def test_rules_fit_their_values():
    metadata = kaon.Metadata()
    with pytest.raises(KeyError, match=r"no rule is called 'unoin' \(did you mean 'union'\?\)"):
        metadata.set("x", 1, merge="unoin")
    for value in ("a", True, [1], None, 2**64):
        with pytest.raises(TypeError, match="'x' have a rule for numbers, not for"):
            metadata.set("x", value, merge="sum")
    with pytest.raises(TypeError, match="must be strings, not 1"):
        metadata[1] = 2
    metadata.set("x", 1, merge="sum")
    with pytest.raises(TypeError):
        metadata["x"] = "a"
    metadata.set("x", "a")
    assert metadata.rule("x") == "same"


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"file": 1}', '{"collections": {"events": {"Hits": 1}}}', "[" * 100_000],
)
def test_a_document_that_is_something_else(tmp_path, text):
    writer = _core.Writer(tmp_path / "a.kaon")
    writer.add_document("metadata", text)
    writer.finish()
    with pytest.raises(
        kaon.errors.CorruptFileError, match=r"a\.kaon: the metadata cannot be read: "
    ):
        _ = kaon.open(tmp_path / "a.kaon").metadata


# Merging


def metadata(rule, *values):
    """Return several metadata with one value each."""
    made = [kaon.Metadata() for _ in values]
    for one, value in zip(made, values, strict=True):
        one.set("x", value, merge=rule)
    return made


@pytest.mark.parametrize(
    ("rule", "values", "merged"),
    [
        ("same", ["a", "a"], "a"),
        ("same", [{"a": 1, "b": 2}, {"b": 2, "a": 1}], {"a": 1, "b": 2}),
        ("first", [1, 2, 3], 1),
        ("last", [1, 2, 3], 3),
        ("sum", [1, 2, 0.5], 3.5),
        ("min", [2, 1.5, 3], 1.5),
        ("max", ["2026-01-01", "2026-11-22"], "2026-11-22"),
        ("list", [1, [2, 1], [[3]]], [1, 2, 1, [3]]),
        ("union", ["a", ["b", "a"], ["c"]], ["a", "b", "c"]),
        ("union", [[1, True], [1.0, 1]], [1, True, 1.0]),
    ],
)
def test_rules(rule, values, merged):
    found = kaon.merge_metadata(metadata(rule, *values))
    assert json.dumps(found["x"]) == json.dumps(merged)
    assert found.rule("x") == rule


@pytest.mark.parametrize("values", [(1, 2), (1, True), (1, 1.0), ([1], 1), ("", None)])
def test_different_values_with_the_rule_same(values):
    with pytest.raises(ValueError, match="the metadata 'x' differ: .*; set a rule for merging"):
        kaon.merge_metadata(metadata("same", *values))


def test_values_that_cannot_merge():
    with pytest.raises(ValueError, match="the metadata 'x' have different rules: sum and max"):
        kaon.merge_metadata(metadata("sum", 1) + metadata("max", 1))
    with pytest.raises(TypeError, match="'x' have a rule for numbers, or strings, not for 1 and"):
        kaon.merge_metadata(metadata("min", 1, "a"))
    with pytest.raises(TypeError, match="the sum of the metadata 'x' has more than 64 bits"):
        kaon.merge_metadata(metadata("sum", 2**63, 2**63))
    with pytest.raises(TypeError, match="that JSON cannot hold"):  # JSON has no infinity
        kaon.merge_metadata(metadata("sum", 1e308, 1e308))


def test_metadata_of_categories_and_collections_merge(path):
    file = kaon.open(path)
    other = kaon.Metadata()
    other.set("luminosity", 1, merge="sum")
    other.part("events").part("Hits").set("threshold", 0.25, merge="min")
    other.part("runs")["number"] = 7
    merged = kaon.merge_metadata([file.metadata, other])
    assert merged == {"detector": "CLD", "luminosity": 13.5}
    assert merged.part("events").part("Hits") == {"threshold": 0.25}
    assert merged.part("runs") == {"number": 7}
    other.part("events").part("weight")["kind"] = "other"
    with pytest.raises(ValueError, match="the metadata 'events.weight.kind' differ"):
        kaon.merge_metadata([file.metadata, other])
    with kaon.create(path, overwrite=True) as out:
        out.metadata = merged
    assert kaon.open(path).metadata.rule("luminosity") == "sum"
    assert to_text(kaon.open(path).metadata) == to_text(merged)


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
anything = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)
whole_numbers = st.integers(-(2**60), 2**60)  # their sums have at most 64 bits, as in C++
values_by_rule = {
    "same": st.just("constant"),
    "first": anything,
    "last": anything,
    "sum": whole_numbers,  # integers are exact, unlike floats
    "min": whole_numbers | st.floats(allow_nan=False, allow_infinity=False),
    "max": whole_numbers,
    "union": anything,
    "list": anything,
}


def skim(paths, out):
    train = kaon.train.Train(kaon.dataset(paths, "events"))
    train.add(out, "weight > 2")
    train.run()


def snapshot(paths, out):
    _ = kaon.dataset(paths, "events").filter("weight > 2").snapshot(out, ["weight"]).value


@pytest.mark.parametrize("join", [skim, snapshot, kaon.convert, kaon.merge])
def test_merged_files_merge_their_metadata(tmp_path, join):
    """A file counts although none of its entries is taken: its luminosity is added."""
    for number in (1, 2, 3):
        with kaon.create(tmp_path / f"{number}.kaon") as out:
            out["events"].extend({"weight": [float(number)]})
            out.metadata["detector"] = "CLD"
            out.metadata.set("luminosity", number, merge="sum")
            out["events"].metadata.set("files", [number], merge="list")
    join([tmp_path / f"{number}.kaon" for number in (1, 2, 3)], tmp_path / "all.kaon")
    file = kaon.open(tmp_path / "all.kaon")
    assert file.metadata == {"detector": "CLD", "luminosity": 6}
    assert file["events"].metadata == {"files": [1, 2, 3]}


@pytest.mark.parametrize("join", [skim, snapshot])
def test_values_that_do_not_merge_are_left_out(tmp_path, join):
    for number in (1, 2):
        with kaon.create(tmp_path / f"{number}.kaon") as out:
            out["events"].extend({"weight": [float(number + 2)]})
            out.metadata["detector"] = f"version {number}"
    with pytest.warns(
        kaon.errors.LostMetadataWarning, match="all.kaon: the metadata 'detector' differ"
    ):
        join([tmp_path / "1.kaon", tmp_path / "2.kaon"], tmp_path / "all.kaon")
    assert kaon.open(tmp_path / "all.kaon").metadata == {}


@st.composite
def trees(draw, depth=2):
    """Make metadata whose rules follow from their keys."""
    made = kaon.Metadata()
    for rule in draw(st.sets(st.sampled_from(sorted(values_by_rule)))):
        made.set(rule, draw(values_by_rule[rule]), merge=rule)
    if depth:
        for name in draw(st.sets(st.sampled_from(["a", "b"]))):
            made._parts[name] = draw(trees(depth - 1))
    return made


@given(trees())
def test_any_metadata_survive_the_file(tree):
    text = to_text(tree)
    assert json.loads(to_text(from_text(text))) == json.loads(text)


@given(trees())
def test_merging_one_file_keeps_its_metadata(tree):
    merged = kaon.merge_metadata([tree])
    assert merged == tree
    assert to_text(kaon.merge_metadata([merged])) == to_text(merged)


@given(st.lists(trees(), min_size=1, max_size=5), st.data())
def test_merging_in_steps_is_merging_at_once(several, data):
    cut = data.draw(st.integers(1, len(several)))
    first = kaon.merge_metadata(several[:cut])
    assert to_text(kaon.merge_metadata([first, *several[cut:]])) == to_text(
        kaon.merge_metadata(several)
    )
