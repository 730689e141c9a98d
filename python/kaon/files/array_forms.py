"""Forms of columns: arrays of Awkward, NumPy, pandas, polars or Arrow."""

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
    """A library and a container of columns.

    Attributes
    ----------
    short
        The library, by its short name: "ak", "np", "pd", "pl" or "pa".
    how
        The container: ``dict``, ``tuple`` or ``list``; None for the library's own one.
    """

    short: Short
    how: Container = None

    @classmethod
    def named(cls, library: Library, how: How = None) -> ArrayForm:
        """Return the form of a library.

        Raises
        ------
        UsageError
            If the library or `how` is unknown.
        ImportError
            If the library is not installed.
        """
        short = short_name(library)
        if how == "zip" and short == "ak":  # uproot's name of this form, which is always used
            how = None
        if how == "zip" or how not in (None, dict, tuple, list):
            raise UsageError(
                f"how={how!r} is unknown; use dict, tuple or list, or None for all columns as "
                f"'{short}' has them; collections are never joined to one table"
            )
        form = cls(short, how)
        if form.is_table:
            for name in ("pyarrow", _PACKAGES[short]):
                package(name, f"library='{library}'" if isinstance(library, str) else short)
        return form

    @property
    def is_table(self) -> bool:
        """Whether columns are read as an Arrow table."""
        return self.short in _PACKAGES

    @property
    def is_flat(self) -> bool:
        """Whether a table has a column for each member."""
        return self.short == "pd" or self.how is not None

    def finished(self, data: Any, names: Sequence[str] | None, columns: Sequence[str]) -> Any:
        """Convert data that were read (an Awkward array, flat arrays or a table) to this form.

        Parameters
        ----------
        names
            The names that the user asked for; None for all.
        columns
            The stored and computed columns in the order of the result.
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
        """Join at least one part that `finished` has not converted yet."""
        if self.short == "np":
            from kaon.columns.flat import joined

            return joined(parts)
        from kaon.columns.joined_arrays import joined_arrays, joined_tables

        return joined_arrays(parts) if self.short == "ak" else joined_tables(parts)


def _in_order(names: Iterable[str], columns: Sequence[str]) -> list[int]:
    """Return the numbers of a table's columns in the order of `columns`.

    A table's column may be a collection with several of the columns.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(columns):
        for part in prefixes(name):
            places.setdefault(part, place)
    order = [places.get(name, len(columns)) for name in names]
    return sorted(range(len(order)), key=order.__getitem__)


def short_name(library: Library) -> Short:
    """Return the short name of a library, given by name or as its module.

    Raises
    ------
    UsageError
        If the name is unknown.
    WrongTypeError
        If `library` is neither a name nor a module.
    """
    name = library.__name__ if isinstance(library, ModuleType) else library
    if not isinstance(name, str):
        raise WrongTypeError(f"the library must be a name such as 'ak', or a module: {library!r}")
    short = _SHORT.get(name)
    if short is None:
        hint = _core.suggestion(name, list(_SHORT))
        known = "'ak', 'np', 'pd', 'pl' and 'pa'"
        raise UsageError(f"the library '{name}' is unknown{hint}; use one of {known}")
    return short


def package(name: str, what: str = "this") -> Any:
    """Import and return an optional package.

    Parameters
    ----------
    what
        The feature that needs the package, for the message.

    Raises
    ------
    ImportError
        If the package is not installed.
    """
    top = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError as error:
        if error.name not in (top, name):
            raise
        raise ImportError(f"{what} needs {name}: pip install {top}", name=name) from error


def with_columns(table: Any, columns: Mapping[str, Any]) -> Any:
    """Add arrays as columns to an Arrow table; without a table, make one."""
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
    """Return a pandas frame; numbers and strings are of pandas' types, the rest of Arrow's."""
    pandas, types = package("pandas"), package("pyarrow").types
    nested = (types.is_nested, types.is_dictionary)

    def arrow_type(type_: Any) -> Any:
        is_arrow = any(is_so(type_) for is_so in nested)
        return pandas.ArrowDtype(type_) if is_arrow else None

    return table.to_pandas(types_mapper=arrow_type)
