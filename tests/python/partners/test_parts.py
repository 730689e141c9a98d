"""Parts of files are planned from the first file; together they have all entries."""

import os
import pickle
import shutil

import numpy as np
import pytest

import kaon
from kaon.partners.parts import planned


def ranges(plan):
    """Return the entries of each part, by file."""
    found = {}
    for part in plan:
        found.setdefault(part.path, []).append(part.entries(part.open()))
    return found


@pytest.mark.parametrize("step_size", [1, 500, 700, 1500, 100_000, "20 kB", "1 GB"])
def test_parts_have_all_entries_once_and_whole_clusters(runs, step_size):
    for path, parts in ranges(planned(runs, step_size)).items():
        clusters = kaon.open(path).clusters()
        begins = [first for first, _ in clusters]
        assert [entry for part in parts for entry in part] == list(range(clusters[-1][1]))
        assert all(part.start in begins for part in parts if part)


def test_parts_are_about_as_large_as_is_asked_for(runs, folder):
    parts = ranges(planned(runs, 1000))
    lengths = [len(part) for of_file in parts.values() for part in of_file]
    assert max(lengths) <= 1500 and np.mean(lengths) > 500
    assert [len(part) for part in parts[f"{folder}/b.kaon:events"]] == [1000] * 5


def test_planning_opens_the_largest_file_only(runs, folder, tmp_path):
    shutil.copy(folder / "b.kaon", tmp_path)
    for name in ("x", "y"):
        (tmp_path / f"{name}.kaon").write_bytes(b"no file of kaon")
    plan = planned(f"{tmp_path}/*.kaon:events", 1000)
    assert plan.example.file_path == f"{tmp_path}/b.kaon"
    assert {os.path.basename(part.path) for part in plan} == {
        f"{name}.kaon:events" for name in "bxy"
    }


def test_sizes_are_those_of_the_wanted_columns(runs):
    few, many = planned(runs, "10 kB", ["MET"]), planned(runs, "10 kB")
    assert len(few.parts) < len(many.parts)


def test_a_part_is_small_and_says_where_it_is(runs, folder, monkeypatch):
    monkeypatch.chdir(folder)
    part = planned("a.kaon:events", 1000).parts[1]
    assert str(part) == f"{folder}/a.kaon:events, part 2 of 2"
    assert len(pickle.dumps(part)) < 300
    assert pickle.loads(pickle.dumps(part)) == part
    assert planned("a.kaon", 1000).example.name == "events"


def test_files_that_are_not_there_are_errors(folder):
    with pytest.raises(kaon.errors.MissingFileError, match="nothing.kaon"):
        planned(f"{folder}/nothing.kaon:events")
    with pytest.raises(kaon.errors.UsageError, match="no files are given"):
        planned([])
    with pytest.raises(kaon.errors.UsageError, match="not a size"):
        planned(f"{folder}/a.kaon:events", "many")


def test_a_file_without_entries_is_one_part(tmp_path):
    with kaon.create(tmp_path / "none.kaon") as out:
        out["events"].extend({"run": np.zeros(0, np.int32)})
    (part,) = planned(f"{tmp_path}/none.kaon:events")
    assert part.entries(part.open()) == range(0)


def test_files_of_an_older_model_are_parts_of_this_one(tmp_path):
    def model(members):
        particle = {"Description": "p", "Author": "kaon", "Members": members}
        return {"schema_version": 1, "datatypes": {"Particle": particle}}

    with kaon.create(tmp_path / "old.kaon", model=model(["int32_t pdg // type"])) as out:
        out["events"].extend({"Particles": [[{"pdg": 11}], []]})
    newer = model(["int32_t pdg // type", "int32_t charge{7} // of it"])
    (part,) = pickle.loads(pickle.dumps(planned(f"{tmp_path}/old.kaon:events", model=newer).parts))
    assert "Particles.charge" in part.open()
