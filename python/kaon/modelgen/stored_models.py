"""Models from files, which any program may have written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kaon.modelgen.json_values import WrongJson
from kaon.modelgen.mistakes import Place
from kaon.modelgen.model import MOST_MIGRATIONS, Model
from kaon.modelgen.scalars import SCALARS
from kaon.modelgen.struct_sizes import check_sizes

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_TYPE_NAME = re.compile(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)*", re.ASCII)


def model_of_json(entries: Mapping[str, Any]) -> Model:
    """Return the model of values that `Model.to_dict` returned, or another program.

    Raises
    ------
    ValueError
        If they are not a model, names in it cannot be names, or its structs are too large.
    """
    try:
        model = Model.from_dict(entries)
        for each in (model, *model.upstream):
            _check_names(each)
            if len(each.migrations) > MOST_MIGRATIONS:
                raise WrongJson("migrations", f"more than {MOST_MIGRATIONS:,} migrations")
    except RecursionError:
        raise WrongJson("", "it is nested too deeply") from None
    check_sizes(model, _raise)
    return model


def _raise(place: Place, message: str) -> None:
    raise WrongJson("", message)


def _check_names(model: Model) -> None:
    for enum in model.enums:
        if enum.underlying not in SCALARS:
            raise WrongJson("", f"the type of the enum '{enum.name}' is not a type of integers")
        _check([enum.name], _TYPE_NAME)
        _check((value.name for value in enum.values), _NAME)
    for link in model.links:
        _check([link.name], _TYPE_NAME)
    for component in model.components:
        _check([component.name], _TYPE_NAME)
        _check((member.name for member in component.members), _NAME)
    for interface in model.interfaces:
        _check([interface.name], _TYPE_NAME)
        _check((member.name for member in interface.members), _NAME)
    for datatype in model.datatypes:
        _check([datatype.name], _TYPE_NAME)
        members = (*datatype.members, *datatype.vector_members)
        _check((member.name for member in members), _NAME)
        _check((relation.name for relation in datatype.relations), _NAME)


def _check(names: Iterable[str], pattern: re.Pattern[str]) -> None:
    for name in names:
        if not pattern.fullmatch(name):
            shown = name if len(name) <= 100 else f"{name[:97]}..."
            raise WrongJson("", f"'{shown}' cannot be a name of C++")
