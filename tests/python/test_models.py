"""The classes of a data model at run time, and their objects."""

import copy
import inspect
import json
import pickle
import pydoc

import numpy as np
import pytest

import kaon
from kaon.model.datamodel import model_documents


@pytest.fixture
def demo(model):
    return kaon.load_model(model)


def test_datatypes_and_components_are_classes(demo):
    assert list(demo) == ["demo::Particle", "demo::Hit", "demo::Vector3f", "demo::Quality"]
    assert demo.Particle is demo["demo::Particle"]
    assert demo.Particle.__name__ == "Particle"
    assert "Particle" in dir(demo)
    assert repr(demo) == "<DataModel 'detector': 2 datatypes>"


def test_names_have_suggestions(demo):
    with pytest.raises(AttributeError, match=r"has no 'Partcle' \(did you mean 'Particle'\?\)"):
        demo.Partcle  # noqa: B018
    with pytest.raises(KeyError, match=r"has no 'demo::Hot' \(did you mean 'demo::Hit'\?\)"):
        demo["demo::Hot"]


def test_short_names_of_several_classes_are_refused(demo):
    entries = demo.description.to_dict()
    other = {"name": "other::Hit", "members": [{"type": "int", "name": "a"}]}
    both = kaon.DataModel({**entries, "datatypes": [*entries["datatypes"], other]})
    with pytest.raises(AttributeError, match="one of demo::Hit, other::Hit: give its full name"):
        both.Hit  # noqa: B018
    assert both["other::Hit"](a=3).a == 3


def test_a_file_has_its_models(path, demo):
    models = kaon.open(path).models
    assert list(models) == ["detector"]
    assert list(models["detector"]) == list(demo)
    with pytest.raises(KeyError, match=r"carries no model 'detecto' \(did you mean 'detector'"):
        models["detecto"]


def test_models_of_a_file_are_pickled_by_value(path, demo):
    with open(path, "rb") as file:
        models = kaon.open(file).models
        unread = pickle.loads(pickle.dumps(models))
        hit = models["detector"].Hit
        sent = pickle.loads(pickle.dumps(models))
    path.unlink()
    assert repr(sent) == repr(unread) == repr(models)
    assert sent["detector"].Hit is hit
    assert list(unread["detector"]) == list(demo)
    with pytest.raises(
        kaon.errors.UnknownNameError, match="carries no model 'detecto' .*'detector'"
    ):
        sent["detecto"]


def test_help_shows_descriptions_of_the_model(demo):
    text = pydoc.plain(pydoc.render_doc(demo.Particle))
    assert "mass : float32 [GeV]\n |      rest mass" in text
    assert "float32 [GeV]: rest mass" in text
    assert "vertex: 'Vector3f' = Vector3f(x=1.0, y=2.0, z=3.0)" in text
    assert str(inspect.signature(demo.Vector3f)) == (
        "(x: 'float32' = 0.0, y: 'float32' = 0.0, z: 'float32' = 0.0)"
    )
    assert demo.Particle.units["momentum"] == "GeV"


def test_floats_are_shown_with_their_own_digits(demo):
    particle = demo.Particle(momentum=(2 / 3, 0, 0), weights=[0.1])
    assert "0.6666667" in repr(particle.momentum) and "0.66666668" not in repr(particle)
    assert "weights=[0.1]" in repr(particle)


def test_objects_have_the_defaults_of_the_model(demo):
    particle = demo.Particle(PDG=11, momentum=(0, 0, 1))
    assert (particle.PDG, particle.mass, particle.stable) == (11, 0.5, True)
    assert particle.momentum == demo.Vector3f(0, 0, 1)
    assert particle.vertex == demo.Vector3f(x=1, y=2, z=3)
    assert (particle.spin, particle.weights, particle.mother) == ([0, 0, 0], [], None)
    assert particle["PDG"] == 11


def test_members_are_set(demo):
    particle = demo.Particle()
    particle.momentum.x = 3
    particle.vertex = {"y": 5}
    particle.spin[1:] = [1, 2]
    particle.weights.append(np.float32(0.5))
    particle.qualities = [{"flag": 3}, demo.Quality(1, [1, 2])]
    assert particle.momentum.x == 3
    assert particle.vertex == demo.Vector3f(0, 5, 0)
    assert particle.spin == [0, 1, 2]
    assert particle.weights == [0.5]
    assert particle.qualities[1].chi2 == [1, 2]
    del particle.weights[0]
    assert particle.weights == []


def test_components_are_values(demo):
    a, b = demo.Particle(momentum=(1, 2, 3)), demo.Particle()
    b.momentum = a.momentum
    b.momentum.x = 9
    assert a.momentum.x == 1


def test_floats_are_as_they_will_be_read(demo):
    assert demo.Particle(mass=0.1).mass == np.float32(0.1)


@pytest.mark.parametrize(
    ("member", "value", "error", "message"),
    [
        ("PDG", 1.5, TypeError, "'Particle.PDG' needs a whole number, not 1.5"),
        ("PDG", True, TypeError, "'Particle.PDG' needs a number, not True"),
        (
            "PDG",
            2**31,
            ValueError,
            "'Particle.PDG' holds int32 values, and 2147483648 does not fit",
        ),
        ("PDG", "e", TypeError, "'Particle.PDG' needs a number, not 'e'"),
        ("stable", 1, TypeError, "'Particle.stable' needs True or False, not 1"),
        (
            "mass",
            1e300,
            ValueError,
            r"'Particle.mass' holds float32 values, and 1e\+300 does not fit",
        ),
        ("momentum", 5, TypeError, r"'Particle.momentum' needs a Vector3f \(x, y, z\), not 5"),
        ("momentum", (1, 2), ValueError, "'Particle.momentum' needs x, y, z, not 2 values"),
        ("momentum", {"px": 1}, KeyError, "a Vector3f has no 'px'"),
        ("spin", (1, 2), ValueError, "'Particle.spin' needs 3 values, not 2"),
        ("weights", 1.0, TypeError, "'Particle.weights' needs a list of float32, not 1.0"),
        ("weights", ["a"], TypeError, "'Particle.weights' needs a number, not 'a'"),
        ("mother", 0, TypeError, "'Particle.mother' needs a Particle, not 0"),
        ("daughters", [None], TypeError, "'Particle.daughters' needs a Particle, not None"),
    ],
)
def test_values_that_do_not_fit_are_refused(demo, member, value, error, message):
    particle = demo.Particle()
    with pytest.raises(error, match=message) as caught:
        setattr(particle, member, value)
    assert isinstance(caught.value, kaon.Error)
    with pytest.raises(error, match=message):
        demo.Particle(**{member: value})


def test_members_are_given_by_name(demo):
    with pytest.raises(TypeError, match=r"by name, as in Particle\(PDG=6\)"):
        demo.Particle(6, 172.5)
    with pytest.raises(TypeError, match=r"by name, as in Particle\(PDG=6\)"):
        kaon.Collection(demo.Particle).create(6, 172.5)


def test_unknown_members_get_a_suggestion(demo):
    particle = demo.Particle()
    for use in (
        lambda: particle.PGD,
        lambda: setattr(particle, "PGD", 1),
        lambda: demo.Particle(PGD=1),
        lambda: particle["PGD"],
    ):
        with pytest.raises(AttributeError, match=r"has no 'PGD' \(did you mean 'PDG'\?\)"):
            use()


def test_arrays_keep_their_length(demo):
    with pytest.raises(ValueError, match="'Particle.spin' always has 3 values"):
        demo.Particle(spin=(1, 2, 3)).spin.append(4)


def test_relations_are_objects(demo):
    mother, daughter = demo.Particle(PDG=23), demo.Particle(PDG=11)
    daughter.mother = mother
    mother.daughters.append(daughter)
    assert mother.daughters[0].mother is mother
    assert "daughters=[1 Particle]" in repr(mother)
    with pytest.raises(TypeError, match=r"'Hit.particle' needs a Particle, not Hit\("):
        demo.Hit(particle=demo.Hit())


def test_clones_have_the_same_members_and_relations(demo):
    mother = demo.Particle(PDG=23)
    electron = demo.Particle(PDG=11, mother=mother, momentum=(1, 2, 3))
    positron = electron.clone(PDG=-11)
    positron.momentum.x = 5
    assert (positron.PDG, positron.mother) == (-11, mother)
    assert electron.momentum.x == 1
    assert positron != electron


def test_members_may_be_called_self(tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text("""
schema_version: 1
components:
  lab::Pair: {Members: [int32_t self, int32_t cls]}
datatypes:
  lab::Hit:
    Description: A hit
    Author: kaon
    Members:
      - int32_t self // of it
      - lab::Pair pair // of it
""")
    lab = kaon.load_model(path)
    hit = lab.Hit(self=1, pair=lab.Pair(self=2, cls=3))
    assert (hit.self, hit.pair.self, hit.pair.cls) == (1, 2, 3)
    assert (hit.clone(self=4).self, pickle.loads(pickle.dumps(hit)).self) == (4, 1)
    hits = kaon.Collection(lab.Hit)
    assert hits.create(self=5).self == 5
    with kaon.create(tmp_path / "a.kaon", model=lab, keys=["self"]) as out:
        out["events"].extend({"Hits": [[{"self": 6, "pair": {"self": 7, "cls": 8}}]], "self": [9]})
    events = kaon.open(tmp_path / "a.kaon")["events"]
    assert events.arrays().Hits.self.tolist() == [[6]]
    assert events.frames()[0]["Hits"][0].pair.self == 7
    assert (events.find(self=9), events.find_all(self=8).tolist()) == (0, [])
    assert events.find_each(self=[9, 8]).tolist() == [0, None]


def test_objects_are_equal_if_they_are_the_same(demo):
    one, other = demo.Particle(), demo.Particle()
    assert one == one and one != other
    assert len({one, other, one}) == 2
    assert demo.Vector3f(1, 2, 3) == demo.Vector3f(1, 2, 3)


def test_models_of_two_loads_go_together(demo, model):
    again = kaon.load_model(model)
    hit = demo.Hit(particle=again.Particle(momentum=demo.Vector3f(1, 2, 3)))
    assert hit.particle.momentum.y == 2


def test_defaults_that_only_cpp_understands_must_be_given(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(
        "schema_version: 1\n"
        "components:\n  C: {Members: [int i]}\n"
        "datatypes:\n  A: {Description: d, Author: a, Members: ['C c{sizeof(int)} // b']}\n"
    )
    made = kaon.load_model(path).A
    assert made(c=[3]).c.i == 3
    with pytest.raises(ValueError, match="is for C\\+\\+ only"):
        made().c  # noqa: B018
    assert "'C' = ..." in str(inspect.signature(made))


def test_collections_have_objects_of_one_datatype(demo):
    particles = kaon.Collection(demo.Particle)
    top = particles.create(PDG=6)
    assert particles[0] is top
    assert list(particles.PDG) == [6]
    with pytest.raises(TypeError, match="a collection of demo::Particle cannot have Hit"):
        particles.append(demo.Hit())
    with pytest.raises(ValueError, match="'mother' is a relation"):
        particles.mother  # noqa: B018
    assert copy.copy(particles)[0] is top


def model_with(*members, enums=()):
    datatype = {"name": "demo::A", "members": list(members)}
    entries = {"name": "demo", "schema_version": 1, "options": {}, "components": [], "storage": []}
    return kaon.DataModel({**entries, "datatypes": [datatype], "enums": list(enums)})


COLOR = {
    "name": "demo::Color",
    "underlying": "uint8_t",
    "values": [{"name": "red", "value": 1}, {"name": "blue", "value": 5}],
}


def test_enums_have_names():
    member = {"type": "demo::Color", "name": "color", "default": "demo::Color::blue"}
    demo = model_with(member, enums=[COLOR])
    assert demo.Color(5).name == "blue"
    assert demo.A().color is demo.Color.blue
    assert demo.A(color=demo.Color.red).color.name == "red"
    assert demo.A(color=7).color == 7  # a number without a name
    with pytest.raises(ValueError, match="'A.color' holds uint8 values, and 256 does not fit"):
        demo.A(color=256)


def test_arrays_of_arrays_have_rows():
    demo = model_with({"type": "float", "name": "matrix", "arraySize": [2, 3]})
    changed = demo.A(matrix=[[1, 2, 3], [4, 5, 6]])
    changed.matrix[1][2] = 7
    assert changed.matrix == [[1, 2, 3], [4, 5, 7]]
    with pytest.raises(ValueError, match="'A.matrix' needs 3 values, not 2"):
        demo.A(matrix=[[1, 2], [3, 4]])


def test_components_cannot_contain_themselves():
    entries = {"name": "demo", "schema_version": 1, "options": {}, "datatypes": [], "storage": []}
    component = {"name": "C", "members": [{"type": "C", "name": "c"}]}
    with pytest.raises(ValueError, match="'C' of the model 'demo' contains itself"):
        kaon.DataModel({**entries, "components": [component]})["C"]


def test_mistakes_in_a_model_are_errors_of_kaon(tmp_path):
    (tmp_path / "wrong.yaml").write_text("schema_version: one\n")
    with pytest.raises(kaon.Error, match="wrong.yaml:1:17: schema_version") as caught:
        kaon.load_model(tmp_path / "wrong.yaml")
    assert isinstance(caught.value, (kaon.errors.ModelError, ValueError))


def test_a_model_may_be_dictionaries(tmp_path):
    hit = {
        "Description": "a hit",
        "Author": "somebody",
        "Members": ["float energy [GeV] // its energy"],
    }
    model = {"schema_version": 1, "datatypes": {"test::Hit": hit}}
    path = tmp_path / "hits.kaon"
    with kaon.create(path, model=model) as out:
        out["events"].extend({"Hits": [[{"energy": 1.5}], []]})
    (name,) = kaon.open(path).models
    assert kaon.open(path).models[name].Hit.units == {"energy": "GeV"}
    del hit["Author"]
    with pytest.raises(
        kaon.errors.ModelError, match="datatype 'test::Hit': the key 'Author' is missing"
    ):
        kaon.create(tmp_path / "others.kaon", model=model)


def test_a_model_is_stored_as_it_was_given(demo, monkeypatch):
    """Making JSON of the description takes as long as the rest of opening a file."""
    entries = demo.description.to_dict()
    monkeypatch.setattr(type(demo.description), "to_dict", lambda _: pytest.fail("made again"))
    (document,) = model_documents(kaon.DataModel(entries)).values()
    assert json.loads(document) == entries
