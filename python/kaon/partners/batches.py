"""Events as NumPy arrays of a fixed size, optionally shuffled, for training."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from kaon import _core
from kaon.columns.schema import prefixes
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.files.array_forms import package
from kaon.files.category import Category
from kaon.files.chain import Files
from kaon.files.expressions import split_names
from kaon.partners.parts import Part, planned

if TYPE_CHECKING:
    import awkward as ak

    from kaon.model.datamodel import AnyModel
    from kaon.partners.torch_batches import TorchBatches

Rows: TypeAlias = "dict[str, np.ndarray]"
"""Columns by name, each with a row for each event."""

PART_SIZE = 10_000
"""The default number of events that are read at a time, approximately."""


def batches(
    files: Files,
    names: str | Iterable[str],
    size: int = 1024,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    lengths: Mapping[str, int] | None = None,
    shuffle: bool = False,
    seed: int | None = None,
    mixed: int = 8,
    step_size: int | str = PART_SIZE,
    model: AnyModel | None = None,
) -> Batches:
    """Return the events of many files as batches of NumPy arrays, for training.

    >>> for batch in kaon.batches("run*.kaon:events", ["Muon", "MET"], 512, lengths={"Muon": 4}):
    ...     train(batch["Muon.pt"], batch["#Muon"], batch["MET"])  # (512, 4), (512,), (512,)

    Shuffling does not read all events at once. Parts of files, at least a cluster each, come in
    random order, and the events of several parts are mixed.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`.
    names, cut, aliases
        The columns, as in `Category.arrays`: numbers, and lists of numbers.
    size
        The number of events in a batch; the last one may have fewer.
    lengths
        For collections and other lists, by name: the number of objects of an event in a batch.
        Further objects are left out, and missing ones are 0. ``#Muon`` in a batch has the number
        of real objects.
    shuffle
        Whether each iteration has a new random order; otherwise the order is that of the files.
    seed
        A number that makes orders the same in each run; None for new orders in each run.
    mixed
        The number of parts whose events are mixed.
    step_size
        The approximate number of entries in a part, or their size in memory, such as "10 MB".

    Raises
    ------
    MissingFileError
        If a file does not exist.
    UnknownNameError
        If a name does not exist.
    UsageError
        If a list has no length; and in the cases of `Category.arrays`.
    WrongTypeError
        For strings, and nested lists.
    """
    columns = [names] if isinstance(names, str) else list(names)
    size, mixed = _whole(size, "the size of a batch"), _whole(mixed, "the number of parts")
    if size < 1 or mixed < 1 or not columns:
        raise UsageError(
            f"batches need a size ({size}) and a number of mixed parts ({mixed}) of at least 1, "
            f"and columns ({columns})"
        )
    lengths = _lengths(lengths or {})
    plan = planned(files, step_size, columns, model)
    reading = _Reading(columns, cut, dict(aliases or {}), lengths)
    reading.check(plan.example)
    return Batches(plan.parts, reading, size, shuffle, seed, mixed)


def _lengths(lengths: Any) -> dict[str, int]:
    if not isinstance(lengths, Mapping):
        raise WrongTypeError(
            f"lengths must be numbers by name, such as {{'Muon': 4}}, not {lengths!r}"
        )
    checked = {name: _whole(each, f"the length of '{name}'") for name, each in lengths.items()}
    for name, length in checked.items():
        if length < 0:
            raise UsageError(f"the length of '{name}' must be at least 0, not {length}")
    return checked


def _whole(number: Any, what: str) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise WrongTypeError(f"{what} must be an integer, not {number!r}") from None


class Batches:
    """Batches of the events of many files: an iterable, see `kaon.batches`.

    Each iteration is an epoch. Batches can be pickled.

    Attributes
    ----------
    epoch
        The number of the next iteration, which determines its order.
    """

    def __init__(
        self,
        parts: tuple[Part, ...],
        reading: _Reading,
        size: int,
        shuffle: bool,
        seed: int | None,
        mixed: int,
    ) -> None:
        self._parts = parts
        self._reading = reading
        self._size = size
        self._mixed = mixed
        self._share = (0, 1)
        self.shuffle = shuffle
        self.seed = seed
        self.epoch = 0

    def share(self, number: int, count: int) -> Batches:
        """Return the batches of process `number` of `count`; processes have different events.

        All processes must have the same seed, and be in the same epoch.
        """
        if not 0 <= number < count:
            raise UsageError(f"the share must be from 0 to {count - 1}, not {number}")
        some = copy.copy(self)
        some._share = (number, count)
        return some

    def torch(self) -> TorchBatches:
        """Return a dataset of PyTorch, of batches of tensors.

        >>> events = kaon.batches("run*.kaon:events", ["MET", "run"], 512, shuffle=True).torch()
        >>> for batch in torch.utils.data.DataLoader(events, batch_size=None, num_workers=2):
        ...     model(batch["MET"])

        Each worker of a ``DataLoader`` reads different parts of the files, and so does each
        process of ``torch.distributed`` if the process group already exists. Without a seed, the
        order follows from PyTorch's seed and changes in each epoch. With a seed, it follows from
        the seed and the epoch, which ``set_epoch`` sets. Processes of ``torch.distributed`` need a
        seed.

        Raises
        ------
        ImportError
            If PyTorch is not installed.
        """
        package("torch", "Batches.torch()")
        from kaon.partners.torch_batches import TorchBatches

        return TorchBatches(copy.copy(self))

    def __repr__(self) -> str:
        order = ", shuffled" if self.shuffle else ""
        return f"<Batches of {self._size} events{order}: {', '.join(self._reading.names)}>"

    def __iter__(self) -> Iterator[Rows]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        if self.shuffle and self._share[1] > 1 and self.seed is None:
            raise UsageError("shares of shuffled batches need a seed, the same for all processes")
        random = np.random.default_rng(None if self.seed is None else [self.seed, epoch])
        return self._epoch(random)

    def _epoch(self, random: np.random.Generator) -> Iterator[Rows]:
        number, count = self._share
        order = random.permutation(len(self._parts)) if self.shuffle else range(len(self._parts))
        mine = [self._parts[i] for i in order[number::count]]
        left: Rows = {}
        for first in range(0, len(mine), self._mixed if self.shuffle else 1):
            some = mine[first : first + (self._mixed if self.shuffle else 1)]
            rows = _joined([left, *map(self._reading.part, some)])
            total = _length(rows)
            if self.shuffle:
                chosen = random.permutation(total)
                rows = {name: values[chosen] for name, values in rows.items()}
            whole = total - total % self._size
            for begin in range(0, whole, self._size):
                yield _slice(rows, begin, begin + self._size)
            left = _slice(rows, whole, total)
        if _length(left):
            yield left


class _Reading:
    """Reads columns of events, and cuts or fills lists to rows of equal length."""

    def __init__(
        self, names: list[str], cut: str | None, aliases: dict[str, str], lengths: dict[str, int]
    ) -> None:
        self.names = names
        self.cut = cut
        self.aliases = aliases
        self.lengths = lengths

    def check(self, category: Category) -> None:
        """Check that a category has the columns, and the lists with lengths."""
        known = [*category._schema.labels.values(), *category.keys(), *self.names, *self.aliases]
        for name in self.lengths:
            if name not in category and name not in known:
                hint = _core.suggestion(name, known)
                raise UnknownNameError(f"{category._core.name}: has no lists '{name}'{hint}")
        self.rows(category, range(0))

    def part(self, part: Part) -> Rows:
        category = part.open()
        return self.rows(category, part.entries(category))

    def rows(self, category: Category, entries: range) -> Rows:
        from kaon.columns.reading import column_in

        arrays = category.arrays(
            self.names,
            self.cut,
            aliases=self.aliases,
            entry_start=entries.start,
            entry_stop=entries.stop,
        )
        stored, computed = split_names(self.names, self.aliases, category._schema)
        rows: Rows = {}
        for name in category._schema.select_keys(stored or []):
            self._put(rows, name, column_in(arrays, name), category)
        for name in computed:
            self._put(rows, name, arrays[name], category)
        return rows

    def _put(self, rows: Rows, name: str, values: ak.Array, category: Category) -> None:
        import awkward as ak

        where = f"{category._core.name}: '{name}'"
        if ak.to_layout(values).purelist_parameter("__array__") == "string":
            raise WrongTypeError(f"{where} has strings; batches can only have numbers")
        if values.ndim == 1 or ak.to_layout(values).purelist_isregular:
            rows[name] = ak.to_numpy(values, allow_missing=False)
            return
        label = next((part for part in prefixes(name) if part in self.lengths), None)
        if label is None:
            label = [*prefixes(name)][-1] if name in category else name
            raise UsageError(
                f"{where} has lists; set their length in batches, such as lengths={{'{label}': 8}}"
            )
        length = self.lengths[label]
        lists = ak.fill_none(values, [], axis=0)[:, :length]
        if not ak.to_layout(lists).content.purelist_isregular:
            raise WrongTypeError(f"{where} has nested lists; batches can only have simple lists")
        numbers = ak.to_numpy(ak.flatten(lists), allow_missing=False)
        counts = ak.to_numpy(ak.num(lists))
        rows[name] = np.zeros((len(lists), length, *numbers.shape[1:]), numbers.dtype)
        rows[name][np.arange(length) < counts[:, np.newaxis]] = numbers
        rows[f"#{label}"] = counts


def _joined(parts: list[Rows]) -> Rows:
    parts = [rows for rows in parts if rows]
    return {name: np.concatenate([rows[name] for rows in parts]) for name in parts[0]}


def _slice(rows: Rows, begin: int, end: int) -> Rows:
    return {name: values[begin:end] for name, values in rows.items()}


def _length(rows: Rows) -> int:
    return len(next(iter(rows.values()), ()))
