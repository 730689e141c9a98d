"""Records have their members and lists in the order of their source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import awkward as ak
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import uproot

import kaon

FILE = Path(__file__).parents[1] / "data" / "root" / "ttree_classes.root"
LEFT_OUT = pytest.mark.filterwarnings("ignore::kaon.errors.UnreadMemberWarning")

POINTERS = ["first", "text", "time", "object", "reference", "references", "matrix", "vectors"]
ORDERS = {
    "pointers": [*POINTERS, "last"],
    "arrays": ["first", "objects", "references", "last"],
    "worded": ["a", "text"],
}

MIXED = {"a": 1, "words": "x", "b": 2.5, "inner": {"list": [1, 2], "n": 3}, "c": True, "d": [4.5]}
"""A record with lists and texts between its numbers."""


def orders(arrays: ak.Array) -> dict[str, list[str]]:
    return {name: arrays[name].fields for name in ORDERS}


def columns(order: list[str]) -> Any:
    """Return records, and lists of records, whose fields have an order."""
    record = {name: MIXED[name] for name in order}
    return ak.Array([{"one": record, "many": [record] * n} for n in range(3)])


def test_trees_keep_their_order() -> None:
    for tree in ("whole", "split"):
        assert orders(kaon.open(FILE)[tree].arrays()) == ORDERS, tree
    some = kaon.open(FILE)["whole"].arrays(["pointers.last", "pointers.text", "pointers.first"])
    assert some.pointers.fields == ["first", "text", "last"]


@LEFT_OUT
@pytest.mark.parametrize("name", ["out.kaon", "out.root", "out.h5"])
def test_converted_files_keep_the_order(tmp_path: Path, name: str) -> None:
    kaon.convert(f"{FILE}", tmp_path / name, lossy=True)
    arrays = kaon.open(tmp_path / name)["whole"].arrays()
    assert orders(arrays) == ORDERS
    assert ak.array_equal(arrays.pointers, kaon.open(FILE)["whole"].arrays().pointers)


@LEFT_OUT
def test_other_readers_see_the_order_in_ntuples(tmp_path: Path) -> None:
    kaon.convert(FILE, tmp_path / "out.root", lossy=True)
    arrays = uproot.open(tmp_path / "out.root")["whole"].arrays()
    assert {name: arrays[name].fields for name in ORDERS} == ORDERS


@LEFT_OUT
def test_without_its_documents_an_ntuple_keeps_the_order(tmp_path: Path) -> None:
    """The order of fields counts, not only kaon's own description."""
    kaon.convert(FILE, tmp_path / "out.root", lossy=True)
    path = tmp_path / "other.root"
    path.write_bytes(
        (tmp_path / "out.root").read_bytes().replace(b"kaon_documents", b"nope_documents")
    )
    assert orders(kaon.open(path)["whole"].arrays()) == ORDERS


@pytest.mark.parametrize("order", [[*MIXED], [*reversed(MIXED)]])
@pytest.mark.parametrize("name", ["out.kaon", "out.root"])
def test_arrays_keep_their_order(tmp_path: Path, name: str, order: list[str]) -> None:
    arrays = columns(order)
    with kaon.create(tmp_path / name) as file:
        file["events"].extend(arrays)
    read = kaon.open(tmp_path / name)["events"].arrays()
    assert read.one.fields == read.many.fields == order
    assert read.one.inner.fields == ["list", "n"]
    assert read.to_list() == arrays.to_list()
    table = pa.table(kaon.open(tmp_path / name)["events"].arrow())
    assert [field.name for field in table.schema.field("one").type] == order


@pytest.mark.parametrize("order", [[*MIXED], [*reversed(MIXED)]])
def test_tables_keep_their_order(tmp_path: Path, order: list[str]) -> None:
    table = pa.table({"one": pa.array([{name: MIXED[name] for name in order}] * 2)})
    pq.write_table(table, tmp_path / "in.parquet")
    kaon.convert(tmp_path / "in.parquet", tmp_path / "out.kaon")
    (name,) = kaon.open(tmp_path / "out.kaon").keys()
    read = kaon.open(tmp_path / "out.kaon")[name].arrays()
    assert read.one.fields == order
    assert read.one[0].to_list() == {name: MIXED[name] for name in order}
