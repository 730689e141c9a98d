"""dask-awkward's arrays of many files: their values equal kaon's, and only needed data are read."""

import copy
from types import SimpleNamespace

import awkward as ak
import pytest
from shared_files import shared_file

import kaon
from kaon.columns.buffers import RecordBuffers
from kaon.columns.reading import CategoryReader

dask_awkward = pytest.importorskip("dask_awkward")

from kaon.dask.awkward_arrays import PartArrays  # noqa: E402
from kaon.partners.parts import planned  # noqa: E402


@pytest.fixture
def read_members(monkeypatch):
    """Return the names of the members that are read, as a set that grows."""
    names = set()
    read = CategoryReader.records

    def records(self, selection, first, last, *arguments, **options):
        for number, members in selection.members.items():
            table = self.schema.tables[number]
            if last > first:  # else only types are read
                names.update(self.schema.key(number, table.members[m].name) for m in members)
        return read(self, selection, first, last, *arguments, **options)

    monkeypatch.setattr(CategoryReader, "records", records)
    return names


@pytest.fixture
def events(runs):
    return kaon.dask.arrays(runs, step_size=500)


def columns(array):
    (names,) = dask_awkward.report_necessary_columns(array).values()
    return {*names}


def test_has_the_values_of_all_files(events, everything):
    assert events.npartitions >= 16
    assert events.compute().tolist() == everything.tolist()
    assert events.fields[:3] == ["Muon", "MET", "run"]


def test_reads_the_members_that_are_needed(events, everything, read_members):
    read_members.clear()
    hard = events[events.MET > 50].Muon.pt
    leading = dask_awkward.max(hard, axis=1)
    assert columns(leading) == {"MET", "Muon", "Muon.pt"}
    expected = ak.max(everything[everything.MET > 50].Muon.pt, axis=1)
    assert leading.compute(scheduler="sync").tolist() == expected.tolist()
    assert read_members == {"MET", "Muon.pt"}


def test_reads_no_member_where_only_counts_are_asked_for(events, everything, read_members):
    read_members.clear()
    counts = dask_awkward.num(events.Muon)
    assert columns(counts) == {"Muon"}
    assert counts.compute(scheduler="sync").tolist() == ak.num(everything.Muon).tolist()
    assert dask_awkward.num(events, axis=0).compute(scheduler="sync") == len(everything)
    assert read_members == set()


def test_lists_are_read_where_the_number_of_their_values_is_asked_for(runs, everything):
    """dask-awkward may request the shape of values without the values."""
    plan = planned(runs, step_size=100_000)
    reads = PartArrays(plan.example, ["Muon.pt"])
    keys = RecordBuffers(plan.example._reader, ["Muon.pt"]).keys
    (data,) = (key for key in keys if key.endswith("-data"))
    report = SimpleNamespace(data_touched=[], shape_touched=[data])
    some = reads.project(report, None)(plan.parts[0])
    assert ak.num(some.Muon.pt).tolist() == ak.num(everything.Muon)[: len(some)].tolist()


def test_vectors_are_vectors(events, everything):
    pytest.importorskip("vector")
    pairs = events.Muon[dask_awkward.num(events.Muon) > 1]
    masses = (pairs[:, 0] + pairs[:, 1]).mass.compute()
    expected = everything.Muon[ak.num(everything.Muon) > 1]
    assert masses.tolist() == (expected[:, 0] + expected[:, 1]).mass.tolist()


def test_some_columns_may_be_named(runs):
    events = kaon.dask.arrays(runs, ["MET", "Muon.pt"])
    assert events.fields == ["MET", "Muon"] and events.Muon.fields == ["pt"]
    with pytest.raises(kaon.errors.UnknownNameError, match="MTE.*MET"):
        kaon.dask.arrays(runs, "MTE")


def test_columns_may_be_chosen_by_hand(events, everything, read_members):
    read_members.clear()
    chosen = {events.name: frozenset({"Muon.pt"})}
    some = dask_awkward.manual.optimize_columns(events.Muon.pt, chosen)
    assert some.compute(scheduler="sync").tolist() == everything.Muon.pt.tolist()
    assert read_members == {"Muon.pt"}


def test_each_buffer_is_read_alone_and_with_others(events_of_all_kinds):
    """Any buffer may be touched, of collections, nested lists, strings, components, relations."""
    path, category = events_of_all_kinds
    members = category.keys()
    (part,) = planned(path)
    reads = PartArrays(category, members)
    whole = reads(part)
    form, _, expected = ak.to_buffers(whole)
    buffers = RecordBuffers(category._reader, members)
    assert len(buffers.keys) > 40
    for key in buffers.keys:
        needed = {key, *buffers.above(key)}
        some = copy.copy(reads)
        some._needed = frozenset(map(buffers.place, needed))
        values = ak.to_buffers(some(part))[2]
        for each in needed:
            assert values[each].tolist() == expected[each].tolist(), each


@pytest.fixture
def events_of_all_kinds(path, events_data):
    return f"{path}:events", kaon.open(path)["events"]


def test_computations_of_all_kinds(events_of_all_kinds):
    path, category = events_of_all_kinds
    lazy, arrays = kaon.dask.arrays(path), category.arrays()
    assert lazy.title.compute().tolist() == arrays.title.tolist()
    assert lazy.triggers.compute().tolist() == arrays.triggers.tolist()
    assert lazy.beam.compute().tolist() == arrays.beam.tolist()
    assert lazy.Particles.momentum.x.compute().tolist() == arrays.Particles.momentum.x.tolist()
    assert lazy.Particles.weights.compute().tolist() == arrays.Particles.weights.tolist()
    assert (
        lazy.Particles.daughters["index"].compute().tolist()
        == arrays.Particles.daughters["index"].tolist()
    )
    assert lazy.Hits.compute().tolist() == arrays.Hits.tolist()
    daughters = dask_awkward.num(lazy.Particles.daughters, axis=2)
    assert daughters.compute().tolist() == ak.num(arrays.Particles.daughters, axis=2).tolist()


def test_fields_may_be_in_another_order(tmp_path):
    for name, fields in {"a": ("pt", "eta", "phi"), "b": ("phi", "pt", "eta")}.items():
        values = {"pt": 1.0, "eta": 2.0, "phi": 3.0}
        with kaon.create(tmp_path / f"{name}.kaon") as out:
            muons = ak.zip({field: [[values[field]] * 2] * 3 for field in fields})
            out["events"].extend({"Muon": muons})
    muons = kaon.dask.arrays(f"{tmp_path}/*.kaon:events").Muon
    for field, value in {"pt": 1.0, "eta": 2.0, "phi": 3.0}.items():
        assert muons[field].compute(scheduler="sync").tolist() == [[value] * 2] * 6
    assert muons.compute(scheduler="sync").eta.tolist() == [[2.0] * 2] * 6


def test_a_name_may_be_the_beginning_of_another():
    """In this file, these names are not next to each other."""
    path = shared_file("root/real/uproot-issue-951.root")
    category = kaon.open(path)["CollectionTree"]
    computed, arrays = kaon.dask.arrays(f"{path}:CollectionTree").compute(), category.arrays()
    assert {*computed.fields} == {*arrays.fields}
    for name in arrays.fields:
        assert str(computed[name].tolist()) == str(arrays[name].tolist()), name  # with NaNs


def test_files_that_differ_are_an_error(runs, folder, tmp_path):
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"MET": [1, 2], "run": [1, 2]})
    both = [runs, f"{tmp_path}/other.kaon:events"]
    with pytest.raises(
        kaon.errors.UsageError, match="other.kaon.*other types than those of .*b.kaon"
    ):
        kaon.dask.arrays(both, ["MET"]).compute(scheduler="sync")
    assert len(kaon.dask.arrays(both, ["run"]).compute(scheduler="sync")) == 8002
    with pytest.raises(kaon.errors.UnknownNameError, match="other.kaon.*no 'Muon"):
        kaon.dask.arrays(both, ["Muon"]).compute(scheduler="sync")
