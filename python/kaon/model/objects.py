"""Base classes of the classes that are made from a model."""

from __future__ import annotations

import copyreg
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kaon import _core
from kaon.errors import UnknownMemberError, UsageError, WrongTypeError
from kaon.model.kinds import Columns, Kind, wrong_kind
from kaon.model.lists import Values
from kaon.model.podio_names import accessor
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    from awkward.contents import Content
    from typing_extensions import Self

    from kaon.modelgen.model import Datatype


class Field:
    """A member of a class: an attribute that is checked when it is set.

    Parameters
    ----------
    name
        The name in the model. If it is a Python keyword or a name of the class itself, such as
        "clone", the attribute has a "_" at the end.
    default
        A function that returns a new default value.
    """

    def __init__(
        self, name: str, kind: Kind, unit: str, comment: str, default: Callable[[], Any]
    ) -> None:
        self.name = name
        self.kind = kind
        self.unit = unit
        self.comment = comment
        self.default = default
        self.__doc__ = printable(self.type + (f": {comment}" if comment else ""))

    @property
    def type(self) -> str:
        """The kind, followed by the unit in brackets."""
        return f"{self.kind.name} [{self.unit}]" if self.unit else self.kind.name

    def __get__(self, instance: Record | None, owner: object) -> Any:
        return self if instance is None else instance._value(self)

    def __set__(self, instance: Record, value: Any) -> None:
        instance._check_mutable()
        instance._values[self.name] = self.kind.checked(value, f"{type(instance).__name__}.{self}")

    def __str__(self) -> str:
        return self.name


_set = object.__setattr__  # without the checks of records


class ModelClass(type):
    """The class of the classes that are made from a model; they can be pickled with the model."""

    _origin: tuple[Mapping[str, type[Any]], str] | None = None  # the model, and the name in it


def _reduced_class(model_class: ModelClass) -> Any:
    if model_class._origin is None:
        return model_class.__qualname__
    return operator.getitem, model_class._origin


copyreg.pickle(ModelClass, _reduced_class)


class Record(metaclass=ModelClass):
    """Named values. Members that were not set have the model's default."""

    __slots__ = ("__weakref__", "_is_mutable", "_values")

    _fields: ClassVar[Mapping[str, Field]] = {}
    units: ClassVar[Mapping[str, str]] = {}

    _values: dict[str, Any]
    _is_mutable: bool

    @classmethod
    def _of_values(cls, values: Mapping[str, Any], where: str) -> Self:
        """Return a record with a user's values."""
        record = cls._of_checked({})
        for name, value in values.items():
            kind = cls._field(name).kind
            record._values[name] = kind.checked(value, f"{where}.{name}")
        _set(record, "_is_mutable", True)
        return record

    @classmethod
    def _of_checked(cls, values: dict[str, Any]) -> Self:
        """Return an immutable record with values that were checked."""
        record = cls.__new__(cls)
        _set(record, "_values", values)
        _set(record, "_is_mutable", False)
        return record

    @classmethod
    def _field(cls, name: str) -> Field:
        if not isinstance(name, str):
            raise cls._unknown(name)
        if name in cls._fields:
            return cls._fields[name]
        if name.endswith("_") and name[:-1] in cls._fields:
            return cls._fields[name[:-1]]  # an attribute for a Python keyword
        raise cls._unknown(name)

    @classmethod
    def _unknown(cls, name: str) -> UnknownMemberError:
        hint = _core.suggestion(name, list(cls._fields))
        return UnknownMemberError(f"a {cls.__name__} has no '{name}'{hint}")

    def _value(self, field: Field) -> Any:
        if field.name not in self._values:
            self._values[field.name] = field.default()
        return self._values[field.name]

    def _check_mutable(self) -> None:
        if not self._is_mutable:
            name = type(self).__name__
            raise UsageError(f"this {name} belongs to a file: clone() the object to change it")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._fields and (function := accessor(self, name)):
            return function
        return self[name]  # a Python keyword: getattr(link, "from")

    def __setattr__(self, name: str, value: Any) -> None:
        self._field(name).__set__(self, value)

    def __getitem__(self, name: str) -> Any:
        """Return a member by its name."""
        return self._value(self._field(name))

    def __setitem__(self, name: str, value: Any) -> None:
        self._field(name).__set__(self, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the members as plain Python values; related objects stay objects."""
        return self._to_plain()

    def _to_plain(self) -> dict[str, Any]:
        return {name: f.kind.to_plain(self._value(f)) for name, f in self._fields.items()}

    def _rows(self) -> Iterator[tuple[Field, str]]:
        for field in self._fields.values():
            yield field, _short(self._value(field), "float32" in field.kind.name)

    def _card_texts(self) -> list[str]:
        """Return the members as texts for a card, rounded to be easy to read."""
        return [card_text(self._value(field)) for field in self._fields.values()]

    def __repr__(self) -> str:
        inside = ", ".join(f"{field}={text}" for field, text in self._rows())
        return f"{type(self).__name__}({inside})"

    def _repr_html_(self) -> str:
        from kaon.cards import card, table

        fields = self._fields.values()
        texts = zip(fields, self._card_texts(), strict=True)
        rows = [(field.name, text, field.unit, field.comment) for field, text in texts]
        headings = ("member", "value", "unit", "description")
        return card(type(self).__name__, [], table(headings, rows))


class Component(Record):
    """A component of a model: values that are part of an object."""

    __slots__ = ()

    def __init__(self, /, *args: Any, **values: Any) -> None:
        cls = type(self)
        if len(args) > len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} members, not {len(args)}")
        by_name = dict(zip(cls._fields, args, strict=False))
        for name in values:
            if cls._field(name).name in by_name:
                raise TypeError(f"{cls.__name__} got '{name}' twice")
        record = cls._of_values({**by_name, **values}, cls.__name__)
        _set(self, "_values", record._values)
        _set(self, "_is_mutable", True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Component) and type(other).__name__ == type(self).__name__:
            return self._to_plain() == other._to_plain()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _component, (type(self), self._to_plain())


def _component(of: type[Component], values: Mapping[str, Any]) -> Component:
    return of._of_values(values, of.__name__)


class Struct:
    """The kind of members whose type is a component."""

    def __init__(self, component: type[Component]) -> None:
        self.component = component
        self.name = component.__name__

    def checked(self, value: Any, where: str) -> Component:
        """Return a component with a user's values: a component, a mapping, or a sequence."""
        fields = self.component._fields
        if type(value).__name__ == self.name and hasattr(value, "_to_plain"):
            value = value._to_plain()  # its model may be the same, loaded twice
        elif isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes)):
            if len(value) != len(fields):
                raise UsageError(f"'{where}' needs {', '.join(fields)}, not {len(value)} values")
            value = dict(zip(fields, value, strict=True))
        if not isinstance(value, Mapping):
            raise wrong_kind(value, where, f"a {self.name} ({', '.join(fields)})")
        return self.component._of_values(value, where)

    def read(self, columns: Columns, key: str, at: int) -> Component:  # noqa: D102
        fields = self.component._fields.items()
        return self.component._of_checked(
            {name: field.kind.read(columns, f"{key}.{name}", at) for name, field in fields}
        )

    def read_several(  # noqa: D102
        self, columns: Columns, key: str, at: int, extent: int
    ) -> list[Component]:
        return [self.read(columns, f"{key}.{i}", at) for i in range(extent)]

    def to_plain(self, value: Component) -> dict[str, Any]:  # noqa: D102
        return value._to_plain()

    def content(self, values: Sequence[Mapping[str, Any]]) -> Content:  # noqa: D102
        from awkward.contents import RecordArray

        fields = self.component._fields.items()
        contents = [field.kind.content([v[name] for v in values]) for name, field in fields]
        return RecordArray(contents, list(self.component._fields), length=len(values))


class Row:
    """The place of an object in a file.

    Parameters
    ----------
    columns
        The columns with its values; its row in them is `at`.
    place
        The identity of the object; its last parts are the entry and the index.
    """

    __slots__ = ("at", "columns", "place")

    def __init__(self, columns: Columns, at: int, place: tuple[Any, ...]) -> None:
        self.columns = columns
        self.at = at
        self.place = place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self.place == other.place

    def __hash__(self) -> int:
        return hash(self.place)


class Object(Record):
    """An object of a datatype of a model: a new object, or an object in an event of a file.

    Objects of files cannot be changed, but cloned. Objects are equal only if they are the same.
    They are convenient, but not fast: whole columns, as in `Category.arrays` and
    `WritableCategory.extend`, are hundreds of times faster.
    """

    __slots__ = ("_row",)

    _datatype: ClassVar[Datatype]
    _row: Row | None

    def __init__(self, /, *args: Any, **values: Any) -> None:
        cls = type(self)
        if args:
            first = next(iter(cls._fields), "member")
            raise WrongTypeError(
                f"members are given by name, as in {cls.__name__}({first}={args[0]!r})"
            )
        _set(self, "_values", {})
        _set(self, "_is_mutable", True)
        _set(self, "_row", None)
        for name, value in values.items():
            cls._field(name).__set__(self, value)

    @classmethod
    def _of_file(cls, row: Row) -> Self:
        restored = cls.__new__(cls)
        _set(restored, "_values", {})
        _set(restored, "_is_mutable", False)
        _set(restored, "_row", row)
        return restored

    def _value(self, field: Field) -> Any:
        values, name, row = self._values, field.name, self._row
        if name not in values and row is not None and row.columns.has(name):
            values[name] = field.kind.read(row.columns, name, row.at)
        return values[name] if name in values else super()._value(field)

    def clone(self, /, **changes: Any) -> Self:
        """Return a new object with the same members and relations, except for `changes`."""
        copy = type(self)()
        for field in self._fields.values():
            field.__set__(copy, field.kind.to_plain(self._value(field)))
        for name, value in changes.items():
            self._field(name).__set__(copy, value)
        return copy

    __copy__ = clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the place in a file, or else the values if the object has no relations."""
        if self._row is not None:
            return self._row.columns.object, self._row.place[-2:]
        values = {name: self._fields[name].kind.to_plain(v) for name, v in self._values.items()}
        for name, value in values.items():
            if isinstance(value, Object) or (
                value and isinstance(value, list) and isinstance(value[0], Object)
            ):
                raise UsageError(
                    f"a {type(self).__name__} with the relation '{name}' cannot be pickled alone: "
                    "pickle the frame that has all of its objects"
                )
        return _object, (type(self), values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return NotImplemented
        return self is other or (self._row is not None and self._row == other._row)

    def __hash__(self) -> int:
        return id(self) if self._row is None else hash(self._row)


def _object(of: type[Object], values: Mapping[str, Any]) -> Object:
    return of(**values)


def _short(value: Any, is_float32: bool) -> str:
    """Return a value as text: float32 with its own digits, related objects as their class."""
    if is_float32 and isinstance(value, float):
        return str(np.float32(value))
    if is_float32 and isinstance(value, Values) and all(isinstance(each, float) for each in value):
        return f"[{', '.join(str(np.float32(each)) for each in value)}]"
    if isinstance(value, Object):
        return f"<{type(value).__name__}>"
    if isinstance(value, Values) and len(value) and isinstance(value[0], Object):
        return f"[{len(value)} {type(value[0]).__name__}]"
    return repr(value)


def card_text(value: Any) -> str:
    """Return a value as text with six digits; a component as the texts of its members."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Component):
        return f"({', '.join(value._card_texts())})"
    if isinstance(value, (Values, list)) and all(
        isinstance(each, (float, Component)) for each in value
    ):
        return f"[{', '.join(map(card_text, value))}]"
    return _short(value, False)
