"""Ctrl-C ends long work of C++ in all its threads, with any codec."""

import signal
import time

import numpy as np
import pytest

import kaon

PROGRAM = """
import os, signal, sys, threading, time
from pathlib import Path
import kaon

out = Path(sys.argv[2])

def interrupt():
    while not out.with_name(out.name + ".part").exists():
        time.sleep(0.001)
    time.sleep(0.5)  # by now, pages are being compressed
    print(time.time(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
options = {"page_bytes": 1 << 24, "cluster_bytes": 1 << 26} if out.suffix == ".kaon" else {}
kaon.convert(sys.argv[1], out, codec=sys.argv[3], **options)
"""


@pytest.mark.parametrize("suffix", [".kaon", ".root"])
@pytest.mark.parametrize("codec", ["zstd:22", "lzma:9"])
def test_ctrl_c_ends_a_conversion(run_python, tmp_path, codec, suffix):
    path, copy = tmp_path / "in.kaon", tmp_path / f"copy{suffix}"
    with kaon.create(path, codec="none") as out:
        random = np.random.default_rng(1)
        for _ in range(4):
            columns = {f"c{i}": random.normal(size=400_000) for i in range(8)}
            out["events"].extend(columns)
    result = run_python("-c", PROGRAM, path, copy, codec)
    left = time.time() - float(result.stdout)
    assert result.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in result.stderr
    assert left < 20  # a page takes longer if nothing stops it
    assert not copy.exists()


@pytest.fixture
def interruptible():
    """Let SIGINT raise KeyboardInterrupt, also in a job in the background, which ignores it."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def test_work_after_an_interruption_is_not_stopped(tmp_path, interruptible):
    path = tmp_path / "in.kaon"
    values = np.random.default_rng(1).random(200_000)
    with kaon.create(path, cluster_entries=10_000) as out:  # so that work is left when it stops
        out["events"].extend({"x": values})

    def interrupt(done):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        kaon.convert(path, tmp_path / "stopped.kaon", codec="lzma:9", progress=interrupt)
    kaon.convert(path, tmp_path / "copy.kaon", codec="lzma:9")
    assert kaon.open(tmp_path / "copy.kaon")["events"]["x"].array().to_list() == values.tolist()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
