"""Copying files to another format or layout."""

from __future__ import annotations

import os
import shlex
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from kaon import _core
from kaon.errors import UnreadMemberWarning, UsageError
from kaon.files.array_forms import package
from kaon.files.bad_files import BadFile, OnBadFile, bad_files_of
from kaon.files.chain import Files, listed_paths
from kaon.files.choices import checked_option
from kaon.files.file import File, OnDamage
from kaon.files.paths import StrPath, free_path, is_same_file, split_path, system_path
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
    category: str = "",
    overwrite: bool = False,
    progress: Callable[[float], object] | None = None,
    on_bad_file: OnBadFile = "raise",
    on_damage: OnDamage = "raise",
    **options: Any,
) -> tuple[BadFile, ...]:
    """Copy files to a new file of another format, layout, codec or precision.

    Categories of the same name are joined, and metadata are merged by their rules. The new file
    appears when it is complete; until then, and after an error, an existing file stays unchanged.
    Of an unfinished file, the complete part is copied.

    >>> kaon.convert("nano.root", "nano.kaon")
    >>> kaon.convert(["a.kaon", "b.kaon"], "ab.root", codec="zstd")
    >>> kaon.convert("in.kaon", "out.kaon", layout="split", tags=["run", "weight"])
    >>> kaon.convert("in.kaon:events", "out.parquet")
    >>> kaon.convert("in.root", "out.hipo", category="Events")

    Parameters
    ----------
    paths
        The files to copy, as in `kaon.iterate`. Parquet and Feather files need pyarrow.
    out
        The path of the new file, which must not be one of `paths`.
    format
        The format of the new file, if its suffix does not set it: "kaon", "rntuple", "ttree",
        "podio", "podio-sio", "hipo", "lcio", "hdf5", "parquet" or "feather". The last two hold one
        category of one file, and take no options; kaon restores the original data when it reads
        them.
    lossy
        Whether to leave out data that the format cannot hold, and to widen numbers of types that
        it lacks. Otherwise these raise an error that lists them.
    model
        The version of their model that the copy will have, as in `open`, if the files have other
        versions. Collections in rows that differ become split.
    category
        The only category to copy, if not all of them. In HIPO and LCIO files it becomes
        ``events`` if they cannot have a category of its name.
    overwrite
        Whether to replace an existing file.
    progress
        A function that is called with the fraction done, from 0 to 1, from any thread.
    on_bad_file
        The treatment of a file, among several, that cannot be opened, or lacks the main category
        or all of its columns that the first file with values has. "raise" raises its error,
        "skip" leaves it out with a warning, and "report" without one. The main category is
        ``events``, or else the one that most files have. Damage that shows only when data are
        decoded raises.
    on_damage
        "raise", or "skip" to leave out damaged data of ``.kaon`` files, as in `open`.
    options
        Options of `create` for storage. Layouts, groups and precision that are not named stay;
        rounded members can only be rounded further. Tags and keys can also be parameters with one
        number in each entry.

    Returns
    -------
    tuple of BadFile
        The files that were left out, each a ``kaon.results.BadFile``.

    Raises
    ------
    UnknownNameError
        If the files lack a name or a category, or a codec, layout, encoding, goal or format is
        unknown.
    UsageError
        If the new file is one of `paths`, or the files do not fit each other. Also if an option
        does not fit the data, or the format cannot hold them.
    ModelError, WrongTypeError
        If the model has mistakes, or a file has values that do not fit it.
    ExistingFileError
        If `out` exists and `overwrite` is false; it is a FileExistsError.
    MissingFileError, CorruptFileError, FormatError
        If a file cannot be read; they are OSErrors.
    FileError
        If the new file cannot be written; it is an OSError.
    """
    checked_option("on_damage", on_damage, get_args(OnDamage))
    inputs, out = listed_paths(paths), system_path(out)
    writer_options = WriterOptions.of_copy(format=format, **options)
    table = written_format(out, format)
    if table is not None:
        check_table_options(writer_options, options, table, out)
        _to_table(inputs, out, table, model, category, overwrite, progress, on_damage)
        return ()
    for path in inputs:
        file_path, name = split_path(path)
        if name is not None and os.path.isfile(file_path):
            command = ["kaon", "convert", file_path, os.fspath(out), "--category", name]
            raise UsageError(
                f"{os.fspath(path)}: name the category apart from the files: "
                f"`{shlex.join(command)}`, in Python category={name!r}"
            )
    if not any(is_same_file(path, out) for path in inputs):  # C++ refuses these
        free_path(out, overwrite)
    documents = {} if model is None else model_documents(model)
    bad, messages = _core.convert(
        inputs,
        out,
        writer_options.core,
        lossy,
        documents,
        progress,
        on_bad_file,
        category,
        on_damage == "skip",
    )
    warning: Any
    for warning in messages:
        warnings.warn(warning, stacklevel=2)
    return bad_files_of(bad)


def check_table_options(
    writer_options: WriterOptions, names: Iterable[str], table: str, path: StrPath
) -> None:
    """Check that options of `create` have their defaults, and that pyarrow is installed.

    Raises
    ------
    UsageError
        If an option has another value.
    ImportError
        If pyarrow is not installed.
    """
    for name in names:
        if name != "format" and getattr(writer_options, name) != getattr(WriterOptions(), name):
            raise UsageError(f"leave out `{name}`: {table} files take no options")
    package("pyarrow", os.fspath(path))


def _to_table(
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    format: str,
    model: AnyModel | None,
    category: str,
    overwrite: bool,
    progress: Callable[[float], object] | None,
    on_damage: OnDamage,
) -> None:
    """Copy one category to a Parquet or Feather file."""
    if len(paths) != 1:
        raise UsageError(f"give one input for a {format} file, not {len(paths)}")
    path, name = split_path(paths[0])
    name = category or name
    if is_same_file(path, out):
        raise UsageError(f"{os.fspath(out)}: is the input file; write to another path")
    free_path(out, overwrite)
    with File(path, model, on_damage=on_damage) as file:
        if name is None and len(file) != 1:
            raise UsageError(
                f"a {format} file holds one category, and {file.path} has {', '.join(file)}: "
                f"name one, as in '{file.path}:{next(iter(file), 'events')}'"
            )
        source = file._category(next(iter(file)) if name is None else name)
        if file.objects:
            left = ", ".join(f"{each.name} ({each.type})" for each in file.objects.values())
            message = f"{os.fspath(out)}: these objects of {file.path} are left out: {left}"
            warnings.warn(message, UnreadMemberWarning, stacklevel=3)
        write_table(source, file.documents(), out, format, progress)
