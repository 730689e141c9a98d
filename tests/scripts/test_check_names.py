"""The check of names finds types and headers that share a name."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "scripts/check-names.py"))


def test_the_library_has_each_name_once():
    assert CHECK["main"]() == 0


@pytest.mark.parametrize(
    "other",
    [
        "struct Range {\n  int begin;\n};",
        "class [[nodiscard]] Range final : public Base {\n};",
        "template <class T>\nclass Range\n    : public Base<T> {\n};",
        "enum class Range : std::uint8_t { all };",
        "using Range = std::pair<int, int>;",
        "template <class T>\nusing Range = std::span<T>;",
    ],
)
def test_two_types_of_one_name_are_found(other):
    first = "namespace a {\nclass Range {\n};\n}"
    second = f"namespace b {{\nnamespace {{\n\n{other}\n\n}}\n}}"
    (message,) = CHECK["repeated_types"]({"a.h": first, "b.cpp": second})
    assert message.startswith("a.h:2: type Range has the name of another one: b.cpp:")


@pytest.mark.parametrize(
    "other",
    [
        "class Range;",
        "template <>\nstruct Range<int> {\n};",
        "struct Range::Part {\n};",
        "struct Other {\n  struct Range {\n  };\n};",
        "using a::Range;",
        "Range Range::all() {\n}",
    ],
)
def test_declarations_specializations_and_members_may_repeat_a_name(other):
    first = "namespace a {\nclass Range {\n};\n}"
    assert not [*CHECK["repeated_types"]({"a.h": first, "b.cpp": other})]


def test_aliases_of_the_same_type_may_repeat_a_name():
    first = "using Bytes = std::span<const std::byte>;"
    assert not [*CHECK["repeated_types"]({"a.cpp": first, "b.cpp": first})]
    other = "using Bytes = std::span<std::byte>;"
    assert [*CHECK["repeated_types"]({"a.cpp": first, "b.cpp": other})]


def test_two_headers_of_one_name_are_found():
    paths = [Path("a/Range.h"), Path("b/Range.h"), Path("b/Range.cpp"), Path("b/Other.h")]
    assert [*CHECK["repeated_headers"](paths)] == [
        "a/Range.h: header has the name of another one: b/Range.h"
    ]
