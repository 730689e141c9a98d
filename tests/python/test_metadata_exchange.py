"""Metadata are the same in Python and C++; `metadataExchange.cpp` reads, merges and writes."""

import subprocess

import pytest
from built import BUILD, needs_built
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kaon
from kaon import _core
from kaon.files.metadata import from_text, to_text

PROGRAM = "tests/python/kaon_metadata_exchange"

pytestmark = needs_built(PROGRAM)


def program(*arguments):
    command = [BUILD / PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def document(path):
    return _core.File(path).document("metadata")


def write(path, metadata):
    with kaon.create(path, overwrite=True) as out:
        out["events"].extend({"x": [1.0]})
        out.metadata = metadata
    return path


def metadata(**values):
    """Return metadata with these values; each value comes with its rule."""
    made = kaon.Metadata()
    for where in (made, made.part("events"), made.part("events").part("x")):
        for key, (rule, value) in values.items():
            where.set(key, value, merge=rule)
    return made


ANY = [1, 1.0, 0.1, -0.0, 1e300, 1e-7, 2**63, 2**64 - 1, 2**70, "größte \n\x7f", True, None, [], {}]


@pytest.mark.parametrize("value", [*ANY, ANY, {"b": ANY, "a": {"": [[]]}}])
def test_one_document(tmp_path, value):
    path = write(tmp_path / "a.kaon", metadata(x=("same", value), y=("list", value)))
    assert program("document", path).stdout == document(path)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(value=json_values)
def test_any_document(tmp_path, value):
    made = kaon.Metadata()
    made["x"] = value
    path = write(tmp_path / "a.kaon", made)
    assert program("document", path).stdout == document(path)


MERGED = [
    metadata(
        a=("sum", 1), b=("min", 0.5), c=("list", [1]), d=("union", ["u", 1]), e=("first", None),
        f=("last", {"x": 1}), g=("same", {"a": 1, "b": [2]}), h=("sum", 0.1), i=("max", "a"),
    ),
    metadata(
        a=("sum", 2), b=("min", 1), c=("list", 2), d=("union", ["u", 1.0]), e=("first", 1),
        f=("last", 2), g=("same", {"b": [2], "a": 1}), h=("sum", 0.2), i=("max", "ä"),
    ),
    metadata(a=("sum", -2**63), h=("sum", 0.3), j=("same", "only here")),
]  # fmt: skip


def test_merging(tmp_path):
    files = [write(tmp_path / f"{i}.kaon", each) for i, each in enumerate(MERGED)]
    program("copy", tmp_path / "copy.kaon", *files)
    expected = kaon.merge_metadata([from_text(to_text(each)) for each in MERGED])
    assert document(tmp_path / "copy.kaon") == to_text(expected)
    assert kaon.open(tmp_path / "copy.kaon").metadata["a"] == 3 - 2**63


def test_different_values_are_left_out(tmp_path):
    files = [write(tmp_path / f"{i}.kaon", metadata(x=("same", i), y=("sum", i))) for i in range(2)]
    told = program("copy", tmp_path / "copy.kaon", *files).stderr
    assert "the metadata 'events.x.x' differ: 0 and 1; set a rule for merging" in told
    assert dict(kaon.open(tmp_path / "copy.kaon").metadata) == {"y": 1}
