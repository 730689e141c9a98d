"""Events as a dataframe of Dask: a row for each event, a column for each member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kaon.files.array_forms import ArrayForm, package
from kaon.files.bad_files import OnBadFile
from kaon.files.chain import Files
from kaon.files.requests import Example, Missing, Request
from kaon.partners.parts import STEP_SIZE, Part, planned

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel


def dataframe(
    files: Files,
    names: str | Iterable[str] | None = None,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    step_size: int | str = STEP_SIZE,
    model: AnyModel | None = None,
    on_bad_file: OnBadFile = "raise",
    missing: Missing = "error",
) -> Any:
    """Return the entries of many files as a dataframe of Dask.

    >>> frame = kaon.dask.dataframe("run*.kaon:events", ["run", "MET", "sum(Muon.pt)"], "MET > 50")
    >>> frame.groupby("run").MET.mean().compute()

    Data are read only when Dask computes, and only the columns that the computation needs. Each
    partition is a pandas frame as in `Category.arrays`: lists are Arrow's.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`. Other machines find the files by the same paths.
    names, cut, aliases
        As in `Category.arrays`.
    step_size
        The approximate number of entries in a partition before the cut, or their size in memory,
        such as "100 MB"; at least a cluster.
    on_bad_file
        As in `kaon.processor`'s ``run``: with "report", returns a pair of the dataframe and a tuple
        of the bad files.
    missing
        "none": columns that a file lacks are missing values in its entries. Without names, these
        are the columns of the largest file. All files are opened first.

    Raises
    ------
    ImportError
        If Dask or pandas is not installed.
    MissingFileError
        If a file does not exist.
    UnknownNameError
        If a name does not exist.
    UsageError
        If there are no files, or a file has several categories and none is named.
    """
    from_map = package("dask.dataframe", "kaon.dask.dataframe()").from_map
    names = names if names is None or isinstance(names, str) else tuple(names)
    request = Request(names, cut, aliases, ArrayForm.named("pd"), missing=missing)
    plan = planned(
        files,
        step_size,
        None,
        model,
        on_bad_file=on_bad_file,
        request=request,
        has_fixed_columns=True,
    )
    request = plan.request or request
    example = request.example_of(plan.opened) if missing == "none" else None
    meta = request.arrays(plan.example, range(0), example)
    frame = from_map(
        _PartFrames(request, example), plan.parts, meta=meta, label="kaon", enforce_metadata=False
    )
    return plan.bad.with_result(frame)


@dataclass(frozen=True)
class _PartFrames:
    """Reads columns of parts as pandas frames."""

    request: Request
    example: Example | None

    def __call__(self, part: Part, columns: Sequence[str] | None = None) -> Any:
        category = part.open()
        entries = part.entries(category)
        if columns is None:
            return self.request.arrays(category, entries, self.example)
        request = replace(self.request, names=columns)
        return request.arrays(category, entries, self.example)[list(columns)]
