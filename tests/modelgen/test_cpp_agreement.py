"""Python and C++ break structs down to the same leaves, and give them the same defaults.

The generator does without the C++ module, so both know the rules of models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kaon
from kaon import _core
from kaon.modelgen import load_model
from kaon.modelgen.leaves import leaves
from kaon.modelgen.mistakes import printable_message
from kaon.modelgen.scalars import SCALARS

ENUM = "  m::Quality: {Type: uint8_t, Values: [bad, good, best]}"


def literals(type_: str) -> st.SearchStrategy[str]:
    """Return literals of C++ for a builtin type, or names for the enum."""
    if type_ == "m::Quality":
        return st.sampled_from(["good", "m::Quality::best"])
    scalar = SCALARS[type_]
    if scalar.kind == "Bool":
        return st.sampled_from(["true", "false"])
    if scalar.bounds:
        least, most = scalar.bounds
        integers = st.integers(least, most).map(str)
        others = ["0x1f", "0b101", "017", "+3", *(["5u", "7UL"] if least == 0 else ["-7l"])]
        return integers | st.sampled_from(others)
    floats = st.floats(-(2.0**20), 2.0**20, width=32).map(repr)
    return floats | st.sampled_from(["0.1", "0.1f", "-2.5e-3F", "1.", ".5", "+7.25L", "3", "-0x10"])


def values(draw: st.DrawFn, type_: str, components: dict[str, list[tuple[str, int]]]) -> str:
    """Draw the initialiser of a part of a component; of a component, some of its members."""
    if type_ == "m::Quality":
        return "{}"  # Python does not look for names of enums here
    if type_ not in components:
        return draw(literals(type_))
    members = components[type_][: draw(st.integers(0, len(components[type_])))]
    parts = []
    for inner, size in members:
        if size == 1:
            parts.append(values(draw, inner, components))
        else:
            elements = [values(draw, inner, components) for _ in range(draw(st.integers(0, size)))]
            parts.append(f"{{{', '.join(elements)}}}")
    return f"{{{', '.join(parts)}}}"


@st.composite
def models(draw: st.DrawFn) -> str:
    """Draw a model with components in components, arrays, optional members and defaults."""
    components: dict[str, list[tuple[str, int]]] = {}
    builtin = st.sampled_from([*sorted(SCALARS), "m::Quality"])

    def members(prefix: str, known: list[str]) -> Iterator[tuple[str, int, str]]:
        for number in range(draw(st.integers(1, 4))):
            type_ = draw(builtin | st.sampled_from(known) if known else builtin)
            shape = draw(st.sampled_from([(), (), (), (1,), (3,), (2, 2)]))
            whole = type_
            for size in reversed(shape):
                whole = f"std::array<{whole}, {size}>"
            if draw(st.booleans()) and draw(st.booleans()):
                whole = f"std::optional<{whole}>"
            text = ""
            if draw(st.booleans()):
                inside = [
                    values(draw, type_, components)
                    if type_ in components
                    else draw(literals(type_))
                    for _ in range(prod(shape))
                ]
                if type_ in components and not shape:
                    inside = [inside[0][1:-1]]
                text = ", ".join(inside[: draw(st.integers(1, len(inside)))])
                text = f"{{{text}}}" if text else ""  # an empty default is a mistake
            unit = draw(st.sampled_from(["", " [GeV]", " [mm]"]))
            comment = " // a part" if prefix == "d" or draw(st.booleans()) else ""
            yield type_, prod(shape), f"{whole} {prefix}{number}{text}{unit}{comment}"

    lines = ["schema_version: 1", "enums:", ENUM, "components:"]
    for number in range(3):
        parts = list(members("abc"[number], list(components)))
        lines += [f"  m::C{number}:", "    Members:", *(f"      - {line}" for *_, line in parts)]
        components[f"m::C{number}"] = [(type_, size) for type_, size, _ in parts]
    lines += ["datatypes:", "  m::D:", '    Description: "."', '    Author: "."', "    Members:"]
    lines += [f"      - {line}" for *_, line in members("d", list(components))]
    return "\n".join(lines) + "\n"


def numbers(value: Any) -> Any:
    """Return values of objects and arrays in one form: nested lists of numbers."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (bool, int, float, type(None))):
        return value
    if hasattr(value, "tolist"):
        return numbers(value.tolist())
    if isinstance(value, dict):
        return [numbers(inner) for inner in value.values()]
    if isinstance(value, Sequence):
        return [numbers(inner) for inner in value]
    return [numbers(getattr(value, name)) for name in type(value)._fields]


@settings(max_examples=20, suppress_health_check=list(HealthCheck), deadline=None)
@given(models())
def test_leaves_and_defaults(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("model")
    (folder / "m.yaml").write_text(text)
    path = folder / "a.kaon"
    model = kaon.load_model(folder / "m.yaml")
    types = {"Things": "m::D"}
    try:
        expected = numbers(model["m::D"]())
    except kaon.errors.UsageError:  # a default for compilers only: C++ refuses it, too
        with pytest.raises(kaon.errors.UsageError, match="is for C\\+\\+ compilers only"):
            with kaon.create(path, model=model, types=types, missing_members="default") as out:
                out["events"].extend({"Things": [[{}]]})
        return
    with kaon.create(path, model=model, types=types, missing_members="default") as out:
        out["events"].extend({"Things": [[{}]]})
    events = kaon.open(path)["events"]
    assert stored_leaves(events) == expected_leaves(folder / "m.yaml")
    assert numbers(events.arrays().Things[0, 0].tolist()) == expected


FOR_COMPILERS = """schema_version: 1
components:
  m::V: {Members: [int x]}
  m::P: {Members: [int a, "m::V v{one()}"]}
datatypes:
  m::D:
    Description: "."
    Author: "."
    Members:
      - int number // .
      - m::P p // .
      - m::P q{1} // .
      - m::P r{1, {2}} // .
"""


def test_defaults_for_compilers_inside_components(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(FOR_COMPILERS)
    thing = kaon.load_model(tmp_path / "m.yaml")["m::D"]()
    given = {"a": 3, "v": {"x": 4}}
    types = {"Things": "m::D"}
    for missing, values in (("p", {}), ("q", {"p": given})):
        with pytest.raises(kaon.errors.UsageError, match=r"is for C\+\+ only"):
            getattr(thing, missing)
        with (
            pytest.raises(kaon.errors.UsageError, match=f"default of '{missing}' of m::D is for"),
            kaon.create(
                tmp_path / f"{missing}.kaon",
                model=tmp_path / "m.yaml",
                types=types,
                missing_members="default",
            ) as out,
        ):
            out["events"].extend({"Things": [[values]]})
    with kaon.create(tmp_path / "all.kaon", model=tmp_path / "m.yaml", types=types) as out:
        out["events"].extend({"Things": [[{"number": 1, "p": given, "q": given}]]})
    things = kaon.open(tmp_path / "all.kaon")["events"].arrays().Things
    assert things.r.tolist() == [[{"a": 1, "v": {"x": 2}}]]


def stored_leaves(events: kaon.Category) -> list[tuple[object, ...]]:
    """Return the members of a collection, which C++ has written."""
    members = events._reader.schema.tables[0].members
    return [(m.name, m.type, m.extent, m.unit, m.description, m.structure) for m in members]


def expected_leaves(source: Path) -> list[tuple[object, ...]]:
    """Return the leaves of the only datatype of a model, by the generator's rules."""
    model = load_model(source)
    types = {each.name: each for each in (*model.components, *model.enums)}
    (datatype,) = model.datatypes
    return [
        (leaf.name, leaf.scalar.dtype, leaf.extent, leaf.unit, leaf.comment, leaf.structure)
        for leaf in leaves(datatype.members, types)
    ]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_messages_have_no_control_characters(text: str) -> None:
    assert printable_message(text) == _core.escape_controls(text)


@pytest.mark.parametrize("text", ["a\tb\nc\rd\n  e\n   f", "\x00\x1b\x7f\x85\u202e\u2066\u061c"])
def test_control_characters_of_all_kinds(text: str) -> None:
    assert printable_message(text) == _core.escape_controls(text)


@given(st.integers(-(2**63), 2**63 - 1))
def test_numbers_have_commas(number: int) -> None:
    assert _core.counted(number, "key") == f"{number:,} key{'s' * (number != 1)}"
    assert _core.counted(number, "entry", "entries").startswith(f"{number:,} entr")
