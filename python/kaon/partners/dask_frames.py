"""Events as a dataframe of Dask: a row an event, a column a member."""

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


def dask_dataframe(
    files: Files,
    names: str | Iterable[str] | None = None,
    cut: str | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    step_size: int | str = STEP_SIZE,
    model: AnyModel | None = None,
) -> Any:
    """Return the entries of many files as a dataframe of Dask.

    >>> frame = kaon.dask_dataframe("run*.kaon:events", ["run", "MET", "sum(Muon.pt)"], "MET > 50")
    >>> frame.groupby("run").MET.mean().compute()

    Nothing is read before something is computed, and then only columns that it needs. Each
    partition is a frame of pandas as `Category.arrays` has it: lists are Arrow's.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`. Other machines find the files by the same paths.
    names, cut, aliases
        As in `Category.arrays`.
    step_size
        How many entries a partition has, about, before the cut, or their size in memory, such as
        "100 MB"; a cluster at least.

    Raises
    ------
    ImportError
        If Dask or pandas is not installed.
    MissingFileError, UnknownNameError, UsageError
        If there is no such file or name, or it is not clear which category is meant.
    """
    from_map = package("dask.dataframe", "kaon.dask_dataframe()").from_map
    names = names if names is None or isinstance(names, str) else tuple(names)
    plan = planned(files, step_size, names, model)
    if names is None:  # those of all files, whatever some have beside them
        names = (*plan.example.keys(), *(aliases or ()))
    reads = _PartFrames(names, cut, aliases)
    meta = reads.frame(plan.example, range(0), names)
    return from_map(reads, plan.parts, meta=meta, label="kaon", enforce_metadata=False)


@dataclass(frozen=True)
class _PartFrames:
    """Reads parts as frames of pandas: some of the columns."""

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
