"""Data models at run time: a Python class for each component and datatype, without generation."""

from __future__ import annotations

import enum
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, SupportsIndex, TypeAlias, cast
from weakref import WeakValueDictionary

import numpy as np

from kaon import _core, modelgen
from kaon.errors import UnknownMemberError, UnknownNameError, UsageError, WrongTypeError
from kaon.model.classes import new_class
from kaon.model.defaults import leaf_defaults
from kaon.model.kinds import Choice, Element, Kind, Number, Optional, Text
from kaon.model.lists import Array, Vector
from kaon.model.objects import Component, Field, Object, Record, Struct
from kaon.model.relations import ToMany, ToOne
from kaon.model.standard import standard_datatype
from kaon.modelgen.check import check_data
from kaon.modelgen.document import Document
from kaon.modelgen.mistakes import ModelError, printable
from kaon.modelgen.model import Datatype, Member, Model, Relation
from kaon.modelgen.scalars import SCALARS, STRING
from kaon.modelgen.stored_models import model_of_json

AnyModel: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any] | Model | DataModel"


def load_model(
    path: str | os.PathLike[str], upstream: Iterable[str] = (), outside_files: bool = False
) -> DataModel:
    """Read a data model.

    >>> edm = kaon.load_model("edm4hep.yaml")
    >>> electron = edm.MCParticle(PDG=11)

    Parameters
    ----------
    upstream
        Models whose types this one uses, as ``NAME:FILE.yaml``; each can use those before it.
    outside_files
        Whether extra code may come from files outside the folders of the models.

    Raises
    ------
    ModelError
        If a YAML file has mistakes.
    FileError
        If the file cannot be read.
    """
    model = modelgen.load_model(path, upstream=upstream, outside_files=outside_files)
    return DataModel(model.to_dict())


def model_description(model: AnyModel, upstream: Iterable[str] = ()) -> Model:
    """Return the description of a data model, which users can pass in several forms.

    Parameters
    ----------
    upstream
        As in `load_model`, for a YAML file.

    Raises
    ------
    ModelError
        If a YAML file has mistakes.
    UsageError
        If a model in another form has mistakes, or does not use `upstream`.
    """
    upstream = tuple(upstream)
    if isinstance(model, (str, os.PathLike)):
        return modelgen.load_model(model, upstream=upstream)
    if upstream:
        raise UsageError("`upstream` is for YAML files: this model includes its upstream models")
    if not isinstance(model, DataModel) and isinstance(model, Mapping):
        models = [each for each in model.values() if isinstance(each, DataModel)]
        if len(models) > 1:
            raise UsageError(f"several models are given, choose one: {', '.join(model)}")
        model = models[0] if models else model  # from `File.models`, if it has only one
    if isinstance(model, DataModel):
        model = model.description
    if isinstance(model, Mapping) and "name" not in model:
        return modelgen.model_of_entries(model)
    try:
        description = model if isinstance(model, Model) else model_of_json(model)
    except ValueError as error:
        raise UsageError(f"this is no data model: {error}") from None
    document = Document(Path(description.name), "")
    with suppress(ModelError):  # too many mistakes
        check_data(description, document.note)
    if document.mistakes:
        wrong = "; ".join(mistake.message for mistake in document.mistakes)
        raise UsageError(f"the data model '{description.name}' cannot be used: {wrong}")
    return description


def model_documents(model: AnyModel) -> dict[str, str]:
    """Return a data model as JSON, by its name for messages; it can have any of these forms.

    Raises
    ------
    ModelError
        If a YAML file has mistakes.
    UsageError
        If a model in another form has mistakes.
    """
    if isinstance(model, DataModel):
        return {f"the model '{model.name}'": model._document}
    description = model_description(model)
    return {f"the model '{description.name}'": json.dumps(description.to_dict())}


class DataModel(Mapping[str, type[Record]]):
    """The classes of a data model, by their full names; short names are attributes.

    `load_model` and `File.models` return data models. ``model.MCParticle`` is
    ``model["edm4hep::MCParticle"]``. The classes of upstream models are included. kaon makes a
    class at its first use.

    Parameters
    ----------
    entries
        The model in the form of files, which `kaon.modelgen.Model.to_dict` returns.

    Attributes
    ----------
    description
        The description in the model's YAML file.

    Raises
    ------
    ValueError
        If `entries` are not a model.
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        if not isinstance(entries, Mapping):
            raise WrongTypeError(f"`kaon.load_model` reads models of files; this is {entries!r}")
        self.description = model_of_json(entries)
        # The original text: making it from the description would take milliseconds.
        self._document = json.dumps(entries, default=dict)
        whole, stored = self.description.whole(), self.description.stored()
        self._components = {c.name: c for c in whole.components}
        self._datatypes = {d.name: d for d in whole.datatypes}
        self._datatypes |= {link.name: link.datatype() for link in whole.links}
        self._enums = {e.name: e for e in whole.enums}
        self._interfaces = {i.name: tuple(t.type for t in i.types) for i in whole.interfaces}
        self._stored_components = {c.name: c for c in stored.components}
        self._stored = stored.members()
        self._classes: dict[str, type[Any]] = {}
        self._unfinished: set[str] = set()
        self.name = self.description.name

    def __reduce__(self) -> tuple[Any, ...]:
        _models[self._document] = self
        return _model_of, (self._document,)

    def stored_members(self, type_: str) -> Sequence[Member]:
        """Return the members of a datatype or component in the form of files; else ()."""
        return self._stored.get(type_, ())

    def __getitem__(self, name: str) -> type[Any]:
        """Return a class by its full name.

        Raises
        ------
        UnknownNameError
            If the type does not exist.
        UsageError
            If a component contains itself.
        """
        if name in self._unfinished:
            raise UsageError(f"the component '{name}' of the model '{self.name}' contains itself")
        if name not in self._classes:
            self._unfinished.add(name)
            try:
                cls = self._make(name)
            finally:
                self._unfinished.discard(name)
            cls._origin = self, name
            self._classes[name] = cls
        return self._classes[name]

    def __getattr__(self, name: str) -> type[Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        names = [full for full in self if name in (full, full.rpartition("::")[2])]
        if len(names) == 1:
            return self[names[0]]
        if names:
            raise UnknownMemberError(f"'{name}' is one of {', '.join(names)}: give its full name")
        hint = _core.suggestion(name, [full.rpartition("::")[2] for full in self])
        raise UnknownMemberError(f"the model '{self.name}' has no '{name}'{hint}")

    def __iter__(self) -> Iterator[str]:
        yield from (*self._datatypes, *self._components, *self._enums)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.rpartition("::")[2] for name in self)})

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        inside = _core.counted(len(self._datatypes), "datatype")
        return printable(f"<DataModel '{self.name}': {inside}>")

    def _repr_html_(self) -> str:
        from kaon.cards import MOST_ROWS, card, fold, note, table

        parts = []
        for datatype in list(self._datatypes.values())[:MOST_ROWS]:
            fields = self[datatype.name]._fields.values()
            rows = [(field.name, field.type, field.comment) for field in fields]
            members = table(("member", "type [unit]", "description"), rows)
            parts.append(fold(datatype.name, datatype.description, members))
        left = len(self._datatypes) - len(parts)
        more = [note(f"and {left:,} more")] if left else []
        return card(self.name, [_core.counted(len(self._datatypes), "datatype")], *parts, *more)

    def _make(self, name: str) -> type[Any]:
        if name in self._datatypes:
            return self._make_datatype(self._datatypes[name])
        if name in self._components:
            component = self._components[name]
            fields = self._members(component.members, self.stored_members(name))
            return new_class(Component, name, component.description, fields)
        if name in self._enums:
            values = {value.name: value.value for value in self._enums[name].values}
            return new_enum(name.rpartition("::")[2], values)
        if standard := standard_datatype(name):
            return self._make_datatype(standard)
        hint = _core.suggestion(name, list(self))
        raise UnknownNameError(f"the model '{self.name}' has no '{name}'{hint}")

    def _make_datatype(self, datatype: Datatype) -> type[Object]:
        stored = self.stored_members(datatype.name) or datatype.members
        fields = self._members(datatype.members, stored)
        for member in datatype.vector_members:
            element = self._kind(member.type)
            for depth in range(member.depth, 0, -1):
                element = Vector(element, depth)
            kind = Vector(element)
            fields.append(_field(member, kind, partial(kind.checked, (), member.name)))
        for relation in datatype.one_to_one_relations:
            fields.append(_relation(relation, self._target(relation)))
        for relation in datatype.one_to_many_relations:
            fields.append(_relation(relation, ToMany(self._target(relation))))
        object_class = new_class(Object, datatype.name, datatype.description, fields)
        object_class._datatype = datatype
        return object_class

    def _kind(self, type_: str) -> Kind:
        """Return the kind of a member's values."""
        if type_ in SCALARS:
            return Number(SCALARS[type_].dtype)
        if type_ == STRING:
            return Text()
        declared = self[type_]
        if issubclass(declared, enum.IntEnum):
            return Choice(SCALARS[self._enums[type_].underlying].dtype, declared)
        return Struct(declared)

    def _members(self, members: Sequence[Member], stored: Sequence[Member]) -> list[Field]:
        """Return the fields of members, with defaults from the members in the form of files."""
        return [self._member(*both) for both in zip(members, stored, strict=True)]

    def _member(self, member: Member, stored: Member) -> Field:
        kind = self._kind(member.type)
        for size in reversed(member.shape):
            kind = Array(cast(Element, kind), size)  # elements of arrays have no other kinds
        if member.optional:
            kind = Optional(kind)

        @cache
        def leaves() -> list[np.ndarray]:
            return list(leaf_defaults([stored], self._stored_components))

        def default() -> Any:
            if isinstance(kind, Text):
                return ""
            return kind.checked(_of_leaves(kind, iter(leaves())), member.name)

        return _field(member, kind, default)

    def _target(self, relation: Relation) -> ToOne:
        return ToOne(relation.type, self._types(relation.type))

    def _types(self, name: str) -> Sequence[str]:
        """Return the datatypes of the objects that a relation to this type can have."""
        return self._interfaces.get(name, (name,))


_models: WeakValueDictionary[str, DataModel] = WeakValueDictionary()
"""Models that were pickled or unpickled, by their content; each exists only once."""


def _model_of(document: str) -> DataModel:
    model = _models.get(document) or DataModel(json.loads(document))
    return _models.setdefault(document, model)


_ENUM_NAME = re.compile("mro|_.*_")


def new_enum(name: str, values: Mapping[str, int]) -> type[enum.IntEnum]:
    """Return an enum with these values; names that Python's enums refuse get a "_" at the end."""
    make: Callable[..., Any] = enum.IntEnum  # Python's signature is for enums in source code
    new: type[Any] = make(
        name, {f"{each}_" if _ENUM_NAME.fullmatch(each) else each: v for each, v in values.items()}
    )
    new.__reduce_ex__ = _reduced_choice  # type: ignore[assignment]
    return new


def _reduced_choice(choice: Any, protocol: SupportsIndex) -> tuple[Any, ...]:
    return _choice, (*type(choice)._origin, int(choice))


def _choice(model: DataModel, name: str, value: int) -> enum.IntEnum:
    choice: enum.IntEnum = model[name](value)
    return choice


def _relation(relation: Relation, kind: Kind) -> Field:
    is_list = isinstance(kind, ToMany)
    return Field(
        relation.name,
        kind,
        "",
        relation.comment,
        lambda: kind.checked((), relation.name) if is_list else None,
    )


def _field(member: Member, kind: Kind, default: Callable[[], Any]) -> Field:
    return Field(member.name, kind, member.unit, member.comment, default)


def _of_leaves(kind: Kind, leaves: Iterator[np.ndarray]) -> Any:
    """Return the value of a struct's leaves in the form in which users pass it."""
    if isinstance(kind, Struct):
        fields = kind.component._fields.items()
        return {name: _of_leaves(field.kind, leaves) for name, field in fields}
    if isinstance(kind, Optional):
        value = _of_leaves(kind.inner, leaves)
        return value if next(leaves) else None
    if isinstance(kind, Array):
        if isinstance(kind.innermost, Struct):
            return [_of_leaves(kind.element, leaves) for _ in range(kind.size)]
        return np.reshape(next(leaves), kind.shape).tolist()
    return next(leaves).item()
