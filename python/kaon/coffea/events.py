"""Events as coffea's NanoEvents: its schemas, their methods and its Runner, for all formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kaon.files.array_forms import package
from kaon.files.bad_files import OnBadFile
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
    """Return events as coffea's NanoEvents; each column is read when it is first used.

    >>> events = kaon.coffea.nano_events("nano.kaon:Events")
    >>> events.Jet.matched_gen.pt

    For many files, use `kaon.processor` with ``schema=``.

    Parameters
    ----------
    path, model
        A path and category, as in `kaon.open`.
    schema
        A schema class of coffea; None for NanoAODSchema. EDM4HEPSchema and FCCSchema find
        collections by the names of podio's branches, others by the names of NanoAOD: ``nMuon``,
        ``Muon_pt``. DelphesSchema, PDUNESchema, PHYSLITESchema and TreeMakerSchema are refused,
        because they need other names.
    entry_start, entry_stop
        The range of entries, as in `Category.arrays`.
    dataset
        The value of ``events.metadata["dataset"]``.

    Raises
    ------
    ImportError
        If coffea is not installed.
    UsageError
        If the schema needs a collection that the file lacks, or names that kaon does not have;
        and in the cases of `kaon.open`.
    WrongTypeError
        If `schema` is not a schema class.
    """
    category = open_category(path, model)
    entries = range(*category._reader.entry_range(entry_start, entry_stop))
    return events_of(category, entries, schema, {"dataset": dataset})


def runner(executor: Any, *, on_bad_file: OnBadFile = "raise", **options: Any) -> Any:
    """Return a ``Runner`` of coffea that reads files of all of kaon's formats.

    >>> run = kaon.coffea.runner(IterativeExecutor(), schema=NanoAODSchema, chunksize=50_000)
    >>> run({"data": ["nano.kaon"]}, Dimuons(), treename="Events")

    Parameters
    ----------
    executor
        An executor of coffea.
    on_bad_file
        The treatment of bad files, as in `kaon.concatenate`: "raise", "skip" or "report". With the
        last two, this process opens all files first, and ``run.bad_files`` has the files that the
        last run left out, each a ``kaon.results.BadFile``.
    **options
        Options of ``coffea.processor.Runner``.

    Raises
    ------
    ImportError
        If coffea is not installed.
    UsageError
        If ``format`` is given: kaon finds the format by a file's first bytes. Also if both
        ``on_bad_file`` and coffea's ``skipbadfiles`` are given. When the runner runs, also for
        options of uproot, and if there are no events.
    """
    package("coffea.processor", "a Runner")
    from kaon.coffea.files_runner import FilesRunner

    return FilesRunner(executor, on_bad_file=on_bad_file, **options)


def events_of(
    category: Category, entries: range, schema: Any, metadata: dict[str, Any]
) -> ak.Array:
    """Return entries of a category; see `nano_events`."""
    schemas = package("coffea.nanoevents", "NanoEvents")
    from kaon.coffea import mapping

    return mapping.events_of(category, entries, schema or schemas.NanoAODSchema, metadata)
