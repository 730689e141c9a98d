"""kaon model and kaon diff."""

import json

import pytest

import kaon
from kaon.command.cli import main
from kaon.modelgen import load_model
from kaon.modelgen.render import render

OLD = """\
schema_version: 1
datatypes:
  Hit:
    Description: A hit
    Author: kaon
    Members:
      - float energy [GeV] // deposited
      - int64_t cell{-1} // where
"""
NEW = OLD.replace("version: 1", "version: 2").replace("float", "double")
LOSSY = NEW.replace("int64_t cell{-1}", "int64_t id")


@pytest.fixture
def files(tmp_path):
    """Two models and a file that carries the first."""
    for name, text in (("old", OLD), ("new", NEW), ("lossy", LOSSY)):
        (tmp_path / f"{name}.yaml").write_text(text)
    with kaon.create(tmp_path / "hits.kaon", model=tmp_path / "old.yaml"):
        pass
    return tmp_path


def test_model(files, capsys):
    assert main(["model", str(files / "hits.kaon")]) == 0
    (files / "copy.yaml").write_text(capsys.readouterr().out)
    copy = load_model(files / "copy.yaml", "old")
    assert render(copy) == render(load_model(files / "old.yaml"))
    assert main(["model", "--json", str(files / "hits.kaon")]) == 0
    assert json.loads(capsys.readouterr().out) == copy.to_dict()


def test_model_without_one(tmp_path, capsys):
    with kaon.create(tmp_path / "empty.kaon"):
        pass
    assert main(["model", str(tmp_path / "empty.kaon")]) == 1
    assert capsys.readouterr().err.endswith("empty.kaon: carries no data model\n")


@pytest.mark.parametrize("old", ["old.yaml", "hits.kaon"])
def test_diff(files, capsys, old):
    assert main(["diff", str(files / old), str(files / "new.yaml")]) == 0
    out, messages = capsys.readouterr()
    assert out == "read      Hit.energy was float32, is float64: converted\n"
    assert messages == ""


def test_data_are_told_from_models_by_what_is_in_them(files, capsys):
    (files / "hits.kaon").rename(files / "hits.yaml")
    (files / "new.yaml").rename(files / "new.kaon")
    assert main(["diff", str(files / "hits.yaml"), str(files / "new.kaon")]) == 0
    assert capsys.readouterr().out.startswith("read      Hit.energy was float32")


def test_diff_of_what_is_lost(files, capsys):
    assert main(["diff", "--json", str(files / "new.yaml"), str(files / "lossy.yaml")]) == 1
    new, lost = json.loads(capsys.readouterr().out)
    assert (new["type"], new["member"], new["effect"]) == ("Hit", "id", "read")
    assert (lost["member"], lost["effect"]) == ("cell", "lost")
    assert main(["diff", str(files / "new.yaml"), str(files / "lossy.yaml")]) == 1
    assert "schema_version goes from 2 to 2" in capsys.readouterr().err


def test_diff_with_migrations_of_their_own_file(files, capsys):
    step = "{ from_version: 1, to_version: 2, rename_member: { from: cell, to: id } }"
    (files / "evolution.yaml").write_text(f"migrations:\n  Hit:\n    - {step}\n")
    paths = [str(files / name) for name in ("old.yaml", "lossy.yaml", "evolution.yaml")]
    assert main(["diff", *paths[:2], "--evolution-file", paths[2]]) == 0
    assert "Hit.id was called cell" in capsys.readouterr().out


def test_diff_of_a_model_with_mistakes(files, capsys):
    (files / "wrong.yaml").write_text("schema_version: 1\ndatatyps: {}\n")
    assert main(["diff", str(files / "wrong.yaml"), str(files / "new.yaml")]) == 1
    assert "did you mean 'datatypes'?" in capsys.readouterr().err


def test_models_that_use_others(files, capsys):
    upstream = f"--upstream=old:{files / 'old.yaml'}"
    text = "schema_version: 1\ndatatypes: {A: {Description: d, Author: a, "
    (files / "a.yaml").write_text(f"{text}OneToOneRelations: [Hit hit // c]}}}}\n")
    model = kaon.load_model(files / "a.yaml", upstream=[upstream.partition("=")[2]])
    with kaon.create(files / "a.kaon", model=model):
        pass
    assert main(["diff", str(files / "a.kaon"), str(files / "a.yaml"), upstream]) == 0
    assert capsys.readouterr().out == ""
    assert main(["model", str(files / "a.kaon")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# a\n# uses the upstream model old\nschema_version: 1\n")
