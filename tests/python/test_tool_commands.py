"""The commands `kaon verify`, `kaon size` and `kaon convert`."""

import json

import numpy as np
import pytest

import kaon


@pytest.fixture
def damaged(path, tmp_path):
    """A copy of the file in which the last byte of a page is wrong."""
    damaged = tmp_path / "damaged.kaon"
    raw = bytearray(path.read_bytes())
    raw[raw.index("größte".encode()) + 2] ^= 1
    damaged.write_bytes(raw)
    return damaged


def test_verify(command, path, damaged):
    status, out, messages = command("verify", path)
    assert (status, messages) == (0, "")
    assert out.startswith(f"{path}: sound: ")
    assert out.count("\n") == 1
    status, out, _ = command("verify", path, damaged)
    assert status == 1
    assert f"{path}: sound: " in out
    assert f"{damaged}: damaged: 1 finding in " in out
    (line,) = [line for line in out.splitlines() if "does not match its checksum" in line]
    assert line.split()[:5] == ["events", "title.text", "0", "to", "2"]


def test_verify_continues_after_a_file_of_no_known_format(command, path):
    status, out, messages = command("verify", "no.kaon", path)
    assert status == 1
    assert messages == "kaon: no.kaon: cannot open: No such file or directory\n"
    assert out.startswith(f"{path}: sound: ")


def test_verify_json(command, path, damaged):
    status, out, _ = command("verify", "--json", path, damaged)
    sound, found = json.loads(out)
    assert status == 1
    assert (sound["path"], sound["is_sound"], sound["findings"]) == (str(path), True, [])
    assert (found["is_sound"], found["findings"][0]["column"]) == (False, "title.text")


def test_size(command, path):
    status, out, _ = command("size", path)
    assert status == 0
    assert f"{path}:events, 3 entries" in out
    (mass,) = [line.split() for line in out.splitlines() if " Particles.mass " in line]
    assert mass[1] == "values"
    (last,) = [line.split() for line in out.splitlines() if line.split()[:1] == ["all"]]
    assert last == ["all", f"{path.stat().st_size:,}", "100.0%"]
    _, top, _ = command("size", path, "--top", 2, "--precision")
    assert len(top) < len(out)
    assert "estimated savings by keeping bits of the mantissa" in top
    assert "12 bits" in top


def test_size_json(command, path):
    status, out, _ = command("size", "--json", "--precision", path)
    size = json.loads(out)
    assert (status, size["bytes"]) == (0, path.stat().st_size)
    events = size["categories"][0]
    assert events["collections"]["Particles"] > 0
    assert "Particles.mass" in events["savings"]
    assert any(column["role"] == "counts" for column in events["columns"])


def test_convert(command, path, tmp_path):
    out = tmp_path / "out.kaon"
    status, printed, messages = command(
        *("convert", path, out),
        *("--layout", "row", "--layout", "Particles=member", "--codec", "zstd:3"),
        *("--flush", 2, "--page", "4KB", "--group", "Particles=g"),
        *("--precision", "Particles.mass=4", "--precision", "Hits.energy=0:100:12"),
        *("--encoding", "Particles.PDG=raw", "--tag", "weight", "--key", "number"),
        *("--encoding", "Particles.qualities.flag=packed:delta", "--goal", "speed"),
    )
    assert (status, messages) == (0, "")
    assert printed.startswith(f"{out}: {out.stat().st_size:,} bytes, ")
    events = kaon.open(out)["events"]
    assert events["Particles.PDG"].array().tolist() == [[23, 11, -11], [], [22]]
    assert events["Particles.mass"].array()[0][0] == 92
    _, shown, _ = command("show", "--json", out)
    columns = json.loads(shown)["categories"]["events"]["columns"]
    layouts = {c["collection"]: c["layout"] for c in columns if not c["member"]}
    assert (layouts["Particles"], layouts["Hits"]) == ("member", "row")
    assert json.loads(shown)["categories"]["events"]["clusters"] == 2


def test_nothing_is_left_of_a_copy_that_failed(command, damaged, tmp_path):
    new = tmp_path / "new"
    new.mkdir()
    status, _, messages = command("convert", damaged, new / "a.root")
    assert status == 1 and "does not match its checksum" in messages
    status, _, messages = command("skim", damaged, new / "a.kaon", "--cut", "count(title) > -1")
    assert status == 1
    assert not [*new.iterdir()]


def test_convert_replaces_files_only_by_force(command, path, tmp_path):
    (tmp_path / "out.kaon").write_bytes(b"what is there")
    status, _, messages = command("convert", path, tmp_path / "out.kaon")
    assert status == 1
    assert "out.kaon: exists already; `overwrite=True`, or --force, replaces it" in messages
    assert command("convert", "--force", path, tmp_path / "out.kaon")[0] == 0
    assert kaon.verify(tmp_path / "out.kaon").is_sound


def test_convert_takes_patterns(command, path, tmp_path):
    for name in ("1.kaon", "2.kaon"):
        (tmp_path / name).write_bytes(path.read_bytes())
    out = tmp_path / "out.kaon"
    status, printed, messages = command("convert", tmp_path / "[12].kaon", out)
    assert (status, messages) == (0, "")
    assert printed.rstrip().endswith("of 2 files")
    assert len(kaon.open(out)["events"]) == 2 * len(kaon.open(path)["events"])


def test_convert_json(command, path, tmp_path):
    out = tmp_path / "out.kaon"
    status, printed, _ = command("convert", "--json", "--flush", "1MB", path, out)
    assert status == 0
    assert json.loads(printed) == {
        "path": str(out),
        "bytes": out.stat().st_size,
        "bytes_before": path.stat().st_size,
    }


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["verify"], 2, "usage: "),
        (["size", "no.kaon"], 1, "kaon: no.kaon: cannot open: No such file or directory"),
        (["size", "{path}", "--top", "0"], 2, "usage: "),
        (["convert", "{path}"], 2, "usage: "),
        (
            ["convert", "{path}", "o", "--goal", "sped"],
            1,
            "kaon: 'sped' is not a value of 'goal'",
        ),
        (["convert", "{path}", "{path}"], 1, "kaon: {path}: is the file to be read"),
        (["convert", "{path}", "{path}/o"], 1, "kaon: {path}/o.part: cannot create: Not a dir"),
        (["convert", "{path}", "o", "--codec", "zst"], 1, "kaon: "),
        (
            ["convert", "{path}", "o", "--codec", "zstd:x"],
            1,
            "kaon: expected a codec such as zstd:3",
        ),
        (["convert", "{path}", "o", "--codec", "zstd:99"], 1, "kaon: zstd has the levels -7 to 22"),
        (["convert", "{path}", "o", "--flush", "0"], 2, "usage: "),
        (["convert", "{path}", "o", "--page", "4"], 2, "usage: "),
        (["convert", "{path}", "o", "--group", "Hits"], 2, "usage: "),
        (["convert", "{path}", "o", "--precision", "Hits.energy=1:2"], 2, "usage: "),
        (["convert", "{path}", "o", "--layout", "Hit=row"], 1, "kaon: {path}: has no collection"),
        (["convert", "{path}", "o", "--key", "wait"], 1, "kaon: {path}: has no parameter,"),
    ],
)
def test_errors(command, path, arguments, status, message):
    got, out, messages = command(*(argument.format(path=path) for argument in arguments))
    assert (got, out) == (status, "")
    assert messages.startswith(message.format(path=path))


def test_merge_joins_small_files(command, tmp_path):
    for number in range(2):
        with kaon.create(tmp_path / f"{number}.kaon") as out:
            out["events"].extend({"met": np.arange(1000.0) + number})
    inputs, joined = tmp_path / "[01].kaon", tmp_path / "joined.kaon"
    status, out, messages = command("merge", inputs, joined)
    assert (status, messages) == (0, "")
    assert "events: 0 entries copied, 2,000 of small clusters joined, 0 encoded again" in out
    met = kaon.open(joined)["events"].arrays().met
    assert met.tolist() == [*np.arange(1000.0), *(np.arange(1000.0) + 1)]
    merged = json.loads(command("merge", inputs, "-o", joined, "--force", "--json")[1])
    counts = {"entries": 2000, "copied_entries": 0, "joined_entries": 2000}
    assert merged == [{"name": "events", **counts}]


def test_merge_replaces_only_its_output(command, tmp_path):
    out, *inputs = (tmp_path / f"{name}.kaon" for name in ("out", "a", "b"))
    for number, path in enumerate((out, *inputs)):
        with kaon.create(path) as written:
            written["events"].extend({"number": [number]})
    for force in ([], ["--force"]):  # hadd takes the output first
        status, _, messages = command("merge", *force, out, *inputs)
        assert status == 1
        assert "b.kaon: exists already, and the last argument is the file to write" in messages
        assert f"; `IN... -o {inputs[1]} --force` replaces it" in messages
    assert "b.kaon: exists already" in command("merge", out, "-o", inputs[1])[2]
    assert kaon.open(inputs[1])["events"].arrays().number.tolist() == [2]
    assert command("merge", "--force", "-o", out, *inputs)[0] == 0
    assert kaon.open(out)["events"].arrays().number.tolist() == [1, 2]
    status, _, messages = command("merge", out)
    assert status == 2
    assert "name the file to write: IN..." in messages


def test_merge_copies_stored_pages(command, tmp_path):
    inputs, joined = [tmp_path / "0.kaon", tmp_path / "1.kaon"], tmp_path / "joined.kaon"
    for path in inputs:
        with kaon.create(path, codec="none") as out:
            out["events"].extend({"met": np.arange(200_000.0)})
    status, out, messages = command("merge", *inputs, joined)
    assert (status, messages) == (0, "")
    assert "events: 400,000 entries copied, 0 encoded again" in out


def test_convert_says_how_losses_are_allowed(command, path, tmp_path):
    status, _, messages = command("convert", path, tmp_path / "a.hipo")
    assert status == 1
    assert "--lossy (in Python, lossy=True) leaves them out" in messages
    assert command("convert", path, tmp_path / "a.hipo", "--lossy")[0] == 0
