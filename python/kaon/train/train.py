"""Several files in one pass over a dataset."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

from kaon import _core
from kaon.dataframe.dataframe import Dataframe, Formula
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.files.filters import is_wanted, kept_names
from kaon.files.paths import StrPath, free_path
from kaon.modelgen.mistakes import printable
from kaon.writing.options import WriterOptions


@dataclass(frozen=True)
class TrainOutput:
    """What a train wrote to a file, or would write."""

    path: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class TrainReport:
    """What a train did, or would do."""

    #: That were looked at.
    entries: int
    #: For all outputs together: without `keep_order` those that several took are encoded once.
    encoded_entries: int
    #: Likewise, and counted for each of them: in clusters that were copied as they are stored.
    copied_entries: int
    outputs: tuple[TrainOutput, ...]


class Train:
    """Writes several files in one pass over a dataset: which entries each takes, and what of them.

    >>> train = kaon.Train(kaon.dataset("run7/*.kaon:events"))
    >>> train.add("dimuons.kaon", "count(Muon) >= 2")
    >>> train.add("met.kaon", "MET_pt > 100", keep=["MET_pt", "Jet"])
    >>> train.run().outputs[0].entries

    Parameters
    ----------
    events
        Whose entries it sorts.
    keep_order
        Let each file have its entries in the order of the dataset. Else what the same files take
        lies together in them, and is encoded once.
    provenance
        Let entries know which file they come from, and which entry of it they were, as far as the
        format of an output can hold it.
    copy_clusters
        Copy clusters of .kaon files that an output takes whole as they are stored, where nothing of
        their entries is dropped and they are compressed by this codec, whatever the level.
    other_categories
        Give the files what else those of the dataset have, such as runs, all of it; but for lists.
        What a format cannot hold is left out, with a warning.
    decisions
        A file with a bool for each output and entry of the dataset, called as the output is without
        directory and suffix.
    overwrite
        Replace a file of decisions that is there.
    options
        Those of `kaon.create` that say how data lie, and its `format`, for all outputs; the
        `memory_budget` is that of all together. Tags, keys and precision stay as the files have
        them.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for trains.
    UnknownNameError
        If there is no such codec, layout, encoding or format, or the files lack what one names.
    ExistingFileError
        If there is a file where the decisions are to be.
    """

    def __init__(
        self,
        events: Dataframe,
        *,
        keep_order: bool = True,
        provenance: bool = True,
        copy_clusters: bool = True,
        other_categories: bool = True,
        decisions: StrPath | None = None,
        overwrite: bool = False,
        **options: Any,
    ) -> None:
        if not isinstance(events, Dataframe):
            raise WrongTypeError(f"a train goes over a `kaon.dataset(...)`, not {events!r}")
        self._events = events
        self._arguments = (
            WriterOptions.of_copy(**options).core,
            keep_order,
            provenance,
            copy_clusters,
            other_categories,
            "" if decisions is None else free_path(decisions, overwrite),
        )
        self._outputs: list[tuple[Any, ...]] = []
        self._core = _core.train(events._core, *self._arguments)

    def add(
        self,
        path: StrPath,
        selection: Formula | None = None,
        columns: Sequence[str] | str = (),
        *,
        keep: Sequence[str] | None = None,
        drop: Sequence[str] = (),
        thin: Mapping[str, str] | None = None,
        strict: bool = False,
        virtual: bool = False,
        overwrite: bool = False,
    ) -> None:
        """Add an output; there are at most 64.

        Parameters
        ----------
        path
            Of the file, whose suffix says its format.
        selection
            An expression, or a function of the arrays of columns, that is a bool for each entry:
            see `Dataframe.filter`. All entries if there is none.
        columns
            Of which the function takes arrays.
        keep
            Patterns of collections, parameters and values; all if there are none.
        drop
            The same; and what lies in collections, by its name: "Muon.hits".
        thin
            Which objects of collections are taken: {"Muon": "Muon.pt > 10"}.
        strict
            Let a relation to an object that is dropped so be an error. Else it leads to nothing.
        virtual
            Only where the entries are, no data.
        overwrite
            Replace a file that is there.

        Raises
        ------
        UnknownNameError
            For what the dataset does not have.
        WrongTypeError
            For selections and choices of objects that are none.
        UsageError
            For a path that is that of another output, or is read.
        ExistingFileError
            If there is a file at the path.
        """
        path = free_path(path, overwrite)
        contents = self._core.contents()
        try:
            kept = [] if keep is None else kept_names(contents, keep)
        except UnknownNameError as error:
            error.args = (f"{path}: {error}",)
            raise
        dropped: list[str] = []
        for pattern in drop:
            dropped += [name for name in contents if is_wanted(pattern, name)] or [pattern]
        expression = self._expression(selection, columns)
        output = (path, expression, kept, dropped, dict(thin or {}), strict, virtual)
        self._core.add(*output)
        self._outputs.append(output)

    def run(self, *, progress: Callable[[float], None] | None = None) -> TrainReport:
        """Write all files, in all threads. They appear when all is there.

        Raises
        ------
        UsageError
            For what a format cannot hold.
        FileError
            If a file cannot be read or written.
        """
        return _reported(*self._core.run(progress))

    def estimate(self, entries: int = 100_000) -> TrainReport:
        """Return what `run` would report, from about so many entries, some here and some there."""
        return _reported(*self._core.estimate(entries))

    def __repr__(self) -> str:
        paths = ", ".join(str(output[0]) for output in self._outputs) or "no file"
        return printable(f"<Train over {self._events._core.name()} to {paths}>")

    def _expression(self, selection: Formula | None, columns: Sequence[str] | str) -> str:
        """Return an expression; of a function, the name of the column that it defines."""
        if callable(selection):
            name = f"selected_by_function_{len(self._outputs)}"
            self._events = self._events.define(name, selection, columns)
            self._core = _core.train(self._events._core, *self._arguments)
            for output in self._outputs:
                self._core.add(*output)
            return name
        if not isinstance(selection, (str, NoneType)):
            raise WrongTypeError(f"a selection is an expression or a function, not {selection!r}")
        if columns:
            raise UsageError(f"columns are for functions, and '{selection}' is an expression")
        return selection or ""


def _reported(core: _core.TrainReport, warned: list[Any]) -> TrainReport:
    for warning in warned:
        warnings.warn(warning, stacklevel=3)
    outputs = tuple(TrainOutput(each.path, each.entries, each.bytes) for each in core.outputs)
    return TrainReport(core.entries, core.encoded_entries, core.copied_entries, outputs)
