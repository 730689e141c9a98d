"""The command `kaon browse`, used as someone at the terminal uses it."""

import asyncio
import contextlib
import io
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import kaon
from kaon.command.categories import open_categories
from kaon.command.cli import main

pytest.importorskip("textual")


@pytest.fixture
def browse(path):
    """The function that presses keys; it returns the text about a line and the tree's lines."""
    from textual.widgets import Input, Static, Tree

    from kaon.command.browser import Browser

    def run(*keys, search="", file=path, seconds=None, size=(120, 45)):
        async def use():
            opened, categories = open_categories(str(file))
            app = Browser(opened.path, categories, list(opened.objects.values()))
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                app.query_one(Input).value = search
                await pilot.pause()
                for key in keys:
                    begin = time.perf_counter()
                    await pilot.press(key)
                    if seconds is not None:
                        seconds.append(time.perf_counter() - begin)
                await app.workers.wait_for_complete()
                await pilot.pause()
                if app.return_code is not None:
                    return "", [], app.return_code
                console = Console(width=size[0] // 2, file=io.StringIO())
                console.print(app.query_one("#details", Static).content)
                tree = app.query_one(Tree)
                texts = []

                def walk(node):
                    texts.append(str(node.label))
                    for child in node.children:
                        walk(child)

                walk(tree.root)
                return console.file.getvalue(), texts, None

        return asyncio.run(use())

    return run


def test_the_tree_has_categories_collections_and_members(browse, path):
    _, tree, _ = browse()
    assert tree[0] == str(path)
    assert "events  3 entries" in tree and "runs  2 entries" in tree
    at = tree.index("Particles  demo::Particle")
    assert tree[at + 1 : at + 3] == ["PDG  int32", "mass  float32 [GeV]"]
    assert "weight  float64" in tree


def test_objects_are_lines_with_their_contents(browse, tmp_path):
    hist = pytest.importorskip("hist")
    path = tmp_path / "o.root"
    values = {
        "a/h": hist.Hist.new.Reg(4, 0, 2, label="pt").Double().fill([0.1, 0.2, 1.9]),
        "b/h": hist.Hist.new.Reg(2, 0, 1).Reg(2, 0, 1).Double().fill([0.1], [0.9]),
        "text": "some words",
    }
    with kaon.create(path) as out:
        for name, value in values.items():
            out[name] = value
    with kaon.append(path) as out:
        out["a/h"] = values["a/h"]
    _, tree, _ = browse(file=path)
    lines = ["text  TObjString", "a/h  TH1D", "a/h;1  TH1D", "b/h  TH2D"]
    assert tree == [str(path), "objects", *lines]
    shown, tree, _ = browse("slash", "enter", "down", search="a/h;1", file=path)
    assert tree == [str(path), "objects", "a/h;1  TH1D"]
    facts = [" ".join(line.split()) for line in shown.splitlines()]
    assert "class TH1D" in facts
    assert "4 bins, sum 3" in facts
    assert "pt" in facts
    shown, _, _ = browse("slash", "enter", "down", search="text", file=path)
    assert "some words" in shown
    assert "TH2D" in browse("slash", "enter", "down", search="b/h", file=path)[0]


def test_a_line_shows_description_type_and_distribution(browse, events):
    shown, _, _ = browse("slash", "enter", "down", search="mass")
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[:2] == ["Particles.mass", "rest mass"]
    assert "type float32" in lines and "unit GeV" in lines
    mass = np.ravel(events["Particles.mass"].array(library="np"))
    assert f"4 values from {mass.min():g} to {mass.max():g}" in lines
    assert sum(line.count("█") for line in lines) >= 12
    assert lines[-1] == "all entries"


def test_a_search_finds_members_by_the_names_of_branches(browse):
    _, tree, _ = browse(search="Particles_mass")
    assert "Particles.mass  float32 [GeV]" in tree


def test_a_histogram_fits_a_small_terminal(browse):
    shown, _, _ = browse("slash", "enter", "down", search="mass", size=(80, 24))
    lines = shown.splitlines()
    bars = [line for line in lines if "█" in line]
    assert len(lines) <= 22 and len(bars) == 8
    assert max(map(len, bars)) <= 35  # the width of its half of the screen


def test_missing_parts_are_reported_at_the_top(browse, tmp_path, path):
    with kaon.create(tmp_path / "empty.kaon"):
        pass
    assert "no categories" in browse("home", file=tmp_path / "empty.kaon")[0]
    assert browse("home")[0].strip() == ""
    path.write_bytes(path.read_bytes()[:-96])  # the end record
    with pytest.warns(kaon.errors.IncompleteFileWarning):
        assert "is unfinished" in browse("home")[0]


def test_it_needs_a_terminal(path, capfd):
    assert main(["browse", str(path)]) == 1
    assert "browse needs a terminal" in capfd.readouterr().err


def test_strings_are_shown_as_they_are(browse):
    shown, _, _ = browse("slash", "enter", "down", search="title")
    assert "the first one" in shown and "größte" in shown


@pytest.mark.parametrize("searched", ["Mass", "GeV", "rest m"])
def test_names_units_and_descriptions_are_searched(browse, searched):
    _, tree, _ = browse(search=searched)
    assert "Particles.mass  float32 [GeV]" in tree
    assert not any("title" in line for line in tree)


def test_typed_text_is_searched_until_escape(browse):
    _, tree, _ = browse("slash", *"tit")
    assert tree[1:] == ["events  3 entries", "title  string[]"]
    assert len(browse("slash", *"tit", "escape")[1]) > 20


def test_ctrl_c_ends_it_as_it_does_other_commands(browse):
    assert browse("ctrl+c")[2] == 130
    assert browse("q")[2] == 0


@pytest.mark.parametrize(("key", "status"), [(b"\x03", 130), (b"q", 0)])
def test_it_leaves_the_terminal_as_it_was_and_at_once(path, key, status):
    """The end of a Python process takes longer than everything else."""
    script = "import atexit; from kaon.command.cli import main; atexit.register(print, 'down'); "
    command = [sys.executable, "-c", f"{script}main(['browse', {str(path)!r}])"]
    folder = str(Path(kaon.__file__).parents[1])
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": folder}
    terminal, inner = pty.openpty()
    with subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env=environment
    ) as process:
        os.close(inner)
        shown = b""
        while b"entries" not in shown:  # the tree is there now
            shown += os.read(terminal, 65536)
        os.write(terminal, key)
        with contextlib.suppress(OSError):  # Linux raises it when nobody writes any more
            while some := os.read(terminal, 65536):
                shown += some
    os.close(terminal)
    assert process.returncode == status
    assert shown.count(b"\x1b[?1049h") == shown.count(b"\x1b[?1049l") == 1  # the alternate screen
    assert b"down" not in shown[shown.index(b"\x1b[?1049l") :]


def test_damage_is_told_where_it_is_met(browse, path):
    raw = bytearray(path.read_bytes())
    raw[raw.index("größte".encode()) + 2] ^= 1
    path.write_bytes(raw)
    shown, _, _ = browse("slash", "enter", "down", search="title")
    assert "checksum" in shown.replace("\n", " ")
    shown, _, _ = browse("slash", "enter", "down", search="weight")
    assert "values from" in shown


def test_names_give_terminals_no_orders(browse, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["run\x1b[31m"].extend({"MET\x1b[2J": [1.0, 2.0]})
    shown, tree, _ = browse("slash", "enter", "down", search="met", file=tmp_path / "a.kaon")
    assert shown.startswith("MET\\x1b[2J") and "values from" in shown
    assert tree[1:] == ["run\\x1b[31m  2 entries", "MET\\x1b[2J  float64"]


def test_ten_thousand_columns_do_not_make_it_slow(browse, tmp_path):
    columns = {f"column_{number:05}": np.arange(2.0) for number in range(10_000)}
    with kaon.create(tmp_path / "wide.kaon") as out:
        out["events"].extend(columns)
    seconds = []
    keys = ("slash", "end", "9", "enter", "down")
    shown, tree, _ = browse(*keys, search="_099", file=tmp_path / "wide.kaon", seconds=seconds)
    assert shown.startswith("column_09990")
    assert tree[2:] == [f"column_0999{digit}  float64" for digit in range(10)]
    assert max(seconds) < 4  # in tenths of a second, if nobody else uses the machine


def test_a_search_shows_some_of_many_matches(browse, monkeypatch):
    monkeypatch.setattr("kaon.command.browser._MOST_MATCHES", 2)
    _, tree, _ = browse(search="particles")
    assert len(tree) == 5  # with the file, the category and the last line
    assert tree[-1].startswith("and ") and tree[-1].endswith(" more")
