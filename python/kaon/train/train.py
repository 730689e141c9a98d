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
from kaon.files.bad_files import BadFile, bad_files_of
from kaon.files.filters import is_wanted, kept_names
from kaon.files.paths import StrPath, free_path
from kaon.modelgen.mistakes import printable
from kaon.writing.options import WriterOptions


@dataclass(frozen=True)
class TrainOutput:
    """The size of a file that a train wrote, or would write."""

    path: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class TrainReport:
    """The numbers of entries that a train read and wrote, or would write."""

    #: Entries that were read.
    entries: int
    #: Entries encoded for all outputs: without `keep_order`, shared entries are encoded once.
    encoded_entries: int
    #: Entries of clusters that were copied in stored form, counted for each output.
    copied_entries: int
    outputs: tuple[TrainOutput, ...]
    #: Files that were left out: see ``on_bad_file`` of `kaon.dataset`.
    bad_files: tuple[BadFile, ...] = ()


class Train:
    """Writes several files in one pass over a dataset, with selected entries and columns each.

    >>> train = kaon.train.Train(kaon.dataset("run7/*.kaon:events"))
    >>> train.add("dimuons.kaon", "count(Muon) >= 2")
    >>> train.add("met.kaon", "MET_pt > 100", keep=["MET_pt", "Jet"])
    >>> train.run().outputs[0].entries

    Parameters
    ----------
    events
        The dataset.
    keep_order
        Whether each file keeps the order of the dataset. Otherwise, entries that the same files
        take are stored together in these files, and encoded once.
    provenance
        Whether entries store their original file and entry, if the output's format can hold them.
    copy_clusters
        Whether to copy whole clusters of .kaon files in stored form. This needs an output that
        takes all of the cluster's entries without dropping anything, and the same codec, at any
        level.
    other_categories
        Whether to copy the dataset's other categories completely, such as runs, and to add up its
        histograms for ROOT files; outputs that are lists of entries do not get them. Data that a
        format cannot hold are left out with a warning.
    decisions
        The path of a file with a bool for each output and entry of the dataset. Its columns have
        the names of the outputs without directory and suffix.
    overwrite
        Whether to replace an existing file of decisions.
    options
        Options of `kaon.create` for storage, and its `format`, for all outputs. `memory_budget` is
        shared by all outputs. Tags, keys and precision stay as in the input files.

    Raises
    ------
    UsageError
        If an option is invalid, or not for trains.
    UnknownNameError
        If a codec, layout, encoding or format is unknown, or the files lack a name in the options.
    ExistingFileError
        If the file of decisions exists.
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
            raise WrongTypeError(f"a train needs a `kaon.dataset(...)`, not {events!r}")
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
            The path of the file, whose suffix sets its format.
        selection
            An expression, or a function of arrays of columns, with a bool for each entry: see
            `Dataframe.filter`. None selects all entries.
        columns
            The columns whose arrays the function takes.
        keep
            Patterns of collections, parameters and values to keep; None keeps all.
        drop
            Patterns to drop, or names of parts of collections, such as "Muon.hits".
        thin
            Conditions that select objects of collections: {"Muon": "Muon.pt > 10"}.
        strict
            Whether a relation to an object that `thin` dropped raises. Otherwise it becomes empty.
        virtual
            Whether to store only the numbers of the entries, without data.
        overwrite
            Whether to replace an existing file.

        Raises
        ------
        UnknownNameError
            If the dataset lacks a name.
        WrongTypeError
            If a selection or condition does not give bools.
        UsageError
            If another output has this path, or it is a file of the dataset.
        ExistingFileError
            If the file exists.
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
        """Write all files, in all threads. The files appear when all are complete.

        Raises
        ------
        UsageError
            If a format cannot hold the data.
        FileError
            If a file cannot be read or written.
        """
        return _reported(*self._core.run(progress))

    def estimate(self, entries: int = 100_000) -> TrainReport:
        """Estimate the report of `run` from about `entries` entries, spread over the dataset."""
        return _reported(*self._core.estimate(entries))

    def __repr__(self) -> str:
        paths = ", ".join(str(output[0]) for output in self._outputs) or "no file"
        return printable(f"<Train over {self._events._core.name()} to {paths}>")

    def _expression(self, selection: Formula | None, columns: Sequence[str] | str) -> str:
        """Return the selection as an expression; for a function, define a column and name it."""
        if callable(selection):
            name = f"selected_by_function_{len(self._outputs)}"
            self._events = self._events.define(name, selection, columns)
            self._core = _core.train(self._events._core, *self._arguments)
            for output in self._outputs:
                self._core.add(*output)
            return name
        if not isinstance(selection, (str, NoneType)):
            raise WrongTypeError(
                f"the selection must be an expression or a function, not {selection!r}"
            )
        if columns:
            raise UsageError(
                f"leave out `columns`: they are for functions, and '{selection}' is an expression"
            )
        return selection or ""


def _reported(core: _core.TrainReport, warned: list[Any]) -> TrainReport:
    for warning in warned:
        warnings.warn(warning, stacklevel=3)
    outputs = tuple(TrainOutput(each.path, each.entries, each.bytes) for each in core.outputs)
    bad = bad_files_of(core.bad_files)
    return TrainReport(core.entries, core.encoded_entries, core.copied_entries, outputs, bad)
