"""The block ``migrations``: former names of members and types."""

import json

import pytest

from kaon.modelgen import Model, ModelError, generate, load_model
from kaon.modelgen.migrations import old_paths, old_type_names

MODEL = """\
schema_version: 3
components:
  Vector:
    Members:
      - float x
      - float y
datatypes:
  Hit:
    Description: d
    Author: a
    Members:
      - Vector at // where
      - int cell // which
    VectorMembers:
      - Vector path // through it
    OneToOneRelations:
      - Hit next // one
"""


def steps(*steps: str, type_: str = "Hit") -> str:
    """Return the model with migrations of a type; the first is in line 20."""
    return f"{MODEL}migrations:\n{block(type_, *steps)}"


def block(type_: str, *steps: str) -> str:
    return f"  {type_}:\n" + "".join(f"    - {{ {step} }}\n" for step in steps)


def rename(begin: int, end: int, before: str, after: str) -> str:
    names = f"{{ from: {before}, to: {after} }}"
    return f"from_version: {begin}, to_version: {end}, rename_member: {names}"


def test_paths_with_each_version_of_upstream_models(tmp_path):
    (tmp_path / "up.yaml").write_text(
        "schema_version: 5\ncomponents:\n  up::V: { Members: [float x] }\nmigrations:\n"
        + block("up::V", rename(3, 4, "u", "x"))
    )
    path = tmp_path / "model.yaml"
    path.write_text(
        MODEL.replace("- Vector at", "- up::V at")
        + "migrations:\n"
        + block("Hit", rename(1, 2, "p", "at"))
    )
    model = load_model(path, upstream=[f"up:{tmp_path / 'up.yaml'}"])
    assert list(old_paths(model, model.datatypes[0], ["at.x"])) == [
        ("at.x", "at.u"),
        ("at.x", "p.x"),
        ("at.x", "p.u"),
    ]


def test_paths_of_each_version(load):
    model = load(
        steps(rename(1, 2, "p", "q"), rename(2, 3, "q", "at"), rename(1, 2, "track", "path"))
        + block("Vector", rename(2, 3, "u", "x"))
    )
    (hit,) = model.datatypes
    paths = ["at.x", "at.y", "cell", "path", "path.x", "next"]
    assert list(old_paths(model, hit, paths)) == [
        ("at.x", "q.u"),
        ("at.x", "p.u"),
        ("at.y", "q.y"),
        ("at.y", "p.y"),
        ("path", "track"),
        ("path.x", "path.u"),
        ("path.x", "track.u"),
    ]
    assert Model.from_dict(json.loads(json.dumps(model.to_dict()))) == model


def test_steps_with_the_newest_name(load):
    """As podio's evolution files have them."""
    by_version = steps(rename(1, 2, "p", "q"), rename(2, 3, "q", "at"))
    newest = steps(rename(1, 2, "p", "at"), rename(2, 3, "q", "at"))
    assert load(newest).migrations == load(by_version).migrations


def test_old_names_of_a_type(load):
    model = load(
        steps(
            "from_version: 1, to_version: 2, rename_type: { from: First }",
            "from_version: 2, to_version: 3, rename_type: { from: Second }",
        )
    )
    assert old_type_names(model, "Hit") == ["Second", "First"]


def test_a_name_may_come_back(mistakes):
    assert mistakes(steps(rename(1, 2, "cell", "id"), rename(2, 3, "id", "cell"))) == []


@pytest.mark.parametrize(
    ("step", "mistake"),
    [
        (rename(1, 2, "id", "cel"), "version 2 has no member 'cel' (did you mean 'cell'?)"),
        (
            rename(2, 2, "id", "cell"),
            "2 to 2 is not a step of versions, and the model's version is ",
        ),
        (
            rename(3, 4, "id", "cell"),
            "3 to 4 is not a step of versions, and the model's version is ",
        ),
        (
            rename(1, 2, "next", "cell"),
            "'next' is or was the name of 'next', too: in files, they could not",
        ),
        (
            "from_version: 1, to_version: 2",
            "a step has either a 'rename_member' or a 'rename_type'",
        ),
        (
            "from_version: 1, rename_member: { from: id, to: cell }",
            "the key 'to_version' is missing",
        ),
        (
            "from_version: 1, to_version: 2, rename_member: { to: cell }",
            "rename_member: the key 'from' is missing",
        ),
        (
            "from_version: 1, to_version: 2, rename_membr: { from: id, to: cell }",
            "unknown key 'rename_membr' (did you mean 'rename_member'?)",
        ),
        (
            "from_version: 1, to_version: 2, rename_type: { from: Vector }",
            "'Vector' cannot be its old name: a type has this name",
        ),
        ("from_version: one, to_version: 2, rename_type: { from: V }", "found 'one'"),
    ],
)
def test_mistakes(mistakes, step, mistake):
    lines = mistakes(steps(step))
    assert all(line.startswith("20:") and "migrations of 'Hit': " in line for line in lines)
    assert mistake in "\n".join(lines)


def test_names_that_change_places(mistakes):
    assert mistakes(steps(rename(1, 2, "cell", "next"), rename(1, 2, "next", "cell"))) == [
        "20:7: migrations of 'Hit': 'cell' is or was the name of 'cell', too: in files, "
        "they could not be distinguished",
        "21:7: migrations of 'Hit': 'next' is or was the name of 'next', too: in files, "
        "they could not be distinguished",
    ]


def test_an_unknown_type(mistakes):
    assert mistakes(steps(rename(1, 2, "id", "cell"), type_="Hits")) == [
        "19:3: migrations of 'Hits': the model has no type of this name (did you mean 'Hit'?)"
    ]


def test_a_list_is_wanted(mistakes):
    assert mistakes(f"{MODEL}migrations: {{ Hit: {{ from_version: 1 }} }}\n") == [
        "18:20: migrations of 'Hit': expected a list of steps, '- from_version: 1 ...'"
    ]


def test_a_file_of_their_own(tmp_path):
    model, evolution = tmp_path / "model.yaml", tmp_path / "evolution.yaml"
    model.write_text(MODEL)
    evolution.write_text("migrations:\n" + block("Hit", rename(1, 2, "id", "cell")))
    (migration,) = load_model(model, evolution=evolution).migrations
    assert (migration.before, migration.after) == ("id", "cell")
    generate(model, tmp_path, evolution=evolution)
    assert '{"cell", "id"}' in (tmp_path / "model/model.cc").read_text()
    evolution.write_text("migrations:\n" + block("Hit", rename(1, 2, "id", "cel")))
    with pytest.raises(ModelError, match=r"evolution.yaml:3:7: .* has no member 'cel'"):
        load_model(model, evolution=evolution)
