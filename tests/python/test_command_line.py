import json
import os
import signal
from pathlib import Path

import awkward as ak
import numpy as np
import pytest

import kaon
from kaon.files.overview import columns as overview

ROOT = Path(__file__).parents[2]


def test_show(command, path):
    status, out, _ = command("show", path)
    assert status == 0
    assert f"{path.stat().st_size:,} bytes, model: detector" in out
    assert f"{path}:events, 3 entries" in out
    assert f"{path}:runs, 2 entries" in out
    (mass,) = [line.split() for line in out.splitlines() if " mass " in line]
    assert mass[:3] == ["mass", "float32", "[GeV]"]
    assert len(mass) == 6  # with codec, bytes and ratio


def test_show_of_a_url(command, path):
    pytest.importorskip("fsspec")
    status, out, _ = command("show", f"file://{path}")
    assert status == 0
    assert out.startswith(f"file://{path}: {path.stat().st_size:,} bytes, model: ")


def test_the_sum_is_in_one_line(command, tmp_path):
    with kaon.create(tmp_path / "short.kaon") as out:
        out["events"].extend({"x": [1]})
    assert "\n total  " in command("show", tmp_path / "short.kaon")[1]


def test_show_one_category(command, path):
    _, out, _ = command("show", f"{path}:runs")
    assert "Particles" not in out
    assert "number" in out


def test_show_selects_columns_by_name(command, path):
    status, out, _ = command("show", path, "Particles.m*", "weight")
    assert status == 0 and "mass" in out and "weight" in out
    assert "Hits" not in out and f"{path}:runs" not in out
    _, out, _ = command("show", "--json", "--bounds", path, "Particles.mass")
    (shown,) = json.loads(out)["categories"].values()
    assert [line["member"] for line in shown["columns"]] == ["mass"]
    assert [member["name"] for member in shown["bounds"]] == ["Particles.mass"]
    status, _, errors = command("show", path, "Particles.mas")
    assert status == 1 and "no column is called 'Particles.mas' (did you mean 'Particles." in errors


def test_show_json(command, path):
    status, out, _ = command("show", "--json", path)
    shown = json.loads(out)
    assert (status, shown["bytes"]) == (0, path.stat().st_size)
    assert shown["models"] == ["detector"]
    assert shown["categories"]["events"]["entries"] == 3
    columns = {(c["collection"], c["member"]): c for c in shown["categories"]["events"]["columns"]}
    mass = columns["Particles", "mass"]
    assert (mass["type"], mass["unit"], mass["decoded_bytes"]) == ("float32", "GeV", 16)
    assert mass["ratio"] == mass["decoded_bytes"] / mass["stored_bytes"]
    assert columns["Hits", ""]["layout"] == "row"


GOLDEN = ROOT.glob("tests/format/golden/*.kaon")
# A file whose descriptions of columns are lost cannot be shown.
FILES = [path for path in sorted(GOLDEN) if path.stem != "cluster-lost"]
FILES += [ROOT / "examples/ttbar/sample.kaon"]


@pytest.mark.filterwarnings("ignore::kaon.errors.IncompleteFileWarning")
@pytest.mark.parametrize("columns", [80, 60])
def test_show_fits_the_terminal(command, monkeypatch, columns):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", str(columns))
    for path in FILES:
        path = path.relative_to(ROOT)
        _, out, _ = command("show", path)
        lines = [line for line in out.splitlines() if not line.startswith(str(path))]
        assert max(map(len, lines), default=0) <= columns, path
        words = set(out.split())
        for category in kaon.open(path).values():
            for member in overview(category._core, category._schema):
                assert columns < 80 or member.collection in words or "." in member.member, path
                assert columns < 80 or not member.member or member.member in words, path
                number = f"{member.stored_bytes:,}"
                assert not member.codecs or number in words, path


@pytest.mark.parametrize("columns", [36, 60, 120])
def test_numbers_keep_their_digits_in_narrow_terminals(command, tmp_path, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    name = "a_name_that_is_as_long_as_a_trigger_path_can_be"
    with kaon.create(tmp_path / "long.kaon", codec="none") as out:
        out["events"].extend({name: np.arange(1000.0) ** 0.5})
    for arguments in (["show"], ["size"]):
        assert "8,000" in command(*arguments, tmp_path / "long.kaon")[1]
    _, _, _, *lines = command("show", tmp_path / "long.kaon")[1].splitlines()
    assert max(map(len, lines)) <= columns


def test_show_has_descriptions(command, tmp_path, monkeypatch):
    model = """options: {getSyntax: false}
schema_version: 1
datatypes:
  Hit:
    Description: "A hit"
    Author: "me"
    Members:
      - float energy [GeV] // the energy after calibration with muons from cosmic rays
"""
    (tmp_path / "model.yaml").write_text(model)
    options = {"model": tmp_path / "model.yaml", "types": {"hits": "Hit"}}
    with kaon.create(tmp_path / "hits.kaon", **options) as out:
        out["events"].extend({"hits": [[{"energy": 1.0}]]})
    monkeypatch.setenv("COLUMNS", "140")
    assert "calibration with muons from cosmic rays" in command("show", tmp_path / "hits.kaon")[1]
    monkeypatch.setenv("COLUMNS", "60")
    assert "calibration" not in command("show", tmp_path / "hits.kaon")[1]
    monkeypatch.setenv("COLUMNS", "66")
    chosen = command("show", tmp_path / "hits.kaon", "hits*")[1]
    assert {"calibration", "muons", "cosmic"} <= {*chosen.split()}


def test_show_wraps_long_lines(command, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    name = "a_name_that_goes_on_and_on_until_it_does_not_fit_into_the_first_column_at_all"
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({name: [1]})
    _, out, _ = command("show", tmp_path / "a.kaon")
    assert name in "".join(line.split(" ")[1] for line in out.splitlines()[4:] if line.strip())


@pytest.fixture
def told(tmp_path, model):
    """A file whose writer was given options of storage."""
    precision = {"energy": 14}
    momentum = {"momentum": {"low": 0, "high": 63.75, "step": 0.25}}
    storage = {
        "Hits": {"layout": "row", "group": "event", "precision": precision},
        "Particles": {"layout": "member", "group": "event", "precision": momentum},
    }
    path = tmp_path / "told.kaon"
    options = {"storage": storage, "tags": ["run", "met"], "keys": ["run"]}
    with kaon.create(
        path, model=model, missing_members="default", encodings={"met": "raw"}, **options
    ) as out:
        hits, particles = [[{"cell": 1}]], [[{"PDG": 1}]]
        values = {"run": [1], "met": [0.5]}
        out["events"].extend({"Hits": hits, "Particles": particles, **values})
    return path


def test_show_tells_how_it_lies(command, told):
    _, out, _ = command("show", told)
    lines = {" ".join(line.split()) for line in out.splitlines()}
    for begin in (
        "Hits demo::Hit row, group event",
        "energy float32 [keV] 14 bits",
        "Particles demo::Particle member, group event",
        "momentum.x float32 [GeV] 0..63.75 step 0.25",
        "run int64 tag, key",
        "met float64 tag, raw",
    ):
        assert any(line.startswith(begin) for line in lines), begin
    _, out, _ = command("show", "--json", told)
    columns = json.loads(out)["categories"]["events"]["columns"]
    by_name = {(column["collection"], column["member"]): column for column in columns}
    assert by_name["run", ""]["use"] == ["tag", "key"]
    assert by_name["Hits", ""]["group"] == "event"
    assert by_name["Hits", "energy"]["precision"] == "14 bits"


def test_show_an_incomplete_file(command, path):
    os.truncate(path, path.stat().st_size - 1)
    status, out, told = command("show", path)
    assert status == 0
    assert f"{path}:events, 3 entries, not complete" in out
    assert told.startswith(f"kaon: warning: {path}: does not end as a kaon file does")
    assert len(told.splitlines()) == 1
    _, out, _ = command("show", "--json", path)
    assert json.loads(out)["is_complete"] is False


def test_dump(command, path):
    status, out, _ = command("dump", path)
    assert status == 0
    assert f"{path}:events, entry 0" in out
    assert "Particles: 3 x demo::Particle" in out
    assert "[Particles[1], Particles[2]]" in out
    assert "title    = [the first one]" in out
    status, out, _ = command("dump", path, "--entry", -1)
    assert status == 0
    assert "entry 2" in out
    assert "Hits" not in out


def test_dump_json_equals_the_arrays(command, path, events, contents):
    for entry, expected in enumerate(contents(events)):
        status, out, _ = command("dump", "--json", f"{path}:events", "--entry", entry)
        present = {name: value for name, value in expected.items() if value is not None}
        assert (status, json.loads(out)) == (0, present)


def test_dump_cuts_long_collections(command, tmp_path, model):
    with kaon.create(tmp_path / "a.kaon", model=model, missing_members="default") as out:
        out["events"].extend({"Hits": [[{"cell": i} for i in range(100, 150)]]})
    _, out, _ = command("dump", tmp_path / "a.kaon")
    assert "... and 30 more: --all shows them" in out
    assert " 149 " not in out
    _, out, _ = command("dump", tmp_path / "a.kaon", "--all")
    assert " 149 " in out


def test_dump_has_tables_of_records_without_a_model(command, tmp_path):
    muons = ak.Array([[{"pt": 10.5, "hits": [1, 2]}, {"pt": 3.0, "hits": []}]])
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"Muon": muons, "met": [4.0]})
    _, out, _ = command("dump", tmp_path / "a.kaon")
    _, title, _, heads, _, *rows, _, met = out.splitlines()
    assert (title, met) == ("Muon: 2 x record", "met = 4")
    assert [line.split() for line in (heads, *rows)] == [
        ["pt", "hits"],
        ["0", "10.5", "[1,", "2]"],
        ["1", "3", "[]"],
    ]


def test_dump_cuts_long_lists(command, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"adc": [range(100, 150)], "few": [range(20)]})
    _, out, _ = command("dump", tmp_path / "a.kaon")
    assert "118, 119, ... and 30 more: --all shows them]" in out
    assert "18, 19]" in out
    _, out, _ = command("dump", tmp_path / "a.kaon", "--all")
    assert "148, 149]" in out


@pytest.fixture
def terminal(monkeypatch):
    """Make the standard output a terminal of 80 columns."""
    monkeypatch.setattr("kaon.files.overview.terminal_width", lambda _: 80)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("terminal")
def test_dump_fits_a_terminal(command):
    sample = ROOT / "examples" / "ttbar" / "sample.kaon"
    _, out, _ = command("dump", sample, "--entry", 2)
    lines = out.splitlines()[1:]
    assert max(map(len, lines)) <= 80
    collection = kaon.open(sample)["events"]["MCParticles"]
    words = set(out.split())
    names = {key.removeprefix("MCParticles.") for key in collection.keys()}
    assert words >= {name for name in names if not name.endswith((".index", ".collection"))}
    assert {"[GeV]", "[mm]", "[mm/c]"} <= words
    assert "173.191" in words
    assert sum(line.split()[:1] == ["19"] for line in lines) > 2  # in each of the tables


def test_dump_has_a_line_for_each_object_elsewhere(command):
    _, out, _ = command("dump", ROOT / "examples" / "ttbar" / "sample.kaon", "--all")
    assert sum(line.split()[:1] == ["19"] for line in out.splitlines()) == 1


@pytest.mark.usefixtures("terminal")
def test_size_fits_a_terminal(command):
    sample = ROOT / "examples" / "ttbar" / "sample.kaon"
    _, out, _ = command("size", sample)
    lines = [line for line in out.splitlines() if str(sample) not in line]
    assert max(map(len, lines)) <= 80
    words = {word.removesuffix(",") for word in out.split()}
    for column in kaon.open(sample).size().categories[0].columns:
        assert {column.name, f"{column.stored_bytes:,}"} <= words


@pytest.mark.usefixtures("terminal")
def test_sql_fits_a_terminal(command):
    sample = ROOT / "examples" / "ttbar" / "sample.kaon"
    statement = "select MCParticles, MCParticles as same, MCParticles as again from events"
    _, out, _ = command("sql", sample, statement)
    assert out.count("...") > 6 and max(map(len, out.splitlines())) <= 80


def test_generate(command, tmp_path, model):
    assert command("generate", model, "-o", tmp_path, "--name", "demo") == (0, "", "")
    assert (tmp_path / "demo" / "ParticleCollection.h").exists()
    _, out, _ = command("generate", model, "-o", tmp_path, "--name", "demo", "--json")
    assert str(tmp_path / "demo" / "ParticleCollection.h") in json.loads(out)["files"]


def test_mistakes_of_a_model_are_told_with_their_places(command, tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text("schema_version: 1\ndatatypes:\n  A:\n    Description: a\n")
    status, _, messages = command("generate", model, "-o", tmp_path)
    assert status == 1
    assert messages.startswith(f"{model}:3:3: ")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["show", "no.kaon"], 1, "kaon: no.kaon: cannot open: No such file or directory"),
        (["show", "{path}:event"], 1, "kaon: {path}: has no category 'event' (did you mean"),
        (["dump", "{path}", "--entry", "3"], 1, "kaon: {path}:events: has no entry 3, only 3"),
        (["show", "{text}"], 1, "kaon: {text}: is not a kaon file"),
        (["generate", "{path}", "-o", "{text}"], 1, "{path}:1:1: "),
        (["generate", "{model}", "-o", "{text}"], 1, "kaon: "),
        (["generate", "{model}", "-o", ".", "--name", "a/b"], 2, "kaon: 'a/b' cannot be the name"),
        (["show"], 2, "usage: "),
        (["frobnicate"], 2, "usage: "),
        ([], 2, "usage: "),
    ],
)
def test_errors(command, path, model, tmp_path, arguments, status, message):
    text = tmp_path / "text"
    text.write_text("text")
    places = {"path": path, "text": text, "model": model}
    got, out, messages = command(*(argument.format(**places) for argument in arguments))
    assert (got, out) == (status, "")
    assert messages.startswith(message.format(**places))
    if status == 1:
        assert messages.count("\n") == 1


def test_a_command_that_does_not_exist_gets_the_nearest_one(command):
    status, _, message = command("shwo", "a.kaon")
    assert status == 2
    assert "there is no command 'shwo' (did you mean 'show'?); `kaon --help` lists" in message


@pytest.mark.parametrize(("name", "kaon_name"), [("relayout", "convert"), ("hadd", "merge")])
def test_commands_of_other_programs_get_the_name_of_kaons_command(command, name, kaon_name):
    status, _, message = command(name, "a.kaon", "b.kaon")
    assert status == 2
    assert f"there is no command '{name}'; use '{kaon_name}' to " in message


def test_unknown_options_are_reported_with_the_usage(command, path):
    status, _, message = command("head", path, "--cuont", 3)
    assert status == 2
    assert message.startswith("usage: kaon head ")
    assert "there is no option '--cuont' (did you mean '--count'?)" in message
    status, _, message = command("dump", path, "-n", 1)
    assert message.endswith("there is no option '-n'\n")  # it does not suggest -h
    status, _, message = command("dump", path, "more")
    assert (status, "unexpected argument 'more'" in message) == (2, True)


@pytest.mark.parametrize(
    "name",
    [
        *("show", "dump", "head", "plot", "sql", "skim", "train", "merge", "convert", "verify"),
        *("size", "advise", "generate", "model", "diff"),
    ],
)
def test_every_command_can_print_json(command, name):
    status, out, _ = command(name, "--help")
    assert status == 0 and "--json" in out


def test_a_file_of_several_categories_needs_a_choice(command, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["a"].extend({"x": [1]})
        out["b"].extend({"x": [1]})
    status, _, messages = command("dump", tmp_path / "a.kaon")
    assert status == 1
    assert "name one of the categories a, b: FILE:CATEGORY" in messages


def test_the_command_as_a_process(run_python, path):
    done = run_python("-m", "kaon", "show", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Particles" in done.stdout
    done = run_python("-m", "kaon", "show", "no.kaon")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "kaon: no.kaon: cannot open: No such file or directory\n"
    assert run_python("-m", "kaon").returncode == 2
    assert run_python("-m", "kaon", "--version").stdout == f"kaon {kaon.__version__}\n"


def test_a_broken_pipe_ends_quietly(run_python, path):
    code = """if True:
        import os, sys
        from kaon.command.cli import main
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(writer)
        os.close(reader)  # nobody reads
        sys.exit(main(sys.argv[1:]))
    """
    for command in (["show", path], ["dump", path, "--json"]):
        done = run_python("-c", code, *command)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["convert", "merge", "train"])
def test_ctrl_c_ends_a_command_at_once_and_leaves_nothing(tmp_path, run_python, command):
    path, copy, plan = (tmp_path / name for name in ("noise.kaon", "copy.kaon", "plan.yaml"))
    with kaon.create(path, codec="none") as out:
        out["events"].extend({"x": np.random.default_rng(1).random(4_000_000)})
    more = "".join(f", {i}.kaon: {{select: x > 0.0{i}}}" for i in range(1, 9))  # this takes a while
    plan.write_text(
        "codec: lzma:9\ndecisions: d.kaon\noutputs: {copy.kaon: {select: x > 0.1}" + more + "}"
    )
    before = sorted(tmp_path.iterdir())
    program = (
        "import os, signal, sys, threading, time\n"
        "from pathlib import Path\n"
        "from kaon.command.cli import main\n"
        "def interrupt():\n"
        "    while not Path(sys.argv[1] + '.part').exists():\n"
        "        time.sleep(0.001)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "main(sys.argv[2:])\n"
    )
    arguments = {
        "convert": ("convert", path, copy, "--codec", "lzma:9"),
        "merge": ("merge", *[path] * 20, copy),
        "train": ("train", plan, f"{path}:events", "--directory", tmp_path),
    }
    result = run_python("-c", program, copy, *arguments[command])
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("module", ["kaon.command.cli", "kaon.command.looking"])
def test_ctrl_c_ends_a_command_that_has_hardly_begun(run_python, module):
    program = (
        "import os, runpy, signal, sys\n"
        "class Interruption:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == sys.argv[1]:\n"
        "            sys.argv[1:] = ['--version']\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interruption())\n"
        "runpy.run_module('kaon', run_name='__main__')\n"
    )
    result = run_python("-c", program, module)
    assert (result.returncode, result.stdout, result.stderr) == (-signal.SIGINT, "", "")
