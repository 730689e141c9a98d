"""Columns of one file and of several files as arrays of other libraries."""

import io
import sys

import awkward as ak
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kaon


@pytest.fixture
def files(path, model, events_data):
    """Two files; the second one has another table before those of the first."""
    more = path.with_name("more.kaon")
    with kaon.create(more, model=model, missing_members="default") as out:
        out["events"].extend({"luminosity": [7.5, 8.5, 9.5], **events_data})
        out["runs"].extend({"number": np.array([9], dtype=np.int32)})
    return [path, more]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["ak", "awkward", ak], ak.Array),
        (["np", "numpy", np], kaon.results.FlatArrays),
        (["pd", "pandas", pd], pd.DataFrame),
        (["pl", "polars", pl], pl.DataFrame),
        (["pa", "pyarrow", "arrow", pa], pa.Table),
    ],
)
def test_libraries_go_by_the_names_that_they_are_imported_by(events, names, kind):
    for name in names:
        arrays = events.arrays(["weight", "seeds"], library=name)
        assert type(arrays) is kind
        assert np.asarray(arrays["weight"]).tolist() == [0.5, 1.5, 2.5]


def test_unknown_libraries_are_errors(events):
    with pytest.raises(
        kaon.errors.UsageError, match="the library 'awkard' is unknown.*did you mean"
    ):
        events.arrays(library="awkard")
    with pytest.raises(kaon.errors.WrongTypeError, match="or a module: 3"):
        events.arrays(library=3)
    with pytest.raises(kaon.errors.UsageError, match="the library 'sys' is unknown"):
        events["weight"].array(library=sys)


@pytest.mark.parametrize("library", ["ak", "np", "pd", "pl", "pa"])
def test_columns_come_in_the_order_in_which_they_were_asked_for(events, library):
    names = ["2 * weight", "Particles.stable", "weight", "Particles.PDG"]
    for how in (tuple, list):
        columns = events.arrays(names, library=library, how=how)
        for name, values in zip(names, columns, strict=True):
            expected = events.arrays(name, library=library, how=dict)[name]
            assert np.asarray(values[0]).tolist() == np.asarray(expected[0]).tolist()
    if library == "pd":
        assert list(events.arrays(names, library=library)) == names
    elif library in ("pl", "pa"):
        table = events.arrays(names, library=library)
        names = list(table.columns if library == "pl" else table.column_names)
        assert names == ["2 * weight", "Particles", "weight"]


def test_arguments_are_called_as_in_uproot(events, path):
    asked = {"expressions": ["weight", "2 * weight"], "cut": "weight > 1", "how": "zip"}
    expected = events.arrays(["weight", "2 * weight"], "weight > 1").tolist()
    assert events.arrays(**asked).tolist() == expected
    (piece, place), *others = events.iterate(**asked, step_size=10, report=True)
    assert piece.tolist() == expected
    assert place == kaon.results.Report(str(path), "events", 0, 3, 0, 3)
    assert others == []
    files = [{path: "events"}, f"{path}:events"]
    assert kaon.concatenate(files, **asked).tolist() == expected * 2
    assert len([*kaon.iterate(files, **asked)]) == 2


def test_a_pandas_frame_has_a_column_for_each_member(events):
    frame = events.arrays(["weight", "Particles.momentum", "Hits.energy", "title"], library="pd")
    assert [*frame.columns] == [
        "weight",
        *(f"Particles.momentum.{axis}" for axis in "xyz"),
        "Hits.energy",
        "title",
    ]
    assert frame["weight"].dtype == np.float64
    assert frame["Particles.momentum.x"].list.len().tolist() == [3, 0, 1]
    assert frame["Hits.energy"].isna().tolist() == [False, False, True]
    exploded = frame["Particles.momentum.y"].explode().dropna()
    assert exploded.tolist() == [4, 0, 0, 0]
    assert exploded.index.tolist() == [0, 0, 0, 2]


@pytest.mark.parametrize("library", ["pa", "pl", "pd"])
def test_tables_take_cuts_and_expressions(events, library):
    some = events.arrays(
        ["weight", "2 * weight", "leading", "Particles.mass ** 2"],
        "weight < 2",
        aliases={"leading": "where(count(Particles) > 0, max(Particles.mass), 0)"},
        entry_start=1,
        library=library,
    )
    assert pa.table(some).drop_columns(["Particles.mass ** 2"]).to_pylist() == [
        {"weight": 1.5, "2 * weight": 3.0, "leading": 0.0}
    ]
    only = events.arrays(["2 * weight"], "weight > 1", library=library)
    assert pa.table(only).to_pylist() == [{"2 * weight": 3.0}, {"2 * weight": 5.0}]
    assert len(events.arrays("Particles.PDG", "weight > 9", library=library)) == 0


@pytest.mark.parametrize("library", ["ak", "np", "pd", "pl", "pa"])
def test_columns_come_one_by_one(events, library):
    names = ["Particles.PDG", "weight"]
    as_dict = events.arrays(names, library=library, how=dict)
    assert type(as_dict) is dict
    assert [*as_dict] == names
    as_tuple = events.arrays(names, library=library, how=tuple)
    as_list = events.arrays(names, library=library, how=list)
    assert (type(as_tuple), type(as_list)) == (tuple, list)
    together = events.arrays("weight", library=library)
    for weights in (as_dict["weight"], as_tuple[1], as_list[1], together["weight"]):
        assert np.asarray(weights).tolist() == [0.5, 1.5, 2.5]
    assert type(as_tuple[1]) is type(together["weight"])


def test_awkward_columns_are_called_as_they_were_asked_for(events):
    columns = events.arrays(["Particles_PDG", "Particles.momentum", "Hits", "2 * weight"], how=dict)
    assert [*columns] == ["Particles_PDG", "Particles.momentum", "Hits", "2 * weight"]
    assert columns["Particles_PDG"].tolist() == [[23, 11, -11], [], [22]]
    assert columns["Particles.momentum"].fields == ["x", "y", "z"]
    assert columns["2 * weight"].tolist() == [1, 3, 5]
    assert [*events.arrays(how=dict)] == events.arrays().fields
    assert [*events.arrays(filter_name="*.PDG", how=dict)] == ["Particles"]


@pytest.mark.parametrize("how", ["zip", "outer", set])
def test_columns_come_in_known_containers_only(events, how):
    with pytest.raises(kaon.errors.UsageError, match="collections are never joined to one table"):
        events.arrays("weight", how=how, library="pd")


def test_single_columns_are_those_of_the_library(events):
    mass, kinds = events["Particles.mass"], [pa.ChunkedArray, pl.Series, pd.Series]
    for library, kind in zip(["pa", "pl", "pd"], kinds, strict=True):
        values = mass.array(library=library)
        assert type(values) is kind
        assert len(values) == 3
    assert mass.array(library="pa").to_pylist() == mass.array().tolist()
    assert events["Hits"].array(library="pa").column_names == ["Hits"]
    assert events["Particles_PDG"].array().tolist() == [[23, 11, -11], [], [22]]


def test_a_limit_of_memory_is_that_of_tables_too(events):
    with pytest.raises(kaon.errors.MemoryLimitError, match="'Particles.PDG', 16 bytes"):
        events.arrays("Particles.PDG", library="pa", memory_limit=20)


@pytest.mark.parametrize("library", ["pa", "pl", "pd", "np"])
def test_iterating_gives_pieces_in_every_library(events, library):
    pieces = [*events.iterate("weight", step_size=2, library=library)]
    assert [np.asarray(piece["weight"]).tolist() for piece in pieces] == [[0.5, 1.5], [2.5]]
    (weights,), *_ = events.iterate("weight", step_size=2, library=library, how=tuple)
    assert np.asarray(weights).tolist() == [0.5, 1.5]


def test_iterating_over_files_tells_where_pieces_are_from(files):
    report = None
    places = []
    by_path = {path: "events" for path in files}
    for arrays, report in kaon.iterate(by_path, "weight", "weight > 1", 2, report=True):
        places.append((report.entry_start, report.entry_stop, report.global_entry_start))
        assert len(arrays) == 1
    assert places == [(0, 2, 0), (2, 3, 2), (0, 2, 3), (2, 3, 5)]
    assert report == kaon.results.Report(str(files[1]), "events", 2, 3, 5, 6)


@pytest.mark.parametrize(
    ("start", "stop"),
    [(None, 2), (1, None), (2, 4), (4, 4), (4, 100), (-2, None), (-5, -1), (9, None)],
)
def test_ranges_of_entries_go_through_all_files(files, start, stop):
    paths = [f"{path}:events" for path in files]
    expected = kaon.concatenate(paths, "weight").weight.tolist()[start:stop]
    some = {"expressions": "weight", "entry_start": start, "entry_stop": stop}
    assert kaon.concatenate(paths, **some).weight.tolist() == expected
    pieces = [*kaon.iterate(paths, **some, step_size=2, report=True)]
    assert [weight for piece, _ in pieces for weight in piece.weight] == expected
    begin = slice(start, stop).indices(6)[0]
    assert [place.global_entry_start for _, place in pieces][:1] == ([begin] if expected else [])


def test_files_behind_the_last_entry_are_not_opened(files):
    paths = [f"{path}:events" for path in [files[0], "there_is_none.kaon"]]
    assert len(kaon.concatenate(paths, "weight", entry_stop=3)) == 3
    with pytest.raises(kaon.errors.MissingFileError):
        kaon.concatenate(paths, "weight", entry_stop=4)
    with pytest.raises(
        kaon.errors.UsageError, match="entry_start .3. must not exceed entry_stop .1."
    ):
        kaon.concatenate(paths, "weight", entry_start=3, entry_stop=1)


def test_columns_that_a_file_lacks_are_missing(tmp_path):
    numbers = {"x": [[1.5, 2.5], []]}
    for name, arrays in (
        ("a", {"P": ak.zip(numbers), "n": [1, 2]}),
        ("b", {"n": [3, 4], "Q": ak.zip(numbers)}),
    ):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend(arrays)
    both = kaon.concatenate(f"{tmp_path}/*.kaon:events")
    assert both.P.x.tolist() == [[1.5, 2.5], [], None, None]
    assert both.n.tolist() == [1, 2, 3, 4]
    assert both.Q.x.tolist() == [None, None, [1.5, 2.5], []]


@pytest.mark.parametrize("names", [None, "Muon"])
@pytest.mark.parametrize("library", ["ak", "pa", "pl"])
def test_members_that_collections_lack_are_missing_in_each_object(tmp_path, names, library):
    muons = {"pt": [[1.5, 2.5], []], "id": [[3, 4], []]}
    for name, members in (("a", ["pt"]), ("b", ["pt", "id"]), ("c", ["id", "pt"])):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend({"Muon": ak.zip({member: muons[member] for member in members})})
    for order in ("abc", "cba", "bac"):
        paths = [f"{tmp_path / name}.kaon:events" for name in order]
        read = kaon.concatenate(paths, names, library=library)
        entries = read.to_list() if library == "ak" else pa.table(read).to_pylist()
        ids = {"a": [None, None], "b": [3, 4], "c": [3, 4]}
        expected = [
            [{"pt": pt, "id": of} for pt, of in zip([1.5, 2.5], ids[name], strict=True)]
            for name in order
        ]
        assert [entry["Muon"] for entry in entries[::2]] == expected
        assert [entry["Muon"] for entry in entries[1::2]] == [[]] * 3


def test_a_column_is_of_a_type_that_holds_the_values_of_all_files(tmp_path):
    for name, values in (
        ("a", np.array([1, -2], np.int16)),
        ("b", np.array([70000], np.int32)),
        ("c", ["x"]),
    ):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend({"x": values})
    both = [f"{tmp_path / name}.kaon:events" for name in "ab"]
    for paths in (both, both[::-1]):
        table = kaon.concatenate(paths, library="pa")
        assert table["x"].type == pa.int32()
        assert sorted(table["x"].to_pylist()) == [-2, 1, 70000]
    with pytest.raises(
        kaon.errors.WrongTypeError, match="'x' is of int16 in one file, and of .*string"
    ):
        kaon.concatenate([both[0], f"{tmp_path}/c.kaon:events"], library="pa")


@pytest.mark.parametrize("library", ["ak", "np", "pa", "pl", "pd"])
def test_integers_of_files_stay_integers(tmp_path, library):
    def joined(*columns):
        for number, values in enumerate(columns):
            with kaon.create(tmp_path / f"{number}.kaon", overwrite=True) as out:
                out["events"].extend({"x": values})
        paths = [f"{tmp_path / str(number)}.kaon:events" for number in range(len(columns))]
        return [int(value) for value in kaon.concatenate(paths, library=library)["x"]]

    numbers = [1, 2**53 + 1]
    for types in ([np.uint64, np.int64], [np.int64, np.uint64], [np.uint64, np.int16]):
        first, second = (np.array(numbers[: np.dtype(each).itemsize // 4], each) for each in types)
        assert joined(first, second) == [*first.tolist(), *second.tolist()]
    match = r"'x' is of .*int64.* in others: .*; read the files one by one, or 'float\(x\)' of them"
    for first, second in (
        (np.array([2**63], np.uint64), np.array([-1])),
        (np.array(numbers), np.array([0.5])),
        (np.array([0.5], np.float32), np.array([-(2**53) - 1])),
    ):
        with pytest.raises(kaon.errors.WrongTypeError, match=match):
            joined(first, second)
    assert joined(np.array([2**53]), np.array([2.0])) == [2**53, 2]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_named_columns_must_be_in_each_file(tmp_path, order):
    for name, columns in (("a", {"x": [1, 2]}), ("b", {"x": [3], "trigger": [True]})):
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            out["events"].extend(columns)
    paths = [f"{tmp_path / name}.kaon:events" for name in order]
    lacking = f"{tmp_path}/a.kaon:events"
    for question in (
        lambda: list(kaon.iterate(paths, ["x", "trigger"])),
        lambda: kaon.concatenate(paths, ["x", "trigger"]),
        lambda: kaon.concatenate(paths, "x", "trigger"),
        lambda: kaon.concatenate(paths, ["x", "not trigger"]),
        lambda: kaon.dataset(paths).sum("trigger").value,
        lambda: kaon.dataset(paths).filter("trigger").count().value,
    ):
        with pytest.raises(kaon.errors.UnknownNameError, match="trigger") as error:
            question()
        assert lacking in str(error.value)
    both = kaon.concatenate(paths, filter_name=["x", "trigger"])
    assert dict(zip(both.x.to_list(), both.trigger.to_list(), strict=True)) == {
        1: None,
        2: None,
        3: True,
    }


def test_several_files_become_one(files):
    pattern = f"{files[0].parent}/*.kaon:events"
    both = kaon.concatenate(pattern, ["Particles.PDG", "Particles.daughters", "weight"])
    assert both.weight.tolist() == [0.5, 1.5, 2.5] * 2
    assert both.Particles.daughters.PDG.tolist() == [[[11, -11], [], []], [], [[]]] * 2
    assert len(kaon.concatenate(pattern, cut="weight > 1", filter_name="weight")) == 4
    (weights,) = kaon.concatenate(pattern, "weight", how=tuple)
    assert weights.tolist() == both.weight.tolist()
    one = kaon.concatenate({files[0]: "runs"})
    assert one.number.tolist() == [7, 8]
    for read in (kaon.concatenate, lambda files: list(kaon.iterate(files))):
        with pytest.raises(kaon.errors.UsageError, match="no files are given"):
            read([])


@pytest.mark.parametrize("library", ["pa", "pl", "pd"])
def test_tables_of_several_files_have_nulls_for_missing_columns(files, library):
    table = kaon.concatenate(f"{files[0].parent}/*.kaon:events", library=library)
    assert pa.table(table)["luminosity"].to_pylist()[3:] == [7.5, 8.5, 9.5]
    assert pa.table(table)["luminosity"].null_count == 3


def test_flat_arrays_of_several_files_keep_their_offsets(files):
    runs = kaon.concatenate([f"{path}:runs" for path in files], library="np")
    assert runs["number"].tolist() == [7, 8, 9]
    names = ["Particles.weights", "scales", "triggers"]
    twice = kaon.concatenate([f"{files[0]}:events"] * 2, names, library="np")
    assert twice.offsets("Particles").tolist() == [0, 3, 3, 4, 7, 7, 8]
    assert twice.offsets("Particles.weights").tolist() == [0, 0, 2, 3, 3, 3, 5, 6, 6]
    assert twice["triggers"].tolist() == ["electron", "muon", "photon"] * 2
    assert twice.present("scales").tolist() == [True, False, True] * 2
    both = f"{files[0].parent}/*.kaon:events"
    assert kaon.concatenate(both, "weight", library="np")["weight"].tolist() == [0.5, 1.5, 2.5] * 2
    with pytest.raises(
        kaon.errors.UsageError, match="has other tables than .*; library='ak' joins"
    ):
        kaon.concatenate(both, library="np")


@pytest.fixture
def files_in_other_orders(tmp_path, model):
    """The same entry twice, with collections and members of records in different orders."""
    hits = [[{"cell": 5, "particle": {"index": 0, "collection": "Q"}}, {"cell": 6}]]
    particles = {"P": [[{"PDG": 1}]], "Q": [[{"PDG": 2}, {"PDG": 3}]]}
    muons = {"pt": [[1.5, 2.5]], "id": [[3, 4]]}
    types = {"P": "demo::Particle", "Q": "demo::Particle", "Muon": "record"}
    paths = []
    for order, members in (("PQ", ["pt", "id"]), ("QP", ["id", "pt"])):
        paths.append(f"{tmp_path / order}.kaon:events")
        with kaon.create(
            tmp_path / f"{order}.kaon", model, missing_members="default", types=types
        ) as out:
            columns = {each: particles[each] for each in order}
            muon = ak.zip({member: muons[member] for member in members})
            out["events"].extend({**columns, "Hits": hits, "Muon": muon})
    return paths


def test_flat_arrays_are_in_the_order_of_the_first_file(files_in_other_orders):
    number, other = (kaon.open(path).tables.index("Q") for path in files_in_other_orders)
    assert number != other
    both = kaon.concatenate(files_in_other_orders, library="np")
    assert both["Hits.particle.index"].tolist() == [0, -1] * 2
    assert both["Hits.particle.collection"][[0, 2]].tolist() == [number] * 2
    assert both["Q.PDG"].tolist() == [2, 3] * 2
    assert both["Muon.pt"].tolist() == [1.5, 2.5] * 2
    assert both["Muon.id"].tolist() == [3, 4] * 2
    assert both["Muon.id"].dtype == np.int64


@pytest.mark.parametrize("name", ["Hits", "Hits.particle"])
def test_relations_are_followed_for_any_order_of_files(files_in_other_orders, name):
    both = kaon.concatenate(files_in_other_orders, [name, "Muon", "Hits.particle.PDG"])
    assert both.Hits.particle.PDG.tolist() == [[2, None]] * 2
    assert both["Hits.particle.PDG"].tolist() == [[2, 0]] * 2
    assert both.Muon.to_list() == [[{"pt": 1.5, "id": 3}, {"pt": 2.5, "id": 4}]] * 2
    pieces = kaon.iterate(files_in_other_orders, name, "any(Hits.particle.PDG == 2)")
    assert [piece.Hits.particle.PDG.tolist() for piece in pieces] == [[[2, None]]] * 2
    events = kaon.dataset(files_in_other_orders).explode("Hits")
    assert events.filter("Hits.particle.PDG == 2").take("Hits.cell").value.tolist() == [5, 5]


@pytest.mark.parametrize(
    ("needed", "use"),
    [
        ("dask.dataframe: pip install dask", kaon.dask.dataframe),
        ("coffea.nanoevents: pip install coffea", kaon.coffea.nano_events),
    ],
)
def test_says_which_package_is_missing(path, monkeypatch, needed, use):
    monkeypatch.setitem(sys.modules, needed.partition(".")[0], None)
    monkeypatch.delitem(sys.modules, needed.partition(":")[0], raising=False)
    with pytest.raises(ImportError, match=f"needs {needed}$"):
        use(f"{path}:events")


def test_open_files_are_found_by_their_path(path, model, tmp_path, monkeypatch):
    monkeypatch.chdir(path.parent)
    file = kaon.open(path.name)
    events = file["events"]
    monkeypatch.chdir(tmp_path)
    expected = [0.5, 1.5, 2.5]
    for files in (file, events, [events], (f"{path}:events",)):
        assert kaon.concatenate(files, "weight").weight.tolist() == expected
        assert kaon.dataset(files).take("weight").value.tolist() == expected
        assert kaon.processor(len).run(files) == 3
    assert [p.weight.tolist() for p in kaon.iterate([events, file], "weight")] == [expected] * 2
    for other in (kaon.open(path, model=model), kaon.open(io.BytesIO(path.read_bytes()))):
        with pytest.raises(
            kaon.errors.UsageError, match="cannot be opened again by its path alone"
        ):
            kaon.concatenate(other)
    with (
        open(path, "rb") as opened,
        pytest.raises(kaon.errors.WrongTypeError, match="give paths here; `kaon.o"),
    ):
        kaon.concatenate(opened)
    with pytest.raises(kaon.errors.WrongTypeError, match="give a path, a URL or a file"):
        kaon.open(file)


def test_categories_by_path_are_names(path):
    files = {path: {"object_path": "events"}}  # as uproot and coffea take it
    expected = f"the category of '{path}' must be a name, such as 'events', not {{'object_path'"
    for ask in (
        lambda: kaon.concatenate(files),
        lambda: kaon.dataset({"signal": files}),
        lambda: kaon.processor(len).run({"signal": files}),
    ):
        with pytest.raises(kaon.errors.WrongTypeError, match=expected):
            ask()


def test_two_stars_are_any_number_of_folders(tmp_path):
    for number, folder in enumerate(["runs", "runs/a", "runs/a/b"]):
        (tmp_path / folder).mkdir()
        with kaon.create(tmp_path / folder / "x.kaon") as out:
            out["events"].extend({"x": [number]})
    pattern = f"{tmp_path}/runs/**/x.kaon:events"
    assert sorted(kaon.concatenate(pattern).x.tolist()) == [0, 1, 2]
    assert kaon.dataset(pattern).count().value == 3
