"""Paths, paths with a category, and patterns of paths."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from kaon.errors import ExistingFileError, MissingFileError, UsageError, WrongTypeError

StrPath: TypeAlias = "str | os.PathLike[str]"

_FILE = re.compile(r"^file:(?=/(?!/))")  # file:/path; clients of fsspec read file:///path
_SCHEME_AND_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*")


def system_path(path: StrPath) -> str:
    """Return a path for the system.

    ``~`` is the home directory, and ``file:/path`` a path, unless a file has this name.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongTypeError(f"the path of a file must be a string or path, not {path!r}")
    path = os.fspath(path)
    if not path:  # for example an unset variable of the shell
        raise UsageError("the path of a file is empty")
    return path if os.path.exists(path) else os.path.expanduser(_FILE.sub("", path))


def split_path(path: StrPath) -> tuple[str, str | None]:
    """Return the path of a file, and the category behind a colon or None.

    Names of files may have colons, and names of categories slashes; existing files decide. If no
    file exists, a category may have slashes only if the file's name has a suffix.
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
    """Return one path, or several, as a list.

    Raises
    ------
    WrongTypeError
        If `files` are not paths.
    """
    if isinstance(files, (str, os.PathLike)):
        return [files]
    if hasattr(files, "read"):
        raise WrongTypeError(f"give paths here; `kaon.open` reads open files such as {files!r}")
    if isinstance(files, bytes) or not isinstance(files, Iterable):
        raise WrongTypeError(f"files must be a path or several paths, not {files!r}")
    return list(files)


def matching_paths(path: StrPath) -> list[StrPath]:
    """Return all paths that match a pattern, sorted by name, each with the pattern's category.

    A path that is not a pattern, and a URL that cannot be listed, are returned unchanged: opening
    them raises the error.

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
    """Return whether a path or pattern names existing files; URLs are assumed to exist."""
    file, _ = split_path(path)
    if os.path.isfile(file) or _SCHEME_AND_HOST.match(file):
        return True
    return any(os.path.isfile(match) for match in glob.iglob(file, recursive=True))


def _matching_urls(pattern: str) -> list[str]:
    """Return the URLs that match a pattern with stars; empty if the server cannot list them."""
    if "*" not in pattern:
        return []
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(pattern)
        return [system.unstrip_protocol(match) for match in system.glob(path)]
    except Exception:  # clients raise any type; opening the pattern reports the error
        return []


def free_path(path: StrPath, overwrite: bool) -> str:
    """Return the path of a new file for the system.

    Raises
    ------
    ExistingFileError
        If the file exists and `overwrite` is false.
    """
    path = system_path(path)
    if not overwrite and os.path.isfile(path):
        raise ExistingFileError(
            f"{path}: exists already; `overwrite=True`, or --force, replaces it"
        )
    return path


def is_same_file(path: StrPath, other: StrPath) -> bool:
    """Return whether both are paths of the same existing file."""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
