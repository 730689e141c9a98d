"""Files carry their model as JSON: nothing that the YAML said is lost."""

import json

from hypothesis import given
from hypothesis import strategies as st

from kaon.modelgen import Model, load_model
from kaon.modelgen.model import (
    Component,
    Datatype,
    Interface,
    Link,
    Member,
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
        "options": {"getSyntax": True, "exposePODMembers": True, "includeSubfolder": False},
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
sizes = st.integers(1)
lists = {"max_size": 2}
members = st.builds(Member, words, words, st.none() | sizes, st.none() | words, comments, comments)
relations = st.builds(Relation, words, words, comments)
some_members = st.lists(members, **lists).map(tuple)
some_relations = st.lists(relations, **lists).map(tuple)
components = st.builds(
    Component, words, st.lists(members, min_size=1, max_size=2).map(tuple), comments, comments
)
datatypes = st.builds(
    *(Datatype, words, comments, comments),
    *(some_members, some_members, some_relations, some_relations),
)
types = st.builds(TypeName, words)
interfaces = st.builds(
    Interface, words, comments, comments, some_members, st.lists(types, **lists).map(tuple)
)
links = st.builds(Link, words, comments, comments, types, types)
options = st.builds(Options, st.booleans(), st.booleans(), st.booleans())
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


@given(
    st.builds(
        *(Model, words, sizes, options, st.lists(components, **lists).map(tuple)),
        *(st.lists(datatypes, **lists).map(tuple), st.lists(storages, **lists).map(tuple)),
        *(st.lists(interfaces, **lists).map(tuple), st.lists(links, **lists).map(tuple)),
    )
)
def test_any_model_survives_json(model):
    assert Model.from_dict(json.loads(json.dumps(model.to_dict()))) == model
