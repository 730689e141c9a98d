"""The commands `kaon model` and `kaon diff`."""

import json
import shutil
import warnings
from pathlib import Path

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
    """Two models, and a file that carries the first."""
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
    assert capsys.readouterr().err.endswith("empty.kaon: has no data model\n")


@pytest.mark.parametrize("old", ["old.yaml", "hits.kaon"])
def test_diff(files, capsys, old):
    assert main(["diff", str(files / old), str(files / "new.yaml")]) == 0
    out, messages = capsys.readouterr()
    assert out == "read      Hit.energy was float32, is float64: converted\n"
    assert messages == ""


def test_data_are_told_from_models_by_their_contents(files, capsys):
    (files / "hits.kaon").rename(files / "hits.yaml")
    (files / "new.yaml").rename(files / "new.kaon")
    assert main(["diff", str(files / "hits.yaml"), str(files / "new.kaon")]) == 0
    assert capsys.readouterr().out.startswith("read      Hit.energy was float32")


def test_diff_of_lost_members(files, capsys):
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


def test_diff_of_models_whose_extra_code_is_not_kept(files, capsys):
    code = "    ExtraCode:\n      declarationFile: hit/Hit.ipp\n"
    (files / "code.yaml").write_text(OLD + code)
    assert main(["diff", str(files / "code.yaml"), str(files / "new.yaml")]) == 0
    assert main(["generate", str(files / "code.yaml"), "-o", str(files)]) == 1
    assert "'hit/Hit.ipp': the file does not exist" in capsys.readouterr().err


def test_diff_of_a_model_with_mistakes(files, capsys):
    (files / "wrong.yaml").write_text("schema_version: 1\ndatatyps: {}\n")
    assert main(["diff", str(files / "wrong.yaml"), str(files / "new.yaml")]) == 1
    assert "did you mean 'datatypes'?" in capsys.readouterr().err


REPOSITORY = Path(__file__).parents[2]
FILES = [*REPOSITORY.glob("tests/format/golden/*.kaon"), *REPOSITORY.glob("examples/**/*.kaon")]
MODELS = [*REPOSITORY.glob("tests/models/**/*.yaml"), *REPOSITORY.glob("examples/**/*.yaml")]
UPSTREAM = {
    "middle": ["richmodel:tests/models/richmodel.yaml"],
    "last": [
        "richmodel:tests/models/richmodel.yaml",
        "middle:tests/models/chain/middle.yaml",
        "othermodel:tests/models/othermodel.yaml",
    ],
}


def check_that_models_go_round(path, tmp_path, capsys):
    """Print, generate, create and append with the models of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        file = kaon.open(path)
    for name, model in file.models.items():
        upstream = []
        for used in [*(model.name for model in model.description.upstream), name]:
            assert main(["model", str(path), "--name", used]) == 0
            (tmp_path / f"{used}.yaml").write_text(capsys.readouterr().out)
            upstream += [f"--upstream={used}:{tmp_path / used}.yaml"]
        version = model.description.version
        options = [*upstream[:-1], *(["--datamodel-version", version] if version else [])]
        code = tmp_path / "code"
        assert main(["generate", str(tmp_path / f"{name}.yaml"), "-o", str(code), *options]) == 0
        copy = load_model(
            tmp_path / f"{name}.yaml",
            upstream=[option.partition("=")[2] for option in upstream[:-1]],
            version=version,
        )
        assert copy.to_dict() == model.description.to_dict()
        for described in (model, file.model(name)):
            with kaon.create(tmp_path / "new.kaon", model=described, overwrite=True) as out:
                out["events"].extend({"x": [1.0]})
    if file.is_complete:
        with kaon.append(path, model=next(iter(file.models.values()), None)) as out:
            out["more"].extend({"x": [1.0]})
        assert list(kaon.open(path)["more"].arrays().x) == [1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_models_of_files_go_round(path, tmp_path, capsys):
    check_that_models_go_round(shutil.copy(path, tmp_path / "copy.kaon"), tmp_path, capsys)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models_go_round(path, tmp_path, capsys):
    used = (name.split(":") for name in UPSTREAM.get(path.stem, []))
    model = kaon.load_model(path, [f"{name}:{REPOSITORY / file}" for name, file in used])
    with kaon.create(tmp_path / "empty.kaon", model=model):
        pass
    check_that_models_go_round(tmp_path / "empty.kaon", tmp_path, capsys)


def test_the_names_of_classes_are_of_no_concern_to_data(tmp_path, model):
    """Another version of kaon may reserve names that members have already."""
    entries = kaon.load_model(model).description.to_dict()
    entries["options"] = {"exposePODMembers": True}  # momentum.x and vertex.x
    with kaon.create(tmp_path / "a.kaon", model=entries, missing_members="default") as out:
        out["events"].extend({"Particles": [[{"PDG": 1}]]})
    with kaon.append(tmp_path / "a.kaon", missing_members="default") as out:
        out["events"].extend({"Particles": [[{"PDG": 2}]]})
    assert kaon.open(tmp_path / "a.kaon")["events"].arrays().Particles.PDG.tolist() == [[1], [2]]


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
