"""coffea's Runner, for files that kaon reads."""

from __future__ import annotations

import hashlib
import pickle
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from coffea.nanoevents.util import key_to_tuple
from coffea.processor import ProcessorABC, Runner, set_accumulator
from coffea.processor.executor import FileMeta, WorkItem
from lz4 import frame

from kaon.coffea.mapping import events_of
from kaon.error_texts import add_note
from kaon.errors import UsageError
from kaon.files.bad_files import BadFile, BadFiles, OnBadFile, joinable
from kaon.files.category import Category
from kaon.files.chain import open_category


@dataclass
class FilesRunner(Runner):  # type: ignore[misc]  # has no types
    """Runs processors of coffea on files of all of kaon's formats; see `kaon.coffea.runner`.

    Datasets, chunks, executors and results are coffea's; only the reading of files is kaon's.

    Attributes
    ----------
    on_bad_file
        The treatment of bad files: "raise", "skip" or "report".
    bad_files
        The files that the last run left out.
    """

    on_bad_file: OnBadFile = "raise"
    bad_files: tuple[BadFile, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.format != "root":
            raise UsageError("leave out `format=`: kaon finds the format by a file's first bytes")
        if BadFiles(self.on_bad_file).are_left_out and self.skipbadfiles:
            raise UsageError("give either coffea's `skipbadfiles` or kaon's `on_bad_file`")

    def _limit_preprocess_files(self, fileset: Sequence[FileMeta]) -> Any:
        """Leave out bad files before coffea divides the others into chunks."""
        bad = BadFiles(self.on_bad_file)
        if bad.are_left_out:
            of_dataset = groupby(fileset, attrgetter("dataset"))
            fileset = [item for _, items in of_dataset for item in _good(list(items), bad)]
        self.bad_files = bad.files
        return super()._limit_preprocess_files(fileset)

    @staticmethod
    def metadata_fetcher_root(
        timeout: int, align_clusters: bool, options: dict[str, Any], item: FileMeta
    ) -> Any:
        """Return the facts about a file that coffea needs to divide it."""
        category = _category(item, options)
        name = hashlib.md5(item.filename.encode(), usedforsecurity=False)
        known = {"numentries": category.num_entries, "uuid": name.digest()}
        if align_clusters:
            known["clusters"] = [0, *(end for _, end in category.clusters())]
        metadata = {**(item.metadata or {}), **known}
        return set_accumulator([FileMeta(item.dataset, item.filename, item.treename, metadata)])

    def _trace_preload(self, *_: Any) -> None:
        """Trace nothing: columns are read when they are first used."""

    @staticmethod
    def _work_function(
        format: str,
        timeout: int,
        schema: Any,
        use_dataframes: bool,
        savemetrics: bool,
        item: Any,
        processor_instance: Any,
        uproot_options: dict[str, Any],
        iteritems_options: dict[str, Any],
        checkpointer: Any,
        cache_function: Any,
    ) -> Any:
        """Return the result of a chunk, in the form that coffea adds up."""
        if isinstance(processor_instance, str):  # "heavy", from coffea's executor for Dask
            item, processor_instance = item
        if isinstance(processor_instance, bytes):
            processor_instance = pickle.loads(frame.decompress(processor_instance))
        metadata, entries = _metadata(item), range(item.entrystart, item.entrystop)
        result = checkpointer and checkpointer.load(metadata, processor_instance)
        if result is not None:
            return result
        try:
            category = _category(item, {**uproot_options, **iteritems_options})
            log: list[Any] = []
            events = events_of(category, entries, schema, metadata, log, cache_function())
            begin = time.time()
            result = _function(processor_instance)(events)
            if result is None:
                raise UsageError("the processor returned None, which cannot be added")
        except Exception as error:
            add_note(
                error,
                f"in {item.filename}:{item.treename}, entries {entries.start} to {entries.stop}",
            )
            raise
        if not use_dataframes:
            result = {"out": result, "processed": {item}}
            if savemetrics:
                result["metrics"] = {
                    "columns": {f"{at.branch}-{key_to_tuple(at.buffer_key)[3]}" for at in log},
                    "entries": len(events),
                    "processtime": time.time() - begin,
                }
        if checkpointer is not None:
            checkpointer.save(result, metadata, processor_instance)
        return result


def _good(items: Sequence[FileMeta], bad: BadFiles) -> list[FileMeta]:
    """Return the files of a dataset that are good, and add the others to the bad files."""
    reference = None
    for item in items:
        category = bad.try_file(item.filename, partial(_category, item, {}))
        if category is not None and category._core.has_values():
            reference = category
            break
    good = []
    for item in items:
        category = bad.try_file(item.filename, partial(_category, item, {}))
        if category is None:
            continue
        check = partial(joinable, category, reference)
        if bad.try_file(item.filename, check, category.num_entries) is not None:
            good.append(item)
    return good


def _category(item: FileMeta | WorkItem, options: dict[str, Any]) -> Category:
    if options:
        raise UsageError(f"leave out {', '.join(options)}: these are options of uproot")
    name = f":{item.treename}" if item.treename else ""
    return open_category(f"{item.filename}{name}", None)


def _metadata(item: WorkItem) -> dict[str, Any]:
    """Return the values of ``events.metadata``."""
    names = ("dataset", "filename", "treename", "entrystart", "entrystop")
    return {
        **{name: getattr(item, name) for name in names},
        "fileuuid": str(uuid.UUID(bytes=item.fileuuid)),
        **(item.usermeta or {}),
    }


def _function(processor: Any) -> Any:
    return processor.process if isinstance(processor, ProcessorABC) else processor
