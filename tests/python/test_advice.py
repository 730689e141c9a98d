"""The command `kaon advise`, and the records of reads that it takes."""

import json

import awkward as ak
import numpy as np
import pytest

import kaon


@pytest.fixture
def path(tmp_path):
    """A file that was written without a codec; half of its values are repetitions."""
    random = np.random.default_rng(3)
    counts = random.integers(0, 5, 4000)
    muons = ak.zip(
        {
            "pt": ak.unflatten(random.uniform(0, 100, counts.sum()).astype(np.float32), counts),
            "name": ak.unflatten(np.arange(counts.sum()) % 7000 // 10 * 1000003, counts),
        }
    )
    with kaon.create(tmp_path / "events.kaon", codec="none", encodings={"Muon.name": "raw"}) as out:
        out["events"].extend({"Muon": muons, "met": random.uniform(0, 50, 4000)})
        out["runs"].extend({"number": [7]})
    return tmp_path / "events.kaon"


def test_the_advice_is_right_for_the_converted_file(command, path, tmp_path):
    status, out, messages = command("advise", path, "--goal", "size", "--json")
    assert (status, messages) == (0, "")
    advice = json.loads(out)
    assert (advice["entries"], advice["sample"]) == (4000, 4000)
    size = kaon.open(path).size()
    assert advice["now"]["bytes"] == size.categories[0].bytes + size.other_bytes
    (best,) = [trial for trial in advice["trials"] if trial.pop("is_best")]
    assert best == advice["best"]
    assert best["bytes"] < 0.8 * advice["now"]["bytes"]
    program, subcommand, source, name, *options = advice["command"].split()
    assert (program, subcommand, source, name) == ("kaon", "convert", str(path), "OUT.kaon")
    assert command("convert", path, tmp_path / name, *options)[0] == 0
    assert kaon.open(tmp_path / name).size().categories[0].bytes == best["bytes"]


def test_every_subject_is_tried_and_measured(command, path):
    advice = json.loads(command("advise", path, "--sample", "16KB", "--goal", "size", "--json")[1])
    assert 0 < advice["sample"] < 4000
    subjects = {trial["subject"] for trial in advice["trials"]}
    assert subjects == {"codec", "encodings", "layout", "clusters", "pages"}
    for trial in advice["trials"]:
        assert trial["write_seconds"] > 0 and trial["read_seconds"] > 0 and trial["bytes"] > 0
    trials = [trial for trial in advice["trials"] if trial["subject"] == "codec"]
    by_codec = {trial["options"]["codec"]: trial["bytes"] for trial in trials}
    assert by_codec["none"] > by_codec["zstd:1"]  # scaled from the first entries
    assert 0.7 < by_codec["none"] / advice["now"]["bytes"] < 1.3
    assert advice["savings"]["Muon.pt"]["8"] > advice["savings"]["Muon.pt"]["16"] > 0


def test_bytes_count_more_where_they_come_slowly(command, path):
    """At one byte per second, the time that was measured in memory does not count."""
    for columns, names in (("met", ["met"]), ("Muon.pt", ["Muon", "Muon.pt"])):
        arguments = ["--read", columns, "--storage", "1B", "--json"]
        advice = json.loads(command("advise", path, *arguments)[1])
        sizes = {column.name: column for column in kaon.open(path).size().categories[0].columns}
        stored = sum(sizes[name].stored_bytes for name in names)
        assert stored < advice["now"]["read_seconds"] < 1.01 * stored


def test_advice_is_printed(command, path):
    status, out, _ = command("advise", path, "--goal", "size", "--sample", "16KB")
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0].startswith(f"{path}:events: tried ") and " of 4,000 entries, for" in lines[0]
    assert any(line.startswith("as it is ") or line.startswith("→ as it is") for line in lines)
    assert sum(line.startswith(("codec ", "→ codec ")) for line in lines) == 13
    assert any(line.startswith("Muon.pt -") for line in lines)


def test_reads_are_recorded(path, tmp_path):
    record = tmp_path / "reads.jsonl"
    events = kaon.open(path)["events"]
    with kaon.record_reads(record):
        events.arrays(["Muon.pt", "met"], entry_stop=100)
        events.arrays(["met"], entry_start=7, library="np")
        _ = events.arrow("Muon.name", flat=True).__arrow_c_stream__()
        ak.sum(events.arrays(virtual=True).Muon.pt)
        kaon.open(path)["runs"].arrays()
    events.arrays()  # after the record has ended
    reads = [json.loads(line) for line in record.read_text().splitlines()]
    assert [(read["category"], read["columns"], read["entries"]) for read in reads] == [
        ("events", ["Muon.pt", "met"], [0, 100]),
        ("events", ["met"], [7, 4000]),
        ("events", ["Muon.name"], [0, 4000]),
        ("events", ["Muon.pt"], [0, 4000]),
        ("runs", ["number"], [0, 1]),
    ]
    assert {read["file"] for read in reads} == {str(path)}


def test_advice_for_recorded_reads(command, path, tmp_path):
    record = tmp_path / "reads.jsonl"
    with kaon.record_reads(record):
        events = kaon.open(path)["events"]
        for first in (0, 50, 100):
            events.arrays("met", entry_start=first, entry_stop=first + 10)
        events.arrays("Muon.pt")
        kaon.open(path)["runs"].arrays()
    advice = json.loads(command("advise", path, "--trace", record, "--json")[1])
    assert advice["reads"] == [
        {"columns": ["met"], "entries": 10, "times": 3},
        {"columns": ["Muon.pt"], "entries": 4000, "times": 1},
    ]


def test_files_of_other_formats_are_judged(command, path, tmp_path):
    with kaon.create(tmp_path / "numbers.kaon") as out:
        out["events"].extend({"a": ak.zip({"x": [[1, 2], [3]], "y": [[1.5, 2.5], [3.5]]})})
    for name in ("tree.root", "numbers.hipo"):
        other = tmp_path / name
        format = "ttree" if name == "tree.root" else ""
        kaon.convert(tmp_path / "numbers.kaon", other, format=format, lossy=True)
        status, out, messages = command("advise", other, "--json")
        assert (status, messages) == (0, "")
        assert 0.5 < json.loads(out)["now"]["bytes"] / other.stat().st_size <= 1


def test_ctrl_c_leaves_nothing(path, tmp_path, run_python):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    program = f"""if True:
        import os, signal, tempfile, threading, time
        from pathlib import Path
        tempfile.tempdir = {str(scratch)!r}
        from kaon.command.cli import main
        def interrupt():
            while not [*Path(tempfile.tempdir).rglob("trial.kaon")]:
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        main(["advise", {str(path)!r}])
    """
    result = run_python("-c", program)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")
    assert [*scratch.iterdir()] == []


def test_mistakes(command, path, tmp_path):
    record = tmp_path / "reads.jsonl"
    for text, message in (
        (b"", "reads.jsonl: has no reads of the category 'events'"),
        (b'{"category": "runs", "columns": ["number"], "entries": [0, 1]}', "has no reads of"),
        (b'{"columns": 3}', "reads.jsonl:1: not a record of a read"),
        (b"7", "reads.jsonl:1: not a record of a read"),
        (b"\xff\xfe", "reads.jsonl:1: not a record of a read"),
    ):
        record.write_bytes(text)
        status, _, messages = command("advise", path, "--trace", record)
        assert status == 1 and message in messages
    status, _, messages = command("advise", path, "--read", "mett")
    assert status == 1 and "did you mean 'met'" in messages
    with kaon.create(tmp_path / "none.kaon") as out:
        out["events"].extend({"x": np.zeros(0)})
    status, _, messages = command("advise", tmp_path / "none.kaon")
    assert status == 1 and "has no entries to try" in messages
