"""A function of events, applied to many files, by one machine or by many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from kaon.errors import UsageError, WrongTypeError, add_note
from kaon.files.array_forms import short_name
from kaon.files.file import File
from kaon.partners.executors import total_of
from kaon.partners.parts import STEP_SIZE, Part, planned

if TYPE_CHECKING:
    import os

    from kaon.files.array_forms import Library, Short
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
) -> Processor:
    """Return what applies a function to the events of many files, and adds up its results.

    >>> def spectrum(events):
    ...     return {"events": len(events), "pt": axis.fill(ak.flatten(events.Muon.pt))}
    >>> kaon.processor(spectrum).run("run*.kaon:events", client)["pt"].plot()

    Parameters
    ----------
    function
        Takes the events of a part of a file, some 100 000, and returns numbers, arrays,
        histograms, lists: what can be added; or a dictionary of such. For other processes it must
        be one that can be pickled; Dask takes all, those of a notebook, too.
    names, cut, aliases, library
        What of the events it takes, as in `Category.arrays`. If nothing is said, it is all of
        them, as virtual arrays: what the function touches is read then.
    schema
        A schema class of coffea: the function takes its NanoEvents, see `kaon.nano_events`.

    Raises
    ------
    UsageError
        If both a schema and columns are given.
    WrongTypeError
        If it is no function.
    """
    if not callable(function):
        raise WrongTypeError(
            f"{type(function).__name__} is no function; that of a processor of coffea is `process`"
        )
    names = names if names is None or isinstance(names, str) else tuple(names)
    library = short_name(library)
    if schema is not None and (names, cut, aliases, library) != (None, None, None, "ak"):
        raise UsageError("NanoEvents have all columns, and the types of coffea: only `schema`")
    return Processor(function, names, cut, aliases, library, schema)


@dataclass(frozen=True)
class Processor:
    """A function of events, and what of them it takes: see `kaon.processor`.

    It is small, and can be sent to other machines. Called with a part, it returns the part's
    result, by the label of its sample: so any engine that has a ``map`` can run it.
    """

    function: Callable[[Any], Any]
    names: str | Sequence[str] | None
    cut: str | None
    aliases: Mapping[str, str] | None
    array_library: Short
    schema: Any

    def __call__(self, part: Part) -> dict[str, Any]:
        """Return the result of a part, by its sample; nothing of a part without events."""
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
            from kaon.partners.coffea_events import events_of

            return events_of(category, entries, self.schema, {"dataset": sample})
        is_whole = (self.names, self.cut, self.aliases) == (None, None, None)
        return category.arrays(
            self.names,
            self.cut,
            aliases=self.aliases,
            library=self.array_library,
            virtual=is_whole and self.array_library == "ak",
            entry_start=entries.start,
            entry_stop=entries.stop,
        )

    def run(
        self,
        files: str | os.PathLike[str] | Iterable[Any] | Mapping[str, Any],
        executor: Any = None,
        *,
        step_size: int | str = STEP_SIZE,
        model: AnyModel | None = None,
        progress: Callable[[float], object] | None = None,
    ) -> Any:
        """Apply the function to all events of files, part by part; return the sum of the results.

        Parts are added up in an order that depends on their number only: wherever they are
        computed, the sums are the same.

        Parameters
        ----------
        files
            A path and category, such as "run*.kaon:events", or several; or samples: labels, with
            the paths of each. Other machines find the files by the same paths.
        executor
            Who does it: None for this process, a ``distributed.Client`` of Dask, an executor of
            ``concurrent.futures``, or of coffea; or whatever has a ``map(function, parts)``.
        step_size
            How many events a part has, about, or their size in memory, such as "100 MB"; a cluster
            at least.
        model
            As in `kaon.open`.
        progress
            Is called with how much is done, from 0 to 1.

        Returns
        -------
        Any
            The sum; for samples a dictionary of them by label.

        Raises
        ------
        MissingFileError, UsageError
            If there is no such file, or no sample, or it is not clear which category is meant.
        WrongTypeError
            If results cannot be added.
        Exception
            That of the function; with Python 3.11 it says in which part.
        """
        is_labelled = isinstance(files, Mapping) and not isinstance(files, File)
        samples = cast("Mapping[str, Any]", files if is_labelled else {"": files})
        parts = [
            replace(part, sample=label)
            for label, paths in samples.items()
            for part in planned(paths, step_size, self.names, model)
        ]
        if not parts:
            raise UsageError("there is no sample")
        results = total_of(self, parts, executor, progress)
        return results if is_labelled else results[""]
