"""Cuts, and computed columns, which are expressions of a category's columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import UnknownNameError, UsageError, WrongTypeError

if TYPE_CHECKING:
    import numpy as np

    from kaon.columns.schema import Schema

_NAME = re.compile(r"[\w.]+")


class Expressions:
    """A cut, and expressions by the names of their columns.

    See docs/expressions.md for the language. The constructor reports all mistakes.

    Raises
    ------
    UnknownNameError
        If the category lacks a name.
    WrongTypeError
        If the cut is not a string.
    UsageError
        If a text is not an expression, or a cut is not true or false for each entry. Also if an
        alias has the name of a column.
    """

    def __init__(
        self,
        core: _core.Category,
        name: str,
        cut: str | None,
        aliases: Mapping[str, str],
        columns: Iterable[str],
    ) -> None:
        if cut is not None and not isinstance(cut, str):
            raise WrongTypeError(
                f"a cut is an expression, not {cut!r}; ranges go by entry_start= and entry_stop="
            )
        for expression in aliases.values():
            if not isinstance(expression, str):
                raise WrongTypeError(f"an alias stands for an expression, not {expression!r}")
        frame = _core.dataframe_of(core, name)
        taken = {*frame.columns(), *frame.contents()} if aliases else set()
        for alias, expression in aliases.items():
            if alias in taken:
                raise UsageError(f"the alias '{alias}' has the name of an existing column")
            frame = frame.define(alias, expression)
        self.columns = list(columns)
        for column in self.columns:
            if column not in aliases:
                frame = frame.define(column, column)
        self._frame = frame if cut is None else frame.filter(cut, cut)
        self._has_cut = cut is not None

    def compute(self, first: int, last: int) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the entries of [first, last) that pass, and the columns of these entries.

        Without a cut, the entries are None, which stands for all.
        """
        from kaon.columns.column_arrays import to_array

        entries, columns = self._take(first, last)
        return entries, {name: to_array(parts) for name, parts in columns.items()}

    def parts(self, first: int, last: int) -> tuple[np.ndarray | None, dict[str, list[np.ndarray]]]:
        """Return the same; each column as its values and the offsets of lists, the outermost first.

        Missing values are masked. The offsets of missing lists are masked, too.
        """
        from kaon.columns.column_arrays import with_strings

        entries, columns = self._take(first, last)
        return entries, {name: with_strings(parts) for name, parts in columns.items()}

    def _take(self, first: int, last: int) -> tuple[np.ndarray | None, dict[str, list[np.ndarray]]]:
        some = self._frame.range(first, last)
        names = (["dataset.fileEntry"] if self._has_cut else []) + self.columns
        columns = [some.take(name) for name in names]
        _core.run(columns, None)
        parts = [column.value for column in columns]
        entries = parts.pop(0)[0] if self._has_cut else None
        return entries, dict(zip(self.columns, parts, strict=True))


def split_names(
    names: str | Iterable[str] | None, aliases: Mapping[str, str], schema: Schema
) -> tuple[list[str] | None, list[str]]:
    """Return the names of stored columns (None for all), and expressions, including aliases.

    Raises
    ------
    WrongTypeError
        If a name is not a string.
    """
    if not isinstance(aliases, Mapping):
        raise WrongTypeError(f"aliases are expressions by name, not {aliases!r}")
    if names is None:
        return None, list(aliases)
    stored: list[str] = []
    computed: list[str] = []
    objects = {alias.rpartition(".")[0] or alias for alias in aliases}
    for name in [names] if isinstance(names, str) else names:
        if not isinstance(name, str):
            raise WrongTypeError(f"{schema.where}: columns are named by strings, not {name!r}")
        if name.endswith("*"):
            raise UsageError(f"{schema.where}: '{name}' is a pattern, which `filter_name=` takes")
        head, _, last = name.rpartition("/")
        if last.startswith(f"{head}.") and last in schema and head not in schema.members:
            raise UnknownNameError(f"{schema.where}: there is no '{name}' (did you mean '{last}'?)")
        is_name = (_NAME.fullmatch(name) and not _follows(name, schema)) or name in schema
        is_alias = name in aliases or (name not in schema and name.partition(".")[0] in objects)
        (stored if is_name and not is_alias else computed).append(name)
    return stored, list(dict.fromkeys(computed))  # each once, like stored columns


_KINEMATIC = frozenset(_core.kinematic_members())


def _are_columns(objects: str, schema: Schema) -> bool:
    """Tell whether the members of objects are columns with a common prefix, as in "jet_pt"."""
    heads = tuple(f"{objects}{separator}" for separator in "._:")
    return bool(objects) and any(key.startswith(heads) for key in schema.members)


def _follows(name: str, schema: Schema) -> bool:
    """Tell whether a name continues behind the name of a relation, a subset or a component.

    Examples are "MCParticles.parents.PDG", "SlimmedMuons.pt" for a subset, and "Hits.at.x" for an
    optional component. Other names follow from the members of an object, such as "Muon.px".
    """
    objects, _, member = name.rpartition(".")
    if member in _KINEMATIC and (objects in schema or _are_columns(objects, schema)):
        return True
    heads = (name[: dot.start()] for dot in re.finditer(r"\.", name))
    return any(
        any(f"{head}.{tail}" in schema.members for tail in ("index", "object.index", "has_value"))
        for head in heads
    )
