"""Events as arrays of dask-awkward: what a computation needs of them is found before it is read."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import awkward as ak
from awkward.typetracer import (
    PlaceholderArray,
    typetracer_from_form,
    typetracer_with_report,
    unknown_length,
)

from kaon.columns.buffers import RecordBuffers
from kaon.columns.references import attributes
from kaon.files.array_forms import package
from kaon.files.category import Category
from kaon.files.chain import Files
from kaon.partners.parts import STEP_SIZE, Part, other_types, planned

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

_BUFFER = "{form_key}-{attribute}"
"""How Awkward names buffers, unless it is told otherwise."""


def dask(
    files: Files,
    names: str | Iterable[str] | None = None,
    *,
    step_size: int | str = STEP_SIZE,
    model: AnyModel | None = None,
) -> Any:
    """Return the entries of many files as an array of dask-awkward.

    >>> events = kaon.dask("run*.kaon:events")
    >>> dask_awkward.sum(events.Muon.pt).compute()

    Nothing is read before something is computed, by whatever Dask computes with: threads,
    processes, a cluster. Each task opens the file of its part, and reads those members that the
    computation needs; where it asks only how many objects there are, not even members, but their
    numbers. Only the largest file is opened to plan it.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`. Other machines find the files by the same paths.
    names
        Stored columns, as in `Category.arrays`; None for all.
    step_size
        How many entries a partition has, about, or their size in memory, such as "100 MB"; a
        cluster at least.

    Returns
    -------
    dask_awkward.Array
        Of what `Category.arrays` returns, in which all that can be absent is optional. Relations
        are followed in `kaon.processor`.

    Raises
    ------
    ImportError
        If dask-awkward is not installed.
    MissingFileError, UnknownNameError, UsageError
        If there is no such file or name, or it is not clear which category is meant.
    """
    from_map = package("dask_awkward", "kaon.dask()").from_map
    names = names if names is None or isinstance(names, str) else list(names)
    plan = planned(files, step_size, names, model)
    members = plan.example._schema.select_keys(names)
    return from_map(PartArrays(plan.example, members), plan.parts, label="kaon")


class PartArrays:
    """Reads parts as arrays, in the way that dask-awkward wants its sources to be.

    What dask-awkward does not need of an array is a placeholder in it.

    Parameters
    ----------
    example
        A file, of which the others have the types.
    members
        The names of the stored members that arrays have.
    """

    def __init__(self, example: Category, members: Sequence[str]) -> None:
        self._members = members
        self._where = example._reader.where
        self._origin = example._reader.origin
        self._buffers: RecordBuffers | None = RecordBuffers(example._reader, members)
        self._form = self._buffers.form
        self._behavior = self._buffers.behavior
        self._needed: frozenset[Any] | None = None  # the places of what is read; None for all

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_buffers": None}  # the file that they are of stays here

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return (type(self).__name__, self._origin, tuple(self._members), self._needed)

    def __call__(self, part: Part) -> ak.Array:
        """Read a part; raise as `Category.arrays`, UsageError for a file with other types."""
        category = part.open()
        category._schema.select_keys(self._members)  # or say what is missing
        buffers = RecordBuffers(category._reader, self._members)
        if buffers.form != self._form:  # but for the order of fields
            raise other_types(category._reader.where, self._where)
        entries = part.entries(category)
        needed = self._needed
        wanted = [key for key in buffers.keys if needed is None or buffers.place(key) in needed]
        records = buffers.records(buffers.needed_together(wanted), entries)
        nplike = ak.to_layout(records).backend.nplike
        container = {
            key: PlaceholderArray(nplike, (unknown_length,), dtype)
            for key, dtype in buffers.form.expected_from_buffers().items()
        }
        container |= {key: buffers.of(records, key) for key in wanted}
        return ak.from_buffers(
            buffers.form,
            len(entries),
            container,
            behavior=buffers.behavior,
            attrs=attributes(category._reader),
        )

    # ---- What dask-awkward asks of its sources ----

    def mock(self) -> ak.Array:
        """Return an array that has a type, and no values."""
        return typetracer_from_form(self._form, behavior=self._behavior)

    def prepare_for_projection(self) -> tuple[ak.Array, Any, None]:
        """Return an array that notes what is touched of it, and the notes."""
        array, report = typetracer_with_report(
            self._form, buffer_key=_BUFFER, highlevel=True, behavior=self._behavior
        )
        return array, report, None

    def project(self, report: Any, state: None) -> PartArrays:
        """Return what reads only that which was touched."""
        return self._reading(self._touched(report))

    def necessary_columns(self, report: Any, state: None) -> frozenset[str]:
        """Return the names of what was touched."""
        return frozenset(self._name(key) for key in self._touched(report))

    def project_manually(self, columns: frozenset[str]) -> PartArrays:
        """Return what reads only columns of these names."""
        keys = {key for key in self._here.keys if self._name(key) in columns}
        return self._reading(keys.union(*(self._here.above(key) for key in keys)))

    @property
    def _here(self) -> RecordBuffers:
        assert self._buffers is not None, "columns are chosen where the computation is planned"
        return self._buffers

    def _name(self, key: str) -> str:
        return self._here.needed(key)[0]

    def _touched(self, report: Any) -> set[str]:
        """Return the buffers of which values are needed, or numbers of values."""
        return {*report.data_touched}.union(*map(self._here.above, report.shape_touched))

    def _reading(self, keys: Iterable[str]) -> PartArrays:
        reading = copy.copy(self)
        reading._needed = frozenset(map(self._here.place, keys))
        return reading
