"""Options of storage for writers, and their effect on files."""

import io

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon import _core

PARTICLES = [[{"PDG": 11, "mass": 0.5, "momentum": {"x": 1.5}}], []]
HITS = [[], [{"cell": 7, "energy": 1.25}]]
EVENTS = {"Particles": PARTICLES, "Hits": HITS}


@pytest.fixture
def writer_options(model):
    return {"model": model, "missing_members": "default"}


def tables(events):
    return {table.name: table for table in events._schema.tables}


def precisions(events):
    """Return the precision of members that are stored reduced: bits, or low, high and step."""
    return {
        f"{table.name}.{member.name}": p.bits if p.step is None else (p.low, p.high, p.step)
        for table in events._schema.tables
        for member in table.members
        if (p := member.precision) is not None
    }


# Layout, group and precision


def test_collections_lie_as_the_writer_is_told(write):
    storage = {"Hits": {"layout": "row"}, "Particles": {"group": "event"}}
    events = write(EVENTS, layout="member", storage=storage)
    of = tables(events)
    assert [of[name].layout for name in ("Particles", "Particles.weights", "Hits")] == [
        *("member", "member", "row"),
    ]
    assert (of["Particles"].group, of["Hits"].group) == ("event", "")
    assert events.arrays().Particles.PDG.tolist() == [[11], []]


@pytest.mark.parametrize("layout", ["split", "member", "row"])
def test_a_group_is_read_as_any(write, layout, contents):
    storage = {"Particles": {"group": "event"}, "Hits": {"group": "event"}}
    events = write(EVENTS, layout=layout, storage=storage)
    assert contents(events) == contents(write(EVENTS))
    assert events.arrays("Hits.cell", entry_start=1, entry_stop=2).Hits.cell.tolist() == [[7]]


def test_precision_by_member(write):
    precision = {
        "mass": 14,
        "momentum.x": {"low": 0, "high": 100, "step": 0.5},
        "vertex": {"low": -1, "high": 1, "bits": 8},
    }
    assert precisions(write(EVENTS, storage={"Particles": {"precision": precision}})) == {
        "Particles.mass": 14,
        "Particles.momentum.x": (0, 100, 0.5),
        "Particles.vertex.x": (-1, 1, 2 / 255),
        "Particles.vertex.y": (-1, 1, 2 / 255),
        "Particles.vertex.z": (-1, 1, 2 / 255),
    }


def test_a_range_keeps_values_outside(write):
    precision = {"mass": {"low": 0, "high": 100, "step": 0.01}}
    masses = [0.1234, 99.999, 110.3456, -3.14159, np.inf, np.nan]
    particles = [[{"mass": mass} for mass in masses * 100]]
    events = write({"Particles": particles}, storage={"Particles": {"precision": precision}})
    shown = io.StringIO()
    events.show(file=shown)
    assert "0..100 step 0.01" in shown.getvalue()
    expected = np.array([0.12, 100, 110.3456, -3.14159, np.inf, np.nan] * 100, np.float32)
    assert np.array_equal(events["Particles.mass"].array()[0], expected, equal_nan=True)


def test_records_and_numbers_without_a_model_are_rounded(tmp_path):
    muons = ak.Array([[{"pt": 1.1, "hits": [{"t": 1.1}]}], [{"pt": 2.3, "hits": []}]])
    events = {"Muon": muons, "met": np.array([1.1, 2.3])}
    precision = {
        "Muon": {"precision": {"pt": 2, "hits.t": 2}},
        "met": {"precision": {"": {"low": 0, "high": 10, "step": 0.5}}},
    }
    with kaon.create(tmp_path / "rounded.kaon", storage=precision) as out:
        out["events"].extend(events)
    with kaon.create(tmp_path / "exact.kaon") as out:
        out["events"].extend(events)
    kaon.convert(tmp_path / "exact.kaon", tmp_path / "converted.kaon", storage=precision)
    for name in ("rounded", "converted"):
        written = kaon.open(tmp_path / f"{name}.kaon")["events"].arrays()
        assert written.Muon.pt.tolist() == [[1.0], [2.5]]
        assert written.Muon.hits.t.tolist() == [[[1.0]], [[]]]
        assert written.met.tolist() == [1.0, 2.5]
    rows = {"Muon": {"layout": "row"}}
    with pytest.raises(kaon.errors.UnknownNameError, match="'Muon'; it is a parameter or value"):
        kaon.convert(tmp_path / "exact.kaon", tmp_path / "no.kaon", storage=rows)
    with pytest.warns(
        kaon.errors.UnusedOptionWarning, match="names 'Muon', but no collection.*infer_model"
    ):
        with kaon.create(tmp_path / "rows.kaon", storage=rows) as out:
            out["events"].extend(events)
    with pytest.warns(
        kaon.errors.UnusedOptionWarning, match="names 'Muon.pt', but no .*infer_model"
    ):
        with kaon.create(tmp_path / "keys.kaon", keys=["Muon.pt"]) as out:
            out["events"].extend(events)
    with pytest.raises(
        kaon.errors.UsageError, match="'count': only float32 and float64 can have a lower"
    ):
        with kaon.create(tmp_path / "no.kaon", storage={"count": precision["met"]}) as out:
            out["events"].extend({"count": [1, 2]})
    with pytest.raises(kaon.errors.UnknownNameError, match="'Muon' has no member 'ptt'.*'pt'"):
        with kaon.create(tmp_path / "no.kaon", storage={"Muon": {"precision": {"ptt": 2}}}) as out:
            out["events"].extend(events)


@pytest.mark.parametrize(
    ("storage", "error", "message"),
    [
        ({"layuot": "row"}, KeyError, r"unknown key 'layuot' \(did you mean 'layout'\?\)"),
        ({"layout": "rwo"}, KeyError, r"'rwo' is not a value of 'layout' \(did you mean 'row'\?\)"),
        ("row", TypeError, "expected a mapping of layout, group, precision, not 'row'"),
        ({"precision": 14}, TypeError, "give the precision by member, not 14"),
        (
            {"precision": {"mass": 0}},
            ValueError,
            "precision of 'mass': the number of bits must be from 1 to",
        ),
        (
            {"precision": {"mass": 52}},
            ValueError,
            "the number of bits must be from 1 to 51, not 52",
        ),
        ({"precision": {"mass": {"low": 0, "high": 1}}}, ValueError, "either 'step' or 'bits'"),
        ({"precision": {"mass": {"low": 0, "hi": 1}}}, KeyError, "unknown key 'hi'"),
        (
            {"precision": {"mass": {"low": 1, "high": 0, "bits": 3}}},
            ValueError,
            "must be less than",
        ),
        ({"precision": {"mass": {"low": 0, "high": 1, "step": -1}}}, ValueError, "the step -1"),
    ],
)
def test_storage_that_makes_no_sense(tmp_path, storage, error, message):
    with pytest.raises(error, match=message) as caught:
        kaon.create(tmp_path / "a.kaon", storage={"Particles": storage})
    assert isinstance(caught.value, kaon.Error)
    assert not list(tmp_path.iterdir())


def test_members_that_there_are_not(write):
    with pytest.raises(KeyError, match=r"has no member 'mas'.* \(did you mean 'mass'\?\)"):
        write(EVENTS, storage={"Particles": {"precision": {"mas": 14}}})


# The model's options


@pytest.fixture
def stored_model(model, tmp_path):
    path = tmp_path / "detector.yaml"
    path.write_text(
        model.read_text()
        + """
storage:
  demo::Particle:
    layout: row
    group: event
    precision: { momentum: 14, qualities: 7, weights: { low: 0, high: 4, bits: 2 } }
"""
    )
    return path


def test_the_model_says_how_datatypes_lie(write, stored_model):
    events = write(EVENTS, model=stored_model)
    of = tables(events)
    assert (of["Particles"].layout, of["Particles"].group) == ("row", "event")
    assert (of["Hits"].layout, of["Hits"].group) == ("split", "")
    found = precisions(events)
    assert found.pop("Particles.weights.") == (0, 4, 4 / 3)
    assert found == {
        **{f"Particles.momentum.{axis}": 14 for axis in "xyz"},
        "Particles.qualities.chi2": 7,  # but not the flag, which is a whole number
    }
    assert events.arrays().Particles.PDG.tolist() == [[11], []]


def test_options_go_before_the_model(write, stored_model):
    storage = {"Particles": {"group": "mine", "precision": {"momentum.x": 20}}}
    events = write(EVENTS, model=stored_model, layout="member", storage=storage)
    assert (tables(events)["Particles"].layout, tables(events)["Particles"].group) == (
        *("member", "mine"),
    )
    assert precisions(events)["Particles.momentum.x"] == 20
    assert precisions(events)["Particles.momentum.y"] == 14


def test_the_storage_goes_with_the_model_in_the_file(write, stored_model):
    with kaon.open(write(EVENTS, model=stored_model).file_path) as file:
        (storage,) = file.model()["storage"]
    assert storage["precision"]["momentum"] == 14
    again = write(EVENTS, model={**_model(stored_model), "storage": [storage]})
    assert tables(again)["Particles"].layout == "row"
    storage["precision"]["weights"] = {"low": 1, "high": 1, "bits": 0}
    with pytest.raises(ValueError, match=r"storage\[0\].precision.weights.bits: expected"):
        write(EVENTS, model={**_model(stored_model), "storage": [storage]})


def _model(path):
    from kaon.modelgen import load_model

    return load_model(path).to_dict()


# Encodings


def test_encodings_can_be_forced(write):
    data = {"x": np.arange(1000), "y": np.arange(1000)}
    events = write(data, encodings={"x": "raw"})
    codecs = {usage.table: usage.codecs for usage in events._core.usage()}
    assert codecs[0] == ["raw"]
    assert codecs[1] != ["raw"]
    assert events.arrays().x.tolist() == list(range(1000))


def test_transforms_can_be_forced(write):
    squares = np.arange(1000, dtype=np.int64) ** 2
    sizes = {}
    for name in ("packed:none", "packed:delta"):
        events = write({"x": squares}, encodings={"x": name})
        assert events.arrays().x.tolist() == squares.tolist()
        (usage,) = events._core.usage()
        assert usage.codecs == ["packed"]
        sizes[name] = usage.stored_bytes
    assert sizes["packed:delta"] < sizes["packed:none"] / 1.5


def test_size_or_speed_can_be_favoured(write):
    energies = np.random.default_rng(1).exponential(1, 20_000).astype(np.float32)
    found = {}
    for goal in ("size", "balance", "speed"):
        (usage,) = write({"x": energies}, goal=goal)._core.usage()
        found[goal] = usage.codecs
    assert found == {"size": ["parts+zstd"], "balance": ["parts+zstd"], "speed": ["packed"]}


def test_unknown_policies_of_durability_are_refused(tmp_path):
    with pytest.raises(KeyError, match=r"'clusters' is not a value of 'sync' .*'cluster'"):
        kaon.create(tmp_path / "a.kaon", sync="clusters")
    with pytest.raises(TypeError, match="`sync` must be a name, not True"):
        kaon.create(tmp_path / "a.kaon", sync=True)


@pytest.mark.parametrize("name", ["a.root", "a.hipo", "a.slcio"])
def test_files_of_other_formats_are_durable_only_when_finished(name, tmp_path):
    for policy in ("cluster", "flush"):
        with pytest.raises(kaon.errors.UsageError, match="cannot be read before they are finished"):
            kaon.create(tmp_path / name, sync=policy)
    with (
        pytest.raises(kaon.errors.UsageError, match="cannot be read before they are finished"),
        kaon.create(tmp_path / name) as out,
    ):
        out.flush(durable=True)
    kaon.create(tmp_path / name, sync="never").close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_there_is_nothing_else_to_favour(tmp_path):
    with pytest.raises(
        KeyError, match=r"'sped' is not a value of 'goal' \(did you mean 'speed'\?\)"
    ):
        kaon.create(tmp_path / "a.kaon", goal="sped")
    assert not list(tmp_path.iterdir())


def test_unknown_encodings(tmp_path):
    with pytest.raises(KeyError, match=r"called 'dictionry' \(did you mean 'dictionary'\?\)"):
        kaon.create(tmp_path / "a.kaon", encodings={"x": "dictionry"})
    assert not list(tmp_path.iterdir())


# Clusters and pages


def test_clusters_have_so_many_entries(write):
    events = write({"x": np.arange(10)}, cluster_entries=4)
    assert events.clusters() == [(0, 4), (4, 8), (8, 10)]
    assert write({"x": np.arange(10)}).clusters() == [(0, 10)]


def test_clusters_have_so_many_bytes(write):
    rows = [[{"cell": i}] * (i % 4) for i in range(1000)]
    events = write({"Hits": rows}, cluster_bytes=2000)
    row = tables(events)["Hits"].row_size
    assert len(events.clusters()) > 10
    for first, last in events.clusters():
        assert sum(i % 4 for i in range(first, last)) * row <= 2000
    assert events.arrays().Hits.cell.tolist() == [[i] * (i % 4) for i in range(1000)]


def test_an_entry_larger_than_a_cluster_is_one(write):
    assert write({"x": np.zeros((3, 100))}, cluster_bytes=1).clusters() == [(0, 1), (1, 2), (2, 3)]


def test_clusters_of_very_many_columns_are_larger(write):
    many = {f"x{i}": np.zeros(2000, np.float32) for i in range(5000)}  # 40 MB; a cluster has 20 MB
    assert write(many).clusters() == [(0, 1024), (1024, 2000)]


@pytest.mark.parametrize(
    ("option", "least"), [("cluster_bytes", 0), ("page_bytes", 1), ("memory_budget", 0)]
)
def test_sizes_are_not_negative(tmp_path, option, least):
    with pytest.raises(ValueError, match=f"`{option}` must be at least {least}, not {least - 1}"):
        kaon.create(tmp_path / "a.kaon", **{option: least - 1})


def test_clusters_are_smaller_where_memory_is_short(write):
    data = {"x": np.arange(1000)}  # 8 bytes per entry
    events = write(data, memory_budget="2 KB")
    assert events.clusters() == [(first, first + 125) for first in range(0, 1000, 125)]
    assert events.arrays().x.tolist() == data["x"].tolist()


def test_a_memory_budget_is_a_size(tmp_path):
    with pytest.raises(
        kaon.errors.UsageError, match="`memory_budget` 'much' is not a size such as '100 MB'"
    ):
        kaon.create(tmp_path / "a.kaon", memory_budget="much")


def test_small_pages(write):
    events = write({"x": np.arange(10_000)}, page_bytes=64, codec="none")
    assert events.arrays("x", entry_start=5000, entry_stop=5003).x.tolist() == [5000, 5001, 5002]


# Tags and keys


def test_tags_and_keys_are_values_with_a_use(write):
    data = {"run": [1, 1], "event": [5, 6], "weight": [0.5, 1.5], "Hits": HITS}
    events = write(data, tags=["run", "weight"], keys=["run", "event"])
    of = tables(events)
    assert {name: (t.is_tag, t.is_key) for name, t in of.items() if t.kind.name == "value"} == {
        "run": (True, True),
        "event": (False, True),
        "weight": (True, False),
    }
    assert events.arrays(["run", "event", "weight"]).tolist() == [
        {"run": 1, "event": 5, "weight": 0.5},
        {"run": 1, "event": 6, "weight": 1.5},
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1], [2]], "'run' cannot be a key: it needs one whole number an event"),
        (np.array([[1, 2], [3, 4]]), "it needs one whole number an event"),
        ([0.5, 1.5], "it needs one whole number an event"),
        (["a", "b"], "it needs one whole number an event"),
    ],
)
def test_values_that_cannot_be_keys(write, values, message):
    with pytest.raises(ValueError, match=message):
        write({"run": values}, keys=["run"])


def test_a_name_is_no_list_of_names(tmp_path):
    with pytest.raises(TypeError, match="`tags` must be a list of names"):
        kaon.create(tmp_path / "a.kaon", tags="run")


def test_names_of_tags_may_come_one_by_one(write, capsys):
    write({"run": np.arange(3)}, tags=iter(["run"])).show()
    assert "tag, " in capsys.readouterr().out


def test_tags_of_many_small_clusters(write):
    data = {"run": np.arange(1000), "x": np.arange(1000) * 0.5}
    events = write(data, tags=["run"], cluster_entries=10)
    assert events.arrays("run").run.tolist() == list(range(1000))
    assert events.arrays(["run", "x"], entry_start=355, entry_stop=357).tolist() == [
        {"run": 355, "x": 177.5},
        {"run": 356, "x": 178.0},
    ]


# Names that do not exist


@pytest.mark.parametrize(
    "options",
    [
        {"storage": {"Hit": {"layout": "row"}}},
        {"encodings": {"Hits.cel": "raw"}},
        {"tags": ["rnu"]},
        {"keys": ["rnu"]},
        {"types": {"Hit": "demo::Hit"}},
    ],
)
def test_names_in_options_that_nothing_has(tmp_path, model, options):
    ((option, names),) = options.items()
    (name,) = names
    nearest = {"Hit": "Hits", "Hits.cel": "Hits.cell", "rnu": "run"}[name]
    with pytest.warns(kaon.errors.UnusedOptionWarning) as told:
        with kaon.create(
            tmp_path / "a.kaon", model=model, missing_members="default", **options
        ) as out:
            out["events"].extend({"Hits": HITS, "run": [1, 2]})
    assert len(told) == 1
    assert f"'{name}'" in str(told[0].message) and option in str(told[0].message)
    assert f"(did you mean '{nearest}'?)" in str(told[0].message)
    assert told[0].filename == __file__
    assert len(kaon.open(tmp_path / "a.kaon:events")) == 2


def test_parameters_with_several_types_are_reported(tmp_path):
    kind, path = _core.TableKind, tmp_path / "a.kaon"
    tables, arrays = [], []
    for type_, value in (("int32", np.array([1], np.int32)), ("float64", np.array([1.5]))):
        tables.append(_core.Table("gain", kind.parameter, type_, [_core.Member("", type_)], 8))
        arrays.append(_core.TableArrays(np.array([0, 1]), np.array([True]), {0: value}))
    writer = _core.Writer(path)
    writer.write("events", tables, dict(enumerate(arrays)), 1)
    (told,) = writer.finish()
    assert isinstance(told, kaon.errors.SeveralTypesWarning) and "'gain'" in str(told)
    with pytest.warns(kaon.errors.SeveralTypesWarning) as again:
        with kaon.append(path) as out:
            out["events"].extend({"gain": ak.values_astype([[2]], np.int32)})
    assert [warning.filename for warning in again] == [__file__]


# Older files


def test_values_and_decorations_that_came_later(tmp_path):
    kind = _core.TableKind
    hits = _core.Table("Hits", kind.collection, "Hit", [], 0)
    value = _core.Table("x", kind.value, "int32", [_core.Member("", "int32", missing=7)], 4)
    quality = _core.Member("quality", "float32", missing=int(np.float32(-1).view(np.uint32)))
    decoration = _core.Table("Hits.fit", kind.decoration, "Fit", [quality], 4, parent=0)
    offsets, present = np.array([0, 2]), np.array([True])
    collection = _core.TableArrays(offsets, present, {})
    writer = _core.Writer(tmp_path / "a.kaon")
    writer.write("events", [hits], {0: collection}, 1)
    later = [
        collection,
        _core.TableArrays(None, None, {0: np.array([8], np.int32)}),
        _core.TableArrays(None, None, {0: np.array([0.5, 1.5], np.float32)}),
    ]
    writer.write("events", [hits, value, decoration], dict(enumerate(later)), 1)
    writer.finish()
    events = kaon.open(tmp_path / "a.kaon")["events"]
    assert events.keys() == ["x", "Hits.fit.quality"]
    assert events.typenames()["Hits.fit.quality"] == "var * float32"
    assert events.arrays().tolist() == [
        {"x": 7, "Hits": [{"fit": {"quality": -1}}] * 2},
        {"x": 8, "Hits": [{"fit": {"quality": 0.5}}, {"fit": {"quality": 1.5}}]},
    ]


def test_values_half_a_step_outside_of_a_range_become_its_end(tmp_path):
    storage = {"MET": {"precision": {"": {"low": 0, "high": 100, "step": 10}}}}
    given = [-5.5, -5, -1, 0, 4, 96, 100, 105, 105.5, 1e9, np.inf, -np.inf]
    with kaon.create(tmp_path / "a.kaon", storage=storage) as out:
        out["events"].extend({"MET": np.array([*given, np.nan], np.float32)})
    *found, nan = kaon.open(tmp_path / "a.kaon")["events"].arrays().MET.tolist()
    assert found == [-5.5, 0, 0, 0, 0, 100, 100, 100, 105.5, 1e9, np.inf, -np.inf]
    assert np.isnan(nan)


def test_a_codec_may_name_its_level(tmp_path):
    noise = np.random.default_rng(1).integers(0, 50, 200_000)
    sizes = []
    for codec in ("zstd:1", "zstd:19"):
        with kaon.create(tmp_path / "a.kaon", codec=codec, overwrite=True) as out:
            out["events"].extend({"x": noise.astype("S2").tolist()})
        sizes.append((tmp_path / "a.kaon").stat().st_size)
    assert sizes[1] < sizes[0]
    for codec, level in (("zstd:99", None), ("zstd", 99), ("zlib:0", None), ("lzma", 10)):
        with pytest.raises(kaon.errors.UsageError, match="has the levels"):
            kaon.create(tmp_path / "b.kaon", codec=codec, level=level)
    with pytest.raises(
        kaon.errors.UsageError, match="'zstd:9' sets the level already; leave out level=3"
    ):
        kaon.create(tmp_path / "b.kaon", codec="zstd:9", level=3)
    assert not list(tmp_path.glob("b*"))
