"""Paths that name a category, too, and patterns of paths."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from kaon.errors import ExistingFileError, MissingFileError, UsageError, WrongTypeError

StrPath: TypeAlias = "str | os.PathLike[str]"

_SCHEME_AND_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*")


def system_path(path: StrPath) -> str:
    """Return a path as the system takes it: ``~`` is the home directory, unless it is a name."""
    if not isinstance(path, (str, os.PathLike)):
        raise WrongTypeError(f"a file is a path, not {path!r}")
    path = os.fspath(path)
    if not path:  # such as a variable of the shell that is not set
        raise UsageError("the path of a file is empty")
    return path if os.path.exists(path) else os.path.expanduser(path)


def split_path(path: StrPath) -> tuple[str, str | None]:
    """Return the path of a file and the category behind a colon, if there is one.

    Files may have colons in their names, and categories slashes: what exists decides. Where nothing
    does, a category with slashes is one only if the file's name has a suffix.
    """
    path = system_path(path)
    if os.path.exists(path):
        return path, None
    host = _SCHEME_AND_HOST.match(path)
    begin = host.end() if host else 1
    colons = [at for at in range(begin, len(path) - 1) if path[at] == ":"]
    for at in reversed(colons):
        if os.path.isfile(path[:at]):
            return path[:at], path[at + 1 :]
    if colons:
        file, category = path[: colons[-1]], path[colons[-1] + 1 :]
        if "/" not in category or os.path.splitext(file)[1]:
            return file, category
    return path, None


def several(files: Any) -> list[Any]:
    """Return paths, of which one may stand by itself.

    Raises
    ------
    WrongTypeError
        If they are none.
    """
    if isinstance(files, (str, os.PathLike)):
        return [files]
    if hasattr(files, "read"):
        raise WrongTypeError(f"{files!r} is read by `kaon.open`; files are paths here")
    if isinstance(files, bytes) or not isinstance(files, Iterable):
        raise WrongTypeError(f"files are paths, or several of them, not {files!r}")
    return list(files)


def matching_paths(path: StrPath) -> list[StrPath]:
    """Return all paths that match a pattern, sorted by name, each with the pattern's category.

    A path that is no pattern, and URLs that nobody can list, are returned as they are: the error of
    opening them says what is wrong.

    Raises
    ------
    MissingFileError
        If no file matches a pattern.
    """
    pattern, category = split_path(path)
    own = pattern if category is None else f"{pattern}:{category}"
    if os.path.exists(pattern):
        return [own]
    is_url = _SCHEME_AND_HOST.match(pattern)
    paths = sorted(_matching_urls(pattern) if is_url else glob.glob(pattern, recursive=True))
    if not paths and not is_url and glob.has_magic(os.fspath(pattern)):
        raise MissingFileError(f"{os.fspath(pattern)}: no file matches this pattern")
    if not paths:
        return [own]
    return [match if category is None else f"{match}:{category}" for match in paths]


def names_files(path: StrPath) -> bool:
    """Tell whether a path or pattern is that of files that are there; URLs are taken to be."""
    file, _ = split_path(path)
    if os.path.isfile(file) or _SCHEME_AND_HOST.match(file):
        return True
    return any(os.path.isfile(match) for match in glob.iglob(file, recursive=True))


def _matching_urls(pattern: str) -> list[str]:
    """Return the URLs that a pattern with stars stands for; none where nobody can tell."""
    if "*" not in pattern:
        return []
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(pattern)
        return [system.unstrip_protocol(match) for match in system.glob(path)]
    except Exception:  # of whatever client: who opens the pattern is told
        return []


def free_path(path: StrPath, overwrite: bool) -> str:
    """Return the path of a new file as the system takes it.

    Raises
    ------
    ExistingFileError
        If there is a file, and it is not to be overwritten.
    """
    path = system_path(path)
    if not overwrite and os.path.isfile(path):
        raise ExistingFileError(
            f"{path}: exists already; `overwrite=True`, or --force, replaces it"
        )
    return path


def is_same_file(path: StrPath, other: StrPath) -> bool:
    """Tell whether both are paths of one file, which is there."""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
