"""Names that moved from `kaon` into its modules: the old names work until 0.2."""

import warnings
from importlib import import_module

_MODULES = {
    "coffea": ["nano_events", "runner"],
    "errors": [
        "CorruptFileError",
        "DamagedModelWarning",
        "ExistingFileError",
        "FileError",
        "FormatError",
        "IncompleteFileWarning",
        "LostMetadataWarning",
        "MemoryLimitError",
        "MissingFileError",
        "ModelError",
        "OutOfRangeError",
        "SeveralTypesWarning",
        "UnknownMemberError",
        "UnknownNameError",
        "UnreadMemberWarning",
        "UnusedOptionWarning",
        "UnwrittenFileWarning",
        "UsageError",
        "WrongTypeError",
    ],
    "polars": ["scan"],
    "results": [
        "Accessed",
        "ArrowColumns",
        "Batches",
        "CategorySize",
        "Column",
        "ColumnSize",
        "CutFlow",
        "FileSize",
        "Finding",
        "FlatArrays",
        "Frames",
        "MergedCategory",
        "Processor",
        "Report",
        "Result",
        "Statistics",
        "Verification",
        "WritableCategory",
        "WritableFile",
    ],
    "train": ["Plan", "Train", "TrainOutput", "TrainReport", "read_plan"],
}
_PLACES = {name: (module, name) for module, names in _MODULES.items() for name in names}
_PLACES["dask_dataframe"] = ("dask", "dataframe")


def moved(name: str) -> object | None:
    """Return the object with an old name, with a warning; None for other names."""
    if name not in _PLACES:
        return None
    module, new_name = _PLACES[name]
    warnings.warn(
        f"kaon.{name} is now kaon.{module}.{new_name}; the old name works until kaon 0.2",
        DeprecationWarning,
        stacklevel=3,
    )
    value: object = getattr(import_module(f"kaon.{module}"), new_name)
    return value
