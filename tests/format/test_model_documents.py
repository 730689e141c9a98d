"""kaon writes models as the page describes them, and models predict the tables of files."""

import json
import re
from pathlib import Path

import pytest
from reader import File, Model
from reader.model import ModelTable

import kaon

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/format.md").read_text()
UPSTREAM = {
    "middle": ["richmodel"],
    "last": ["richmodel", "middle:chain/middle", "othermodel"],
}


def model_files():
    return sorted([*ROOT.glob("tests/models/**/*.yaml"), *ROOT.glob("examples/*/*.yaml")])


def loaded(path):
    folder = ROOT / "tests/models"
    upstream = [one.split(":") for one in UPSTREAM.get(path.stem, [])]
    files = [f"{names[0]}:{folder / names[-1]}.yaml" for names in upstream]
    return kaon.load_model(path, files)


def written(model, path):
    """Write a file with an empty collection of each datatype and link."""
    frame = kaon.Frame()
    whole = model.description.whole()
    types = [one.name for one in (*whole.datatypes, *whole.links)]
    for number, name in enumerate(types):
        frame[f"C{number}"] = kaon.Collection(model[name])
    with kaon.create(path, model=model) as out:
        out["events"].write(frame)
    return {f"C{number}": name for number, name in enumerate(types)}


def tables_in(schema):
    """Return the properties of a file's tables that a model states, too."""

    def name_of(number):
        return None if number is None else schema.tables[number].name

    return {
        one.name: ModelTable(
            one.name,
            one.kind,
            one.type,
            name_of(one.parent),
            tuple((m.name, m.type, m.extent, m.unit, m.structure) for m in one.members),
        )
        for one in schema.tables
    }


def compare(model, schema, types):
    there = tables_in(schema)
    names = set()
    for collection, type_ in types.items():
        for told in model.tables(collection, type_):
            of_file = there[told.name]
            leaves = tuple((x.name, x.type, x.extent, x.unit, x.structure) for x in told.leaves)
            assert (of_file.kind, of_file.parent) == (told.kind, told.parent)
            assert told.type in (None, of_file.type)
            assert of_file.leaves == leaves
            names.add(told.name)
    assert names == set(there)


@pytest.mark.parametrize("path", model_files(), ids=lambda path: path.stem)
def test_collections_have_the_tables_that_their_model_tells(path, tmp_path):
    target = tmp_path / "a.kaon"
    types = written(loaded(path), target)
    file = File(target.read_bytes())
    model = Model(file.documents[f"model:{path.stem}"])
    assert types
    compare(model, file.categories["events"].schema, types)


def test_the_page_has_a_model_that_kaon_understands(tmp_path):
    (text,) = re.findall(r"```json\n(\{\"name\".*?)```", PAGE, re.DOTALL)
    entries = json.loads(text)
    model = kaon.DataModel(entries)
    assert model.description.to_dict() == entries
    types = written(model, tmp_path / "a.kaon")
    file = File((tmp_path / "a.kaon").read_bytes())
    compare(Model(file.documents["model:calo"]), file.categories["events"].schema, types)


def test_the_page_names_all_keys():
    section = PAGE[PAGE.index("### Models") : PAGE.index("## Checks")]
    told = set(re.findall(r"`(\w+)`", section))
    for path in model_files():
        for key in keys_of(loaded(path).description.to_dict()):
            assert key in told, f"{path.stem} has {key}"


def keys_of(value):
    """Return the keys of JSON objects, except names of members in a precision."""
    if isinstance(value, list):
        return {key for one in value for key in keys_of(one)}
    if not isinstance(value, dict):
        return set()
    inside = {key: one for key, one in value.items() if key != "precision"}
    ranges = [one for one in value.get("precision", {}).values() if isinstance(one, dict)]
    return {*value, *keys_of(list(inside.values())), *keys_of(ranges)}
