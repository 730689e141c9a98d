"""Web servers that answer wrongly."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from web_server import Server

import kaon
from kaon.files import web_files
from torture.files import check_prefix, truth, write

NAME = "servers"
CASE = (
    "a file on a server that begins to answer wrongly: the values are right, or there is an error"
)
FAULTS = ("cut", "short", "shifted", "error", "compressed", "endless", "flood", "slow", "missing")


def run(chance: random.Random, folder: Path) -> int:
    entries = truth(chance.randint(100, 3000), chance.randrange(1000))
    path = folder / "events.kaon"
    write(path, entries, chance.choice(("split", "row", "raw")))
    cases = 5
    patience, web_files.PATIENCE = web_files.PATIENCE, 1
    try:
        for _ in range(cases):
            with serving(path.read_bytes()) as server:
                read(server, entries, chance)
    finally:
        web_files.PATIENCE = patience
    return cases


@contextmanager
def serving(contents: bytes) -> Iterator[Server]:
    server = Server(contents)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.has_answers.set()
        server.shutdown()
        thread.join()
        server.server_close()


def read(server: Server, entries: object, chance: random.Random) -> None:
    fault = chance.choice((*FAULTS, "refusals", "replaced"))
    try:
        events = kaon.open(server.url)["events"]
        if fault == "refusals":
            server.refusals = chance.randint(1, 3)
        elif fault == "replaced":
            server.contents, server.tag = bytes(reversed(server.contents)), '"2"'
        else:
            server.fault = fault
        check_prefix(events.arrays(), entries)
    except kaon.Error:
        assert fault != "refusals" or server.refusals > 0, "a refusal was not tried again"
