"""Arrays of arrays in ROOT files keep their shape, also when they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
import uproot
from root_scripts import by_root

import kaon

GRID = np.arange(24, dtype=np.float32).reshape(4, 2, 3)

SHAPES = {"grid": (2, 3), "row": (3,), "cube": (1, 2, 3)}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Write a tree as uproot does."""
    path = tmp_path / "tree.root"
    types = {name: np.dtype((np.float32, shape)) for name, shape in SHAPES.items()}
    with uproot.recreate(path) as out:
        out.mktree("t", types)
        out["t"].extend({"grid": GRID, "row": GRID[:, 0], "cube": GRID[:, np.newaxis]})
    return path


def values(path: Path) -> dict[str, Any]:
    arrays = kaon.open(path)["t"].arrays()
    return {name: arrays[name] for name in arrays.fields}


def has_shapes(found: dict[str, Any]) -> bool:
    return {name: ak.to_numpy(each).shape[1:] for name, each in found.items()} == SHAPES


def test_leaves_have_their_shape(tree: Path) -> None:
    found = values(tree)
    assert has_shapes(found)
    assert found["grid"].tolist() == GRID.tolist()


@pytest.mark.parametrize("form", ["kaon", "hdf5", "rntuple", "ttree", "parquet"])
def test_copies_keep_shapes(tree: Path, tmp_path: Path, form: str) -> None:
    copy, back = (
        tmp_path / f"copy.{'parquet' if form == 'parquet' else 'file'}",
        tmp_path / "back.root",
    )
    kaon.convert(tree, copy, **({} if form == "parquet" else {"format": form}))
    found = values(copy)
    assert has_shapes(found)
    assert found["grid"].tolist() == GRID.tolist()
    kaon.convert(copy, back)
    assert has_shapes(values(back))


@pytest.mark.parametrize("form", ["rntuple", "ttree"])
def test_other_programs_see_shapes(tree: Path, tmp_path: Path, form: str) -> None:
    copy = tmp_path / "copy.root"
    kaon.convert(tree, copy, format=form)
    written = uproot.open(copy)["t"]
    assert ak.to_numpy(written["grid"].array()).tolist() == GRID.tolist()
    assert ak.to_numpy(written["cube"].array()).shape == (4, 1, 2, 3)


def test_root_sees_nested_arrays(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.root"
    kaon.convert(tree, copy)
    found = by_root(
        """
reader = ROOT.RNTupleReader.Open("t", path)
entry = reader.CreateEntry()
reader.LoadEntry(1, entry)
result = [reader.GetDescriptor().GetFieldDescriptor(
    reader.GetDescriptor().FindFieldId("grid")).GetTypeName(),
    [[float(x) for x in row] for row in entry["grid"]]]
""",
        copy,
    )
    assert found == ["std::array<std::array<float,3>,2>", GRID[1].tolist()]


def test_members_of_classes_have_their_shape(tmp_path: Path) -> None:
    path = tmp_path / "objects.root"
    by_root(
        """
ROOT.gInterpreter.Declare('''
struct GridHit { int n; float grid[2][3]; double row[3]; };
void fill(const char* path) {
  TFile file(path, "recreate");
  GridHit hit, parts;
  TTree tree("t", "");
  tree.Branch("whole", &hit, 32000, 0);
  tree.Branch("split", &parts);
  for (int i = 0; i < 6; ++i)
    hit.grid[i / 3][i % 3] = parts.grid[i / 3][i % 3] = i;
  for (int i = 0; i < 3; ++i)
    hit.row[i] = parts.row[i] = i;
  hit.n = parts.n = 1;
  tree.Fill();
  tree.Write();
}''')
ROOT.fill(path)
result = True
""",
        path,
    )
    arrays = kaon.open(path)["t"].arrays()
    grid = [[0, 1, 2], [3, 4, 5]]
    assert arrays.whole.grid.tolist() == [grid]
    assert arrays.split.grid.tolist() == [grid]
    assert arrays.whole.row.tolist() == [[0, 1, 2]]
