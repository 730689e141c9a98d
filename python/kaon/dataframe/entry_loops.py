"""Functions that Numba compiles, called for each entry in a compiled loop."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from kaon.columns.column_arrays import to_parts
from kaon.errors import UsageError, WrongTypeError

Column: TypeAlias = "tuple[str, str, int]"
"""The name of a column, the type of its values, and the depth of their lists."""


def is_compiled(function: Callable[..., Any]) -> bool:
    """Tell whether Numba compiles a function, such as those that ``numba.njit`` returns."""
    numba = sys.modules.get("numba")  # a compiled function implies that it was imported
    return numba is not None and bool(numba.extending.is_jitted(function))


class EntryLoop:
    """A function of the arrays of a batch, which calls a compiled function for each entry.

    The compiled function takes numbers, and lists of numbers as NumPy views, and returns a number.
    The loop releases Python's lock, so several threads can run it.

    Parameters
    ----------
    function
        A function that Numba compiles.
    columns
        Its arguments.
    where
        The step, for messages.

    Raises
    ------
    UsageError
        If Numba cannot compile it for these columns.
    WrongTypeError
        If a column has lists of lists, or the function does not return a number.
    """

    def __init__(self, function: Any, columns: Sequence[Column], where: str) -> None:
        import numba

        self._where = where
        call = f"{function.__name__}({', '.join(_argument(column, where) for column in columns)})"
        values_at = numba.njit(_call_at(function, columns))
        try:
            values_at.compile((numba.intp, *_types_of_parts(columns)))
        except numba.core.errors.NumbaError as error:
            raise UsageError(f"{where}: Numba cannot compile {call}: {_reason(error)}") from error
        type_ = values_at.nopython_signatures[-1].return_type
        try:
            self._dtype = numba.np.numpy_support.as_dtype(type_)
        except numba.core.errors.NumbaError:
            raise WrongTypeError(f"{where}: {call} returns {type_}, not a number") from None

        def loop(values: np.ndarray, *parts: np.ndarray) -> None:
            for i in range(len(values)):
                values[i] = values_at(i, *parts)

        # Numba's own threads allow one caller at a time.
        is_parallel = bool(function.targetoptions.get("parallel"))
        self._loop = numba.njit(nogil=not is_parallel)(loop)

    def __call__(self, *arrays: Any) -> np.ndarray:
        """Return a value for each entry."""
        values = np.empty(len(arrays[0]), self._dtype)
        self._loop(values, *(part for array in arrays for part in to_parts(array, self._where)))
        return values


def _argument(column: Column, where: str) -> str:
    name, scalar, depth = column
    if scalar == "string":
        raise WrongTypeError(
            f"{where}: '{name}' has texts, but compiled functions take numbers and lists of "
            "numbers; use an expression, or a function that Numba does not compile"
        )
    if depth > 1:
        raise WrongTypeError(
            f"{where}: '{name}' has lists of lists, but compiled functions take numbers and lists "
            "of numbers; use a function that Numba does not compile"
        )
    return f"{name}: {'list of ' if depth else ''}{scalar}"


def _call_at(function: Any, columns: Sequence[Column]) -> Callable[..., Any]:
    """Return a function that calls another one with the values of the columns in an entry."""
    parameters, values = ["i"], []
    for number, (*_, depth) in enumerate(columns):
        parameters += [f"v{number}", f"o{number}"] if depth else [f"v{number}"]
        index = f"o{number}[i]:o{number}[i + 1]" if depth else "i"
        values.append(f"v{number}[{index}]")
    source = f"lambda {', '.join(parameters)}: function({', '.join(values)})"
    call: Callable[..., Any] = eval(source, {"function": function})
    return call


def _types_of_parts(columns: Sequence[Column]) -> list[Any]:
    """Return Numba's types of the values and offsets of columns."""
    import numba

    scalars = [part for _, scalar, depth in columns for part in (scalar, *["uint32"] * depth)]
    return [numba.from_dtype(np.dtype(scalar))[::1] for scalar in scalars]


def _reason(error: Exception) -> str:
    """Return Numba's message about a function, without the context of the compilation."""
    lines = str(error).partition("\nDuring: ")[0].splitlines()
    return "\n  ".join(line for line in lines if not line.startswith("Failed in "))
