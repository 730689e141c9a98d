"""Members of older models, matched with those of newer ones, in all ways of reading."""

import warnings
from typing import NamedTuple

import numpy as np
import pytest

import kaon
from kaon.model.comparison import Effect, diff
from kaon.modelgen import load_model

MODEL = """
schema_version: {version}
options: {{ getSyntax: true }}
components:
  fz::C: {{ Members: [{component}] }}
  fz::Reading: {{ Members: [double value, bool has_value] }}
interfaces:
  fz::Any: {{ Description: d, Author: a, Members: [], Types: [fz::A, fz::B] }}
datatypes:
  fz::A:
    Description: d
    Author: a
    Members: [int32_t id // it]
  fz::B:
    Description: d
    Author: a
    Members: [int32_t other // it]
  fz::T:
    Description: d
    Author: a
    Members:
      - int32_t keep // it
{members}
{migrations}
"""
MEMBER = "      - {} m // it"
VECTOR = "    VectorMembers:\n      - {} m // it"
ONE = "    OneToOneRelations:\n      - {} m // it"
MANY = "    OneToManyRelations:\n      - {} m // it"


def plain(value):
    """Return the values of an object as lists, tuples and numbers."""
    if hasattr(value, "to_dict"):
        return {name: plain(value[name]) for name in value._fields}
    if isinstance(value, (str, int, float, type(None))):
        return value
    return [plain(each) for each in value]


class Models(NamedTuple):
    """Two versions of a model, and a file of the older one with an object `keep=1, m=value`."""

    old: str
    new: str
    path: str


@pytest.fixture
def models(tmp_path):
    def make(
        old, new, value, component="double x", new_component=None, migrations="", layout="split"
    ):
        made = []
        for version, (members, of_component, steps) in enumerate(
            ((old, component, ""), (new, new_component or component, migrations)), start=1
        ):
            folder = tmp_path / f"v{version}"
            folder.mkdir(exist_ok=True)
            made.append(folder / "fz.yaml")
            made[-1].write_text(
                MODEL.format(
                    version=version,
                    members=members,
                    component=of_component,
                    migrations=f"migrations:\n{steps}" if steps else "",
                )
            )
        model = kaon.load_model(made[0])
        frame, path = kaon.Frame(), tmp_path / "old.kaon"
        a, b, t = (kaon.Collection(getattr(model, name)) for name in "ABT")
        a.create(id=7)
        b.create(other=8)
        for each in value if isinstance(value, Several) else (value,):
            t.create(keep=1, **each(a, b)) if callable(each) else t.create(keep=1, m=each)
        frame["A"], frame["B"], frame["T"] = a, b, t
        with kaon.create(path, model=model, overwrite=True, layout=layout) as out:
            out["events"].write(frame)
        return Models(made[0], made[1], path)

    return make


class Several(tuple):
    """The values of several objects."""


def values_read(models, name="m"):
    """Return the member of all objects, and check that all ways of reading give the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.UnreadMemberWarning)
        events = kaon.open(models.path, model=models.new)["events"]
        objects = [plain(each[name]) for each in events.frames()[0]["T"]]
        arrays = events.arrays(f"T.{name}").T[name].tolist()[0]
        assert events.arrays(f"T.{name}", virtual=True).T[name].tolist()[0] == arrays == objects
        copy = models.path.with_name("copy.kaon")
        kaon.convert(models.path, copy, model=models.new, overwrite=True)
        assert kaon.open(copy)["events"].arrays(f"T.{name}").T[name].tolist()[0] == arrays
        assert kaon.verify(copy).is_sound
    return objects


def effects(models):
    changes = diff(load_model(models.old), load_model(models.new))
    return {change.effect for change in changes if change.member.split(".")[0] in ("m", "z")}


C, CS = {"x": 1.5}, [{"x": 1.5}, {"x": 2.5}]


@pytest.mark.parametrize("layout", ["split", "row"])
@pytest.mark.parametrize(
    ("old", "new", "value", "expected"),
    [
        ("fz::C", "std::optional<fz::C>", C, C),
        ("std::optional<fz::C>", "fz::C", C, C),
        ("std::optional<fz::C>", "std::optional<fz::C>", None, None),
        ("std::array<fz::C, 2>", "std::optional<std::array<fz::C, 2>>", CS, CS),
        ("std::optional<std::array<fz::C, 2>>", "std::array<fz::C, 2>", CS, CS),
        ("std::array<double, 2>", "std::optional<std::array<float, 2>>", [1.5, 2.5], [1.5, 2.5]),
        ("double", "std::optional<float>", 1.5, 1.5),
        ("std::optional<double>", "float", 1.5, 1.5),
        ("double", "std::array<double, 1>", 1.5, [1.5]),
        ("std::array<double, 1>", "double", [1.5], 1.5),
        ("std::array<double, 1>", "std::optional<double>", [1.5], 1.5),
        ("fz::C", "std::array<fz::C, 1>", C, [C]),
        ("std::array<fz::C, 1>", "fz::C", [C], C),
        ("std::array<fz::C, 1>", "std::optional<std::array<fz::C, 1>>", [C], [C]),
        ("std::array<std::array<fz::C, 1>, 2>",) * 2 + ([[CS[0]], [CS[1]]],) * 2,
    ],
)
def test_a_value_is_kept(models, old, new, value, expected, layout):
    made = models(MEMBER.format(old), MEMBER.format(new), value, layout=layout)
    assert values_read(made) == [expected]
    assert effects(made) <= {Effect.READ, Effect.LOST, Effect.MAY_FAIL}


def test_a_missing_value_becomes_the_default_with_a_warning(models):
    old = MEMBER.format("std::optional<double>")
    made = models(old, "      - double m{-1.5} // it", Several((0.5, None, 2.5)))
    assert values_read(made) == [0.5, -1.5, 2.5]
    assert effects(made) == {Effect.LOST}
    made = models(MEMBER.format("std::optional<fz::C>"), MEMBER.format("fz::C"), Several((C, None)))
    assert values_read(made) == [C, {"x": 0}]


def test_a_component_of_optionals_is_not_an_optional_component(models):
    made = models(
        MEMBER.format("std::optional<fz::C>"),
        MEMBER.format("fz::C"),
        Several(({"x": 1.5}, {"x": None}, None)),
        component="std::optional<double> x",
    )
    assert values_read(made) == [{"x": 1.5}, {"x": None}, {"x": None}]


@pytest.mark.parametrize("optional", [("{}", "std::optional<{}>"), ("std::optional<{}>", "{}")])
@pytest.mark.parametrize(
    ("type_", "value"), [("double", 1.5), ("std::array<double, 2>", [1.5, 2.5]), ("fz::C", C)]
)
def test_a_declared_rename_is_followed_into_an_optional(models, optional, type_, value):
    old, new = (form.format(type_) for form in optional)
    step = "  fz::T: [{ from_version: 1, to_version: 2, rename_member: { from: m, to: z } }]\n"
    made = models(MEMBER.format(old), f"      - {new} z // it", value, migrations=step)
    assert values_read(made, "z") == [value]
    changes = diff(load_model(made.old), load_model(made.new))
    assert not any("is dropped" in change.text for change in changes)


@pytest.mark.parametrize("form", ["{}", "std::optional<{}>", "std::array<{}, 2>"])
def test_a_renamed_member_of_a_component_is_found(models, form):
    step = "  fz::C: [{ from_version: 1, to_version: 2, rename_member: { from: x, to: w } }]\n"
    of_two, member = "array" in form, MEMBER.format(form.format("fz::C"))
    made = models(member, member, CS if of_two else C, new_component="double w", migrations=step)
    assert values_read(made) == [[{"w": 1.5}, {"w": 2.5}] if of_two else {"w": 1.5}]


def test_elements_of_vector_members_have_the_defaults_of_new_members(models):
    member = VECTOR.format("fz::C")
    made = models(member, member, [C], new_component='double x, "double w{2.5}"')
    assert values_read(made) == [[{"x": 1.5, "w": 2.5}]]


def lists_of(value):
    return lambda a, b: {"m": value}


def to_a(a, b):
    return {"m": a[0]}


def to_many_a(a, b):
    return {"m": [a[0]]}


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        (MEMBER.format("std::array<fz::C, 2>"), MEMBER.format("std::array<fz::C, 3>"), CS),
        (MEMBER.format("std::array<fz::C, 2>"), MEMBER.format("std::array<fz::C, 1>"), CS),
        (MEMBER.format("std::array<double, 2>"), MEMBER.format("std::array<double, 3>"), [1, 2]),
        (
            MEMBER.format("std::array<std::array<double, 2>, 3>"),
            MEMBER.format("std::array<std::array<double, 3>, 2>"),
            [[1, 2], [3, 4], [5, 6]],
        ),
        (
            MEMBER.format("std::array<std::array<double, 2>, 2>"),
            MEMBER.format("std::array<double, 4>"),
            [[1, 2], [3, 4]],
        ),
        (MEMBER.format("double"), MEMBER.format("fz::C"), 1.5),
        (MEMBER.format("fz::C"), MEMBER.format("double"), C),
        (MEMBER.format("std::optional<double>"), MEMBER.format("fz::Reading"), 1.5),
        (MEMBER.format("double"), MEMBER.format("std::string"), 1.5),
        (MEMBER.format("std::string"), MEMBER.format("double"), "1.5"),
        (MEMBER.format("double"), VECTOR.format("double"), 1.5),
        (VECTOR.format("double"), MEMBER.format("double"), [1.5]),
        (VECTOR.format("double"), MEMBER.format("fz::C"), [1.5]),
        (VECTOR.format("double"), VECTOR.format("fz::C"), [1.5]),
        (VECTOR.format("fz::C"), VECTOR.format("double"), [C]),
        (VECTOR.format("std::string"), VECTOR.format("double"), ["a"]),
        (VECTOR.format("double"), VECTOR.format("std::vector<double>"), [1.5]),
        (MEMBER.format("double"), ONE.format("fz::A"), 1.5),
        (ONE.format("fz::A"), ONE.format("fz::B"), to_a),
        (MANY.format("fz::A"), MANY.format("fz::B"), to_many_a),
        (ONE.format("fz::A"), MANY.format("fz::A"), to_a),
        (MANY.format("fz::A"), ONE.format("fz::A"), to_many_a),
        (ONE.format("fz::Any"), ONE.format("fz::B"), to_a),
    ],
)
def test_a_member_of_another_kind_is_an_error_that_names_both_versions(models, old, new, value):
    made = models(old, new, value)
    versions = r"'T\.m.* cannot be read: it (was|led to) .*version 1 of .* read with version 2"
    events = kaon.open(made.path, model=made.new)["events"]
    with pytest.raises(kaon.errors.WrongTypeError, match=versions):
        events.arrays("T.m")
    with pytest.raises(kaon.errors.WrongTypeError, match=versions):
        print(events.frames()[0]["T"][0].m)
    with pytest.raises(kaon.errors.WrongTypeError, match=versions):
        kaon.convert(made.path, made.path.with_name("copy.kaon"), model=made.new)
    assert effects(made) == {Effect.FAILS}
    # The other members can be read.
    assert events.arrays("T.keep").T.keep.tolist() == [[1]]
    assert events.frames()[0]["T"][0].keep == 1


def test_a_relation_may_lead_to_an_interface_of_its_datatype(models):
    made = models(ONE.format("fz::A"), ONE.format("fz::Any"), to_a)
    events = kaon.open(made.path, model=made.new)["events"]
    assert events.frames()[0]["T"][0].m.id == 7
    assert events.arrays("T.m").T.m.collection.tolist() == [["A"]]


def test_bounds_of_converted_members(models):
    made = models(MEMBER.format("int32_t"), MEMBER.format("double"), Several((3, -2, 5)))
    events = kaon.open(made.path, model=made.new)["events"]
    (bounds,) = events.bounds("T.m").tolist()
    assert (bounds["least"], bounds["greatest"]) == (-2.0, 5.0)
    assert events.arrays("T.m").T.m.type.content.content.primitive == "float64"
    old = MEMBER.format("std::optional<int32_t>")
    made = models(old, "      - int32_t m{9} // it", Several((3, None)))
    (bounds,) = kaon.open(made.path, model=made.new)["events"].bounds("T.m").tolist()
    assert bounds["greatest"] == 9  # the default that replaces the missing value


def test_members_that_are_lost_are_told_once(models):
    made = models("      - double gone // it", "      - float n // it", lambda a, b: {"gone": 1.5})
    told = r"'gone' of fz::T is not read: the model does not have it"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=told):
        events = kaon.open(made.path, model=made.new)["events"]
    assert events.arrays("T.n").T.n.tolist() == [[0]]
    assert np.isfinite(events.arrays("T.n").T.n.to_numpy()).all()
