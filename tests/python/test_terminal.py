"""Names and texts of files cannot control terminals, nor reorder pages."""

import ast
import json
import pydoc
from pathlib import Path

import pytest
import yaml

import kaon
from kaon.command.cli import main
from kaon.modelgen.mistakes import OBEYED, printable

EVIL = "\x1b[31m\x9b\u202eevil\x07"
MODEL = {
    "name": "x",
    "schema_version": 1,
    "datatypes": [
        {
            "name": "x::A",
            "description": f"first\n{EVIL}",
            "author": EVIL,
            "members": [{"name": "i", "type": "int", "unit": EVIL, "comment": f"{EVIL}\nfake: 1"}],
        }
    ],
}


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """Make a file whose names and texts have characters that terminals obey."""
    path = tmp_path / "evil.kaon"
    with kaon.create(path) as out:
        out._core.add_document("model:x", json.dumps(MODEL))
        out["events"].extend({f"a{EVIL}": [1.0, 2.0], "text": [EVIL, f"{EVIL}\n"]})
        out[f"runs{EVIL}"].extend({"b": [1]})
    return path


def obeyed(text: str) -> list[str]:
    return [character for character in OBEYED.findall(text) if character != "\n"]


COMMANDS = ["show", "show --bounds", "dump", "head", "model", "verify", "size"]


@pytest.mark.parametrize("command", [*COMMANDS, *(f"{command} --json" for command in COMMANDS)])
def test_commands_escape(evil: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    name, *options = command.split()
    file = f"{evil}:events" if name in ("dump", "head") else str(evil)
    assert main([name, file, *options]) == 0
    captured = capsys.readouterr()
    assert obeyed(captured.out + captured.err) == []
    if options == ["--json"]:
        json.loads(captured.out)


def test_merging_and_comparing_escape(
    evil: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["merge", str(evil), str(evil), str(tmp_path / "merged.kaon")]) == 0
    changed = {**MODEL, "datatypes": [{**MODEL["datatypes"][0], "members": []}]}
    other = tmp_path / "other.kaon"
    with kaon.create(other) as out:
        out._core.add_document("model:x", json.dumps(changed))
    assert main(["diff", str(evil), str(other)]) == 1
    captured = capsys.readouterr()
    assert "x::A.i" in captured.out
    assert obeyed(captured.out + captured.err) == []
    assert captured.out.count("\n") == 3  # two categories and a change: names begin no lines


def test_json_and_yaml_keep_the_texts(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", str(evil), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["datatypes"][0]["author"] == EVIL
    assert main(["model", str(evil)]) == 0
    types = yaml.safe_load(capsys.readouterr().out)["datatypes"]
    assert types["x::A"]["Author"] == EVIL


def test_help_and_cards_escape(evil: Path) -> None:
    with kaon.open(evil) as file:
        model = file.models["x"]
        shown = pydoc.render_doc(model.A, renderer=pydoc.plaintext)
        assert printable(EVIL) in shown
        assert obeyed(shown) == []
        pages = (file, file["events"], model, file.models, model.A())
        for page in pages:
            assert obeyed(page._repr_html_()) == []
            assert obeyed(repr(page)) == []
        assert obeyed(str(model.A.i.__doc__)) == []


def test_everything_is_printed_by_one_function() -> None:
    package = Path(kaon.__file__).parent
    printing = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
                printing.add(path.relative_to(package).as_posix())
    # The generator is above `terminal`, a trace is a file, and the others print nothing of files.
    assert printing == {
        "terminal.py",
        "modelgen/__main__.py",
        "columns/trace.py",
        "command/cli.py",
    }
