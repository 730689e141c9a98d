"""Files contain their model as JSON, with everything that the YAML states."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kaon.modelgen import Model, load_model
from kaon.modelgen.model import (
    Component,
    Datatype,
    Enum,
    EnumValue,
    ExtraCode,
    Interface,
    Link,
    Member,
    Migration,
    Options,
    Relation,
    Storage,
    TypeName,
)
from kaon.modelgen.precision import Precision


def test_everything_is_there(model_file):
    model = load_model(model_file)
    assert model.to_dict() == {
        "name": "shower",
        "schema_version": 3,
        "options": {"getSyntax": True, "includeSubfolder": False},
        "components": [
            {
                "name": "calo::Point",
                "members": [
                    {"type": "float", "name": "x", "unit": "mm"},
                    {"type": "float", "name": "y", "unit": "mm"},
                ],
            }
        ],
        "datatypes": [
            {
                "name": "calo::Cell",
                "description": "A cell",
                "author": "kaon",
                "members": [
                    {"type": "uint64_t", "name": "id", "comment": "its number"},
                    {"type": "calo::Point", "name": "at", "comment": "its middle"},
                    {
                        "type": "float",
                        "name": "gains",
                        "arraySize": 4,
                        "default": "1, 1, 1, 1",
                        "comment": "by amplifier",
                    },
                ],
                "vectorMembers": [
                    {"type": "calo::Point", "name": "corners", "comment": "all corners"}
                ],
                "oneToOneRelations": [
                    {"type": "calo::Shower", "name": "shower", "comment": "what it is part of"}
                ],
            },
            {
                "name": "calo::Shower",
                "description": "A shower",
                "author": "kaon",
                "oneToManyRelations": [
                    {"type": "calo::Cell", "name": "cells", "comment": "its cells"}
                ],
            },
        ],
        "interfaces": [
            {
                "name": "calo::Any",
                "description": "Whatever has a number",
                "author": "kaon",
                "members": [{"type": "uint64_t", "name": "id", "comment": "what tells them apart"}],
                "types": ["calo::Cell"],
            }
        ],
        "links": [
            {
                "name": "calo::CellLink",
                "description": "Which cell is which",
                "author": "kaon",
                "from": "calo::Any",
                "to": "calo::Cell",
            }
        ],
        "storage": [
            {
                "datatype": "calo::Cell",
                "layout": "row",
                "group": "calo",
                "precision": {"gains": 12, "at": {"low": 0, "high": 10, "step": 0.1}},
            }
        ],
    }
    assert Model.from_dict(json.loads(json.dumps(model.to_dict()))) == model


def test_a_model_without_interfaces_and_links_is_one_of_before(model_file):
    told = load_model(model_file).to_dict()
    del told["interfaces"], told["links"]
    model = Model.from_dict(told)
    assert (model.interfaces, model.links) == ((), ())


words = st.text(min_size=1, max_size=5)
comments = st.text(max_size=5)
sizes = st.integers(1, 2**63 - 1)
extents = st.integers(1, 30_000)  # of arrays, which have at most 10**9 - 1 elements
lists = {"max_size": 2}
members = st.builds(
    *(Member, words, words, st.lists(extents, **lists).map(tuple), st.none() | words),
    *(comments, comments, st.booleans(), st.integers(0, 8)),
)
relations = st.builds(Relation, words, words, comments)
some_members = st.lists(members, **lists).map(tuple)
some_relations = st.lists(relations, **lists).map(tuple)
codes = st.builds(ExtraCode, comments, comments, comments)
values = st.integers(-(2**63), 2**63 - 1)
enum_values = st.lists(st.builds(EnumValue, words, values, comments), min_size=1, max_size=2)
enums = st.builds(Enum, words, comments, comments, words, enum_values.map(tuple))
components = st.builds(
    *(Component, words, comments, comments),
    *(st.lists(members, min_size=1, max_size=2).map(tuple), codes),
)
datatypes = st.builds(
    *(Datatype, words, comments, comments),
    *(some_members, some_members, some_relations, some_relations),
    *(codes, codes),
)
types = st.builds(TypeName, words)
interfaces = st.builds(
    Interface, words, comments, comments, some_members, st.lists(types, **lists).map(tuple)
)
links = st.builds(Link, words, comments, comments, types, types)
options = st.builds(Options, st.booleans(), st.none() | st.booleans(), st.booleans())
numbers = st.floats(allow_nan=False, allow_infinity=False)
precisions = st.one_of(
    st.builds(Precision, bits=sizes),
    st.builds(Precision, low=numbers, high=numbers, step=numbers),
    st.builds(Precision, low=numbers, high=numbers, bits=sizes),
)
storages = st.builds(
    *(Storage, words, st.none() | st.sampled_from(["split", "member", "row"]), words | st.just("")),
    st.dictionaries(words, precisions, **lists),
)

migrations = st.builds(Migration, words, sizes, sizes, words, words | st.just(""))


models = st.builds(
    *(Model, words, sizes, options),
    *(
        st.lists(some, **lists).map(tuple)
        for some in (enums, components, datatypes, interfaces, links, storages, migrations)
    ),
    comments,
)


@given(st.builds(replace, models, upstream=st.lists(models, **lists).map(tuple)))
def test_any_model_survives_json(model):
    assert Model.from_dict(json.loads(json.dumps(model.to_dict()))) == model


def test_in_the_terms_of_files(load):
    text = """\
schema_version: 1
enums:
  Color: { Type: uint8_t, Values: [red, green = 7] }
datatypes:
  Hit:
    Description: d
    Author: a
    Members:
      - Color color{green} // c
      - std::optional<std::array<Color, 2>> two{red, Color::green} // c
      - std::optional<float> time [ns] // c
      - std::array<std::array<char, 1>, 2> marks{{'{'}, {65}} // c
    VectorMembers:
      - Color colors // c
"""
    stored = load(text).stored()
    (hit,) = stored.datatypes
    assert [(m.type, m.name, m.default) for m in hit.members] == [
        ("uint8_t", "color", "7"),
        ("std::optional<uint8_t[2]>", "two", "{0, 7}, true"),
        ("std::optional<float>", "time", None),
        ("char", "marks", "'{', 65"),
    ]
    assert hit.vector_members[0].type == "uint8_t"
    assert [
        (c.name, [(m.type, m.name, m.shape) for m in c.members]) for c in stored.components
    ] == [
        ("std::optional<uint8_t[2]>", [("uint8_t", "value", (2,)), ("bool", "has_value", ())]),
        ("std::optional<float>", [("float", "value", ()), ("bool", "has_value", ())]),
    ]
