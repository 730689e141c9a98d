"""In which library's arrays columns come: Awkward, NumPy, pandas, polars, Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, TypeAlias

from kaon import _core
from kaon.columns.schema import prefixes
from kaon.errors import UsageError, WrongTypeError

Short: TypeAlias = Literal["ak", "np", "pd", "pl", "pa"]

Library: TypeAlias = (
    Short | Literal["awkward", "numpy", "pandas", "polars", "pyarrow", "arrow"] | ModuleType
)

Container: TypeAlias = "type[dict[Any, Any]] | type[tuple[Any, ...]] | type[list[Any]] | None"

How: TypeAlias = "Container | Literal['zip']"

_SHORT: dict[str, Short] = {
    **{"ak": "ak", "np": "np", "pd": "pd", "pl": "pl", "pa": "pa"},
    **{"awkward": "ak", "numpy": "np", "pandas": "pd", "polars": "pl"},
    **{"pyarrow": "pa", "arrow": "pa"},
}
_PACKAGES = {"pa": "pyarrow", "pl": "polars", "pd": "pandas"}


@dataclass(frozen=True)
class ArrayForm:
    """A library, and whether its columns come one by one.

    Attributes
    ----------
    short
        The library, by its short name: "ak", "np", "pd", "pl" or "pa".
    how
        None for all columns in what the library has for it; ``dict``, ``tuple`` or ``list`` for one
        with the columns.
    """

    short: str
    how: Container = None

    @classmethod
    def named(cls, library: Library, how: How = None) -> ArrayForm:
        """Return that of a library.

        Raises
        ------
        UsageError
            If there is none, or `how` is none of the containers.
        ImportError
            If the library is not installed.
        """
        short = short_name(library)
        if how == "zip" and short == "ak":  # as uproot calls it; collections always come so
            how = None
        if how == "zip" or how not in (None, dict, tuple, list):
            raise UsageError(
                f"columns come as dict, tuple or list, or None for what '{short}' has for them: "
                f"how={how!r} is none of these; collections are never joined to one table"
            )
        form = cls(short, how)
        if form.is_table:
            for name in ("pyarrow", _PACKAGES[short]):
                package(name, f"library='{library}'" if isinstance(library, str) else short)
        return form

    @property
    def is_table(self) -> bool:
        """Whether columns are read as a table of Arrow."""
        return self.short in _PACKAGES

    @property
    def is_flat(self) -> bool:
        """Whether a table has a column for each member."""
        return self.short == "pd" or self.how is not None

    def finished(self, data: Any, names: Sequence[str] | None, columns: Sequence[str]) -> Any:
        """Return what was read, an Awkward array, flat arrays or a table, in this form.

        Parameters
        ----------
        names
            What was asked for, as it was; None for all.
        columns
            The members, and what was computed, in the order in which they come.
        """
        if self.is_table:
            data = data.select(_in_order(data.column_names, columns))
        if self.short == "pl":
            data = package("polars").from_arrow(data)
        elif self.short == "pd":
            data = _to_pandas(data)
        if self.how is None:
            return data
        arrays = self._columns(data, names, columns)
        return arrays if self.how is dict else self.how(arrays.values())

    def _columns(
        self, data: Any, names: Sequence[str] | None, columns: Sequence[str]
    ) -> dict[str, Any]:
        if self.short == "ak":
            from kaon.columns.reading import column_in

            return {name: column_in(data, name) for name in names or data.fields}
        keys: Iterable[str] = columns
        if self.short != "np":
            keys = data.column_names if self.short == "pa" else data.columns
        return {key: data[key] for key in keys}

    def joined(self, parts: Sequence[Any]) -> Any:
        """Return parts, of which there is one at least, not finished yet, as one."""
        if self.short == "np":
            from kaon.columns.flat import joined

            return joined(parts)
        from kaon.columns.joined_arrays import joined_arrays, joined_tables

        return joined_arrays(parts) if self.short == "ak" else joined_tables(parts)


def _in_order(names: Iterable[str], columns: Sequence[str]) -> list[int]:
    """Return the places of the columns of a table in the order in which they are to come.

    A column can be all that was asked for of a collection.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(columns):
        for part in prefixes(name):
            places.setdefault(part, place)
    order = [places.get(name, len(columns)) for name in names]
    return sorted(range(len(order)), key=order.__getitem__)


def short_name(library: Library) -> Short:
    """Return the short name of a library, which is given by a name or as its module.

    Raises
    ------
    UsageError
        If there is none of that name.
    WrongTypeError
        If it is neither.
    """
    name = library.__name__ if isinstance(library, ModuleType) else library
    if not isinstance(name, str):
        raise WrongTypeError(f"a library is a name such as 'ak', or its module, not {library!r}")
    short = _SHORT.get(name)
    if short is None:
        hint = _core.suggestion(name, list(_SHORT))
        known = "'ak', 'np', 'pd', 'pl' and 'pa'"
        raise UsageError(f"there is no library '{name}'{hint}; there are {known}")
    return short


def package(name: str, what: str = "this") -> Any:
    """Return a package that is not among those that kaon always needs.

    Parameters
    ----------
    what
        What needs it, for the message.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    top = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError as error:
        if error.name not in (top, name):
            raise
        raise ImportError(f"{what} needs {name}: pip install {top}", name=name) from error


def with_columns(table: Any, columns: Mapping[str, Any]) -> Any:
    """Return a table of Arrow, None for an empty one, with arrays as further columns."""
    import awkward as ak

    pyarrow = package("pyarrow")
    arrays = {
        name: ak.to_arrow(ak.Array(values), extensionarray=False)
        for name, values in columns.items()
    }
    if table is None:
        return pyarrow.table(arrays)
    for name, values in arrays.items():
        table = table.append_column(name, values)
    return table


def _to_pandas(table: Any) -> Any:
    """Return a frame: numbers and strings as pandas has them, lists and structs as Arrow has."""
    pandas, types = package("pandas"), package("pyarrow").types
    nested = (types.is_nested, types.is_dictionary)

    def arrow_type(type_: Any) -> Any:
        is_arrow = any(is_so(type_) for is_so in nested)
        return pandas.ArrowDtype(type_) if is_arrow else None

    return table.to_pandas(types_mapper=arrow_type)
