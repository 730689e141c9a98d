"""Joining files without decoding them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, overload

from kaon import _core
from kaon.errors import UsageError
from kaon.files.bad_files import OnBadFile, bad_files_of
from kaon.files.chain import Files, listed_paths
from kaon.files.paths import free_path, is_same_file, system_path


@dataclass(frozen=True)
class MergedCategory:
    """The numbers of entries of a merged category."""

    name: str
    entries: int
    #: Entries copied in stored form; the others were encoded again.
    copied_entries: int
    #: Entries encoded again because they were in small clusters.
    joined_entries: int


@overload
def merge(
    paths: Files,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = ...,
    progress: Callable[[float], object] | None = ...,
    on_bad_file: Literal["raise", "skip"] = ...,
) -> list[MergedCategory]: ...


@overload
def merge(
    paths: Files,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = ...,
    progress: Callable[[float], object] | None = ...,
    on_bad_file: OnBadFile,
) -> Any: ...


def merge(
    paths: Files,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
    on_bad_file: OnBadFile = "raise",
) -> Any:
    """Join the entries of files, one file after another, in a new ``.kaon`` file.

    If files have the same tables, their compressed pages are copied. Tags and sorted keys are
    written anew; the first file that has them determines their names. Entries with other tables,
    or of other formats, are encoded again. Small neighbouring clusters, as of many small files,
    are joined into larger ones, which are read faster.

    Parameters
    ----------
    paths
        The files, as in `kaon.iterate`.
    out
        The path of the new file.
    overwrite
        Whether to replace an existing file.
    progress
        A function that is called with the fraction done, from 0 to 1, from any thread.
    on_bad_file
        As in `convert`.

    Returns
    -------
    list of MergedCategory
        The merged categories; with ``on_bad_file="report"``, a pair of this list and a tuple of the
        bad files, each a ``kaon.results.BadFile``.

    Raises
    ------
    UsageError
        If one of the files is the new one, there are no files, or they do not fit each other.
    ExistingFileError
        If the file exists and `overwrite` is false.
    FileError
        If a file cannot be read or written.
    """
    paths, out = listed_paths(paths), system_path(out)
    if any(is_same_file(path, out) for path in paths):
        raise UsageError(f"{out}: is one of the input files; write to another path")
    free_path(out, overwrite)
    report, warned = _core.merge([os.fspath(path) for path in paths], out, progress, on_bad_file)
    warning: Any
    for warning in warned:
        warnings.warn(warning, stacklevel=2)
    merged = [
        MergedCategory(each.name, each.entries, each.copied_entries, each.joined_entries)
        for each in report.categories
    ]
    return (merged, bad_files_of(report.bad_files)) if on_bad_file == "report" else merged
