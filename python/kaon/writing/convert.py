"""Copying files: to another format, or laid out anew."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kaon import _core
from kaon.errors import UsageError
from kaon.files.chain import Files, listed_paths
from kaon.files.file import File
from kaon.files.paths import free_path, is_same_file, split_path, system_path
from kaon.files.table_files import write_table, written_format
from kaon.model.datamodel import model_documents
from kaon.writing.options import WriterOptions

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel


def convert(
    paths: Files,
    out: str | os.PathLike[str],
    *,
    format: str = "",
    lossy: bool = False,
    model: AnyModel | None = None,
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> None:
    """Copy all that is in files to a new one: of another format, or laid out anew.

    Categories of the same name are joined, and what files say of themselves is merged by its rules.
    The new file appears when it is whole; until then, and if something goes wrong, what is to be
    overwritten there stays as it is. Of a file that is not finished what is whole is copied.

    >>> kaon.convert("nano.root", "nano.kaon")
    >>> kaon.convert(["a.kaon", "b.kaon"], "ab.root", codec="zstd")
    >>> kaon.convert("in.kaon", "out.kaon", layout="split", tags=["run", "weight"])
    >>> kaon.convert("in.kaon:events", "out.parquet")

    Parameters
    ----------
    paths
        What to copy, as `kaon.iterate` has it; of a file of Parquet or Feather, too, which needs
        pyarrow.
    out
        Where to; none of them.
    format
        What the new file is to be, where its name's suffix does not say it: "kaon", "rntuple",
        "ttree", "podio", "podio-sio", "hipo", "lcio", "hdf5", "parquet" or "feather". The last two
        are of one category of one file, and take none of the options; kaon reads them as what they
        were.
    lossy
        Whether what the format cannot hold is left out, and numbers of types that it does not have
        become wider ones, or that is an error that lists it.
    model
        If the files are of other versions of their model: the one that the copy is to be of, as
        `open` takes it. Collections in rows that differ are then laid out by member.
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
        If the files have nothing of a name, or there is no such codec, layout, encoding, favour or
        format.
    UsageError
        If the new file is one of those copied, these do not fit each other, an option does not fit
        the data, or the format cannot hold them.
    ModelError, WrongTypeError
        If the model has mistakes, or a file has values that do not fit it.
    ExistingFileError
        If `out` is there, and not to be overwritten; it is a FileExistsError.
    MissingFileError, CorruptFileError, FormatError
        If a file cannot be read; they are OSErrors.
    FileError
        If the new one cannot be written; it is an OSError.
    """
    inputs, out = listed_paths(paths), system_path(out)
    writer_options = WriterOptions.of_copy(format=format, **options)
    table = written_format(out, format)
    if table is not None:
        for option in options:
            if getattr(writer_options, option) != getattr(WriterOptions(), option):
                raise UsageError(f"a file of {table} takes no option such as `{option}`")
        return _to_table(inputs, out, table, model, overwrite, progress)
    for path in inputs:
        file_path, category = split_path(path)
        if category is not None and os.path.isfile(file_path):
            raise UsageError(
                f"{file_path}: is copied with all of its categories, not with '{category}' alone; "
                f"`kaon skim {os.fspath(path)} {os.fspath(out)}` copies one"
            )
    if not any(is_same_file(path, out) for path in inputs):  # refused, to be overwritten or not
        free_path(out, overwrite)
    documents = {} if model is None else model_documents(model)
    messages = _core.convert(inputs, out, writer_options.core, lossy, documents, progress)
    for warning in messages:
        warnings.warn(warning, stacklevel=2)


def _to_table(
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    format: str,
    model: AnyModel | None,
    overwrite: bool,
    progress: Callable[[float], object] | None,
) -> None:
    """Copy one category to a file of Parquet or Feather."""
    if len(paths) != 1:
        raise UsageError(f"a file of {format} is made of one file, not of {len(paths)}")
    path, name = split_path(paths[0])
    if is_same_file(path, out):
        raise UsageError(f"{os.fspath(out)}: is what is to be copied")
    free_path(out, overwrite)
    with File(path, model) as file:
        if name is None and len(file) != 1:
            raise UsageError(
                f"a file of {format} has one category, and {file.path} has {', '.join(file)}: "
                f"name it, as in '{file.path}:{next(iter(file), 'events')}'"
            )
        category = file[next(iter(file)) if name is None else name]
        write_table(category, file.documents(), out, format, progress)
