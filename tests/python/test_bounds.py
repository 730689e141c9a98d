"""The least and greatest values of members, which files keep for each cluster and page."""

import io
import json

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon.command.cli import main

MODEL = """
schema_version: 1
datatypes:
  Row:
    Description: "Members of all types"
    Author: "kaon"
    Members:
      - int8_t int8 //
      - uint16_t uint16 //
      - int32_t int32 //
      - uint32_t uint32 //
      - int64_t int64 //
      - uint64_t uint64 //
      - float float32 //
      - double float64 //
      - bool bool8 //
      - std::array<double, 2> pair //
  Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - double energy //
      - int64_t cell //
"""
TYPES = ["int8", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool8"]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "numbers.yaml"
    path.write_text(MODEL)
    return path


def extreme_numbers(type_, random, count):
    """Return values of a type, with its least and greatest, and infinities and NaNs of floats."""
    if type_ == "bool8":
        return random.integers(0, 2, count).astype(bool)
    if type_.startswith("float"):
        values = random.normal(size=count).astype(type_)
        values[random.random(count) < 0.01] = np.nan
        values[random.random(count) < 0.001] = -np.inf
        return values
    info = np.iinfo(type_)
    values = random.integers(info.min, info.max, count, type_, endpoint=True)
    values[random.integers(0, count, 2)] = info.min, info.max
    return values


@pytest.fixture(params=["split", "row"])
def events(request, tmp_path, model):
    """Ten clusters of a hundred entries, each with a list of records of all types."""
    random = np.random.default_rng(1)
    counts = random.integers(0, 7, 1000)
    total = int(counts.sum())
    members = {type_: extreme_numbers(type_, random, total) for type_ in TYPES}
    members["pair"] = random.normal(size=(total, 2))
    rows = ak.unflatten(ak.Array(ak.zip(members, depth_limit=1)), counts)
    with kaon.create(
        tmp_path / "a.kaon",
        model=model,
        types={"Rows": "Row"},
        storage={"Rows": {"layout": request.param}},
        cluster_entries=100,
        page_bytes=512,
    ) as out:
        out["events"].extend({"Rows": rows, "number": np.arange(1000, dtype=np.uint64) + 2**63})
    return kaon.open(tmp_path / "a.kaon")["events"]


@pytest.mark.parametrize("by", ["cluster", "page"])
@pytest.mark.parametrize("name", [*(f"Rows.{type_}" for type_ in TYPES), "Rows.pair", "number"])
def test_bounds_are_those_of_the_values(events, name, by):
    bounds = events.bounds(name, by=by)
    assert bounds.entry_start.tolist()[1:] == bounds.entry_stop.tolist()[:-1]
    assert bounds.entry_stop[-1] == 1000
    if by == "cluster":
        assert list(zip(bounds.entry_start, bounds.entry_stop, strict=True)) == events.clusters()
    elif name == "Rows.float64":
        assert len(bounds) > 20
    all_values = events[name].array()
    for part in bounds:
        values = all_values[part.entry_start : part.entry_stop]
        values = np.asarray(ak.flatten(values, axis=None))
        numbers = values[~np.isnan(values)]
        assert part.least == numbers.min() and part.greatest == numbers.max()
        assert part.has_nan == (len(numbers) < len(values))


def test_bounds_have_the_type_of_the_member(events):
    for type_ in TYPES:
        bounds = events.bounds(f"Rows.{type_}")
        type_ = type_.removesuffix("8") if type_ == "bool8" else type_
        record = f"least: ?{type_}, greatest: ?{type_}, has_nan: ?bool"
        expected = f"10 * {{entry_start: int64, entry_stop: int64, {record}}}"
        assert str(bounds.type) == expected
    assert events.bounds("number").greatest[-1] == 2**63 + 999  # no float is so exact


def write(path, *clusters, **options):
    with kaon.create(path, **options) as out:
        for cluster in clusters:
            out["events"].extend(cluster)
            out.flush()
    return kaon.open(path)["events"]


def test_where_there_is_no_number(tmp_path):
    clusters = [{"x": [[np.nan, 1.0], []]}, {"x": [[np.nan]]}, {"x": ak.Array([[]]) * 1.0}]
    bounds = write(tmp_path / "a.kaon", *clusters).bounds("x")
    assert bounds.least.tolist() == [1, None, None]
    assert bounds.greatest.tolist() == [1, None, None]
    assert bounds.has_nan.tolist()[:2] == [True, True]
    assert not bounds.has_nan.tolist()[2]


def test_a_cluster_without_the_member_has_no_bounds(tmp_path):
    events = write(tmp_path / "a.kaon", {"x": [1, 2]}, {"x": [3, 4], "y": [[5], [6]]})
    assert events.bounds("x").least.tolist() == [1, 3]
    assert events.bounds("y").least.tolist() == [None, 5]
    assert events.bounds("y").has_nan.tolist() == [None, False]


def test_names_without_bounds(events, tmp_path):
    with pytest.raises(kaon.errors.UnknownNameError, match=r"did you mean 'Rows.float32'\?"):
        events.bounds("Rows.float23")
    with pytest.raises(
        kaon.errors.UsageError, match="'Rows' has several members; choose one of 'Rows.int8'"
    ):
        events.bounds("Rows")
    with pytest.raises(kaon.errors.UsageError, match="by='pages' is unknown"):
        events.bounds("number", by="pages")
    with pytest.raises(
        kaon.errors.UsageError, match="'title' has no numbers, and therefore no bounds"
    ):
        write(tmp_path / "b.kaon", {"title": ["one"]}).bounds("title")


@pytest.fixture
def shown(tmp_path, model):
    """A file with bounds of several kinds."""
    clusters = [
        {
            "Hits": [[{"energy": 1.26, "cell": -3}], [{"energy": np.nan, "cell": 7}]],
            "title": ["a"] * 2,
        },
        {
            "Hits": [[{"energy": 0.25, "cell": 4}]],
            "title": ["b"],
            "late": ak.unflatten(np.array([42]), [1]),
        },
    ]
    storage = {"Hits": {"precision": {"energy": {"low": 0, "high": 10, "step": 0.25}}}}
    write(tmp_path / "a.kaon", *clusters, model=model, types={"Hits": "Hit"}, storage=storage)
    return tmp_path / "a.kaon"


def test_show_bounds(shown, capsys):
    assert main(["show", "--bounds", str(shown)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "name type least greatest NaN declared clusters" in lines
    assert "Hits.energy float64 0.25 1.25 NaN 0..10 step 0.25" in lines
    assert "Hits.cell int64 -3 7" in lines
    assert "late int64 42 42 1 of 2" in lines
    assert not any("title" in line for line in lines)
    assert max(len(line) for line in lines if str(shown) not in line) <= 80
    text = io.StringIO()
    kaon.open(shown)["events"].show(file=text, bounds=True)
    assert "Hits.energy" in text.getvalue()


def test_show_bounds_as_json(shown, capsys):
    assert main(["show", "--bounds", "--json", str(shown)]) == 0
    bounds = json.loads(capsys.readouterr().out)["categories"]["events"]["bounds"]
    (energy,) = (each for each in bounds if each["name"] == "Hits.energy")
    assert (energy["least"], energy["greatest"], energy["has_nan"]) == (0.25, 1.25, True)
    assert (energy["known_clusters"], energy["clusters"]) == (2, 2)
    assert main(["show", "--json", str(shown)]) == 0
    assert "bounds" not in json.loads(capsys.readouterr().out)["categories"]["events"]
