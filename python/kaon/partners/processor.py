"""A function of events, applied to many files on one machine or many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from kaon.error_texts import add_note
from kaon.errors import UsageError, WrongTypeError
from kaon.files.array_forms import ArrayForm, short_name
from kaon.files.bad_files import OnBadFile
from kaon.files.file import File
from kaon.files.requests import Example, Missing, Request
from kaon.partners.executors import total_of
from kaon.partners.parts import STEP_SIZE, Part, planned

if TYPE_CHECKING:
    import os

    from kaon.files.array_forms import Library
    from kaon.files.category import Category
    from kaon.model.datamodel import AnyModel


def processor(
    function: Callable[[Any], Any],
    names: str | Iterable[str] | None = None,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    library: Library = "ak",
    schema: Any = None,
    missing: Missing = "error",
) -> Processor:
    """Return a processor, which applies a function to events of many files and adds its results.

    >>> def spectrum(events):
    ...     return {"events": len(events), "pt": axis.fill(ak.flatten(events.Muon.pt))}
    >>> kaon.processor(spectrum).run("run*.kaon:events", client)["pt"].plot()

    Parameters
    ----------
    function
        A function that takes the events of a part of a file, about 100 000. It returns values
        that support ``+``, such as numbers, arrays, histograms and lists, or dictionaries of
        these. For other processes, it must support pickling; Dask also takes functions of
        notebooks.
    names, cut, aliases, library
        The columns that the function takes, as in `Category.arrays`. By default it takes all
        columns as virtual arrays, which read the columns that the function uses.
    schema
        A schema class of coffea; the function then takes NanoEvents, see `kaon.coffea.nano_events`.

    missing
        "none": in files that lack one of the named columns, it is None. Some file must have it.

    Raises
    ------
    UsageError
        If both a schema and columns are given.
    WrongTypeError
        If `function` is not callable.
    """
    if not callable(function):
        raise WrongTypeError(
            f"{type(function).__name__} is not a function; for a processor of coffea, give its "
            "method `process`"
        )
    names = names if names is None or isinstance(names, str) else tuple(names)
    library = short_name(library)
    if schema is not None and (names, cut, aliases, library) != (None, None, None, "ak"):
        raise UsageError("give only `schema`: NanoEvents have all columns, in coffea's types")
    request = Request(names, cut, aliases, ArrayForm(library), missing=missing)
    if missing == "none" and names is None:
        raise UsageError("missing='none' is for named columns: give `names`")
    return Processor(function, request, schema)


@dataclass(frozen=True)
class Processor:
    """A function of events, and the columns that it takes: see `kaon.processor`.

    A processor is small, and can be sent to other machines. Called with a part, it returns the
    part's result by the label of its sample. Any engine with a ``map`` can therefore run it.
    """

    function: Callable[[Any], Any]
    request: Request
    schema: Any
    example: Example | None = None
    """The columns and types of all files, if missing columns are None."""

    def __call__(self, part: Part) -> dict[str, Any]:
        """Return the result of a part, by its sample; empty for a part without events."""
        try:
            category = part.open()
            entries = part.entries(category)
            if part.count > 1 and not entries:
                return {}
            return {part.sample: self.function(self._events(category, entries, part.sample))}
        except Exception as error:
            add_note(error, f"in {part}")
            raise

    def _events(self, category: Category, entries: range, sample: str) -> Any:
        if self.schema is not None:
            from kaon.coffea.events import events_of

            return events_of(category, entries, self.schema, {"dataset": sample})
        return self.request.arrays(category, entries, self.example)

    def run(
        self,
        files: str | os.PathLike[str] | Iterable[Any] | Mapping[str, Any],
        executor: Any = None,
        *,
        step_size: int | str = STEP_SIZE,
        model: AnyModel | None = None,
        progress: Callable[[float], object] | None = None,
        on_bad_file: OnBadFile = "raise",
    ) -> Any:
        """Apply the function to all events of files, part by part; return the sum of the results.

        The order of additions depends only on the number of parts. Sums are therefore identical,
        no matter where the parts are computed.

        Parameters
        ----------
        files
            A path and category, such as "run*.kaon:events", or several; or samples: a dictionary
            of paths by label. Other machines find the files by the same paths.
        executor
            None for this process; a ``distributed.Client`` of Dask; an executor of
            ``concurrent.futures`` or coffea; or any object with ``map(function, parts)``.
        step_size
            The approximate number of events in a part, or their size in memory, such as "100 MB";
            at least a cluster.
        model
            As in `kaon.open`.
        progress
            A function that is called with the fraction done, from 0 to 1.
        on_bad_file
            The treatment of bad files, as in `kaon.concatenate`: "raise", "skip" or "report". With
            the last two, and with ``missing="none"``, this process opens all files first.

        Returns
        -------
        Any
            The sum; for samples, a dictionary of sums by label. With ``on_bad_file="report"``, a
            pair of it and a tuple of the bad files, each a ``kaon.results.BadFile``.

        Raises
        ------
        MissingFileError
            If a file does not exist.
        UsageError
            If there are no samples or files, or a file has several categories and none is named.
        WrongTypeError
            If results cannot be added.
        Exception
            Exceptions of the function; since Python 3.11, a note names the part.
        """
        is_labelled = isinstance(files, Mapping) and not isinstance(files, File)
        samples = cast("Mapping[str, Any]", files if is_labelled else {"": files})
        request = self.request
        plans = {
            label: planned(paths, step_size, None, model, on_bad_file=on_bad_file, request=request)
            for label, paths in samples.items()
        }
        parts = [replace(part, sample=label) for label, plan in plans.items() for part in plan]
        if not parts:
            raise UsageError("no samples are given")
        processor = self
        if request.missing == "none":
            opened = [category for plan in plans.values() for category in plan.opened]
            processor = replace(self, example=request.example_of(opened))
        results = total_of(processor, parts, executor, progress)
        result = results if is_labelled else results[""]
        bad = tuple(file for plan in plans.values() for file in plan.bad.files)
        return (result, bad) if on_bad_file == "report" else result
