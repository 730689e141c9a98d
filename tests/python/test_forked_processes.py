"""Forked processes of a process that used kaon's threads; the children have none of them."""

import pytest

PARENT = """
import io, multiprocessing, os, signal, sys, threading
import numpy as np
import kaon

path, = sys.argv[1:]

def all_of(events):
    return float(events.arrays("x").x.to_numpy().sum())

def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # and then it is killed
        try:
            print(work(), flush=True)
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


@pytest.fixture
def many(tmp_path):
    """A file of several clusters, so that several threads read it."""
    import numpy as np

    import kaon

    with kaon.create(tmp_path / "many.kaon", codec="none", cluster_entries=10_000) as out:
        out["events"].extend({"x": np.arange(200_000.0), "n": np.arange(200_000) % 7})
    return tmp_path / "many.kaon"


@pytest.fixture
def printed(run_python, many):
    """The function that returns the lines that a program and its forked children print."""

    def lines(program):
        done = run_python("-c", PARENT + program, str(many), check=True, timeout=100)
        return done.stdout.split()

    return lines


SUM = str(199_999 * 100_000.0)


@pytest.mark.parametrize(
    "work",
    [
        "all_of(events)",
        "all_of(kaon.open(path)['events'])",
        "sum(float(part.x.to_numpy().sum()) for part in events.iterate('x', step_size=30_000))",
        "sum(p.x.to_numpy().sum() for p in kaon.iterate([f'{path}:events'], 'x', step_size=9_000))",
        "float(events.arrays('x', 'n >= 0').x.to_numpy().sum())",
        "kaon.dataset(f'{path}:events').sum('x').value",
    ],
)
def test_they_read(printed, work):
    program = f"""
events, others = (kaon.open(path)["events"] for _ in range(2))
print(all_of(events))
has_ended = threading.Event()

def read():
    while not has_ended.is_set():
        others.arrays(library="np")

reader = threading.Thread(target=read)  # so that threads are in the midst of something
reader.start()
try:
    for _ in range(10):
        in_child(lambda: {work})
finally:
    has_ended.set()
    reader.join()
"""
    assert printed(program) == [SUM] * 11


@pytest.mark.parametrize("first", ["", "import logging"])  # forks take its lock
def test_they_read_while_the_other_one_imports(printed, first):
    program = f"""
{first}
events = kaon.open(path)["events"]
assert "awkward" not in sys.modules
importing = threading.Thread(target=lambda: events.arrays("x"))  # which is the first to need it
importing.start()
while "awkward" not in sys.modules:
    pass
in_child(lambda: all_of(events))
importing.join()
"""
    assert printed(program) == [SUM]


def test_they_do_not_wait_for_results_of_the_parent(printed):
    program = """
is_computing, may_end = threading.Event(), threading.Event()

def slow(x):
    if len(x) > 0:  # else it is asked which type it gives
        is_computing.set()
        may_end.wait()
    return x

events = kaon.dataset(f"{path}:events")
total = events.define("slow", slow, ["x"]).sum("slow")
computing = threading.Thread(target=lambda: total.value)
computing.start()
is_computing.wait()

def asked():
    try:
        return total.value
    except kaon.errors.UsageError as error:
        return "refused" if "ask the dataframe for it again" in str(error) else error

in_child(asked)
in_child(lambda: events.sum("x").value)
may_end.set()
computing.join()
print(total.value)
"""
    assert printed(program) == ["refused", SUM, SUM]


def test_they_write(printed):
    program = """
def write(name, codec):
    with kaon.create(name, codec=codec, cluster_entries=1000) as out:
        for _ in range(20):
            out["events"].extend({"x": np.arange(10_000.0)})
    return all_of(kaon.open(f"{name}:events"))

print(write(f"{path}1", "lzma"))
in_child(lambda: write(f"{path}2", "lzma"))
print(kaon.verify(f"{path}2").is_sound)
"""
    total = str(20 * 9_999 * 5_000.0)
    assert printed(program) == [total, total, "True"]


def test_they_end_while_the_other_one_writes(printed):
    program = """
with kaon.create(f"{path}1", codec="lzma:9", cluster_entries=20_000) as out:
    out["events"].extend({"x": np.random.default_rng(1).random(200_000)})  # in the background
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        del out
        sys.exit()
    assert os.waitpid(child, 0)[1] == 0
print(len(kaon.open(f"{path}1:events")))
"""
    assert printed(program) == ["200000"]


def test_they_read_in_pools(printed):
    program = """
def sum_of(first):
    part = events.arrays("x", entry_start=first, entry_stop=first + 50_000)
    return float(part.x.to_numpy().sum())

events = kaon.open(path)["events"]
print(all_of(events))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(sum(pool.map(sum_of, range(0, 200_000, 50_000))))
"""
    assert printed(program) == [SUM, SUM]


SERVED = """
from http.server import ThreadingHTTPServer, BaseHTTPRequestHandler

contents = open(path, "rb").read()

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(200, b"", len(contents))

    def do_GET(self):
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        body = contents[first : last + 1]
        self.answer(206, body, len(body), f"bytes {first}-{last}/{len(contents)}")

    def answer(self, status, body, size, content_range=None):
        self.send_response(status)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(size))
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
events = kaon.open(f"http://127.0.0.1:{server.server_port}/many.kaon:events")
"""


def test_they_read_distant_files(printed):
    pytest.importorskip("aiohttp")
    program = """
print(all_of(events))
in_child(lambda: all_of(events))
print(all_of(events))
"""
    assert printed(SERVED + program) == [SUM] * 3


def test_they_end_while_the_other_one_fetches(printed):
    program = """
may_read, is_read = threading.Event(), threading.Event()
may_read.set()

class Slow(io.BufferedReader):
    def read(self, size=-1):
        is_read.set()
        may_read.wait(30)
        return super().read(size)

events = kaon.open(Slow(io.FileIO(path)))["events"]
may_read.clear(); is_read.clear()
reader = threading.Thread(target=lambda: print(all_of(events)))
reader.start()
assert is_read.wait(30)
child = os.fork()
if child == 0:
    signal.alarm(30)
    sys.exit()  # as a program ends, which waits for what is being fetched
ended = os.waitpid(child, 0)[1]
may_read.set()
reader.join()
assert ended == 0, ended
"""
    assert printed(program) == [SUM]
