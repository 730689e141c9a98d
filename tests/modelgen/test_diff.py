"""`kaon diff` predicts the effects of a newer model on older data."""

from pathlib import Path

import pytest

from kaon.model.comparison import Effect, diff
from kaon.modelgen import load_model, to_yaml
from kaon.modelgen.render import render

ROOT = Path(__file__).parents[1]


def model(members: str = "", version: int = 1, lists: str = "", name: str = "Hit", more: str = ""):
    """Return the text of a model with one datatype; lines are separated by semicolons."""

    def block(key: str, text: str) -> str:
        lines = "".join(f"      - {line.strip()} // c\n" for line in text.split(";") if line)
        return f"    {key}:\n{lines}" if lines else ""

    head = f"schema_version: {version}\ndatatypes:\n  {name}:\n    Description: d\n    Author: a\n"
    return head + block("Members", members) + block("VectorMembers", lists) + more


@pytest.fixture
def changes(load):
    """Return the changes between two models as tuples."""

    def changes_of(old: str, new: str):
        return [(c.member, c.effect.value, c.text) for c in diff(load(old), load(new))]

    return changes_of


@pytest.mark.parametrize(
    ("old", "new", "effect"),
    [
        ("int16_t", "int32_t", "read"),
        ("int", "float", "read"),
        ("bool", "int", "read"),
        ("float", "double", "read"),
        ("float", "std::array<float, 1>", None),
        ("int", "int16_t", "may fail"),
        ("int", "uint64_t", "may fail"),
        ("double", "float", "may fail"),
        ("double", "int", "may fail"),
        ("int", "bool", "may fail"),
        ("float", "std::array<float, 2>", "fails"),
    ],
)
def test_numbers(changes, old, new, effect):
    found = changes(model(f"{old} x"), model(f"{new} x"))
    assert [change[:2] for change in found] == ([("x", effect)] if effect else [])


def test_units(changes):
    old = model("float e [MeV]; float t; float w [V*ns]", lists="float x [mm]")
    new = model("float e [GeV]; float t [ns]; float w [V·ns]", lists="float x [cm]")
    assert changes(old, new) == [
        ("e", "misread", "was in MeV, is in GeV: older data keep their numbers"),
        ("x", "misread", "was in mm, is in cm: older data keep their numbers"),
    ]


def test_numbers_of_enums(changes):
    def enum(values):
        return f"enums:\n  Kind:\n    Values: [{values}]\n"

    members = "Kind kind; std::optional<Kind> other"
    old = model(members, lists="Kind all", more=enum("none, muon, pion"))
    new = model(members, lists="Kind all", more=enum("none, electron, muon, meson = 9"))
    text = "has 'muon' as 2, which was 1: older data keep their numbers"
    assert changes(old, new) == [(name, "misread", text) for name in ("kind", "other.value", "all")]


def test_members(changes):
    assert changes(model("int a; int b; double c"), model("float added; int b; int a")) == [
        ("added", "read", "is new: older data have its default"),
        ("c", "lost", "is dropped"),
        ("", "read", "has members in another order"),
    ]


def test_a_name_that_may_have_changed(changes):
    old, new = model("int cellId"), model("int cellID; int other")
    hint = "is dropped (or is it cellID now? Then a migration 'rename_member' keeps it)"
    assert ("cellId", "lost", hint) in changes(old, new)


def test_migrations(changes):
    step = "from_version: 1, to_version: 2, rename_member: { from: a, to: b }"
    more = f"migrations:\n  Hit:\n    - {{ {step} }}\n"
    assert changes(model("int a"), model("int b", version=2, more=more)) == [
        ("b", "read", "was called a")
    ]


def test_types(changes):
    found = changes(model("int a"), model("int a", name="Cell"))
    assert found == [
        ("", "read", "is new"),
        ("", "lost", "is dropped (or is it Cell now? Then a migration 'rename_type' keeps it)"),
    ]


def test_a_member_that_becomes_optional_or_is_so_no_more(changes):
    plain, optional = model("int a; int b"), model("int a; std::optional<int> b")
    text = "is not optional any more: where a value is missing, the default is read"
    assert changes(plain, optional) == [("b", "read", "is optional now")]
    assert changes(optional, plain) == [("b", "lost", text)]
    step = "from_version: 1, to_version: 2, rename_member: { from: b, to: c }"
    more = f"migrations:\n  Hit:\n    - {{ {step} }}\n"
    renamed = model("int a; std::optional<int> c", version=2, more=more)
    assert ("c", "read", "was called b") in changes(optional, renamed)
    assert changes(plain, renamed) == [
        ("c", "read", "was called b"),
        ("c", "read", "is optional now"),
    ]


def test_a_member_that_becomes_a_list(changes):
    assert changes(model("int a"), model(lists="int a")) == [
        ("a", "fails", "was int32, is a vector of int"),
    ]


def test_strings(changes):
    old = model("int x; std::string a", lists="std::string c")
    new = model("int x; std::string a", 2, lists="char c; std::string d")
    assert changes(old, new) == [
        ("c", "fails", "was a vector of strings, is a vector of char"),
        ("d", "read", "is new: older data have none"),
    ]
    assert changes(old, old) == []


def test_lists_in_lists(changes):
    old = model("int x", lists="std::vector<float> a; std::vector<int> b; std::vector<char> c")
    new = "std::vector<double> a; int b; std::vector<std::vector<char>> c"
    assert changes(old, model("int x", 2, lists=new)) == [
        ("b", "fails", "was a vector of vectors of int, is a vector of int"),
        (
            "c",
            "fails",
            "was a vector of vectors of char, is a vector of vectors of vectors of char",
        ),
        ("a", "read", "was float32, is float64: converted"),
    ]
    assert changes(old, old) == []


def test_relations(changes):
    one = "    OneToOneRelations:\n      - Hit next // c\n"
    many = "    OneToManyRelations:\n      - Hit next // c\n"
    assert changes(model(more=one), model(more=many)) == [
        ("next", "fails", "was a relation to one Hit, is a relation to many Hit")
    ]


def test_a_relation_to_an_interface(changes):
    hits = model("int a", more="    OneToOneRelations:\n      - {} next // c\n")
    interface = "interfaces:\n  Any:\n    Description: d\n    Author: a\n    Members: []\n"
    interface += "    Types: [Hit]\n"
    assert changes(hits.format("Hit"), hits.format("Any") + interface) == []


def test_it_reports_the_effects_on_the_classes():
    """Compares with the effects that the C++ tests observe with the same models."""
    folder = ROOT / "evolution"
    old = load_model(folder / "old/detector.yaml")
    new = load_model(folder / "new/detector.yaml", evolution=folder / "new/migrations.yaml")
    found = diff(old, new)
    by_effect = {
        effect: {f"{c.type.removeprefix('evo::')}.{c.member}" for c in found if c.effect is effect}
        for effect in Effect
    }
    assert by_effect[Effect.FAILS] == {"Impossible.values", "Target.target"}
    assert by_effect[Effect.MAY_FAIL] == {"Numbers.whole", "Numbers.narrower", "Numbers.truth"}
    assert by_effect[Effect.LOST] == {
        *("Members.dropped", "Lists.dropped", "Lists.droppedOne", "Values.px", "Values.py"),
        "Optionals.wasOptional",
    }
    assert {"Names.c", "Names.points.x", "Names.parent", "NewestName."} < by_effect[Effect.READ]


def test_nothing(load):
    text = model("int a; float b", lists="int c")
    assert diff(load(text), load(text)) == []


# The text of a model.


@pytest.mark.parametrize("path", sorted(ROOT.glob("**/*model.yaml")), ids=str)
def test_a_model_survives_yaml(path, tmp_path):
    first = load_model(path)
    (tmp_path / path.name).write_text(to_yaml(first))
    second = load_model(tmp_path / path.name)
    assert second == first
    assert render(second) == render(first)


def test_difficult_texts_survive_yaml(load, model_file):
    line = "- 'float x{1.5e-3} [1/mm] // it''s: \"#1\" {of} [all] // größer'"
    text = model(more=f"    Members:\n      {line}\n").replace(
        "Description: d", 'Description: "a: b"'
    )
    first = load(text)
    assert load(to_yaml(first)) == first
    stored = load_model(model_file, "model")
    assert load(to_yaml(stored)) == stored
