"""Writing the sound data of a damaged file to a new one."""

from __future__ import annotations

import os
from collections.abc import Callable

from kaon import _core
from kaon.errors import UsageError
from kaon.files.paths import free_path, is_same_file, system_path
from kaon.files.recovery import Recovery, recovery_of


def recover(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
) -> Recovery:
    """Write the sound data of a damaged ``.kaon`` file to a new one, and report the others.

    >>> kaon.recover("damaged.kaon", "sound.kaon").print()

    An entry is left out if one of its columns is damaged. A collection, parameter or value is left
    out as a whole if fewer values are lost that way. Lost values are never replaced.

    Parameters
    ----------
    path
        The damaged file; also an unfinished ``.part``.
    out
        The path of the new file.
    overwrite
        Whether to replace an existing file.
    progress
        A function that is called with the fraction done, from 0 to 1, from any thread.

    Returns
    -------
    Recovery
        The lost entries, columns and bytes.

    Raises
    ------
    CorruptFileError
        If the file has no sound data.
    UsageError
        If `out` is the damaged file, or no ``.kaon`` file.
    ExistingFileError
        If `out` exists and `overwrite` is false.
    FileError
        If a file cannot be read or written.
    """
    path, out = system_path(path), system_path(out)
    if is_same_file(path, out):
        raise UsageError(f"{out}: is the damaged file; write to another path")
    free_path(out, overwrite)
    return recovery_of(_core.recover(path, out, progress))
