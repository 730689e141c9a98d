"""Events as a dataframe of Dask: a row for each event, a column for each member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kaon.files.array_forms import package
from kaon.files.category import Category
from kaon.files.chain import Files
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
    plan = planned(files, step_size, names, model)
    if names is None:  # the largest file's columns, even if other files have more
        names = (*plan.example.keys(), *(aliases or ()))
    reads = _PartFrames(names, cut, aliases)
    meta = reads.frame(plan.example, range(0), names)
    return from_map(reads, plan.parts, meta=meta, label="kaon", enforce_metadata=False)


@dataclass(frozen=True)
class _PartFrames:
    """Reads columns of parts as pandas frames."""

    names: str | Sequence[str]
    cut: str | None
    aliases: Mapping[str, str] | None

    def __call__(self, part: Part, columns: Sequence[str] | None = None) -> Any:
        category = part.open()
        names = self.names if columns is None else columns
        frame = self.frame(category, part.entries(category), names)
        return frame if columns is None else frame[list(columns)]

    def frame(self, category: Category, entries: range, names: str | Iterable[str]) -> Any:
        return category.arrays(
            names,
            self.cut,
            aliases=self.aliases,
            entry_start=entries.start,
            entry_stop=entries.stop,
            library="pd",
        )
