"""The command `kaon head`, and the scripts of `kaon completion` in real shells."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import awkward as ak
import numpy as np
import pytest
import uproot

import kaon
from kaon.command.cli import main


def test_head_prints_columns_that_fit_and_names_the_others(
    path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["head", f"{path}:events", "-n", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Particles.PDG") and len(lines) == 4
    assert lines[1].startswith("[23, 11, -11]") and lines[2].startswith("[]")
    assert all(len(line) <= 60 for line in lines[:3])
    assert lines[3].startswith("and ") and "Particles.mass" in " ".join(lines)
    many = {f"trigger{i}": np.zeros(2, bool) for i in range(1000)}
    with kaon.create(tmp_path / "many.kaon") as out:
        out["events"].extend(many)
    assert main(["head", f"{tmp_path}/many.kaon"]) == 0
    *_, more = capsys.readouterr().out.splitlines()
    assert more.startswith("and 994 more: trigger6, trigger7,") and len(more) <= 4 * 60
    assert more.endswith(", … (see kaon show)")


def test_head_computes_and_cuts(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["head", f"{path}:events", "count(Particles)", "--cut", "count(Particles) > 0"]
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"count(Particles)": 3},
        {"count(Particles)": 1},
    ]
    assert main([*arguments, "-n", "1"]) == 0
    assert capsys.readouterr().out == "count(Particles)\n3\n"
    assert main(["head", f"{path}:events", "Particle"]) == 1
    assert "did you mean 'Particles'" in capsys.readouterr().err


def test_head_prints_nested_lists_references_and_absent_values(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["Particles.daughters", "Hits.energy", "triggers", "scales"]
    assert main(["head", f"{path}:events", "-n", "3", *names]) == 0  # options may stand anywhere
    *lines, _ = capsys.readouterr().out.split("\n")
    cells = [re.split("  +", line) for line in lines]
    assert cells == [
        [*names],
        ["[[Particles[1], Particles[2]], [], []]", "[1.5, 0]", "[electron, muon]", "[1, 2]"],
        ["[]", "[]", "[]"],
        ["[[]]", "[photon]", "[]"],
    ]
    more = ["Particles.PDG", "sum(Hits.energy)", "--cut", "count(Particles) == 1"]
    assert main(["head", f"{path}:events", *more]) == 0
    assert capsys.readouterr().out.split() == ["Particles.PDG", "sum(Hits.energy)", "[22]", "0"]


def test_texts_stay_on_their_lines_and_give_terminals_no_orders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"title": ["\x1b[31mµ → e\n", "\u202e\x9b2J"], "words": [["\r"], []]})
    assert main(["head", f"{tmp_path}/a.kaon"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert [re.split("  +", line) for line in lines[1:3]] == [
        ["\\x1b[31mµ → e\\n", "[\\r]"],
        ["\\u202e\\x9b2J", "[]"],
    ]
    assert main(["dump", f"{tmp_path}/a.kaon", "--entry", "0"]) == 0
    assert "= \\x1b[31mµ → e\\n\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["show", "show --bounds", "head", "head Muon.p", "dump", "size", "verify", "sql", "advise"],
)
def test_names_give_terminals_no_orders(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        muons = ak.Array([[{"p\x1b[2Jt": 41.0}], []])
        out["run\x1b[31m"].extend({"Muon\r": muons, "MET\x9b2J\u2066": [1.0, 2.0]})
    name, *more = command.split()
    statement = ['select * from "run\x1b[31m"'] if name == "sql" else []
    main([name, f"{tmp_path}/a.kaon", *more, *statement])
    shown = "".join(capsys.readouterr())
    assert not {"\x1b", "\r", "\x9b", "\u2066"} & {*shown}
    assert name == "verify" or "\\x1b[" in shown


def test_texts_of_python_have_no_control_characters(tmp_path: Path) -> None:
    path, name = tmp_path / "a.kaon", "run\x1b[31m"
    with kaon.create(path) as out:
        out[name].extend({"MET\n": [1.0]})
    file = kaon.open(path)
    events = file[name]
    of_names = [file, events, events["MET\n"], events.frames(), events.arrow(), file.size()]
    for shown in map(repr, [*of_names, kaon.dataset({path: name})]):
        assert "run\\x1b[31m" in shown and shown.isprintable()
    file.close()
    assert repr(file) == f"<File '{path}', closed>"


def test_errors_give_terminals_no_orders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with uproot.recreate(tmp_path / "a.root") as out:
        out["tree"] = {"MET\x1b[2J": np.zeros(1), "sum\nOK": np.zeros(1)}
    assert main(["head", f"{tmp_path}/a.root", "MET"]) == 1
    assert "did you mean 'MET\\x1b[2J'?" in capsys.readouterr().err
    assert main(["head", f"{tmp_path}/a.root", "sumOK"]) == 1
    assert "did you mean 'sum\\nOK'?" in capsys.readouterr().err
    with pytest.raises(kaon.errors.UnknownNameError) as error:
        kaon.open(tmp_path / "a.root")["tree"].metadata_of("MET")
    assert str(error.value).endswith("did you mean 'MET\\x1b[2J'?)")


def test_head_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with kaon.create(tmp_path / "none.kaon") as out:
        out["events"].extend({"x": np.zeros(0, np.int32)})
    kaon.create(tmp_path / "empty.kaon").finish()
    assert main(["head", f"{tmp_path}/none.kaon"]) == 0
    assert main(["head", f"{tmp_path}/none.kaon", "--cut", "x > 5"]) == 0
    assert capsys.readouterr().out == "x\nx\n"
    assert main(["head", f"{tmp_path}/empty.kaon"]) == 1
    assert capsys.readouterr().err == f"kaon: {tmp_path}/empty.kaon: has no categories\n"
    with pytest.raises(SystemExit):
        main(["head", f"{tmp_path}/none.kaon", "-n", "-1"])


PROBES = {
    "bash": 'source "$1"; COMP_WORDS=(kaon con); COMP_CWORD=1; _kaon; echo "${COMPREPLY[@]}";'
    'COMP_WORDS=(kaon convert --los); COMP_CWORD=2; _kaon; echo "${COMPREPLY[@]}"',
    "fish": 'source $argv[1]; complete -C "kaon con"; complete -C "kaon convert --los"',
    "zsh": 'autoload -Uz compinit && compinit -u -D; source "$1"; whence _kaon; '
    "functions _kaon | grep -o -e convert: -e --lossy",
}


@pytest.mark.parametrize("shell", PROBES)
def test_shells_complete_commands_and_options(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert main(["completion", shell]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    program = [shell, "-c", PROBES[shell], *(["x"] if shell != "fish" else []), script]
    result = subprocess.run(program, capture_output=True, text=True, check=False)
    assert "convert" in result.stdout and "--lossy" in result.stdout
    assert result.stderr == ""
