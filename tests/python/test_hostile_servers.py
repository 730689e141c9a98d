"""Servers that replace files, never end, or send too little: each is one clear error in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from web_server import Server

import kaon
from kaon.files import web_files

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")
from fsspec.implementations.memory import MemoryFileSystem

ENTRIES = 100_000


def contents(folder: Path, seed: int, entries: int = ENTRIES) -> bytes:
    path = folder / f"{seed}.kaon"
    with kaon.create(path, codec="none") as out:
        values = np.random.default_rng(seed).random((4, entries))
        out["events"].extend({f"c{i}": each for i, each in enumerate(values)})
    return path.read_bytes()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(contents(tmp_path, 1))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.has_answers.set()
    server.shutdown()
    thread.join()
    server.server_close()


CHANGED = "events.kaon: has changed since it was opened; open it again"


def test_a_replaced_file_has_changed(server: Server, tmp_path: Path) -> None:
    events = kaon.open(server.url)["events"]
    server.contents, server.tag = contents(tmp_path, 2), '"2"'
    with pytest.raises(kaon.errors.FileError, match=CHANGED):
        events.arrays()


@pytest.mark.parametrize("entries", [ENTRIES // 10, 2 * ENTRIES])
def test_a_file_of_another_size_has_changed(server: Server, tmp_path: Path, entries: int) -> None:
    server.tag = ""
    events = kaon.open(server.url)["events"]
    server.contents = contents(tmp_path, 2, entries)
    with pytest.raises(kaon.errors.FileError, match=CHANGED):
        events.arrays()


def test_a_replaced_file_of_other_protocols_has_changed(tmp_path: Path) -> None:
    MemoryFileSystem().pipe("/replaced.kaon", contents(tmp_path, 1))
    events = kaon.open("memory:///replaced.kaon")["events"]
    MemoryFileSystem().pipe("/replaced.kaon", contents(tmp_path, 2, ENTRIES // 10))
    with pytest.raises(kaon.errors.FileError, match="has changed since it was opened"):
        events.arrays()


def test_failures_that_pass_are_tried_again(server: Server) -> None:
    events = kaon.open(server.url)["events"]
    server.refusals = 2
    assert len(events.arrays()) == ENTRIES
    server.refusals = 1000
    with pytest.raises(kaon.errors.FileError, match="cannot be read: the server answers 503"):
        kaon.open(server.url)["events"].arrays()
    assert server.refusals > 900


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("flood", "the server sent more bytes than requested"),
        ("compressed", "the server sends compressed bytes"),
        ("short", "the server sent other bytes than those from"),
        ("missing", "the file does not exist"),
    ],
)
def test_wrong_answers_are_errors(server: Server, fault: str, message: str) -> None:
    events = kaon.open(server.url)["events"]
    server.fault = fault
    with pytest.raises((kaon.errors.FileError, kaon.errors.MissingFileError), match=message):
        events.arrays()


@pytest.mark.parametrize("least_speed", [1000, 1])
def test_a_slow_server_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch, least_speed: int
) -> None:
    """Even if it is fast enough for the least speed, the whole request has a limit."""
    events = kaon.open(server.url)["events"]
    monkeypatch.setattr(web_files, "PATIENCE", 1)
    monkeypatch.setattr(web_files, "LEAST_SPEED", least_speed)
    monkeypatch.setattr(web_files, "WHOLE_SPEED", 1_000_000)
    server.fault = "slow"
    begin = time.monotonic()
    with pytest.raises(kaon.errors.FileError, match="does not answer, or is too slow"):
        events.arrays(["c1"])
    assert time.monotonic() - begin < 120  # the whole column would take hours
