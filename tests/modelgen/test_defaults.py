"""Defaults of structs are those of C++ initialisation."""

import pytest

from kaon.modelgen.defaults import leaf_defaults
from kaon.modelgen.model import Component, Member

PARTS = {
    "P": Component("P", members=(Member("int", "x"), Member("int", "y"))),
    "Q": Component("Q", members=(Member("P", "p"), Member("int", "a", (2,)), Member("int", "z"))),
}


OPTIONAL = Component(
    "std::optional<int>", members=(Member("int", "value"), Member("bool", "has_value"))
)
WITH_OPTIONAL = {
    OPTIONAL.name: OPTIONAL,
    "R": Component("R", members=(Member("int", "a"), Member(OPTIONAL.name, "b"))),
}


def values(default: str) -> list:
    return [leaf for _, leaf in leaf_defaults([Member("Q", "q", default=default)], PARTS)]


def test_parts_are_initialised_by_the_values_in_their_braces():
    assert values("{1, 2}, {3}, 4") == [[1], [2], [3, 0], [4]]
    assert values("{1}") == [[1], [0], [0, 0], [0]]


@pytest.mark.parametrize(
    ("default", "expected"),
    [
        ("1, 2", [[1], [2], [True]]),
        ("1, {2}", [[1], [2], [True]]),
        ("1, {}", [[1], [0], [False]]),
        ("1", [[1], [0], [False]]),
    ],
)
def test_optional_parts_are_initialised_by_their_value(default, expected):
    found = leaf_defaults([Member("R", "r", default=default)], WITH_OPTIONAL)
    assert [leaf for _, leaf in found] == expected


@pytest.mark.parametrize("default", ["1, 2", "{1, 2}, 3, 4"])
def test_parts_without_their_braces_are_for_compilers(default):
    with pytest.raises(ValueError, match="is for C\\+\\+ only"):
        values(default)


def test_arrays_have_at_most_their_number_of_values():
    with pytest.raises(ValueError, match="is for C\\+\\+ only"):
        list(leaf_defaults([Member("P", "p", (1,), default="{{}, {3}}")], PARTS))


def test_floats_have_the_precision_of_their_literal():
    found = leaf_defaults([Member("double", "x", (3,), default="0.1f, 0.1, -0.1F")], {})
    assert [leaf for _, leaf in found] == [[0.10000000149011612, 0.1, -0.10000000149011612]]
