"""The columns of one name in a category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kaon.errors import WrongTypeError
from kaon.files.array_forms import ArrayForm, Library
from kaon.files.memory_sizes import bytes_allowed
from kaon.files.queries import Query
from kaon.modelgen.mistakes import printable

if TYPE_CHECKING:
    import numpy as np

    from kaon import _core
    from kaon.columns.reading import CategoryReader


class Column:
    """The columns of one name in a category: a member, or all members below it.

    ``events["MCParticles.PDG"]`` returns one.
    """

    def __init__(self, reader: CategoryReader, name: str) -> None:
        self._reader = reader
        self._keys: Sequence[str] = reader.schema.keys_below(name)
        self.name = name

    def keys(self) -> list[str]:
        """Return the names of the members inside: "PDG", "momentum.x"."""
        prefix = f"{self.name}."
        return [key.removeprefix(prefix) for key in self._keys if key.startswith(prefix)]

    def values(self) -> list[Column]:
        """Return the columns of each name in `keys`."""
        return [self[key] for key in self.keys()]

    def items(self) -> list[tuple[str, Column]]:
        """Return each name in `keys` with its columns."""
        return [(key, self[key]) for key in self.keys()]

    def __getitem__(self, name: str) -> Column:
        """Return the columns of a name inside: ``events["MCParticles"]["PDG"]``.

        Raises
        ------
        UnknownNameError
            If the name does not exist.
        """
        if not isinstance(name, str):
            raise WrongTypeError(
                f"{self._reader.where}: select columns of '{self.name}' by name, not {name!r}; "
                "`array()` returns the values"
            )
        return Column(self._reader, f"{self.name}.{name}")

    def __iter__(self) -> Iterator[str]:
        names = self.keys()
        if not names:  # a user who iterates here wants values, and would get nothing
            where = f"{self._reader.where}: '{self.name}'"
            raise WrongTypeError(f"{where} has no columns inside; `array()` returns the values")
        return iter(names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the values as a NumPy array, if each entry has one number.

        Raises
        ------
        WrongTypeError
            If entries have lists, or the column has several members.
        """
        import numpy as np

        if "var" in self.typename or len(self._keys) != 1:
            raise WrongTypeError(
                f"{self._reader.where}: '{self.name}' has type {self.typename}, which is not a "
                "NumPy array; `array()` returns an Awkward array, `array(library='np')` flat values"
            )
        return np.asarray(self.array(library="np"), dtype)

    def __len__(self) -> int:
        return len(self._keys)

    def _ipython_key_completions_(self) -> list[str]:
        inner = self.keys()
        outer = [key.partition(".")[0] for key in inner]
        return list(dict.fromkeys([*outer, *inner]))

    @property
    def typename(self) -> str:
        """The type of an entry's values; of a record, the types of its members."""
        types = {key: self._reader.schema.typename(key) for key in self._keys}
        if list(types) == [self.name]:
            return types[self.name]
        inner = (
            f"{key.removeprefix(f'{self.name}.')}: {typename}" for key, typename in types.items()
        )
        return f"{{{', '.join(inner)}}}"

    @property
    def unit(self) -> str:
        """The unit of the values; "" if it is unknown, or the members have several."""
        units = {member.unit for member in self._members()}
        return units.pop() if len(units) == 1 else ""

    @property
    def description(self) -> str:
        """The model's description of the member or collection."""
        schema = self._reader.schema
        # The first table of a name counts: nested lists have the name of the outer ones.
        numbers = reversed(range(len(schema.tables)))
        tables = {schema.label(number): schema.tables[number] for number in numbers}
        if self.name in tables:
            return tables[self.name].description
        descriptions = {member.description for member in self._members()}
        return descriptions.pop() if len(descriptions) == 1 else ""

    def _members(self) -> Iterator[_core.Member]:
        schema = self._reader.schema
        for key in self._keys:
            number, index = schema.members[key]
            if index is not None:
                yield schema.tables[number].members[index]

    def array(
        self,
        entry_start: int | None = None,
        entry_stop: int | None = None,
        library: Library = "ak",
        memory_limit: int | str | None = None,
    ) -> Any:
        """Read the values of entries.

        Parameters
        ----------
        entry_start, entry_stop, library, memory_limit
            As in `Category.arrays`.

        Returns
        -------
        ak.Array
            The field of this name in the result of `Category.arrays`.
        ndarray, pyarrow.ChunkedArray, polars.Series, pandas.Series
            The values of all entries one after another, or in lists. For several members, the
            result of `Category.arrays`.
        """
        form, reader = ArrayForm.named(library), self._reader
        entries = self._reader.entry_range(entry_start, entry_stop)
        allowed = bytes_allowed(memory_limit)
        if form.short == "ak":
            from kaon.columns.references import attributes

            return reader.column(self.name, *entries, attributes(reader), allowed)
        is_member = len(self._keys) == 1 and not self._keys[0].startswith(f"{self.name}.")
        form = ArrayForm(form.short, tuple if is_member else None)
        arrays = Query(reader, form, [self.name], self._keys, self._keys, None).arrays(
            *entries, allowed
        )
        return arrays[0] if is_member else arrays

    def __reduce__(self) -> tuple[Any, ...]:
        return Column, (self._reader, self.name)

    def __repr__(self) -> str:
        types = self.typename
        shown = types if len(types) <= 60 else f"{len(self._keys)} members"
        return printable(f"<Column '{self.name}' of '{self._reader.where}': {shown}>")

    def _repr_html_(self) -> str:
        from kaon.cards import card, table

        rows = []
        for key in self._keys:
            column = Column(self._reader, key)
            rows.append((key, column.typename, column.unit, column.description))
        facts = [self._reader.where, self.unit and f"[{self.unit}]", self.description]
        return card(self.name, facts, table(("name", "type", "unit", "description"), rows))
