"""The source of columns for coffea's NanoEvents."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import awkward as ak
import numpy as np
from coffea.nanoevents import NanoEventsFactory
from coffea.nanoevents.mapping.base import BaseSourceMapping
from coffea.nanoevents.schemas import (
    BaseSchema,
    DelphesSchema,
    EDM4HEPSchema,
    FCCSchema,
    PDUNESchema,
    PHYSLITESchema,
    TreeMakerSchema,
)
from coffea.nanoevents.util import quote, tuple_to_key

from kaon.coffea.columns import Columns, nano_columns, podio_columns
from kaon.errors import UsageError, WrongTypeError
from kaon.files.category import Category

# They need branches as ROOT names them, some with several columns, which kaon joins to records.
_OF_BRANCHES = (DelphesSchema, PDUNESchema, PHYSLITESchema, TreeMakerSchema)


def events_of(
    category: Category,
    entries: range,
    schema: Any,
    metadata: dict[str, Any],
    access_log: list[Any] | None = None,
    buffer_cache: MutableMapping[str, Any] | None = None,
) -> ak.Array:
    """Return entries of a category; see `kaon.coffea.nano_events`.

    Parameters
    ----------
    metadata
        Entries of ``events.metadata``, in addition to those of the category.
    access_log, buffer_cache
        As in ``NanoEventsFactory``: a list of the columns read, and a cache of columns.
    """
    types: dict[str, str] = {}
    if not (isinstance(schema, type) and issubclass(schema, BaseSchema)):
        raise WrongTypeError(
            f"the schema must be a class of coffea, such as NanoAODSchema, not {schema!r}"
        )
    if issubclass(schema, _OF_BRANCHES):
        raise UsageError(
            f"{category._schema.where}: {schema.__name__} needs the branches of ROOT trees under "
            "their own names, which kaon does not have; read the file with coffea's "
            "NanoEventsFactory.from_root"
        )
    if issubclass(schema, (EDM4HEPSchema, FCCSchema)):
        columns, types = podio_columns(category._schema, issubclass(schema, FCCSchema))
    else:
        columns = nano_columns(category._schema)
    mapping = _EventColumns(category, entries, columns, access_log, buffer_cache)
    form = {**mapping._extract_base_form(category), "typenames": types}
    form["parameters"]["metadata"] = {
        "filename": category.file_path,
        "treename": category.name,
        "entrystart": entries.start,
        "entrystop": entries.stop,
        **metadata,
    }
    names = (category.file_path, category.name, f"{entries.start}-{entries.stop}")
    try:
        schema_of_form = schema(form)
    except KeyError as error:
        raise UsageError(
            f"{category._schema.where}: {schema.__name__} needs {error}, which is missing"
        ) from error
    return NanoEventsFactory(schema_of_form, mapping, tuple_to_key(names), "virtual").events()


class _EventColumns(BaseSourceMapping):  # type: ignore[misc]  # has no types
    """Columns of some entries by name, each read when coffea asks for it."""

    def __init__(
        self,
        category: Category,
        entries: range,
        columns: Columns,
        access_log: list[Any] | None,
        buffer_cache: MutableMapping[str, Any] | None,
    ) -> None:
        kept = {"access_log": access_log, "buffer_cache": buffer_cache}
        super().__init__(None, entries.start, entries.stop, virtual=True, **kept)
        self._columns = columns
        self._arrays = category.arrays(
            virtual=True, entry_start=entries.start, entry_stop=entries.stop
        )

    def _extract_base_form(self, source: Category) -> dict[str, Any]:  # of any columns
        forms = _forms(self._columns, source.arrays(entry_stop=0))
        return {
            "class": "RecordArray",
            "fields": list(forms),
            "contents": list(forms.values()),
            "parameters": {"__doc__": source.name},
            "form_key": "",
        }

    def _column_source(self, uuid: str, path_in_source: str) -> Columns:
        return self._columns

    def key_root(self) -> str:
        return "kaon:"

    def get_column_handle(self, columnsource: Columns, name: str, allow_missing: bool) -> Any:
        return columnsource.get(name) if allow_missing else columnsource[name]

    def extract_column(
        self, columnhandle: Any, start: int, stop: int, allow_missing: bool, **_: Any
    ) -> ak.Array:
        if columnhandle is not None:
            layout = ak.to_layout(ak.materialize(columnhandle(self._arrays)))
            return ak.Array(layout.to_ListOffsetArray64(True) if layout.is_list else layout)
        nothing = ak.index.Index64(np.full(stop - start, -1))
        content = ak.contents.NumpyArray(np.zeros(0, bool))
        return ak.Array(ak.contents.IndexedOptionArray(nothing, content))

    def __len__(self) -> int:
        return int(self._stop - self._start)

    def __iter__(self) -> Any:
        return iter(self._columns)


def _forms(columns: Columns, empty: ak.Array) -> dict[str, dict[str, Any]]:
    """Return the forms of the columns that NanoEvents support: numbers, and lists of numbers."""
    forms = {}
    for name, column in columns.items():
        layout = ak.to_layout(column(empty))
        form = _keyed(layout.form.to_dict(), f"{name},!load")
        if form is not None and not {",", "!"} & {*name}:
            forms[name] = form
    return forms


def _keyed(form: Any, key: str) -> Any:
    """Return a form whose keys tell coffea how to load buffers; None if coffea cannot hold it."""
    if isinstance(form, str):
        form = {"class": "NumpyArray", "primitive": form}
    is_list = form["class"] in ("ListArray", "ListOffsetArray")
    if not is_list and form["class"] not in ("NumpyArray", "RegularArray"):
        return None
    form = {**form, "parameters": dict(form.get("parameters") or {}), "form_key": quote(key)}
    if "content" in form:
        form["content"] = _keyed(form["content"], f"{key},!content")
        if form["content"] is None:
            return None
    if is_list:
        form |= {"class": "ListOffsetArray", "offsets": "i64"}
        form = {name: value for name, value in form.items() if name not in ("starts", "stops")}
    return form
