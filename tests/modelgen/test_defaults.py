"""Defaults of structs are those of C++ initialisation."""

import pytest

from kaon.modelgen.defaults import leaf_defaults
from kaon.modelgen.model import Component, Member

PARTS = {
    "P": Component("P", members=(Member("int", "x"), Member("int", "y"))),
    "Q": Component("Q", members=(Member("P", "p"), Member("int", "a", (2,)), Member("int", "z"))),
}


def values(default: str) -> list:
    return [leaf for _, leaf in leaf_defaults([Member("Q", "q", default=default)], PARTS)]


def test_parts_are_initialised_by_the_values_in_their_braces():
    assert values("{1, 2}, {3}, 4") == [[1], [2], [3, 0], [4]]
    assert values("{1}") == [[1], [0], [0, 0], [0]]


@pytest.mark.parametrize("default", ["1, 2", "{1, 2}, 3, 4"])
def test_parts_without_their_braces_are_for_compilers(default):
    with pytest.raises(ValueError, match="is for C\\+\\+ only"):
        values(default)
