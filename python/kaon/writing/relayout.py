"""Laying files out anew."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import UsageError
from kaon.files.paths import check_free, is_same_file
from kaon.model.datamodel import model_documents
from kaon.writing.options import WriterOptions

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel


def relayout(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    model: AnyModel | None = None,
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> None:
    """Copy all that is in a file to a new one that is laid out anew.

    The new file appears when it is whole; until then, and if something goes wrong, what is to be
    overwritten there stays as it is. Of a file that is not finished what is whole is copied.

    >>> kaon.relayout("in.kaon", "out.kaon", layout="split", tags=["run", "weight"])

    Parameters
    ----------
    path
        What to copy.
    out
        Where to; not the same file.
    model
        If the file is of another version of its model: the one that the copy is to be of, as `open`
        takes it. Collections in rows that differ are then laid out by member.
    overwrite
        Whether a file that is there is to be replaced.
    progress
        Is called now and then with how much is done, from 0 to 1, from any thread.
    options
        Those of `create` that say how data lie. Layouts, groups and precision that are not named
        stay as they are; members that were rounded can only be rounded further. Tags and keys can
        also be parameters that are one number in each entry.

    Raises
    ------
    UnknownNameError
        If the file has nothing of a name, or there is no such codec, layout, encoding or favour.
    UsageError
        If both are the same file, or an option does not fit the data.
    ModelError, WrongTypeError
        If the model has mistakes, or the file has values that do not fit it.
    ExistingFileError
        If `out` is there, and not to be overwritten; it is a FileExistsError.
    MissingFileError, CorruptFileError, FormatError
        If the file cannot be read; they are OSErrors.
    FileError
        If the new one cannot be written; it is an OSError.
    """
    for name in ("types", "missing_members", "lost_references"):
        if name in options:
            raise UsageError(
                f"`{name}` is for arrays that are written: those of files stay as they are"
            )
    writer_options = WriterOptions(**options)
    if not is_same_file(path, out):  # which is refused, to be overwritten or not
        check_free(out, overwrite)
    found_warnings = _core.relayout(
        path,
        out,
        writer_options.codec,
        writer_options.level,
        dict(writer_options.encodings),
        writer_options.favour,
        writer_options.cluster_bytes,
        writer_options.cluster_entries,
        writer_options.page_bytes,
        writer_options.memory_bytes,
        writer_options.arrangement,
        list(writer_options.keys),
        writer_options.form,
        {} if model is None else model_documents(model),
        progress,
    )
    for warning in found_warnings:
        warnings.warn(warning, stacklevel=2)
