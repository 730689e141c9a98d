"""Laying files out anew."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from kaon import _core
from kaon.errors import IncompleteFileWarning
from kaon.options import WriterOptions


def relayout(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    codec: str = WriterOptions.codec,
    level: int = WriterOptions.level,
    layout: str | None = None,
    storage: Mapping[str, Mapping[str, Any]] | None = None,
    encodings: Mapping[str, str] | None = None,
    cluster_bytes: int = WriterOptions.cluster_bytes,
    cluster_entries: int = WriterOptions.cluster_entries,
    page_bytes: int = WriterOptions.page_bytes,
    tags: Iterable[str] = (),
    keys: Iterable[str] = (),
    progress: Callable[[float], object] | None = None,
) -> None:
    """Copy all that is in a file to a new one that is laid out anew.

    The new file appears when it is whole; until then, and if something goes wrong, what lies there
    stays as it is. Of a file that is not finished what is whole is copied.

    >>> kaon.relayout("in.kaon", "out.kaon", layout="split", tags=["run", "weight"])

    Parameters
    ----------
    path
        What to copy.
    out
        Where to; not the same file.
    codec, level, layout, storage, encodings, cluster_bytes, cluster_entries, page_bytes
        As in `create`. Layouts, groups and precision that are not named stay as they are; members
        that were rounded can only be rounded further.
    tags, keys
        As in `create`: values, or parameters that are one number in each entry.
    progress
        Is called now and then with how much is done, from 0 to 1, from any thread.

    Raises
    ------
    UnknownNameError
        If the file has nothing of a name, or there is no such codec, layout or encoding.
    UsageError
        If both are the same file, or an option does not fit the data.
    MissingFileError, CorruptFileError, FormatError
        If the file cannot be read; they are OSErrors.
    FileError
        If the new one cannot be written; it is an OSError.
    """
    options = WriterOptions(
        codec,
        level,
        layout,
        storage or {},
        encodings or {},
        cluster_bytes,
        cluster_entries,
        page_bytes,
        tags,
        keys,
    )
    messages = _core.relayout(
        Path(path),
        Path(out),
        options.codec,
        options.level,
        dict(options.encodings),
        options.cluster_bytes,
        options.cluster_entries,
        options.page_bytes,
        options.arrangement,
        progress,
    )
    for message in messages:
        warnings.warn(message, IncompleteFileWarning, stacklevel=2)
