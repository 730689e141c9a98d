"""Events of any kind that can be written are read back unchanged."""

from pathlib import Path

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, given, settings

import kaon

MODEL = Path(__file__).with_name("detector.yaml")

floats = st.floats(width=32, allow_nan=False)


def records(**fields):
    return st.fixed_dictionaries({}, optional=fields)


vectors = records(x=floats, y=floats, z=floats)
qualities = records(flag=st.integers(-128, 127), chi2=st.lists(floats, min_size=2, max_size=2))
particles = records(
    PDG=st.integers(-(2**31), 2**31 - 1),
    mass=floats,
    momentum=vectors,
    stable=st.booleans(),
    ends=st.lists(vectors, min_size=2, max_size=2),
    weights=st.lists(floats, max_size=3),
    qualities=st.lists(qualities, max_size=3),
)
# Strings that UTF-8 cannot encode are not text.
texts = st.text(st.characters(codec="utf-8"), max_size=5)


@st.composite
def events(draw):
    """The particles, the hits with relations to them, and the parameters of one event."""
    found = draw(st.none() | st.lists(particles, max_size=4))
    objects = len(found or [])
    indices = st.integers(-1, objects - 1)
    for particle in found or []:
        particle["mother"] = draw(indices)
        particle["daughters"] = draw(st.lists(indices, max_size=3))
    hits = records(cell=st.integers(0, 2**63 - 1), particle=indices)  # largest integer of Awkward
    return {
        "Particles": found,
        "Hits": draw(st.lists(hits, max_size=4)),
        "x": draw(st.floats(allow_nan=False)),
        "words": draw(st.none() | st.lists(texts, max_size=3)),
        "numbers": draw(st.none() | st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3)),
    }


DEFAULTS = {
    "PDG": 0,
    "mass": 0.5,
    "momentum": {"x": 0, "y": 0, "z": 0},
    "stable": True,
    "ends": [{"x": 0, "y": 0, "z": 0}] * 2,
    "weights": [],
    "qualities": [],
}


def completed(particle):
    """Return the particle as it is read, without its relations."""
    whole = {**DEFAULTS, **particle}
    zero = DEFAULTS["momentum"]
    whole["momentum"] = {**zero, **whole["momentum"]}
    whole["ends"] = [{**zero, **end} for end in whole["ends"]]
    whole["qualities"] = [{"flag": -1, "chi2": [0, 0], **quality} for quality in whole["qualities"]]
    return {name: whole[name] for name in DEFAULTS}


def indices(references):
    return [reference["index"] for reference in references]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    batches=st.lists(st.lists(events(), max_size=4), min_size=1, max_size=3),
    layout=st.sampled_from(["split", "member", "row"]),
    group=st.sampled_from(["", "event"]),
    options=st.fixed_dictionaries(
        {
            "codec": st.sampled_from(["none", "lz4", "zstd"]),
            "cluster_entries": st.integers(0, 2),
            "page_bytes": st.sampled_from([1, 100, 65536]),
            "tags": st.sampled_from([[], ["x"]]),
        }
    ),
    is_appended=st.booleans(),
)
def test_any_events_come_back(tmp_path_factory, batches, layout, group, options, is_appended):
    path = tmp_path_factory.mktemp("round_trip") / "events.kaon"
    options["types"] = {"Particles": "demo::Particle", "Hits": "demo::Hit"}
    options["storage"] = {name: {"layout": layout, "group": group} for name in options["types"]}
    out = kaon.create(path, model=MODEL, missing_members="default", **options)
    # Entries that give the types of columns that may be empty at first.
    first = {"Particles": [None], "Hits": [None], "x": [0.5], "words": [["a"]]}
    out["events"].extend({**first, "numbers": [[-1, 2**62]]})
    for batch in batches:
        if is_appended:
            out.finish()
            out = kaon.append(path, missing_members="default", **options)
        names = ["Particles", "Hits", "x", "words", "numbers"]
        data = {name: [event[name] for event in batch] for name in names}
        out["events"].extend({**data, "x": np.array(data["x"], dtype=float)})
    out.finish()
    written = [event for batch in batches for event in batch]
    read = kaon.open(path)["events"].arrays(entry_start=1).tolist()
    assert len(read) == len(written)
    for before, after in zip(written, read, strict=True):
        for name in ("x", "words", "numbers"):
            assert after[name] == before[name]
        if before["Particles"] is None:
            assert after["Particles"] is None
        else:
            for one, other in zip(before["Particles"], after["Particles"], strict=True):
                assert {name: other[name] for name in DEFAULTS} == completed(one)
                assert other["mother"]["index"] == one["mother"]
                assert indices(other["daughters"]) == one["daughters"]
        for one, other in zip(before["Hits"], after["Hits"], strict=True):
            assert other["cell"] == one.get("cell", 0)
            assert other["particle"]["index"] == one.get("particle", -1)
