"""Classes whose attributes are the members of a component or datatype."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import TypeVar

from kaon.errors import UsageError
from kaon.model.objects import Field, Object, Record
from kaon.modelgen.mistakes import printable

_R = TypeVar("_R", bound=Record)


def new_class(base: type[_R], name: str, description: str, fields: Sequence[Field]) -> type[_R]:
    """Return a class with these members.

    Parameters
    ----------
    base
        `Component` or `Object`.
    name
        The full name in the model, such as "edm4hep::MCParticle".
    """
    module, _, short = name.rpartition("::")
    names = {field.name for field in fields}
    # Python's keywords, special methods and names of `base` get a "_" that no other member has.
    taken = {n for n in names if keyword.iskeyword(n) or n.startswith("__") or hasattr(base, n)}
    attributes = {
        f"{field}_" if field.name in taken else field.name: field
        for field in fields
        if field.name not in taken or f"{field}_" not in names
    }
    kind = Parameter.KEYWORD_ONLY if base is Object else Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        Parameter(name, kind, default=_Default(field), annotation=field.kind.name)
        for name, field in attributes.items()
    ]
    content = {
        "__slots__": (),
        "__doc__": _documentation(description, attributes),
        "__module__": module.replace("::", ".") or "kaon",
        "__signature__": Signature(parameters),
        "_fields": MappingProxyType({field.name: field for field in fields}),
        "units": MappingProxyType({field.name: field.unit for field in fields}),
        **attributes,
    }
    new: type[_R] = type(short, (base,), content)
    return new


class _Default:
    """A default in a signature, computed when it is shown."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def __repr__(self) -> str:
        try:
            return repr(self.field.default())
        except UsageError:
            return "..."  # it has a meaning only in C++


def _documentation(description: str, attributes: Mapping[str, Field]) -> str:
    lines = [*description.strip().split("\n"), ""] if description else []
    for name, field in attributes.items():
        lines.append(f"{name} : {field.type}")
        lines += [f"    {field.comment}"] if field.comment else []
    return "\n".join(map(printable, lines))
