"""The block ``migrations``: names of members and types in earlier versions of a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import yaml

from kaon.modelgen.document import Document
from kaon.modelgen.mistakes import Place, did_you_mean
from kaon.modelgen.model import (
    MOST_MIGRATIONS,
    Component,
    Datatype,
    Member,
    Migration,
    Model,
    Relation,
)

_STEP = ("from_version", "to_version", "rename_member", "rename_type")
_MAX_VERSION = 2**31 - 1

_Note = Callable[[Place, str], None]
_Types = Mapping[str, "tuple[Model, Component | Datatype]"]  # each with the model that declares it


def parse_migrations(document: Document, node: yaml.Node) -> tuple[Migration, ...]:
    """Read the block; `check_migrations` checks that it fits the model."""
    steps: list[Migration] = []
    for name, (key, value) in document.mapping(node, "migrations: ").items():
        context = f"migrations of '{name}': "
        if not isinstance(value, yaml.SequenceNode):
            document.note(value, f"{context}expected a list of steps, '- from_version: 1 ...'")
            continue
        for step in value.value:
            place = document.place(key.start_mark.index)
            steps += _step(document, step, name, place, context)
    return tuple(steps)


def _step(
    document: Document, node: yaml.Node, type_: str, type_place: Place, context: str
) -> Iterator[Migration]:
    entries = document.mapping(node, context, _STEP)
    if not isinstance(node, yaml.MappingNode):
        return
    versions: list[int] = []
    for key in ("from_version", "to_version"):
        if key not in entries:
            document.note(node, f"{context}the key '{key}' is missing")
            continue
        version = document.whole_number(entries[key][1], f"{context}{key}: ", 1, _MAX_VERSION)
        versions += [] if version is None else [version]
    changes = [key for key in _STEP[2:] if key in entries]
    if len(changes) != 1:
        document.note(node, f"{context}a step has either a 'rename_member' or a 'rename_type'")
        return
    (change,) = changes
    wanted = ("from", "to") if change == "rename_member" else ("from",)
    texts = document.mapping(entries[change][1], f"{context}{change}: ", wanted)
    names = [
        document.text_of(texts[key][1], f"{context}{change}: {key}: ") if key in texts else None
        for key in wanted
    ]
    if isinstance(entries[change][1], yaml.MappingNode):
        for key in wanted:
            if key not in texts:
                document.note(entries[change][1], f"{context}{change}: the key '{key}' is missing")
    before, after = names[0], names[1] if change == "rename_member" else ""
    if len(versions) < 2 or before is None or after is None:
        return
    place = document.place(node.start_mark.index)
    yield Migration(type_, versions[0], versions[1], before, after, type_place, place)


def with_migrations(model: Model, steps: Iterable[Migration]) -> Model:
    """Return the model with these migrations.

    A step of podio's may name a member as the model does now. It then gets the name that the member
    had in the step's version.
    """
    types = _types(model)
    migrations = tuple(steps)
    for type_ in dict.fromkeys(step.type for step in migrations if step.type in types):
        current = {item.name for item in _items(types[type_])}
        names = {name: name for name in current}  # the current names by those of a version
        for step in _renames(migrations, type_):
            after = step.after
            if after not in names and after in current:
                after = next(name for name, owner in names.items() if owner == after)
                renamed = replace(step, after=after)
                migrations = tuple(renamed if each is step else each for each in migrations)
            if after in names:
                names[step.before] = names.pop(after)
    return replace(model, migrations=migrations)


def check_migrations(model: Model, note: _Note) -> None:
    """Check that migrations lead to names of the model, and that old names are unambiguous."""
    types = _types(model)
    if len(model.migrations) > MOST_MIGRATIONS:
        place = model.migrations[MOST_MIGRATIONS].place
        return note(place, f"migrations: there are more than {MOST_MIGRATIONS:,} of them")
    for migration in model.migrations:
        context = f"migrations of '{migration.type}': "
        begin, end = migration.from_version, migration.to_version
        if migration.type not in types:
            hint = did_you_mean(migration.type, types)
            note(migration.type_place, f"{context}the model has no type of this name{hint}")
        elif not begin < end <= model.schema_version:
            latest = f"and the model's version is {model.schema_version}"
            note(migration.place, f"{context}{begin} to {end} is not a step of versions, {latest}")
        elif not migration.after and migration.before in types:
            wrong = f"'{migration.before}' cannot be its old name: a type has this name"
            note(migration.place, context + wrong)
    for name in dict.fromkeys(migration.type for migration in model.migrations):
        if name in types:
            _check_renames(model, types[name], note)


def _check_renames(model: Model, type_: Component | Datatype, note: _Note) -> None:
    context = f"migrations of '{type_.name}': "
    current = [item.name for item in _items(type_)]
    owners = {name: name for name in current}  # by any present or former name
    names = {name: name for name in current}  # the current names by older names
    for step in _steps(model, type_.name):
        if step.after not in names:
            wrong = f"version {step.to_version} has no member '{step.after}'"
            note(step.place, f"{context}{wrong}{did_you_mean(step.after, names)}")
            continue
        owner = names.pop(step.after)
        if owners.setdefault(step.before, owner) != owner:
            other = owners[step.before]
            wrong = f"'{step.before}' is or was the name of '{other}', too"
            note(step.place, f"{context}{wrong}: in files, they could not be distinguished")
            continue
        names[step.before] = owner


def old_paths(model: Model, type_: Datatype, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield paths to leaves, vector members and relations, each with its former paths.

    The former paths of a path come newest first. A file may have any version of each upstream
    model.
    """
    models = (model, *model.upstream)
    renamed = {(step.type, step.after) for each in models for step in each.migrations}
    if not renamed:
        return
    types = {name: (m, declared) for m in models for name, declared in _types(m).items()}
    versions = [
        sorted({m.schema_version, *(step.from_version for step in m.migrations)}, reverse=True)
        for m in models
    ]
    for path in dict.fromkeys(paths):
        if not _is_renamed(types, renamed, type_.name, path):
            continue
        known = {path}
        for combination in product(*versions):
            at = {m.name: version for m, version in zip(models, combination, strict=True)}
            before = _path_at(types, at, type_.name, path)
            if before not in known:
                known.add(before)
                yield path, before


def old_type_names(model: Model, name: str) -> list[str]:
    """Return the names of a type in earlier versions, the newest first."""
    steps = [step for step in model.migrations if step.type == name and not step.after]
    return [step.before for step in sorted(steps, key=lambda step: -step.to_version)]


def _is_renamed(types: _Types, renamed: Collection[tuple[str, str]], type_: str, path: str) -> bool:
    """Return whether a part of a path had another name in some version of the models."""
    for word in path.split("."):
        if (type_, word) in renamed:
            return True
        _, inside = types.get(type_, (None, None))
        type_ = next((i.type for i in _items(inside) if i.name == word), type_) if inside else type_
    return False


def _path_at(types: _Types, versions: Mapping[str, int], type_: str, path: str) -> str:
    """Return the former path, given the version of each model by name."""
    words = []
    for word in path.split("."):
        model, inside = types.get(type_, (None, None))
        items = {item.name: item for item in _items(inside)} if inside else {}
        if model and word in items:
            words.append(_name_at(model, type_, word, versions[model.name]))
            type_ = items[word].type
        else:
            words.append(word)  # an element of an array, or a part of an optional member
    return ".".join(words)


def _name_at(model: Model, type_: str, member: str, version: int) -> str:
    """Return the name of a member in an earlier version of the model."""
    for step in _steps(model, type_):
        if step.from_version >= version and step.after == member:
            member = step.before
    return member


def _steps(model: Model, type_: str) -> list[Migration]:
    """Return the steps that renamed members of a type, the newest first."""
    return _renames(model.migrations, type_)


def _renames(migrations: Iterable[Migration], type_: str) -> list[Migration]:
    steps = [step for step in migrations if step.type == type_ and step.after]
    return sorted(steps, key=lambda step: (-step.to_version, -step.from_version))


def _types(model: Model) -> dict[str, Component | Datatype]:
    types: list[Component | Datatype] = [*model.components, *all_datatypes(model)]
    return {type_.name: type_ for type_ in types}


def all_datatypes(model: Model) -> list[Datatype]:
    """Return the datatypes of the model, and the datatypes of its links in files."""
    return [*model.datatypes, *(link.datatype() for link in model.links)]


def _items(type_: Component | Datatype) -> Sequence[Member | Relation]:
    if isinstance(type_, Component):
        return type_.members
    return (*type_.members, *type_.vector_members, *type_.relations)
