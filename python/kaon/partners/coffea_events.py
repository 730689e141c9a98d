"""Events as coffea's NanoEvents: its schemas and their methods, on files of any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kaon.files.array_forms import package
from kaon.files.chain import open_category
from kaon.files.paths import StrPath

if TYPE_CHECKING:
    import awkward as ak

    from kaon.files.category import Category
    from kaon.model.datamodel import AnyModel


def nano_events(
    path: StrPath,
    schema: Any = None,
    *,
    entry_start: int | None = None,
    entry_stop: int | None = None,
    dataset: str = "",
    model: AnyModel | None = None,
) -> ak.Array:
    """Return events as NanoEvents of coffea, of which each column is read when it is touched.

    >>> events = kaon.nano_events("nano.kaon:Events")
    >>> events.Jet.matched_gen.pt

    Many files are for `kaon.processor`, with ``schema=``.

    Parameters
    ----------
    path, model
        A path and category, as in `kaon.open`.
    schema
        A schema class of coffea, NanoAODSchema if it is None. EDM4HEPSchema finds collections by
        the names of podio's branches, others by those of NanoAOD: ``nMuon``, ``Muon_pt``.
    entry_start, entry_stop
        Which entries, as in `Category.arrays`.
    dataset
        What processors find as ``events.metadata["dataset"]``.

    Raises
    ------
    ImportError
        If coffea is not installed.
    UsageError
        For FCCSchema, which wants names of an old podio; and as `kaon.open`.
    WrongTypeError
        If the schema is none.
    """
    category = open_category(path, model)
    entries = range(*category._range(entry_start, entry_stop))
    return events_of(category, entries, schema, dataset)


def events_of(category: Category, entries: range, schema: Any, dataset: str) -> ak.Array:
    """Return entries of a category; see `nano_events`."""
    schemas = package("coffea.nanoevents", "NanoEvents")
    from kaon.partners import coffea_mapping

    return coffea_mapping.events_of(category, entries, schema or schemas.NanoAODSchema, dataset)
