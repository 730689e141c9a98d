"""Files read over HTTP, from a real server that is slow or faulty, and from file objects."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from shared_files import shared_file
from web_server import Server

import kaon

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")
import aiohttp
import fsspec
from fsspec import register_implementation
from fsspec.implementations.memory import MemoryFileSystem

CLUSTERS = 8
EVENTS = 40_000


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("distant") / "events.kaon"
    random = np.random.default_rng(1)
    with kaon.create(path, codec="none", cluster_entries=EVENTS // CLUSTERS) as out:
        for _ in range(CLUSTERS):
            columns = {f"c{i}": random.random(EVENTS // CLUSTERS) for i in range(20)}
            counts = random.integers(0, 5, EVENTS // CLUSTERS)
            pt = ak.unflatten(random.random(counts.sum()), counts)
            out["events"].extend({**columns, "pt": pt})
    return path


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    server = Server(path.read_bytes())
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_is_read_as_if_it_were_here(server: Server, path: Path) -> None:
    here, there = kaon.open(path)["events"], kaon.open(f"{server.url}:events")
    assert ak.array_equal(there.arrays(), here.arrays())
    assert (
        there.arrays(["c3"], "c3 > 0.5").c3.to_list()
        == here["c3"].array()[here["c3"].array() > 0.5].to_list()
    )
    assert there.name == "events"
    assert repr(kaon.open(server.url)) == f"<File '{server.url}': events ({EVENTS})>"


def test_other_protocols_are_read(path: Path) -> None:
    there = kaon.open(f"file://{path}:events")  # its client is not asynchronous
    assert ak.array_equal(
        there.arrays(["c1", "pt"]), kaon.open(path)["events"].arrays(["c1", "pt"])
    )


def test_a_path_may_begin_with_file_and_a_colon(path: Path) -> None:
    assert kaon.open(f"file:{path}:events")["c1"].array().to_list()
    assert kaon.open(f"file:{path}").path == str(path)


def test_patterns_of_urls_stand_for_files(path: Path) -> None:
    for number in (1, 2):
        MemoryFileSystem().pipe(f"/runs/run{number}.kaon", path.read_bytes())
    pieces = kaon.iterate("memory://runs/run*.kaon:events", "c0", step_size=EVENTS, report=True)
    assert [report.file_path for _, report in pieces] == [
        f"memory:///runs/run{number}.kaon" for number in (1, 2)
    ]
    with pytest.raises(kaon.errors.MissingFileError, match="the file does not exist"):
        kaon.concatenate("memory://runs/day*.kaon:events")


def test_a_dataset_is_of_files_here_and_there(server: Server, path: Path) -> None:
    def histogram(files: object) -> object:
        events = kaon.dataset(files, "events")
        return events.filter("c3 > 0.5").histogram((10, 0, 1), "c4").value

    assert histogram(server.url) == histogram(path)
    assert histogram([server.url, path, f"file://{path}"]) == histogram([path] * 3)
    assert histogram({"far": [server.url], "near": path}) == histogram({"far": path, "near": path})


def test_functions_that_take_paths_take_urls(server: Server, path: Path, tmp_path: Path) -> None:
    assert kaon.verify(server.url).is_sound
    kaon.convert(server.url, tmp_path / "copy.root")
    here, there = kaon.open(path)["events"], kaon.open(tmp_path / "copy.root")["events"]
    assert ak.array_equal(there.arrays(["c1", "pt"]), here.arrays(["c1", "pt"]))
    count = kaon.dataset([path, "memory://no.kaon"], "events").count()
    with pytest.raises(FileNotFoundError, match="memory://no.kaon: the file does not exist"):
        _ = count.value
    with pytest.raises(
        kaon.errors.UsageError, match="nothing://at.all: Protocol not known: nothing"
    ):
        kaon.verify("nothing://at.all")


def test_parents_are_found_where_they_were(server: Server, path: Path, tmp_path: Path) -> None:
    wanted = kaon.open(path)["events"].arrays()
    for name, is_virtual in (("skim.kaon", False), ("list.kaon", True)):
        train = kaon.train.Train(kaon.dataset(f"{server.url}:events"))
        train.add(tmp_path / name, virtual=is_virtual)
        train.run()
    assert ak.array_equal(kaon.open(tmp_path / "skim.kaon")["events"].parents().arrays(), wanted)
    assert ak.array_equal(kaon.open(tmp_path / "list.kaon")["events"].arrays(), wanted)


def test_opening_takes_one_request_for_both_ends(server: Server) -> None:
    kaon.open(server.url)["events"].keys()
    assert (len(server.ranges), server.sizes) == (2, 0)
    assert sum(end - begin for begin, end in server.ranges) < 300_000


@pytest.mark.parametrize("size", [200, 100_000, 250_000, 280_000, 300_000, None])
def test_files_of_all_sizes_are_opened_at_once(
    server: Server, tmp_path: Path, size: int | None
) -> None:
    path = tmp_path / "values.kaon"
    with kaon.create(path, codec="none") as out:
        values = np.random.default_rng(1).random((size or 1_000_000) // 8)
        out["events"].extend({"x": values})
    server.contents = path.read_bytes()
    events = kaon.open(server.url)["events"]
    assert (len(server.ranges), server.sizes) == (2, 0)
    assert ak.array_equal(events["x"].array(), values)


@pytest.mark.parametrize("fault", ["no suffixes", "short", "cut"])
def test_servers_that_do_not_give_ends_are_asked_for_the_size(server: Server, fault: str) -> None:
    server.fault = fault
    if fault == "no suffixes":
        assert len(kaon.open(server.url)["events"]) == EVENTS
    else:
        with pytest.raises(kaon.errors.FileError, match="127.0.0.1.*events.kaon"):
            kaon.open(server.url)
    assert server.sizes == 1


def test_transfers_the_wanted_columns_only(server: Server) -> None:
    events = kaon.open(server.url)["events"]
    server.ranges.clear()
    events.arrays(["c7", "c8"])
    bytes_of_columns = 2 * 8 * EVENTS
    assert sum(end - begin for begin, end in server.ranges) < 1.5 * bytes_of_columns


def test_takes_few_requests_for_a_cluster(server: Server) -> None:
    events = kaon.open(server.url)["events"]
    server.ranges.clear()
    events.arrays([f"c{i}" for i in range(10)])
    assert len(server.ranges) <= 2 * CLUSTERS  # adjacent pages, and the descriptions of the pages


class CountedFileSystem(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory; counts the requests for bytes."""

    protocol = "counted"
    requests = 0

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        stripped: str = super()._strip_protocol(path.removeprefix("counted://"))
        return stripped

    def cat_ranges(self, *arguments: Any, **options: Any) -> list[bytes]:
        CountedFileSystem.requests += 1
        ranges: list[bytes] = super().cat_ranges(*arguments, **options)
        return ranges


@pytest.mark.parametrize(("format", "most"), [("kaon", 2), ("rntuple", 1), ("ttree", 1)])
def test_arrays_take_one_request_for_all_clusters(
    path: Path, tmp_path: Path, format: str, most: int
) -> None:
    register_implementation("counted", CountedFileSystem, clobber=True)
    converted = tmp_path / "converted"
    kaon.convert(path, converted, format=format)
    CountedFileSystem().pipe("/events", converted.read_bytes())
    events = kaon.open("counted:///events")["events"]
    CountedFileSystem.requests = 0
    columns = [*(f"c{i}" for i in range(10)), "pt"]
    assert ak.array_equal(events.arrays(columns), kaon.open(path)["events"].arrays(columns))
    assert CountedFileSystem.requests <= most  # some formats have no list of the pages at the end


def test_an_lcio_file_is_opened_by_its_index() -> None:
    register_implementation("counted", CountedFileSystem, clobber=True)
    path = shared_file("podio/lcio_30.slcio")
    CountedFileSystem().pipe("/far.slcio", path.read_bytes())
    CountedFileSystem.requests = 0
    events = kaon.open("counted:///far.slcio")["events"]
    assert events.find(runNumber=4, eventNumber=1029) == kaon.open(path)["events"].find(
        runNumber=4, eventNumber=1029
    )
    assert CountedFileSystem.requests <= 6


@pytest.mark.usefixtures("hdf5")
def test_descriptions_in_hdf5_are_stored_together(tmp_path: Path) -> None:
    register_implementation("counted", CountedFileSystem, clobber=True)
    columns = {f"c{i}": np.random.default_rng(i).random(60_000) for i in range(20)}
    with kaon.create(tmp_path / "a.h5", codec="none") as out:
        out["events"].extend(columns)
    CountedFileSystem().pipe("/far.h5", (tmp_path / "a.h5").read_bytes())
    CountedFileSystem.requests = 0
    events = kaon.open("counted:///far.h5")["events"]
    assert CountedFileSystem.requests <= 3
    assert ak.array_equal(events.arrays(), ak.Array(columns))


@pytest.mark.parametrize("fault", ["short", "cut", "error"])
def test_a_broken_server_is_an_error(server: Server, fault: str) -> None:
    events = kaon.open(server.url)["events"]
    server.fault = fault
    with pytest.raises(kaon.errors.FileError, match="127.0.0.1.*events.kaon"):
        events.arrays(["c1"])
    server.fault = ""
    assert len(events.arrays(["c1"])) == EVENTS


def test_sizes_that_no_file_has_are_errors(server: Server) -> None:
    server.fault = "endless"
    with pytest.raises(
        kaon.errors.FileError, match=f"events.kaon: the size of {10**30} bytes is impossible"
    ):
        kaon.open(server.url)


def test_a_server_without_ranges_is_not_asked_again(server: Server) -> None:
    server.fault = "whole"
    with pytest.raises(
        kaon.errors.FileError, match="events.kaon: the server sends only whole files"
    ):
        kaon.open(server.url)
    assert server.sizes == 0


def test_a_silent_server_is_asked_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    timeout = {"client_kwargs": {"timeout": aiohttp.ClientTimeout(total=0.5)}}
    monkeypatch.setitem(fsspec.config.conf, "http", timeout)
    server.fault = "silent"
    with pytest.raises(
        kaon.errors.FileError, match="events.kaon: cannot be opened: the server does not"
    ):
        kaon.open(server.url)
    server.has_answers.set()
    assert server.sizes == 0


def test_wrong_bytes_are_found(server: Server) -> None:
    events = kaon.open(server.url)["events"]
    server.fault = "shifted"
    with pytest.raises(kaon.errors.CorruptFileError, match="damaged"):
        events.arrays(["c1"])


def test_no_file_and_no_server_are_errors(server: Server) -> None:
    with pytest.raises(kaon.errors.FileError, match="cannot be opened"):
        kaon.open("http://127.0.0.1:1/events.kaon")
    with pytest.raises(kaon.errors.MissingFileError, match="the file does not exist"):
        kaon.open("memory://nothing.kaon")
    server.fault = "missing"
    with pytest.raises(kaon.errors.MissingFileError, match="events.kaon: the file does not exist"):
        kaon.open(server.url)
    with pytest.raises(kaon.errors.UsageError, match="nowhere"):
        kaon.open("nowhere://host/events.kaon")


def test_any_number_of_threads_read_a_distant_file(server: Server) -> None:
    events = kaon.open(server.url)["events"]
    expected = events.arrays(["c2", "pt"])
    found: list[bool] = []

    def read() -> None:
        found.append(ak.array_equal(events.arrays(["c2", "pt"]), expected))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [True] * 4


PROGRAM = """
import io, os, sys, threading, time
import awkward, kaon

begun = threading.Event()

class Slow(io.BytesIO):
    delay = 0
    def read(self, size=-1):
        if self.delay:
            os.write(1, b"begin\\n")
            begun.set()
            time.sleep(self.delay)
        return super().read(size)

events = kaon.open(Slow(open(sys.argv[1], "rb").read()))["events"]
Slow.delay = 0.5
threading.Thread(target=events.arrays, daemon=True).start()
begun.wait(30)
"""


def test_python_ends_while_something_is_being_fetched(
    path: Path, run_python: Callable[..., Any]
) -> None:
    result = run_python("-c", PROGRAM, path, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    assert "begin" in result.stdout


def test_file_objects_are_read(path: Path) -> None:
    expected = kaon.open(path)["events"].arrays(["c1", "pt"])
    with path.open("rb") as file:
        assert ak.array_equal(kaon.open(file)["events"].arrays(["c1", "pt"]), expected)
    in_memory = kaon.open(io.BytesIO(path.read_bytes()))
    assert ak.array_equal(in_memory["events"].arrays(["c1", "pt"]), expected)
    assert in_memory.path == "<BytesIO>"
    with pytest.raises(
        kaon.errors.UsageError, match="<BytesIO>: sizes are known only for local files"
    ):
        in_memory.size()
    for path_of_none in (None, 5, [path]):
        with pytest.raises(kaon.errors.WrongTypeError, match="give a path, a URL or a file op"):
            kaon.open(path_of_none)  # type: ignore[call-overload]


def test_file_objects_that_cannot_be_read_are_errors(path: Path) -> None:
    with path.open(encoding="latin1") as text, pytest.raises(kaon.errors.UsageError, match="'rb'"):
        kaon.open(text)  # type: ignore[call-overload]
    with (
        (path.parent / "new").open("wb") as file,
        pytest.raises(kaon.errors.UsageError, match="'rb'"),
    ):
        kaon.open(file)
    with path.open("rb") as file:
        events = kaon.open(file)["events"]
    with pytest.raises(kaon.errors.FileError, match="closed file"):
        events.arrays(["c1"])


def test_a_tilde_is_the_home_directory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    assert len(kaon.open("~/events.kaon:events")) == EVENTS
    kaon.convert("~/events.kaon", "~/copy.root")
    kaon.merge("~/eve*.kaon", "~/merged.kaon")
    with kaon.create("~/new.kaon") as out:
        out["events"].extend({"x": [1, 2]})
    with kaon.append("~/new.kaon") as out:
        out["events"].extend({"x": [3]})
    snapshot = kaon.dataset("~/events.kaon").snapshot("~/snapshot.kaon").value
    train = kaon.train.Train(snapshot)
    train.add("~/train.kaon")
    train.run()
    entries = {"copy.root": EVENTS, "merged.kaon": EVENTS, "new.kaon": 3, "train.kaon": EVENTS}
    for name, expected in entries.items():
        assert len(kaon.open(path.parent / name)["events"]) == expected
    assert kaon.verify("~/new.kaon").is_sound
    with pytest.raises(kaon.errors.ExistingFileError):
        kaon.create("~/new.kaon")
