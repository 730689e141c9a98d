"""Dask's dataframes of many files: their rows equal pandas's, and only needed data are read."""

import numpy as np
import pytest

import kaon

dataframe = pytest.importorskip("dask.dataframe")


@pytest.fixture
def read(monkeypatch):
    """Return the names that are read, as a list that grows."""
    names = []
    arrays = kaon.Category.arrays

    def noted(self, wanted=None, *arguments, **options):
        names.append(wanted)
        return arrays(self, wanted, *arguments, **options)

    monkeypatch.setattr(kaon.Category, "arrays", noted)
    return names


def test_has_the_rows_of_all_files(runs):
    frame = kaon.dask.dataframe(runs, step_size=500)
    expected = kaon.concatenate(runs, library="pd")
    assert frame.npartitions >= 16 and [*frame.columns] == [*expected.columns]
    computed = frame.compute().reset_index(drop=True)
    assert computed.equals(expected)
    assert dict(frame.dtypes) == dict(expected.dtypes)


def test_reads_the_columns_that_are_needed(runs, everything, read):
    frame = kaon.dask.dataframe(runs, step_size=500)
    read.clear()
    assert frame.MET.sum().compute() == pytest.approx(sum(everything.MET.tolist()), rel=1e-5)
    assert {tuple(names) for names in read} == {("MET",)}


def test_groups_cuts_and_expressions(runs, everything):
    frame = kaon.dask.dataframe(
        runs, ["MET", "half", "count(Muon)"], "MET > 50", aliases={"half": "run // 4000"}
    )
    means = frame.groupby("half").MET.mean().compute()
    passed = everything[everything.MET > 50]
    first = passed[passed.run < 4000].MET.tolist()
    assert means[0] == pytest.approx(sum(first) / len(first), rel=1e-4)
    assert frame["count(Muon)"].max().compute() == 4
    assert len(frame) == len(passed)


def test_missing_columns_are_errors(runs):
    with pytest.raises(kaon.errors.UnknownNameError, match="MTE.*MET"):
        kaon.dask.dataframe(runs, "MTE")


def test_columns_are_those_of_the_largest_file(runs, tmp_path):
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"MET": np.array([1, 2], np.float32), "weight": [1.0, 2.0]})
    both = [runs, f"{tmp_path}/other.kaon:events"]
    assert len(kaon.dask.dataframe(both, ["MET"]).compute()) == 8002
    with pytest.raises(kaon.errors.UnknownNameError, match="other.kaon.*no 'Muon"):
        kaon.dask.dataframe(both).compute(scheduler="sync")
    aliases = {"double": "2 * MET"}
    frame = kaon.dask.dataframe(runs, aliases=aliases)
    assert [*frame.columns] == [*kaon.concatenate(runs, aliases=aliases, library="pd").columns]
