"""Event data of particle physics: read and write ``.kaon`` files as arrays.

>>> import kaon
>>> events = kaon.open("events.kaon")["events"]
>>> events.arrays(["MCParticles.PDG", "MCParticles.momentum"], entry_stop=1000)

Modules are imported when their names are first used, so that ``import kaon`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import kaon.forks  # noqa: F401, registers functions to call before forks

if TYPE_CHECKING:
    from kaon.columns.arrow import ArrowColumns
    from kaon.columns.decorated_arrays import decorate
    from kaon.columns.flat import FlatArrays
    from kaon.columns.references import follow
    from kaon.columns.referrers import referrers
    from kaon.columns.trace import record_reads
    from kaon.columns.virtual import Accessed
    from kaon.dataframe.dataframe import Dataframe, dataset
    from kaon.dataframe.results import CutFlow, Result, Statistics, run
    from kaon.errors import (
        CorruptFileError,
        DamagedModelWarning,
        Error,
        ExistingFileError,
        FileError,
        FormatError,
        IncompleteFileWarning,
        LostMetadataWarning,
        MemoryLimitError,
        MissingFileError,
        ModelError,
        OutOfRangeError,
        SeveralTypesWarning,
        UnknownMemberError,
        UnknownNameError,
        UnreadMemberWarning,
        UnusedOptionWarning,
        UnwrittenFileWarning,
        UsageError,
        WrongTypeError,
    )
    from kaon.events.collection import Collection
    from kaon.events.frames import Frame, Frames
    from kaon.files.category import Category
    from kaon.files.chain import concatenate, iterate
    from kaon.files.column import Column
    from kaon.files.file import File, open
    from kaon.files.metadata import Metadata, merge_metadata
    from kaon.files.reports import Report
    from kaon.files.root_dataframe import root_dataframe
    from kaon.files.sizes import CategorySize, ColumnSize, FileSize
    from kaon.files.verification import Finding, Verification, verify
    from kaon.model.datamodel import DataModel, load_model
    from kaon.partners.batches import Batches, batches
    from kaon.partners.coffea_events import nano_events, runner
    from kaon.partners.dask_arrays import dask
    from kaon.partners.dask_frames import dask_dataframe
    from kaon.partners.polars_frames import scan
    from kaon.partners.processor import Processor, processor
    from kaon.progress import progress_bar
    from kaon.train.plan import Plan, read_plan
    from kaon.train.train import Train, TrainOutput, TrainReport
    from kaon.writing.convert import convert
    from kaon.writing.inference import infer_model
    from kaon.writing.merge import MergedCategory, merge
    from kaon.writing.opening import append, create
    from kaon.writing.writable import WritableCategory, WritableFile

    __version__: str

__all__ = [
    "Accessed",
    "ArrowColumns",
    "Batches",
    "Category",
    "CategorySize",
    "Collection",
    "Column",
    "ColumnSize",
    "CorruptFileError",
    "CutFlow",
    "DamagedModelWarning",
    "DataModel",
    "Dataframe",
    "Error",
    "ExistingFileError",
    "File",
    "FileError",
    "FileSize",
    "Finding",
    "FlatArrays",
    "FormatError",
    "Frame",
    "Frames",
    "IncompleteFileWarning",
    "MergedCategory",
    "Metadata",
    "MemoryLimitError",
    "MissingFileError",
    "ModelError",
    "OutOfRangeError",
    "Report",
    "Plan",
    "Processor",
    "Result",
    "Statistics",
    "Train",
    "TrainOutput",
    "TrainReport",
    "UnknownMemberError",
    "UnknownNameError",
    "UnreadMemberWarning",
    "LostMetadataWarning",
    "SeveralTypesWarning",
    "UnusedOptionWarning",
    "UnwrittenFileWarning",
    "UsageError",
    "Verification",
    "WritableCategory",
    "WritableFile",
    "WrongTypeError",
    "__version__",
    "append",
    "batches",
    "concatenate",
    "convert",
    "create",
    "dask",
    "dask_dataframe",
    "dataset",
    "decorate",
    "follow",
    "infer_model",
    "iterate",
    "load_model",
    "merge",
    "merge_metadata",
    "nano_events",
    "open",
    "processor",
    "progress_bar",
    "read_plan",
    "record_reads",
    "referrers",
    "root_dataframe",
    "run",
    "runner",
    "scan",
    "verify",
]

_MODULES = {
    "Accessed": "columns.virtual",
    "ArrowColumns": "columns.arrow",
    "Batches": "partners.batches",
    "Category": "files.category",
    "CategorySize": "files.sizes",
    "Collection": "events.collection",
    "Column": "files.column",
    "ColumnSize": "files.sizes",
    "CutFlow": "dataframe.results",
    "DataModel": "model.datamodel",
    "Dataframe": "dataframe.dataframe",
    "File": "files.file",
    "FileSize": "files.sizes",
    "Finding": "files.verification",
    "FlatArrays": "columns.flat",
    "Frame": "events.frames",
    "Frames": "events.frames",
    "MergedCategory": "writing.merge",
    "Metadata": "files.metadata",
    "Report": "files.reports",
    "Plan": "train.plan",
    "Processor": "partners.processor",
    "Result": "dataframe.results",
    "Train": "train.train",
    "TrainOutput": "train.train",
    "TrainReport": "train.train",
    "read_plan": "train.plan",
    "Statistics": "dataframe.results",
    "Verification": "files.verification",
    "WritableCategory": "writing.writable",
    "WritableFile": "writing.writable",
    "append": "writing.opening",
    "batches": "partners.batches",
    "concatenate": "files.chain",
    "convert": "writing.convert",
    "create": "writing.opening",
    "dask": "partners.dask_arrays",
    "dask_dataframe": "partners.dask_frames",
    "dataset": "dataframe.dataframe",
    "decorate": "columns.decorated_arrays",
    "follow": "columns.references",
    "infer_model": "writing.inference",
    "iterate": "files.chain",
    "load_model": "model.datamodel",
    "merge": "writing.merge",
    "merge_metadata": "files.metadata",
    "nano_events": "partners.coffea_events",
    "open": "files.file",
    "processor": "partners.processor",
    "progress_bar": "progress",
    "record_reads": "columns.trace",
    "referrers": "columns.referrers",
    "root_dataframe": "files.root_dataframe",
    "run": "dataframe.results",
    "runner": "partners.coffea_events",
    "scan": "partners.polars_frames",
    "verify": "files.verification",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value = import_module("kaon._core").version
    elif name in __all__:
        value = getattr(import_module(f"kaon.{_MODULES.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module 'kaon' has no attribute '{name}'")
    globals()[name] = value  # later uses find it without this function
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
