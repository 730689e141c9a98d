"""Files that differ in optionals, or lack columns, as one dataset."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from web_server import Server

import kaon

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")

TYPES = {
    "number": pa.int64(),
    "flag": pa.bool_(),
    "name": pa.string(),
    "list": pa.list_(pa.int64()),
    "names": pa.list_(pa.string()),
    "pair": pa.list_(pa.int32(), 2),
    "lists": pa.list_(pa.list_(pa.int64())),
    "record": pa.struct([("x", pa.int64()), ("label", pa.string())]),
    "records": pa.list_(pa.struct([("u", pa.int64())])),
}
FILES: list[dict[str, list[Any]]] = [
    {
        "number": [1, 2],
        "flag": [True, False],
        "name": ["a", ""],
        "list": [[1], []],
        "names": [["x"], ["y", ""]],
        "pair": [[1, 2], [3, 4]],
        "lists": [[[1], []], []],
        "record": [{"x": 1, "label": "p"}, {"x": 2, "label": "q"}],
        "records": [[{"u": 1}], []],
    },
    {
        "number": [3, None],
        "flag": [None, True],
        "name": [None, "b"],
        "list": [[1, None], None],
        "names": [["z", None], None],
        "pair": [None, [5, 6]],
        "lists": [[None, [2]], [[3, None]]],
        "record": [{"x": None, "label": "r"}, {"x": 3, "label": "s"}],
        "records": [[{"u": 2}, None], None],
    },
    {
        "number": [4],
        "flag": [False],
        "name": ["c"],
        "list": [[7, 8]],
        "names": [["w"]],
        "pair": [[7, 8]],
        "lists": [[[4]]],
        "record": [None],
        "records": [[{"u": None}]],
    },
]
ORDERS = list(permutations(range(3)))
COLUMNS = ["number", "flag", "name", "list", "names", "pair"]  # dataframes take their values
IN_TREES = ["number", "flag", "pair"]  # trees cannot hold optional lists and strings


def rows_of(order: Sequence[int]) -> dict[str, list[Any]]:
    return {name: [row for number in order for row in FILES[number][name]] for name in TYPES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files in each format."""
    folder = tmp_path_factory.mktemp("tables")
    for number, columns in enumerate(FILES):
        table = pa.table({name: pa.array(columns[name], TYPES[name]) for name in TYPES})
        pq.write_table(table, folder / f"{number}.parquet")
        feather.write_feather(table, folder / f"{number}.feather")
        with pa.ipc.new_stream(folder / f"{number}.arrows", table.schema) as stream:
            stream.write_table(table)
        for suffix in ("kaon", "h5"):
            kaon.convert(folder / f"{number}.parquet", folder / f"{number}.{suffix}")
        with kaon.create(folder / f"{number}.rows.kaon", layout="row") as out:
            out["events"].extend(table)
        kaon.convert(folder / f"{number}.kaon", folder / f"{number}.root")
        with kaon.create(folder / f"{number}.tree.root", format="ttree") as out:
            out["events"].extend(table.select(IN_TREES))
    return folder


def paths_in(folder: Path, order: Sequence[int], suffix: str) -> list[Path]:
    return [folder / f"{number}.{suffix}" for number in order]


def check_values(events: kaon.Dataframe, name: str, rows: list[Any]) -> None:
    """Check a column of a dataframe, where an absent list has no values."""
    values = ak.to_list(events.take(name).value)
    assert values == ([row or [] for row in rows] if name in ("list", "names") else rows)


def values_in(path: Path) -> dict[str, list[Any]]:
    arrays = kaon.open(path)["events"].arrays()
    return {name: arrays[name].tolist() for name in TYPES}


@pytest.mark.parametrize(
    "suffix", ["parquet", "feather", "arrows", "kaon", "rows.kaon", "h5", "root"]
)
@pytest.mark.parametrize("order", [ORDERS[0], ORDERS[2]])
def test_columns_are_optional_if_one_file_has_optionals(
    folder: Path, tmp_path: Path, order: Sequence[int], suffix: str
) -> None:
    paths, rows = paths_in(folder, order, suffix), rows_of(order)
    events = kaon.dataset(paths)
    for name in COLUMNS:
        check_values(events, name, rows[name])
    assert events.take("record.x").value.tolist() == [row and row["x"] for row in rows["record"]]
    assert events.filter("number > 1").take("number").value.tolist() == [
        number for number in rows["number"] if number is not None and number > 1
    ]
    assert events.filter("has(name)").count().value == 4
    events.snapshot(tmp_path / "snapshot.kaon").value  # noqa: B018
    assert values_in(tmp_path / "snapshot.kaon") == rows
    for name in ("converted.kaon", "converted.root", "converted.h5"):
        kaon.convert(paths, tmp_path / name)
        assert values_in(tmp_path / name) == rows
    kaon.merge(paths, tmp_path / "merged.kaon")
    assert values_in(tmp_path / "merged.kaon") == rows
    assert not kaon.verify(tmp_path / "merged.kaon").findings


@pytest.mark.parametrize("order", ORDERS)
def test_trees_are_optional_if_one_file_has_optionals(
    folder: Path, tmp_path: Path, order: Sequence[int]
) -> None:
    paths, rows = paths_in(folder, order, "tree.root"), rows_of(order)
    events = kaon.dataset(paths)
    joined = kaon.concatenate(paths)
    kaon.convert(paths, tmp_path / "converted.root", format="ttree")
    converted = kaon.open(tmp_path / "converted.root")["events"].arrays()
    for name in IN_TREES:
        check_values(events, name, rows[name])
        assert joined[name].tolist() == rows[name]
        assert converted[name].tolist() == rows[name]


@pytest.mark.parametrize("suffix", ["parquet", "root"])
@pytest.mark.parametrize("order", ORDERS)
def test_arrays_of_all_files_have_one_type(folder: Path, order: Sequence[int], suffix: str) -> None:
    paths, rows = paths_in(folder, order, suffix), rows_of(order)
    arrays = kaon.concatenate(paths)
    assert {name: arrays[name].tolist() for name in TYPES} == rows
    pieces = list(kaon.iterate(paths))
    for name in ("number", "flag", "name", "pair", "record"):
        assert len({str(piece[name].layout.form.type) for piece in pieces}) == 1
    assert ak.concatenate(pieces).tolist() == arrays.tolist()
    table = kaon.concatenate(paths, library="pa")
    assert {name: table[name].to_pylist() for name in TYPES} == rows
    flat = kaon.concatenate(paths, ["number"], library="np")
    assert np.ma.masked_array(flat["number..value"]).tolist() == rows["number"]


@contextmanager
def served(path: Path) -> Iterator[str]:
    """Serve a file, and yield its URL."""
    server = Server(path.read_bytes())
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.url
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("order", [[0, 1, 2], [1, 2, 0]])
def test_files_at_urls_are_like_local_files(folder: Path, order: Sequence[int]) -> None:
    with ExitStack() as servers:
        urls = [servers.enter_context(served(path)) for path in paths_in(folder, order, "kaon")]
        pieces = list(kaon.iterate(urls, "number"))
        values = kaon.dataset(urls).take("number").value.tolist()
    assert {str(piece.number.type.content) for piece in pieces} == {"?int64"}
    assert values == rows_of(order)["number"]


def test_files_of_other_types_still_raise(tmp_path: Path) -> None:
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    pq.write_table(pa.table({"x": pa.array([1], pa.int32())}), paths[0])
    pq.write_table(pa.table({"x": pa.array([None, 2.5], pa.float64())}), paths[1])
    with pytest.raises(kaon.errors.WrongTypeError, match=r"b\.parquet.*'x'"):
        kaon.dataset(paths).take("x").value  # noqa: B018
    with pytest.raises(kaon.errors.UsageError, match="'x' differs between the inputs"):
        kaon.merge(paths, tmp_path / "c.kaon")


def test_a_damaged_file_raises_when_it_is_reached(folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.parquet"
    bad.write_bytes((folder / "1.parquet").read_bytes()[:200])
    files = [folder / "0.parquet", bad, folder / "1.parquet"]
    with pytest.raises(kaon.errors.CorruptFileError, match=r"bad\.parquet"):
        kaon.dataset(files).count().value  # noqa: B018
    good = kaon.dataset(files, on_bad_file="report")
    assert good.take("number").value.tolist() == [1, 2, 3, None]
    assert [file.path for file in good.bad_files] == [str(bad)]


@pytest.fixture
def lacking(tmp_path: Path) -> list[Path]:
    """Return files that lack columns of each other."""
    tables = [
        {"n": [1, 2], "x": [1.0, 2.0], "name": ["a", "b"], "list": [[1], []]},
        {"n": [3], "s": [{"a": 1, "b": {"c": 2}}], "q": [[{"u": 1}]]},
        {"n": [4], "s": [{"a": 3}], "q": [[{"u": 1, "v": 2}]]},
    ]
    paths = [tmp_path / f"{number}.parquet" for number in range(3)]
    for path, table in zip(paths, tables, strict=True):
        pq.write_table(pa.table(table), path)
    return paths


@pytest.mark.parametrize("order", ORDERS)
def test_missing_columns_give_missing_values_in_dataframes(
    lacking: list[Path], tmp_path: Path, order: Sequence[int]
) -> None:
    paths = [lacking[number] for number in order]
    events = kaon.dataset(paths, missing="none")
    expected = kaon.concatenate(paths, missing="none")
    for name in ("n", "x", "name"):
        assert ak.to_list(events.take(name).value) == expected[name].tolist()
    assert events.take("s.b.c").value.tolist() == [
        row and row["b"] and row["b"]["c"] for row in expected.s.tolist()
    ]
    assert ak.to_list(events.take("q.v").value) == [
        [each["v"] for each in row or []] for row in expected.q.tolist()
    ]
    assert events.filter("x > 1").take("n").value.tolist() == [2]
    events.snapshot(tmp_path / "all.kaon").value  # noqa: B018
    copy = kaon.open(tmp_path / "all.kaon")["events"].arrays()
    for name in ("n", "x", "name", "list", "s", "q"):
        assert copy[name].tolist() == expected[name].tolist()


def test_missing_columns_raise_without_the_option(lacking: list[Path]) -> None:
    with pytest.raises(kaon.errors.UnknownNameError, match="no column is called 'x'"):
        kaon.dataset(lacking).take("x").value  # noqa: B018
    with pytest.raises(kaon.errors.UnknownNameError, match="'z'"):
        kaon.dataset(lacking, missing="none").take("z")
    with pytest.raises(kaon.errors.UsageError, match="missing='None' is unknown"):
        kaon.dataset(lacking, missing="None")  # type: ignore[arg-type]


def test_objects_of_a_collection_lack_members_of_some_files(tmp_path: Path) -> None:
    paths = [tmp_path / "a.root", tmp_path / "b.kaon"]
    muons = ak.Array([[{"pt": 1.0, "id": 3}], []])
    with kaon.create(paths[0], format="ttree") as out:
        out["events"].extend({"Muon": muons, "run": np.array([1, 2])})
    with kaon.create(paths[1]) as out:
        out["events"].extend({"Muon": muons[["pt"]], "MET": np.array([5.0, 6.0])})
    events = kaon.dataset(paths, "events", missing="none")
    assert ak.to_list(events.take("Muon.pt").value) == [[1], [], [1], []]
    assert ak.to_list(events.take("Muon.id").value) == [[3], [], [None], []]
    assert ak.to_list(events.take("run").value) == [1, 2, None, None]
    assert ak.to_list(events.take("MET").value) == [None, None, 5, 6]
    assert events.sum("MET").value == 11
