"""Events with the functions of podio's frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kaon.errors import UnknownNameError, UsageError
from kaon.events.collection import Collection
from kaon.events.frames import Frame as Event

_ARRAY_TYPES = {"int": np.int32, "float": np.float32, "double": np.float64}
_TYPES: dict[str, Callable[[Any], Any]] = {
    "int": int,
    "float": float,
    "double": float,
    "str": str,
    "std::string": str,
}


class Frame:
    """An event.

    Parameters
    ----------
    event
        The `kaon.Frame` with its data; by default a new one.
    """

    def __init__(self, event: Event | None = None) -> None:
        self.event = Event() if event is None else event

    def getAvailableCollections(self) -> tuple[str, ...]:  # noqa: N802, podio's name
        """Return the names of the collections."""
        return tuple(self.event)

    def get(self, name: str) -> Any:
        """Return a collection.

        Raises
        ------
        KeyError
            If the frame lacks the collection.
        """
        return self.event[name]

    def getName(self, collection: Any) -> str:  # noqa: N802, podio's name
        """Return the name of a collection.

        Raises
        ------
        KeyError
            If the frame does not contain this collection.
        """
        for name in self.event:
            if self.event[name] is collection:
                return name
        raise UnknownNameError("the frame does not contain this collection")

    def put(self, collection: Any, name: str) -> Any:
        """Add a collection, and return it.

        Raises
        ------
        ValueError
            If it is no collection, or if the frame has one of this name.
        """
        if not isinstance(collection, Collection) and not hasattr(collection, "__array__"):
            raise UsageError(f"'{name}' must be a collection or an array, not {collection!r}")
        if name in self.event:
            raise UsageError(f"the frame has a collection '{name}' already")
        self.event[name] = collection
        return self.event[name]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.event.parameters)

    def put_parameter(self, key: str, value: Any, as_type: str | None = None) -> None:
        """Set a parameter to a number, a string, or a list of these.

        Parameters
        ----------
        as_type
            The stored type: "int", "float", "double" or "str". By default that of the value, with
            "double" for Python's float.

        Raises
        ------
        ValueError
            If the type is unknown or does not suit the value.
        """
        if as_type is not None and as_type not in _TYPES:
            raise UsageError(
                f"parameters have no type '{as_type}': choose from {', '.join(_TYPES)}"
            )
        if as_type in _ARRAY_TYPES:
            import awkward as ak

            values = value if isinstance(value, (list, tuple)) else [value]
            value = ak.Array(np.asarray(values, _ARRAY_TYPES[as_type]))
        self.event.parameters[key] = value

    def get_parameter(self, name: str, as_type: str | None = None) -> Any:
        """Return a parameter: a value, or a list unless it has one value.

        Raises
        ------
        KeyError
            If the frame lacks the parameter.
        ValueError
            If its values are not of the type `as_type`.
        """
        value = self.event.parameters[name]
        if hasattr(value, "tolist"):
            value = value.tolist()
            value = value[0] if len(value) == 1 else value
        if as_type is not None:
            if as_type not in _TYPES:
                raise UsageError(
                    f"parameters have no type '{as_type}': choose from {', '.join(_TYPES)}"
                )
            values = value if isinstance(value, list) else [value]
            if any(not isinstance(each, _TYPES[as_type]) for each in values):  # type: ignore[arg-type]
                raise UsageError(f"the parameter '{name}' is not of the type '{as_type}'")
        return value
