"""Joining files without decoding them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kaon import _core
from kaon.errors import UsageError
from kaon.files.chain import Files, listed_paths
from kaon.files.paths import free_path, is_same_file, system_path


@dataclass(frozen=True)
class MergedCategory:
    """What was joined of a category."""

    name: str
    entries: int
    #: As they were stored; the others were encoded again.
    copied_entries: int
    #: Of these others those that lay in small clusters.
    joined_entries: int


def merge(
    paths: Files,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
) -> list[MergedCategory]:
    """Join files: the entries of one behind those of the one before, in a new ``.kaon`` file.

    Compressed pages of files that have the same tables are copied as they are stored; their tags
    and sorted keys are put together anew; which values these are says the first file that has
    them. What has other tables, or is of another format, is encoded again. So are small clusters
    that follow each other, as of many files of few entries: they become larger ones, which are
    read faster.

    Parameters
    ----------
    paths
        The files, as `kaon.iterate` has them.
    out
        The new one.
    overwrite
        Whether a file that is there is to be replaced.
    progress
        Is called now and then with how much is done, from 0 to 1, from any thread.

    Raises
    ------
    UsageError
        If one of the files is the new one, there are none, or they do not fit each other.
    ExistingFileError
        If a file is there and is not to be replaced.
    FileError
        If a file cannot be read or written.
    """
    paths, out = listed_paths(paths), system_path(out)
    if any(is_same_file(path, out) for path in paths):
        raise UsageError(f"{out}: is one of the files to be read; write to another one")
    free_path(out, overwrite)
    merged, warned = _core.merge([os.fspath(path) for path in paths], out, progress)
    warning: Any
    for warning in warned:
        warnings.warn(warning, stacklevel=2)
    return [
        MergedCategory(each.name, each.entries, each.copied_entries, each.joined_entries)
        for each in merged
    ]
