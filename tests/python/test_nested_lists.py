"""Awkward arrays of any nesting are written and read back unchanged."""

import json

import awkward as ak
import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings

import kaon
from kaon.command.cli import main

CHAIN = ak.Array(
    [
        [{"pt": 1.5, "hits": [{"cell": 7, "samples": [[1, 2], []], "name": "a"}]}],
        [],
        [{"pt": 2.5, "hits": []}, {"pt": 3.5, "hits": [{"cell": 9, "samples": [], "name": "ü"}]}],
    ]
)


# Any types

DTYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
NAMES = st.sampled_from(["a", "b", "pt", "name", "text", "größe", "two words", "value"])


@st.composite
def numbers(draw):
    return ("number", draw(st.sampled_from(DTYPES)))


def of_inner(inner):
    records = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    return st.tuples(st.just("list"), inner) | st.tuples(st.just("record"), records)


LEAVES = numbers() | st.just(("string",)) | st.tuples(st.just("fixed"), st.sampled_from(DTYPES))
TYPES = st.recursive(LEAVES, of_inner, max_leaves=6)


def content(type_, rows, random):
    """Return random rows of a type, as the layout of an Awkward array."""
    kind = type_[0]
    if kind == "number":
        return ak.contents.NumpyArray(values(type_[1], rows, random))
    if kind == "fixed":
        inner = ak.contents.NumpyArray(values(type_[1], rows * 3, random))
        return ak.contents.RegularArray(inner, 3, rows)
    if kind == "string":
        words = ak.Array(["", "a", "größer", "two words"], attrs=None).layout
        return words._carry(ak.index.Index64(random.integers(0, 4, rows)), False)
    if kind == "record":
        inner = {name: content(part, rows, random) for name, part in type_[1].items()}
        return ak.contents.RecordArray(list(inner.values()), list(inner), length=rows)
    counts = random.integers(0, 4, rows)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    inner = content(type_[1], int(offsets[-1]), random)
    return ak.contents.ListOffsetArray(ak.index.Index64(offsets), inner)


def values(dtype, count, random):
    if dtype == "bool":
        return random.random(count) < 0.5
    if dtype.startswith("float"):
        return random.normal(size=count).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, count, dtype, endpoint=True)


def assert_same(mine, theirs):
    """Check that values and types are the same; fields may come in another order."""
    assert ak.almost_equal(mine, theirs, rtol=0, atol=0, dtype_exact=True, check_parameters=True)
    assert ak.to_list(mine) == ak.to_list(theirs)


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(
    type_=TYPES,
    sizes=st.lists(st.integers(0, 6), min_size=1, max_size=3),
    seed=st.integers(0),
    page_bytes=st.sampled_from([64, 65536]),
)
def test_any_nesting_comes_back(tmp_path_factory, type_, sizes, seed, page_bytes):
    path = tmp_path_factory.mktemp("nested") / "new.kaon"
    random = np.random.default_rng(seed % 2**32)
    # Lists of only integers are parameters of 32 or 64 bits; test_writing.py tests them.
    nested = ("list", ("list", type_))
    batches = [ak.Array(content(nested, size, random)) for size in sizes]
    with kaon.create(path, cluster_entries=5, page_bytes=page_bytes) as out:
        for batch in batches:
            out["events"].extend({"x": batch})
    assert kaon.verify(path).is_sound
    events, written = kaon.open(path)["events"], ak.concatenate(batches)
    assert_same(events.arrays().x, written)
    assert_same(events.arrays(entry_start=2, entry_stop=9).x, written[2:9])


# Particular ones


def test_types_are_told_as_they_are_nested(write):
    events = write({"muons": CHAIN})
    assert events.typenames() == {
        "muons.pt": "var * float64",
        "muons.hits.cell": "var * var * int64",
        "muons.hits.samples": "var * var * var * var * int64",
        "muons.hits.name": "var * var * string",
    }
    assert events["muons.hits.samples"].array().tolist() == CHAIN.hits.samples.tolist()
    assert events.arrays(["muons.hits.name"]).muons.hits.name.tolist() == CHAIN.hits.name.tolist()


def test_a_table_shows_lists_in_lists(write, capsys):
    write({"muons": CHAIN, "words": [[["a"]], [], [[]]]}).show()
    lines = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    assert ["hits.samples", "int64[][]", "split,"] in lines
    assert ["muons", "record[]", "packed"] in lines
    assert ["words", "string[][]"] in [line[:2] for line in lines]


def test_numpy_arrays_have_the_offsets_of_each_level(write):
    arrays = write({"x": [[[1, 2], []], [], [[3]]]}).arrays(library="np")
    assert arrays["x"].tolist() == [1, 2, 3]
    assert arrays.offsets("x").tolist() == [0, 2, 2, 3]
    assert [level.tolist() for level in arrays.levels("x")] == [[0, 2, 2, 3], [0, 2, 2, 3]]


def test_a_record_an_entry(write):
    met = ak.Array([{"pt": 1.0, "cov": [1, 2]}, {"pt": 2.0, "cov": []}])
    events = write({"met": met}, {"met": met})
    assert_same(events.arrays().met, ak.concatenate([met, met]))
    assert events.typenames() == {"met.pt": "float64", "met.cov": "var * int64"}


def test_missing_lists(write):
    lists = ak.Array([[[1], None], None, [[]]])
    events = write({"x": lists})
    assert events.arrays().x.tolist() == lists.tolist()


def test_columns_may_be_absent_in_later_entries(write):
    events = write({"x": [[[1]]], "n": [1]}, {"n": [2]})
    assert events.arrays().x.tolist() == [[[1]], None]


def test_lists_of_rows_of_numpy_arrays(write):
    places = np.arange(15.0).reshape(5, 3)
    given = ak.unflatten(ak.Array(places), [2, 0, 3])
    events = write({"places": given}, {"places": given[::-1]})
    assert events.typenames() == {"places": "var * 3 * float64"}
    read = events.arrays().places
    assert read.tolist() == given.tolist() + given[::-1].tolist()


def test_arrays_of_fixed_length(write):
    cube = np.arange(24).reshape(2, 3, 4)
    events = write({"cube": cube})
    assert events.typenames() == {"cube": "var * 4 * int64"}
    assert events.arrays().cube.tolist() == cube.tolist()


def test_records_beside_a_model(write, model):
    data = {"met": ak.Array([{"pt": 1.0}]), "Hits": ak.Array([[{"cell": 1}]])}
    events = write(data, model=model, types={"met": "record"}, missing_members="default")
    assert events.arrays().met.tolist() == [{"pt": 1.0}]
    assert events.arrays().Hits.cell.tolist() == [[1]]


def test_records_keep_their_name(write):
    jets = ak.with_name(ak.Array([[{"pt": 1.0, "tracks": [{"x": 1, "y": 2}]}]]), "Jet")
    events = write({"jets": jets})
    assert events.arrays().jets.layout.purelist_parameter("__record__") == "Jet"


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([[[]]], kaon.errors.UsageError, "'x' is empty, so its type is unknown"),
        ([[{"a": []}]], kaon.errors.UsageError, "'x.a' is empty, so its type is unknown"),
        ([[[1, "a"]]], kaon.errors.WrongTypeError, "'x' is of type union"),
        ([[(1, 2)]], kaon.errors.WrongTypeError, "'x' has tuples"),
        ([[{"a.b": 1}]], kaon.errors.UsageError, "names must not be empty or contain dots"),
        ([[[1j]]], kaon.errors.WrongTypeError, "'x' has the type complex128"),
        ([[{"a": 1j}]], kaon.errors.WrongTypeError, "'x.a' has the type complex128"),
    ],
)
def test_values_that_files_cannot_hold(write, values, error, message):
    with pytest.raises(error, match=message):
        write({"x": ak.Array(values)})


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 3],
        [1.5, None],
        ["a", None, ""],
        [[1, None], [], None],
        [["a", None], None, []],
        [[[1, None], None], []],
        [[[{"a": 1}, None]], [None]],
        [{"a": None, "b": [None, "c"]}, None, {"a": 1, "b": None}],
        [[{"a": "x", "b": [1]}, {"a": None, "b": None}], []],
    ],
)
def test_missing_values_come_back(write, values):
    events = write({"x": ak.Array(values)})
    assert events.arrays().x.tolist() == values
    assert pa.table(events)["x"].to_pylist() == values
    assert events.arrays(virtual=True).x.tolist() == values


def test_later_entries_are_of_the_same_type(write):
    first = {"x": [[{"a": 1, "b": [2]}]]}
    with pytest.raises(
        kaon.errors.UnknownNameError, match=r"'x' has no member 'aa'.*did you mean 'a'"
    ):
        write(first, {"x": [[{"aa": 1, "b": [2]}]]})
    with pytest.raises(kaon.errors.UsageError, match="'x' lacks 'b'"):
        write(first, {"x": [[{"a": 1}]]})
    with pytest.raises(kaon.errors.WrongTypeError, match=r"'x\.b' needs lists"):
        write(first, {"x": [[{"a": 1, "b": 2}]]})
    with pytest.raises(kaon.errors.WrongTypeError, match=r"'x\.b' needs lists, not strings"):
        write(first, {"x": [[{"a": 1, "b": "text"}]]})
    events = write(first, {"x": [[]]}, {"x": [[{"a": 1, "b": []}]]})
    assert events.arrays().x.tolist() == [[{"a": 1, "b": [2]}], [], [{"a": 1, "b": []}]]


def test_frames_have_them_as_arrays(write, tmp_path):
    data = {"muons": CHAIN, "x": ak.Array([[[1]], None, [[]]])}
    events = write({**data, "met": ak.Array([{"pt": np.float32(i)} for i in range(3)])})
    parameters = events.frames()[0].parameters
    assert parameters["x"].tolist() == [[1]]
    assert parameters["met"].pt == 0
    with kaon.create(tmp_path / "copy.kaon") as out:
        for frame in events.frames():
            out["events"].write(frame)
    copy = kaon.open(tmp_path / "copy.kaon")["events"]
    assert copy.typenames() == events.typenames()
    assert copy.arrays().tolist() == events.arrays().tolist()


def test_an_event_is_dumped_with_them(write, capsys):
    events = write({"muons": CHAIN, "x": [[[1], []], [], []]})
    assert main(["dump", "--json", events.file_path]) == 0
    assert json.loads(capsys.readouterr().out) == {"muons": CHAIN[0].tolist(), "x": [[1], []]}
