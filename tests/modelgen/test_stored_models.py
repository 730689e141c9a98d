"""Any program may have written a model in a file; a wrong one is one clear error."""

from typing import Any

import pytest

from kaon.modelgen.stored_models import model_of_json


def member(name: str, type_: str = "int", **others: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, **others}


def model(*members: dict[str, Any], **others: Any) -> dict[str, Any]:
    datatypes = [{"name": "x::A", "members": list(members)}]
    return {"name": "x", "schema_version": 1, "datatypes": datatypes, **others}


def nested(depth: int) -> list[Any]:
    return [model(upstream=nested(depth - 1))] if depth else []


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "expected entries by name"),
        ({"name": "x"}, "the entry 'schema_version' is missing"),
        (model(name=None), "name: expected a text"),
        (model(schema_version="one"), "schema_version: expected a whole number"),
        (model(schema_version=True), "schema_version: expected a whole number"),
        (model(schema_version=2**70), "schema_version: expected a whole number"),
        (model(datatypes=None), "datatypes: expected a list"),
        (model(datatypes=[None]), r"datatypes\[0\]: expected entries by name"),
        (model({"name": 7}), r"datatypes\[0\].members\[0\].*"),
        (model(member("v", depth=10**9)), r"members\[0\].depth: expected a whole number from 1"),
        (model(member("v", arraySize=[1] * 1000)), "arraySize: expected at most 32 whole numbers"),
        (model(member("v", arraySize=0)), "arraySize: expected at most 32 whole numbers above 0"),
        (model(member("v", arraySize=[10**5] * 2)), "arraySize: an array of more than 999,999,999"),
        (model(member("v", "double", arraySize=10**9 - 1)), "or 268,435,456 bytes"),
        (model(member("a b")), "'a b' cannot be a name"),
        (model(member("i\nimport os")), r"'i\nimport os' cannot be a name"),
        (model(datatypes=[{"name": "x::A\nclass B"}]), "cannot be a name"),
        (model(enums=[{"name": "E", "underlying": "f"}]), "the type of the enum 'E' is not"),
        (
            model(links=[{"name": "L", "from": 5, "to": "x::A"}]),
            r"links\[0\].from: expected a text",
        ),
        (
            model(storage=[{"datatype": "x::A", "precision": {"i": {"low": "a"}}}]),
            "precision.i: expected 'low', 'high'",
        ),
        (model(migrations=[{"type": "x::A"}]), r"migrations\[0\]: expected the names"),
        (
            model(
                migrations=1001
                * [{"type": "A", "fromVersion": 1, "toVersion": 2, "renameType": {"from": "B"}}]
            ),
            "migrations: more than 1,000 migrations",
        ),
        (model(upstream=nested(400)), "nested too deeply"),
    ],
)
def test_wrong_models_are_one_error(entries: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model_of_json(entries)


def test_nested_components_have_a_limit() -> None:
    components = [{"name": "C0", "members": [member("m")]}]
    components += [
        {"name": f"C{i}", "members": [member(f"m{k}", f"C{i - 1}") for k in range(10)]}
        for i in range(1, 50)
    ]
    with pytest.raises(ValueError, match="component 'C6': with it, the structs"):
        model_of_json(model(components=components))


def test_a_model_of_many_types_is_read() -> None:
    datatypes = [{"name": f"A{i}", "members": [member("m")]} for i in range(10_000)]
    assert len(model_of_json(model(datatypes=datatypes)).datatypes) == 10_000
