"""Events as arrays of dask-awkward, which reads only the columns that a computation needs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import awkward as ak
from awkward.contents import RecordArray
from awkward.forms import Form
from awkward.typetracer import (
    PlaceholderArray,
    typetracer_from_form,
    typetracer_with_report,
    unknown_length,
)

from kaon.columns.buffers import RecordBuffers
from kaon.columns.joined_arrays import joined_arrays
from kaon.columns.records import SELF
from kaon.columns.references import attributes
from kaon.files.array_forms import ArrayForm, package
from kaon.files.bad_files import OnBadFile
from kaon.files.category import Category
from kaon.files.chain import Files
from kaon.files.requests import Missing, Request
from kaon.partners.parts import STEP_SIZE, Part, other_types, planned

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

_BUFFER = "{form_key}-{attribute}"
"""Awkward's default names of buffers."""


def arrays(
    files: Files,
    names: str | Iterable[str] | None = None,
    *,
    step_size: int | str = STEP_SIZE,
    model: AnyModel | None = None,
    on_bad_file: OnBadFile = "raise",
    missing: Missing = "error",
) -> Any:
    """Return the entries of many files as an array of dask-awkward.

    >>> events = kaon.dask.arrays("run*.kaon:events")
    >>> dask_awkward.sum(events.Muon.pt).compute()

    Data are read only when Dask computes, in threads, processes or a cluster. Each task opens the
    file of its part, and reads the members that the computation needs. If it needs only numbers of
    objects, only these are read. Planning opens only the largest file, or
    all files if they may differ in optionals.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`. Other machines find the files by the same paths.
    names
        Stored columns, as in `Category.arrays`; None for all.
    step_size
        The approximate number of entries in a partition, or their size in memory, such as
        "100 MB"; at least a cluster.
    on_bad_file
        As in `kaon.processor`'s ``run``: with "report", returns a pair of the array and a tuple of
        the bad files.
    missing
        "none": columns that a file lacks are None in its entries. Without names, these are the
        columns of the largest file. All files are opened first.

    Returns
    -------
    dask_awkward.Array
        An array with the records of `Category.arrays`; collections and parameters that can be
        absent are optional. To follow relations, use `kaon.processor`.

    Raises
    ------
    ImportError
        If dask-awkward is not installed.
    MissingFileError
        If a file does not exist.
    UnknownNameError
        If a name does not exist.
    UsageError
        If there are no files, or a file has several categories and none is named.
    """
    from_map = package("dask_awkward", "kaon.dask.arrays()").from_map
    names = names if names is None or isinstance(names, str) else list(names)
    request = Request(names, None, None, ArrayForm("ak"), missing=missing)
    plan = planned(
        files,
        step_size,
        None,
        model,
        on_bad_file=on_bad_file,
        request=request,
        has_fixed_columns=True,
    )
    reads: PartArrays | OptionalPartArrays
    if missing == "none" and plan.request is not None:
        plan.request.check_present(plan.opened)
        reads = OptionalPartArrays(plan.opened, plan.request)
    else:
        reads = PartArrays(plan.example, plan.example._schema.select_keys(names))
    return plan.bad.with_result(from_map(reads, plan.parts, label="kaon"))


class PartArrays:
    """Reads parts as arrays, with the interface that dask-awkward needs of its sources.

    dask-awkward names the buffers that a computation needs. The other buffers are not read: each is
    an `awkward.typetracer.PlaceholderArray`, which raises an error if it is used.

    Parameters
    ----------
    example
        A file with the types that all files must have.
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
        self._needed: frozenset[Any] | None = None  # the places of buffers to read; None for all

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_buffers": None}  # they belong to a file opened here

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return (type(self).__name__, self._origin, tuple(self._members), self._needed)

    def __call__(self, part: Part) -> ak.Array:
        """Read a part; raise as `Category.arrays`, UsageError for a file with other types."""
        category = part.open()
        category._schema.select_keys(self._members)  # raises if a member is missing
        buffers = RecordBuffers(category._reader, self._members)
        if buffers.form != self._form:  # the order of fields may differ
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

    # ---- Methods that dask-awkward calls ----

    def mock(self) -> ak.Array:
        """Return an array with a type and without values."""
        return typetracer_from_form(self._form, behavior=self._behavior)

    def prepare_for_projection(self) -> tuple[ak.Array, Any, None]:
        """Return an array that records the buffers used, and the record."""
        array, report = typetracer_with_report(
            self._form, buffer_key=_BUFFER, highlevel=True, behavior=self._behavior
        )
        return array, report, None

    def project(self, report: Any, state: None) -> PartArrays:
        """Return a reader of only the buffers that were used."""
        return self._reading(self._touched(report))

    def necessary_columns(self, report: Any, state: None) -> frozenset[str]:
        """Return the names of the columns that were used."""
        return frozenset(self._name(key) for key in self._touched(report))

    def project_manually(self, columns: frozenset[str]) -> PartArrays:
        """Return a reader of only the columns with these names."""
        keys = {key for key in self._here.keys if self._name(key) in columns}
        return self._reading(keys.union(*(self._here.above(key) for key in keys)))

    @property
    def _here(self) -> RecordBuffers:
        assert self._buffers is not None, "columns are chosen where the computation is planned"
        return self._buffers

    def _name(self, key: str) -> str:
        return self._here.needed(key)[0]

    def _touched(self, report: Any) -> set[str]:
        """Return the buffers whose values, or numbers of values, are needed."""
        return {*report.data_touched}.union(*map(self._here.above, report.shape_touched))

    def _reading(self, keys: Iterable[str]) -> PartArrays:
        reading = copy.copy(self)
        reading._needed = frozenset(map(self._here.place, keys))
        return reading


class OptionalPartArrays:
    """Reads parts as arrays in which columns that a file lacks are None.

    Collections, parameters and values that a computation needs are read completely.
    The other columns have no values; using one raises an error.

    Parameters
    ----------
    files
        A file for each set of columns that files have.
    request
        The names of the columns.
    """

    def __init__(self, files: Sequence[Category], request: Request) -> None:
        self._request = request
        self._needed: frozenset[str] | None = None  # fields of entries; None for all
        empty = joined_arrays([self._records(file, range(0)) for file in files])
        self._empty = ak.Array(empty.layout, behavior=empty.behavior)
        self._form = ak.to_buffers(self._empty)[0]
        self._fields: dict[str, str] = {}  # by the key of each part of the form
        for field, content in zip(self._form.fields, self._form.contents, strict=True):
            self._fields |= dict.fromkeys(_form_keys(content), field)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        needed = None if self._needed is None else sorted(self._needed)
        return (type(self).__name__, self._request.names, str(self._form), needed)

    def __call__(self, part: Part) -> ak.Array:
        """Read a part; raise as `Category.arrays`, WrongTypeError for a file with other types."""
        category = part.open()
        entries = part.entries(category)
        fields = [name for name in self._form.fields if self._needs(name)]
        read = joined_arrays([self._empty[fields], self._records(category, entries)])
        nplike = ak.to_layout(read).backend.nplike
        contents = [
            ak.to_layout(read[field])
            if self._needs(field)
            else _placeholder(content, len(entries), nplike)
            for field, content in zip(self._form.fields, self._form.contents, strict=True)
        ]
        parameters = self._form.parameters
        layout = RecordArray(contents, self._form.fields, len(entries), parameters=parameters)
        return ak.Array(layout, behavior=self._empty.behavior, attrs=attributes(category._reader))

    # ---- Methods that dask-awkward calls ----

    def mock(self) -> ak.Array:
        """Return an array with a type and without values."""
        return typetracer_from_form(self._form, behavior=self._empty.behavior)

    def prepare_for_projection(self) -> tuple[ak.Array, Any, None]:
        """Return an array that records the buffers used, and the record."""
        array, report = typetracer_with_report(
            self._form, buffer_key=_BUFFER, highlevel=True, behavior=self._empty.behavior
        )
        return array, report, None

    def project(self, report: Any, state: None) -> OptionalPartArrays:
        """Return a reader of only the fields whose buffers were used."""
        return self.project_manually(self.necessary_columns(report, state))

    def necessary_columns(self, report: Any, state: None) -> frozenset[str]:
        """Return the names of the fields that were used."""
        keys = (key.rpartition("-")[0] for key in (*report.data_touched, *report.shape_touched))
        return frozenset(self._fields[key] for key in keys if key in self._fields)

    def project_manually(self, columns: frozenset[str]) -> OptionalPartArrays:
        """Return a reader of only the fields with these names."""
        reading = copy.copy(self)
        if not any(SELF in content.fields for content in _records_in(self._form)):
            reading._needed = columns  # relations decide on references of objects to themselves
        return reading

    def _needs(self, field: str) -> bool:
        return self._needed is None or field in self._needed

    def _records(self, category: Category, entries: range) -> ak.Array:
        schema = category._schema
        present = None if self._request.names is None else self._request.present_in(category)
        keys = [key for key in schema.select_keys(present) if self._needs(key.partition(".")[0])]
        buffers = RecordBuffers(category._reader, keys)
        return buffers.records(schema.selection(keys), entries)


def _form_keys(form: Form) -> Iterator[str]:
    """Yield the keys of a form and of all forms in it."""
    if form.form_key is not None:
        yield form.form_key
    for content in _contents_of(form):
        yield from _form_keys(content)


def _records_in(form: Form) -> Iterator[Form]:
    """Yield all records in a form."""
    if form.is_record:
        yield form
    for content in _contents_of(form):
        yield from _records_in(content)


def _contents_of(form: Form) -> Sequence[Form]:
    if form.is_record or form.is_union:
        return list(form.contents)
    return [] if form.is_numpy or form.is_unknown else [form.content]


def _placeholder(form: Form, length: int, nplike: Any) -> ak.contents.Content:
    """Return a layout that raises if it is used."""
    container = {
        key: PlaceholderArray(nplike, (unknown_length,), dtype)
        for key, dtype in form.expected_from_buffers().items()
    }
    return ak.from_buffers(form, length, container, highlevel=False)
